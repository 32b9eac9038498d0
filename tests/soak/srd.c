/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/srd.c -- two SRD endpoints under random loss, duplication,
 * reordering, destroyed QPs and handles, restarts, empty and bad receive
 * queues, silence of the other side.
 *
 * Every message has a number, which travels as its immediate data.  In each
 * run:
 *
 * - I1: no incarnation of the responder gets a message twice.
 * - I2: Success means delivered, a drop error means not delivered; a WR has one
 *   completion at most.
 * - I3: once the link is lossless, every WR completes.
 * - A WR completes with a status that its destination, or its destruction,
 *   permits.
 * - Receives are used in the order in which they were posted.
 * - A remote error changes no QP.
 * - An outage is reported once, by its handle.
 *
 * A judge is at each side.  The seed chooses the requesting side.
 *
 * Spec: srd_wqe.md C.4, D
 */
#include <stdlib.h>
#include <string.h>

#include "tests/soak/srd_link.h"

#define UD_DEPTH 4
#define OUTAGE   (2 * VSPAN_S)

/* ---- Operations ---- */

static int soak_srd_post(struct world *w, unsigned side, struct orc_op op,
			 struct op_result *ret)
{
	int err;

	op.ret = ret;
	err = w->q.api[side]->post(w->q.end[side], &op, w->q.now);
	srd_drain(w, side);
	return err;
}

/* Posts an operation that must succeed. */
static struct op_result soak_srd_ask(struct world *w, unsigned side,
				     struct orc_op op)
{
	struct op_result got = {0};
	const int err = soak_srd_post(w, side, op, &got);

	if (err)
		qps_wrong(&w->q, "operation %d is refused: %d", (int)op.kind,
			  err);
	return got;
}

static void soak_srd_modify(struct world *w, unsigned side, uint32_t qpn,
			    enum qp_state state)
{
	soak_srd_ask(w, side,
		     (struct orc_op){
			     .kind = OP_MODIFY_QP,
			     .vb = {.qpn = qpn, .state = state, .qkey = QKEY}});
}

static void soak_srd_refused(struct world *w, unsigned side, struct orc_op op)
{
	if (!soak_srd_post(w, side, op, NULL))
		qps_wrong(&w->q, "operation %d is not refused", (int)op.kind);
}

/* Posts operations that are too early for a QP. */
static void soak_srd_too_early(struct world *w, unsigned side, uint32_t qpn)
{
	soak_srd_refused(w, side,
			 (struct orc_op){.kind = OP_MODIFY_QP,
					 .vb = {.qpn = qpn, .state = QP_RTS}});
	soak_srd_refused(
		w, side,
		(struct orc_op){.kind = OP_POST_SEND,
				.vb = {.qpn = qpn, .ah = w->ah, .dest_qp = 2}});
}

static uint32_t make_deep_qp(struct world *w, unsigned side, enum qp_type type,
			     uint32_t depth)
{
	const struct orc_op op = {.kind = OP_CREATE_QP,
				  .vb = {.type = type, .depth = depth}};
	const uint32_t qpn = soak_srd_ask(w, side, op).qpn;

	soak_srd_modify(w, side, qpn, QP_INIT);
	if (srd_chance(w, 100))
		soak_srd_too_early(w, side, qpn);
	soak_srd_modify(w, side, qpn, QP_RTR);
	return qpn;
}

static uint32_t soak_srd_make_qp(struct world *w, unsigned side)
{
	const uint32_t qpn = make_deep_qp(w, side, QP_SRD, 0);

	soak_srd_modify(w, side, qpn, QP_RTS);
	return qpn;
}

/* A queue holds as many WRs as requested, and no more. */
static void overfill(struct world *w)
{
	const uint32_t qpn = make_deep_qp(w, w->req, QP_SRD, 1);

	soak_srd_modify(w, w->req, qpn, QP_RTS);
	soak_srd_refused(
		w, w->req,
		(struct orc_op){.kind = OP_POST_SEND,
				.count = 2,
				.vb = {.qpn = qpn, .ah = w->ah, .dest_qp = 2}});
}

static void make_ah(struct world *w)
{
	w->ah = soak_srd_ask(w, w->req,
			     (struct orc_op){.kind = OP_CREATE_AH,
					     .peer = w->q.conf[w->rsp].addr})
			.ah;
}

