/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_qp.c -- the queue pairs of an SRD endpoint.
 *
 * "The QP state machine is the same as for UD QP type" (seed 003, 3.1.1.1).  A
 * QP decides the outcome of a request that has passed the transport, and this
 * never changes a context.
 *
 * Spec: seed 003 3; srd_wqe.md A.4.4, A.4.6
 */
#include "oracle/srd/srd_qp.h"

#include <string.h>

#include "base/memory.h"
#include "oracle/srd/srd_state.h"
#include "wire/frame/crc.h"

/* ---- QPs by number ---- */

struct srd_qp *srd_qp_find(struct srd *s, uint32_t qpn)
{
	uint32_t at;

	return idmap_get(&s->by_qpn, qpn, &at) ? &s->qps[at] : NULL;
}

void srd_qps_free(struct srd *s)
{
	for (size_t i = 0; i < s->nqps; i++)
		memory_free(s->qps[i].rq.v);
	memory_free(s->qps);
	idmap_free(&s->by_qpn);
	s->qps = NULL;
	s->qps_cap = s->nqps = 0;
	s->by_qpn = (struct idmap){0};
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

/* ---- Requests ---- */

/* "buffer < length -> 0x61 ... else copy" */
static uint8_t srd_qp_fill(struct srd *s, const struct srd_qp *qp,
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
	if (last)
		ev->digest = crc32c(0, last, m->len);
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
	return srd_qp_fill(s, qp, &wqe, m);
}
