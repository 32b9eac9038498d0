/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/sent.c -- how a request, or a control packet with a PSN,
 * changes its flow.
 *
 * Spec: UET 3.5.8.2, 3.5.11 (uet.md 6, 7)
 */
#include "judge/uet/flow/sent.h"

#include <limits.h>

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/flow/cc.h"
#include "judge/uet/flow/clears.h"
#include "judge/uet/flow/messages.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/flow/rod.h"
#include "judge/uet/flow/steps.h"
#include "judge/uet/pkt_ctx.h"

/*
 * Returns true if an ACK since the last transmission showed that a later PSN
 * arrived.
 */
static bool gap_seen(const struct dir *d, const struct psn_state *s)
{
	const struct dir_rare *r = d->rare;

	for (unsigned i = 0; i < r->ngaps; i++)
		if (r->gaps[i].at >= s->sent_at &&
		    serial_after(r->gaps[i].top, s->psn))
			return true;
	return false;
}

/*
 * Returns true if a source may answer a second NACK of the PSN: both may have
 * passed this link before its answer to the first one did.
 */
static bool second_nack(const struct judge_conf *conf,
			const struct psn_state *s, vtime at)
{
	return s->flags & PSN_NACKED_TWICE &&
	       at - s->acked_at <= pkt_grace(conf);
}

enum pkt_cause sent_cause(const struct judge_conf *conf, bool rod,
			  const struct dir *d, const struct psn_state *s,
			  vtime at)
{
	if (s->flags & PSN_NACKED || second_nack(conf, s, at))
		return CAUSE_NACK;
	if (rod && d->rare->nack_at && d->rare->nack_at >= s->sent_at)
		return CAUSE_NACK;
	return gap_seen(d, s) ? CAUSE_GAP : CAUSE_TIMER;
}

enum pkt_cause pkt_cause(const struct pkt_ctx *l)
{
	return sent_cause(l->conf, l->f->rod, l->own, l->old, l->at);
}

/*
 * Returns the Start_PSN of the forward direction if the packet's PSN is near
 * it, else the packet's PSN.
 */
static uint32_t flow_return_start(const struct pkt_ctx *l)
{
	const uint32_t start = l->f->syn_start;

	return l->f->syn_start_known && l->psn - start < FLOW_WINDOW ? start
								     : l->psn;
}

/*
 * The SYN gives the Start_PSN of the forward direction.  The return direction
 * has no SYN, and its first packet may have been overtaken.  But nothing can be
 * cleared yet, so CLEAR_PSN is Start_PSN - 1.  A control packet carries no
 * CLEAR_PSN.
 */
static void begin_dir(struct pkt_ctx *l)
{
	struct dir *d = l->own;

	d->any = true;
	d->high = l->out_of_window ? l->start - 1 : l->psn;
	if (!seen_all(l))
		return;
	d->start = l->has_clear ? l->clear + 1 : flow_return_start(l);
	if (l->from == 0) {
		d->start = l->f->syn_start;
		d->clear_known = d->released_known = d->cack_known = true;
		d->clear = d->released = d->cack = d->start - 1;
	}
	d->start_known = true;
	d->seen_to = d->acked_to = d->start - 1;
	if (d->rare != &dir_nothing) {
		dir_rare(l->j, d)->rod.taken_to = d->start - 1;
		dir_rare(l->j, d)->rod.sure_to = d->start - 1;
	}
}

/*
 * Returns the flags of the SES header of a request, and its message id if it
 * has one.
 */
static uint32_t request_flags(const struct pkt_ctx *l, uint16_t *ret_id)
{
	struct ses_response_data data;
	uint32_t flags = 0;

	if (unlikely(!l->ses))
		return 0;
	if (unlikely(l->next_hdr == PDS_NEXT_RESPONSE_DATA)) {
		ses_response_data_get(&data, l->ses);
		*ret_id = data.response_message_id;
	}
	if (unlikely(l->next_hdr >= PDS_NEXT_RESPONSE))
		return PSN_DATA;
	flags |= step_ses_flags(l->ses);
	if (likely(l->next_hdr == PDS_NEXT_REQUEST_STD)) {
		flags |= PSN_STD;
		*ret_id = l->std.message_id;
	}
	return flags;
}

