/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/world.c -- one run: post, send, lose, deliver, judge, until all is
 * quiet.
 */
#include "tests/soak/world.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "wire/packet.h"
#include "wire/uet_pds.h"

/* An endpoint that does so much while no time passes is caught in a loop. */
#define STEPS_MAX 100000

/* Everything is over long before. */
#define RUN_MAX    (600 * VSPAN_S)
#define FRAMES_MAX 200000 /* of one run; a lawful one has some thousand */

#define JUDGE_FLOWS    32
#define FINDINGS_SHOWN 16

static void *must(void *p)
{
	if (p)
		return p;
	fprintf(stderr, "soak: no memory\n");
	exit(2);
}

/* Without the trailer that a configuration may ask for. */
static size_t plain_len(const struct world *w, const struct dgram *d)
{
	return w->plan.conf[A].crc && d->len >= CRC_LEN ? d->len - CRC_LEN
							: d->len;
}

/* ---- Trace: packets in case syntax, all else as comments ---- */

static void trace_packet(struct world *w, unsigned from, const struct dgram *d,
			 const char *what)
{
	struct packet pkt;

	if (!w->trace)
		return;
	packet_parse(&pkt, d->data, plain_len(w, d));
	text_clear(&w->line);
	packet_print(&w->line, &pkt, PACKET_FULL, NULL);
	fprintf(w->trace, "%c  %s  # %.3f us%s\n", from == A ? '>' : '<',
		text_cstr(&w->line), (double)w->now / 1e3, what);
}

__attribute__((format(printf, 2, 3))) static void note(struct world *w,
						       const char *fmt, ...)
{
	va_list ap;

	if (!w->trace)
		return;
	fprintf(w->trace, "#  %.3f us  ", (double)w->now / 1e3);
	va_start(ap, fmt);
	vfprintf(w->trace, fmt, ap);
	va_end(ap);
	fputc('\n', w->trace);
}

/* ---- The judges ---- */

/*
 * A judge is sure of the side at whose link it stands (judge/judge.h).  In a
 * frail run it cannot know which PDCs have failed: they go without a word.
 */
static void take_finding(struct world *w, unsigned side,
			 const struct finding *f)
{
	const char *id = req_get(f->req)->id;
	const char *role = f->role == REQ_SRC ? "src" : "dst";
	char text[400];

	if (w->plan.frail || !ip_addr_equal(&f->side, &w->plan.conf[side].addr))
		return;
	snprintf(text, sizeof(text), "%c: %s/%s, frame %u: %s (%s, not %s)",
		 "AB"[side], id, role, f -> frame, f -> text, f -> expected,
		 f -> actual);
	ledger_wrong(&w->ledger, "%s", text);
	note(w, "!! %s", text);
}

static void take_findings(struct world *w, unsigned side,
			  const struct finding *f, size_t n)
{
	for (size_t i = 0; i < n && i < FINDINGS_SHOWN; i++)
		take_finding(w, side, &f[i]);
}

static void judge_look(struct world *w, unsigned side, const struct dgram *d)
{
	struct finding found[FINDINGS_SHOWN];
	struct packet pkt;
	const struct judge_packet p = {
		.pkt = &pkt, .d = d, .at = w->now, .frame = w->frame};
	size_t n;

	packet_parse(&pkt, d->data, d->len);
	n = judge_push(w->judge[side], &p, found, FINDINGS_SHOWN);
	take_findings(w, side, found, n);
}

static void judge_last(struct world *w, unsigned side)
{
	struct finding found[FINDINGS_SHOWN];
	const size_t n = judge_end(w->judge[side], w->now + VSPAN_S, found,
				   FINDINGS_SHOWN);

	take_findings(w, side, found, n);
}

static struct judge *judge_for(struct world *w, const struct judge_conf *conf)
{
	struct bench_judge *b;

	for (size_t i = 0; i < w->njudges; i++)
		if (!memcmp(&w->judges[i].conf, conf, sizeof(*conf)))
			return w->judges[i].j;
	assert(w->njudges < WORLD_JUDGES);
	b = &w->judges[w->njudges++];
	b->conf = *conf;
	b->j = NULL;
	if (judge_new(&b->j, conf, JUDGE_FLOWS))
		must(NULL);
	return b->j;
}

/* ---- The link ---- */

