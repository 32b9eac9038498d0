/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/rc.c -- queue pairs of the WQE extension and of plain RoCEv2 on a
 * link that loses, doubles and delays: thousands of random runs.
 *
 *	rung_soak_rc                          1,000 runs
 *	rung_soak_rc --seed 4711 --runs 1     one of them again
 *	rung_soak_rc --mutant NAME            one side is wrong: it must show
 *
 * A run is selective, or goes back N, or has no extension.  All that is posted
 * must complete, once, in order, with its bytes where they belong and none
 * elsewhere; a judge at either end finds nothing.  In a third of the runs
 * somebody sends packets with other fields in between: then what was posted may
 * fail, and be written wherever the key permits, but what is cached stays
 *within its budget, and a sanitizer finds nothing.
 *
 * Exit status: 0 nothing was found (with --must-find: something was); 1 the
 * other; 2 usage or no memory.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "judge/judge.h"
#include "oracle/oracle.h"
#include "wire/family.h"
#include "wire/icrc.h"

enum {
	SIDES = 2,
	MTU = 64,
	LONGEST = 6 * MTU, /* of a message */
	GUARD = 16,        /* bytes between two places that are written */
	SLOT = LONGEST + GUARD,
	MESSAGES = 40,
	REGION = MESSAGES * SLOT,
	RKEY = 0x77,
	FLYING = 4096,
	STEPS = 200000, /* of a run: a mutant may loop */
};

struct flying {
	vtime at;
	unsigned to;
	bool forged;
	struct dgram d;
};

/* A message that A posts. */
struct message {
	bool write;
	uint32_t len;
};

struct run {
	const struct orc_api *api[SIDES];
	struct orc *end[SIDES];
	struct judge *judge[SIDES];
	struct rng rng;
	struct orc_conf conf[SIDES];
	bool hostile;
	uint32_t loss, copies; /* of 1000 */
	vspan reorder, hop;
	uint32_t first; /* PSN */
	uint32_t qpn[SIDES];
	vtime now;
	struct message message[MESSAGES];
	unsigned posted, done, received, sends;
	uint32_t sent_len[MESSAGES];
	struct flying *flying;
	size_t nflying;
	uint32_t frame;
	unsigned steps;
	bool over; /* it makes no progress */
	unsigned found;
	char what[200]; /* the first */
};

