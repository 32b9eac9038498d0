/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_nack.c -- PDS NACKs: the packet that they name, their
 * PDCIDs, and whether their cause can be true.
 *
 * rules_rtx.c and rules_pdc.c judge the reaction of the source.
 *
 * Spec: UET 3.5.12.7, table 3-59 (uet.md 3.8, 4)
 */
#include "judge/uet/rules/rules_nack.h"

#include "judge/uet/rule.h"
#include "judge/uet/rules/rules_ack.h"

/* The spdcid that a NACK carries. */
enum from_pdc {
	PDC_NONE, /* spdcid = 0: the target has no PDC, or not the right one */
	PDC_OWN,  /* the PDCID of the NACK's sender */
	PDC_ANY,  /* either, depending on whether the sender has a PDC */
};

static const struct code_row {
	enum req_id req;
	enum from_pdc spdcid;
	/* a payload is allowed: defined, or observed on devices */
	bool payload;
} code_rows[] = {
	[NACK_TRIMMED] = {REQ_UET_NACK_01, PDC_OWN, true},
	[NACK_TRIMMED_LASTHOP] = {REQ_UET_NACK_02, PDC_OWN, true},
	[NACK_TRIMMED_ACK] = {REQ_UET_NACK_03, PDC_ANY, true},
	[NACK_NO_PDC_AVAIL] = {REQ_UET_NACK_04, PDC_NONE, false},
	[NACK_NO_CCC_AVAIL] = {REQ_UET_NACK_05, PDC_NONE, false},
	[NACK_NO_BITMAP] = {REQ_UET_NACK_06, PDC_NONE, false},
	[NACK_NO_PKT_BUFFER] = {REQ_UET_NACK_07, PDC_OWN, false},
	[NACK_NO_GTD_DEL_AVAIL] = {REQ_UET_NACK_08, PDC_OWN, false},
	[NACK_NO_SES_MSG_AVAIL] = {REQ_UET_NACK_09, PDC_OWN, false},
	[NACK_NO_RESOURCE] = {REQ_UET_NACK_0A, PDC_ANY, false},
	[NACK_PSN_OOR_WINDOW] = {REQ_UET_NACK_0B, PDC_OWN, false},
	[NACK_ROD_OOO] = {REQ_UET_NACK_0D, PDC_ANY, true},
	[NACK_INV_DPDCID] = {REQ_UET_NACK_0E, PDC_NONE, false},
	[NACK_PDC_HDR_MISMATCH] = {REQ_UET_NACK_0F, PDC_NONE, false},
	[NACK_CLOSING] = {REQ_UET_NACK_10, PDC_OWN, false},
	[NACK_CLOSING_IN_ERR] = {REQ_UET_NACK_11, PDC_OWN, false},
	[NACK_PKT_NOT_RCVD] = {REQ_UET_NACK_12, PDC_OWN, true},
	[NACK_GTD_RESP_UNAVAIL] = {REQ_UET_NACK_13, PDC_OWN, false},
	[NACK_ACK_WITH_DATA] = {REQ_UET_NACK_14, PDC_OWN, false},
	[NACK_INVALID_SYN] = {REQ_UET_NACK_15, PDC_OWN, false},
	[NACK_PDC_MODE_MISMATCH] = {REQ_UET_NACK_16, PDC_OWN, false},
	[NACK_NEW_START_PSN] = {REQ_UET_NACK_17, PDC_OWN, true},
	[NACK_RCVD_SES_PROCG] = {REQ_UET_NACK_18, PDC_OWN, false},
	[NACK_UNEXP_EVENT] = {REQ_UET_NACK_19, PDC_ANY, false},
	[NACK_RCVR_INFER_LOSS] = {REQ_UET_NACK_1A, PDC_OWN, false},
};

static const struct code_row *nack_rules_row_of(const struct pkt_ctx *l)
{
	const uint8_t code = l->nack.nack_code;

	if (code >= sizeof(code_rows) / sizeof(code_rows[0]) ||
	    (!code_rows[code].req && !code_rows[code].spdcid))
		return NULL;
	return &code_rows[code];
}

/* Experimental codes oblige only the receiver. */
bool nack_req(uint8_t code, enum req_id *ret)
{
	static const enum req_id experiments[] = {
		REQ_UET_NACK_FD, REQ_UET_NACK_FE, REQ_UET_NACK_FF};

	if (code >= NACK_EXP_NACK_NORMAL) {
		*ret = experiments[code - NACK_EXP_NACK_NORMAL];
		return true;
	}
	if (code >= sizeof(code_rows) / sizeof(code_rows[0]) ||
	    (!code_rows[code].req && !code_rows[code].spdcid))
		return false;
	*ret = code_rows[code].req;
	return true;
}

