/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_read.c -- reads: the responder's answers, and the requester's
 * record of the received parts.
 *
 * A read takes as many PSNs as its answer has packets, which carry SN, OFF and
 * LEN of the read.  So the patent's sender is the responder here: the requester
 * requests the lost packets of an answer in an indication (d=1), and needs no
 * cache, since the address is known.  The responder remembers the reads that it
 * answered last, and reads the memory again.
 *
 * Spec: seed 004 S41 to S48; srd_wqe.md B.2, B.4.2, B.4.3, B.9
 */
#include "oracle/wqe/wqe_read.h"

#include <string.h>

#include "base/memory.h"
#include "oracle/wqe/wqe_out.h"
#include "oracle/wqe/wqe_state.h"

static uint64_t *new_map(struct wqe *w, uint32_t n)
{
	return mem_new(&w->env.mem, wqe_map_words(n) * sizeof(uint64_t));
}

/* ---- The responder ---- */

uint8_t wqe_read_opcode(const struct wqe *w, uint32_t i, uint32_t n)
{
	if (n == 1)
		return wqe_opcode(w, IB_RC_READ_RESP_ONLY);
	if (i == 0)
		return wqe_opcode(w, IB_RC_READ_RESP_FIRST);
	return wqe_opcode(w, i + 1 < n ? IB_RC_READ_RESP_MIDDLE
				       : IB_RC_READ_RESP_LAST);
}

/* Sends packet |i| of a read response. */
static void wqe_read_send(struct wqe_qp *qp, const struct wqe_read *r,
			  uint32_t i)
{
	const struct orc_conf *conf = &qp->w->env.conf;
	const uint32_t offset = i * conf->mtu, left = r->len - offset;
	const uint32_t len = left < conf->mtu ? left : conf->mtu;
	const struct bth bth = {
		.opcode = wqe_read_opcode(qp->w, i, r->n),
		.pad = -len & 3,
		.pkey = WQE_PKEY,
		.dest_qp = qp->dest_qp,
		.psn = (r->base + i) & SERIAL24_MASK,
	};
	const struct aeth aeth = {.syndrome = IB_SYNDROME_ACK, .msn = qp->msn};
	const struct wqeth x = {
		.wqe_sn = r->sn,
		.wqe_offset = offset,
		.wqe_length = r->len,
	};
	const bool middle = bth.opcode == IB_WQE_READ_RESP_MIDDLE;
	const uint32_t head = (middle ? 0 : aeth_len) + wqeth_len;
	uint8_t *p = wqe_out(qp, &bth, head + len + bth.pad, conf->dscp_data);

	if (!p)
		return;
	if (!middle)
		aeth_put(&aeth, p);
	p += head;
	wqeth_put(&x, p - wqeth_len);
	if (len)
		memcpy(p, r->from + offset, len);
	memset(p + len, 0, bth.pad);
}

void wqe_read_answer(struct wqe_qp *qp, const struct wqe_entry *e)
{
	struct wqe_read *r = &qp->reads[qp->nreads++ % WQE_READS];

	memory_free(r->again);
	*r = (struct wqe_read){
		.sn = e->sn,
		.base = e->base,
		.n = e->n,
		.len = e->len,
		.from = e->host,
		.again_at = VTIME_NEVER,
		.again = new_map(qp->w, e->n),
	};
	for (uint32_t i = 0; i < r->n; i++)
		wqe_read_send(qp, r, i);
}

void wqe_read_forget(struct wqe_qp *qp)
{
	for (unsigned i = 0; i < WQE_READS; i++)
		memory_free(qp->reads[i].again);
	memset(qp->reads, 0, sizeof(qp->reads));
	qp->nreads = 0;
}

/*
 * Returns the read that has a PSN; NULL if the responder does not remember it.
 */
static struct wqe_read *of_psn(struct wqe_qp *qp, uint32_t psn)
{
	for (unsigned i = 0; i < WQE_READS; i++)
		if (psn - qp->reads[i].base < qp->reads[i].n)
			return &qp->reads[i];
	return NULL;
}

void wqe_read_again(struct wqe_qp *qp, const struct wqe_pkt *pkt)
{
	const struct wqe_read *r = of_psn(qp, pkt->psn);

	if (!r || r->base != pkt->base || r->sn != pkt->x.wqe_sn ||
	    r->len != pkt->x.wqe_length) {
		env_drop(&qp->w->env, DROP_CONTRADICTION);
		return;
	}
	for (uint32_t i = pkt->i; i < r->n; i++)
		wqe_read_send(qp, r, i);
}

void wqe_read_listed(struct wqe_qp *qp, const struct rieth *h, uint32_t psn24)
{
	const uint32_t psn = serial24_near(psn24, qp->epsn);
	struct wqe_read *r = of_psn(qp, psn);
	struct env *env = &qp->w->env;
	uint32_t i;

	if (!r || !r->again || (h->k && h->wqe_sn != r->sn))
		return;
	if (r->again_at == VTIME_NEVER ||
	    env->now >= r->again_at + env->conf.wqe_hold) {
		memset(r->again, 0, wqe_map_words(r->n) * sizeof(uint64_t));
		r->again_at = env->now;
	}
	i = psn - r->base;
	if (wqe_map_has(r->again, i))
		return;
	wqe_map_set(r->again, i);
	env->stats.tx_retx++;
	wqe_read_send(qp, r, i);
}

