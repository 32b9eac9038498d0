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
#include "tests/soak/srd.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "judge/judge.h"
#include "wire/family.h"
#include "wire/ib.h"
#include "wire/icrc.h"

#define MESSAGES 300
#define FLIGHTS  4096
#define QKEY     0x1234
#define MTU      256
#define UD_DEPTH 4
#define SHORT    8 /* bytes of a buffer that is too short for most */
#define FINDINGS 8
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

struct flight {
	vtime at;
	unsigned to;
	bool damaged; /* under an ICRC that says so */
	struct dgram *d;
};

struct srd_world {
	const struct orc_api *api[2];
	FILE *trace;
	struct srd_tally tally;
	char text[256]; /* of the first finding */
	unsigned findings;

	struct rng rng;
	struct orc *end[2];
	struct orc_conf conf[2];
	struct judge *judge[2];
	unsigned req, rsp; /* which side is which */
	vtime now;
	uint32_t loss, dup; /* of 1000 */
	uint32_t spread;    /* us of delay */
	struct flight flights[FLIGHTS];
	size_t nflights;
	uint32_t frame, steps;
	uint32_t scid, scid_ah; /* the requester's newest, and whose it was */
	uint32_t qp[2], ah, dest[DESTS];
	uint32_t posted_rq[DESTS], used_rq[DESTS]; /* receives, in order */
	struct message m[MESSAGES];
	uint32_t posted, outages;
	bool restarts, cut;
};

/* The first is kept; a run ends with it. */
__attribute__((format(printf, 2, 3))) static void wrong(struct srd_world *w,
							const char *fmt, ...)
{
	va_list ap;

	if (w->findings++)
		return;
	va_start(ap, fmt);
	vsnprintf(w->text, sizeof(w->text), fmt, ap);
	va_end(ap);
}

static bool chance(struct srd_world *w, uint32_t of1000)
{
	return rng_below(&w->rng, 1000) < of1000;
}

/* ---- The packets ---- */

/*
 * Nothing leaves for a QP that is no more (SRD-14), and a handle keeps its
 * context (SRD-38), unless the other side has lost it.
 */
static void look_at_request(struct srd_world *w, const struct packet *pkt)
{
	uint64_t src_qp, scid;

	if (packet_value(pkt, "src_qp", &src_qp) && src_qp != w->qp[0] &&
	    src_qp != w->qp[1])
		wrong(w, "a packet leaves for QP %u, which is no more",
		      (unsigned)src_qp);
	if (!packet_value(pkt, "scid", &scid) || pkt->p[0] >= IB_SRD_ACK)
		return;
	if (scid != w->scid && w->ah == w->scid_ah && !w->restarts)
		wrong(w, "handle %u has another context", w->ah);
	w->scid = (uint32_t)scid;
	w->scid_ah = w->ah;
}

static void look(struct srd_world *w, unsigned side, const struct dgram *d)
{
	struct finding found[FINDINGS];
	struct packet pkt;
	const struct judge_packet in = {
		.pkt = &pkt, .d = d, .at = w->now, .frame = w->frame};
	size_t n;

	family_parse(FAMILY_SRD, &pkt, d->data,
		     d->len - (w->conf[0].crc ? ICRC_LEN : 0));
	if (w->trace)
		fprintf(w->trace, "%c %.3f us  opcode 0x%02x, %zu bytes\n",
			"AB"[side], (double)w -> now / 1e3, d -> data[0],
			d -> len);
	if (side == w->req && ip_addr_equal(&d->src, &w->conf[side].addr))
		look_at_request(w, &pkt);
	n = judge_push(w->judge[side], &in, found, FINDINGS);
	for (size_t i = 0; i < n && i < FINDINGS; i++)
		wrong(w, "%s/%s: %s", req_get(found[i].req)->id,
		      req_role_name(found[i].role), found[i].text);
}

/* ---- The link ---- */

