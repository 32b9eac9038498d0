/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_rsp.c -- the responder: checks and places packets, and
 * completes each WQE when its turn comes.
 *
 * A packet that fails a check changes nothing.  In order it is refused with a
 * NAK and the QP ends.  Out of order it is dropped, stays missing, and is
 * judged when its turn comes, so that the right WQE is blamed.
 *
 * Data that comes out of order goes to the host at once if its address is
 * known: for a write, when its first packet has arrived; for a send, when all
 * packets before its first have.  Otherwise a cache of LEN bytes takes it.
 * Cached data is never acknowledged.
 *
 * Spec: seed 004 S31, S32, S44 to S46, S49; srd_wqe.md B.6 to B.9
 */
#include "oracle/wqe/wqe_rsp.h"

#include <string.h>

#include "base/memory.h"
#include "oracle/wqe/wqe_entry.h"
#include "oracle/wqe/wqe_miss.h"
#include "oracle/wqe/wqe_out.h"
#include "oracle/wqe/wqe_qp.h"
#include "oracle/wqe/wqe_read.h"
#include "oracle/wqe/wqe_state.h"
#include "wire/frame/crc.h"

/* ---- Answers ---- */

static void wqe_rsp_answer(struct wqe_qp *qp, uint8_t syndrome, uint32_t psn)
{
	struct env *env = &qp->w->env;
	const struct bth bth = {
		.opcode = IB_WQE_ACK,
		.pkey = WQE_PKEY,
		.dest_qp = qp->dest_qp,
		.psn = psn & SERIAL24_MASK,
	};
	const struct aeth aeth = {.syndrome = syndrome, .msn = qp->msn};
	uint8_t *p = wqe_out(qp, &bth, aeth_len, env->conf.dscp_control);

	if (!p)
		return;
	aeth_put(&aeth, p);
	env->stats.tx_ack++;
}

static void wqe_rsp_acknowledge(struct wqe_qp *qp)
{
	wqe_rsp_answer(qp, IB_SYNDROME_ACK, qp->epsn - 1);
}

static void wqe_rsp_refuse(struct wqe_qp *qp, uint8_t syndrome)
{
	wqe_rsp_answer(qp, syndrome, qp->epsn);
	qp->w->env.stats.tx_nack++;
	wqe_qp_fail(qp);
}

/* Handles a WQE whose turn has come without a posted receive. */
static void wqe_rsp_not_ready(struct wqe_qp *qp)
{
	qp->rnr = true;
	wqe_rsp_answer(qp,
		       IB_SYNDROME_RNR | (uint8_t)qp->w->env.conf.wqe_rnr_code,
		       qp->epsn);
}

/* ---- Checks (B.6) ---- */

/* V6 to V8: the packet does not contradict itself. */
static bool consistent(struct wqe_pkt *pkt, uint32_t mtu)
{
	/* of each opcode: 0 is first, 1 middle, 2 last, 3 only */
	static const uint8_t places[] = {0, 1, 2, 2, 3, 3};
	const unsigned place = places[(pkt->bth.opcode & 0x1f) % 6];
	const uint32_t off = pkt->x.wqe_offset, len = pkt->x.wqe_length;
	unsigned want = 1;

	pkt->i = off / mtu;
	pkt->n = wqe_packets(len, mtu);
	pkt->base = pkt->psn - pkt->i;
	if (off % mtu || pkt->i >= pkt->n)
		return false;
	if (pkt->kind == WQE_READ)
		return !pkt->len && !pkt->bth.pad &&
		       pkt->reth.dmalen == len - off;
	if (pkt->len != (pkt->i + 1 < pkt->n ? mtu : len - off) ||
	    pkt->bth.pad != (-pkt->len & 3))
		return false;
	if (pkt->n == 1)
		want = 3;
	else if (pkt->i == 0)
		want = 0;
	else if (pkt->i + 1 == pkt->n)
		want = 2;
	return place == want && (!pkt->with_reth || pkt->reth.dmalen == len);
}

/* V9: the packet agrees with earlier packets of the same WQE. */
static bool wqe_rsp_agrees(const struct wqe_entry *e, const struct wqe_pkt *pkt)
{
	return e->base == pkt->base && e->len == pkt->x.wqe_length &&
	       e->kind == pkt->kind;
}

/* "SN order agrees with PSN order and SN distance <= PSN distance" */
static bool in_order_with(uint32_t sn, uint32_t base, uint32_t sn2,
			  uint32_t base2)
{
	const int32_t d = serial24_diff(sn, sn2);
	const int32_t way = serial_diff(base, base2);

	return d < 0 ? way <= d : d <= way;
}

