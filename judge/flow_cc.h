/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/flow_cc.h -- what a packet changes in the account of a direction's
 * bytes, beside what every new PSN and every ACK adds (flow_steps.h).  Part of
 * flow.c.
 *
 * Spec: UET 3.6.9 (uet.md 3.5, 8.5)
 */
#ifndef JUDGE_FLOW_CC_H
#define JUDGE_FLOW_CC_H

#include "base/hot.h"
#include "judge/flow_steps.h"
#include "judge/state.h"

/* When the last gap was closed: from then on nothing is out of order. */
static inline void flow_cc_gap(struct look *l)
{
	struct dir *d = l->own;
	const bool gap = d->high != d->seen_to;

	if (unlikely(d->gap) && !gap) {
		dir_rare(l->j, d)->cc.closed_at = l->at;
		dir_rare(l->j, d)->cc.closed_psn = l->psn;
	}
	d->gap = gap;
}

/* flow_cc_arrived: a PSN arrived for the first time. */
static inline void flow_cc_arrived(struct look *l, struct psn_state *s)
{
	flow_cc_gap(l);
	if (likely(l->kind == LOOK_REQ && !l->spoilt))
		step_sent(l->own, s, l->len);
	else
		s->size = 0;
}

/* flow_cc_credit: credit was told. */
static inline void flow_cc_credit(struct look *l, uint32_t credit)
{
	struct dir_cc *cc = &dir_rare(l->j, l->peer)->cc;

	cc->credit_known = true;
	cc->credit = credit;
}

/* flow_cc_told: an ACK was taken in.  Counting begins with the first number
 * that is told. */
static inline void flow_cc_told(struct look *l)
{
	struct dir_cc *cc;

	if (unlikely(l->has_credit))
		flow_cc_credit(l, l->credit.credit);
	if (likely(!l->has_nscc) || l->peer->rare->cc.base_known)
		return;
	cc = &dir_rare(l->j, l->peer)->cc;
	cc->base_known = true;
	cc->base = l->peer->sums;
	cc->base_bytes = l->nscc.rcvd_bytes;
}

#endif
