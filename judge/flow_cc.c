/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/flow_cc.c -- what a packet changes in the account of a direction's
 * bytes: how many arrived, how many were acknowledged.
 *
 * Spec: UET 3.6.9 (uet.md 3.5, 8.5)
 */
#include "judge/flow.h"

#include "judge/state.h"

/* Of a request with CC section, standard header and compare-and-swap. */
#define HEADERS_MOST (16 + 44 + 36)

static uint16_t clip(size_t n)
{
	return n < UINT16_MAX ? (uint16_t)n : UINT16_MAX;
}

/* When the last gap was closed: from then on nothing is out of order. */
static void note_gap(struct look *l)
{
	struct dir *d = l->own;
	const bool gap = d->high != d->seen_to;

	if (d->gap && !gap)
		dir_rare(l->j, d)->cc.closed_at = l->at;
	d->gap = gap;
}

void flow_cc_arrived(struct look *l, struct psn_state *s)
{
	struct cc_sums *sums = &l->own->sums;
	const bool data = l->kind == LOOK_REQ && !l->spoilt;

	note_gap(l);
	s->size = data ? clip(l->len) : 0;
	sums->sent += s->size;
	sums->npkts += data;
}

void flow_cc_acked(struct look *l, const struct psn_state *s)
{
	struct cc_sums *sums = &l->peer->sums;

	sums->acked += s->size;
	sums->acked_npkts += s->size != 0;
	if (s->size > HEADERS_MOST)
		sums->acked_payload += s->size - HEADERS_MOST;
}

void flow_cc_credit(struct look *l, uint32_t credit)
{
	struct dir_cc *cc = &dir_rare(l->j, l->peer)->cc;

	cc->credit_known = true;
	cc->credit = credit;
}

/* Counting begins with the first number that is told. */
void flow_cc_told(struct look *l)
{
	struct dir_cc *cc;

	if (l->has_credit)
		flow_cc_credit(l, l->credit.credit);
	if (!l->has_nscc || l->peer->rare->cc.base_known)
		return;
	cc = &dir_rare(l->j, l->peer)->cc;
	cc->base_known = true;
	cc->base = l->peer->sums;
	cc->base_bytes = l->nscc.rcvd_bytes;
}
