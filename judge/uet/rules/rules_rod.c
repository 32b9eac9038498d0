/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_rod.c -- reliable ordered delivery: one path,
 * Go-Back-N, and answers in the order of the packets.
 *
 * Only the destination's link shows which packets it can have accepted in
 * order; only the source's link shows which answers it had received.  A
 * destination may send ROD_OOO for each packet after a gap or once, with
 * Expected_PSN or 0; a source may retransmit the whole tail, or stop when an
 * ACK covers the rest.
 *
 * Spec: UET 3.5.7.2, 3.5.8.2, 3.5.12.7 (uet.md 4.3, 6.3, 7.6)
 */
#include "judge/uet/rule.h"

static bool rod_rules_by_initiator(const struct pkt_ctx *l)
{
	return l->f->initiator == (int)l->from;
}

/* ---- The source ---- */

/* Returns true for a packet that belongs to the order of a ROD PDC. */
static bool ordered(const struct pkt_ctx *l)
{
	return l->takes_psn && !l->out_of_window && !l->net_dup && l->own->any;
}

/* A Close Command may end a PDC in error, while packets are outstanding. */
static bool in_line(const struct pkt_ctx *l)
{
	return ordered(l) &&
	       !(l->kind == PKT_CP && l->cp.ctl_type == PDS_CP_CLOSE_COMMAND);
}

/* Returns true if no packet is outstanding that another path could reorder. */
static bool rod_rules_idle(const struct dir *d)
{
	return (d->cack_known && !serial_before(d->cack, d->high)) ||
	       (d->start_known && d->acked_to == d->high);
}

/* "on one network path (one entropy value)"; it may change "while idle" */
static void one_path(struct pkt_ctx *l)
{
	const uint16_t entropy = l->own->rare->rod.entropy;

	if (!ordered(l))
		return;
	if (rod_rules_idle(l->own)) {
		shows(l, REQ_UET_PDC_50, REQ_SRC);
		return;
	}
	if (holds(l, REQ_MODE_ROD_2, REQ_SRC, l->in->d->entropy == entropy))
		return;
	expected(l->j, "entropy=0x%04x", entropy);
	actual(l->j, "entropy=0x%04x", l->in->d->entropy);
	because(l->j,
		"The entropy value changes while PSN %" PRIu32 " is "
		"outstanding: a ROD PDC must use one path.",
		l->own->acked_to + 1);
}

/* "ROD packets are sent in SES order": the source sent an earlier PSN later. */
static void first_sent_late(struct pkt_ctx *l)
{
	if (!ordered(l))
		return;
	if (holds(l, REQ_MODE_ROD_2, REQ_SRC,
		  serial_after(l->psn, l->own->high)))
		return;
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j,
		"PSN %" PRIu32 " is sent for the first time after PSN "
		"%" PRIu32 ".",
		l->psn, l->own->high);
}

/*
 * Returns true if an ACK or ROD_OOO reported to the source that the PSN
 * arrived.
 */
static bool is_there(const struct pkt_ctx *l, uint32_t psn)
{
	const struct psn_state *s = psn_find(l->f, l->own, psn);

	return psn_acked(l->f, l->own, psn) || !s || s->flags & PSN_SACKED ||
	       (l->own->rare->rod.acked_at &&
		serial_before(psn, l->own->rare->rod.told));
}

/*
 * Returns the first PSN from |psn| on, below |end|, that may be missing, or
 * |end|.
 */
static uint32_t first_missing(const struct pkt_ctx *l, uint32_t psn,
			      uint32_t end)
{
	while (serial_before(psn, end) && is_there(l, psn))
		psn++;
	return psn;
}

/*
 * "sends N and all after it again": the source must not skip a packet after a
 * retransmitted one.
 */