/*
 * A target that closes in error refuses every packet after its Close Request,
 * also a control packet that takes no PSN.
 */
static bool refuses_in_error(const struct pkt_ctx *l)
{
	return l->nack.nack_code == NACK_CLOSING_IN_ERR &&
	       l->own->rare->close_asked_at && l->f->rare->end[!l->from].cps;
}

/* Codes that answer an ACK Request or a CP, which may have any PSN. */
static bool about_cp(const struct pkt_ctx *l)
{
	if (refuses_in_error(l))
		return true;
	return l->nack.nack_code == NACK_UNEXP_EVENT ||
	       l->nack.nack_code == NACK_INV_DPDCID ||
	       l->nack.nack_code == NACK_PDC_HDR_MISMATCH ||
	       l->nack.nack_code == NACK_RCVR_INFER_LOSS ||
	       (l->peer->rare->wanted_known &&
		l->peer->rare->wanted_psn == l->psn);
}

/*
 * Returns true if a NACK of PSN 0 may answer a control packet: those that take
 * no PSN have psn 0, and may be refused like others.
 */
static bool is_cp_at_zero(const struct pkt_ctx *l)
{
	const unsigned end = 1u << !l->from;

	return !l->psn && (l->f->clear_requests | l->f->others_at_zero) & end;
}

/* "A NACK names the offending packet [...] by nack_psn, its psn" */
static void names_a_packet(struct pkt_ctx *l)
{
	const struct dir *d = l->peer;
	bool known;

	if (!seen_all(l) || !d->start_known || about_cp(l))
		return;
	known = l->old || is_cp_at_zero(l) ||
		dir_out_of_window(d, l->psn, NULL) ||
		dir_out_of_windows_lost(d) ||
		(psn_forgotten(d, l->psn) && !serial_before(l->psn, d->start));
	if (holds(l, REQ_UET_ENC_45, pkt_chair(l), known))
		return;
	actual(l->j, "nack_psn=%" PRIu32, l->psn);
	because(l->j,
		"nack_psn %" PRIu32 " is not the PSN of any packet that was "
		"sent.",
		l->psn);
}

/*
 * Returns true if the target certainly had a PDC.  A NACK sent before the PDC
 * was established may be late.  So the judge must be at the link of the NACK's
 * sender, or the packet must have been no SYN.
 */
static bool came_to_pdc(const struct pkt_ctx *l)
{
	if (l->f->closed)
		return false; /* the target may have freed it */
	if (at_link(l, l->from))
		return true;
	return l->old && l->old->copies == 1 && !(l->old->flags & PSN_SYN);
}

/*
 * "with the sender's own spdcid" or "with spdcid 0", depending on the
 * code.  The spdcid is the flow's own if it is not 0, since the NACK belongs to
 * the flow.
 */
static void whose_pdc(struct pkt_ctx *l)
{
	const struct code_row *row = nack_rules_row_of(l);
	const uint16_t own = l->f->end[l->from].pdcid;
	bool right = true;

	if (!row)
		return;
	if (row->spdcid == PDC_NONE)
		right = l->nack.spdcid == 0;
	else if (row->spdcid == PDC_OWN)
		right = l->nack.spdcid || !own || !came_to_pdc(l);
	if (holds(l, row->req, REQ_DST, right))
		return;
	expected(l->j, "spdcid=0x%04x", row->spdcid == PDC_NONE ? 0 : own);
	actual(l->j, "spdcid=0x%04x", l->nack.spdcid);
	because(l->j, "NACK 0x%02x must carry %s.", l->nack.nack_code,
		row->spdcid == PDC_NONE ? "spdcid 0, for no PDC"
					: "its sender's own PDCID");
}

/* "The payload of a NACK is 0 where its code defines none" */
static void nack_rules_payload_zero(struct pkt_ctx *l)
{
	const struct code_row *row = nack_rules_row_of(l);

	if (!row || row->payload)
		return;
	if (holds(l, REQ_UET_ENC_47, REQ_DST, !l->payload))
		return;
	expected(l->j, "payload=0");
	actual(l->j, "payload=0x%08" PRIx32, l->payload);
	because(l->j, "NACK 0x%02x must have payload 0.", l->nack.nack_code);
}

/*
 * "each [NACK] answers one packet that arrived".  If the judge is not at the
 * link of the NACK's sender, the network may have duplicated either packet.
 */
