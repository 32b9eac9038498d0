/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/pairing_post.c -- prepares both ends of an exchange by their
 * control channels, and posts its operations at the initiator.
 *
 * UET ends need room for messages and exposed memory.  Ends with queue pairs
 * need a QP each, and a connection or an address handle.  A read begins in the
 * lower half of the target's memory; each write has its own place in the upper
 * half, as long as there is room.
 */
#include <stdio.h>
#include <string.h>

#include "cli/matrix/pairing_state.h"
#include "suite/dut/ctl/ctl_words.h"
#include "suite/transport.h"
#include "wire/uet/uet_ses.h"

#define PAIRING_UINT32 0x05 /* datatype of table 3-22 */
#define PAIRING_PSN    0x001000u
#define PAIRING_TAIL   64 /* bytes of memory kept for atomics */

static const struct decl *pairing_target(const struct pairing *p)
{
	return p->conf.decl[PAIRING_TARGET];
}

/* Returns the key of the target's memory: R_Keys have 32 bits. */
static uint64_t pairing_key(const struct pairing *p)
{
	if (suite_families[p->conf.family]->has_pdcs)
		return pairing_target(p)->memory_key;
	return pairing_target(p)->rkey;
}

/* Sends a request that must succeed: without it nothing can be exchanged. */
static void pairing_must(struct pairing *p, enum pairing_side side,
			 const char *what)
{
	if (!pairing_ask(p, side) && !p->err && !p->result->gone)
		pairing_blame(p, side, REQ_NONE, REQ_BOTH, false,
			      "%s is refused: %s", what, p->ans.error);
}

static void pairing_room(struct pairing *p, enum pairing_side side)
{
	struct orc_op *op = pairing_request(p, OP_POST_RECV);
	uint32_t longest = 1;

	for (size_t i = 0; i < p->exchange->n; i++)
		if (p->exchange->ops[i].len > longest)
			longest = p->exchange->ops[i].len;
	op->handle = 1;
	op->count = 2 * EXCHANGE_OPS;
	op->len = longest;
	op->vb.qpn = p->qpn[side];
	pairing_must(p, side, "post_recv");
}

static void pairing_expose(struct pairing *p)
{
	struct orc_op *op = pairing_request(p, OP_EXPOSE);

	op->handle = 2;
	op->key = pairing_key(p);
	op->offset = pairing_target(p)->memory_offset;
	op->len = pairing_target(p)->memory_len;
	pairing_must(p, PAIRING_TARGET, "expose");
}

static bool pairing_has(const struct pairing *p, enum pairing_side side,
			const char *verb)
{
	return dut_has_verb(p->conf.dut[side], verb);
}

static void pairing_create_qp(struct pairing *p, enum pairing_side side)
{
	struct orc_op *op = pairing_request(p, OP_CREATE_QP);

	op->vb.type =
		suite_families[p->conf.family]->connected ? QP_RC : QP_SRD;
	op->vb.depth = 2 * EXCHANGE_OPS;
	pairing_must(p, side, "create_qp");
	p->qpn[side] = p->ans.result.qpn;
}

static void pairing_connect(struct pairing *p, enum pairing_side side)
{
	for (int state = QP_INIT; state <= QP_RTS; state++) {
		struct orc_op *op = pairing_request(p, OP_MODIFY_QP);

		op->peer = p->conf.dut[side]->tester;
		op->vb = (struct verbs_op){
			.qpn = p->qpn[side],
			.state = (enum qp_state)state,
			.qkey = pairing_target(p)->srd_qkey,
		};
		if (suite_families[p->conf.family]->connected) {
			op->vb.dest_qp = p->qpn[!side];
			op->vb.rq_psn = PAIRING_PSN;
			op->vb.sq_psn = PAIRING_PSN;
		}
		pairing_must(p, side, "modify_qp");
	}
}

static void pairing_handle(struct pairing *p)
{
	struct orc_op *op = pairing_request(p, OP_CREATE_AH);

	op->peer = p->conf.dut[PAIRING_INITIATOR]->tester;
	pairing_must(p, PAIRING_INITIATOR, "create_ah");
	p->ah = p->ans.result.ah;
}

static void pairing_prepare_qps(struct pairing *p)
{
	pairing_create_qp(p, PAIRING_INITIATOR);
	pairing_create_qp(p, PAIRING_TARGET);
	pairing_connect(p, PAIRING_INITIATOR);
	pairing_connect(p, PAIRING_TARGET);
	pairing_room(p, PAIRING_TARGET);
	if (suite_families[p->conf.family]->connected)
		pairing_expose(p);
	else
		pairing_handle(p);
}

void pairing_prepare(struct pairing *p)
{
	memset(p->qpn, 0, sizeof(p->qpn));
	if (!suite_families[p->conf.family]->has_pdcs) {
		pairing_prepare_qps(p);
		return;
	}
	if (pairing_has(p, PAIRING_TARGET, "post_recv"))
		pairing_room(p, PAIRING_TARGET);
	if (pairing_has(p, PAIRING_TARGET, "expose"))
		pairing_expose(p);
}