static void fly(struct srd_world *w, unsigned to, const struct dgram *d)
{
	struct flight *f;

	if (w->cut || chance(w, w->loss) || w->nflights == FLIGHTS) {
		w->tally.lost++;
		return;
	}
	f = &w->flights[w->nflights];
	f->at = w->now + VSPAN_US * (1 + rng_below(&w->rng, w->spread));
	f->to = to;
	f->d = malloc(offsetof(struct dgram, data) + d->len);
	if (!f->d) {
		wrong(w, "no memory");
		return;
	}
	dgram_copy(f->d, d);
	f->damaged = w->conf[0].crc && chance(w, 10);
	if (f->damaged) /* the payload, or what an answer says */
		f->d->data[d->len > PAYLOAD + ICRC_LEN ? PAYLOAD : bth_len] ^=
			1;
	w->nflights++;
}

/* ---- What is told ---- */

static void check_bytes(struct srd_world *w, uint32_t id, uint32_t len)
{
	const uint8_t *p = NULL;
	size_t n = 0;

	if (w->api[w->rsp]->memory(w->end[w->rsp], 0, &p, &n) || n != len) {
		wrong(w, "message %u has %zu bytes, not %u", id, n, len);
		return;
	}
	for (uint32_t i = 0; i < len; i++)
		if (p[i] != ses_pattern((uint16_t)id, i)) {
			wrong(w, "message %u: byte %u is another", id, i);
			return;
		}
}

/* A receive queue is used from its front, whatever becomes of the message. */
static void check_receive(struct srd_world *w, const struct orc_event *ev)
{
	for (unsigned i = 0; i < DESTS; i++)
		if (w->dest[i] == ev->qpn && ev->handle != w->used_rq[i]++)
			wrong(w, "receive %u of QP %u is used, not %u",
			      ev->handle, ev->qpn, w->used_rq[i] - 1);
}

static void received(struct srd_world *w, const struct orc_event *ev)
{
	struct message *m = &w->m[ev->imm % MESSAGES];

	check_receive(w, ev);
	if (ev->status != STATUS_OK)
		return;
	if (!ev->with_imm || ev->imm >= MESSAGES || !m->posted) {
		wrong(w, "message %u was not sent", ev->imm);
		return;
	}
	if (ev->len != m->len || ev->qpn != w->dest[m->dest])
		wrong(w, "message %u: %u bytes to QP %u", ev->imm, ev->len,
		      ev->qpn);
	if (m->local || m->delivered)
		wrong(w, "message %u is delivered %s", ev->imm,
		      m->local ? "in spite of a local error" : "twice");
	if (ev->src_qp != m->src_qp)
		wrong(w, "message %u comes from QP %u", ev->imm, ev->src_qp);
	m->delivered = m->ever = true;
	check_bytes(w, ev->imm, m->len);
}

static bool is_drop(enum orc_status s)
{
	return s >= STATUS_REMOTE_INVALID && s <= STATUS_RNR;
}

/* What a WR may come to, by where it went. */
static bool may_end(const struct srd_world *w, const struct message *m,
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

static void completed(struct srd_world *w, const struct orc_event *ev)
{
	struct message *m = &w->m[ev->handle % MESSAGES];

	if (ev->handle >= MESSAGES || !m->posted || m->done || m->cancelled) {
		wrong(w, "message %u completes again, or unasked", ev->handle);
		return;
	}
	if (m->local ? ev->status != m->status : !may_end(w, m, ev->status))
		wrong(w, "message %u ends in %d", ev->handle, (int)ev->status);
	m->done = true;
	m->status = ev->status;
	w->tally.dropped += is_drop(ev->status);
	if (ev->status == STATUS_OK && !m->ever)
		wrong(w, "message %u: Success, not delivered", ev->handle);
}

static void told(struct srd_world *w, const struct orc_event *ev)
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
			wrong(w, "handle %u is unresponsive, not %u", ev->ah,
			      w->ah);
		break;
	default:
		break;
	}
}

static void drain(struct srd_world *w, unsigned side)
{
	static struct dgram d;
	struct orc_event ev;

	while (w->api[side]->poll_event(w->end[side], &ev))
		told(w, &ev);
	while (w->api[side]->poll_tx(w->end[side], &d)) {
		w->tally.packets++;
		w->frame++;
		if (++w->steps > STEPS)
			return;
		look(w, side, &d);
		fly(w, !side, &d);
		if (chance(w, w->dup)) {
			w->tally.doubled++;
			fly(w, !side, &d);
		}
	}
}