static void nack_rules_one_each(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;

	if (!nack_drops(l->nack.nack_code) || s->copies == UINT8_MAX)
		return;
	if (holds(l, REQ_UET_RTX_01, REQ_DST, s->drops < s->copies)) {
		if (s->flags & (PSN_READ | PSN_MULTI))
			shows(l, REQ_RUD_SEQ_82c, REQ_DST);
		return;
	}
	actual(l->j, "nack_psn=%" PRIu32, l->psn);
	because(l->j,
		"PSN %" PRIu32 " was sent %u times and has more NACKs; "
		"a NACK must not be repeated.",
		l->psn, s->copies);
}

/*
 * Compares the cause that a code claims with the packets at the target's link.
 */
static void claim(struct pkt_ctx *l, enum req_id req, bool possible,
		  const char *why)
{
	if (holds(l, req, REQ_DST, possible))
		return;
	actual(l->j, "nack_code=0x%02x nack_psn=%" PRIu32, l->nack.nack_code,
	       l->psn);
	because(l->j, "%s", why);
}

/*
 * "Destination: psn in (CACK_PSN, CACK_PSN + MP_RANGE] is the expected window;
 * up to MP_RANGE behind is 'previous window'."  The target's CACK_PSN is at
 * least the last one that it sent, and at most the highest PSN that arrived.
 */
static bool nack_rules_in_window(const struct pkt_ctx *l)
{
	const struct dir *d = l->peer;
	const int32_t range = (int32_t)d->rare->mp_range;

	/*
	 * In the window with any MP_RANGE: CACK_PSN cannot be above this PSN.
	 */
	if (d->cack_known && l->psn == d->cack && l->psn == d->high)
		return true;
	if (!range || !d->cack_known || !l->old || l->old->flags & PSN_OUTSIDE)
		return false;
	return serial_diff(l->psn, d->cack) <= range &&
	       serial_diff(d->seen_to, l->psn) < range;
}

/* Returns true if a response is certainly guaranteed and not cleared. */
static bool must_be_stored(const struct pkt_ctx *l)
{
	return l->old && l->old->flags & PSN_GTD &&
	       !(l->peer->released_known &&
		 !serial_after(l->psn, l->peer->released));
}

/* "every psn at or below [CACK_PSN] was received and needs no more state" */
static bool needs_no_response(const struct pkt_ctx *l)
{
	const struct dir *d = l->peer;

	return d->cack_known && !serial_after(l->psn, d->cack);
}

/* Returns true if an ACK answered the PSN before the refused copy came. */
static bool was_answered(const struct psn_state *s)
{
	return s->flags & PSN_ACKED && !(s->flags & (PSN_CP | PSN_MANGLED)) &&
	       s->acked_at < s->sent_at;
}

static void false_cause(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;

	switch (l->nack.nack_code) {
	case NACK_NO_PDC_AVAIL:
	case NACK_NO_CCC_AVAIL:
	case NACK_NO_BITMAP:
	case NACK_INVALID_SYN:
		claim(l, nack_rules_row_of(l)->req,
		      s->flags & PSN_SYN || s->copies > 1,
		      "This code answers a SYN; the packet had syn = 0.");
		break;
	case NACK_PSN_OOR_WINDOW:
		claim(l, REQ_UET_NACK_0B, !nack_rules_in_window(l),
		      "The PSN is inside the window.");
		break;
	case NACK_ROD_OOO:
		claim(l, REQ_UET_NACK_0D, l->f->rod,
		      "A RUD packet is never out of order.");
		break;
	case NACK_PKT_NOT_RCVD:
		claim(l, REQ_UET_NACK_12, !(s->flags & PSN_ACKED),
		      "The PSN had been acknowledged.");
		break;
	case NACK_RCVR_INFER_LOSS:
		claim(l, REQ_UET_NACK_1A, !(s->flags & PSN_ACKED),
		      "The PSN had been acknowledged.");
		break;
	case NACK_RCVD_SES_PROCG:
		claim(l, REQ_RUD_SVC_3c, !was_answered(s),
		      "The response was sent before this copy came.");
		break;
	case NACK_GTD_RESP_UNAVAIL:
		claim(l, REQ_UET_NACK_13, !needs_no_response(l),
		      "CACK_PSN covers the PSN: its response needs no "
		      "storage.");
		claim(l, REQ_RUD_SVC_3b, !must_be_stored(l),
		      "The guaranteed response was not cleared: it must be "
		      "stored.");
		break;
	}
}

/*
 * Returns true for a forward request with return data, or a return-direction
 * request without.
 */
