/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_verbs.c -- the verbs of an SRD endpoint: create, connect and
 * use queue pairs.
 *
 * Spec: seed 003 3; srd_wqe.md A.4.4, A.4.6
 */
#include "oracle/srd/srd_verbs.h"

#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "oracle/srd/srd_ah.h"
#include "oracle/srd/srd_qp.h"
#include "oracle/srd/srd_req.h"
#include "oracle/srd/srd_state.h"
#include "oracle/srd/srd_wr.h"

#define DEPTH_USUAL 8192

/* ---- QPs by number ---- */

/* Returns a free slot, or a new one; NULL if there is no memory. */
static struct srd_qp *srd_qp_place(struct srd *s)
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
	qp = srd_qp_place(s);
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

/* ---- States ---- */

static bool srd_qp_may_change(enum qp_state from, enum qp_state to)
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

/* Sends the WRs that waited for the drained SQ. */
/* The memory of each WR that is taken serves to queue it again. */
static void srd_qp_release_held(struct srd *s, struct srd_qp *qp)
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
	if (!srd_qp_may_change(qp->state, op->vb.state))
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
		srd_qp_release_held(s, qp);
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
	memory_free(qp->rq.v);
	*qp = (struct srd_qp){0};
	return 0;
}

/* ---- Posting ---- */

/* Ends a WR with a local error; a later one may meet QP_SQE. */
static void local_error(struct srd *s, struct srd_qp *qp, uint32_t handle,
			enum orc_status status)
{
	qp_completed(&s->env, qp->qpn, handle, status);
	if (s->env.conf.srd_sqe && qp->state == QP_RTS)
		qp->state = QP_SQE;
}

/* Returns why a WR cannot be sent; STATUS_OK if it can. */
static enum orc_status srd_qp_check_wr(struct srd *s, const struct srd_qp *qp,
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

static bool srd_qp_send_one(struct srd *s, struct srd_qp *qp,
			    const struct orc_op *op)
{
	const enum orc_status status = srd_qp_check_wr(s, qp, op);
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
		if (!srd_qp_send_one(s, qp, op))
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