/* ---- Operations ---- */

/* Gives each write its place; writes that find no room share the last one. */
static void pairing_place(struct pairing *p)
{
	const uint64_t half = pairing_target(p)->memory_len / 2;
	const uint64_t end = pairing_target(p)->memory_len - PAIRING_TAIL;
	uint64_t at = half;

	for (size_t i = 0; i < p->exchange->n; i++) {
		const struct exchange_op *e = &p->exchange->ops[i];

		p->ops[i].at = 0;
		if (e->kind == OP_ATOMIC)
			p->ops[i].at = end;
		if (e->kind != OP_WRITE)
			continue;
		p->ops[i].shares = at + e->len > end;
		p->ops[i].at = p->ops[i].shares ? half : at;
		if (!p->ops[i].shares)
			at += (e->len + 63u) / 64 * 64;
	}
	for (size_t i = 0; i < p->exchange->n; i++)
		if (p->ops[i].shares)
			p->ops[0].shares = true;
}

static void pairing_fill_uet(struct pairing *p, struct orc_op *op)
{
	op->mode = p->exchange->mode;
	op->peer = p->conf.dut[PAIRING_INITIATOR]->tester;
	if (op->kind != OP_ATOMIC)
		return;
	op->len = 0;
	op->amo.opcode = AMO_SUM;
	op->amo.datatype = PAIRING_UINT32;
	op->amo.operand = 1;
}

static void pairing_fill_qp(struct pairing *p, struct orc_op *op)
{
	op->vb = (struct verbs_op){
		.qpn = p->qpn[PAIRING_INITIATOR],
		.ah = p->ah,
		.opcode = op->kind == OP_WRITE  ? WR_WRITE
			  : op->kind == OP_READ ? WR_READ
						: WR_SEND,
	};
	if (!suite_families[p->conf.family]->connected) {
		op->vb.dest_qp = p->qpn[PAIRING_TARGET];
		op->vb.qkey = pairing_target(p)->srd_qkey;
	}
	op->kind = OP_POST_SEND;
	op->count = 1;
}

/* Posts operation |i|; its handle is |i| + 1. */
static void pairing_post_one(struct pairing *p, size_t i)
{
	const struct exchange_op *e = &p->exchange->ops[i];
	struct orc_op *op = pairing_request(p, e->kind);
	struct pairing_op *o = &p->ops[i];

	op->handle = (uint32_t)i + 1;
	op->len = e->len;
	if (e->kind != OP_SEND) {
		op->key = pairing_key(p);
		op->offset = pairing_target(p)->memory_offset + o->at;
	}
	if (suite_families[p->conf.family]->has_pdcs)
		pairing_fill_uet(p, op);
	else
		pairing_fill_qp(p, op);
	o->posted = true;
	if (pairing_ask(p, PAIRING_INITIATOR)) {
		p->result->posted++;
		return;
	}
	o->posted = false;
	if (p->err || p->result->gone ||
	    strcmp(p->ans.error, "unsupported") == 0)
		return;
	pairing_blame(p, PAIRING_INITIATOR, REQ_NONE, REQ_BOTH, false,
		      "%s of %u bytes is refused: %s", exchange_verb(e->kind),
		      e->len, p->ans.error);
}

void pairing_post(struct pairing *p)
{
	pairing_place(p);
	for (size_t i = 0; i < p->exchange->n; i++)
		if (!suite_families[p->conf.family]->has_pdcs ||
		    pairing_has(p, PAIRING_INITIATOR,
				exchange_verb(p->exchange->ops[i].kind)))
			pairing_post_one(p, i);
}

/* Returns true for the delivery of a message, and not of a write or atomic. */
static bool pairing_is_recv(const struct pairing *p, const struct orc_event *ev)
{
	return ev->kind == EV_RECV &&
	       (!p->exchange->uet || ev->opcode == SES_SEND ||
		ev->opcode == SES_DATAGRAM_SEND);
}

void pairing_told(struct pairing *p, enum pairing_side side,
		  const struct orc_event *ev)
{
	struct pairing_op *o;

	if (side == PAIRING_TARGET) {
		if (pairing_is_recv(p, ev) && p->nrecvs < PAIRING_RECVS)
			p->recvs[p->nrecvs++] = (struct pairing_recv){
				.len = ev->len, .digest = ev->digest};
		return;
	}
	if (ev->kind != EV_COMPLETION || !ev->handle ||
	    ev->handle > p->exchange->n)
		return;
	o = &p->ops[ev->handle - 1];
	o->completions++;
	o->failed |= ev->status != STATUS_OK;
	o->digest = ev->digest;
	snprintf(o->status, sizeof(o->status), "%s",
		 ctl_status_name(ev->status));
}
