/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_src.c -- CLEAR_PSN: the responses that a source reports
 * as received.
 *
 * CLEAR_PSN is the highest PSN such that the responses of all PSNs at or below
 * it have been received.  Every request carries it as psn + clear_psn_offset, a
 * Clear Command as its payload.
 *
 * Spec: UET 3.5.20.1-5, 3.5.20.1-6, 3.5.16.3 (uet.md 7.3)
 */
#include "judge/uet/rule.h"

static const char *where(const struct pkt_ctx *l)
{
	if (l->kind == PKT_CP)
		return "payload";
	return "clear_psn";
}

/*
 * "CLEAR_PSN = psn + clear_psn_offset, a signed 16-bit number that is never
 * positive".  A first transmission cannot clear its own PSN either: there is no
 * response yet.
 */
static void clear_above_psn(struct pkt_ctx *l)
{
	const int32_t ahead = serial_diff(l->clear, l->psn);

	if (!holds(l, REQ_UET_ENC_37, pkt_chair(l), ahead <= 0)) {
		expected(l->j, "clear_psn_offset=-1");
		actual(l->j, "clear_psn_offset=%d", l->req.clear_psn_offset);
		because(l->j, "clear_psn_offset is positive: CLEAR_PSN is "
			      "above the packet's own PSN.");
		return;
	}
	if (holds(l, REQ_RUD_SVC_5, REQ_SRC,
		  ahead < 0 || l->retx || l->old || !seen_all(l)))
		return;
	actual(l->j, "psn=%" PRIu32 " clear_psn=%" PRIu32, l->psn, l->clear);
	because(l->j,
		"CLEAR_PSN is not below the packet's own PSN: "
		"clear_psn_offset = %d.",
		l->req.clear_psn_offset);
}

/*
 * Returns true if the source knows that every PSN up to CLEAR_PSN arrived, if
 * only by SACK.
 */
static bool known_by_sack(struct pkt_ctx *l)
{
	uint32_t psn = l->own->acked_to;
	const struct psn_state *s;

	if (serial_diff(l->clear, psn) > FLOW_WINDOW)
		return false;
	while (psn != l->clear) {
		s = psn_find(l->f, l->own, ++psn);
		if (!s || !(s->flags & (PSN_ACKED | PSN_SACKED)))
			return false;
	}
	return true;
}

/* "ACK state is judged from CACK_PSN; a set SACK bit shows arrival before
 * CACK_PSN reaches it", but not the response. */
static void clear_by_sack(struct pkt_ctx *l)
{
	holds(l, REQ_RUD_LOSS_1, REQ_SRC, false);
	expected(l->j, "%s=%" PRIu32, where(l), l->own->acked_to);
	actual(l->j, "%s=%" PRIu32, where(l), l->clear);
	because(l->j,
		"CLEAR_PSN covers PSN %" PRIu32 ", for which only a SACK "
		"bit came: its response may still be stored.",
		l->own->acked_to + 1);
}

/* Counts the rows that show a correct CLEAR_PSN in a figure. */
static void clear_is_right(struct pkt_ctx *l)
{
	const struct dir *d = l->own;

	shows(l, REQ_UET_ACK_31, REQ_SRC);
	if (dir_gap_above(d, d->acked_to))
		shows(l, REQ_RUD_LOSS_1, REQ_SRC);
	if (l->clear != d->acked_to || l->old)
		return;
	shows(l, REQ_RUD_SEQ_75, REQ_SRC);
	if (l->f->initiator >= 0 && (int)l->from != l->f->initiator)
		shows(l, REQ_RUD_SEQ_81, REQ_SRC);
}

/* "CLEAR_PSN covers no psn whose response the source has not received": no ACK
 * for it was seen on the way to the source. */
static void clear_unreceived(struct pkt_ctx *l)
{
	const enum req_id req =
		l->kind == PKT_CP ? REQ_UET_ACK_31 : REQ_RUD_SVC_5;

	if (!l->has_clear || !l->own->start_known)
		return;
	/* clear_above_psn() has reported it. */
	if (l->kind == PKT_REQ && !serial_before(l->clear, l->psn))
		return;
	if (serial_after(l->clear, l->own->acked_to) && known_by_sack(l)) {
		clear_by_sack(l);
		return;
	}
	if (holds(l, req, REQ_SRC, !serial_after(l->clear, l->own->acked_to))) {
		clear_is_right(l);
		return;
	}
	expected(l->j, "%s=%" PRIu32, where(l), l->own->acked_to);
	actual(l->j, "%s=%" PRIu32, where(l), l->clear);
	because(l->j,
		"CLEAR_PSN covers PSN %" PRIu32 ", whose response the "
		"source has not received.",
		l->own->acked_to + 1);
}

/*
 * Returns true if the order of the packets is known.  If packets can take
 * several paths, an earlier packet may be captured later, with a lower
 * CLEAR_PSN.
 */
static bool src_rules_in_order(const struct pkt_ctx *l)
{
	if (knows_all(l, l->from))
		return true;
	return at_link(l, l->from) && l->kind == PKT_REQ && !l->old &&
	       l->own->any && serial_after(l->psn, l->own->high);
}

/*
 * A retransmission that was in the source's send queue when its ACK came; a
 * Clear Command in another queue overtook it.
 */
static bool was_overtaken(const struct pkt_ctx *l)
{
	return l->kind == PKT_REQ && l->old && l->old->flags & PSN_ACKED &&
	       l->at - l->old->acked_at <= pkt_grace(l->conf);
}

