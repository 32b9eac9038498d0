/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_end.c -- packets that a side owed and never sent.
 *
 * These rules apply only to a flow that was captured completely, only at the
 * link of the side that owes the packet, and only after a generous time.  If an
 * error may have ended the PDC, only packets that were overdue before the error
 * count.
 *
 * Spec: UET 3.5.12.2, 3.5.12.6, 3.5.15, 3.5.16.8 (uet.md 7.1, 7.4, 8)
 */
#include "judge/uet/rules/rules_end.h"

#include "judge/core/state.h"
#include "judge/uet/rule.h"
#include "judge/uet/rules/rules_nack.h"
#include "judge/uet/rules/rules_trim.h"

#define LONGEST_CLEAR (100 * VSPAN_MS) /* upper bound of PDS_Clear_Time */

static unsigned destination(const struct absence *a)
{
	return !a->source;
}

static bool late(const struct absence *a, vtime since, vspan time)
{
	return a->now - since > time;
}

/* ---- Owed by the destination ---- */

/* Returns true if the PSN was sent several times and never answered. */
static bool is_ignored(const struct psn_state *s)
{
	return s->copies > 2 && s->flags & PSN_LAST_RETX &&
	       !(s->flags & (PSN_CP | PSN_ACKED | PSN_SACKED | PSN_NACKED));
}

/*
 * Returns true if answer_withheld() reported so many copies, the last one at
 * |at|.
 */
static bool end_rules_is_told(const struct judge_conf *conf,
			      const struct psn_state *s, unsigned copies,
			      vtime at)
{
	const vspan time = pkt_overdue(conf);

	return copies > 3 && at - s->first_at > 3 * time &&
	       at - s->first_at > 3 * conf->ack_time;
}

/* Returns true if no copy came by the path of the first packet of the PDC. */
static bool is_off_path(const struct flow *f, const struct psn_state *s)
{
	return s->entropy != f->entropy && s->entropy_last != f->entropy;
}

/*
 * Returns true if the destination seems to have bound the PDC to the entropy
 * value of its first packet: the PSN came by others alone, a later one by that
 * one was answered, and no remembered PSN that came by others was.
 */
static bool is_path_bound(const struct flow *f, const struct dir *d,
			  const struct psn_state *s)
{
	bool passed_over = false;

	if (f->rod || !f->complete || s->flags & PSN_ACKED ||
	    !is_off_path(f, s))
		return false;
	for (uint32_t n = 0; n < d->slots; n++) {
		const struct psn_state *o = psn_nth(f, d, n);

		if (!o || !(o->flags & PSN_OWN_ACK))
			continue;
		if (is_off_path(f, o))
			return false;
		passed_over |= serial_after(o->psn, s->psn);
	}
	return passed_over;
}

/* Returns the row that requires the answer to this PSN. */
static enum req_id why_due(const struct flow *f, const struct dir *d,
			   const struct psn_state *s)
{
	if (is_path_bound(f, d, s))
		return REQ_UET_PDC_51;
	if (s->flags & PSN_CP)
		return REQ_UET_ACK_20;
	if (is_ignored(s))
		return REQ_RUD_SVC_3;
	if (s->flags & PSN_AGAIN && s->flags & PSN_GTD &&
	    (!d->released_known || serial_after(s->psn, d->released)))
		return REQ_RUD_SVC_3b;
	if (s->flags & PSN_AGAIN)
		return REQ_RUD_SVC_3c;
	if (s->flags & PSN_LAST_RETX)
		return REQ_RUD_SEQ_84b;
	if (s->flags & PSN_SYN)
		return REQ_UET_ACK_16;
	if (s->flags & PSN_AR)
		return REQ_UET_ACK_15;
	return REQ_UET_ACK_19;
}

static const char *what_due(const struct psn_state *s)
{
	if (s->flags & PSN_CP)
		return "the control packet requests an ACK";
	if (s->flags & PSN_AGAIN)
		return "it is a duplicate with retx = 1";
	if (s->flags & PSN_LAST_RETX)
		return "it has retx = 1";
	if (s->flags & PSN_SYN)
		return "it has syn = 1";
	if (s->flags & PSN_AR)
		return "it has ar = 1";
	return "it is CE-marked";
}