static void found(struct run *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void found(struct run *r, const char *fmt, ...)
{
	va_list args;

	if (r->found++)
		return;
	va_start(args, fmt);
	vsnprintf(r->what, sizeof(r->what), fmt, args);
	va_end(args);
}

/* ---- What the ends are ---- */

static void conf_of(struct run *r, uint64_t seed, unsigned i)
{
	static const uint32_t budgets[] = {0, 200, 3000, 1 << 20};
	struct orc_conf *c = &r->conf[i];

	orc_conf_default(c);
	c->family = seed % 4 == 3 ? FAMILY_ROCE : FAMILY_WQE;
	c->wqe_gbn = seed % 4 >= 2;
	c->addr = ip_addr_v4(1 + i);
	c->crc = true;
	c->mtu = MTU;
	c->rto_init = 20 * VSPAN_MS;
	c->max_rto_retx = 1000;
	c->wqe_rnr_retry = 1000;
	c->wqe_bitmap = seed >> 2 & 1;
	c->wqe_window = 8u << seed / 8 % 5;
	c->wqe_cache_max = budgets[seed / 4 % 4];
	c->wqe_max_ooo = seed % 5 ? 64 : 1;
}

static void ask(struct run *r, unsigned i, struct orc_op op)
{
	op.peer = r->conf[!i].addr;
	if (r->api[i]->post(r->end[i], &op, r->now))
		found(r, "side %c refuses an operation", 'A' + (char)i);
}

static void connect(struct run *r, unsigned i)
{
	struct op_result made = {0};
	struct orc_op op = {.kind = OP_CREATE_QP,
			    .vb = {.type = QP_RC, .depth = 2 * MESSAGES},
			    .ret = &made};

	ask(r, i, op);
	op.kind = OP_MODIFY_QP;
	op.vb.qpn = op.vb.dest_qp = r->qpn[i] = made.qpn;
	op.vb.rq_psn = op.vb.sq_psn = r->first;
	for (int state = QP_INIT; state <= QP_RTS; state++) {
		op.vb.state = (enum qp_state)state;
		ask(r, i, op);
	}
}

static bool seat_judge(struct run *r, unsigned i)
{
	struct judge_conf conf;

	judge_conf_default(&conf);
	conf.whole = true;
	conf.here = r->conf[i].addr;
	return judge_new(&r->judge[i], &conf, 4) == 0;
}

static bool open_run(struct run *r, uint64_t seed)
{
	r->rng = (struct rng){seed};
	r->hostile = seed % 3 == 0;
	r->loss = rng_below(&r->rng, 200);
	r->copies = rng_below(&r->rng, 200);
	r->reorder = seed & 1 ? 0 : 500 * VSPAN_US;
	r->hop = 100 * VSPAN_US;
	r->first = seed % 3 ? 0xffffff - (uint32_t)(seed % 40) : 10;
	for (unsigned i = 0; i < SIDES; i++) {
		conf_of(r, seed, i);
		if (r->api[i]->make(&r->end[i], &r->conf[i]) ||
		    !seat_judge(r, i))
			return false;
	}
	for (unsigned i = 0; i < SIDES; i++)
		connect(r, i);
	ask(r, 1,
	    (struct orc_op){.kind = OP_EXPOSE, .key = RKEY, .len = REGION});
	return true;
}

static void close_run(struct run *r)
{
	for (unsigned i = 0; i < SIDES; i++) {
		if (r->end[i])
			r->api[i]->free(r->end[i]);
		judge_free(r->judge[i]);
	}
}

/* ---- Work ---- */

static void post_one(struct run *r)
{
	const uint32_t i = r->posted++;
	struct message *m = &r->message[i];

	m->write = rng_below(&r->rng, 2);
	m->len = rng_below(&r->rng, LONGEST + 1);
	if (!m->write)
		r->sent_len[r->sends++] = m->len;
	ask(r, 0,
	    (struct orc_op){.kind = OP_POST_SEND,
			    .handle = i + 1,
			    .len = m->len,
			    .key = RKEY,
			    .offset = i * SLOT,
			    .vb = {.qpn = r->qpn[0],
				   .opcode = m->write ? WR_WRITE : WR_SEND}});
}

static void post_all(struct run *r)
{
	ask(r, 1,
	    (struct orc_op){.kind = OP_POST_RECV,
			    .len = LONGEST,
			    .count = MESSAGES,
			    .vb = {.qpn = r->qpn[1]}});
	while (r->posted < MESSAGES)
		post_one(r);
}

/* ---- The judges ---- */

/* Who goes back N after a time-out repeats what was not asked for. */
static bool is_permitted(const struct run *r, const struct finding *f)
{
	return r->conf[0].wqe_gbn && f->req == REQ_WQE_16;
}

static void look(struct run *r, unsigned i, const struct dgram *d)
{
	struct finding f[8];
	struct packet pkt;
	const struct judge_packet in = {
		.pkt = &pkt, .d = d, .at = r->now, .frame = ++r->frame};
	size_t n;

	if (r->hostile || d->len < ICRC_LEN)
		return;
	family_parse(r->conf[i].family, &pkt, d->data, d->len - ICRC_LEN);
	n = judge_push(r->judge[i], &in, f, 8);
	for (size_t k = 0; k < n && k < 8; k++)
		if (ip_addr_equal(&f[k].side, &r->conf[i].addr) &&
		    !is_permitted(r, &f[k]))
			found(r, "%s/%s: %s", req_get(f[k].req)->id,
			      req_role_name(f[k].role), f[k].text);
}

/* ---- The link ---- */

static struct flying *put(struct run *r, const struct dgram *d, unsigned to)
{
	struct flying *f;

	if (r->nflying == FLYING)
		return NULL; /* it is lost */
	f = &r->flying[r->nflying++];
	f->at = r->now + r->hop;
	if (r->reorder)
		f->at += rng_below(&r->rng, (uint32_t)r->reorder);
	f->to = to;
	f->forged = false;
	dgram_copy(&f->d, d);
	return f;
}

/* The same packet with other bits in one byte of its headers. */
static void forge(struct run *r, const struct dgram *d, unsigned to)
{
	struct flying *f = put(r, d, to);
	const size_t head = d->len - ICRC_LEN < 28 ? d->len - ICRC_LEN : 28;
	uint8_t *p;

	if (!f)
		return;
	f->forged = true;
	p = &f->d.data[rng_below(&r->rng, (uint32_t)head)];
	*p ^= (uint8_t)(1 + rng_below(&r->rng, 255));
	f->d.len -= ICRC_LEN;
	icrc_append(&f->d, family_port(r->conf[0].family), &icrc_socket);
}

static void leave(struct run *r, unsigned from, const struct dgram *d)
{
	look(r, from, d);
	if (r->hostile && rng_below(&r->rng, 50) == 0)
		forge(r, d, !from);
	if (rng_below(&r->rng, 1000) < r->loss)
		return;
	put(r, d, !from);
	if (rng_below(&r->rng, 1000) < r->copies)
		put(r, d, !from);
}

/* ---- What the ends tell ---- */

static void completed(struct run *r, const struct orc_event *ev)
{
	r->done++;
	if (r->hostile)
		return;
	if (ev->handle != r->done)
		found(r, "I9: WR %u completes as the %u.", ev->handle, r->done);
	if (ev->status != STATUS_OK)
		found(r, "I2: WR %u ends in status %d", ev->handle,
		      (int)ev->status);
}

static void got(struct run *r, const struct orc_event *ev)
{
	const unsigned i = r->received++;

	if (r->hostile)
		return;
	if (i >= r->sends)
		found(r, "I1: more is received than was sent");
	else if (ev->len != r->sent_len[i])
		found(r, "I2: %u bytes are received of %u", ev->len,
		      r->sent_len[i]);
}

static void drain(struct run *r, unsigned i)
{
	struct orc_event ev;
	struct dgram d;

	for (unsigned n = 0; n < FLYING && r->api[i]->poll_tx(r->end[i], &d);
	     n++)
		leave(r, i, &d);
	while (r->api[i]->poll_event(r->end[i], &ev)) {
		if (i == 0 && ev.kind == EV_COMPLETION)
			completed(r, &ev);
		if (i == 1 && ev.kind == EV_RECV && ev.status == STATUS_OK)
			got(r, &ev);
	}
}

static void check_memory(struct run *r)
{
	struct orc_stats s;

	r->api[1]->stats(r->end[1], &s);
	if (s.cache_bytes > r->conf[1].wqe_cache_max ||
	    s.cache_peak > r->conf[1].wqe_cache_max)
		found(r, "I12: %llu bytes are cached, %u are allowed",
		      (unsigned long long)s.cache_peak,
		      r->conf[1].wqe_cache_max);
}

/* ---- Time ---- */

static size_t earliest(const struct run *r)
{
	size_t low = 0;

	for (size_t i = 1; i < r->nflying; i++)
		if (r->flying[i].at < r->flying[low].at)
			low = i;
	return low;
}

static void arrive(struct run *r, size_t at)
{
	static struct flying f;
	struct flying *last = &r->flying[--r->nflying];

	f.at = r->flying[at].at;
	f.to = r->flying[at].to;
	f.forged = r->flying[at].forged;
	dgram_copy(&f.d, &r->flying[at].d);
	if (last != &r->flying[at]) {
		r->flying[at].at = last->at;
		r->flying[at].to = last->to;
		r->flying[at].forged = last->forged;
		dgram_copy(&r->flying[at].d, &last->d);
	}
	r->now = vtime_max(r->now, f.at);
	look(r, f.to, &f.d);
	r->api[f.to]->feed(r->end[f.to], &f.d, r->now);
	drain(r, f.to);
}

static bool step(struct run *r)
{
	const size_t at = earliest(r);
	vtime next = r->nflying ? r->flying[at].at : VTIME_NEVER;

	for (unsigned i = 0; i < SIDES; i++) {
		const vtime timer = r->api[i]->deadline(r->end[i]);

		if (timer > next || timer == VTIME_NEVER)
			continue;
		r->now = vtime_max(r->now, timer);
		r->api[i]->tick(r->end[i], r->now);
		drain(r, i);
		return true;
	}
	if (next == VTIME_NEVER)
		return false;
	arrive(r, at);
	return true;
}

/* ---- At the end ---- */

static void check_bytes(struct run *r)
{
	const uint8_t *p = NULL;
	size_t len = 0;

	if (r->api[1]->memory(r->end[1], RKEY, &p, &len) || len != REGION) {
		found(r, "I12: the memory is gone");
		return;
	}
	for (uint32_t i = 0; i < REGION; i++) {
		const struct message *m = &r->message[i / SLOT];
		const uint32_t off = i % SLOT;
		const bool own = m->write && off < m->len;
		const uint8_t want =
			own ? ses_pattern((uint16_t)(i / SLOT + 1), off)
			    : ses_pattern(0, i);

		if (p[i] == want)
			continue;
		found(r, "%s: byte %u of the memory is wrong",
		      own ? "I2" : "I12", i);
		return;
	}
}

static void check_end(struct run *r)
{
	struct orc_stats s;

	if (r->hostile)
		return;
	check_bytes(r);
	r->api[1]->stats(r->end[1], &s);
	if (r->done != MESSAGES)
		found(r, "I3: %u of %d WRs completed", r->done, MESSAGES);
	if (r->received != r->sends)
		found(r, "I2: %u of %u sends were received", r->received,
		      r->sends);
	if (s.cache_bytes)
		found(r, "I12: %llu bytes are cached in the end",
		      (unsigned long long)s.cache_bytes);
}

/* Return: how many findings; < 0: no memory. */
static int run_one(const struct orc_api *const api[SIDES],
		   struct flying *flying, uint64_t seed)
{
	struct run r = {.api = {api[0], api[1]}, .flying = flying};

	if (!open_run(&r, seed)) {
		close_run(&r);
		return -1;
	}
	post_all(&r);
	for (unsigned i = 0; i < SIDES; i++)
		drain(&r, i);
	while (r.done < MESSAGES && !r.found && r.steps++ < STEPS && step(&r))
		check_memory(&r);
	check_end(&r);
	if (r.found)
		printf("seed %" PRIu64 ": %u findings, %s\n", seed, r.found,
		       r.what);
	close_run(&r);
	return (int)r.found;
}

/* ---- The program ---- */

static _Noreturn void misuse(const char *what)
{
	fprintf(stderr,
		"soak: %s\n"
		"usage: rung_soak_rc [--runs N] [--seed N] [--mutant NAME] "
		"[--must-find]\n",
		what);
	exit(2);
}

/* A name stands for "../mutants/NAME.so", seen from this program. */
static const struct orc_api *mutant(const char *name)
{
	char self[PATH_MAX] = "", path[PATH_MAX + 128];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	orc_api_fn *get;
	void *so, *symbol;

	if (n < 0)
		misuse("where am I");
	*strrchr(self, '/') = 0;
	snprintf(path, sizeof(path), "%s/../mutants/%.100s.so", self, name);
	so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	symbol = so ? dlsym(so, ORC_API_SYMBOL) : NULL;
	if (!symbol)
		misuse(dlerror());
	/* POSIX grants that a symbol's address may be a function's. */
	memcpy(&get, &symbol, sizeof(get));
	return get();
}

struct options {
	uint64_t runs, seed;
	const struct orc_api *wrong; /* one side; NULL: none */
	bool must_find;
};

static void parse(struct options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const bool more = i + 1 < argc;

		if (!strcmp(argv[i], "--must-find"))
			o->must_find = true;
		else if (more && !strcmp(argv[i], "--runs"))
			o->runs = strtoull(argv[++i], NULL, 0);
		else if (more && !strcmp(argv[i], "--seed"))
			o->seed = strtoull(argv[++i], NULL, 0);
		else if (more && !strcmp(argv[i], "--mutant"))
			o->wrong = mutant(argv[++i]);
		else
			misuse(argv[i]);
	}
}

int main(int argc, char **argv)
{
	struct options o = {.runs = 1000, .seed = 1};
	struct flying *flying = calloc(FLYING, sizeof(*flying));
	uint64_t failed = 0, i = 0;

	parse(&o, argc, argv);
	for (; flying && i < o.runs && failed < (o.must_find ? 1u : 10u); i++) {
		const unsigned side = (unsigned)(i / 16 % 2);
		const struct orc_api *api[SIDES] = {&orc_reference,
						    &orc_reference};
		int n;

		if (o.wrong)
			api[side] = o.wrong;
		n = run_one(api, flying, o.seed + i);
		if (n < 0)
			misuse("out of memory");
		failed += n > 0;
	}
	printf("%" PRIu64 " runs, %" PRIu64 " with findings\n", i, failed);
	free(flying);
	return (failed > 0) != o.must_find;
}
