/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_qp.c -- queue pairs of the WQE extension by number, their
 * completions and errors, and the memory regions that peers may use.
 *
 * An error ends the QP, not one WR.
 *
 * Spec: srd_wqe.md B.2, B.7, C.5
 */
#include "oracle/wqe/wqe_qp.h"

#include "base/memory.h"
#include "oracle/roce/roce_msg.h"
#include "oracle/wqe/wqe_entry.h"
#include "oracle/wqe/wqe_read.h"
#include "oracle/wqe/wqe_state.h"
#include "wire/frame/crc.h"

/* ---- QPs by number ---- */

struct wqe_qp *wqe_qp_find(struct wqe *w, uint32_t qpn)
{
	uint32_t at;

	return idmap_get(&w->by_qpn, qpn, &at) ? w->qps[at] : NULL;
}

void wqe_qp_forget(struct wqe_qp *qp)
{
	wqe_entry_forget(qp);
	roce_msg_forget(qp);
	for (uint32_t i = 0; i < qp->sq_n; i++)
		wqe_read_drop(wqe_wr_at(qp, i));
}

void wqe_qp_free(struct wqe_qp *qp)
{
	struct wqe *w = qp->w;

	timers_set(&w->env.timers, &qp->rto, VTIME_NEVER);
	timers_set(&w->env.timers, &qp->miss, VTIME_NEVER);
	timers_release(&w->env.timers);
	timers_release(&w->env.timers);
	wqe_qp_forget(qp);
	memory_free(qp->rq.v);
	memory_free(qp->sq);
	memory_free(qp->sent);
	memory_free(qp->gaps);
	memory_free(qp);
}

void wqe_qps_free(struct wqe *w)
{
	for (size_t i = 0; i < w->nqps; i++)
		if (w->qps[i])
			wqe_qp_free(w->qps[i]);
	for (size_t i = 0; i < w->nmrs; i++)
		memory_free(w->mrs[i].p);
	memory_free(w->qps);
	memory_free(w->mrs);
	memory_free(w->last);
	idmap_free(&w->by_qpn);
	w->qps = NULL;
	w->mrs = NULL;
	w->last = NULL;
	w->qps_cap = w->nqps = w->mrs_cap = w->nmrs = w->last_len = 0;
	w->by_qpn = (struct idmap){0};
}

/* ---- Completions ---- */

void wqe_qp_done(struct wqe_qp *qp, enum orc_status status)
{
	struct wqe_wr *wr = wqe_wr_at(qp, 0);
	struct orc_event *ev;

	ev = qp_completed(&qp->w->env, qp->qpn, wr->handle, status);
	if (status == STATUS_OK && wr->kind == WQE_READ)
		ev->digest = crc32c(0, wr->into, wr->len);
	if (status == STATUS_OK && wr->kind == WQE_READ)
		wqe_read_end(qp->w, wr);
	else
		wqe_read_drop(wr);
	qp->sq_first = (qp->sq_first + 1) % qp->depth;
	qp->sq_n--;
}

void wqe_qp_stop_timers(struct wqe_qp *qp)
{
	timers_set(&qp->w->env.timers, &qp->rto, VTIME_NEVER);
	timers_set(&qp->w->env.timers, &qp->miss, VTIME_NEVER);
}

void wqe_qp_fail(struct wqe_qp *qp)
{
	qp->state = QP_ERR;
	wqe_qp_stop_timers(qp);
	wqe_entry_forget(qp);
	roce_msg_forget(qp);
	while (qp->sq_n)
		wqe_qp_done(qp, STATUS_FLUSHED);
	recv_flush(&qp->rq, &qp->w->env, qp->qpn);
}

/* ---- Memory regions ---- */

uint8_t *wqe_mr_at(struct wqe *w, uint64_t rkey, uint64_t va, uint32_t len)
{
	for (size_t i = 0; i < w->nmrs; i++) {
		const struct wqe_mr *mr = &w->mrs[i];
		const uint64_t at = va - mr->start;

		if (mr->rkey != rkey || va < mr->start)
			continue;
		if (at <= mr->len && len <= mr->len - at)
			return mr->p + at;
	}
	return NULL;
}

/* ---- Packets ---- */

struct wqe_qp *wqe_addressee(struct wqe *w, const struct dgram *d,
			     const struct bth *bth)
{
	struct wqe_qp *qp = wqe_qp_find(w, bth->dest_qp);

	if (bth->tver) {
		env_drop(&w->env, DROP_VERSION);
	} else if (bth->pkey != WQE_PKEY) {
		env_drop(&w->env, DROP_PKEY);
	} else if (!qp || qp->state < QP_RTR || qp->state == QP_ERR ||
		   !ip_addr_equal(&qp->peer, &d->src)) {
		env_drop(&w->env, DROP_UNKNOWN_QP);
	} else {
		return qp;
	}
	return NULL;
}
