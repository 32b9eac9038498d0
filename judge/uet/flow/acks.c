/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/acks.c -- how an ACK changes its flow.
 *
 * An ACK of a PSN that was never sent does not change the flow.  So that one
 * fault is reported once, and not again with every later packet.
 *
 * Spec: UET 3.5.11, 3.6.9 (uet.md 7, 8.5)
 */
#include "judge/uet/flow/acks.h"

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/flow/cc.h"
#include "judge/uet/flow/clears.h"
#include "judge/uet/flow/messages.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/flow/rod.h"
#include "judge/uet/flow/steps.h"
#include "judge/uet/pkt_ctx.h"
#include "wire/frame/crc.h"

/*
 * Records that the first ACK covers the PSNs after |from|, up to CACK_PSN.  Few
 * PSNs have a state by then; the other slots of the ring are not read, since
 * they are not in the cache.
 */
static void cover_first(struct flow *f, struct dir *d, uint32_t from,
			uint32_t cack, vtime at)
{
	unsigned left = d->placed;

	for (uint32_t psn = cack; left && psn != from; psn--) {
		struct psn_state *s = psn_find(f, d, psn);

		if (!s)
			continue;
		step_cover(d, s, at);
		left--;
	}
}

static void flow_take_cack(struct pkt_ctx *l)
{
	struct dir *d = l->peer;
	const uint32_t cack = l->ack.cack_psn;
	uint32_t psn = d->cack_known ? d->cack : cack - d->window;

	if (unlikely(d->start_known && serial_after(cack, d->seen_to)))
		return;
	if (d->cack_known && !serial_after(cack, d->cack))
		return;
	if (unlikely(serial_diff(cack, psn) > (int32_t)d->window))
		psn = cack - d->window;
	if (!d->cack_known) {
		cover_first(l->f, d, psn, cack, l->at);
		psn = cack;
	}
	step_cover_to(l->f, d, psn, cack, l->at);
	step_no_requests(l->j, d);
	if (unlikely(d->gtd) && !serial_after(d->gtd_low, cack))
		clear_find_stored(l->f, d, cack);
}

bool pkt_stateful(const struct pkt_ctx *l)
{
	struct ses_response h;

	if (!l->ses)
		return false;
	if (l->next_hdr != PDS_NEXT_RESPONSE)
		return true; /* read data */
	ses_response_get(&h, l->ses);
	return h.return_code > RC_OK || h.list == SES_LIST_OVERFLOW;
}

/* A default response is never a guaranteed one. */
static bool has_default_response(const struct pkt_ctx *l)
{
	struct ses_response h;

	if (!l->ses || l->next_hdr != PDS_NEXT_RESPONSE)
		return false;
	ses_response_get(&h, l->ses);
	return h.opcode == SES_DEFAULT_RESPONSE;
}

/*
 * Decides whose clear an ACK requests.  It is the ACK's own PSN, if no earlier
 * PSN still waits for a requested clear and the response is not the default
 * one.  Otherwise only the response shows it: some targets request a clear in
 * every ACK while any response is stored.
 */
static void flow_take_asked(struct pkt_ctx *l, struct psn_state *s)
{
	struct dir *d = l->peer;
	const bool alone = !d->asked_clear || !d->released_known ||
			   !serial_after(d->asked_high, d->released);

	s->flags |= PSN_ASKED;
	if (!d->asked_clear || serial_after(s->psn, d->asked_high))
		d->asked_high = s->psn;
	d->asked_clear = true;
	if (!alone && !pkt_stateful(l))
		return;
	if (has_default_response(l))
		return;
	if (d->released_known && !serial_after(s->psn, d->released))
		return;
	s->flags |= PSN_GTD;
	if (!d->gtd || serial_before(s->psn, d->gtd_low))
		d->gtd_low = s->psn;
	d->gtd = true;
}

/* The target will request a clear of this PSN, or CACK_PSN will pass it. */
static void take_preliminary(struct dir *d, uint32_t psn)
{
	if (!d->asked_clear || serial_after(psn, d->asked_high))
		d->asked_high = psn;
	d->asked_clear = true;
}

static void take_own_ack(struct pkt_ctx *l, struct psn_state *s)
{
	if (likely(!(s->flags & PSN_OWN_ACK) && l->ses)) {
		/* Only there the rules compare answers. */
		if (unlikely(at_link(l, l->from)))
			s->answer = crc32c(0, l->ses, l->len - l->ses_at);
		if (unlikely(l->next_hdr != PDS_NEXT_RESPONSE))
			s->flags |= PSN_ANSWER_DATA;
	}
	step_own_ack(l->peer, s, l->ses, l->at);
	if (unlikely(pkt_is_preliminary(l)))
		take_preliminary(l->peer, s->psn);
	if (unlikely(l->ack.req == PDS_REQ_CLEAR) && !(s->flags & PSN_ASKED) &&
	    serial_after(s->psn, l->ack.cack_psn))
		flow_take_asked(l, s);
}

/*
 * "mpr is taken only from an ACK whose cack_psn is not older than the newest
 * seen": only at the source's link does the judge know which one is the newest.
 */
static bool is_out_of_date(const struct pkt_ctx *l)
{
	const struct dir *d = l->peer;

	return at_link(l, !l->from) && d->cack_known &&
	       serial_before(l->ack.cack_psn, d->cack);
}

