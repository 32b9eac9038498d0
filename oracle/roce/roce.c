/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/roce/roce.c -- the responder of plain RoCEv2, reliable connections: it
 * accepts packets in order, drops early ones, and sends one NAK for a gap.
 *
 * QPs, verbs and the requester are those of the WQE extension with go-back-N.
 * Packets do not carry their place in a message, so there is one message at a
 * time, and nothing is cached.  Sends, writes and reads are supported; atomics
 * and invalidation are invalid requests.
 *
 * Spec: InfiniBand 1, 9.7 (srd_wqe.md B.3)
 */
#include "oracle/roce/roce.h"

#include <string.h>

#include "base/memory.h"
#include "oracle/roce/roce_msg.h"
#include "oracle/wqe/wqe_out.h"
#include "oracle/wqe/wqe_qp.h"
#include "oracle/wqe/wqe_read.h"
#include "oracle/wqe/wqe_req.h"
#include "oracle/wqe/wqe_state.h"
#include "wire/frame/crc.h"

/* A parsed request; |data| is lent. */
struct roce_request {
	struct bth bth;
	struct reth reth;
	uint32_t psn; /* extended to 32 bits */
	enum wqe_kind kind;
	bool begins, ends, with_imm;
	uint32_t imm;
	const uint8_t *data;
	uint32_t len;
};

enum {
	SENDS = IB_RC_WRITE_FIRST, /* sends are the opcodes below this */
	WRITES = IB_RC_READ_REQ,   /* writes are the opcodes below this */
	PLACES = 6, /* first, middle, last, last_imm, only, only_imm */
};

/* ---- Answers ---- */

static uint8_t *roce_reply(struct wqe_qp *qp, uint8_t opcode, uint32_t psn,
			   uint32_t len, uint8_t pad)
{
	const struct bth bth = {
		.opcode = opcode,
		.pad = pad,
		.pkey = WQE_PKEY,
		.dest_qp = qp->dest_qp,
		.psn = psn & SERIAL24_MASK,
	};

	return wqe_out(qp, &bth, len, qp->w->env.conf.dscp_control);
}

static void roce_answer(struct wqe_qp *qp, uint8_t syndrome, uint32_t psn)
{
	const struct aeth aeth = {.syndrome = syndrome, .msn = qp->msn};
	uint8_t *p = roce_reply(qp, IB_RC_ACK, psn, aeth_len, 0);

	if (!p)
		return;
	aeth_put(&aeth, p);
	qp->w->env.stats.tx_ack++;
}

static void roce_acknowledge(struct wqe_qp *qp)
{
	roce_answer(qp, IB_SYNDROME_ACK, qp->epsn - 1);
}

/* Refuses a packet, which ends the QP. */
static void roce_refuse(struct wqe_qp *qp, uint8_t syndrome)
{
	roce_answer(qp, syndrome, qp->epsn);
	qp->w->env.stats.tx_nack++;
	wqe_qp_fail(qp);
}

/*
 * Sends an RNR NAK; later packets are dropped silently until the refused one is
 * retransmitted.
 */
static void roce_not_ready(struct wqe_qp *qp)
{
	qp->nak_sent = true;
	roce_answer(qp, IB_SYNDROME_RNR | (uint8_t)qp->w->env.conf.wqe_rnr_code,
		    qp->epsn);
}

/* ---- Reads ---- */

/* Sends packet |i| of |n| of a read response, |len| bytes at |from|. */
static void roce_bring(struct wqe_qp *qp, uint32_t psn, uint32_t i, uint32_t n,
		       const uint8_t *from, uint32_t len)
{
	const uint8_t opcode = wqe_read_opcode(qp->w, i, n), pad = -len & 3;
	const bool middle = opcode == IB_RC_READ_RESP_MIDDLE;
	const uint32_t head = middle ? 0 : aeth_len;
	const struct aeth aeth = {.syndrome = IB_SYNDROME_ACK, .msn = qp->msn};
	uint8_t *p = roce_reply(qp, opcode, psn, head + len + pad, pad);

	if (!p)
		return;
	if (!middle)
		aeth_put(&aeth, p);
	if (len)
		memcpy(p + head, from, len);
	memset(p + head + len, 0, pad);
}

static void bring_all(struct wqe_qp *qp, const struct roce_request *r,
		      const uint8_t *from)
{
	const uint32_t mtu = qp->w->env.conf.mtu, len = r->reth.dmalen;
	const uint32_t n = wqe_packets(len, mtu);

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t left = len - i * mtu;

		roce_bring(qp, r->psn + i, i, n, from + (size_t)i * mtu,
			   left < mtu ? left : mtu);
	}
}

