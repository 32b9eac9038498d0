/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/world.c -- runs one world: post, send, lose, deliver, judge, until
 * it is idle.
 */
#include "tests/soak/world.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "tests/soak/ledger_close.h"
#include "tests/soak/world_link.h"
#include "tests/soak/world_watch.h"
#include "wire/packet.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

/* An endpoint with more steps than this at one time is in a loop. */
#define STEPS_MAX 100000

/* Longer than any run. */
#define RUN_MAX (600 * VSPAN_S)
/* frames of one run; a correct one has some thousand */
#define FRAMES_MAX 200000

/* ---- The ends ---- */

static bool soak_world_is_nack(const struct dgram *d)
{
	return pds_is_nack(pds_type_of(d->data));
}

/* Parses the PDC-less request in a datagram, if it is one. */
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

static bool soak_world_is_request(const struct dgram *d, struct arriving *ret)
{
	struct pds_req h;

	const enum pds_type type =
		d->len < pds_req_len ? PDS_CP : pds_type_of(d->data);

	if (!world_is_rud(type) && !world_is_rod(type))
		return is_loose(d, ret);
	pds_req_get(&h, d->data);
	*ret = (struct arriving){.spdcid = h.spdcid,
				 .psn = h.psn,
				 .syn = h.syn,
				 .rod = world_is_rod(type)};
	return true;
}

/* Returns true for a NACK for lack of a resource of the packet's PDC. */
static bool soak_world_is_refusal(const struct world *w, const struct dgram *d,
				  struct pds_nack *ret)
{
	if (d->len < pds_nack_len || !soak_world_is_nack(d) ||
	    world_trimmed(w, d))
		return false;
	pds_nack_get(ret, d->data);
	return ret->nack_code >= NACK_NO_PKT_BUFFER &&
	       ret->nack_code <= NACK_NO_RESOURCE;
}

/*
 * Returns true for an ACK that requests a clear although its response is a
 * success.
 */
static bool asks_clear(const struct dgram *d, uint16_t *ret_pdcid,
		       uint32_t *ret_psn)
{
	static const size_t lens[] = {
		[PDS_ACK] = pds_ack_len,
		[PDS_ACK_CC] = pds_ack_len + pds_ack_cc_len + pds_nscc_len,
		[PDS_ACK_CCX] = pds_ack_len + pds_ack_ccx_len,
	};
	const unsigned type = pds_type_of(d->data);
	struct ses_response rsp;
	struct pds_ack ack;
	uint32_t offset;

	if (type < PDS_ACK || type > PDS_ACK_CCX ||
	    d->len < lens[type] + ses_response_len)
		return false;
	pds_ack_get(&ack, d->data);
	ses_response_get(&rsp, d->data + lens[type]);
	offset = (uint32_t)ack.ack_psn_offset;
	*ret_pdcid = ack.dpdcid;
	*ret_psn = ack.cack_psn + offset;
	return ack.req == PDS_REQ_CLEAR && !ack.p &&
	       ack.next_hdr == PDS_NEXT_RESPONSE && rsp.return_code <= RC_OK;
}

/* Only requests and control packets may be refused. */
static bool is_noise(const struct dgram *d)
{
	switch (pds_type_of(d->data)) {
	case PDS_RUDI_REQ:
		return false;
	case PDS_RUD_REQ:
	case PDS_ROD_REQ:
	case PDS_RUD_CC_REQ:
	case PDS_ROD_CC_REQ:
	case PDS_CP:
		return d->len < pds_req_len;
	default:
		return true;
	}
}

/* The plan has none: data opens a PDC. */
static bool is_noop(const struct dgram *d)
{
	struct pds_cp h;

	if (d->len < pds_cp_len || pds_type_of(d->data) != PDS_CP)
		return false;
	pds_cp_get(&h, d->data);
	return h.ctl_type == PDS_CP_NOOP;
}

static void soak_world_note_sent(struct world *w, unsigned side,
				 const struct dgram *d)
{
	struct arriving req;
	uint16_t pdcid;
	uint32_t psn;

	if (w->heard_noise && soak_world_is_nack(d))
		ledger_wrong(&w->ledger, "what asks for nothing was refused");
	if (is_noop(d))
		ledger_wrong(&w->ledger, "a NOOP that nobody asked for");
	if (asks_clear(d, &pdcid, &psn))
		ledger_asks_clear(&w->ledger, !side, pdcid, psn);
	if (!soak_world_is_request(d, &req))
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
	const struct orc_conf *conf = &w->plan.conf[side];
	struct pds_nack nack;

	if (w->plan.frail || w->plan.link.narrow || conf->cwnd ||
	    conf->cc == ORC_CC_CREDIT)
		return; /* it may be abandoned, or wait for the window */
	if (soak_world_is_refusal(w, d, &nack))
		ledger_nack(&w->ledger, side, nack.dpdcid, nack.nack_psn,
			    w->now + conf->nack_retx_time);
}

