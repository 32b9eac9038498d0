/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/srd.c -- two SRD endpoints under random loss, duplication,
 * reordering, destroyed QPs and handles, restarts, empty and bad receive
 * queues, silence of the other side.
 *
 * Every message has a number, which travels as its immediate data.  In each
 * run:
 *
 *	I1  no incarnation of the responder gets a message twice
 *	I2  Success means delivered, a drop error means not delivered; a WR has
 *	    one completion at most
 *	I3  once the link loses nothing any more, every WR ends
 *
 * and a WR ends as its destination, and what was destroyed, let it; receives
 * are used in the order in which they were posted; a remote error changes no
 * QP; an outage is told once, by its handle.  A judge stands at each side.
 *
 * Which of the two sides requests follows from the seed.
 *
 * Spec: srd_wqe.md C.4, D
 */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "tests/soak/qps.h"
#include "wire/ib.h"
#include "wire/icrc.h"

#define MESSAGES 300
#define QKEY     0x1234
#define MTU      256
#define UD_DEPTH 4
#define SHORT    8      /* bytes of a buffer that is too short for most */
#define STEPS    200000 /* of a run: who takes more does not come to an end */
#define OUTAGE   (2 * VSPAN_S)

/* Bytes before the payload of a message. */
#define PAYLOAD (bth_len + seth_len + deth_len + imm_eth_len)

/* QPs of the responder, by what they are good for. */
enum dest { GOOD, DRY, ABSENT, TINY, BAD, UD, BROKEN, OTHER_KEY, DESTS };

struct message {
	bool posted, done, cancelled;
	bool ever;      /* delivered, in whatever incarnation */
	bool delivered; /* in this one */
	bool local;     /* it was not to leave the node */
	enum orc_status status;
	unsigned qp;
	enum dest dest;
	bool flushable; /* its handle is being destroyed */
	uint32_t len, src_qp;
};

struct world {
	struct qps q;
	struct rng rng;
	unsigned req, rsp;  /* which side is which */
	uint32_t loss, dup; /* of 1000 */
	uint32_t spread;    /* us of delay */
	uint32_t steps;
	uint32_t scid, scid_ah; /* the requester's newest, and whose it was */
	uint32_t qp[2], ah, dest[DESTS];
	uint32_t posted_rq[DESTS], used_rq[DESTS]; /* receives, in order */
	struct message m[MESSAGES];
	uint32_t posted, outages;
	bool restarts, cut;
};

static bool chance(struct world *w, uint32_t of1000)
{
	return rng_below(&w->rng, 1000) < of1000;
}

/* ---- The packets ---- */

/*
 * Nothing leaves for a QP that is no more (SRD-14), and a handle keeps its
 * context (SRD-38), unless the other side has lost it.
 */
static void look_at_request(struct world *w, const struct packet *pkt)
{
	uint64_t src_qp, scid;

	if (packet_value(pkt, "src_qp", &src_qp) && src_qp != w->qp[0] &&
	    src_qp != w->qp[1])
		qps_wrong(&w->q, "a packet leaves for QP %u, which is no more",
			  (unsigned)src_qp);
	if (!packet_value(pkt, "scid", &scid) || pkt->p[0] >= IB_SRD_ACK)
		return;
	if (scid != w->scid && w->ah == w->scid_ah && !w->restarts)
		qps_wrong(&w->q, "handle %u has another context", w->ah);
	w->scid = (uint32_t)scid;
	w->scid_ah = w->ah;
}

static void look(struct world *w, unsigned side, const struct dgram *d)
{
	struct packet pkt;

	family_parse(FAMILY_SRD, &pkt, d->data,
		     d->len - (w->q.conf[0].crc ? ICRC_LEN : 0));
	if (side == w->req && ip_addr_equal(&d->src, &w->q.conf[side].addr))
		look_at_request(w, &pkt);
	qps_look(&w->q, side, d, &pkt, NULL);
}

/* ---- The link ---- */