/* Returns the readable memory, empty or not; NULL if access is denied. */
static const uint8_t *readable(struct wqe_qp *qp, const struct roce_request *r)
{
	static const uint8_t nothing[1];
	const uint32_t len = r->reth.dmalen;

	return len ? wqe_mr_at(qp->w, r->reth.rkey, r->reth.va, len) : nothing;
}

static void take_read(struct wqe_qp *qp, const struct roce_request *r)
{
	const struct orc_conf *conf = &qp->w->env.conf;
	const uint8_t *from = readable(qp, r);

	if (r->reth.dmalen > conf->wqe_max_len || r->len) {
		roce_refuse(qp, IB_SYNDROME_INVALID_REQ);
		return;
	}
	if (!from) {
		roce_refuse(qp, IB_SYNDROME_REMOTE_ACCESS);
		return;
	}
	qp->epsn += wqe_packets(r->reth.dmalen, conf->mtu);
	qp->msn = (qp->msn + 1) & SERIAL24_MASK;
	bring_all(qp, r, from);
}

/* ---- Messages ---- */

/* "first and middle payload must equal MTU; last 1 to MTU; only at most" */
static bool roce_is_sound(const struct wqe_qp *qp, const struct roce_request *r)
{
	const struct roce_msg *m = &qp->msg;
	const uint32_t mtu = qp->w->env.conf.mtu;

	if (m->open == r->begins || (m->open && m->kind != r->kind))
		return false;
	if (r->bth.pad != (-r->len & 3))
		return false;
	if (!r->ends)
		return r->len == mtu;
	return r->len <= mtu && (r->begins || r->len);
}

/*
 * Finds the memory of a message, and a receive if it needs one.  A receiver
 * without memory is not ready, either.  Return: 0, or
 * a syndrome.
 */
static uint8_t roce_begin(struct wqe_qp *qp, const struct roce_request *r)
{
	const struct recv_wr *recv = recv_first(&qp->rq);
	struct roce_msg *m = &qp->msg;

	*m = (struct roce_msg){.kind = r->kind, .first = r->psn};
	if (r->kind == WQE_SEND) {
		if (recv)
			m->own = mem_new(&qp->w->env.mem,
					 recv->len ? recv->len : 1);
		if (!m->own)
			return IB_SYNDROME_RNR;
		m->taken = recv_take(&qp->rq, &m->recv);
		m->room = m->recv.len;
		m->at = m->own;
		return 0;
	}
	m->room = r->reth.dmalen;
	m->at = wqe_mr_at(qp->w, r->reth.rkey, r->reth.va, m->room);
	return m->at || !m->room ? 0 : IB_SYNDROME_REMOTE_ACCESS;
}

static void roce_received(struct wqe_qp *qp, const struct roce_request *r,
			  enum orc_status status)
{
	struct roce_msg *m = &qp->msg;
	struct wqe *w = qp->w;
	struct orc_event *ev = qp_received(&w->env, qp->qpn, &m->recv, status);

	ev->orig_psn = r->psn & SERIAL24_MASK;
	ev->len = m->got;
	ev->src_qp = qp->dest_qp;
	ev->imm = r->imm;
	ev->with_imm = r->with_imm;
	if (m->kind != WQE_SEND || status != STATUS_OK)
		return;
	ev->digest = crc32c(0, m->own, m->got);
	memory_free(w->last);
	w->last = m->own;
	w->last_len = m->got;
	m->own = NULL;
}

/* Returns true if the bytes fit, and at the end match the announced length. */
static bool roce_fits(struct wqe_qp *qp, const struct roce_request *r)
{
	struct roce_msg *m = &qp->msg;
	const uint32_t left = m->room - m->got;
	const bool write = m->kind == WQE_WRITE;

	if (r->len <= left && !(write && r->ends && r->len != left))
		return true;
	if (!write)
		roce_received(qp, r, STATUS_LOCAL_LENGTH);
	roce_refuse(qp, IB_SYNDROME_INVALID_REQ);
	return false;
}

static void roce_end(struct wqe_qp *qp, const struct roce_request *r)
{
	qp->msn = (qp->msn + 1) & SERIAL24_MASK;
	qp->w->env.stats.delivered++;
	if (qp->msg.taken)
		roce_received(qp, r, STATUS_OK);
	roce_msg_forget(qp);
}

static void take_part(struct wqe_qp *qp, const struct roce_request *r)
{
	struct roce_msg *m = &qp->msg;

	if (!roce_fits(qp, r))
		return;
	if (r->with_imm && !m->taken && !recv_take(&qp->rq, &m->recv)) {
		roce_not_ready(qp);
		return;
	}
	m->taken |= r->with_imm;
	if (m->at && r->len)
		memcpy(m->at + m->got, r->data, r->len);
	m->got += r->len;
	m->open = true;
	qp->epsn++;
	if (r->ends)
		roce_end(qp, r);
	if (r->bth.ackreq)
		roce_acknowledge(qp);
}

