/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_dst.c -- responses: the response that an ACK carries,
 * the responses that a target stores until they are cleared, and the answer to
 * a duplicate.
 *
 * flags.req = REQ_CLEAR in an ACK shows that its response is guaranteed.  Some
 * targets set it in every ACK while any response is stored, so the judge relies
 * on it only where it can have no other meaning (judge/uet/flow/acks.c).
 *
 * Spec: UET 3.5.20.1, 3.5.20.2, 3.5.12.5, 3.5.12.6 (uet.md 7.2 to 7.5)
 */
#include "judge/uet/rule.h"
#include "wire/frame/crc.h"

static bool released(const struct dir *d, uint32_t psn)
{
	return d->released_known && !serial_after(psn, d->released);
}

/* Returns true if CACK_PSN is lower than before, which another rule reports. */
static bool dst_rules_goes_back(const struct pkt_ctx *l)
{
	return l->peer->cack_known &&
	       serial_before(l->ack.cack_psn, l->peer->cack);
}

/* Returns true for the first ACK with this ACK_PSN. */
static bool first_own(const struct pkt_ctx *l)
{
	return !(l->old->flags & PSN_OWN_ACK);
}

/* ---- Contents of the ACK ---- */

/* "The destination produces ACKs that carry the SES responses." */
static void carries_response(struct pkt_ctx *l)
{
	if (l->old->flags & (PSN_CP | PSN_MANGLED) || l->mangled)
		return;
	if (holds(l, REQ_RUD_SVC_3, REQ_DST,
		  l->ses || l->in->pkt->fault == PACKET_SHORT))
		return;
	expected(l->j, "next_hdr=response");
	actual(l->j, "next_hdr=%u", l->next_hdr);
	because(l->j, "The ACK of request %" PRIu32 " carries no SES response.",
		l->ack_psn);
}

/*
 * Returns true for the answer to an ACK Request for a PSN acknowledged long
 * ago. The target need not remember anything about it, not even that it was a
 * CP.
 */
static bool dst_rules_asked_again(const struct psn_state *s)
{
	return s->flags & PSN_WANTED && s->flags & PSN_ACKED;
}

/* "it is NONE (0), or 9 under 1.0.3, exactly in the ACK of a CP" */
static void cp_ack_is_bare(struct pkt_ctx *l)
{
	const bool of_cp = l->old && l->old->flags & PSN_CP;

	if (!of_cp && l->has_ack_psn)
		return;
	if (of_cp && dst_rules_asked_again(l->old))
		return;
	if (holds(l, REQ_UET_ENC_32, pkt_chair(l),
		  l->next_hdr == PDS_NEXT_NONE ||
			  l->next_hdr == PDS_NEXT_CP_ACK))
		return;
	expected(l->j, "next_hdr=none");
	actual(l->j, "next_hdr=%u", l->next_hdr);
	because(l->j, "The ACK of a control packet carries an SES header.");
}

static bool dst_rules_plain_response(const struct pkt_ctx *l,
				     struct ses_response *ret)
{
	if (!l->ses || l->next_hdr != PDS_NEXT_RESPONSE)
		return false;
	ses_response_get(ret, l->ses);
	return true;
}

/* "message_id of a RESPONSE that is not the default one is that of the standard
 * request at ACK_PSN" */
static void dst_rules_response_message(struct pkt_ctx *l)
{
	struct ses_response h;

	if (!(l->old->flags & PSN_STD) || !dst_rules_plain_response(l, &h) ||
	    l->old->flags & PSN_MANGLED || h.opcode != SES_RESPONSE)
		return;
	if (holds(l, REQ_UET_SES_19, REQ_DST,
		  h.message_id == l->old->message_id))
		return;
	expected(l->j, "message_id=0x%04x", l->old->message_id);
	actual(l->j, "message_id=0x%04x", h.message_id);
	because(l->j,
		"The response to PSN %" PRIu32 " does not have the message id "
		"of that request.",
		l->ack_psn);
}