/* "CLEAR_PSN never decreases." */
static void src_rules_clear_goes_back(struct pkt_ctx *l)
{
	if (!l->has_clear || !l->own->clear_known || !l->own->any ||
	    l->out_of_window || l->net_dup || !src_rules_in_order(l) ||
	    was_overtaken(l))
		return;
	if (holds(l, REQ_UET_ACK_32, REQ_SRC,
		  !serial_before(l->clear, l->own->clear)))
		return;
	expected(l->j, "%s=%" PRIu32, where(l), l->own->clear);
	actual(l->j, "%s=%" PRIu32, where(l), l->clear);
	because(l->j, "CLEAR_PSN decreased from %" PRIu32 " to %" PRIu32 ".",
		l->own->clear, l->clear);
}

/*
 * "When a PDC is created, [...] CLEAR_PSN of either direction [is] Start_PSN -
 * 1", and both directions have one Start_PSN.  Other rules judge a higher
 * CLEAR_PSN, and a return direction with another Start_PSN.
 */
static void first_clear(struct pkt_ctx *l)
{
	const uint32_t first = l->f->syn_start - 1;

	if (l->own->any || !l->f->syn_start_known || !l->has_clear)
		return;
	if (l->from != 0 && l->psn != l->f->syn_start)
		return;
	if (holds(l, REQ_UET_PDC_21, REQ_SRC, !serial_before(l->clear, first)))
		return;
	expected(l->j, "clear_psn=%" PRIu32, first);
	actual(l->j, "clear_psn=%" PRIu32, l->clear);
	because(l->j, "CLEAR_PSN must begin at Start_PSN - 1.");
}

/*
 * "CLEAR follows the received CACK"; "A retransmission carries the CLEAR_PSN of
 * its own time".  Packets that were in the send queue when the ACK came are
 * excused.
 */
static void src_rules_clear_lags(struct pkt_ctx *l)
{
	const struct dir *d = l->own;

	if (!l->has_clear || l->out_of_window || !d->cack_known || !d->cack_at)
		return;
	if (l->at - d->cack_at <= pkt_grace(l->conf))
		return;
	/* Another rule judges a CLEAR_PSN that decreases. */
	if (d->clear_known && serial_before(l->clear, d->clear))
		return;
	if (holds(l, l->old && l->takes_psn ? REQ_UET_RTX_17 : REQ_RUD_SEQ_77,
		  REQ_SRC, !serial_before(l->clear, d->cack))) {
		shows(l, REQ_RUD_SEQ_75a, REQ_SRC);
		return;
	}
	expected(l->j, "%s=%" PRIu32, where(l), d->cack);
	actual(l->j, "%s=%" PRIu32, where(l), l->clear);
	unless_unread(l->j, l->at - d->cack_at - pkt_grace(l->conf));
	because(l->j,
		"CLEAR_PSN does not follow the received CACK_PSN: PSNs "
		"up to %" PRIu32 " were acknowledged.",
		d->cack);
}

/*
 * "On a Clear Request the source sends CLEAR_PSN, in its next request or as the
 * payload of a Clear Command CP."  A missing CLEAR_PSN is judged at the end.
 */
static void clear_was_asked(struct pkt_ctx *l)
{
	const struct dir *d = l->own;

	if (!l->has_clear)
		return;
	if (d->rare->asked_at)
		shows(l, REQ_RUD_SVC_6, REQ_SRC);
	if (!d->gtd || serial_before(l->clear, d->gtd_low))
		return;
	shows(l, REQ_RUD_SEQ_76, REQ_SRC);
	if (d->asked_high != d->gtd_low)
		shows(l, REQ_RUD_SEQ_78, REQ_SRC);
}

/* Returns true if unacknowledged PSNs lie outside a window that has shrunk. */
static bool is_shut_out(const struct dir *d)
{
	return d->cack_known && d->rare->mp_last &&
	       serial_diff(d->acked_to + 1, d->cack) >
		       (int32_t)d->rare->mp_last;
}

/*
 * "A Clear Command is not sent while requests are pending or unacknowledged",
 * unless a Clear Request came, or the source cannot send a request.
 */
static void clear_command_early(struct pkt_ctx *l)
{
	const struct dir *d = l->own;

	if (l->cp.ctl_type != PDS_CP_CLEAR_COMMAND || d->rare->asked_at ||
	    !d->start_known || is_shut_out(d))
		return;
	if (holds(l, REQ_UET_ACK_33, REQ_SRC, d->acked_to == d->high))
		return;
	because(l->j,
		"The source sends a Clear Command while PSN %" PRIu32 " is not "
		"acknowledged; requests must carry CLEAR_PSN then.",
		d->acked_to + 1);
}

const struct monitor rules_uet_src[] = {
	{PKT_REQ | PKT_GAPS, clear_above_psn, ON(CLEAR_BELOW)},
	{PKT_REQ | PKT_CP, clear_unreceived,
	 ON(CLEAR_ACKED) | ON(KEY_REPAIR) | ON(KEY_LAG) | ON(KEY_INITIATOR) |
		 ON(KEY_FROM) | ON(ASKS_ACK)},
	{PKT_REQ, first_clear, ON(BEGUN)},
	{PKT_REQ | PKT_CP, src_rules_clear_goes_back,
	 ON(LINKED) | ON(BEGUN) | ON(REMOTE)},
	{PKT_REQ | PKT_CP | PKT_HERE, src_rules_clear_lags,
	 ON(LINKED) | ON(NEW) | ON(REMOTE)},
	{PKT_REQ | PKT_CP, clear_was_asked,
	 ON(NOT_ASKED) | ON(REQ_NOT_STORED) | ON(ASKS_ACK)},
	{PKT_CP | PKT_HERE, clear_command_early, ALWAYS},
	{0, NULL, ALWAYS},
};