/* ---- What is asked for ---- */

static int post(struct srd_world *w, unsigned side, struct orc_op op,
		struct op_result *ret)
{
	int err;

	op.ret = ret;
	err = w->api[side]->post(w->end[side], &op, w->now);
	drain(w, side);
	return err;
}

/* What must be possible. */
static struct op_result ask(struct srd_world *w, unsigned side,
			    struct orc_op op)
{
	struct op_result got = {0};
	const int err = post(w, side, op, &got);

	if (err)
		wrong(w, "operation %d is refused: %d", (int)op.kind, err);
	return got;
}

static void modify(struct srd_world *w, unsigned side, uint32_t qpn,
		   enum qp_state state)
{
	ask(w, side,
	    (struct orc_op){.kind = OP_MODIFY_QP,
			    .vb = {.qpn = qpn, .state = state, .qkey = QKEY}});
}

static void refused(struct srd_world *w, unsigned side, struct orc_op op)
{
	if (!post(w, side, op, NULL))
		wrong(w, "operation %d is not refused", (int)op.kind);
}

/* What comes too early for a QP. */
static void too_early(struct srd_world *w, unsigned side, uint32_t qpn)
{
	refused(w, side,
		(struct orc_op){.kind = OP_MODIFY_QP,
				.vb = {.qpn = qpn, .state = QP_RTS}});
	refused(w, side,
		(struct orc_op){.kind = OP_POST_SEND,
				.vb = {.qpn = qpn, .ah = w->ah, .dest_qp = 2}});
}

static uint32_t make_deep_qp(struct srd_world *w, unsigned side,
			     enum qp_type type, uint32_t depth)
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

static uint32_t make_qp(struct srd_world *w, unsigned side)
{
	const uint32_t qpn = make_deep_qp(w, side, QP_SRD, 0);

	modify(w, side, qpn, QP_RTS);
	return qpn;
}

/* A queue holds what was asked for, and no more. */
static void overfill(struct srd_world *w)
{
	const uint32_t qpn = make_deep_qp(w, w->req, QP_SRD, 1);

	modify(w, w->req, qpn, QP_RTS);
	refused(w, w->req,
		(struct orc_op){.kind = OP_POST_SEND,
				.count = 2,
				.vb = {.qpn = qpn, .ah = w->ah, .dest_qp = 2}});
}

static void make_ah(struct srd_world *w)
{
	w->ah = ask(w, w->req,
		    (struct orc_op){.kind = OP_CREATE_AH,
				    .peer = w->conf[w->rsp].addr})
			.ah;
}

static void refill(struct srd_world *w, enum dest dest, uint32_t n)
{
	for (; n; n--)
		ask(w, w->rsp,
		    (struct orc_op){
			    .kind = OP_POST_RECV,
			    .handle = w->posted_rq[dest]++,
			    .len = dest == TINY ? SHORT : MTU,
			    .vb = {.qpn = w->dest[dest], .lkey = dest == BAD}});
}

static void make_dests(struct srd_world *w)
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
static void spoil(struct srd_world *w, struct message *m, struct orc_op *op)
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

static void send(struct srd_world *w)
{
	const uint32_t id = w->posted++;
	struct message *m = &w->m[id];
	struct orc_op op = {.kind = OP_POST_SEND, .handle = id};

	w->tally.messages++;
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
static void query(struct srd_world *w)
{
	const uint32_t qpn = w->qp[rng_below(&w->rng, 2)];
	const struct orc_op op = {.kind = OP_QUERY_QP, .vb.qpn = qpn};
	const enum qp_state state = ask(w, w->req, op).state;

	if (state != QP_RTS)
		wrong(w, "QP %u is in state %d", qpn, (int)state);
}

static void destroy_qp(struct srd_world *w)
{
	const unsigned which = rng_below(&w->rng, 2);
	const struct orc_op op = {.kind = OP_DESTROY_QP,
				  .vb.qpn = w->qp[which]};

	w->tally.destroyed++;
	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].cancelled |= w->m[i].qp == which && !w->m[i].done;
	w->qp[which] = 0;
	ask(w, w->req, op);
	w->qp[which] = make_qp(w, w->req);
}

