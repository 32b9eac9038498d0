/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_verbs.c -- the verbs of the WQE extension.
 *
 * A QP is connected like one of RC: modify_qp to RTR names the peer, its QP and
 * the first PSN that it will send, modify_qp to RTS the first PSN of our own.
 * SN starts at 0 with each connection.
 *
 * Spec: srd_wqe.md B.2, B.7, C.5
 */
#include "oracle/wqe/wqe_verbs.h"

#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/pattern.h"
#include "oracle/wqe/wqe_qp.h"
#include "oracle/wqe/wqe_read.h"
#include "oracle/wqe/wqe_req.h"
#include "oracle/wqe/wqe_state.h"

#define DEPTH_USUAL 1024

/* ---- QPs by number ---- */

/* Returns a free slot, or a new one; NULL if there is no memory. */
static struct wqe_qp **wqe_qp_place(struct wqe *w)
{
	struct wqe_qp **v;

	for (size_t i = 0; i < w->nqps; i++)
		if (!w->qps[i])
			return &w->qps[i];
	v = mem_grow(&w->env.mem, w->qps, &w->qps_cap, w->nqps + 1, sizeof(*v));
	if (!v)
		return NULL;
	w->qps = v;
	return &v[w->nqps++];
}

/* A slot of a ring is written before it is read: none needs zeros. */
static bool make_rings(struct wqe_qp *qp)
{
	struct mem *m = &qp->w->env.mem;
	const size_t window = qp->w->env.conf.wqe_window;

	qp->sq = mem_raw(m, qp->depth * sizeof(*qp->sq));
	qp->sent = mem_raw(m, window * sizeof(*qp->sent));
	qp->gaps = mem_raw(m, window * sizeof(*qp->gaps));
	return qp->sq && qp->sent && qp->gaps;
}

static struct wqe_qp *wqe_qp_make_qp(struct wqe *w, uint32_t depth)
{
	struct wqe_qp *qp = mem_new(&w->env.mem, sizeof(*qp));

	if (!qp)
		return NULL;
	qp->w = w;
	qp->depth = qp->rq.depth = depth;
	qp->rto.kind = TIMER_WQE_RTO;
	qp->miss.kind = TIMER_WQE_MISS;
	if (!timers_reserve(&w->env.timers, &w->env.mem)) {
		memory_free(qp);
		return NULL;
	}
	if (!timers_reserve(&w->env.timers, &w->env.mem)) {
		timers_release(&w->env.timers);
		memory_free(qp);
		return NULL;
	}
	if (make_rings(qp))
		return qp;
	wqe_qp_free(qp);
	return NULL;
}

int wqe_qp_create(struct wqe *w, const struct orc_op *op)
{
	const uint32_t depth = op->vb.depth ? op->vb.depth : DEPTH_USUAL;
	struct wqe_qp **at, *qp;

	if (op->vb.type != QP_RC || depth > QP_DEPTH_MAX)
		return ERR_VALUE;
	at = wqe_qp_place(w);
	qp = at ? wqe_qp_make_qp(w, depth) : NULL;
	if (!qp)
		return ERR_NOMEM;
	qp->qpn = qp_number(&w->by_qpn, &w->next_qpn);
	if (!idmap_put(&w->by_qpn, &w->env.mem, qp->qpn,
		       (uint32_t)(at - w->qps))) {
		wqe_qp_free(qp);
		return ERR_NOMEM;
	}
	*at = qp;
	if (op->ret)
		op->ret->qpn = qp->qpn;
	return 0;
}

/* ---- States ---- */

static bool wqe_qp_may_change(enum qp_state from, enum qp_state to)
{
	static const uint8_t next[QP_STATES] = {
		[QP_RESET] = 1 << QP_INIT,
		[QP_INIT] = 1 << QP_INIT | 1 << QP_RTR,
		[QP_RTR] = 1 << QP_RTS,
		[QP_RTS] = 1 << QP_RTS,
	};

	return qp_may_change(next, from, to);
}

/* "BITMAP by SN": a QP that starts again forgets all earlier WQEs. */
static void start_over(struct wqe_qp *qp)
{
	wqe_qp_stop_timers(qp);
	wqe_qp_forget(qp);
	qp->sq_n = 0;
	qp->rq.n = 0;
	qp->sq_sn = 0;
	qp->msn = 0;
	qp->listed = 0;
	qp->retries = 0;
	qp->rnr_retries = 0;
	qp->rnr_until = 0;
	qp->rnr = false;
	qp->nak_sent = false;
}

static void wqe_qp_connect(struct wqe_qp *qp, const struct orc_op *op)
{
	qp->peer = op->peer;
	qp->dest_qp = op->vb.dest_qp;
	qp->epsn = qp->high = qp->owed = qp->gaps_end = op->vb.rq_psn;
}

static void begin_sending(struct wqe_qp *qp, uint32_t psn)
{
	qp->una = qp->acked = qp->next = qp->sent_to = qp->end = psn;
	qp->gap_at = VTIME_NEVER;
}

int wqe_qp_modify(struct wqe *w, const struct orc_op *op)
{
	struct wqe_qp *qp = wqe_qp_find(w, op->vb.qpn);
	const enum qp_state to = op->vb.state;

	if (!qp || to >= QP_STATES || op->vb.dest_qp > QPN_MAX ||
	    op->vb.rq_psn > SERIAL24_MASK || op->vb.sq_psn > SERIAL24_MASK)
		return ERR_VALUE;
	if (!wqe_qp_may_change(qp->state, to))
		return ERR_STATE;
	if (to == QP_ERR) {
		wqe_qp_fail(qp);
		return 0;
	}
	if (to == QP_RESET)
		start_over(qp);
	else if (to == QP_RTR)
		wqe_qp_connect(qp, op);
	else if (to == QP_RTS && qp->state == QP_RTR)
		begin_sending(qp, op->vb.sq_psn);
	qp->state = to;
	return 0;
}

