/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/flow_cc.c -- what a packet changes in the account of a direction's
 * bytes: how many arrived, how many were acknowledged.
 *
 * Spec: UET 3.6.9 (uet.md 3.5, 8.5)
 */
#include "judge/flow.h"

#include "judge/state.h"

static uint16_t clip(size_t n)
{
	return n < UINT16_MAX ? (uint16_t)n : UINT16_MAX;
}

/* When the last gap was closed: from then on nothing is out of order. */
static void note_gap(struct look *l)
{
	struct dir *d = l->own;
	const bool gap = d->high != d->seen_to;

	if (d->cc.gap && !gap)
		d->cc.closed_at = l->at;
	d->cc.gap = gap;
}

void flow_cc_arrived(struct look *l)
{
	struct dir_cc *cc = &l->own->cc;
	const unsigned i = l->psn & (FLOW_WINDOW - 1);
	const bool data = l->kind == LOOK_REQ && !l->spoilt;

	note_gap(l);
	cc->size[i] = data ? clip(l->len) : 0;
	cc->payload[i] = data ? clip(l->len - l->in->pkt->payload) : 0;
	cc->sums.sent += cc->size[i];
	cc->sums.npkts += data;
}

void flow_cc_acked(struct look *l, const struct psn_state *s)
{
	struct dir_cc *cc = &l->peer->cc;
	const unsigned i = s->psn & (FLOW_WINDOW - 1);

	cc->sums.acked += cc->size[i];
	cc->sums.acked_npkts += cc->size[i] != 0;
	cc->sums.acked_payload += cc->payload[i];
}

void flow_cc_credit(struct look *l, uint32_t credit)
{
	l->peer->cc.credit_known = true;
	l->peer->cc.credit = credit;
}

/* Counting begins with the first number that is told. */
void flow_cc_told(struct look *l)
{
	struct dir_cc *cc = &l->peer->cc;

	if (l->has_credit)
		flow_cc_credit(l, l->credit.credit);
	if (!l->has_nscc || cc->base_known)
		return;
	cc->base_known = true;
	cc->base = cc->sums;
	cc->base_bytes = l->nscc.rcvd_bytes;
}