static void fly(struct world *w, unsigned to, const struct dgram *d)
{
	struct qps_flight *f = NULL;

	if (!w->cut && !chance(w, w->loss))
		f = qps_fly(&w->q, to, d,
			    VSPAN_US * (1 + rng_below(&w->rng, w->spread)));
	if (!f) {
		w->q.tally.lost++;
		return;
	}
	f->unjudged = w->q.conf[0].crc && chance(w, 10);
	if (f->unjudged) /* the payload, or what an answer says */
		f->d->data[d->len > PAYLOAD + ICRC_LEN ? PAYLOAD : bth_len] ^=
			1;
	qps_flies(&w->q, f);
}

/* ---- What is told ---- */

static void check_bytes(struct world *w, uint32_t id, uint32_t len)
{
	const uint8_t *p = NULL;
	size_t n = 0;

	if (w->q.api[w->rsp]->memory(w->q.end[w->rsp], 0, &p, &n) || n != len) {
		qps_wrong(&w->q, "message %u has %zu bytes, not %u", id, n,
			  len);
		return;
	}
	for (uint32_t i = 0; i < len; i++)
		if (p[i] != ses_pattern((uint16_t)id, i)) {
			qps_wrong(&w->q, "message %u: byte %u is another", id,
				  i);
			return;
		}
}

/* A receive queue is used from its front, whatever becomes of the message. */
static void check_receive(struct world *w, const struct orc_event *ev)
{
	for (unsigned i = 0; i < DESTS; i++)
		if (w->dest[i] == ev->qpn && ev->handle != w->used_rq[i]++)
			qps_wrong(&w->q, "receive %u of QP %u is used, not %u",
				  ev->handle, ev->qpn, w->used_rq[i] - 1);
}

static void received(struct world *w, const struct orc_event *ev)
{
	struct message *m = &w->m[ev->imm % MESSAGES];

	check_receive(w, ev);
	if (ev->status != STATUS_OK)
		return;
	if (!ev->with_imm || ev->imm >= MESSAGES || !m->posted) {
		qps_wrong(&w->q, "message %u was not sent", ev->imm);
		return;
	}
	if (ev->len != m->len || ev->qpn != w->dest[m->dest])
		qps_wrong(&w->q, "message %u: %u bytes to QP %u", ev->imm,
			  ev->len, ev->qpn);
	if (m->local || m->delivered)
		qps_wrong(&w->q, "message %u is delivered %s", ev->imm,
			  m->local ? "in spite of a local error" : "twice");
	if (ev->src_qp != m->src_qp)
		qps_wrong(&w->q, "message %u comes from QP %u", ev->imm,
			  ev->src_qp);
	m->delivered = m->ever = true;
	check_bytes(w, ev->imm, m->len);
}

static bool is_drop(enum orc_status s)
{
	return s >= STATUS_REMOTE_INVALID && s <= STATUS_RNR;
}

/* What a WR may come to, by where it went. */
static bool may_end(const struct world *w, const struct message *m,
		    enum orc_status status)
{
	if (status == STATUS_FLUSHED)
		return m->flushable;
	if (status == STATUS_REMOTE_ABORT)
		return w->restarts;
	switch (m->dest) {
	case ABSENT:
	case BROKEN:
	case OTHER_KEY:
		return status == STATUS_BAD_DEST_QP;
	case UD:
		return status == STATUS_REMOTE_INVALID;
	case BAD:
		return status == STATUS_REMOTE_OP || status == STATUS_RNR;
	case TINY:
		return status == (m->len > SHORT ? STATUS_REMOTE_INVALID
						 : STATUS_OK) ||
		       status == STATUS_RNR;
	case DRY:
		return status == STATUS_OK || status == STATUS_RNR;
	default:
		return status == STATUS_OK;
	}
}

static void completed(struct world *w, const struct orc_event *ev)
{
	struct message *m = &w->m[ev->handle % MESSAGES];

	if (ev->handle >= MESSAGES || !m->posted || m->done || m->cancelled) {
		qps_wrong(&w->q, "message %u completes again, or unasked",
			  ev->handle);
		return;
	}
	if (m->local ? ev->status != m->status : !may_end(w, m, ev->status))
		qps_wrong(&w->q, "message %u ends in %d", ev->handle,
			  (int)ev->status);
	m->done = true;
	m->status = ev->status;
	w->q.tally.dropped += is_drop(ev->status);
	if (ev->status == STATUS_OK && !m->ever)
		qps_wrong(&w->q, "message %u: Success, not delivered",
			  ev->handle);
}