static bool sooner(const struct flying *a, const struct flying *b)
{
	return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void heap_put(struct world *w, struct flying f)
{
	size_t i = w->nheap++;

	if (w->nheap > w->heap_cap) {
		w->heap_cap = w->heap_cap ? 2 * w->heap_cap : 256;
		w->heap =
			must(realloc(w->heap, w->heap_cap * sizeof(*w->heap)));
	}
	for (; i && sooner(&f, &w->heap[(i - 1) / 2]); i = (i - 1) / 2)
		w->heap[i] = w->heap[(i - 1) / 2];
	w->heap[i] = f;
}

static struct flying heap_take(struct world *w)
{
	const struct flying first = w->heap[0];
	const struct flying last = w->heap[--w->nheap];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < w->nheap) {
		if (child + 1 < w->nheap &&
		    sooner(&w->heap[child + 1], &w->heap[child]))
			child++;
		if (!sooner(&w->heap[child], &last))
			break;
		w->heap[i] = w->heap[child];
		i = child;
	}
	w->heap[i] = last;
	return first;
}

static uint32_t take_slot(struct world *w)
{
	if (w->nfree)
		return w->free_slots[--w->nfree];
	if (w->nslots % 256 == 0) {
		const size_t n = w->nslots + 256;

		w->slots = must(realloc(w->slots, n * sizeof(*w->slots)));
		w->free_slots = must(
			realloc(w->free_slots, n * sizeof(*w->free_slots)));
	}
	return (uint32_t)w->nslots++;
}

static void fly(struct world *w, unsigned to, const struct dgram *d, vspan span)
{
	const struct flying f = {w->now + span, w->order++, take_slot(w), to};

	dgram_copy(&w->slots[f.slot], d);
	heap_put(w, f);
}

/* One way through the link; a late packet is overtaken by others. */
static vspan journey(struct world *w)
{
	const struct plan_link *link = &w->plan.link;

	if (!plan_chance(&w->plan, link->late))
		return link->hop;
	w->tally.late++;
	return link->hop + rng_below(&w->plan.rng, (uint32_t)link->jitter);
}

static void transmit(struct world *w, unsigned from, struct dgram *d)
{
	const struct plan_link *link = &w->plan.link;

	w->tally.packets++;
	if (plan_chance(&w->plan, link->drop)) {
		w->tally.lost++;
		trace_packet(w, from, d, " lost");
		return;
	}
	trace_packet(w, from, d, "");
	if (d->ecn != ECN_NOT_ECT && plan_chance(&w->plan, link->ce)) {
		w->tally.marked++;
		d->ecn = ECN_CE;
	}
	fly(w, !from, d, journey(w));
	if (plan_chance(&w->plan, link->dup)) {
		w->tally.doubled++;
		fly(w, !from, d, journey(w));
	}
}

/* ---- The ends ---- */

/* The request in a datagram, if it is one. */
static bool is_loose(const struct dgram *d, struct arriving *ret)
{
	struct rudi_req h;

	if (d->len < rudi_req_len)
		return false;
	rudi_req_get(&h, d->data);
	*ret = (struct arriving){.uud = h.type == PDS_UUD_REQ,
				 .rudi = h.type == PDS_RUDI_REQ,
				 .psn = h.pkt_id};
	return ret->uud || ret->rudi;
}

static bool is_request(const struct dgram *d, struct arriving *ret)
{
	struct pds_req h;

	const enum pds_type type =
		d->len < pds_req_len ? PDS_CP : pds_type_of(d->data);

	if (type != PDS_RUD_REQ && type != PDS_ROD_REQ)
		return is_loose(d, ret);
	pds_req_get(&h, d->data);
	*ret = (struct arriving){.spdcid = h.spdcid,
				 .psn = h.psn,
				 .syn = h.syn,
				 .rod = type == PDS_ROD_REQ};
	return true;
}

/* A NACK for want of a resource that the packet's PDC has. */
static bool is_refusal(const struct dgram *d, struct pds_nack *ret)
{
	if (d->len < pds_nack_len || pds_type_of(d->data) != PDS_NACK)
		return false;
	pds_nack_get(ret, d->data);
	return ret->nack_code >= NACK_NO_PKT_BUFFER &&
	       ret->nack_code <= NACK_NO_RESOURCE;
}

static void note_sent(struct world *w, unsigned side, const struct dgram *d)
{
	struct arriving req;

	if (!is_request(d, &req))
		return;
	if (req.uud) {
		ledger_datagram(&w->ledger, side);
		return;
	}
	ledger_sent(&w->ledger, side, req.spdcid, req.psn);
	if (req.syn)
		w->syn_at[side] = w->now;
}