static void tail_left_out(struct pkt_ctx *l)
{
	const struct dir *d = l->own;
	const uint32_t next = d->rare->rod.last + 1;
	uint32_t missing;

	if (!in_line(l) || serial_before(l->psn, next) || pkt_asked_for(l) ||
	    (d->rare->rod.aside && l->psn == d->rare->rod.line + 1))
		return;
	missing = first_missing(l, next, l->psn);
	if (holds(l, REQ_MODE_ROD_3s, REQ_SRC,
		  missing == l->psn || serial_after(missing, d->high)))
		return;
	expected(l->j, "psn=%" PRIu32, missing);
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j,
		"PSN %" PRIu32 " follows PSN %" PRIu32 ", which was "
		"retransmitted; PSN %" PRIu32 " is not known to have arrived.",
		l->psn, d->rare->rod.last, missing);
}

/* Returns true if a NACK with another code than ROD_OOO named this packet. */
static bool rod_rules_is_named(const struct pkt_ctx *l)
{
	return l->old->flags & PSN_NACKED && l->old->nack_code != NACK_ROD_OOO;
}

/* A ROD_OOO without Expected_PSN looks like one that expects PSN 0. */
static bool may_be_told(const struct pkt_ctx *l)
{
	return !l->psn && l->own->rare->rod.zero_told;
}