/*
 * Returns how long an answer may take.  The SES of the destination may be slow.
 * After the PDC ended, an answer may be impossible, so a PSN that was not sent
 * several times gets much more time.  On a ROD PDC, earlier copies may have
 * been dropped.
 */
static vspan end_rules_patience(const struct absence *a,
				const struct psn_state *s)
{
	const vspan time = pkt_overdue(a->conf);
	const bool ended = a->f->maybe_failed || a->f->closing;
	const bool often = s->copies > 2 && !a->f->rod;

	if (!ended || often || s->flags & PSN_CP)
		return time;
	return 5 * time;
}

/*
 * Returns true if the answer was already late when the source began to close
 * the PDC.
 */
static bool was_late_before_close(const struct absence *a,
				  const struct psn_state *s)
{
	struct flow *f = a->f;
	const struct psn_state *close;

	if (f->initiator < 0)
		return false;
	close = psn_find(f, &f->hot->dir[f->initiator], f->close_psn);
	return close && close->flags & PSN_CP &&
	       close->first_at - s->sent_at > end_rules_patience(a, s);
}

/* "A new request with ar = 1 is acknowledged at once", and similar rows. */
static void end_rules_answer_missing(struct absence *a, struct psn_state *s)
{
	if (!(s->flags & PSN_DUE) || s->flags & PSN_TOLD ||
	    !a->f->end[destination(a)].here)
		return;
	if (!late(a, s->sent_at, end_rules_patience(a, s)))
		return;
	if (is_ignored(s) && !a->f->rod &&
	    end_rules_is_told(a->conf, s, s->copies, s->sent_at))
		return;
	if (a->f->closing && !(s->flags & PSN_CP) &&
	    !was_late_before_close(a, s))
		return; /* the source no longer waits for it */
	s->flags |= PSN_TOLD;
	lacks(a, why_due(a->f, a->d, s), REQ_DST, destination(a), s->frame,
	      true);
	expected(a->j, "ack_psn=%" PRIu32, s->psn);
	if (is_ignored(s))
		because(a->j,
			"PSN %" PRIu32 " was sent %u times and was never "
			"answered.",
			s->psn, s->copies);
	else
		because(a->j, "PSN %" PRIu32 " was not answered: %s.", s->psn,
			what_due(s));
}

/* Returns true if there is an ACK that the source may have refused. */
static bool is_in_doubt(const struct pkt_ctx *l, struct dir *d)
{
	const struct psn_state *s;
	uint32_t psn = d->high;

	for (unsigned i = 0; i < FLOW_WINDOW; i++) {
		s = psn_find(l->f, d, psn--);
		if (s && s->flags & PSN_ACKED && s->acked_at == VTIME_NEVER)
			return true;
	}
	return false;
}

/*
 * The target waits for the ACKs of its return data before it sends the closing
 * ACK.
 */
static bool end_rules_may_wait(const struct pkt_ctx *l)
{
	struct dir *d = l->peer;

	if (!(l->old->flags & PSN_CP) || !d->any)
		return false;
	return d->acked_to != d->high || is_in_doubt(l, d);
}

/* Returns true if the PDC of the side that owes the answer may have failed. */
static bool has_given_up(const struct pkt_ctx *l)
{
	return l->peer->retries_exhausted;
}

/*
 * Reports an answer that was due at once but came only after a retransmission.
 */
static void answer_late(struct pkt_ctx *l)
{
	struct psn_state *s = l->old;

	if (!l->conf->ack_time || !(s->flags & PSN_DUE) ||
	    s->flags & PSN_TOLD || has_given_up(l))
		return;
	if (l->f->rod)
		return; /* the destination may have dropped it */
	if (flow_alive(l->f, l->at) - s->sent_at <= l->conf->ack_time ||
	    end_rules_may_wait(l))
		return;
	s->flags |= PSN_TOLD;
	pkt_owed(l, why_due(l->f, l->own, s), s->frame);
	expected(l->j, "ack_psn=%" PRIu32, s->psn);
	because(l->j,
		"PSN %" PRIu32
		" was not answered before it was retransmitted: %s.",
		s->psn, what_due(s));
}