static void refill(struct world *w, enum dest dest, uint32_t n)
{
	for (; n; n--)
		soak_srd_ask(w, w->rsp,
			     (struct orc_op){.kind = OP_POST_RECV,
					     .handle = w->posted_rq[dest]++,
					     .len = dest == TINY ? SHORT : MTU,
					     .vb = {.qpn = w->dest[dest],
						    .lkey = dest == BAD}});
}

static void make_dests(struct world *w)
{
	static const uint32_t buffers[DESTS] = {
		[GOOD] = 2 * MESSAGES, [DRY] = 2,      [TINY] = 40, [BAD] = 40,
		[UD] = UD_DEPTH,       [OTHER_KEY] = 4};

	for (unsigned i = 0; i < DESTS; i++)
		w->dest[i] = soak_srd_make_qp(w, w->rsp);
	/* RTR suffices to receive. */
	w->dest[TINY] = make_deep_qp(w, w->rsp, QP_SRD, 0);
	w->dest[UD] = make_deep_qp(w, w->rsp, QP_UD, UD_DEPTH);
	w->dest[ABSENT] = 0xfffff0;
	memset(w->posted_rq, 0, sizeof(w->posted_rq));
	memset(w->used_rq, 0, sizeof(w->used_rq));
	for (unsigned i = 0; i < DESTS; i++)
		refill(w, (enum dest)i, buffers[i]);
	soak_srd_refused(w, w->rsp,
			 (struct orc_op){.kind = OP_POST_RECV,
					 .len = MTU,
					 .vb.qpn = w->dest[UD]});
	soak_srd_refused(
		w, w->rsp,
		(struct orc_op){.kind = OP_CREATE_QP, .vb.type = QP_RC});
	soak_srd_modify(w, w->rsp, w->dest[BROKEN], QP_ERR);
}

/* Makes some WRs fail local checks. */
static void soak_srd_spoil(struct world *w, struct message *m,
			   struct orc_op *op)
{
	m->local = true;
	switch (rng_below(&w->rng, 4)) {
	case 0:
		op->vb.lkey = 1;
		m->status = STATUS_LOCAL_PROTECTION;
		break;
	case 1:
		op->len = MTU + 1;
		m->status = STATUS_LOCAL_LENGTH;
		break;
	case 2:
		op->vb.ah = 0xffff;
		m->status = STATUS_LOCAL_QP_OP;
		break;
	default:
		op->vb.opcode = WR_WRITE;
		m->status = STATUS_LOCAL_QP_OP;
		break;
	}
}

static void soak_srd_send(struct world *w)
{
	const uint32_t id = w->posted++;
	struct message *m = &w->m[id];
	struct orc_op op = {.kind = OP_POST_SEND, .handle = id};

	w->q.tally.messages++;
	m->posted = true;
	m->qp = rng_below(&w->rng, 2);
	m->src_qp = w->qp[m->qp];
	m->len = rng_below(&w->rng, MTU + 1);
	if (srd_chance(w, 700))
		m->dest = GOOD;
	else
		m->dest = (enum dest)rng_below(&w->rng, DESTS);
	op.len = m->len;
	op.vb = (struct verbs_op){
		.qpn = w->qp[m->qp],
		.ah = w->ah,
		.dest_qp = w->dest[m->dest],
		.qkey = m->dest == OTHER_KEY ? QKEY + 1 : QKEY,
		.imm = id,
		.with_imm = true,
	};
	if (srd_chance(w, 20))
		soak_srd_spoil(w, m, &op);
	soak_srd_ask(w, w->req, op);
}

/* Remote errors change no QP (SRD-39). */
static void query(struct world *w)
{
	const uint32_t qpn = w->qp[rng_below(&w->rng, 2)];
	const struct orc_op op = {.kind = OP_QUERY_QP, .vb.qpn = qpn};
	const enum qp_state state = soak_srd_ask(w, w->req, op).state;

	if (state != QP_RTS)
		qps_wrong(&w->q, "QP %u is in state %d", qpn, (int)state);
}

