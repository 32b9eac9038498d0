/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/facts.c -- the facts about a packet, for programs that show a
 * capture.
 *
 * This file judges nothing and changes nothing; it reads the state that the
 * monitors read.
 */
#include "judge/core/facts.h"
#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/transport.h"
#include "judge/uet/flow/messages.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/flow/sent.h"
#include "judge/uet/pkt_ctx.h"

static uint32_t facts_frame_of(struct flow *f, struct dir *d, uint32_t psn)
{
	const struct psn_state *s = psn_find(f, d, psn);

	if (s)
		return s->frame;
	return 0;
}

/*
 * Records whether a sent PSN is a retransmission, late, or beyond the next one.
 */
static void facts_sent(const struct pkt_ctx *l, struct judge_facts *x)
{
	const int32_t ahead = serial_diff(l->psn, l->own->high);

	x->takes_psn = true;
	x->net_dup = l->net_dup;
	if (unlikely(l->old))
		x->cause = pkt_cause(l);
	else if (unlikely(ahead < 0 && l->own->any && !l->out_of_window))
		x->late = true;
	else if (unlikely(ahead > 1 && l->own->any && !l->out_of_window))
		x->skipped = (uint32_t)ahead - 1;
}

static void about(const struct pkt_ctx *l, struct judge_facts *x)
{
	struct dir *d = l->peer;

	if (l->kind == PKT_ACK) {
		x->about = l->has_ack_psn;
		x->psn = l->ack_psn;
	} else {
		x->about = l->takes_psn || l->kind == PKT_NACK ||
			   (l->kind == PKT_CP && l->old);
		x->psn = l->psn;
		if (l->kind != PKT_NACK)
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

static void acks(const struct pkt_ctx *l, struct judge_facts *x)
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

static void clears(const struct pkt_ctx *l, struct judge_facts *x)
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

/* Return data refers to its read by message id or by PSN. */
static uint32_t facts_read_frame(const struct pkt_ctx *l)
{
	struct ses_response_data_small small;
	struct ses_response_data data;
	const struct message *m;

	if (!l->ses)
		return 0;
	if (l->next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL) {
		ses_response_data_small_get(&small, l->ses);
		return facts_frame_of(l->f, l->peer,
				      small.original_request_psn);
	}
	if (l->next_hdr != PDS_NEXT_RESPONSE_DATA)
		return 0;
	ses_response_data_get(&data, l->ses);
	m = message_find(l->peer, data.read_request_message_id);
	if (m)
		return facts_frame_of(l->f, l->peer, m->first);
	return 0;
}

HOT void pkt_facts(struct pkt_ctx *l, bool foreign)
{
	struct judge_facts *x = &l->j->facts;

	judge_note_flow(l->j, l->f, l->from);
	x->foreign = foreign;
	if (unlikely(foreign))
		return;
	if (likely(l->conf->minimal_facts)) {
		if (l->takes_psn && !l->old)
			facts_sent(l, x);
		return;
	}
	about(l, x);
	if (l->takes_psn)
		facts_sent(l, x);
	if (l->kind == PKT_ACK)
		acks(l, x);
	if (l->has_clear && !l->out_of_window)
		clears(l, x);
	x->read_frame = facts_read_frame(l);
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
	if (judge_families[j->family]->frame)
		return judge_families[j->family]->frame(j->state[j->family],
							psn);
	if (!f || !f->hot)
		return 0;
	return facts_frame_of(f, &f->hot->dir[own ? from : !from], psn);
}