static uint32_t trim_flags(const struct pkt_ctx *l)
{
	if (!l->trimmed)
		return 0;
	return l->trimmed == NACK_TRIMMED ? PSN_CUT : PSN_CUT_LAST;
}

/*
 * Returns true for a control packet that a switch may have trimmed: codepoints
 * are unknown, and its codepoint differs from that of other control packets.  A
 * control packet is too short to lose bytes.
 */
bool sent_may_be_trimmed(const struct pkt_ctx *l)
{
	const struct judge_conf *conf = l->conf;

	/* Codepoint 0 never means that a switch trimmed the packet. */
	return !conf->dscp_trimmed && !conf->dscp_trimmed_lasthop &&
	       l->in->d->dscp && l->f->dscp_known &&
	       l->in->d->dscp != l->f->dscp;
}

static uint32_t first_flags(const struct pkt_ctx *l, uint16_t *ret_id)
{
	uint32_t flags = unlikely(l->trimmed) ? trim_flags(l) | PSN_CUT_ALL : 0;

	/*
	 * An earlier transmission may have differed, so there are no bytes to
	 * compare.
	 */
	if (unlikely(l->mangled || (!seen_all(l) && l->retx)))
		flags |= PSN_MANGLED;
	if (unlikely(l->kind == PKT_CP))
		return flags | PSN_CP |
		       (sent_may_be_trimmed(l) ? PSN_MANGLED : 0);
	return flags | request_flags(l, ret_id);
}

/*
 * A control packet with a PSN carries no CLEAR_PSN: the last CLEAR_PSN remains
 * valid. A distance that exceeds 16 bits also exceeds any window.
 */
static int16_t clear_offset(const struct pkt_ctx *l)
{
	const struct dir *d = l->own;
	const int32_t before = d->released_known
				       ? serial_diff(d->released, l->psn)
				       : INT16_MIN;

	if (likely(l->has_clear))
		return (int16_t)(int32_t)(l->clear - l->psn);
	return before < INT16_MIN || before >= 0 ? INT16_MIN : (int16_t)before;
}

static struct psn_state *flow_first_copy(struct pkt_ctx *l)
{
	struct dir *d = l->own;
	struct psn_state *s = psn_place(l, d, l->psn);
	uint16_t id = 0;
	uint32_t flags;

	if (unlikely(!s))
		return NULL;
	flags = first_flags(l, &id);
	step_new_psn(s, l->f, l->psn, l->in, l->hash, clear_offset(l), flags,
		     id);
	if (likely(serial_after(l->psn, d->high)))
		d->high = l->psn;
	if (likely(d->start_known))
		step_seen(l->f, d);
	flow_cc_arrived(l, s);
	return s;
}

/*
 * Returns true for the first complete copy: all earlier copies were trimmed, or
 * ended inside their headers, like packets trimmed with an unknown codepoint.
 * In an incomplete capture there is no comparison with the first copy.
 */
static bool is_first_complete(const struct pkt_ctx *l,
			      const struct psn_state *s)
{
	if (psn_trimmed(s))
		return !l->trimmed;
	if (likely(!(s->flags & PSN_MANGLED)) || l->mangled || !seen_all(l))
		return false;
	return l->kind != PKT_CP || !sent_may_be_trimmed(l);
}

static struct psn_state *first_complete(struct pkt_ctx *l, struct psn_state *s)
{
	s->hash = l->hash;
	s->clear_offset = clear_offset(l);
	if (!l->mangled)
		s->flags &= ~(uint32_t)PSN_MANGLED;
	s->flags &= ~(uint32_t)PSN_CUT_ALL;
	s->flags |= request_flags(l, &s->message_id);
	if (l->own->start_known)
		step_seen(l->f, l->own);
	flow_cc_arrived(l, s);
	return s;
}