static void destroy_qp(struct world *w)
{
	const unsigned which = rng_below(&w->rng, 2);
	const struct orc_op op = {.kind = OP_DESTROY_QP,
				  .vb.qpn = w->qp[which]};

	w->q.tally.destroyed++;
	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].cancelled |= w->m[i].qp == which && !w->m[i].done;
	w->qp[which] = 0;
	soak_srd_ask(w, w->req, op);
	w->qp[which] = soak_srd_make_qp(w, w->req);
}

/* The error state completes each WR at once; then the QP can be reused. */
static void break_qp(struct world *w)
{
	const unsigned which = rng_below(&w->rng, 2);
	const uint32_t qpn = w->qp[which];

	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].flushable |= w->m[i].qp == which;
	soak_srd_modify(w, w->req, qpn, QP_ERR);
	for (uint32_t i = 0; i < w->posted; i++) {
		const struct message *m = &w->m[i];

		if (m->qp == which && !m->done && !m->cancelled)
			qps_wrong(&w->q, "message %u outlives its QP's error",
				  i);
		w->m[i].flushable = false;
	}
	soak_srd_modify(w, w->req, qpn, QP_RESET);
	soak_srd_modify(w, w->req, qpn, QP_INIT);
	soak_srd_modify(w, w->req, qpn, QP_RTR);
	soak_srd_modify(w, w->req, qpn, QP_RTS);
}

static void destroy_ah(struct world *w)
{
	const struct orc_op op = {.kind = OP_DESTROY_AH, .vb.ah = w->ah};

	w->q.tally.destroyed++;
	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].flushable = true;
	soak_srd_ask(w, w->req, op);
	for (uint32_t i = 0; i < w->posted; i++)
		if (!w->m[i].done && !w->m[i].cancelled)
			qps_wrong(&w->q, "message %u outlives its handle", i);
	make_ah(w);
}

static void soak_srd_restart(struct world *w)
{
	w->q.tally.restarts++;
	w->restarts = true;
	w->q.api[w->rsp]->reset(w->q.end[w->rsp], rng_next(&w->rng));
	judge_mark_incomplete(w->q.judge[w->rsp]);
	judge_mark_incomplete(w->q.judge[w->req]);
	for (uint32_t i = 0; i < w->posted; i++) {
		w->m[i].delivered = false;
		w->m[i].outlived = true;
	}
	make_dests(w);
}

/* ---- Time ---- */

static void soak_srd_arrive(struct qps *q, const struct qps_flight *f)
{
	struct world *w = (struct world *)q;

	if (!f->unjudged)
		srd_look(w, f->to, f->d);
	if (w->q.api[f->to]->feed(w->q.end[f->to], f->d, w->q.now))
		qps_wrong(&w->q, "a packet is refused");
	srd_drain(w, f->to);
}

static void drain_side(struct qps *q, unsigned side)
{
	srd_drain((struct world *)q, side);
}

static void soak_srd_run_for(struct world *w, vspan span)
{
	const vtime until = w->q.now + span;

	while (qps_step(&w->q, until, soak_srd_arrive, drain_side))
		if (++w->steps > STEPS)
			qps_wrong(&w->q, "it does not come to an end");
	w->q.now = until;
}

static bool all_done(const struct world *w)
{
	for (uint32_t i = 0; i < w->posted; i++)
		if (!w->m[i].done && !w->m[i].cancelled)
			return false;
	return true;
}

static void soak_srd_settle(struct world *w)
{
	for (unsigned i = 0; i < 200 && !w->q.findings && !all_done(w); i++)
		soak_srd_run_for(w, 100 * VSPAN_MS);
}

/* ---- A run ---- */

static void soak_srd_configure(struct world *w, uint64_t seed)
{
	static const uint32_t windows[] = {64, 128, 8192};

	for (unsigned e = 0; e < 2; e++) {
		struct orc_conf *c = &w->q.conf[e];

		orc_conf_default(c);
		c->family = FAMILY_SRD;
		c->addr = ip_addr_v4(0x0a000001u + e);
		c->seed = seed * 2 + e;
		c->mtu = MTU;
		c->crc = seed & 2;
		c->rto_init = 10 * VSPAN_MS;
		c->rto_max = 160 * VSPAN_MS;
		c->srd_window = windows[rng_below(&w->rng, 3)];
		c->start_psn_fixed = seed % 3 == 0;
		c->start_psn = 0xffff80;
	}
}