/*
 * Reports a request if every copy required an answer at once, and none
 * came.  This rule needs no declaration.
 */
static void answer_withheld(struct pkt_ctx *l)
{
	struct psn_state *s = l->old;

	if (!is_ignored(s) || !(s->flags & PSN_DUE) ||
	    end_rules_is_told(l->conf, s, s->copies, s->sent_at))
		return;
	if (l->f->rod || l->f->closing || has_given_up(l))
		return;
	if (!end_rules_is_told(l->conf, s, s->copies + 1u,
			       flow_alive(l->f, l->at)))
		return;
	pkt_owed(l,
		 is_path_bound(l->f, l->own, s) ? REQ_UET_PDC_51
						: REQ_RUD_SVC_3,
		 s->frame);
	expected(l->j, "ack_psn=%" PRIu32, s->psn);
	because(l->j,
		"PSN %" PRIu32 " was sent %u times, and was not answered.",
		s->psn, s->copies);
}

/* "ACK and reset when [ACK_GEN_COUNT] >= ACK_Gen_Trigger" */
static void trigger_late(struct pkt_ctx *l)
{
	const struct dir_rare *r = l->own->rare;

	if (!l->conf->ack_time || !r->trigger_at || has_given_up(l))
		return;
	if (flow_alive(l->f, l->at) - r->trigger_at <= l->conf->ack_time)
		return;
	pkt_owed(l, REQ_UET_ACK_22, r->trigger_frame);
	because(l->j,
		"%" PRIu32 " bytes came since the last ACK; ACK_Gen_Trigger "
		"is %" PRIu32 ".",
		r->unacked, l->conf->ack_gen_trigger);
	dir_rare(l->j, l->own)->trigger_at = 0;
}

static void say_ack_request_ignored(struct judge *j, uint32_t psn)
{
	expected(j, "ack_psn=%" PRIu32, psn);
	because(j, "The ACK Request for PSN %" PRIu32 " was not answered.",
		psn);
}

static void say_noop_refused(struct judge *j, uint32_t psn)
{
	expected(j, "ack_psn=%" PRIu32, psn);
	actual(j, "nack_code=0x%02x nack_psn=%" PRIu32, NACK_UNEXP_EVENT, psn);
	because(j, "A NOOP must be acknowledged; it is no unexpected event.");
}

static void ack_request_ignored(struct absence *a, uint32_t frame, uint32_t psn)
{
	lacks(a, REQ_UET_CP_01, REQ_DST, destination(a), frame, true);
	say_ack_request_ignored(a->j, psn);
}

static void end_rules_noop_refused(struct absence *a)
{
	const struct dir_rare *r = a->d->rare;

	if (!r->refused_frame || !a->f->end[destination(a)].here)
		return;
	lacks(a, REQ_UET_NACK_19, REQ_DST, destination(a), r->refused_frame,
	      true);
	say_noop_refused(a->j, r->refused_psn);
}

/*
 * An ACK shows that the destination still has the PDC, despite its NACKs: it
 * still owes the answers that it omitted or refused.
 */
static void owed_all_the_same(struct pkt_ctx *l)
{
	const struct flow *f = l->f;
	struct dir_rare *r;

	if (!l->peer->rare->passed_frame && !l->peer->rare->refused_frame)
		return;
	if (f->maybe_failed && !(f->unexpected & 1u << l->from))
		return;
	r = dir_rare(l->j, l->peer);
	if (r->passed_frame) {
		pkt_blame(l, REQ_UET_CP_01, REQ_DST);
		l->j->last->frame = r->passed_frame;
		say_ack_request_ignored(l->j, r->passed_psn);
	}
	if (r->refused_frame) {
		pkt_blame(l, REQ_UET_NACK_19, REQ_DST);
		l->j->last->frame = r->refused_frame;
		say_noop_refused(l->j, r->refused_psn);
	}
	r->passed_frame = r->refused_frame = 0;
}