static void told(struct world *w, const struct orc_event *ev)
{
	switch (ev->kind) {
	case EV_RECV:
		received(w, ev);
		break;
	case EV_COMPLETION:
		completed(w, ev);
		break;
	case EV_UNRESPONSIVE:
		w->outages++;
		if (ev->ah != w->ah)
			qps_wrong(&w->q, "handle %u is unresponsive, not %u",
				  ev->ah, w->ah);
		break;
	default:
		break;
	}
}

static void drain(struct world *w, unsigned side)
{
	static struct dgram d;
	struct orc_event ev;

	while (w->q.api[side]->poll_event(w->q.end[side], &ev))
		told(w, &ev);
	while (w->q.api[side]->poll_tx(w->q.end[side], &d)) {
		w->q.tally.packets++;
		if (++w->steps > STEPS)
			return;
		look(w, side, &d);
		qps_leaves(&w->q, side, &d);
		fly(w, !side, &d);
		if (chance(w, w->dup)) {
			w->q.tally.doubled++;
			fly(w, !side, &d);
		}
	}
}

/* ---- What is asked for ---- */

static int post(struct world *w, unsigned side, struct orc_op op,
		struct op_result *ret)
{
	int err;

	op.ret = ret;
	err = w->q.api[side]->post(w->q.end[side], &op, w->q.now);
	drain(w, side);
	return err;
}

/* What must be possible. */
static struct op_result ask(struct world *w, unsigned side, struct orc_op op)
{
	struct op_result got = {0};
	const int err = post(w, side, op, &got);

	if (err)
		qps_wrong(&w->q, "operation %d is refused: %d", (int)op.kind,
			  err);
	return got;
}

static void modify(struct world *w, unsigned side, uint32_t qpn,
		   enum qp_state state)
{
	ask(w, side,
	    (struct orc_op){.kind = OP_MODIFY_QP,
			    .vb = {.qpn = qpn, .state = state, .qkey = QKEY}});
}

static void refused(struct world *w, unsigned side, struct orc_op op)
{
	if (!post(w, side, op, NULL))
		qps_wrong(&w->q, "operation %d is not refused", (int)op.kind);
}

/* What comes too early for a QP. */
static void too_early(struct world *w, unsigned side, uint32_t qpn)
{
	refused(w, side,
		(struct orc_op){.kind = OP_MODIFY_QP,
				.vb = {.qpn = qpn, .state = QP_RTS}});
	refused(w, side,
		(struct orc_op){.kind = OP_POST_SEND,
				.vb = {.qpn = qpn, .ah = w->ah, .dest_qp = 2}});
}

static uint32_t make_deep_qp(struct world *w, unsigned side, enum qp_type type,
			     uint32_t depth)
{
	const struct orc_op op = {.kind = OP_CREATE_QP,
				  .vb = {.type = type, .depth = depth}};
	const uint32_t qpn = ask(w, side, op).qpn;

	modify(w, side, qpn, QP_INIT);
	if (chance(w, 100))
		too_early(w, side, qpn);
	modify(w, side, qpn, QP_RTR);
	return qpn;
}

static uint32_t make_qp(struct world *w, unsigned side)
{
	const uint32_t qpn = make_deep_qp(w, side, QP_SRD, 0);

	modify(w, side, qpn, QP_RTS);
	return qpn;
}

/* A queue holds what was asked for, and no more. */
static void overfill(struct world *w)
{
	const uint32_t qpn = make_deep_qp(w, w->req, QP_SRD, 1);

	modify(w, w->req, qpn, QP_RTS);
	refused(w, w->req,
		(struct orc_op){.kind = OP_POST_SEND,
				.count = 2,
				.vb = {.qpn = qpn, .ah = w->ah, .dest_qp = 2}});
}

static void make_ah(struct world *w)
{
	w->ah = ask(w, w->req,
		    (struct orc_op){.kind = OP_CREATE_AH,
				    .peer = w->q.conf[w->rsp].addr})
			.ah;
}

static void refill(struct world *w, enum dest dest, uint32_t n)
{
	for (; n; n--)
		ask(w, w->rsp,
		    (struct orc_op){
			    .kind = OP_POST_RECV,
			    .handle = w->posted_rq[dest]++,
			    .len = dest == TINY ? SHORT : MTU,
			    .vb = {.qpn = w->dest[dest], .lkey = dest == BAD}});
}

