/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/qp.c -- the common part of queue pairs of SRD and of the WQE
 * extension.
 */
#include "oracle/core/qp.h"

#include "base/err.h"

int recv_post(struct recv_queue *q, struct mem *m, const struct orc_op *op)
{
	const uint32_t count = op->count ? op->count : 1;

	if (count > q->depth - q->n)
		return ERR_SPACE;
	if (!q->v)
		q->v = mem_raw(m, q->depth * sizeof(*q->v));
	if (!q->v)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < count; i++)
		q->v[(q->first + q->n++) % q->depth] =
			(struct recv_wr){op->handle, op->len, op->vb.lkey};
	return 0;
}

const struct recv_wr *recv_first(const struct recv_queue *q)
{
	return q->n ? &q->v[q->first] : NULL;
}

bool recv_take(struct recv_queue *q, struct recv_wr *ret)
{
	if (!q->n)
		return false;
	*ret = q->v[q->first];
	q->first = (q->first + 1) % q->depth;
	q->n--;
	return true;
}

void recv_flush(struct recv_queue *q, struct env *env, uint32_t qpn)
{
	struct recv_wr wr;

	while (recv_take(q, &wr))
		qp_received(env, qpn, &wr, STATUS_FLUSHED);
}

uint32_t qp_number(const struct idmap *by_qpn, uint32_t *next)
{
	uint32_t qpn, at;

	do {
		qpn = (*next)++;
		if (*next > QPN_MAX)
			*next = 2;
	} while (idmap_get(by_qpn, qpn, &at));
	return qpn;
}

bool qp_may_change(const uint8_t next[QP_STATES], enum qp_state from,
		   enum qp_state to)
{
	return to == QP_RESET || to == QP_ERR || next[from] >> to & 1;
}

struct orc_event *qp_completed(struct env *env, uint32_t qpn, uint32_t handle,
			       enum orc_status status)
{
	struct orc_event *ev = env_event(env, EV_COMPLETION);

	ev->handle = handle;
	ev->qpn = qpn;
	ev->status = status;
	return ev;
}

struct orc_event *qp_received(struct env *env, uint32_t qpn,
			      const struct recv_wr *wr, enum orc_status status)
{
	struct orc_event *ev = env_event(env, EV_RECV);

	ev->handle = wr->handle;
	ev->qpn = qpn;
	ev->status = status;
	return ev;
}