static bool wrong_direction(const struct pkt_ctx *l)
{
	const bool data = l->old->flags & PSN_DATA;
	const bool forward = l->f->initiator == (int)!l->from;

	return !(l->old->flags & PSN_CP) && data == forward;
}

/*
 * INV_DPDCID and PDC_HDR_MISMATCH for a packet with the right PDCIDs, on a PDC
 * that is not being closed.
 */
static void false_identity(struct pkt_ctx *l)
{
	const struct flow *f = l->f;
	const uint8_t code = l->nack.nack_code;

	if (code != NACK_INV_DPDCID && code != NACK_PDC_HDR_MISMATCH)
		return;
	if (l->old->flags & PSN_MANGLED || !f->known_at || f->closing ||
	    f->close_asked || f->maybe_failed ||
	    dir_out_of_window(l->peer, l->psn, NULL) ||
	    l->own->retries_exhausted)
		return;
	if (code == NACK_PDC_HDR_MISMATCH && wrong_direction(l))
		return;
	claim(l, nack_rules_row_of(l)->req, false,
	      "The packet has the PDCIDs of an established PDC.");
}

/*
 * Returns true if the NACK may answer a CP that uses no PSN.  All such CPs have
 * psn 0, except a Probe.
 */
static bool may_be_of_a_cp(const struct pkt_ctx *l)
{
	if (l->peer->rare->probe_known && l->psn == l->peer->rare->probe_psn)
		return true;
	return !l->psn && about_cp(l);
}

static void nack_rules_echoes(struct pkt_ctx *l)
{
	if (l->nack.nack_code != NACK_RCVR_INFER_LOSS && !may_be_of_a_cp(l))
		pkt_echoes(l);
}

/* "UNEXP_EVENT answers an event that is unsupported or impossible": a NOOP is
 * neither. */
static void nack_rules_noop_refused(struct pkt_ctx *l)
{
	if (!pkt_refuses_noop(l) || l->f->maybe_failed)
		return;
	pkt_blame(l, REQ_UET_NACK_19, REQ_DST);
	expected(l->j, "ack_psn=%" PRIu32, l->psn);
	actual(l->j, "nack_code=0x%02x nack_psn=%" PRIu32, l->nack.nack_code,
	       l->psn);
	because(l->j,
		"A NOOP must be acknowledged; it is no unexpected event.");
}

/*
 * Returns true if Clear Requests are the only packets without a PSN that the
 * NACK can answer.
 */
static bool must_be_of_clear_request(const struct pkt_ctx *l)
{
	const unsigned other = 1u << !l->from;
	const struct flow *f = l->f;

	if (l->psn || l->old || dir_out_of_window(l->peer, 0, NULL) ||
	    dir_out_of_windows_lost(l->peer) ||
	    (l->peer->any && psn_forgotten(l->peer, 0)))
		return false;
	return f->clear_requests & other && !(f->others_at_zero & other);
}

/* "A Clear Request [...] is not acknowledged; it is answered by CLEAR_PSN" */
static void clear_request_refused(struct pkt_ctx *l)
{
	const struct flow *f = l->f;

	if (l->nack.nack_code != NACK_UNEXP_EVENT || !seen_all(l) ||
	    !must_be_of_clear_request(l))
		return;
	if (!f->syn_done || f->closing || f->close_asked || f->maybe_failed)
		return;
	pkt_blame(l, REQ_UET_CP_03, REQ_SRC);
	actual(l->j, "nack_code=0x%02x nack_psn=0", l->nack.nack_code);
	because(l->j, "A Clear Request must be answered by a CLEAR_PSN, not by "
		      "a NACK.");
}

const struct monitor rules_uet_nack[] = {
	{PKT_NACK, names_a_packet, ALWAYS},
	{PKT_NACK, whose_pdc, ALWAYS},
	{PKT_NACK | PKT_GAPS, nack_rules_payload_zero, ALWAYS},
	{PKT_NACK | PKT_HERE | PKT_AGAIN, nack_rules_one_each, ALWAYS},
	{PKT_NACK | PKT_HERE | PKT_AGAIN, false_cause, ALWAYS},
	{PKT_NACK | PKT_HERE | PKT_AGAIN, false_identity, ALWAYS},
	{PKT_NACK, nack_rules_echoes, ALWAYS},
	{PKT_NACK | PKT_HERE, nack_rules_noop_refused, ALWAYS},
	{PKT_NACK, clear_request_refused, ALWAYS},
	{0, NULL, ALWAYS},
};
