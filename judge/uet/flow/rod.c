/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/rod.c -- the order of packets on a ROD PDC.
 *
 * Spec: UET 3.5.8.2 (uet.md 7)
 */
#include "judge/uet/flow/rod.h"

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/nack_codes.h"
#include "judge/uet/pkt_ctx.h"
#include "judge/uet/pkt_place.h"

/*
 * Records a packet that reaches the destination of a ROD PDC, in order or not.
 */
void rod_take_arrival(struct pkt_ctx *l)
{
	struct rod *r = &dir_rare(l->j, l->own)->rod;

	if (l->kind == PKT_REQ && pkt_other_mode(l))
		return;
	if (l->mangled) { /* it may be refused, or taken */
		r->taken_to += l->psn == r->taken_to + 1;
		return;
	}
	r->sure_to = serial_max(r->sure_to, l->own->acked_to);
	if (l->psn == r->sure_to + 1)
		r->sure_to++;
	if (l->psn == r->taken_to + 1) {
		r->taken_to++;
		r->gap_told = false;
		r->gap_at = 0;
	} else if (serial_after(l->psn, r->taken_to) && !r->gap_told &&
		   !r->gap_at && !rod_in_doubt(l->own, l->psn)) {
		r->gap_at = l->at;
		r->gap_frame = l->in->frame;
		r->gap_psn = l->psn;
	}
}

/*
 * Records a packet that leaves its source, in order or as a go-back to a
 * missing PSN.
 */
void rod_take_departure(struct pkt_ctx *l, bool back, bool asked_for)
{
	struct rod *r = &dir_rare(l->j, l->own)->rod;

	r->entropy = l->in->d->entropy;
	if (l->net_dup)
		return;
	if (back && !r->aside)
		r->line = r->last;
	if (back)
		r->aside = asked_for;
	else if (l->psn == r->line + 1)
		r->aside = false;
	r->last = l->psn;
	if (!back)
		return;
	r->head = l->psn;
	r->head_at = l->at;
}

/* No answer is due for the PSNs above |psn|. */
static void forgive(struct flow *f, struct dir *d, uint32_t psn)
{
	for (unsigned i = 0; i < FLOW_WINDOW && psn != d->high; i++) {
		struct psn_state *s = psn_find(f, d, ++psn);

		if (s)
			s->flags &= ~(uint32_t)(PSN_DUE | PSN_AGAIN);
	}
}

/* PSNs above |psn| must be retransmitted before they are certainly accepted. */
static void unsure(struct pkt_ctx *l, struct dir *d, uint32_t psn)
{
	if (!serial_after(psn, d->rare->rod.sure_to))
		dir_rare(l->j, d)->rod.sure_to = psn - 1;
}

/* The destination did not accept |psn| after all, nor any PSN above it. */
static void untake(struct pkt_ctx *l, struct dir *d, uint32_t psn)
{
	unsure(l, d, psn);
	if (serial_after(psn, d->rare->rod.taken_to))
		return;
	dir_rare(l->j, d)->rod.taken_to = psn - 1;
	forgive(l->f, d, psn);
}

/* One of several copies was dropped, but the judge does not know which one. */
static void doubt_order(struct pkt_ctx *l, struct dir *d, uint32_t psn)
{
	struct rod *r = &dir_rare(l->j, d)->rod;

	unsure(l, d, psn);
	if (r->doubted && serial_after(r->doubt, d->acked_to) &&
	    serial_before(r->doubt, psn))
		return;
	r->doubted = true;
	r->doubt = psn;
	r->gap_at = 0;
	forgive(l->f, d, psn);
}

/* Expected_PSN: all lower PSNs arrived, and this PSN did not. */
static void flow_take_expected(struct pkt_ctx *l)
{
	struct dir *d = l->peer;
	struct rod *r = &dir_rare(l->j, d)->rod;
	const struct psn_state *missing;

	r->ooo_at = l->at;
	r->zero_told |= !l->payload;
	r->gap_told = true;
	r->gap_at = 0;
	if (!l->payload || !serial_after(l->payload, d->acked_to) ||
	    serial_after(l->payload, l->psn) || !l->old)
		return;
	r->told = r->acked_at ? serial_max(r->told, l->payload) : l->payload;
	r->acked_at = l->at;
	missing = psn_find(l->f, d, l->payload);
	if (!missing || missing->sent_at >= l->old->sent_at)
		return;
	if (missing->sent_at > l->old->first_at && !psn_refused(l->old))
		/* the NACK may answer a copy from before the repair */
		doubt_order(l, d, l->payload);
	else
		/* the destination dropped it without a NACK */
		untake(l, d, l->payload);
}

void rod_take_nack(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;
	struct dir *d = l->peer;

	if (l->nack.nack_code == NACK_ROD_OOO)
		flow_take_expected(l);
	else if (d->rare->rod.gap_psn == l->psn)
		dir_rare(l->j, d)->rod.gap_at = 0;
	if (!s || !s->drops || s->flags & PSN_ACKED)
		return;
	if (psn_refused(s))
		untake(l, d, l->psn);
	else if (nack_drops(l->nack.nack_code))
		doubt_order(l, d, l->psn);
}

/* Only an ACK that was not requested has a defined place in the order. */
void rod_take_ack(struct pkt_ctx *l)
{
	struct rod *r = &dir_rare(l->j, l->peer)->rod;

	if (l->old->copies > 1 || l->old->flags & (PSN_OWN_ACK | PSN_WANTED))
		return;
	if (!r->acked || serial_after(l->ack_psn, r->ack_high))
		r->ack_high = l->ack_psn;
	r->acked = true;
}

void rod_take_return(struct pkt_ctx *l)
{
	struct rod *r = &dir_rare(l->j, l->own)->rod;

	if (l->kind == PKT_REQ && pkt_read_of(l, &r->ret_psn, &r->ret_offset))
		r->returned = true;
}
