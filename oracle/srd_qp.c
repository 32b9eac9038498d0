/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd_qp.c -- the queue pairs of an SRD endpoint.
 *
 * "The QP state machine is the same as for UD QP type" (seed 003, 3.1.1.1).  A
 * QP decides what becomes of a request that has passed the transport, and
 * nothing that happens here changes a context.
 *
 * Spec: seed 003 3; srd_wqe.md A.4.4, A.4.6
 */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "oracle/srd.h"

#define DEPTH_USUAL 8192

/* ---- QPs by number ---- */

struct srd_qp *srd_qp_find(struct srd *s, uint32_t qpn)
{
	uint32_t at;

	return idmap_get(&s->by_qpn, qpn, &at) ? &s->qps[at] : NULL;
}

void srd_qps_free(struct srd *s)
{
	for (size_t i = 0; i < s->nqps; i++)
		free(s->qps[i].rq.v);
	free(s->qps);
	idmap_free(&s->by_qpn);
	s->qps = NULL;
	s->qps_cap = s->nqps = 0;
	s->by_qpn = (struct idmap){0};
}

/* A place that is free, or one more; NULL: no memory. */
static struct srd_qp *place(struct srd *s)
{
	struct srd_qp *v;

	for (size_t i = 0; i < s->nqps; i++)
		if (!s->qps[i].used)
			return &s->qps[i];
	v = mem_grow(&s->env.mem, s->qps, &s->qps_cap, s->nqps + 1, sizeof(*v));
	if (!v)
		return NULL;
	s->qps = v;
	return &v[s->nqps++];
}

int srd_qp_create(struct srd *s, const struct orc_op *op)
{
	const uint32_t depth = op->vb.depth ? op->vb.depth : DEPTH_USUAL;
	struct srd_qp *qp;
	uint32_t qpn;

	if (op->vb.type > QP_UD || depth > QP_DEPTH_MAX)
		return ERR_VALUE;
	qp = place(s);
	if (!qp)
		return ERR_NOMEM;
	qpn = qp_number(&s->by_qpn, &s->next_qpn);
	if (!idmap_put(&s->by_qpn, &s->env.mem, qpn, (uint32_t)(qp - s->qps)))
		return ERR_NOMEM;
	*qp = (struct srd_qp){
		.used = true, .qpn = qpn, .type = op->vb.type, .depth = depth};
	qp->rq.depth = depth;
	if (op->ret)
		op->ret->qpn = qpn;
	return 0;
}

/* ---- Completions ---- */

void srd_qp_done(struct srd *s, uint32_t qpn, uint32_t handle,
		 enum orc_status status)
{
	struct srd_qp *qp = srd_qp_find(s, qpn);

	if (!qp)
		return;
	qp->outstanding--;
	qp_completed(&s->env, qpn, handle, status);
}

/* ---- States ---- */

static bool may_change(enum qp_state from, enum qp_state to)
{
	static const uint8_t next[QP_STATES] = {
		[QP_RESET] = 1 << QP_INIT,
		[QP_INIT] = 1 << QP_INIT | 1 << QP_RTR,
		[QP_RTR] = 1 << QP_RTS,
		[QP_RTS] = 1 << QP_RTS | 1 << QP_SQD,
		[QP_SQD] = 1 << QP_SQD | 1 << QP_RTS,
		[QP_SQE] = 1 << QP_RTS,
	};

	return qp_may_change(next, from, to);
}

/* What waited for the SQ to be drained goes on its way. */
static void release_held(struct srd *s, struct srd_qp *qp)
{
	struct srd_queue old = s->held;
	struct srd_wr wr;

	s->held = (struct srd_queue){0};
	while (srd_wr_take(s, &old, &wr)) {
		struct srd_ah *ah = srd_ah_find(s, wr.ah);

		if (wr.qpn != qp->qpn)
			srd_wr_add(s, &s->held, &wr);
		else if (!ah)
			srd_qp_done(s, wr.qpn, wr.handle, STATUS_FLUSHED);
		else
			srd_ah_post(s, ah, &wr);
	}
}

int srd_qp_modify(struct srd *s, const struct orc_op *op)
{
	struct srd_qp *qp = srd_qp_find(s, op->vb.qpn);

	if (!qp || op->vb.state >= QP_STATES)
		return ERR_VALUE;
	if (!may_change(qp->state, op->vb.state))
		return ERR_STATE;
	if (op->vb.state == QP_INIT)
		qp->qkey = op->vb.qkey;
	qp->state = op->vb.state;
	if (qp->state == QP_ERR) {
		srd_cancel(s, qp->qpn, true);
		recv_flush(&qp->rq, &s->env, qp->qpn);
	} else if (qp->state == QP_RESET) {
		srd_cancel(s, qp->qpn, false);
		qp->rq.n = 0;
	} else if (qp->state == QP_RTS) {
		release_held(s, qp);
	}
	return 0;
}

int srd_qp_query(struct srd *s, const struct orc_op *op)
{
	const struct srd_qp *qp = srd_qp_find(s, op->vb.qpn);

	if (!qp)
		return ERR_VALUE;
	if (op->ret)
		op->ret->state = qp->state;
	return 0;
}

/* "all pending Send WRs on that QP are implicitly canceled" */
int srd_qp_destroy(struct srd *s, const struct orc_op *op)
{
	struct srd_qp *qp = srd_qp_find(s, op->vb.qpn);

	if (!qp)
		return ERR_VALUE;
	srd_cancel(s, qp->qpn, false);
	idmap_del(&s->by_qpn, qp->qpn);
	free(qp->rq.v);
	*qp = (struct srd_qp){0};
	return 0;
}