static void make_dests(struct world *w)
{
	static const uint32_t buffers[DESTS] = {
		[GOOD] = 2 * MESSAGES, [DRY] = 2,      [TINY] = 40, [BAD] = 40,
		[UD] = UD_DEPTH,       [OTHER_KEY] = 4};

	for (unsigned i = 0; i < DESTS; i++)
		w->dest[i] = make_qp(w, w->rsp);
	/* To receive, RTR is enough. */
	w->dest[TINY] = make_deep_qp(w, w->rsp, QP_SRD, 0);
	w->dest[UD] = make_deep_qp(w, w->rsp, QP_UD, UD_DEPTH);
	w->dest[ABSENT] = 0xfffff0;
	memset(w->posted_rq, 0, sizeof(w->posted_rq));
	memset(w->used_rq, 0, sizeof(w->used_rq));
	for (unsigned i = 0; i < DESTS; i++)
		refill(w, (enum dest)i, buffers[i]);
	refused(w, w->rsp,
		(struct orc_op){.kind = OP_POST_RECV,
				.len = MTU,
				.vb.qpn = w->dest[UD]});
	refused(w, w->rsp,
		(struct orc_op){.kind = OP_CREATE_QP, .vb.type = QP_RC});
	modify(w, w->rsp, w->dest[BROKEN], QP_ERR);
}

/* Some are wrong in a way that the node itself sees. */
static void spoil(struct world *w, struct message *m, struct orc_op *op)
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

static void send(struct world *w)
{
	const uint32_t id = w->posted++;
	struct message *m = &w->m[id];
	struct orc_op op = {.kind = OP_POST_SEND, .handle = id};

	w->q.tally.messages++;
	m->posted = true;
	m->qp = rng_below(&w->rng, 2);
	m->src_qp = w->qp[m->qp];
	m->len = rng_below(&w->rng, MTU + 1);
	m->dest = chance(w, 700) ? GOOD : (enum dest)rng_below(&w->rng, DESTS);
	op.len = m->len;
	op.vb = (struct verbs_op){
		.qpn = w->qp[m->qp],
		.ah = w->ah,
		.dest_qp = w->dest[m->dest],
		.qkey = m->dest == OTHER_KEY ? QKEY + 1 : QKEY,
		.imm = id,
		.with_imm = true,
	};
	if (chance(w, 20))
		spoil(w, m, &op);
	ask(w, w->req, op);
}

/* Remote errors change no QP (SRD-39). */
static void query(struct world *w)
{
	const uint32_t qpn = w->qp[rng_below(&w->rng, 2)];
	const struct orc_op op = {.kind = OP_QUERY_QP, .vb.qpn = qpn};
	const enum qp_state state = ask(w, w->req, op).state;

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
	ask(w, w->req, op);
	w->qp[which] = make_qp(w, w->req);
}

/* The error state ends each WR at once, and a QP can begin again. */
static void break_qp(struct world *w)
{
	const unsigned which = rng_below(&w->rng, 2);
	const uint32_t qpn = w->qp[which];

	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].flushable |= w->m[i].qp == which;
	modify(w, w->req, qpn, QP_ERR);
	for (uint32_t i = 0; i < w->posted; i++) {
		const struct message *m = &w->m[i];

		if (m->qp == which && !m->done && !m->cancelled)
			qps_wrong(&w->q, "message %u outlives its QP's error",
				  i);
		w->m[i].flushable = false;
	}
	modify(w, w->req, qpn, QP_RESET);
	modify(w, w->req, qpn, QP_INIT);
	modify(w, w->req, qpn, QP_RTR);
	modify(w, w->req, qpn, QP_RTS);
}

static void destroy_ah(struct world *w)
{
	const struct orc_op op = {.kind = OP_DESTROY_AH, .vb.ah = w->ah};

	w->q.tally.destroyed++;
	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].flushable = true;
	ask(w, w->req, op);
	for (uint32_t i = 0; i < w->posted; i++)
		if (!w->m[i].done && !w->m[i].cancelled)
			qps_wrong(&w->q, "message %u outlives its handle", i);
	make_ah(w);
}