/* "list 0, opcode DEFAULT_RESPONSE, ri_generation 0, modified_length 0, and
 * message_id [...] of the request, or 0" */
static void dst_rules_default_response(struct pkt_ctx *l)
{
	struct ses_response h;
	bool id;

	if (!dst_rules_plain_response(l, &h) ||
	    h.opcode != SES_DEFAULT_RESPONSE)
		return;
	id = !l->old || !(l->old->flags & PSN_STD) || !h.message_id ||
	     l->old->flags & PSN_MANGLED || h.message_id == l->old->message_id;
	if (holds(l, REQ_UET_SES_23, REQ_DST,
		  id && !h.list && !h.ri_generation && !h.modified_length))
		return;
	actual(l->j, "list=%u message_id=0x%04x modified_length=%" PRIu32,
	       h.list, h.message_id, h.modified_length);
	because(l->j, "A default response has list, ri_generation and "
		      "modified_length 0, and the request's message id or 0.");
}

/* ---- Guaranteed or not ---- */

/*
 * Returns true if no received response can still be stored, as far as clears
 * were requested, when the acknowledged packet arrived.  A later CLEAR may
 * still be on its way.
 */
static bool store_empty(const struct pkt_ctx *l)
{
	const struct dir *d = l->peer;

	return !d->asked_clear ||
	       (released(d, d->asked_high) &&
		!serial_after(d->asked_high, psn_clear(l->old)));
}

/*
 * A closing ACK ends everything that CACK_PSN could wait for: "an ACK covers
 * the close PSN (cack_psn or ack_psn)".
 */
static bool closes(const struct pkt_ctx *l)
{
	return l->f->closing && l->old->flags & PSN_CP &&
	       l->ack_psn == l->f->close_psn;
}

/*
 * "ACK 333 with no clear request; CACK moves to 333": all lower PSNs are
 * received and acknowledged, no response is stored, and this ACK requests no
 * clear.  Only the target requests clears, so the rule applies only to its
 * ACKs.
 */
static void cack_stays(struct pkt_ctx *l)
{
	const struct dir *d = l->peer;

	if (l->f->initiator == (int)l->from || !first_own(l) || closes(l) ||
	    pkt_is_preliminary(l) || !d->start_known ||
	    l->ack.req == PDS_REQ_CLEAR || dst_rules_goes_back(l) ||
	    serial_before(l->ack.cack_psn, psn_clear(l->old)) ||
	    !store_empty(l) || serial_before(d->acked_to, l->ack_psn - 1))
		return;
	if (holds(l, REQ_RUD_SEQ_75, REQ_DST,
		  !serial_before(l->ack.cack_psn, l->ack_psn))) {
		shows(l, REQ_RUD_SEQ_75a, REQ_DST);
		if (l->old->flags & PSN_WRITE)
			shows(l, REQ_RUD_SEQ_75b, REQ_DST);
		return;
	}
	expected(l->j, "cack_psn=%" PRIu32, l->ack_psn);
	actual(l->j, "cack_psn=%" PRIu32, l->ack.cack_psn);
	because(l->j,
		"PSN %" PRIu32 " and all lower PSNs are received and no "
		"clear is requested, but CACK_PSN does not advance to it.",
		l->ack_psn);
}

/* Returns true if the ACK certainly requests a clear of its own PSN. */
static bool asks_for_itself(const struct pkt_ctx *l)
{
	return !serial_before(l->ack.cack_psn, l->peer->high) ||
	       pkt_stateful(l);
}

/*
 * "ACK 333 with req = CLEAR and CACK still 332".  An ACK that covers 333 and
 * requests its clear is always wrong: if the response is not guaranteed, the
 * target must not request a clear (figure 3-75).
 */