/* An ACK Request is "answered at once", by an ACK or a NACK; so is a Probe. */
static void cp_answer_missing(struct absence *a)
{
	struct dir *d = a->d;

	if (!a->f->end[destination(a)].here)
		return;
	if (d->rare->passed_frame && !a->f->maybe_failed) {
		ack_request_ignored(a, d->rare->passed_frame,
				    d->rare->passed_psn);
		dir_rare(a->j, d)->passed_frame = 0;
	}
	if (d->rare->wanted_at &&
	    late(a, d->rare->wanted_at, pkt_overdue(a->conf))) {
		ack_request_ignored(a, d->rare->wanted_frame,
				    d->rare->wanted_psn);
		dir_rare(a->j, d)->wanted_at = 0;
	}
	if (d->rare->probed_at &&
	    late(a, d->rare->probed_at, pkt_overdue(a->conf))) {
		lacks(a, REQ_UET_CP_06, REQ_DST, destination(a),
		      d->rare->probed_frame, true);
		expected(a->j, "p=1 probe_opaque=0x%04x", d->rare->probe);
		because(a->j, "The Probe was not answered.");
		dir_rare(a->j, d)->probed_at = 0;
	}
}

/* ---- Owed by the source ---- */

/*
 * Returns true if the source is a target that has asked for a close: it "closes
 * in error" if no Close Command comes within Close_REQ_Time (uet.md 6.7), which
 * may be shorter than an RTO.
 */
static bool may_close_in_error(const struct absence *a)
{
	return a->f->close_asked && !a->f->closing && a->f->initiator >= 0 &&
	       a->source != (unsigned)a->f->initiator;
}

/*
 * Returns the time until which the source owed retransmissions: one that was
 * overdue before a target asked for a close was overdue in any case.
 */
static vtime owed_until(const struct absence *a)
{
	if (!may_close_in_error(a))
		return a->now;
	return vtime_min(a->now, a->d->rare->close_asked_at);
}

/*
 * A lost request must be retransmitted after its RTO; a NACKed one by then at
 * the latest.
 */
static void end_rules_repair_missing(struct absence *a, struct psn_state *s)
{
	const struct judge_conf *conf = a->conf;
	const unsigned max = conf->max_rto_retx ? conf->max_rto_retx : 5;
	const bool nacked = s->flags & PSN_NACKED;

	if (a->f->rod && s->psn != a->d->acked_to + 1)
		return; /* it is retransmitted with the missing one */
	if (!conf->rto_init || s->flags & (PSN_ACKED | PSN_SACKED | PSN_TOLD) ||
	    s->rto_retx >= max || !a->f->end[a->source].here)
		return;
	if (owed_until(a) - s->sent_at <= pkt_repair(conf, s->copies))
		return;
	if (nacked && conf->max_nack_retx &&
	    s->nack_retx >= conf->max_nack_retx)
		return; /* the source gave up */
	s->flags |= PSN_TOLD;
	lacks(a, nacked ? REQ_RUD_SEQ_82 : REQ_RUD_SEQ_83, REQ_SRC, a->source,
	      s->frame, true);
	expected(a->j, "psn=%" PRIu32 " retx=1", s->psn);
	because(a->j, "PSN %" PRIu32 " was %s but is not retransmitted.",
		s->psn, nacked ? "NACKed" : "not acknowledged");
}

/*
 * Returns true if the source may wait, or was informed that it need not
 * retransmit.
 */
static bool tail_is_excused(const struct absence *a, const struct psn_state *s)
{
	const struct rod *r = &a->d->rare->rod;
	const struct psn_state *head = psn_find(a->f, a->d, r->head);

	if (s->flags & (PSN_ACKED | PSN_SACKED | PSN_TOLD) || !head ||
	    head->flags & PSN_NACKED)
		return true;
	if (r->acked_at && serial_before(s->psn, r->told))
		return true;
	return a->d->cack_known && serial_diff(s->psn, a->d->cack) >
					   (int32_t)dir_range(a->d, a->conf);
}