/* ---- Posting ---- */

/* A local error ends the WR at once; a later one may meet QP_SQE. */
static void local_error(struct srd *s, struct srd_qp *qp, uint32_t handle,
			enum orc_status status)
{
	qp_completed(&s->env, qp->qpn, handle, status);
	if (s->env.conf.srd_sqe && qp->state == QP_RTS)
		qp->state = QP_SQE;
}

/* Why a WR cannot be sent; STATUS_OK: it can. */
static enum orc_status check_wr(struct srd *s, const struct srd_qp *qp,
				const struct orc_op *op)
{
	const uint64_t len = (uint64_t)op->len + op->vb.len2;

	if (qp->state == QP_ERR || qp->state == QP_SQE)
		return STATUS_FLUSHED;
	if (qp->type != QP_SRD || op->vb.opcode != WR_SEND ||
	    !srd_ah_find(s, op->vb.ah))
		return STATUS_LOCAL_QP_OP;
	if (op->vb.lkey)
		return STATUS_LOCAL_PROTECTION;
	return len > s->env.conf.mtu ? STATUS_LOCAL_LENGTH : STATUS_OK;
}

static bool send_one(struct srd *s, struct srd_qp *qp, const struct orc_op *op)
{
	const enum orc_status status = check_wr(s, qp, op);
	const struct srd_wr wr = {
		.handle = op->handle,
		.qpn = qp->qpn,
		.ah = op->vb.ah,
		.dest_qp = op->vb.dest_qp,
		.qkey = op->vb.qkey,
		.imm = op->vb.imm,
		.len = (uint16_t)(op->len + op->vb.len2),
		.with_imm = op->vb.with_imm,
	};

	if (status == STATUS_FLUSHED) {
		qp_completed(&s->env, qp->qpn, op->handle, status);
		return true;
	}
	if (status != STATUS_OK) {
		local_error(s, qp, op->handle, status);
		return true;
	}
	qp->outstanding++;
	if (qp->state == QP_SQD ? srd_wr_add(s, &s->held, &wr)
				: srd_ah_post(s, srd_ah_find(s, wr.ah), &wr))
		return true;
	qp->outstanding--;
	return false;
}

int srd_qp_send(struct srd *s, const struct orc_op *op)
{
	struct srd_qp *qp = srd_qp_find(s, op->vb.qpn);
	const uint32_t count = op->count ? op->count : 1;

	if (!qp || op->vb.dest_qp > QPN_MAX)
		return ERR_VALUE;
	if (qp->state < QP_RTS)
		return ERR_STATE;
	if (count > qp->depth - qp->outstanding)
		return ERR_SPACE;
	for (uint32_t i = 0; i < count; i++)
		if (!send_one(s, qp, op))
			return ERR_NOMEM;
	return 0;
}

int srd_qp_recv(struct srd *s, const struct orc_op *op)
{
	struct srd_qp *qp = srd_qp_find(s, op->vb.qpn);
	int err;

	if (!qp)
		return ERR_VALUE;
	if (qp->state == QP_RESET)
		return ERR_STATE;
	err = recv_post(&qp->rq, &s->env.mem, op);
	if (!err && qp->state == QP_ERR)
		recv_flush(&qp->rq, &s->env, qp->qpn);
	return err;
}

/* ---- Requests ---- */

/* "buffer < length -> 0x61 ... else copy" */
static uint8_t fill(struct srd *s, const struct srd_qp *qp,
		    const struct recv_wr *wqe, const struct srd_msg *m)
{
	struct orc_event *ev;
	uint8_t *last;

	if (m->len > wqe->len) {
		qp_received(&s->env, qp->qpn, wqe, STATUS_LOCAL_LENGTH);
		return IB_SYNDROME_INVALID_REQ;
	}
	last = mem_grow(&s->env.mem, s->last, &s->last_cap, m->len + 1u, 1);
	if (last) {
		s->last = last;
		s->last_len = m->len;
		memcpy(last, m->data, m->len);
	}
	s->env.stats.delivered++;
	ev = qp_received(&s->env, qp->qpn, wqe, STATUS_OK);
	ev->orig_psn = m->psn;
	ev->len = m->len;
	ev->src_qp = m->src_qp;
	ev->imm = m->imm;
	ev->with_imm = m->with_imm;
	return IB_SYNDROME_ACK;
}

static bool receives(const struct srd_qp *qp)
{
	return qp->state >= QP_RTR && qp->state != QP_ERR;
}

uint8_t srd_qp_deliver(struct srd *s, const struct srd_msg *m)
{
	struct srd_qp *qp = srd_qp_find(s, m->dest_qp);
	struct recv_wr wqe;

	if (!qp || !receives(qp))
		return IB_SYNDROME_BAD_DEST_QP;
	if (qp->type != QP_SRD)
		return IB_SYNDROME_INVALID_REQ;
	if (m->qkey != qp->qkey)
		return IB_SYNDROME_BAD_DEST_QP;
	if (!recv_take(&qp->rq, &wqe))
		return IB_SYNDROME_RNR;
	if (wqe.lkey) {
		qp_received(&s->env, qp->qpn, &wqe, STATUS_LOCAL_PROTECTION);
		return IB_SYNDROME_REMOTE_OP;
	}
	return fill(s, qp, &wqe, m);
}