/* The error state ends each WR at once, and a QP can begin again. */
static void break_qp(struct srd_world *w)
{
	const unsigned which = rng_below(&w->rng, 2);
	const uint32_t qpn = w->qp[which];

	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].flushable |= w->m[i].qp == which;
	modify(w, w->req, qpn, QP_ERR);
	for (uint32_t i = 0; i < w->posted; i++) {
		const struct message *m = &w->m[i];

		if (m->qp == which && !m->done && !m->cancelled)
			wrong(w, "message %u outlives its QP's error", i);
		w->m[i].flushable = false;
	}
	modify(w, w->req, qpn, QP_RESET);
	modify(w, w->req, qpn, QP_INIT);
	modify(w, w->req, qpn, QP_RTR);
	modify(w, w->req, qpn, QP_RTS);
}

static void destroy_ah(struct srd_world *w)
{
	const struct orc_op op = {.kind = OP_DESTROY_AH, .vb.ah = w->ah};

	w->tally.destroyed++;
	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].flushable = true;
	ask(w, w->req, op);
	for (uint32_t i = 0; i < w->posted; i++)
		if (!w->m[i].done && !w->m[i].cancelled)
			wrong(w, "message %u outlives its handle", i);
	make_ah(w);
}

static void restart(struct srd_world *w)
{
	w->tally.restarts++;
	w->restarts = true;
	w->api[w->rsp]->reset(w->end[w->rsp], rng_next(&w->rng));
	judge_doubt(w->judge[w->rsp]);
	judge_doubt(w->judge[w->req]);
	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].delivered = false;
	make_dests(w);
}

/* ---- Time ---- */

static size_t first_flight(const struct srd_world *w)
{
	size_t first = 0;

	for (size_t i = 1; i < w->nflights; i++)
		if (w->flights[i].at < w->flights[first].at)
			first = i;
	return first;
}

static void arrive(struct srd_world *w, size_t i)
{
	const struct flight f = w->flights[i];

	w->flights[i] = w->flights[--w->nflights];
	w->frame++;
	if (!f.damaged)
		look(w, f.to, f.d);
	if (w->api[f.to]->feed(w->end[f.to], f.d, w->now))
		wrong(w, "a packet is refused");
	free(f.d);
	drain(w, f.to);
}

/* The next thing happens, not after |until|; false: nothing does. */
static bool step(struct srd_world *w, vtime until)
{
	const size_t i = first_flight(w);
	vtime at = w->nflights ? w->flights[i].at : VTIME_NEVER;
	int side = -1;

	for (unsigned e = 0; e < 2; e++)
		if (w->api[e]->deadline(w->end[e]) < at) {
			at = w->api[e]->deadline(w->end[e]);
			side = (int)e;
		}
	if (at > until || w->findings)
		return false;
	if (++w->steps > STEPS) {
		wrong(w, "it does not come to an end");
		return false;
	}
	w->now = vtime_max(w->now, at);
	if (side < 0) {
		arrive(w, i);
	} else {
		w->api[side]->tick(w->end[side], w->now);
		drain(w, (unsigned)side);
	}
	return true;
}

static void run_for(struct srd_world *w, vspan span)
{
	const vtime until = w->now + span;

	while (step(w, until))
		;
	w->now = until;
}

static bool all_done(const struct srd_world *w)
{
	for (uint32_t i = 0; i < w->posted; i++)
		if (!w->m[i].done && !w->m[i].cancelled)
			return false;
	return true;
}

static void settle(struct srd_world *w)
{
	for (unsigned i = 0; i < 200 && !w->findings && !all_done(w); i++)
		run_for(w, 100 * VSPAN_MS);
}

/* ---- A run ---- */

static bool open_ends(struct srd_world *w, uint64_t seed)
{
	static const uint32_t windows[] = {64, 128, 8192};
	struct judge_conf jc;

	for (unsigned e = 0; e < 2; e++) {
		struct orc_conf *c = &w->conf[e];

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
		if (w->api[e]->make(&w->end[e], c))
			return false;
		judge_conf_default(&jc);
		jc.whole = true;
		jc.here = c->addr;
		judge_declare(w->judge[e], &jc);
		judge_reset(w->judge[e]);
	}
	return true;
}

