/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/cc.h -- how a packet changes the byte counts of a direction.
 * Each new PSN and each ACK also changes them in steps.h.
 *
 * Spec: UET 3.6.9 (uet.md 3.5, 8.5)
 */
#ifndef JUDGE_UET_FLOW_CC_H
#define JUDGE_UET_FLOW_CC_H

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/flow/steps.h"
#include "judge/uet/pkt_ctx.h"

/* flow_cc_arrived records that a PSN arrived for the first time. */
static inline void flow_cc_arrived(struct pkt_ctx *l, struct psn_state *s)
{
	step_closed(l->j, l->own, l->psn, l->at);
	if (likely(l->kind == PKT_REQ && !l->mangled))
		step_sent(l->own, s, l->len);
	else
		s->size = 0;
}

#define CREDIT_MASK 0xffffffu /* credit counts modulo 2^24 */

/* flow_cc_forward returns by how much |to| is ahead of |from|; 0: it is not. */
static inline uint32_t flow_cc_forward(uint32_t from, uint32_t to)
{
	const uint32_t ahead = (to - from) & CREDIT_MASK;

	return ahead < (CREDIT_MASK + 1) / 2 ? ahead : 0;
}

/*
 * flow_cc_credit records the credit of an ACK_CC or a Credit.  A value that a
 * later one has overtaken grants nothing.
 */
static inline void flow_cc_credit(struct pkt_ctx *l, uint32_t credit)
{
	struct dir_cc *cc = &dir_rare(l->j, l->peer)->cc;

	if (!cc->credit_known)
		cc->first_credit = credit;
	cc->granted += flow_cc_forward(
		(uint32_t)(cc->first_credit + cc->granted), credit);
	cc->credit_known = true;
	cc->credit = credit;
}

/* flow_cc_told records an ACK. */
static inline void flow_cc_told(struct pkt_ctx *l)
{
	if (unlikely(l->has_credit))
		flow_cc_credit(l, l->credit.credit);
	if (l->has_nscc)
		step_bytes_base(l->j, l->peer, l->nscc.rcvd_bytes);
}

#endif