void sent_count_repeat(struct psn_state *s, enum pkt_cause cause)
{
	switch (cause) {
	case CAUSE_TIMER:
		step_count_up(&s->rto_retx);
		break;
	case CAUSE_NACK:
		if (s->nack_code != NACK_RCVD_SES_PROCG)
			step_count_up(&s->nack_retx);
		if (!(s->flags & PSN_NACKED))
			s->flags &= ~PSN_NACKED_TWICE;
		break;
	case CAUSE_GAP:
		break;
	}
}

static void count_repeat(const struct pkt_ctx *l, struct psn_state *s)
{
	/* ROD: the packets after a missing one are retransmitted with it. */
	if (l->net_dup || (l->f->rod && !pkt_goes_back(l)))
		return;
	sent_count_repeat(s, pkt_cause(l));
}

/*
 * Returns true for a PSN outside the destination's window.  The destination
 * tracks PSNs around its own CACK_PSN, whose bounds are known: at least the
 * last one it sent, at most the highest PSN sent to it.
 */
bool sent_is_outside(const struct pkt_ctx *l)
{
	const struct dir *d = l->own;
	const int32_t range = (int32_t)dir_range(d, l->conf);

	if (!d->start_known)
		return false;
	return serial_diff(l->psn, d->seen_to) > range ||
	       (d->cack_known && serial_diff(l->psn, d->cack) < -range);
}

static uint32_t copy_flags(const struct pkt_ctx *l)
{
	uint32_t flags = step_copy_flags(l->in, l->retx, l->ar, l->syn);

	flags |= sent_is_outside(l) ? PSN_OUTSIDE : 0;
	if (unlikely(pkt_other_mode(l)))
		flags |= PSN_OTHER_MODE;
	flags |= l->syn && l->start != l->f->syn_start ? PSN_OTHER_START : 0;
	return flags;
}

/*
 * Returns true if the packet may be so old that the destination drops it.
 * CACK_PSN may be higher than the last ACK shows.  A PSN at CACK_PSN - MP_RANGE
 * is too old: to send up to that CACK_PSN, the source must have received it.
 */
static bool may_be_too_old(const struct pkt_ctx *l)
{
	const struct dir *d = l->own;
	const int32_t range = (int32_t)dir_range(d, l->conf);

	return d->start_known && serial_diff(d->seen_to, l->psn) >= range;
}

/*
 * With mpr = 0, which version 1.0.3 permits, only the two ends know MP_RANGE: a
 * packet above a gap may be outside it.
 */
static bool may_be_too_far(const struct pkt_ctx *l)
{
	const struct dir *d = l->own;

	return unlikely(d->rare->mpr_zero) && d->start_known &&
	       serial_diff(l->psn, d->seen_to) > 0;
}

static void note_due(struct pkt_ctx *l, struct psn_state *s)
{
	const bool asks = l->ar || l->syn || l->retx;

	if (!step_asks_ack(l->conf, l->in, l->kind == PKT_REQ, asks))
		return;
	if (unlikely(l->net_dup || s->flags & (PSN_MANGLED | PSN_OUTSIDE) ||
		     may_be_too_old(l) || may_be_too_far(l)))
		return;
	if (unlikely(l->f->rod) &&
	    serial_after(l->psn, l->own->rare->rod.sure_to))
		return; /* the destination may drop it */
	if (unlikely(l->trimmed) && l->kind == PKT_CP)
		return; /* the destination drops it */
	if (unlikely(l->kind == PKT_CP) && sent_may_be_trimmed(l))
		return;
	step_due(l->j, l->f, l->own, s, l->retx);
}

/*
 * Returns how often a source retransmits before it may give up: |declared|, or
 * without limit if that is 0.  If the device declares no timer either, it may
 * give up after any retransmission.
 */