/* What stays from run to run. */
static void clear(struct srd_world *w)
{
	struct srd_world fresh = {
		.api = {w->api[0], w->api[1]},
		.trace = w->trace,
		.tally = w->tally,
		.judge = {w->judge[0], w->judge[1]},
	};

	memcpy(w, &fresh, sizeof(fresh));
}

static void open_world(struct srd_world *w, uint64_t seed)
{
	clear(w);
	w->req = seed & 1;
	w->rsp = !w->req;
	w->rng.state = seed;
	w->loss = rng_below(&w->rng, 500);
	w->dup = rng_below(&w->rng, 300);
	w->spread = 1 + rng_below(&w->rng, 20000);
	if (!open_ends(w, seed)) {
		wrong(w, "the endpoints cannot be made");
		return;
	}
	w->qp[0] = make_qp(w, w->req);
	w->qp[1] = make_qp(w, w->req);
	make_ah(w);
	overfill(w);
	make_dests(w);
}

static void close_world(struct srd_world *w)
{
	for (unsigned e = 0; e < 2; e++) {
		w->api[e]->free(w->end[e]);
		w->end[e] = NULL;
	}
	while (w->nflights)
		free(w->flights[--w->nflights].d);
}

static void disturb(struct srd_world *w, bool restarts)
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
static void outage(struct srd_world *w)
{
	if (w->findings || w->posted == MESSAGES)
		return;
	w->tally.outages++;
	w->outages = 0;
	w->cut = true;
	send(w);
	if (w->m[w->posted - 1].local)
		return;
	run_for(w, OUTAGE);
	if (!w->findings && w->outages != 1)
		wrong(w, "%u events for one outage", w->outages);
	w->cut = false;
	settle(w);
}

/* What has been silent for T_gc is forgotten (SRD-12). */
static void collect(struct srd_world *w)
{
	struct orc_stats stats;

	destroy_ah(w);
	run_for(w, w->conf[w->rsp].srd_gc + VSPAN_S);
	send(w);
	settle(w);
	w->api[w->rsp]->stats(w->end[w->rsp], &stats);
	if (!w->m[w->posted - 1].local && stats.contexts > 1)
		wrong(w, "%u contexts are kept", (unsigned)stats.contexts);
}

static void judge_all(struct srd_world *w)
{
	for (uint32_t i = 0; i < w->posted; i++) {
		const struct message *m = &w->m[i];

		if (!m->done && !m->cancelled)
			wrong(w, "message %u never ends", i);
		if (m->done && is_drop(m->status) && m->ever)
			wrong(w, "message %u: %d, but delivered", i,
			      (int)m->status);
	}
}

static void talk(struct srd_world *w, bool restarts)
{
	while (w->posted < MESSAGES - 2 && !w->findings) {
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
	if (!w->findings)
		collect(w);
}

unsigned srd_world_run(struct srd_world *w, uint64_t seed)
{
	open_world(w, seed);
	if (!w->findings)
		talk(w, seed % 4 < 2);
	if (!w->findings)
		judge_all(w);
	close_world(w);
	w->tally.runs++;
	w->tally.failed += w->findings != 0;
	w->tally.findings += w->findings;
	return w->findings;
}

struct srd_world *srd_world_new(const struct orc_api *const api[2], FILE *trace)
{
	struct srd_world *w = calloc(1, sizeof(*w));
	struct judge_conf jc;

	if (!w)
		return NULL;
	w->api[0] = api[0];
	w->api[1] = api[1];
	w->trace = trace;
	judge_conf_default(&jc);
	for (unsigned e = 0; e < 2; e++)
		if (judge_new(&w->judge[e], &jc, 8)) {
			srd_world_free(w);
			return NULL;
		}
	return w;
}

void srd_world_free(struct srd_world *w)
{
	if (!w)
		return;
	for (unsigned e = 0; e < 2; e++)
		judge_free(w->judge[e]);
	free(w);
}

const char *srd_world_text(const struct srd_world *w)
{
	return w->text;
}

const struct srd_tally *srd_world_tally(const struct srd_world *w)
{
	return &w->tally;
}