static void drain_packets(struct world *w, unsigned side)
{
	while (w->api[side]->poll_tx(w->end[side], &w->out)) {
		const size_t len = w->out.len;

		if (++w->steps > STEPS_MAX)
			return;
		w->frame++;
		w->out.len = world_plain_len(w, &w->out);
		world_look(w, side, &w->out);
		soak_world_note_sent(w, side, &w->out);
		w->out.len = len;
		world_transmit(w, side, &w->out);
	}
}

static void soak_world_post(struct world *w, const struct plan_op *o)
{
	const int err = w->api[o->side]->post(w->end[o->side], &o->op, w->now);

	world_note(
		w,
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

		world_note(w,
			   "%c event %d: handle %u psn %u pdcid %u id %u rc "
			   "%u%s%s",
			   "AB"[side], (int)ev.kind, ev.handle, ev.orig_psn,
			   ev.orig_pdcid, ev.message_id, ev.return_code,
			   ev.reason ? " " : "", text_or(ev.reason, ""));
		done = ledger_event(&w->ledger, side, &ev, in, w->api[side],
				    w->end[side]);
		if (!done || done->op.kind != OP_WRITE ||
		    done->op.header != OP_HEADER_SMALL)
			continue;
		done = plan_read_back(&w->plan, done);
		if (done)
			soak_world_post(w, done);
	}
}

static void soak_world_drain(struct world *w, unsigned side,
			     const struct arriving *in)
{
	drain_events(w, side, in);
	drain_packets(w, side);
}

static void soak_world_arrive(struct world *w)
{
	const struct flying f = world_take(w);
	struct dgram *d = &w->slots[f.slot];
	const size_t len = d->len;
	struct arriving in;
	bool req;
	int err;

	w->frame++;
	tap_arrives(w->tap, f.to, w->now, d, f.mark);
	d->len = world_plain_len(w, d);
	world_look(w, f.to, d);
	req = soak_world_is_request(d, &in);
	d->len = len;
	err = w->api[f.to]->feed(w->end[f.to], d, w->now);
	if (err)
		ledger_wrong(&w->ledger, "feed: %s", err_name(err));
	note_refused(w, f.to, d);
	w->heard_noise = is_noise(d);
	w->free_slots[w->nfree++] = f.slot;
	soak_world_drain(w, f.to, req ? &in : NULL);
	w->heard_noise = false;
}

/* Has a target request a close. */
static void soak_world_ask_close(struct world *w, unsigned side)
{
	const struct orc_op op = {
		.kind = OP_ASK_CLOSE,
		.peer = w->plan.conf[!side].addr,
		.close = (enum op_close)rng_below(&w->plan.rng, 3),
	};

	if (!world_syn_is_gone(w, !side))
		return;
	w->api[side]->post(w->end[side], &op, w->now);
	if (op.close != OP_CLOSE_ACK) /* there may be no further ACK */
		ledger_ask_close(&w->ledger, side);
	world_note(w, "%c asks for a close, way %d", "AB"[side], (int)op.close);
	soak_world_drain(w, side, NULL);
}

/* Has the target of |o| receive it, at its end of the link. */
static void post_matching_receive(struct world *w, const struct plan_op *o)
{
	struct orc_op op;

	if (!plan_receive(&w->plan, o, &op))
		return;
	if (w->api[!o->side]->post(w->end[!o->side], &op, w->now))
		ledger_wrong(&w->ledger, "a receive is refused");
	world_note(w, "%c posts a receive of tag %" PRIu64 ", %u bytes",
		   "AB"[!o->side], op.key, op.len);
	soak_world_drain(w, !o->side, NULL);
}