static void soak_srd_open_world(struct world *w, uint64_t seed)
{
	w->req = seed & 1;
	w->rsp = !w->req;
	w->rng.state = seed;
	w->loss = rng_below(&w->rng, 500);
	w->dup = rng_below(&w->rng, 300);
	w->spread = 1 + rng_below(&w->rng, 20000);
	soak_srd_configure(w, seed);
	if (!qps_open(&w->q))
		return;
	w->qp[0] = soak_srd_make_qp(w, w->req);
	w->qp[1] = soak_srd_make_qp(w, w->req);
	make_ah(w);
	overfill(w);
	make_dests(w);
}

static void disturb(struct world *w, bool restarts)
{
	if (srd_chance(w, 20))
		destroy_qp(w);
	if (srd_chance(w, 20))
		break_qp(w);
	if (srd_chance(w, 8))
		destroy_ah(w);
	if (srd_chance(w, 50))
		refill(w, DRY, 1 + rng_below(&w->rng, 3));
	if (srd_chance(w, 100))
		query(w);
	if (restarts && srd_chance(w, 5))
		soak_srd_restart(w);
}

/* Silences the other side for longer than T_unresp, and resumes. */
static void outage(struct world *w)
{
	if (w->q.findings || w->posted == MESSAGES)
		return;
	w->q.tally.outages++;
	w->outages = 0;
	w->cut = true;
	soak_srd_send(w);
	if (w->m[w->posted - 1].local)
		return;
	soak_srd_run_for(w, OUTAGE);
	if (!w->q.findings && w->outages != 1)
		qps_wrong(&w->q, "%u events for one outage", w->outages);
	w->cut = false;
	soak_srd_settle(w);
}

/* A context that has been silent for T_gc is forgotten (SRD-12). */
static void soak_srd_collect(struct world *w)
{
	struct orc_stats stats;

	destroy_ah(w);
	soak_srd_run_for(w, w->q.conf[w->rsp].srd_gc + VSPAN_S);
	soak_srd_send(w);
	soak_srd_settle(w);
	w->q.api[w->rsp]->stats(w->q.end[w->rsp], &stats);
	if (!w->m[w->posted - 1].local && stats.contexts > 1)
		qps_wrong(&w->q, "%u contexts are kept",
			  (unsigned)stats.contexts);
}

static void judge_all(struct world *w)
{
	for (uint32_t i = 0; i < w->posted; i++) {
		const struct message *m = &w->m[i];

		if (!m->done && !m->cancelled)
			qps_wrong(&w->q, "message %u never ends", i);
		/* A SYN that is late may reach the context after a restart. */
		if (m->done && srd_is_drop(m->status) && m->ever &&
		    !m->outlived)
			qps_wrong(&w->q, "message %u: %d, but delivered", i,
				  (int)m->status);
	}
}

static void soak_srd_talk(struct world *w, bool restarts)
{
	while (w->posted < MESSAGES - 2 && !w->q.findings) {
		for (uint32_t n = rng_below(&w->rng, 12);
		     n && w->posted < MESSAGES - 2; n--)
			soak_srd_send(w);
		disturb(w, restarts);
		soak_srd_run_for(w, VSPAN_US * rng_below(&w->rng, 4000));
	}
	w->loss = w->dup = 0;
	soak_srd_settle(w);
	outage(w);
	w->cut = false;
	if (!w->q.findings)
		soak_srd_collect(w);
}

/* Clears the run before; only what all worlds share stays. */
static void soak_srd_run(struct qps *q, uint64_t seed)
{
	struct world *w = (struct world *)q;

	memset((char *)w + sizeof(*q), 0, sizeof(*w) - sizeof(*q));
	soak_srd_open_world(w, seed);
	if (!w->q.findings)
		soak_srd_talk(w, seed % 4 < 2);
	if (!w->q.findings)
		judge_all(w);
}

static struct qps *soak_srd_make(void)
{
	struct world *w = calloc(1, sizeof(*w));

	if (w)
		return &w->q;
	return NULL;
}

const struct qps_kind srd_kind = {soak_srd_make, soak_srd_run};
