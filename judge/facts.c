/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/facts.c -- what is known of a packet, for those who show a capture.
 *
 * Nothing is judged here and nothing changes: the monitors look at the same
 * state.
 */
#include "base/hot.h"
#include "judge/roce.h"
#include "judge/srd.h"
#include "judge/state.h"
#include "judge/wqe.h"

static uint32_t frame_of(struct flow *f, struct dir *d, uint32_t psn)
{
	const struct psn_state *s = psn_find(f, d, psn);

	return s ? s->frame : 0;
}

/* A PSN that is sent: again, late, or far ahead. */
static void sent(const struct look *l, struct judge_facts *x)
{
	const int32_t ahead = serial_diff(l->psn, l->own->high);

	x->takes_psn = true;
	x->twin = l->twin;
	if (unlikely(l->old))
		x->cause = look_cause(l);
	else if (unlikely(ahead < 0 && l->own->any && !l->stray))
		x->late = true;
	else if (unlikely(ahead > 1 && l->own->any && !l->stray))
		x->skipped = (uint32_t)ahead - 1;
}

static void about(const struct look *l, struct judge_facts *x)
{
	struct dir *d = l->peer;

	if (l->kind == LOOK_ACK) {
		x->about = l->has_ack_psn;
		x->psn = l->ack_psn;
	} else {
		x->about = l->takes_psn || l->kind == LOOK_NACK ||
			   (l->kind == LOOK_CP && l->old);
		x->psn = l->psn;
		if (l->kind != LOOK_NACK)
			d = l->own;
	}
	if (!x->about || !l->old)
		return;
	x->frame = l->old->frame;
	x->first_at = l->old->first_at;
	x->sent_at = l->old->sent_at;
	x->copies = l->old->copies;
	x->acked = psn_acked(l->f, d, x->psn);
}

static void acks(const struct look *l, struct judge_facts *x)
{
	const struct dir *d = l->peer;
	const uint32_t cack = l->ack.cack_psn;

	if (d->start_known && serial_after(cack, d->seen_to))
		return;
	x->acks = !d->cack_known || serial_after(cack, d->cack);
	x->acks_to = cack;
	x->acks_from = d->cack_known ? d->cack : cack - FLOW_WINDOW;
	if (serial_diff(cack, x->acks_from) > FLOW_WINDOW)
		x->acks_from = cack - FLOW_WINDOW;
}

static void clears(const struct look *l, struct judge_facts *x)
{
	const struct dir *d = l->own;

	if (!d->released_known || !serial_after(l->clear, d->released))
		return;
	x->clears = true;
	x->clears_to = l->clear;
	x->clears_from = d->released;
	if (serial_diff(l->clear, d->released) > FLOW_WINDOW)
		x->clears_from = l->clear - FLOW_WINDOW;
}

/* Return data names its read by message id, or by PSN. */
static uint32_t read_frame(const struct look *l)
{
	struct ses_response_data_small small;
	struct ses_response_data data;
	const struct message *m;

	if (!l->ses)
		return 0;
	if (l->next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL) {
		ses_response_data_small_get(&small, l->ses);
		return frame_of(l->f, l->peer, small.original_request_psn);
	}
	if (l->next_hdr != PDS_NEXT_RESPONSE_DATA)
		return 0;
	ses_response_data_get(&data, l->ses);
	m = message_find(l->peer, data.read_request_message_id);
	return m ? frame_of(l->f, l->peer, m->first) : 0;
}

HOT void look_facts(struct look *l, bool foreign)
{
	struct judge_facts *x = &l->j->facts;

	l->j->flow = l->f;
	x->flow = l->f->number;
	x->from = l->from;
	x->initiator = l->f->initiator;
	x->foreign = foreign;
	if (unlikely(foreign))
		return;
	if (likely(l->conf->brief)) {
		if (l->takes_psn && !l->old)
			sent(l, x);
		return;
	}
	about(l, x);
	if (l->takes_psn)
		sent(l, x);
	if (l->kind == LOOK_ACK)
		acks(l, x);
	if (l->has_clear && !l->stray)
		clears(l, x);
	x->read_frame = read_frame(l);
}

HOT const struct judge_facts *judge_facts(const struct judge *j)
{
	return &j->facts;
}

uint32_t judge_frame(const struct judge *j, bool own, uint32_t psn)
{
	struct flow *f = j->flow;
	const unsigned from = j->facts.from;

	if (j->facts.flow == JUDGE_NO_FLOW)
		return 0;
	if (j->family == FAMILY_SRD)
		return srd_seen_frame(j->srd, psn);
	if (j->family == FAMILY_WQE)
		return wqe_seen_frame(j->wqe, psn);
	if (j->family == FAMILY_ROCE)
		return roce_seen_frame(j->roce, psn);
	if (!f || !f->home)
		return 0;
	return frame_of(f, &f->home->dir[own ? from : !from], psn);
}