/* Posts a send, its receive before it, and that of the last late one. */
static void post_matched(struct world *w, const struct plan_op *o)
{
	if (w->late)
		post_matching_receive(w, w->late);
	w->late = NULL;
	if (o->late)
		w->late = o;
	else
		post_matching_receive(w, o);
	soak_world_post(w, o);
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
		world_note(w,
			   "%c answers %u times: rc %u nack %u gtd %d delay "
			   "%" PRId64,
			   "AB"[side], op.policy.count, op.policy.return_code,
			   op.policy.nack_code, (int)op.policy.gtd,
			   op.policy.delay);
	}
	o = plan_next(p);
	post_matched(w, o);
	p->nops--;
	if (plan_chance(p, p->asks))
		soak_world_ask_close(w, side);
	w->post_at = VTIME_NEVER;
	if (p->nops)
		w->post_at = w->now + plan_gap(p);
	soak_world_drain(w, o->side, NULL);
}

/* ---- A run ---- */

static void soak_world_expose(struct world *w, unsigned side, uint64_t key,
			      uint32_t len)
{
	const struct orc_op op = {.kind = OP_EXPOSE, .key = key, .len = len};

	w->api[side]->post(w->end[side], &op, w->now);
}

static void open_side(struct world *w, unsigned side)
{
	if (w->api[side]->make(&w->end[side], &w->plan.conf[side]))
		world_must(NULL);
	soak_world_expose(w, side, PLAN_KEY_NONE, PLAN_MEM_NONE);
	soak_world_expose(w, side, PLAN_KEY_WRITES, PLAN_MEM_WRITES);
	soak_world_expose(w, side, PLAN_KEY_READS, PLAN_MEM_READS);
	soak_world_expose(w, side, PLAN_KEY_COUNTS, PLAN_MEM_COUNTS);
	world_open(w, side);
	w->kept[side].used = false;
	w->last[side].used = false;
}

static void soak_world_open_world(struct world *w, uint64_t seed)
{
	plan_make(&w->plan, seed, w->modes);
	/* A variant may use a PDCID again, and then needs another Start_PSN. */
	for (unsigned i = 0; i < SIDES && w->ledger.variants; i++)
		w->plan.conf[i].start_psn_fixed = false;
	if (w->honest) {
		w->plan.link.tricks = 0;
		w->plan.link.narrow = false;
	}
	ledger_open(&w->ledger, &w->plan);
	w->now = 0;
	w->post_at = 0;
	w->steps = 0;
	w->frame = 0;
	w->order = 0;
	w->asked = false;
	w->late = NULL;
	memset(w->syn_at, 0, sizeof(w->syn_at));
	for (unsigned i = 0; i < SIDES; i++)
		open_side(w, i);
	world_capture(w, seed);
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

/* Executes everything that is due now. */
static void soak_world_step(struct world *w)
{
	w->steps++;
	if (w->nheap && w->heap[0].at <= w->now) {
		soak_world_arrive(w);
		return;
	}
	for (unsigned i = 0; i < SIDES; i++)
		if (w->api[i]->deadline(w->end[i]) <= w->now) {
			w->api[i]->tick(w->end[i], w->now);
			soak_world_drain(w, i, NULL);
			return;
		}
	if (w->post_at <= w->now)
		post_next(w);
}

/* At the end only a request makes a source clear its PSNs. */
static void ask_clears(struct world *w)
{
	for (unsigned i = 0; i < SIDES; i++) {
		if (!w->last[i].used)
			continue;
		forge_make(&w->plan, TRICK_ASK_CLEAR, &w->last[i].d);
		tap_draw(w->tap);
		world_forge(w, !i, &w->last[i].d, &w->last[i].d,
			    w->plan.link.hop);
		*w->mark = 0;
	}
	w->asked = true;
}

static void live(struct world *w)
{
	for (;;) {
		vtime next = next_time(w);

		if (next == VTIME_NEVER && !w->asked)
			ask_clears(w);
		next = next_time(w);
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
		soak_world_step(w);
		if (w->steps > STEPS_MAX) {
			ledger_wrong(&w->ledger, "an endpoint loops");
			return;
		}
	}
}

static void soak_world_close_world(struct world *w)
{
	struct orc_stats stats;

	for (unsigned i = 0; i < SIDES; i++)
		world_end(w, i);
	tap_close(w->tap);
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
	soak_world_open_world(w, seed);
	live(w);
	soak_world_close_world(w);
	w->tally.runs++;
	w->tally.failed += w->ledger.errors != 0;
	w->tally.findings += w->ledger.errors;
	if (w->ledger.errors)
		world_note(w, "%s", w->ledger.text);
	return w->ledger.errors;
}

void world_free(struct world *w)
{
	for (unsigned i = 0; i < SIDES; i++)
		judge_free(w->judge[i]);
	free(w->heap);
	free(w->slots);
	free(w->free_slots);
	text_free(&w->line);
	tap_free(w->tap);
}
