/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/record_test.h -- drawn runs of three endpoints, compared with a
 * record.
 *
 * A test of one rule looks at one field.  These runs notice everything else: a
 * seed draws the configuration of each end, its operations, and what the
 * network does to each packet, which loses, copies, delays, marks, trims and
 * bends some.  In some runs the ends lack memory now and then.  Each packet,
 * event, result, deadline and counter is a line of text.  The record in
 * tests/golden/ has one line for each ten runs: how many packets and events
 * there were, and a digest of all lines.  The record does not say what is
 * right: review why it changes.
 *
 *    RECORD_WRITE=1    writes the record of the program anew
 *    RECORD_SHOW=SEED  prints the lines of ten runs, to compare two builds
 */
#ifndef ORACLE_RECORD_TEST_H
#define ORACLE_RECORD_TEST_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/rng.h"
#include "oracle/core/env.h"
#include "oracle/oracle.h"

#define RECORD_ENDS   3
#define RECORD_FLYING 256
#define RECORD_PAST   16
#define RECORD_HEAD   48 /* bytes of a packet that a line shows */
#define RECORD_VALUES 6

/* Values of a member of struct orc_conf; the first ones are the usual ones. */
struct record_choice {
	const char *name;
	size_t at, size;
	size_t n;
	uint64_t values[RECORD_VALUES];
};

/* clang-format off */
#define RECORD_CHOICE(member, count, ...) \
	{#member, offsetof(struct orc_conf, member), \
	 sizeof(((struct orc_conf *)NULL)->member), count, {__VA_ARGS__}}
/* clang-format on */

struct record_flying {
	vtime at;
	uint64_t order;
	unsigned to;
	struct dgram *d;
};

/* How often the network does something to a packet, in thousandths. */
struct record_luck {
	unsigned lost, twice, late, marked, trimmed, bent, old;
	vspan delay;
};

struct record_run {
	struct rng rng;
	struct orc_conf conf[RECORD_ENDS];
	struct orc *end[RECORD_ENDS];
	vtime now;
	vspan hop;
	struct record_luck luck;
	struct record_flying flying[RECORD_FLYING];
	size_t nflying;
	uint64_t order;
	struct dgram *past[RECORD_PAST];
	size_t npast;
	unsigned left;  /* packets that may still arrive */
	unsigned steps; /* instants that may still come */
	/* how often an end soon lacks memory once, in thousandths */
	unsigned meagre;
	vtime due[RECORD_ENDS]; /* the deadlines that the last lines tell */
	/* the last request that each SES received, for its answers */
	struct orc_event asked[RECORD_ENDS];
	unsigned packets, events, results;
	uint64_t digest;
	FILE *show;
	void *more; /* what the family keeps of a run */
	/* of the family; called after each step; NULL: none */
	void (*spoil)(struct record_run *r);
	/* of the family, in some runs; NULL: none */
	void (*age)(struct record_run *r, unsigned side);
};

/* ---- Choices ---- */

static inline uint32_t record_below(struct record_run *r, uint32_t n)
{
	return rng_below(&r->rng, n);
}

static inline bool record_chance(struct record_run *r, unsigned thousandths)
{
	return record_below(r, 1000) < thousandths;
}

#define RECORD_PICK(r, list) \
	((list)[record_below((r), sizeof(list) / sizeof((list)[0]))])

/* ---- Lines ---- */

static inline void record_hash(struct record_run *r, const void *p, size_t len)
{
	const uint8_t *bytes = p;

	for (size_t i = 0; i < len; i++)
		r->digest =
			(r->digest ^ bytes[i]) * 0x100000001b3u; /* FNV-1a */
}

__attribute__((format(printf, 2, 3))) static inline void
record_say(struct record_run *r, const char *format, ...)
{
	char line[256];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	assert_in_range(n, 0, sizeof(line) - 1);
	record_hash(r, line, (size_t)n);
	if (r->show)
		fprintf(r->show, "%s\n", line);
}

static inline uint32_t record_sum(const uint8_t *p, size_t len)
{
	uint32_t sum = 0x811c9dc5u;

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ p[i]) * 0x01000193u; /* FNV-1a */
	return sum;
}