/* "sends N and all after it again" */
static void tail_missing(struct absence *a, struct psn_state *s)
{
	const struct rod *r = &a->d->rare->rod;

	if (!a->f->rod || !r->head_at || !a->f->end[a->source].here ||
	    !serial_after(s->psn, r->head) || s->sent_at >= r->head_at ||
	    !late(a, r->head_at, pkt_overdue(a->conf)) || tail_is_excused(a, s))
		return;
	s->flags |= PSN_TOLD;
	lacks(a, REQ_MODE_ROD_3s, REQ_SRC, a->source, s->frame, true);
	expected(a->j, "psn=%" PRIu32 " retx=1", s->psn);
	because(a->j,
		"The source went back to PSN %" PRIu32 " but did not "
		"retransmit PSN %" PRIu32 ".",
		r->head, s->psn);
}

/* "ROD_OOO answers a ROD packet out of order" */
static void ooo_not_told(struct absence *a)
{
	const struct rod *r = &a->d->rare->rod;

	if (!r->gap_at || !a->f->end[destination(a)].here ||
	    !late(a, r->gap_at, pkt_overdue(a->conf)))
		return;
	lacks(a, REQ_UET_NACK_0D, REQ_DST, destination(a), r->gap_frame, true);
	expected(a->j, "nack rod_ooo nack_psn=%" PRIu32, r->gap_psn);
	because(a->j,
		"PSN %" PRIu32 " came out of order, but no NACK reported it.",
		r->gap_psn);
	dir_rare(a->j, a->d)->rod.gap_at = 0;
}

/*
 * Returns when the source last received an ACK of an uncleared PSN, up to
 * |psn|. VTIME_NEVER: it may not have received one.
 */
static vtime told_last(const struct absence *a, uint32_t psn)
{
	const struct dir *d = a->d;
	const struct psn_state *s;
	vtime last = 0;

	for (unsigned i = 0; i < d->window; i++, psn--) {
		if (d->released_known && !serial_after(psn, d->released))
			break;
		s = psn_find(a->f, a->d, psn);
		if (s && s->acked_at > last)
			last = s->acked_at;
	}
	return last;
}

/*
 * "On a Clear Request the source sends CLEAR_PSN": a CLEAR_PSN that covers the
 * requested PSN.  While a request is unacknowledged, the source may wait for
 * its next transmission.
 */
static void clear_missing(struct absence *a)
{
	const struct dir_rare *r = a->d->rare;
	vtime since = r->asked_at;

	if (!r->asked_at || !a->f->end[a->source].here)
		return;
	if (a->d->start_known && a->d->acked_to != a->d->high)
		return;
	if (told_last(a, r->asked_psn) > since)
		since = told_last(a, r->asked_psn);
	if (since == VTIME_NEVER || !late(a, since, pkt_overdue(a->conf)))
		return;
	lacks(a, REQ_RUD_SVC_6, REQ_SRC, a->source, r->asked_frame, true);
	expected(a->j, "clear_psn=%" PRIu32, r->asked_psn);
	because(a->j,
		"The Clear Request was not answered by a CLEAR_PSN that covers "
		"PSN %" PRIu32 ".",
		r->asked_psn);
	dir_rare(a->j, a->d)->asked_at = 0;
}

/*
 * Finds the lowest response that is certainly stored, or the highest PSN whose
 * ACK requested a clear, if no CACK_PSN has passed it.  Return: false: there is
 * none.
 */
static bool still_stored(const struct dir *d, uint32_t *ret)
{
	*ret = d->gtd ? d->gtd_low : d->asked_high;
	if (d->gtd)
		return true;
	return d->asked_clear && d->released_known && d->cack_known &&
	       serial_after(d->asked_high, d->released) &&
	       serial_after(d->asked_high, d->cack);
}