/* V10: a new WQE fits among the known ones. */
static bool fits_in(const struct wqe_qp *qp, const struct wqe_pkt *pkt)
{
	const uint32_t sn = pkt->x.wqe_sn;

	if (serial_before(pkt->base, qp->epsn) ||
	    serial24_diff(sn, qp->msn) < 0)
		return false;
	if (!qp->entries || serial_after(qp->entries->base, qp->epsn)) {
		if (!in_order_with(sn, pkt->base, qp->msn, qp->epsn) ||
		    (pkt->base == qp->epsn && sn != qp->msn))
			return false;
	}
	for (const struct wqe_entry *e = qp->entries; e; e = e->next) {
		if (!in_order_with(sn, pkt->base, e->sn, e->base))
			return false;
		if (serial_before(pkt->base, e->base + e->n) &&
		    serial_before(e->base, pkt->base + pkt->n))
			return false;
	}
	return true;
}

static bool is_valid(const struct wqe_qp *qp, struct wqe_pkt *pkt)
{
	const struct orc_conf *conf = &qp->w->env.conf;
	const struct wqe_entry *e;

	if (pkt->x.wqe_length > conf->wqe_max_len ||
	    !consistent(pkt, conf->mtu) || (pkt->kind == WQE_READ && pkt->i))
		return false;
	e = wqe_entry_by_sn(qp, pkt->x.wqe_sn);
	return e ? wqe_rsp_agrees(e, pkt) : fits_in(qp, pkt);
}

/* ---- Placement ---- */

/* V11, and "the address of the whole WQE" of a write or a read. */
static void resolve_address(struct wqe_qp *qp, struct wqe_entry *e,
			    const struct wqe_pkt *pkt)
{
	e->host = wqe_mr_at(qp->w, pkt->reth.rkey, pkt->reth.va, e->len);
	e->bad_key = !e->host && e->len;
}

/*
 * Takes a receive, in the order of the sends.  Return: false if there is none,
 * or no memory for the message.
 */
static bool resolve_send(struct wqe_qp *qp, struct wqe_entry *e)
{
	if (e->taken)
		return true;
	if (recv_first(&qp->rq))
		e->own = mem_new(&qp->w->env.mem, e->len ? e->len : 1);
	if (!e->own)
		return false;
	e->host = e->own;
	e->taken = recv_take(&qp->rq, &e->recv);
	return true;
}

/*
 * In the strict variant nothing is written while an earlier packet is missing.
 */
static bool may_place(const struct wqe_qp *qp, const struct wqe_entry *e)
{
	return !qp->w->env.conf.wqe_in_order ||
	       !serial_after(e->base, qp->epsn);
}

static bool wqe_rsp_place(struct wqe_qp *qp, struct wqe_entry *e,
			  const struct wqe_pkt *pkt)
{
	uint8_t *to = may_place(qp, e) ? e->host : NULL;

	if (!to || e->cache) {
		if (!wqe_entry_cache(qp, e))
			return false;
		to = e->cache;
	}
	if (pkt->len && to)
		memcpy(to + pkt->x.wqe_offset, pkt->data, pkt->len);
	wqe_entry_set(e, pkt->i);
	return true;
}

/* Takes a valid new packet.  Return: false if it is dropped. */
static bool wqe_rsp_take(struct wqe_qp *qp, struct wqe_entry *e,
			 const struct wqe_pkt *pkt)
{
	if (pkt->with_reth)
		resolve_address(qp, e, pkt);
	if (pkt->kind == WQE_READ) {
		for (uint32_t i = 0; i < e->n; i++)
			wqe_entry_set(e, i);
		return true;
	}
	if (pkt->with_imm) {
		e->with_imm = true;
		e->imm = pkt->imm;
	}
	if (e->kind == WQE_SEND && !serial_after(e->base, qp->epsn) &&
	    !resolve_send(qp, e) && pkt->psn == qp->epsn) {
		wqe_rsp_not_ready(qp);
		return false;
	}
	return wqe_rsp_place(qp, e, pkt);
}

/* ---- Completion ---- */

static void wqe_rsp_received(struct wqe_qp *qp, struct wqe_entry *e,
			     enum orc_status status)
{
	struct wqe *w = qp->w;
	struct orc_event *ev = qp_received(&w->env, qp->qpn, &e->recv, status);

	ev->orig_psn = (e->base + e->n - 1) & SERIAL24_MASK;
	ev->len = e->len;
	ev->src_qp = qp->dest_qp;
	ev->imm = e->imm;
	ev->with_imm = e->with_imm;
	if (e->kind != WQE_SEND || status != STATUS_OK)
		return;
	ev->digest = crc32c(0, e->own, e->len);
	memory_free(w->last);
	w->last = e->own;
	w->last_len = e->len;
	e->own = NULL;
}

/* "write all to the host and release the cache" */
static void wqe_rsp_complete(struct wqe_qp *qp, struct wqe_entry *e)
{
	if (e->cache && e->host)
		memcpy(e->host, e->cache, e->len);
	qp->w->env.stats.delivered++;
	qp->msn = (qp->msn + 1) & SERIAL24_MASK;
	if (e->taken)
		wqe_rsp_received(qp, e, STATUS_OK);
	if (e->kind == WQE_READ)
		wqe_read_answer(qp, e);
	wqe_entry_remove(qp, e);
}