static void note_refused(struct world *w, unsigned side, const struct dgram *d)
{
	const vspan wait = w->plan.conf[side].nack_retx_time;
	struct pds_nack nack;

	if (!w->plan.frail && is_refusal(d, &nack))
		ledger_nack(&w->ledger, side, nack.dpdcid, nack.nack_psn,
			    w->now + wait);
}

static void drain_packets(struct world *w, unsigned side)
{
	while (w->api[side]->poll_tx(w->end[side], &w->out)) {
		const size_t len = w->out.len;

		if (++w->steps > STEPS_MAX)
			return;
		w->frame++;
		w->out.len = plain_len(w, &w->out);
		judge_look(w, side, &w->out);
		note_sent(w, side, &w->out);
		w->out.len = len;
		transmit(w, side, &w->out);
	}
}

static void post(struct world *w, const struct plan_op *o)
{
	const int err = w->api[o->side]->post(w->end[o->side], &o->op, w->now);

	note(w,
	     "%c posts operation %u: mode %d kind %d header %d len %u key "
	     "%" PRIu64 " offset %" PRIu64,
	     "AB"[o->side], o -> op.handle, (int)o->op.mode, (int)o->op.kind,
	     (int)o->op.header, o->op.len, o->op.key, o->op.offset);
	w->tally.operations++;
	if (err)
		ledger_wrong(&w->ledger, "post: %s", err_name(err));
}

static void drain_events(struct world *w, unsigned side,
			 const struct arriving *in)
{
	struct orc_event ev;

	while (w->api[side]->poll_event(w->end[side], &ev)) {
		struct plan_op *done;

		note(w,
		     "%c event %d: handle %u psn %u pdcid %u id %u rc %u%s%s",
		     "AB"[side], (int)ev.kind, ev.handle, ev.orig_psn,
		     ev.orig_pdcid, ev.message_id, ev.return_code,
		     ev.reason ? " " : "", ev.reason ? ev.reason : "");
		done = ledger_event(&w->ledger, side, &ev, in, w->api[side],
				    w->end[side]);
		if (!done || done->op.kind != OP_WRITE ||
		    done->op.header != OP_HEADER_SMALL)
			continue;
		done = plan_read_back(&w->plan, done);
		if (done)
			post(w, done);
	}
}

static void drain(struct world *w, unsigned side, const struct arriving *in)
{
	drain_events(w, side, in);
	drain_packets(w, side);
}

static void arrive(struct world *w)
{
	const struct flying f = heap_take(w);
	struct dgram *d = &w->slots[f.slot];
	const size_t len = d->len;
	struct arriving in;
	bool req;
	int err;

	w->frame++;
	d->len = plain_len(w, d);
	judge_look(w, f.to, d);
	req = is_request(d, &in);
	d->len = len;
	err = w->api[f.to]->feed(w->end[f.to], d, w->now);
	if (err)
		ledger_wrong(&w->ledger, "feed: %s", err_name(err));
	note_refused(w, f.to, d);
	w->free_slots[w->nfree++] = f.slot;
	drain(w, f.to, req ? &in : NULL);
}

/*
 * A target asks for a close, once no SYN of the PDC can be under way any more:
 * a late one would open it again.
 */
static void ask_close(struct world *w, unsigned side)
{
	const struct plan_link *link = &w->plan.link;
	const struct orc_op op = {
		.kind = OP_ASK_CLOSE,
		.peer = w->plan.conf[!side].addr,
		.close = (enum op_close)rng_below(&w->plan.rng, 3),
	};

	if (w->now <= w->syn_at[!side] + link->hop + link->jitter)
		return;
	w->api[side]->post(w->end[side], &op, w->now);
	note(w, "%c asks for a close, way %d", "AB"[side], (int)op.close);
	drain(w, side, NULL);
}

static void post_next(struct world *w)
{
	struct plan *p = &w->plan;
	const unsigned side = rng_below(&p->rng, SIDES);
	struct orc_op op = {.kind = OP_SES_POLICY};
	struct plan_op *o;

	if (plan_chance(p, p->policies)) {
		op.policy = plan_policy(p);
		w->api[side]->post(w->end[side], &op, w->now);
		ledger_policy(&w->ledger, side, op.policy);
		note(w,
		     "%c answers %u times: rc %u nack %u gtd %d delay %" PRId64,
		     "AB"[side], op.policy.count, op.policy.return_code,
		     op.policy.nack_code, (int)op.policy.gtd, op.policy.delay);
	}
	o = plan_next(p);
	post(w, o);
	p->nops--;
	if (plan_chance(p, p->asks))
		ask_close(w, side);
	w->post_at = VTIME_NEVER;
	if (p->nops)
		w->post_at = w->now + plan_gap(p);
	drain(w, o->side, NULL);
}