/*
 * "CLEAR 333 by the next request or a Clear Command": if the source has nothing
 * left to send or to wait for, a Clear Command is due, and it covers all
 * requested PSNs.
 */
static void stored_not_cleared(struct absence *a)
{
	struct dir *d = a->d;
	struct psn_state *s;
	uint32_t psn;
	vtime since;

	if (!still_stored(d, &psn) || !a->f->end[a->source].here ||
	    d->acked_to != d->high)
		return;
	s = psn_find(a->f, d, psn);
	since = told_last(a, d->high);
	if (!s || s->flags & PSN_TOLD || !(s->flags & PSN_ASKED) ||
	    since == VTIME_NEVER || !late(a, since, LONGEST_CLEAR))
		return;
	s->flags |= PSN_TOLD;
	lacks(a, REQ_RUD_SEQ_76, REQ_SRC, a->source, s->frame, true);
	expected(a->j, "payload=%" PRIu32, s->psn);
	because(a->j,
		"The guaranteed response to PSN %" PRIu32 " is never "
		"cleared.",
		s->psn);
}

/* A fatal NACK was obeyed: a request after it would have been reported. */
static void fatal_heeded(struct absence *a)
{
	const struct flow *f = a->f;
	enum req_id req;

	if (!f->rare->fatal_at || f->rare->fatal_end != a->source ||
	    !late(a, f->rare->fatal_at, pkt_grace(a->conf)))
		return;
	lacks(a, REQ_UET_PDC_48, REQ_SRC, a->source, 0, false);
	if (nack_req(f->rare->fatal_code, &req))
		lacks(a, req, REQ_SRC, a->source, 0, false);
}

static void owed_by_destination(struct absence *a)
{
	for (unsigned i = 0; i < a->d->slots; i++) {
		struct psn_state *s = psn_nth(a->f, a->d, i);

		if (!s)
			continue;
		rules_uet_trim_end(a, s);
		if (!(s->flags & PSN_MANGLED))
			end_rules_answer_missing(a, s);
	}
	if (a->f->rod)
		ooo_not_told(a);
	cp_answer_missing(a);
	if (!a->f->maybe_failed)
		end_rules_noop_refused(a);
}

static void owed_packet(struct absence *a, struct psn_state *s)
{
	end_rules_repair_missing(a, s);
	tail_missing(a, s);
}

static void owed_by_source(struct absence *a)
{
	for (unsigned i = 0; i < a->d->slots; i++) {
		struct psn_state *s = psn_nth(a->f, a->d, i);

		if (s && !(s->flags & PSN_MANGLED))
			owed_packet(a, s);
	}
	clear_missing(a);
	stored_not_cleared(a);
}

/* Returns when an end sent its last request: until then it had the PDC. */
static vtime last_sent(const struct absence *a, const struct dir *d)
{
	vtime last = 0;

	for (unsigned i = 0; i < d->slots; i++) {
		const struct psn_state *s = psn_nth(a->f, d, i);

		if (s)
			last = vtime_max(last, s->sent_at);
	}
	return last;
}

void rules_uet_end(struct absence *a)
{
	const struct dir *owes = &a->f->hot->dir[destination(a)];
	vtime alive;

	fatal_heeded(a);
	a->now = alive = flow_alive(a->f, a->now);
	/* An end that may have given up may no longer have the PDC. */
	if (owes->retries_exhausted)
		a->now = vtime_min(alive, last_sent(a, owes));
	owed_by_destination(a);
	a->now = alive;
	if (!a->d->retries_exhausted)
		owed_by_source(a);
}

const struct monitor rules_uet_late[] = {
	{PKT_REQ | PKT_CP | PKT_THERE | PKT_AGAIN, answer_late, ALWAYS},
	{PKT_REQ | PKT_THERE | PKT_AGAIN, answer_withheld, ALWAYS},
	{PKT_REQ | PKT_THERE, trigger_late, ON(LINKED)},
	{PKT_ACK | PKT_HERE, owed_all_the_same, ON(LINKED)},
	{0, NULL, ALWAYS},
};