/*
 * Checks what must hold before the expected packet counts, especially the last
 * of a WQE: it needs its address, and a receive if it uses one.  Return: false
 * if the packet does not count.
 */
static bool may_advance(struct wqe_qp *qp, struct wqe_entry *e)
{
	const bool last = qp->epsn - e->base + 1 == e->n;

	if (e->bad_key) {
		wqe_rsp_refuse(qp, IB_SYNDROME_REMOTE_ACCESS);
		return false;
	}
	if ((e->kind == WQE_SEND || (last && e->with_imm)) && !e->taken) {
		if (e->kind == WQE_SEND ? !resolve_send(qp, e)
					: !recv_take(&qp->rq, &e->recv)) {
			wqe_rsp_not_ready(qp);
			return false;
		}
		e->taken = true;
	}
	if (e->kind == WQE_SEND && e->len > e->recv.len) {
		wqe_rsp_received(qp, e, STATUS_LOCAL_LENGTH);
		wqe_rsp_refuse(qp, IB_SYNDROME_INVALID_REQ);
		return false;
	}
	return true;
}

/* Advances ePSN over all received packets, and sends a requested ACK. */
static void wqe_rsp_advance(struct wqe_qp *qp)
{
	const uint32_t from = qp->epsn;
	struct wqe_entry *e;

	while ((e = wqe_entry_find(qp, qp->epsn)) &&
	       wqe_entry_has(e, qp->epsn - e->base) && may_advance(qp, e)) {
		qp->rnr = false;
		if (++qp->epsn == e->base + e->n)
			wqe_rsp_complete(qp, e);
	}
	if (qp->epsn == from || qp->state == QP_ERR)
		return;
	qp->nak_sent = false;
	if (serial_after(qp->owed, from) && !serial_after(qp->owed, qp->epsn))
		wqe_rsp_acknowledge(qp);
}

/* ---- Packets ---- */

/* Acknowledges or answers a duplicate of an acknowledged packet again (V3). */
static bool is_old(struct wqe_qp *qp, struct wqe_pkt *pkt)
{
	if (!serial_before(pkt->psn, qp->epsn))
		return false;
	qp->w->env.stats.rx_duplicate++;
	if (pkt->kind != WQE_READ)
		wqe_rsp_acknowledge(qp);
	else if (consistent(pkt, qp->w->env.conf.mtu))
		wqe_read_again(qp, pkt);
	return true;
}

/* In go-back-N an early packet is dropped, with one NAK per gap. */
static bool wqe_rsp_goes_back(struct wqe_qp *qp, const struct wqe_pkt *pkt)
{
	if (!qp->w->env.conf.wqe_gbn || pkt->psn == qp->epsn)
		return false;
	env_drop(&qp->w->env, DROP_OUT_OF_ORDER);
	if (!qp->nak_sent)
		wqe_rsp_answer(qp, IB_SYNDROME_PSN_SEQ, qp->epsn);
	qp->nak_sent = true;
	return true;
}

static void reject(struct wqe_qp *qp, const struct wqe_pkt *pkt)
{
	env_drop(&qp->w->env, DROP_CONTRADICTION);
	if (pkt->psn == qp->epsn)
		wqe_rsp_refuse(qp, IB_SYNDROME_INVALID_REQ);
}

static void accept(struct wqe_qp *qp, const struct wqe_pkt *pkt)
{
	struct wqe_entry *e = wqe_entry_by_sn(qp, pkt->x.wqe_sn);

	if (e && wqe_entry_has(e, pkt->i)) {
		qp->w->env.stats.rx_duplicate++;
	} else {
		if (!e)
			e = wqe_entry_add(qp, pkt);
		if (!e)
			return;
		if (!wqe_rsp_take(qp, e, pkt)) {
			if (!e->got)
				wqe_entry_remove(qp, e);
			return;
		}
		wqe_miss_note(qp, pkt->kind == WQE_READ ? e->base + e->n - 1
							: pkt->psn);
	}
	if (pkt->bth.ackreq && pkt->kind != WQE_READ &&
	    serial_after(pkt->psn + 1, qp->owed))
		qp->owed = pkt->psn + 1;
	if (pkt->psn == qp->epsn)
		wqe_rsp_advance(qp);
}

void wqe_rsp_packet(struct wqe_qp *qp, struct wqe_pkt *pkt)
{
	struct env *env = &qp->w->env;

	pkt->psn = serial24_near(pkt->bth.psn, qp->epsn);
	if (serial_diff(pkt->psn, qp->epsn) >= (int32_t)env->conf.wqe_window) {
		env_drop(env, DROP_WINDOW);
		return;
	}
	if (is_old(qp, pkt) || wqe_rsp_goes_back(qp, pkt))
		return;
	if (pkt->x.ver || pkt->x.rsvd_2) {
		env_drop(env, DROP_VERSION);
		return;
	}
	qp->heard_at = env->now;
	if (is_valid(qp, pkt))
		accept(qp, pkt);
	else
		reject(qp, pkt);
	if (qp->state != QP_ERR)
		wqe_miss_arm(qp);
}