static void cack_over_asked(struct pkt_ctx *l)
{
	if (!first_own(l) || !l->peer->start_known ||
	    l->ack.req != PDS_REQ_CLEAR || released(l->peer, l->ack_psn) ||
	    !asks_for_itself(l))
		return;
	if (l->ses && l->next_hdr != PDS_NEXT_RESPONSE)
		return; /* data_in_ack() judges read data */
	if (holds(l, REQ_RUD_SEQ_76, REQ_DST,
		  serial_after(l->ack_psn, l->ack.cack_psn)))
		return;
	expected(l->j, "cack_psn=%" PRIu32 " req=clear", l->ack_psn - 1);
	actual(l->j, "cack_psn=%" PRIu32 " req=clear", l->ack.cack_psn);
	because(l->j,
		"The ACK requests a clear of PSN %" PRIu32 " and "
		"covers it at once; CACK_PSN must wait for the clear.",
		l->ack_psn);
}

/*
 * "A guaranteed response is released only on an explicit clear": CACK_PSN stays
 * below it until CLEAR_PSN covers it.
 */
static void cack_over_stored(struct pkt_ctx *l)
{
	const struct dir *d = l->peer;

	if (!d->gtd || !d->start_known || released(d, d->gtd_low))
		return;
	if (holds(l, REQ_RUD_SVC_3d, REQ_DST,
		  serial_before(l->ack.cack_psn, d->gtd_low))) {
		shows(l, REQ_RUD_SEQ_76, REQ_DST);
		if (d->asked_high != d->gtd_low)
			shows(l, REQ_RUD_SEQ_78, REQ_DST);
		return;
	}
	expected(l->j, "cack_psn=%" PRIu32, d->gtd_low - 1);
	actual(l->j, "cack_psn=%" PRIu32, l->ack.cack_psn);
	because(l->j,
		"CACK_PSN covers PSN %" PRIu32 ", whose guaranteed "
		"response has not been cleared.",
		d->gtd_low);
}

/*
 * "returns it in the ACK: REQ_CLEAR, CACK held until the clear".  If the judge
 * is not at the sender's link, it may have missed the first ACK, which had
 * REQ_CLEAR.
 */
static void data_in_ack(struct pkt_ctx *l)
{
	const bool held = serial_after(l->ack_psn, l->ack.cack_psn);
	const bool asks = l->ack.req == PDS_REQ_CLEAR || !at_link(l, l->from);

	if (!first_own(l) || !l->ses || l->next_hdr == PDS_NEXT_RESPONSE ||
	    !l->peer->start_known || released(l->peer, l->ack_psn) ||
	    l->old->flags & PSN_DATA)
		return;
	if (holds(l, REQ_RUD_SEQ_80o, REQ_DST, held && asks))
		return;
	expected(l->j, "cack_psn=%" PRIu32 " req=clear", l->ack_psn - 1);
	actual(l->j, "cack_psn=%" PRIu32 " req=%u", l->ack.cack_psn,
	       l->ack.req);
	because(l->j,
		"An ACK with read data must request a clear, and CACK_PSN "
		"must wait for it.");
}

/*
 * "A received CLEAR_PSN releases every stored response at or below it": the
 * acknowledged request carried a CLEAR_PSN.
 */
static void clear_has_no_effect(struct pkt_ctx *l)
{
	const struct dir *d = l->peer;

	if (l->old->flags & PSN_CP || !d->start_known ||
	    dst_rules_goes_back(l) ||
	    serial_after(psn_clear(l->old), d->acked_to))
		return;
	/*
	 * If the judge is not at the sender's link, the ACK may answer another
	 * copy of the request, which carried a lower CLEAR_PSN.
	 */
	if (l->old->flags & PSN_REPEATED && !at_link(l, l->from))
		return;
	if (holds(l, REQ_RUD_SVC_7, REQ_DST,
		  !serial_before(l->ack.cack_psn, psn_clear(l->old))))
		return;
	expected(l->j, "cack_psn=%" PRIu32, psn_clear(l->old));
	actual(l->j, "cack_psn=%" PRIu32, l->ack.cack_psn);
	because(l->j,
		"PSN %" PRIu32 " carried CLEAR_PSN %" PRIu32 ", but "
		"CACK_PSN in its ACK is lower.",
		l->ack_psn, psn_clear(l->old));
}

/* ---- Duplicates ---- */