/* ---- Packets ---- */

/* "Duplicate SEND or WRITE is acknowledged again"; a read is executed again. */
static void roce_take_again(struct wqe_qp *qp, const struct roce_request *r)
{
	const uint8_t *from;

	qp->w->env.stats.rx_duplicate++;
	if (r->bth.opcode != IB_RC_READ_REQ) {
		roce_acknowledge(qp);
		return;
	}
	from = readable(qp, r);
	if (from && r->reth.dmalen <= qp->w->env.conf.wqe_max_len)
		bring_all(qp, r, from);
}

/* "PSN > expected: drop; one NAK until the gap closes" */
static void take_early(struct wqe_qp *qp)
{
	env_drop(&qp->w->env, DROP_OUT_OF_ORDER);
	if (!qp->nak_sent)
		roce_answer(qp, IB_SYNDROME_PSN_SEQ, qp->epsn);
	qp->nak_sent = true;
}

static void roce_take_expected(struct wqe_qp *qp, const struct roce_request *r)
{
	uint8_t why = 0;

	qp->nak_sent = false;
	if (r->bth.opcode == IB_RC_READ_REQ && !qp->msg.open) {
		take_read(qp, r);
		return;
	}
	if (r->bth.opcode >= WRITES || !roce_is_sound(qp, r))
		why = IB_SYNDROME_INVALID_REQ;
	else if (r->begins)
		why = roce_begin(qp, r);
	if (why == IB_SYNDROME_RNR)
		roce_not_ready(qp);
	else if (why)
		roce_refuse(qp, why);
	else
		take_part(qp, r);
}

static void roce_take_request(struct wqe_qp *qp, struct roce_request *r)
{
	const int32_t d = serial24_diff(r->bth.psn, qp->epsn & SERIAL24_MASK);

	r->psn = serial24_near(r->bth.psn, qp->epsn);
	if (d < 0)
		roce_take_again(qp, r);
	else if (d > 0)
		take_early(qp);
	else
		roce_take_expected(qp, r);
}

static bool has_reth(const struct roce_request *r)
{
	return r->bth.opcode == IB_RC_READ_REQ ||
	       (r->kind == WQE_WRITE && r->begins && r->bth.opcode < WRITES);
}

/*
 * Parses the headers behind the BTH.  Return: false if the packet is truncated.
 */
static bool roce_take_apart(struct roce_request *r, const uint8_t *p,
			    size_t len)
{
	const unsigned place = r->bth.opcode % PLACES;
	struct imm_eth imm = {0};
	size_t head = 0;

	r->kind = r->bth.opcode < SENDS ? WQE_SEND : WQE_WRITE;
	r->begins = place == 0 || place >= 4;
	r->ends = place >= 2;
	r->with_imm = r->bth.opcode < WRITES && (place == 3 || place == 5);
	head += has_reth(r) ? reth_len : 0;
	head += r->with_imm ? imm_eth_len : 0;
	if (len < head + r->bth.pad)
		return false;
	if (has_reth(r))
		reth_get(&r->reth, p);
	if (r->with_imm)
		imm_eth_get(&imm, p + head - imm_eth_len);
	r->imm = imm.imm;
	r->data = p + head;
	r->len = (uint32_t)(len - head - r->bth.pad);
	return true;
}

void roce_take(struct wqe *w, const struct dgram *d, size_t len)
{
	const uint8_t *behind = d->data + bth_len;
	struct roce_request r = {0};
	struct wqe_qp *qp;

	if (len < bth_len) {
		env_drop(&w->env, DROP_SHORT);
		return;
	}
	bth_get(&r.bth, d->data);
	if (r.bth.opcode > IB_RC_SEND_ONLY_INV ||
	    r.bth.opcode == IB_RC_ATOMIC_ACK) {
		env_drop(&w->env, DROP_TYPE);
		return;
	}
	qp = wqe_addressee(w, d, &r.bth);
	if (!qp)
		return;
	if (r.bth.opcode > IB_RC_READ_REQ && r.bth.opcode < IB_RC_ACK)
		wqe_req_data(qp, &r.bth, behind, len - bth_len);
	else if (r.bth.opcode == IB_RC_ACK)
		wqe_req_answer(qp, &r.bth, behind, len - bth_len);
	else if (roce_take_apart(&r, behind, len - bth_len))
		roce_take_request(qp, &r);
	else
		env_drop(&w->env, DROP_SHORT);
}