int wqe_qp_query(struct wqe *w, const struct orc_op *op)
{
	const struct wqe_qp *qp = wqe_qp_find(w, op->vb.qpn);

	if (!qp)
		return ERR_VALUE;
	if (op->ret)
		op->ret->state = qp->state;
	return 0;
}

int wqe_qp_destroy(struct wqe *w, const struct orc_op *op)
{
	uint32_t at;

	if (!idmap_get(&w->by_qpn, op->vb.qpn, &at))
		return ERR_VALUE;
	wqe_qp_free(w->qps[at]);
	w->qps[at] = NULL;
	idmap_del(&w->by_qpn, op->vb.qpn);
	return 0;
}

/* ---- Posting ---- */

/* Returns why a WR cannot be sent; STATUS_OK if it can. */
static enum orc_status wqe_qp_check_wr(const struct wqe_qp *qp,
				       const struct orc_op *op)
{
	const struct orc_conf *conf = &qp->w->env.conf;

	if (qp->state == QP_ERR)
		return STATUS_FLUSHED;
	if (op->vb.opcode > WR_READ || op->key > UINT32_MAX ||
	    (op->vb.opcode == WR_READ && op->vb.with_imm))
		return STATUS_LOCAL_QP_OP;
	if (op->vb.lkey)
		return STATUS_LOCAL_PROTECTION;
	if (op->len > conf->wqe_max_len)
		return STATUS_LOCAL_LENGTH;
	/* the whole answer is in flight */
	return op->vb.opcode == WR_READ && wqe_packets(op->len, conf->mtu) >
						   conf->wqe_window
		       ? STATUS_LOCAL_LENGTH
		       : STATUS_OK;
}

static enum wqe_kind wqe_qp_kind_of(enum wr_opcode opcode)
{
	static const enum wqe_kind kinds[] = {
		[WR_SEND] = WQE_SEND,
		[WR_WRITE] = WQE_WRITE,
		[WR_READ] = WQE_READ,
	};

	return kinds[opcode];
}

/*
 * "a counter incremented by one per WQE sent".  Return: false if there is no
 * memory.
 */
static bool wqe_qp_append(struct wqe_qp *qp, const struct orc_op *op)
{
	struct wqe_wr *wr = wqe_wr_at(qp, qp->sq_n);

	*wr = (struct wqe_wr){
		.handle = op->handle,
		.len = op->len,
		.rkey = (uint32_t)op->key,
		.imm = op->vb.imm,
		.va = op->offset,
		.sn = qp->sq_sn,
		.base = qp->end,
		.n = wqe_packets(op->len, qp->w->env.conf.mtu),
		.kind = wqe_qp_kind_of(op->vb.opcode),
		.with_imm = op->vb.with_imm,
	};
	if (wr->kind == WQE_READ && !wqe_read_begin(qp->w, wr))
		return false;
	qp->sq_n++;
	qp->sq_sn = (qp->sq_sn + 1) & SERIAL24_MASK;
	qp->end += wr->n;
	return true;
}

int wqe_qp_send(struct wqe *w, const struct orc_op *op)
{
	struct wqe_qp *qp = wqe_qp_find(w, op->vb.qpn);
	const uint32_t count = op->count ? op->count : 1;
	enum orc_status status;

	if (!qp)
		return ERR_VALUE;
	if (qp->state < QP_RTS)
		return ERR_STATE;
	if (count > qp->depth - qp->sq_n)
		return ERR_SPACE;
	status = wqe_qp_check_wr(qp, op);
	for (uint32_t i = 0; i < count; i++) {
		if (status == STATUS_OK && !wqe_qp_append(qp, op))
			return ERR_NOMEM;
		if (status != STATUS_OK)
			qp_completed(&qp->w->env, qp->qpn, op->handle, status);
	}
	if (status == STATUS_OK)
		wqe_req_pump(qp);
	return 0;
}

int wqe_qp_recv(struct wqe *w, const struct orc_op *op)
{
	struct wqe_qp *qp = wqe_qp_find(w, op->vb.qpn);
	int err;

	if (!qp)
		return ERR_VALUE;
	if (qp->state == QP_RESET)
		return ERR_STATE;
	err = recv_post(&qp->rq, &w->env.mem, op);
	if (!err && qp->state == QP_ERR)
		recv_flush(&qp->rq, &w->env, qp->qpn);
	return err;
}

/* ---- Memory regions ---- */

int wqe_expose(struct wqe *w, const struct orc_op *op)
{
	struct wqe_mr *v;
	uint8_t *p;

	if (op->len > UINT64_MAX - op->offset)
		return ERR_VALUE;
	for (size_t i = 0; i < w->nmrs; i++)
		if (w->mrs[i].rkey == op->key)
			return ERR_STATE;
	v = mem_grow(&w->env.mem, w->mrs, &w->mrs_cap, w->nmrs + 1, sizeof(*v));
	if (v)
		w->mrs = v;
	p = v ? mem_new(&w->env.mem, op->len ? op->len : 1) : NULL;
	if (!p)
		return ERR_NOMEM;
	pattern_fill(p, w->env.data_seed, pattern_memory(op->key), 0, op->len);
	v[w->nmrs++] = (struct wqe_mr){op->key, op->offset, p, op->len};
	return 0;
}