static inline void record_sent(struct record_run *r, unsigned from,
			       const struct dgram *d)
{
	const size_t head = d->len < RECORD_HEAD ? d->len : RECORD_HEAD;
	char hex[2 * RECORD_HEAD + 1] = "";

	for (size_t i = 0; i < head; i++) {
		hex[2 * i] = "0123456789abcdef"[d->data[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[d->data[i] & 15];
	}
	hex[2 * head] = '\0';
	r->packets++;
	record_say(r,
		   "%" PRId64 " %u sends to %u.%u %04x %u %u %u: %zu %s %08x",
		   r->now, from, d->dst.b[0], d->dst.b[3], d->entropy, d->dscp,
		   d->ecn, d->native, d->len, hex, record_sum(d->data, d->len));
}

static inline void record_event(struct record_run *r, unsigned side,
				const struct orc_event *e)
{
	r->events++;
	record_say(r, "%" PRId64 " %u event %d %u %u %u %u %u %u %u %u %u %d",
		   r->now, side, (int)e->kind, e->handle, e->rx_pkt_handle,
		   e->message_id, e->orig_pdcid, e->orig_psn, e->next_hdr,
		   e->opcode, e->return_code, e->nack_code, (int)e->status);
	record_say(r, "%u %u %u %08x %u %u %u %u %u %u %u %u %u %s", e->som,
		   e->eom, e->len, e->digest, e->eager_size, e->eager_id,
		   e->pdc_pause, e->rudi_pause, e->qpn, e->src_qp, e->imm,
		   e->ah, e->with_imm, e->reason ? e->reason : "-");
	if (e->kind == EV_PDS_SES_RX_REQ)
		r->asked[side] = *e;
}

static inline struct env *record_env(const struct record_run *r, unsigned side)
{
	return (struct env *)r->end[side];
}

/* Tells the deadline of an end if it has changed. */
static inline void record_due(struct record_run *r, unsigned side)
{
	const vtime due = orc_reference.deadline(r->end[side]);

	if (due == r->due[side])
		return;
	r->due[side] = due;
	record_say(r, "%u is due %" PRId64, side, due);
}

static inline void record_stats(struct record_run *r, unsigned side)
{
	struct orc_stats s;

	orc_reference.stats(r->end[side], &s);
	record_say(r, "%u allocates %" PRIu64, side,
		   record_env(r, side)->mem.calls);
	record_say(r,
		   "%u counts %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		   " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		   " %" PRIu64 " %" PRIu64,
		   side, s.tx, s.rx, s.tx_retx, s.rx_duplicate, s.rx_dropped,
		   s.tx_nack, s.rx_nack, s.delivered, s.tx_ack, s.rx_ack,
		   s.pdcs);
	record_say(r,
		   "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		   " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		   " %" PRIu64,
		   s.rtt_samples, s.rtt_refused, s.rtt_last, s.contexts,
		   s.unresponsive, s.cache_bytes, s.cache_peak, s.bitmaps,
		   s.bitmap_bits, s.bitmap_set, s.bitmap_first);
}

static inline void record_memory(struct record_run *r, unsigned side,
				 uint64_t key)
{
	const uint8_t *p = NULL;
	size_t len = 0;
	const int err = orc_reference.memory(r->end[side], key, &p, &len);

	record_say(r, "%u memory %" PRIu64 ": %d %zu %08x", side, key, err, len,
		   err ? 0 : record_sum(p, len));
}

/* ---- The network ---- */

static inline void record_fly(struct record_run *r, const struct dgram *d,
			      vspan delay)
{
	struct record_flying *f = &r->flying[r->nflying];

	if (r->nflying == RECORD_FLYING || !r->left)
		return;
	for (unsigned to = 0; to < RECORD_ENDS; to++) {
		if (!ip_addr_equal(&d->dst, &r->conf[to].addr))
			continue;
		*f = (struct record_flying){.at = r->now + delay,
					    .order = r->order++,
					    .to = to,
					    .d = malloc(sizeof(*d))};
		assert_non_null(f->d);
		dgram_copy(f->d, d);
		r->nflying++;
		r->left--;
	}
}

/* One byte of a packet changes, most often of a header, or it ends early. */
static inline void record_bend(struct record_run *r, struct dgram *d)
{
	static const uint32_t heads[] = {16, 32, 48, 64};
	const uint32_t head = RECORD_PICK(r, heads);
	const uint32_t most = (uint32_t)(d->len < head ? d->len : head);
	const uint8_t any = (uint8_t)record_below(r, 256);
	uint8_t *at;

	if (!most)
		return;
	at = &d->data[record_below(r, most)];
	switch (record_below(r, 7)) {
	case 0:
		(*at)++;
		break;
	case 1:
		(*at)--;
		break;
	case 2:
		*at = 0;
		break;
	case 3:
		d->len = record_below(r, most);
		break;
	case 4:
		*at = any;
		break;
	default:
		*at ^= (uint8_t)(1u << (any & 7));
		break;
	}
}

static inline void record_trim(struct record_run *r, struct dgram *d)
{
	const struct orc_conf *conf = &r->conf[0];
	const size_t keep = 40 + record_below(r, 40);

	d->dscp = record_below(r, 2) ? conf->dscp_trimmed
				     : conf->dscp_trimmed_lasthop;
	if (d->len > keep)
		d->len = keep;
}

/* Keeps a copy of a packet, in the place of another one. */
static inline void record_hold(struct record_run *r, const struct dgram *d)
{
	size_t at = r->npast;

	if (at == RECORD_PAST) {
		at = record_below(r, RECORD_PAST);
	} else {
		r->past[at] = malloc(sizeof(*d));
		assert_non_null(r->past[at]);
		r->npast++;
	}
	dgram_copy(r->past[at], d);
}

static inline void record_transmit(struct record_run *r, struct dgram *d)
{
	const struct record_luck *l = &r->luck;
	vspan delay = r->hop;

	if (record_chance(r, l->old) && r->npast)
		record_fly(r, r->past[record_below(r, (uint32_t)r->npast)],
			   delay);
	if (record_chance(r, 200))
		record_hold(r, d);
	if (record_chance(r, l->lost))
		return;
	if (record_chance(r, l->marked))
		d->ecn = ECN_CE;
	if (record_chance(r, l->late))
		delay += record_below(r, (uint32_t)l->delay);
	if (record_chance(r, l->trimmed))
		record_trim(r, d);
	else if (record_chance(r, l->twice))
		record_fly(r, d, delay + record_below(r, (uint32_t)l->delay));
	record_fly(r, d, delay);
	if (!record_chance(r, l->bent))
		return;
	record_bend(r, d);
	record_fly(r, d, delay + record_below(r, 2000));
}

/* Now and then one of the next allocations of an end fails. */
static inline void record_starve(struct record_run *r, unsigned side)
{
	struct mem *m = &record_env(r, side)->mem;

	if (r->meagre && record_chance(r, r->meagre))
		m->fail_at = m->calls + 1 + record_below(r, 4);
}

/* Polls both queues of each end until they are empty. */
static inline void record_drain(struct record_run *r)
{
	struct dgram *d = calloc(1, sizeof(*d));
	struct orc_event ev;

	assert_non_null(d);
	for (unsigned i = 0; i < RECORD_ENDS; i++) {
		while (orc_reference.poll_tx(r->end[i], d)) {
			record_sent(r, i, d);
			record_transmit(r, d);
		}
		while (orc_reference.poll_event(r->end[i], &ev))
			record_event(r, i, &ev);
		record_due(r, i);
		record_starve(r, i);
	}
	free(d);
	if (r->spoil)
		r->spoil(r);
}

/* Announces a packet first, which changes nothing. */
static inline int record_feed(struct orc *o, const struct dgram *d, vtime now)
{
	orc_reference.expect(o);
	orc_reference.expect_feed(o, d);
	orc_reference.expect_tables(o);
	orc_reference.expect_send(o);
	orc_reference.expect_state(o, d);
	orc_reference.expect_rest(o, d);
	return orc_reference.feed(o, d, now);
}

static inline size_t record_first(const struct record_run *r)
{
	size_t first = 0;

	for (size_t i = 1; i < r->nflying; i++)
		if (r->flying[i].at < r->flying[first].at ||
		    (r->flying[i].at == r->flying[first].at &&
		     r->flying[i].order < r->flying[first].order))
			first = i;
	return first;
}

static inline vtime record_next(const struct record_run *r)
{
	vtime next = VTIME_NEVER;

	if (r->nflying)
		next = r->flying[record_first(r)].at;
	for (unsigned i = 0; i < RECORD_ENDS; i++)
		next = vtime_min(next, orc_reference.deadline(r->end[i]));
	return next;
}

static inline void record_arrive(struct record_run *r)
{
	const size_t i = record_first(r);
	struct record_flying f;

	if (!r->nflying || r->flying[i].at > r->now)
		return;
	f = r->flying[i];
	r->flying[i] = r->flying[--r->nflying];
	record_say(r, "%u gets: %d", f.to,
		   record_feed(r->end[f.to], f.d, r->now));
	free(f.d);
}

/* Lets |span| pass, unless the run has had all its steps. */
static inline void record_pass(struct record_run *r, vspan span)
{
	const vtime end = r->now + span;

	record_drain(r);
	for (; r->steps && record_next(r) <= end; r->steps--) {
		r->now = vtime_max(r->now, record_next(r));
		record_arrive(r);
		for (unsigned i = 0; i < RECORD_ENDS; i++)
			if (orc_reference.deadline(r->end[i]) <= r->now)
				orc_reference.tick(r->end[i], r->now);
		record_drain(r);
	}
	if (!r->steps)
		return;
	r->now = end;
	for (unsigned i = 0; i < RECORD_ENDS; i++)
		orc_reference.tick(r->end[i], r->now);
	record_drain(r);
	record_stats(r, record_below(r, RECORD_ENDS));
}

/* ---- Operations ---- */

static inline int record_post(struct record_run *r, unsigned side,
			      const struct orc_op *op)
{
	int err;

	orc_reference.expect(r->end[side]);
	orc_reference.expect_post(r->end[side], op, 1);
	err = orc_reference.post(r->end[side], op, r->now);
	r->results++;
	record_say(r, "%" PRId64 " %u posts %d: %d", r->now, side,
		   (int)op->kind, err);
	return err;
}

/* Draws a value of a setting: small, a boundary, or any. */
static inline uint64_t record_value(struct record_run *r)
{
	static const uint64_t edges[] = {
		0,   1,   2,    3,    16,   63,   64,    127,       128,
		255, 256, 1000, 1023, 1024, 4095, 65535, 0x7fffffff};

	if (record_below(r, 8) == 0)
		return rng_next(&r->rng);
	return RECORD_PICK(r, edges);
}

static inline void record_configure(struct record_run *r, unsigned side)
{
	const struct orc_op op = {
		.kind = OP_CONFIGURE,
		.setting = (enum orc_setting)record_below(r, SETTING_COUNT),
		.value = record_value(r),
	};

	record_post(r, side, &op);
}

/* Resets an end and configures it anew. */
static inline void record_renew(struct record_run *r, unsigned side)
{
	record_stats(r, side);
	orc_reference.reset(r->end[side], r->rng.state);
	record_drain(r);
	record_stats(r, side);
	for (unsigned n = 0; n < 3; n++)
		record_configure(r, side);
}

/* ---- A run ---- */

struct record_family {
	const char *file; /* of the record */
	enum family family;
	unsigned runs;
	const struct record_choice *choices;
	size_t nchoices;
	/* corrects what must fit each other */
	void (*settle)(struct record_run *r);
	void (*play)(struct record_run *r);
	/* lets an end begin with numbers that wrap soon; NULL: does nothing */
	void (*age)(struct record_run *r, unsigned side);
	/*
	 * Writes over what an end does not use, so that a run differs from the
	 * record if it is used; NULL: nothing.
	 */
	void (*spoil)(struct record_run *r);
};

static inline void record_choose(struct record_run *r,
				 const struct record_family *f,
				 struct orc_conf *conf, unsigned share)
{
	for (size_t i = 0; i < f->nchoices; i++) {
		const struct record_choice *c = &f->choices[i];

		if (!record_chance(r, share))
			continue;
		memcpy((char *)conf + c->at,
		       &c->values[record_below(r, (uint32_t)c->n)], c->size);
	}
}

/* A configuration that is refused is drawn again. */
static inline void record_seat(struct record_run *r,
			       const struct record_family *f, unsigned side,
			       unsigned share)
{
	struct orc_conf *conf = &r->conf[side];
	int err;

	for (unsigned n = 0; n < 20; n++, share /= 2) {
		if (side)
			*conf = r->conf[0];
		else
			orc_conf_default(conf);
		conf->family = f->family;
		record_choose(r, f, conf, share);
		conf->addr = ip_addr_v4(0x0a000001u + side);
		conf->seed = r->rng.state + side;
		f->settle(r);
		err = orc_reference.make(&r->end[side], conf);
		record_say(r, "%u is made: %d", side, err);
		if (!err)
			return;
	}
	fail_msg("no configuration is accepted");
}

static inline void record_network(struct record_run *r)
{
	static const unsigned rates[] = {0, 0, 20, 60, 200};
	static const unsigned meagre[] = {0, 0, 0, 0, 20, 200};

	r->meagre = RECORD_PICK(r, meagre);
	r->hop = (1 + record_below(r, 40)) * VSPAN_US;
	r->luck = (struct record_luck){
		.lost = RECORD_PICK(r, rates),
		.twice = RECORD_PICK(r, rates),
		.late = RECORD_PICK(r, rates),
		.marked = RECORD_PICK(r, rates),
		.trimmed = RECORD_PICK(r, rates) / 2,
		.bent = RECORD_PICK(r, rates),
		.old = RECORD_PICK(r, rates) / 4,
		.delay = (1 + record_below(r, 3000)) * VSPAN_US,
	};
}

static inline void record_end(struct record_run *r)
{
	static const uint64_t keys[] = {0, 5, 6, 7};

	for (unsigned side = 0; side < RECORD_ENDS; side++) {
		record_stats(r, side);
		for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			record_memory(r, side, keys[i]);
		orc_reference.free(r->end[side]);
	}
	for (size_t i = 0; i < r->nflying; i++)
		free(r->flying[i].d);
	for (size_t i = 0; i < r->npast; i++)
		free(r->past[i]);
}

/* The sums of some runs. */
struct record_sums {
	unsigned packets, events, results;
	uint64_t digest;
};

static inline void record_run(const struct record_family *f, unsigned seed,
			      FILE *show, struct record_sums *ret)
{
	static const unsigned shares[] = {0, 50, 200, 500};
	struct record_run *r = calloc(1, sizeof(*r));
	unsigned share;

	assert_non_null(r);
	r->rng.state = rng_mix(seed, f->file);
	r->digest = ret->digest;
	r->left = 300;
	r->steps = 3000;
	r->show = show;
	record_network(r);
	share = RECORD_PICK(r, shares);
	for (unsigned side = 0; side < RECORD_ENDS; side++)
		record_seat(r, f, side, side ? share / 4 : share);
	r->spoil = f->spoil;
	if (f->age && record_below(r, 4) == 0)
		r->age = f->age;
	f->play(r);
	record_end(r);
	ret->packets += r->packets;
	ret->events += r->events;
	ret->results += r->results;
	ret->digest = r->digest;
	free(r);
}

#define RECORD_BLOCK 10 /* runs of a line */
#define RECORD_LINE  128

/* Runs the seeds from |seed| on, and writes their line. */
static inline void record_block(const struct record_family *f, unsigned seed,
				FILE *show, char *line)
{
	struct record_sums sums = {.digest = 0xcbf29ce484222325u};

	for (unsigned i = 0; i < RECORD_BLOCK; i++)
		record_run(f, seed + i, show, &sums);
	snprintf(line, RECORD_LINE,
		 "%u: %u packets, %u events, %u results, %016" PRIx64, seed,
		 sums.packets, sums.events, sums.results, sums.digest);
}

/* Writes the runs of a family behind the head of the file. */
static inline void record_write(const struct record_family *f)
{
	struct record_family unspoilt = *f;
	FILE *to = fopen(f->file, "w");
	char line[RECORD_LINE];

	assert_non_null(to);
	fprintf(to, "# SPDX-License-Identifier: BSD-2-Clause\n"
		    "# Drawn runs: oracle/record_test.h writes this.\n");
	unspoilt.spoil = NULL;
	for (unsigned seed = 0; seed < f->runs; seed += RECORD_BLOCK) {
		record_block(&unspoilt, seed, NULL, line);
		fprintf(to, "%s\n", line);
	}
	fclose(to);
}

/* Returns the next line of the record that is no comment. */
static inline const char *record_load(FILE *from, char *line)
{
	do {
		if (!fgets(line, RECORD_LINE, from))
			return NULL;
	} while (*line == '#');
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static inline void record_compare(const struct record_family *f)
{
	FILE *from = fopen(f->file, "r");
	char is[RECORD_LINE], was[RECORD_LINE];

	assert_non_null(from);
	for (unsigned seed = 0; seed < f->runs; seed += RECORD_BLOCK) {
		assert_non_null(record_load(from, was));
		record_block(f, seed, NULL, is);
		assert_string_equal(is, was);
	}
	assert_null(record_load(from, was));
	fclose(from);
}

/* Memory that is allocated, but not zeroed, holds no zeros. */
static inline void record_dirty_memory(void)
{
#ifdef M_PERTURB
	mallopt(M_PERTURB, 0x5a);
#endif
}

/* Compares the runs of a family with its record, or does what is asked. */
static inline void record_check(const struct record_family *f)
{
	const char *seed = getenv("RECORD_SHOW");
	char line[RECORD_LINE];

	record_dirty_memory();
	if (seed)
		record_block(f, (unsigned)strtoul(seed, NULL, 10), stdout,
			     line);
	else if (getenv("RECORD_WRITE"))
		record_write(f);
	else
		record_compare(f);
}

#endif