static void restart(struct world *w)
{
	w->q.tally.restarts++;
	w->restarts = true;
	w->q.api[w->rsp]->reset(w->q.end[w->rsp], rng_next(&w->rng));
	judge_doubt(w->q.judge[w->rsp]);
	judge_doubt(w->q.judge[w->req]);
	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].delivered = false;
	make_dests(w);
}

/* ---- Time ---- */

static void arrive(struct qps *q, const struct qps_flight *f)
{
	struct world *w = (struct world *)q;

	if (!f->unjudged)
		look(w, f->to, f->d);
	if (w->q.api[f->to]->feed(w->q.end[f->to], f->d, w->q.now))
		qps_wrong(&w->q, "a packet is refused");
	drain(w, f->to);
}

static void drain_side(struct qps *q, unsigned side)
{
	drain((struct world *)q, side);
}

static void run_for(struct world *w, vspan span)
{
	const vtime until = w->q.now + span;

	while (qps_step(&w->q, until, arrive, drain_side))
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

static void settle(struct world *w)
{
	for (unsigned i = 0; i < 200 && !w->q.findings && !all_done(w); i++)
		run_for(w, 100 * VSPAN_MS);
}

/* ---- A run ---- */

static void configure(struct world *w, uint64_t seed)
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

static void open_world(struct world *w, uint64_t seed)
{
	w->req = seed & 1;
	w->rsp = !w->req;
	w->rng.state = seed;
	w->loss = rng_below(&w->rng, 500);
	w->dup = rng_below(&w->rng, 300);
	w->spread = 1 + rng_below(&w->rng, 20000);
	configure(w, seed);
	if (!qps_open(&w->q))
		return;
	w->qp[0] = make_qp(w, w->req);
	w->qp[1] = make_qp(w, w->req);
	make_ah(w);
	overfill(w);
	make_dests(w);
}

static void disturb(struct world *w, bool restarts)
{
	if (chance(w, 20))
		destroy_qp(w);
	if (chance(w, 20))
		break_qp(w);
	if (chance(w, 8))
		destroy_ah(w);
	if (chance(w, 50))
		refill(w, DRY, 1 + rng_below(&w->rng, 3));
	if (chance(w, 100))
		query(w);
	if (restarts && chance(w, 5))
		restart(w);
}

/* The other side falls silent for longer than T_unresp, and comes back. */
static void outage(struct world *w)
{
	if (w->q.findings || w->posted == MESSAGES)
		return;
	w->q.tally.outages++;
	w->outages = 0;
	w->cut = true;
	send(w);
	if (w->m[w->posted - 1].local)
		return;
	run_for(w, OUTAGE);
	if (!w->q.findings && w->outages != 1)
		qps_wrong(&w->q, "%u events for one outage", w->outages);
	w->cut = false;
	settle(w);
}

/* What has been silent for T_gc is forgotten (SRD-12). */
static void collect(struct world *w)
{
	struct orc_stats stats;

	destroy_ah(w);
	run_for(w, w->q.conf[w->rsp].srd_gc + VSPAN_S);
	send(w);
	settle(w);
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
		if (m->done && is_drop(m->status) && m->ever)
			qps_wrong(&w->q, "message %u: %d, but delivered", i,
				  (int)m->status);
	}
}

static void talk(struct world *w, bool restarts)
{
	while (w->posted < MESSAGES - 2 && !w->q.findings) {
		for (uint32_t n = rng_below(&w->rng, 12);
		     n && w->posted < MESSAGES - 2; n--)
			send(w);
		disturb(w, restarts);
		run_for(w, VSPAN_US * rng_below(&w->rng, 4000));
	}
	w->loss = w->dup = 0;
	settle(w);
	outage(w);
	w->cut = false;
	if (!w->q.findings)
		collect(w);
}

/* Of a run before only what all worlds have stays. */
static void run(struct qps *q, uint64_t seed)
{
	struct world *w = (struct world *)q;

	memset((char *)w + sizeof(*q), 0, sizeof(*w) - sizeof(*q));
	open_world(w, seed);
	if (!w->q.findings)
		talk(w, seed % 4 < 2);
	if (!w->q.findings)
		judge_all(w);
}

static struct qps *make(void)
{
	struct world *w = calloc(1, sizeof(*w));

	return w ? &w->q : NULL;
}

const struct qps_kind srd_kind = {make, run};
