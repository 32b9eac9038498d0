/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_out.c -- writes packets that every part of the endpoint sends:
 * the BTH of a datagram, and the indication that lists missing PSNs.
 *
 * Spec: srd_wqe.md B.4, B.6
 */
#include "oracle/wqe/wqe_out.h"

#include <stdlib.h>

#include "oracle/wqe/wqe_state.h"

/* ---- Packets ---- */

uint8_t *wqe_out(struct wqe_qp *qp, const struct bth *bth, uint32_t len,
		 uint8_t dscp)
{
	const struct outq_head head = {
		.dst = qp->peer,
		.entropy = WQE_ENTROPY,
		.dscp = dscp,
		.len = bth_len + len,
	};
	uint8_t *p = outq_add(&qp->w->env.out, &qp->w->env.mem, &head);

	if (!p)
		return NULL;
	bth_put(bth, p);
	return p + bth_len;
}

/* ---- Indications ---- */

/* Returns how many words the bitmap form takes; 0 if it is not possible. */
static uint32_t bitmap_words(const struct wqe_qp *qp,
			     const struct wqe_missing *m)
{
	const uint32_t span = m->psn[m->n - 1] - m->psn[0] + 1;

	return qp->w->env.conf.wqe_bitmap && span <= 32 * WQE_LIST
		       ? (span + 31) / 32
		       : 0;
}

static void wqe_out_list(const struct wqe_missing *m, uint8_t *p)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const struct rieth_entry entry = {.missing_psn = m->psn[i] &
								 SERIAL24_MASK};

		rieth_entry_put(&entry, p + i * rieth_entry_len);
	}
}

static void put_bitmap(const struct wqe_missing *m, uint32_t words, uint8_t *p)
{
	const struct rieth_entry base = {.missing_psn =
						 m->psn[0] & SERIAL24_MASK};

	rieth_entry_put(&base, p);
	p += rieth_entry_len;
	for (uint32_t i = 0; i < 4 * words; i++)
		p[i] = 0;
	for (uint32_t i = 0; i < m->n; i++) {
		const uint32_t k = m->psn[i] - m->psn[0];

		p[k / 8] |= (uint8_t)(0x80 >> k % 8);
	}
}

bool wqe_is_full(const struct wqe_qp *qp, const struct wqe_missing *m)
{
	const uint32_t most = qp->w->env.conf.wqe_ind_psns;

	return m->n == WQE_LIST || (most && m->n >= most);
}

void wqe_indicate(struct wqe_qp *qp, const struct wqe_missing *m, bool more)
{
	struct env *env = &qp->w->env;
	const uint32_t words = bitmap_words(qp, m);
	const struct bth bth = {
		.opcode = IB_WQE_RTX_IND,
		.pkey = WQE_PKEY,
		.dest_qp = qp->dest_qp,
		.psn = m->expected & SERIAL24_MASK,
	};
	const struct aeth aeth = {.syndrome = IB_SYNDROME_PSN_SEQ,
				  .msn = qp->msn};
	const struct rieth rieth = {
		.fmt = words ? RIETH_BITMAP : RIETH_LIST,
		.k = m->k,
		.d = m->d,
		.more = more,
		.wqe_sn = m->sn,
		.count = (uint16_t)(words ? words : m->n),
	};
	uint8_t *p =
		wqe_out(qp, &bth,
			aeth_len + rieth_len +
				(words ? words + 1 : m->n) * rieth_entry_len,
			env->conf.dscp_control);

	if (!p)
		return;
	aeth_put(&aeth, p);
	rieth_put(&rieth, p + aeth_len);
	p += aeth_len + rieth_len;
	if (words)
		put_bitmap(m, words, p);
	else
		wqe_out_list(m, p);
	env->stats.tx_nack++;
}