static uint8_t answer_code(const struct pkt_ctx *l)
{
	return (uint8_t)((l->ses[0] & 3) << 6 | (l->ses[1] & 0x3f));
}

static bool dst_rules_is_success(uint8_t code)
{
	return (code & 0x3f) <= RC_OK;
}

/* The response is the same as the first one. */
static bool same_answer(const struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;

	if (s->flags & PSN_ANSWER_DATA)
		/* the target executed the read again */
		return l->next_hdr != PDS_NEXT_RESPONSE;
	return crc32c(0, l->ses, l->len - l->ses_at) == s->answer;
}

/*
 * Returns true for an answer without more information than the default
 * response, or one that may follow a NO_RESPONSE or a repeated read.
 */
static bool default_like(const struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;

	if (s->answer_code >> 6 == SES_NO_RESPONSE || s->flags & PSN_READ)
		return true;
	return l->next_hdr == PDS_NEXT_RESPONSE &&
	       dst_rules_is_success(answer_code(l));
}

/*
 * "A guaranteed response [...] is stored" and repeated for a valid duplicate;
 * if the response was not guaranteed, the ACK carries the default response.
 */
static void answer_again(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;
	bool stored;

	if (!(s->flags & PSN_OWN_ACK) || !l->ses || !l->peer->start_known)
		return;
	stored = s->flags & PSN_GTD && !released(l->peer, s->psn);
	if (s->flags & PSN_AGAIN)
		shows(l, REQ_RUD_SEQ_84, REQ_DST);
	if (stored && !holds(l, REQ_RUD_SVC_3b, REQ_DST, same_answer(l))) {
		because(l->j,
			"The second answer to PSN %" PRIu32 " is not the "
			"guaranteed response that is stored for it.",
			s->psn);
		return;
	}
	if (stored || holds(l, REQ_RUD_SVC_3c, REQ_DST,
			    same_answer(l) || default_like(l)))
		return;
	expected(l->j, "opcode=default_response");
	actual(l->j, "return_code=0x%02x", l->ses[1] & 0x3f);
	because(l->j,
		"The second answer to PSN %" PRIu32 " is neither the "
		"default response nor the first answer.",
		s->psn);
}

/* Counts an answer that was due at once; a missing one is judged at the end. */
static void due_answer(struct pkt_ctx *l)
{
	const uint32_t flags = l->old->flags;

	if (!(flags & PSN_DUE))
		return;
	if (flags & PSN_CP) {
		shows(l, REQ_UET_ACK_20, REQ_DST);
		return;
	}
	if (flags & PSN_LAST_RETX) {
		shows(l, REQ_RUD_SEQ_84b, REQ_DST);
		shows(l, REQ_UET_ACK_18, REQ_DST);
	} else {
		shows(l, flags & PSN_SYN ? REQ_UET_ACK_16 : REQ_UET_ACK_15,
		      REQ_DST);
	}
}

/* The ACK itself may advertise a wider window. */
static bool widens(const struct pkt_ctx *l)
{
	const int32_t d = serial_diff(l->ack_psn, l->ack.cack_psn);
	const int32_t range = l->mpr * JUDGE_MPR_UNIT;

	return l->has_cc && d <= range && d >= -range;
}

static bool came_outside(const struct pkt_ctx *l)
{
	const struct out_of_window *out_of_window = NULL;
	bool any = false;

	if (widens(l))
		return false;
	if (l->old)
		return l->old->flags & PSN_OUTSIDE;
	while ((out_of_window = dir_out_of_window(l->peer, l->ack_psn,
						  out_of_window))) {
		if (!out_of_window->outside)
			return false;
		any = true;
	}
	return any;
}