/* ---- The requester ---- */

bool wqe_read_begin(struct wqe *w, struct wqe_wr *wr)
{
	wr->into = mem_new(&w->env.mem, wr->len ? wr->len : 1);
	wr->here = new_map(w, wr->n);
	if (wr->into && wr->here)
		return true;
	wqe_read_drop(wr);
	return false;
}

void wqe_read_drop(struct wqe_wr *wr)
{
	memory_free(wr->into);
	memory_free(wr->here);
	wr->into = NULL;
	wr->here = NULL;
}

void wqe_read_end(struct wqe *w, struct wqe_wr *wr)
{
	memory_free(w->last);
	w->last = wr->into;
	w->last_len = wr->len;
	wr->into = NULL;
	wqe_read_drop(wr);
}

bool wqe_read_take_apart(struct wqe_pkt *ret, const struct bth *bth,
			 const uint8_t *p, size_t len, bool plain)
{
	const uint8_t op = bth->opcode & 0x1f;
	size_t head = op == IB_RC_READ_RESP_MIDDLE ? 0 : aeth_len;

	*ret = (struct wqe_pkt){.bth = *bth, .kind = WQE_READ};
	if (!plain)
		head += wqeth_len;
	if (len < head + bth->pad)
		return false;
	if (!plain)
		wqeth_get(&ret->x, p + head - wqeth_len);
	ret->data = p + head;
	ret->len = (uint32_t)(len - head - bth->pad);
	return true;
}

/* Returns true if a packet is the part of the answer that its PSN implies. */
static bool wqe_read_is_part(const struct wqe *w, const struct wqe_wr *wr,
			     const struct wqe_pkt *pkt)
{
	const uint32_t mtu = w->env.conf.mtu;
	const uint32_t offset = (pkt->psn - wr->base) * mtu;
	const uint32_t left = wr->len - offset;

	if (wr->kind != WQE_READ || pkt->len != (left < mtu ? left : mtu) ||
	    pkt->bth.pad != (-pkt->len & 3))
		return false;
	if (wqe_is_plain(w))
		return true;
	return !pkt->x.ver && !pkt->x.rsvd_2 && pkt->x.wqe_sn == wr->sn &&
	       pkt->x.wqe_offset == offset && pkt->x.wqe_length == wr->len;
}

bool wqe_read_put(struct wqe *w, struct wqe_wr *wr, const struct wqe_pkt *pkt)
{
	const uint32_t i = pkt->psn - wr->base;

	if (!wqe_read_is_part(w, wr, pkt)) {
		env_drop(&w->env, DROP_CONTRADICTION);
		return false;
	}
	if (wqe_map_has(wr->here, i)) {
		w->env.stats.rx_duplicate++;
		return false;
	}
	if (pkt->len)
		memcpy(wr->into + (size_t)i * w->env.conf.mtu, pkt->data,
		       pkt->len);
	wqe_map_set(wr->here, i);
	while (wr->upto < wr->n && wqe_map_has(wr->here, wr->upto))
		wr->upto++;
	return true;
}

uint32_t wqe_read_arrived(const struct wqe_qp *qp)
{
	for (uint32_t i = 0; i < qp->sq_n; i++) {
		const struct wqe_wr *wr = wqe_wr_at(qp, i);

		if (!serial_before(wr->base, qp->acked))
			break;
		if (wr->kind == WQE_READ && wr->upto < wr->n)
			return serial_before(wr->base + wr->upto, qp->acked)
				       ? wr->base + wr->upto
				       : qp->acked;
	}
	return qp->acked;
}

/*
 * Requests the missing packets of a read up to |end| that were not requested
 * yet, or all of them if |again|.
 */
static void ask_for(struct wqe_qp *qp, const struct wqe_wr *wr, uint32_t end,
		    bool again)
{
	struct wqe_missing m = {
		.d = true, .k = true, .sn = wr->sn, .expected = qp->una};

	for (uint32_t psn = wr->base + wr->upto; serial_before(psn, end);
	     psn++) {
		struct wqe_sent *s = &qp->sent[wqe_slot(qp, psn)];

		if (wqe_map_has(wr->here, psn - wr->base) ||
		    (!again && s->repeated != VTIME_NEVER))
			continue;
		if (wqe_is_full(qp, &m)) {
			wqe_indicate(qp, &m, true);
			m.n = 0;
		}
		m.psn[m.n++] = psn;
		s->repeated = qp->w->env.now;
	}
	if (m.n)
		wqe_indicate(qp, &m, false);
}

void wqe_read_ask(struct wqe_qp *qp)
{
	for (uint32_t i = 0; i < qp->sq_n; i++) {
		const struct wqe_wr *wr = wqe_wr_at(qp, i);
		const uint32_t end = wr->base + wr->n;

		if (!serial_before(wr->base, qp->acked))
			break;
		if (wr->kind == WQE_READ)
			ask_for(qp, wr,
				serial_before(end, qp->acked) ? end : qp->acked,
				false);
	}
}

void wqe_read_ask_again(struct wqe_qp *qp, const struct wqe_wr *wr)
{
	ask_for(qp, wr, wr->base + wr->n, true);
}