/* "The ROD sender goes back to the first missing PSN N". */
static void goes_back_short(struct pkt_ctx *l)
{
	uint32_t missing;

	if (!in_line(l) || !pkt_goes_back(l) || rod_rules_is_named(l) ||
	    !l->own->start_known || !serial_after(l->psn, l->own->acked_to) ||
	    may_be_told(l))
		return;
	missing = first_missing(l, l->own->acked_to + 1, l->psn);
	if (holds(l, REQ_MODE_ROD_3s, REQ_SRC, missing == l->psn))
		return;
	expected(l->j, "psn=%" PRIu32 " retx=1", missing);
	actual(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	because(l->j,
		"The source goes back to PSN %" PRIu32 "; the first "
		"missing PSN is %" PRIu32 ".",
		l->psn, missing);
}

/*
 * Returns true if a ROD_OOO reported more PSNs as received, early enough for
 * the source to see it.
 */
static bool told_more(const struct pkt_ctx *l)
{
	const struct rod *r = &l->own->rare->rod;

	return r->acked_at && r->acked_at == r->ooo_at &&
	       serial_after(r->told, l->psn) &&
	       l->at - r->acked_at > pkt_grace(l->conf);
}

/* If the RTO ends meanwhile, the source may retransmit for that reason. */
static bool rto_is_over(const struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;

	return l->conf->rto_init &&
	       l->at - s->sent_at >= pkt_rto(l->conf, s->rto_retx);
}

/*
 * "the source goes back to it or, if it is 0, to CACK_PSN + 1"; goes_back_far()
 * judges PSNs that are acknowledged.
 */
static void goes_back_as_told(struct pkt_ctx *l)
{
	if (!in_line(l) || !pkt_goes_back(l) || rod_rules_is_named(l) ||
	    !l->own->rare->rod.ooo_at ||
	    l->own->rare->rod.ooo_at < l->old->sent_at ||
	    psn_acked(l->f, l->own, l->psn) || rto_is_over(l))
		return;
	if (holds(l, REQ_UET_NACK_0D, REQ_SRC, !told_more(l)))
		return;
	expected(l->j, "psn=%" PRIu32 " retx=1", l->own->rare->rod.told);
	actual(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	because(l->j,
		"ROD_OOO expects PSN %" PRIu32 "; the source "
		"goes back to %" PRIu32 ".",
		l->own->rare->rod.told, l->psn);
}

static bool rod_rules_told_before(const struct pkt_ctx *l)
{
	return l->old->flags & PSN_ACKED &&
	       l->at - l->old->acked_at > pkt_grace(l->conf);
}

/* An acknowledged PSN is not the first missing one. */
static void goes_back_far(struct pkt_ctx *l)
{
	if (!in_line(l) || !pkt_goes_back(l) || rod_rules_is_named(l) ||
	    l->kind == PKT_CP)
		return;
	if (holds(l, REQ_MODE_ROD_3s, REQ_SRC, !rod_rules_told_before(l)))
		return;
	expected(l->j, "psn=%" PRIu32 " retx=1", l->own->acked_to + 1);
	actual(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	because(l->j,
		"The source goes back to PSN %" PRIu32 " although its ACK "
		"had arrived.",
		l->psn);
}

/* ---- The destination takes packets in order ---- */

/* Finds the first PSN that this ACK reports as accepted out of order. */
static bool took_early(const struct pkt_ctx *l, uint32_t *ret)
{
	const uint32_t taken = l->peer->rare->rod.taken_to;
	const uint32_t high = l->peer->high;

	*ret = taken + 1;
	if (serial_after(l->ack.cack_psn, taken) &&
	    !serial_after(l->ack.cack_psn, high))
		return true;
	*ret = l->ack_psn;
	if (l->has_ack_psn && l->old && serial_after(l->ack_psn, taken))
		return true;
	for (uint64_t bits = l->sack_bitmap; bits; bits &= bits - 1) {
		*ret = l->sack_psn + (uint32_t)__builtin_ctzll(bits);
		if (serial_after(*ret, taken) && !serial_after(*ret, high))
			return true;
	}
	return false;
}

/* rules_dst.c judges packets that were refused for another reason. */
static bool was_refused(const struct pkt_ctx *l)
{
	const struct psn_state *s =
		psn_find(l->f, l->peer, l->peer->rare->rod.taken_to + 1);

	return s && s->drops && s->nack_code != NACK_ROD_OOO;
}

/* Returns true if only SYNs with another PSN than Start_PSN came. */
static bool begins_late(const struct pkt_ctx *l)
{
	const struct dir *d = l->peer;

	return l->from == 1 && l->f->syn_start_known &&
	       serial_before(d->seen_to, d->start) &&
	       !psn_find(l->f, l->peer, d->start);
}

/* "The ROD receiver drops every packet that arrives out of order." */
static void in_order_only(struct pkt_ctx *l)
{
	const bool early = begins_late(l);
	uint32_t psn;

	if (!l->peer->start_known || was_refused(l))
		return;
	if (holds(l, early ? REQ_UET_PDC_28 : REQ_MODE_ROD_3d, REQ_DST,
		  !took_early(l, &psn)))
		return;
	actual(l->j, "ack_psn=%" PRIu32 " cack_psn=%" PRIu32, l->ack_psn,
	       l->ack.cack_psn);
	if (early)
		because(l->j,
			"PSN %" PRIu32 " is acknowledged on a ROD PDC, but "
			"Start_PSN %" PRIu32 " has not come.",
			psn, l->peer->start);
	else if (psn == l->peer->rare->rod.taken_to + 1)
		because(l->j,
			"PSN %" PRIu32 " came out of order, was not sent again "
			"in its place, but is acknowledged.",
			psn);
	else
		because(l->j,
			"PSN %" PRIu32 " came out of order but is "
			"acknowledged; PSN %" PRIu32 " must come first.",
			psn, l->peer->rare->rod.taken_to + 1);
}

/*
 * "Expected_PSN, the highest psn received in order plus 1, or 0": above all
 * acknowledged PSNs, and at most the first PSN that did not arrive in order.
 */
static bool expected_is_right(const struct pkt_ctx *l)
{
	const struct dir *d = l->peer;
	const uint32_t psn = l->payload;

	return !psn || (serial_after(psn, d->acked_to) &&
			!serial_after(psn, d->rare->rod.taken_to + 1) &&
			serial_before(psn, l->psn));
}

static void expected_psn(struct pkt_ctx *l)
{
	if (l->nack.nack_code != NACK_ROD_OOO || !l->peer->start_known)
		return;
	if (holds(l, REQ_UET_NACK_0D, REQ_DST, expected_is_right(l)))
		return;
	expected(l->j, "payload=%" PRIu32, l->peer->rare->rod.taken_to + 1);
	actual(l->j, "payload=%" PRIu32, l->payload);
	because(l->j,
		"The highest PSN that came in order is %" PRIu32 "; "
		"Expected_PSN must be the next one.",
		l->peer->rare->rod.taken_to);
}

/*
 * "ROD_OOO answers a ROD packet out of order": not the packet after all
 * acknowledged ones.
 */
static void was_in_order(struct pkt_ctx *l)
{
	if (l->nack.nack_code != NACK_ROD_OOO || !l->peer->start_known)
		return;
	if (holds(l, REQ_UET_NACK_0D, REQ_DST,
		  serial_after(l->psn, l->peer->acked_to + 1)))
		return;
	actual(l->j, "nack_psn=%" PRIu32, l->psn);
	because(l->j,
		"PSN %" PRIu32 " came in order: all lower PSNs are "
		"acknowledged.",
		l->psn);
}

/* "[...] and there is no PDC", whose PDCID a NACK could carry. */
static void no_pdc_yet(struct pkt_ctx *l)
{
	if (l->nack.nack_code != NACK_ROD_OOO || !l->peer->start_known ||
	    !begins_late(l))
		return;
	if (holds(l, REQ_UET_PDC_28, REQ_DST, !l->nack.spdcid))
		return;
	expected(l->j, "spdcid=0");
	actual(l->j, "spdcid=0x%04x", l->nack.spdcid);
	because(l->j,
		"A ROD SYN with another PSN than Start_PSN opens no PDC.");
}

/* ---- Answers that are sent in the order of the packets ---- */

/* "An ACK that was asked for (duplicate received, ACK Request CP) may be sent
 * [...] out of order." */
static bool rod_rules_asked_again(const struct psn_state *s)
{
	return s->copies > 1 || s->flags & (PSN_OWN_ACK | PSN_WANTED);
}

/*
 * Returns true if an ACK does not cover CACK_PSN + 1, which came before and
 * which no ACK has acknowledged.  A guaranteed response would have been sent by
 * now.
 */
static bool leaves_out(const struct pkt_ctx *l)
{
	const uint32_t psn = l->ack.cack_psn + 1;
	const struct psn_state *s = psn_find(l->f, l->peer, psn);

	return s && serial_before(psn, l->ack_psn) &&
	       !serial_after(l->ack_psn, l->peer->rare->rod.taken_to) &&
	       !(s->flags & (PSN_CP | PSN_MANGLED | PSN_ACKED | PSN_NACKED |
			     PSN_OUTSIDE | PSN_OTHER_MODE)) &&
	       !s->drops && !rod_in_doubt(l->peer, psn);
}

/* "ROD ACKs are sent in the order of the packets that they acknowledge." */
static void ack_before(struct pkt_ctx *l)
{
	if (!l->peer->start_known || rod_rules_asked_again(l->old) ||
	    l->f->initiator == (int)l->from || l->old->flags & PSN_CP)
		return; /* the last ACK of a PDC waits only for data */
	if (holds(l, REQ_MODE_ROD_4, REQ_DST, !leaves_out(l)))
		return;
	actual(l->j, "ack_psn=%" PRIu32 " cack_psn=%" PRIu32, l->ack_psn,
	       l->ack.cack_psn);
	because(l->j,
		"The ACK of PSN %" PRIu32 " is sent before that of PSN "
		"%" PRIu32 ".",
		l->ack_psn, l->ack.cack_psn + 1);
}

/* "ROD ACKs are sent in the order of the packets that they acknowledge." */
static void ack_order(struct pkt_ctx *l)
{
	const struct rod *r = &l->peer->rare->rod;

	if (!l->peer->start_known || !r->acked)
		return;
	if (rod_rules_asked_again(l->old)) {
		shows(l, REQ_MODE_ROD_7, REQ_DST);
		return;
	}
	if (holds(l, REQ_MODE_ROD_4, REQ_DST,
		  !serial_before(l->ack_psn, r->ack_high)))
		return;
	actual(l->j, "ack_psn=%" PRIu32, l->ack_psn);
	because(l->j,
		"The ACK of PSN %" PRIu32 " is sent after that of PSN "
		"%" PRIu32 ", and was not requested again.",
		l->ack_psn, r->ack_high);
}

/* "ROD read responses are sent in packet order." */
static void return_order(struct pkt_ctx *l)
{
	const struct rod *r = &l->own->rare->rod;
	uint32_t psn, offset;

	if (rod_rules_by_initiator(l) || !pkt_read_of(l, &psn, &offset))
		return;
	shows(l, REQ_MODE_ROD_6, REQ_DST);
	if (!r->returned)
		return;
	if (holds(l, REQ_MODE_ROD_5, REQ_DST,
		  serial_after(psn, r->ret_psn) ||
			  (psn == r->ret_psn && offset >= r->ret_offset)))
		return;
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j,
		"Data of the read at PSN %" PRIu32 " follows data of the "
		"one at PSN %" PRIu32 ", or a later part of the same read.",
		psn, r->ret_psn);
}

/* ---- Two modes ---- */

/* "PDC_MODE_MISMATCH answers a RUD packet on a ROD PDC or the reverse". */
static void rod_rules_mode_mismatch(struct pkt_ctx *l)
{
	/* One of several earlier copies may have had the other mode. */
	const bool other = l->old->flags & PSN_OTHER_MODE || l->old->copies > 1;

	if (l->nack.nack_code != NACK_PDC_MODE_MISMATCH)
		return;
	if (holds(l, REQ_UET_NACK_16, REQ_DST, other))
		return;
	actual(l->j, "nack_code=0x%02x nack_psn=%" PRIu32, l->nack.nack_code,
	       l->psn);
	because(l->j, "The packet has the mode of its PDC, %s.",
		l->f->rod ? "ROD" : "RUD");
}

static void other_mode_acked(struct pkt_ctx *l)
{
	if (!(l->old->flags & PSN_OTHER_MODE) || l->old->flags & PSN_CP ||
	    l->old->copies > 1)
		return;
	holds(l, REQ_UET_NACK_16, REQ_DST, false);
	expected(l->j, "nack pdc_mode_mismatch nack_psn=%" PRIu32, l->ack_psn);
	actual(l->j, "ack_psn=%" PRIu32, l->ack_psn);
	because(l->j, "A %s packet on a %s PDC is acknowledged.",
		l->f->rod ? "RUD" : "ROD", l->f->rod ? "ROD" : "RUD");
}

const struct monitor rules_uet_rod[] = {
	{PKT_REQ | PKT_CP | PKT_ROD | PKT_HERE, one_path, ALWAYS},
	{PKT_REQ | PKT_CP | PKT_ROD | PKT_HERE | PKT_NEW, first_sent_late,
	 ALWAYS},
	{PKT_REQ | PKT_CP | PKT_ROD | PKT_HERE, tail_left_out, ALWAYS},
	{PKT_REQ | PKT_CP | PKT_ROD | PKT_HERE | PKT_AGAIN, goes_back_short,
	 ALWAYS},
	{PKT_REQ | PKT_CP | PKT_ROD | PKT_HERE | PKT_AGAIN, goes_back_as_told,
	 ALWAYS},
	{PKT_REQ | PKT_CP | PKT_ROD | PKT_HERE | PKT_AGAIN, goes_back_far,
	 ALWAYS},
	{PKT_ACK | PKT_ROD | PKT_HERE, in_order_only, ALWAYS},
	{PKT_NACK | PKT_ROD | PKT_HERE, expected_psn, ALWAYS},
	{PKT_NACK | PKT_ROD | PKT_HERE | PKT_AGAIN, was_in_order, ALWAYS},
	{PKT_NACK | PKT_ROD | PKT_HERE, no_pdc_yet, ALWAYS},
	{PKT_ACK | PKT_ROD | PKT_HERE | PKT_AGAIN, ack_order, ALWAYS},
	{PKT_ACK | PKT_ROD | PKT_HERE | PKT_AGAIN, ack_before, ALWAYS},
	{PKT_REQ | PKT_ROD | PKT_HERE | PKT_NEW, return_order, ALWAYS},
	{PKT_NACK | PKT_HERE | PKT_AGAIN, rod_rules_mode_mismatch, ALWAYS},
	{PKT_ACK | PKT_HERE | PKT_AGAIN, other_mode_acked, ON(LINKED)},
	{0, NULL, ALWAYS},
};
