/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_rtx.c -- the rules of retransmission: contents, cause,
 * time, number.
 *
 * They all check a packet whose PSN was seen before (PKT_AGAIN).  The exception
 * checks a first transmission with retx = 1.
 *
 * Spec: UET 3.5.20.3, 3.5.12.7, 3.5.15 (uet.md 4, 8)
 */
#include "judge/uet/rule.h"
#include "judge/uet/rules/rules_nack.h"

/*
 * Another packet with the same PSN is a retransmission only if it has retx = 1.
 */
static bool rtx_rules_repeats(const struct pkt_ctx *l)
{
	return l->takes_psn && !l->net_dup &&
	       (l->retx || l->hash == l->old->hash);
}

/* "flags.retx marks a retransmission" */
static void rtx_rules_repeat_unmarked(struct pkt_ctx *l)
{
	if (!rtx_rules_repeats(l))
		return;
	if (holds(l, REQ_RUD_SEQ_84b, REQ_SRC, l->retx)) {
		shows(l, REQ_UET_RTX_16, REQ_SRC);
		return;
	}
	expected(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	actual(l->j, "psn=%" PRIu32 " retx=0", l->psn);
	because(l->j,
		"PSN %" PRIu32
		" is retransmitted without retx; it was first seen "
		"in frame %" PRIu32 ".",
		l->psn, l->old->frame);
}

/* The converse: a PSN that was never sent before must not have retx = 1. */
static void rtx_rules_first_marked(struct pkt_ctx *l)
{
	if (!l->takes_psn || l->out_of_window)
		return;
	if (l->f->renumbered && l->syn)
		return; /* it was sent before with another PSN */
	if (holds(l, REQ_RUD_SEQ_84b, REQ_SRC, !l->retx))
		return;
	expected(l->j, "psn=%" PRIu32 " retx=0", l->psn);
	actual(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	because(l->j,
		"The first transmission of PSN %" PRIu32 " is marked as "
		"a retransmission.",
		l->psn);
}

/* "A retransmission keeps psn, SES header and payload unchanged." */
static void rtx_rules_repeat_changed(struct pkt_ctx *l)
{
	if (!rtx_rules_repeats(l) || !l->retx || l->mangled ||
	    l->old->flags & PSN_MANGLED || pkt_may_be_cut(l))
		return;
	if (holds(l, REQ_UET_RTX_15, REQ_SRC, l->hash == l->old->hash))
		return;
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j,
		"SES header or payload of PSN %" PRIu32 " differ from "
		"those of its first transmission.",
		l->psn);
}

/*
 * Returns true if an ACK came early enough to stop a packet in the source's
 * send queue.
 */
static bool rtx_rules_told_before(const struct pkt_ctx *l)
{
	return knows_all(l, l->from) && l->old->flags & PSN_ACKED &&
	       l->at - l->old->acked_at > pkt_grace(l->conf);
}

/*
 * Returns true if the source itself reported that it has the response.  A Clear
 * Command is control traffic, and may overtake packets in the send queue.  The
 * CLEAR_PSN in the packet itself is proof.
 */
static bool cleared_before(const struct pkt_ctx *l)
{
	if (!at_link(l, l->from) || !l->own->clear_known ||
	    serial_after(l->psn, l->own->clear))
		return false;
	return !(l->old->flags & PSN_ACKED) || rtx_rules_told_before(l) ||
	       !serial_after(l->psn, l->clear);
}

/* "a source does not send again a PSN that it has been told was received. (A
 * time-out repeat after a lost ACK is legal.)" */
static void repeat_acked(struct pkt_ctx *l)
{
	bool told;

	if (!rtx_rules_repeats(l) || !l->retx || l->f->rod ||
	    l->kind == PKT_CP || l->old->flags & PSN_NACKED)
		return;
	told = cleared_before(l) || rtx_rules_told_before(l);
	if (holds(l, REQ_MODE_RUD_3, REQ_SRC, !told)) {
		shows(l, REQ_UET_RTX_19, REQ_SRC);
		return;
	}
	actual(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	because(l->j, "PSN %" PRIu32 " is retransmitted although %s.", l->psn,
		cleared_before(l) ? "the source itself has cleared it"
				  : "its ACK had arrived");
}

/* Checks the contents of a retransmission. */
static void repairs(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;
	enum req_id req;

	if (!rtx_rules_repeats(l) || s->flags & PSN_ACKED)
		return;
	switch (pkt_cause(l)) {
	case CAUSE_TIMER:
		shows(l, REQ_RUD_SEQ_84, REQ_SRC);
		break;
	case CAUSE_GAP:
		shows(l, REQ_RUD_LOSS_2, REQ_SRC);
		break;
	case CAUSE_NACK:
		shows(l, REQ_RUD_LOSS_2, REQ_SRC);
		if (nack_req(s->nack_code, &req))
			shows(l, req, REQ_SRC);
		if (s->flags & (PSN_READ | PSN_MULTI))
			shows(l, REQ_RUD_SEQ_82c, REQ_SRC);
		break;
	}
}

/* ROD: it is retransmitted because an earlier packet is missing. */
static bool comes_along(const struct pkt_ctx *l)
{
	return l->f->rod && !pkt_goes_back(l);
}

/* Rules on time check only PSNs that are not acknowledged. */
static bool timed(const struct pkt_ctx *l)
{
	return rtx_rules_repeats(l) && !comes_along(l) &&
	       !(l->old->flags & PSN_ACKED);
}

/* "The RTO of a packet is RTO_Init_Time * 2^n after n retransmissions" */
static void rtx_rules_repeat_early(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;
	vspan wait, rto;

	if (!timed(l) || !l->conf->rto_init || pkt_cause(l) != CAUSE_TIMER)
		return;
	wait = l->at - s->sent_at;
	rto = pkt_rto(l->conf, s->rto_retx);
	if (holds(l, REQ_UET_RTX_12, REQ_SRC, wait >= rto)) {
		shows(l, REQ_RUD_SEQ_83, REQ_SRC);
		return;
	}
	too_early(l->j);
	actual(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	because(l->j,
		"Retransmission %u of PSN %" PRIu32 " after "
		"%" PRId64 " us, with no NACK or SACK; RTO allows "
		"%" PRId64 " us.",
		s->rto_retx + 1u, l->psn, wait / VSPAN_US, rto / VSPAN_US);
}

/* "retries up to Max_RTO_Retx_Cnt to deliver them" */
static void rtx_rules_repeat_too_often(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;
	const unsigned max = l->conf->max_rto_retx;

	if (!timed(l) || !max || !l->conf->rto_init ||
	    pkt_cause(l) != CAUSE_TIMER)
		return;
	if (holds(l, REQ_RUD_SVC_1, REQ_SRC, s->rto_retx < max))
		return;
	actual(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	because(l->j,
		"Retransmission %u of PSN %" PRIu32 " without an "
		"ACK; Max_RTO_Retx_Cnt is %u.",
		s->rto_retx + 1u, l->psn, max);
}

/*
 * Codes that report a missing resource: a source waits for NACK_Retx_Time after
 * them.
 */
static bool wants_resource(uint8_t code)
{
	return code >= NACK_NO_PDC_AVAIL && code <= NACK_NO_RESOURCE;
}

/* ROD_OOO for a later packet requests this one at once. */
static bool missed_since(const struct pkt_ctx *l)
{
	return l->f->rod && l->own->rare->rod.ooo_at &&
	       l->own->rare->rod.ooo_at >= l->old->acked_at;
}

/*
 * "the source waits as the NACK code says and sends 333 again".  If its RTO
 * ends earlier, the source may retransmit for that reason.
 */
static void rtx_rules_nack_too_soon(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;
	vspan wait, least = l->conf->nack_retx_time;

	if (!timed(l) || !(s->flags & PSN_NACKED))
		return;
	if (!wants_resource(s->nack_code) || !least || missed_since(l)) {
		shows(l, REQ_RUD_SEQ_82, REQ_SRC);
		return;
	}
	wait = l->at - s->acked_at;
	if (l->conf->rto_init &&
	    l->at - s->sent_at >= pkt_rto(l->conf, s->rto_retx))
		wait = least;
	if (holds(l, REQ_RUD_SEQ_82, REQ_SRC,
		  wait + l->conf->nack_tolerance >= least)) {
		shows(l, REQ_UET_RTX_03, REQ_SRC);
		return;
	}
	too_early(l->j);
	actual(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	because(l->j,
		"PSN %" PRIu32 " is retransmitted %" PRId64 " us "
		"after NACK 0x%02x; NACK_Retx_Time is %" PRId64 " us.",
		l->psn, wait / VSPAN_US, s->nack_code, least / VSPAN_US);
}

/*
 * "A repeat comes when its RTO ends", if the limit is declared.  Earlier
 * retransmissions may have followed NACKs that request nothing.
 */
static void repeat_late(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;
	vspan wait, rto;

	if (!timed(l) || !l->conf->rto_late || s->flags & PSN_SACKED ||
	    pkt_cause(l) != CAUSE_TIMER || l->f->rod)
		return; /* ROD: the RTO of the oldest packet applies to all */
	wait = l->at - s->sent_at;
	rto = pkt_rto(l->conf, s->copies - 1u) + l->conf->rto_tolerance;
	if (holds(l, REQ_RUD_SEQ_83, REQ_SRC, wait <= rto + l->conf->rto_late))
		return;
	too_early(l->j);
	actual(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	because(l->j,
		"PSN %" PRIu32 " is retransmitted after %" PRId64
		" us only; its "
		"RTO is %" PRId64 " us.",
		l->psn, wait / VSPAN_US, rto / VSPAN_US);
}

/* "Past Max_NACK_Retx_Cnt the source ends the transaction in error." */
static void rtx_rules_nack_too_often(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;
	const unsigned max = l->conf->max_nack_retx;

	if (!timed(l) || !max || !l->conf->rto_init ||
	    !(s->flags & PSN_NACKED) || s->nack_code == NACK_RCVD_SES_PROCG ||
	    l->f->rod)
		return; /* ROD: it may follow a go-back to another PSN */
	if (holds(l, REQ_RUD_SEQ_82a, REQ_SRC, s->nack_retx < max))
		return;
	actual(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	because(l->j,
		"Retransmission %u of PSN %" PRIu32 " after a NACK; "
		"Max_NACK_Retx_Cnt is %u.",
		s->nack_retx + 1u, l->psn, max);
}

/* "the source sends the packet again only if its psn is above CACK_PSN" */
static void nack_oor_done(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;

	if (!rtx_rules_repeats(l) || !(s->flags & PSN_NACKED) ||
	    s->nack_code != NACK_PSN_OOR_WINDOW)
		return;
	if (holds(l, REQ_UET_NACK_0B, REQ_SRC,
		  !l->own->cack_known || serial_after(l->psn, l->own->cack)))
		return;
	actual(l->j, "psn=%" PRIu32 " retx=1", l->psn);
	because(l->j,
		"PSN %" PRIu32 " is at or below CACK_PSN %" PRIu32 ": "
		"PSN_OOR_WINDOW requests nothing.",
		l->psn, l->own->cack);
}

const struct monitor rules_uet_rtx[] = {
	{PKT_REQ | PKT_CP | PKT_AGAIN, rtx_rules_repeat_unmarked,
	 ON(REPEAT) | ON(ASKS_ACK)},
	{PKT_REQ | PKT_CP | PKT_HERE | PKT_NEW, rtx_rules_first_marked,
	 ON(KEY_PDS) | ON(SYN) | ON(ASKS_ACK) | ON(NEW) | ON(REMOTE)},
	{PKT_REQ | PKT_CP | PKT_GAPS | PKT_AGAIN, rtx_rules_repeat_changed,
	 ON(REPEAT) | ON(WHOLE) | ON(ASKS_ACK)},
	{PKT_REQ | PKT_AGAIN, repeat_acked, ALWAYS},
	{PKT_REQ | PKT_CP | PKT_HERE | PKT_AGAIN, repairs, ALWAYS},
	{PKT_REQ | PKT_CP | PKT_HERE | PKT_AGAIN, rtx_rules_repeat_early,
	 ALWAYS},
	{PKT_REQ | PKT_CP | PKT_HERE | PKT_AGAIN, repeat_late, ALWAYS},
	{PKT_REQ | PKT_CP | PKT_HERE | PKT_AGAIN, rtx_rules_repeat_too_often,
	 ALWAYS},
	{PKT_REQ | PKT_HERE | PKT_AGAIN, rtx_rules_nack_too_soon, ALWAYS},
	{PKT_REQ | PKT_HERE | PKT_AGAIN, rtx_rules_nack_too_often, ALWAYS},
	{PKT_REQ | PKT_HERE | PKT_AGAIN, nack_oor_done, ALWAYS},
	{0, NULL, ALWAYS},
};