/* ---- A run ---- */

static void expose(struct world *w, unsigned side, uint64_t key, uint32_t len)
{
	const struct orc_op op = {.kind = OP_EXPOSE, .key = key, .len = len};

	w->api[side]->post(w->end[side], &op, w->now);
}

static void open_side(struct world *w, unsigned side)
{
	struct judge_conf conf;

	if (w->api[side]->make(&w->end[side], &w->plan.conf[side]))
		must(NULL);
	expose(w, side, PLAN_KEY_NONE, PLAN_MEM_NONE);
	expose(w, side, PLAN_KEY_WRITES, PLAN_MEM_WRITES);
	expose(w, side, PLAN_KEY_READS, PLAN_MEM_READS);
	expose(w, side, PLAN_KEY_COUNTS, PLAN_MEM_COUNTS);
	memcpy(&conf, &w->plan.judge, sizeof(conf)); /* with its padding */
	conf.here = w->plan.conf[side].addr;
	w->judge[side] = judge_for(w, &conf);
	judge_reset(w->judge[side]);
}

static void open_world(struct world *w, uint64_t seed)
{
	plan_make(&w->plan, seed, w->modes);
	ledger_open(&w->ledger, &w->plan);
	w->now = 0;
	w->post_at = 0;
	w->steps = 0;
	w->frame = 0;
	w->order = 0;
	memset(w->syn_at, 0, sizeof(w->syn_at));
	for (unsigned i = 0; i < SIDES; i++)
		open_side(w, i);
}

static vtime next_time(const struct world *w)
{
	vtime next = w->post_at;

	if (w->nheap)
		next = vtime_min(next, w->heap[0].at);
	for (unsigned i = 0; i < SIDES; i++)
		next = vtime_min(next, w->api[i]->deadline(w->end[i]));
	return next;
}

/* All that is due now, one thing after the other. */
static void step(struct world *w)
{
	w->steps++;
	if (w->nheap && w->heap[0].at <= w->now) {
		arrive(w);
		return;
	}
	for (unsigned i = 0; i < SIDES; i++)
		if (w->api[i]->deadline(w->end[i]) <= w->now) {
			w->api[i]->tick(w->end[i], w->now);
			drain(w, i, NULL);
			return;
		}
	if (w->post_at <= w->now)
		post_next(w);
}

static void live(struct world *w)
{
	for (;;) {
		const vtime next = next_time(w);

		if (next == VTIME_NEVER)
			return;
		if (next > RUN_MAX || w->frame > FRAMES_MAX) {
			ledger_wrong(&w->ledger, "there is no end to it");
			return;
		}
		if (next > w->now)
			w->steps = 0;
		w->now = vtime_max(w->now, next);
		ledger_time(&w->ledger, w->now);
		step(w);
		if (w->steps > STEPS_MAX) {
			ledger_wrong(&w->ledger, "an endpoint loops");
			return;
		}
	}
}

static void close_world(struct world *w)
{
	struct orc_stats stats;

	for (unsigned i = 0; i < SIDES; i++)
		judge_last(w, i);
	ledger_close(&w->ledger, w->api, w->end);
	for (unsigned i = 0; i < w->plan.n; i++) {
		w->tally.refused += w->plan.ops[i].error != 0;
		w->tally.given_up += w->plan.ops[i].failed;
	}
	for (unsigned i = 0; i < SIDES; i++) {
		w->api[i]->stats(w->end[i], &stats);
		w->tally.pdcs += stats.pdcs;
		w->tally.nacks += stats.tx_nack;
		w->tally.repeated += stats.tx_retx;
		w->api[i]->free(w->end[i]);
	}
	w->nheap = 0;
	w->nfree = 0;
	for (size_t i = w->nslots; i-- > 0;)
		w->free_slots[w->nfree++] = (uint32_t)i;
}

unsigned world_run(struct world *w, uint64_t seed)
{
	open_world(w, seed);
	live(w);
	close_world(w);
	w->tally.runs++;
	w->tally.failed += w->ledger.errors != 0;
	w->tally.findings += w->ledger.errors;
	if (w->ledger.errors)
		note(w, "%s", w->ledger.text);
	return w->ledger.errors;
}

void world_free(struct world *w)
{
	for (size_t i = 0; i < w->njudges; i++)
		judge_free(w->judges[i].j);
	free(w->heap);
	free(w->slots);
	free(w->free_slots);
	text_free(&w->line);
}