/* "A retransmitted PSN outside MP_RANGE is dropped." */
static void outside_acked(struct pkt_ctx *l)
{
	bool outside;

	if (!l->has_ack_psn || !l->peer->start_known)
		return;
	outside = came_outside(l);
	if (!outside && (!l->old || !(l->old->flags & PSN_REPEATED)))
		return;
	if (holds(l, REQ_RUD_SEQ_84a, REQ_DST, !outside))
		return;
	actual(l->j, "ack_psn=%" PRIu32, l->ack_psn);
	because(l->j,
		"PSN %" PRIu32 " came outside MP_RANGE but is "
		"acknowledged.",
		l->ack_psn);
}

/* ---- After a NACK ---- */

/* rules_rod.c judges packets out of order. */
static bool all_dropped(const struct psn_state *s)
{
	return s && psn_refused(s) && s->nack_code != NACK_ROD_OOO &&
	       !(s->flags & PSN_ACKED);
}

/* Finds the first PSN that this ACK covers although every copy was dropped. */
static bool covers_dropped(struct pkt_ctx *l, uint32_t *ret)
{
	struct dir *d = l->peer;
	const int32_t ahead = serial_diff(l->ack.cack_psn, d->cack);

	*ret = l->ack_psn;
	if (all_dropped(l->old))
		return true;
	if (!d->rare->nack_at || !d->cack_known || ahead < 0 ||
	    ahead > FLOW_WINDOW)
		return false;
	for (uint32_t psn = d->cack + 1; !serial_after(psn, l->ack.cack_psn);
	     psn++) {
		*ret = psn;
		if (all_dropped(psn_find(l->f, d, psn)))
			return true;
	}
	return false;
}

/*
 * "the target drops the request and sends NACK 333": it must not acknowledge
 * 333 until another copy comes.
 */
static void dropped_acked(struct pkt_ctx *l)
{
	uint32_t psn;

	if (!l->peer->start_known || !l->peer->rare->nack_at)
		return;
	if (holds(l, REQ_RUD_SEQ_82, REQ_DST, !covers_dropped(l, &psn)))
		return;
	actual(l->j, "ack_psn=%" PRIu32 " cack_psn=%" PRIu32, l->ack_psn,
	       l->ack.cack_psn);
	because(l->j,
		"PSN %" PRIu32 " was dropped with a NACK, and no other copy "
		"came, but the ACK covers it.",
		psn);
}

const struct monitor rules_uet_dst[] = {
	{PKT_ACK | PKT_GAPS | PKT_AGAIN, carries_response,
	 ON(ANSWER) | ON(ACK_HEADERS)},
	{PKT_ACK, cp_ack_is_bare, ON(OWN_PSN) | ON(ANSWER)},
	{PKT_ACK | PKT_GAPS | PKT_AGAIN, dst_rules_response_message,
	 ON(ANSWER) | ON(ANSWER_SES) | ON(KEY_SES) | ON(KEY_STD)},
	{PKT_ACK | PKT_GAPS, dst_rules_default_response,
	 ON(ANSWER_SES) | ON(KEY_SES)},
	{PKT_ACK | PKT_HERE | PKT_AGAIN, cack_stays,
	 ON(LINKED) | ON(NO_REQUEST) | ON(CACK_CLEAR) | ON(KEY_SES)},
	{PKT_ACK | PKT_AGAIN, cack_over_asked, ON(NO_REQUEST)},
	{PKT_ACK | PKT_HERE, cack_over_stored, ON(LINKED)},
	{PKT_ACK | PKT_AGAIN | PKT_DATA, data_in_ack, ALWAYS},
	{PKT_ACK | PKT_AGAIN, clear_has_no_effect,
	 ON(ANSWER) | ON(CACK_FORWARD) | ON(ACKS_CLEARED) | ON(CACK_CLEAR)},
	{PKT_ACK | PKT_HERE | PKT_AGAIN, answer_again, ON(LINKED)},
	{PKT_ACK | PKT_NACK | PKT_AGAIN, due_answer,
	 ON(ANSWER) | ON(KEY_DUE) | ON(KEY_SYN)},
	{PKT_ACK, outside_acked, ON(OWN_PSN) | ON(ANSWER)},
	{PKT_ACK | PKT_HERE, dropped_acked, ON(LINKED)},
	{0, NULL, ALWAYS},
};