unsigned sent_retries(const struct judge_conf *conf, unsigned declared)
{
	if (!conf->rto_init)
		return 1;
	return declared ? declared : UINT_MAX;
}

void sent_note_retries(const struct judge_conf *conf, struct dir *d,
		       const struct psn_state *s)
{
	if (unlikely(s->copies > 1) &&
	    s->copies > sent_retries(conf, conf->max_rto_retx))
		d->retries_exhausted = true;
}

static void next_copy(struct pkt_ctx *l, struct psn_state *s)
{
	if (unlikely(s->copies))
		count_repeat(l, s);
	step_copy(l->own, s, l->in, copy_flags(l));
	sent_note_retries(l->conf, l->own, s);
	note_due(l, s);
}

void flow_take_out_of_window(struct pkt_ctx *l, bool foreign)
{
	struct dir_rare *r = dir_rare(l->j, l->own);

	r->out_of_windows[r->nstrays++ % FLOW_OUT_OF_WINDOW] =
		(struct out_of_window){
			.used = true,
			.foreign = foreign,
			.outside = !foreign && sent_is_outside(l),
			.spdcid = l->kind == PKT_CP ? l->cp.spdcid
						    : l->req.spdcid,
			.psn = l->psn};
}

static void flow_take_message(struct pkt_ctx *l)
{
	struct dir *d = l->own;
	const struct pkt_std *h = &l->std;
	struct message *m;

	m = message_room(l, d, h->message_id);
	if (unlikely(!m))
		return;
	step_message(d, m, h, step_ses_flags(l->ses) & PSN_READ, l->psn);
}

static void take_ses(struct pkt_ctx *l)
{
	if (unlikely(!l->ses || l->mangled))
		return;
	if (likely(l->next_hdr == PDS_NEXT_REQUEST_STD))
		flow_take_message(l);
	else if (l->next_hdr == PDS_NEXT_RESPONSE_DATA)
		message_take_return(l);
}

/*
 * "ACK_GEN_COUNT += max(packet payload bytes, ACK_Gen_Min_Pkt_Add)": this only
 * shows when an ACK is late, so nothing is counted if that is not judged.
 */
static void count_bytes(struct pkt_ctx *l)
{
	const struct judge_conf *conf = l->conf;
	const uint32_t payload = (uint32_t)(l->len - l->in->pkt->payload);
	struct dir_rare *r;

	if (likely(!conf->ack_gen_trigger) || !conf->ack_time || l->mangled ||
	    sent_is_outside(l) || l->f->rod)
		return; /* ROD: the destination may drop it */
	r = dir_rare(l->j, l->own);
	r->unacked += payload > conf->ack_gen_min_pkt_add
			      ? payload
			      : conf->ack_gen_min_pkt_add;
	if (r->trigger_at || r->unacked < conf->ack_gen_trigger)
		return;
	r->trigger_at = l->at;
	r->trigger_frame = l->in->frame;
}

HOT void sent_take(struct pkt_ctx *l)
{
	const bool back = pkt_goes_back(l);
	const bool asked_for = pkt_asked_for(l);
	struct psn_state *s = l->old;

	if (unlikely(!l->own->any))
		begin_dir(l);
	if (unlikely(l->out_of_window)) {
		flow_take_out_of_window(l, false);
		return;
	}
	if (likely(!s) || is_first_complete(l, s)) {
		s = unlikely(s) ? first_complete(l, s) : flow_first_copy(l);
		if (unlikely(!s))
			return;
		if (likely(l->kind == PKT_REQ)) {
			count_bytes(l);
			take_ses(l);
		}
		if (unlikely(l->f->rod))
			rod_take_return(l);
	} else {
		s->flags |= trim_flags(l);
	}
	if (unlikely(l->f->rod))
		rod_take_arrival(l);
	next_copy(l, s);
	if (unlikely(l->f->rod))
		rod_take_departure(l, back, asked_for);
}