static void take_cc(struct pkt_ctx *l)
{
	struct dir *d = l->peer;
	const uint32_t range = l->mpr * (uint32_t)JUDGE_MPR_UNIT;

	step_sack(l->j, l->f, d, l->ack.cack_psn, l->sack_psn, l->sack_bitmap,
		  l->at);
	if (l->has_nscc)
		step_rcvd_bytes(l->j, d, l->nscc.rcvd_bytes);
	if (!range)
		dir_rare(l->j, d)->mpr_zero = true;
	if (range && !is_out_of_date(l))
		step_range(l->j, d, range);
}

static HOT void take_acked_to(struct pkt_ctx *l)
{
	if (likely(l->peer->start_known))
		step_acked_to(l->f, l->peer);
}

static void take_close_ack(struct pkt_ctx *l)
{
	struct flow *f = l->f;

	if (likely(!f->closing) || (int)l->from == f->initiator)
		return;
	if (!serial_before(l->ack.cack_psn, f->close_psn) ||
	    (l->has_ack_psn && l->ack_psn == f->close_psn))
		f->closed = true;
}

static void take_requests_of_ack(struct pkt_ctx *l)
{
	struct flow *f = l->f;

	if (unlikely(l->ack.req) && f->initiator < 0)
		f->initiator = !l->from;
	if (unlikely(l->ack.req == PDS_REQ_CLOSE))
		step_ask_close(l->j, f, l->own, l->at);
	step_known(f, l->from, l->at);
}

/*
 * An ACK that ends inside its SES header, or that covers a PSN that was never
 * sent. The source may refuse it, or use the rest of it.
 */
static bool is_doubtful(const struct pkt_ctx *l)
{
	const bool cut = l->next_hdr >= PDS_NEXT_RESPONSE &&
			 l->next_hdr <= PDS_NEXT_RESPONSE_DATA_SMALL && !l->ses;
	const struct dir *d = l->peer;

	if (!d->start_known)
		return cut;
	return cut || serial_after(l->ack.cack_psn, d->seen_to) ||
	       (l->has_ack_psn && serial_after(l->ack_psn, d->high));
}

/* Marks a PSN as acknowledged by an ACK that the source may have refused. */
static void flow_mark_incomplete(struct psn_state *s)
{
	if (!s)
		return;
	s->flags &= ~(uint32_t)(PSN_DUE | PSN_AGAIN);
	if (s->flags & PSN_ACKED)
		return;
	s->flags |= PSN_ACKED;
	s->acked_at = VTIME_NEVER;
}

static void take_doubtful(struct pkt_ctx *l)
{
	struct dir *d = l->peer;
	const uint32_t low = d->cack_known ? d->cack : d->start - 1;
	uint32_t psn = serial_before(l->ack.cack_psn, d->high) ? l->ack.cack_psn
							       : d->high;

	flow_mark_incomplete(l->old);
	if (serial_diff(psn, low) > FLOW_WINDOW)
		return;
	for (; serial_after(psn, low); psn--)
		flow_mark_incomplete(psn_find(l->f, d, psn));
	take_acked_to(l);
}

/*
 * Marks one Probe with this opaque value as answered.  Two Probes with one
 * value need two answers.
 */
static void close_probe(struct dir_rare *r, uint16_t opaque)
{
	for (unsigned i = 0; i < 4; i++)
		if (r->probes_open >> i & 1 && r->probes[i] == opaque) {
			r->probes_open &= (uint8_t) ~(1u << i);
			return;
		}
}

static void take_probe_answer(struct pkt_ctx *l)
{
	struct dir *d = l->peer;

	if (d->rare->probes_open && at_link(l, l->from))
		close_probe(dir_rare(l->j, d), (uint16_t)l->ack.ack_psn_offset);
	if (d->rare->probed_at)
		dir_rare(l->j, d)->probed_at = 0;
	/* the highest PSN may be missing, too */
	step_gap(l->j, d, l->ack.cack_psn, d->high + 1, l->at);
}

/* Restarts the byte count of ACK_Gen_Trigger. */
void ack_count_anew(struct pkt_ctx *l)
{
	struct dir_rare *r;

	if (likely(!l->peer->rare->unacked))
		return;
	r = dir_rare(l->j, l->peer);
	r->unacked = 0;
	r->trigger_at = 0;
}

/* An end that acknowledges something still has the PDC after its own NACK. */
static void take_sign_of_life(struct pkt_ctx *l)
{
	struct flow *f = l->f;
	const unsigned end = 1u << l->from;

	if (likely(!(f->unexpected & end)) || !at_link(l, l->from))
		return;
	f->unexpected = f->unexpected & ~end & 3;
	if (!f->unexpected && !f->closing && !f->close_asked)
		f->maybe_failed = false;
}

void ack_take(struct pkt_ctx *l)
{
	struct dir *d = l->peer;

	ack_count_anew(l);
	take_sign_of_life(l);

	if (unlikely(is_doubtful(l))) {
		take_doubtful(l);
		return;
	}
	take_requests_of_ack(l);
	if (unlikely(l->f->rod) && l->old)
		rod_take_ack(l);
	flow_take_cack(l);
	if (likely(l->old))
		take_own_ack(l, l->old);
	step_answer_again(l->f, d, l->ack.cack_psn);
	if (likely(l->has_ack_psn))
		step_gap(l->j, d, l->ack.cack_psn, l->ack_psn, l->at);
	else
		take_probe_answer(l);
	if (l->has_cc)
		take_cc(l);
	take_acked_to(l);
	take_close_ack(l);
	if (unlikely(l->next_hdr == PDS_NEXT_RESPONSE_DATA) && l->ses)
		message_take_return(l);
	if (likely(l->has_ack_psn))
		step_wanted(l->j, d, l->ack_psn);
	d->ce_unsaid = false;
	flow_cc_told(l);
}
