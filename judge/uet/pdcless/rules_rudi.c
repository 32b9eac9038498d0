/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/rules_rudi.c -- packets without a PDC: RUDI requests, their
 * responses and NACKs, and datagrams.
 *
 * l->rudi is the state of the request that a packet is, or answers.  An answer
 * is judged against all copies of its request, since it does not show which
 * copy it answers.
 *
 * Spec: UET 3.5.7.3, 3.5.7.4, 3.5.10.9, 3.5.10.12, 3.5.12.7 (uet.md 3.11, 3.12,
 * 4, 7.7, 7.8)
 */
#include "judge/uet/pdcless/rules_rudi.h"

#include "judge/core/state.h"
#include "judge/uet/rule.h"

/* Operations of atomics by number (table 3-21). */
enum {
	AMO_SUM_ = 0x02,
	AMO_PROD_ = 0x04,
	AMO_LXOR_ = 0x09,
	AMO_BXOR_ = 0x0a,
};

/* ---- Headers ---- */

/*
 * "prologue, 16 reserved bits sent as 0, pkt_id"; a datagram has only the first
 * two.
 */
static void reserved(struct pkt_ctx *l)
{
	const enum req_id req =
		l->kind == PKT_UUD ? REQ_UET_ENC_51 : REQ_UET_ENC_50;
	const unsigned bits = (unsigned)l->p[2] << 8 | l->p[3];

	if (holds(l, req, pkt_role(l), !bits))
		return;
	expected(l->j, "rsvd_16=0");
	actual(l->j, "rsvd_16=0x%04x", bits);
	because(l->j, "Reserved bits of the header are set.");
}

/* "The next_hdr of a forward request names the SES request header" */
static void request_follows(struct pkt_ctx *l)
{
	if (holds(l, REQ_UET_ENC_30, REQ_SRC,
		  l->next_hdr >= PDS_NEXT_REQUEST_SMALL &&
			  l->next_hdr <= PDS_NEXT_REQUEST_STD))
		return;
	actual(l->j, "next_hdr=%u", l->next_hdr);
	because(l->j, "A request has next_hdr 1, 2 or 3.");
}

/* "The next_hdr of an ACK or RUDI response is RESPONSE (4), RESPONSE_DATA (5)
 * or RESPONSE_DATA_SMALL (6)" */
static void response_follows(struct pkt_ctx *l)
{
	if (holds(l, REQ_UET_ENC_32, REQ_DST,
		  l->next_hdr >= PDS_NEXT_RESPONSE &&
			  l->next_hdr <= PDS_NEXT_RESPONSE_DATA_SMALL))
		return;
	actual(l->j, "next_hdr=%u", l->next_hdr);
	because(l->j, "A RUDI response has next_hdr 4, 5 or 6.");
}

/* ---- RUDI: allowed operations ---- */

static bool is_send(uint8_t opcode)
{
	return (opcode >= SES_SEND && opcode <= SES_DEFERRABLE_TSEND) ||
	       opcode == SES_TSEND_ATOMIC || opcode == SES_TSEND_FETCH_ATOMIC;
}

/*
 * Returns true if a second execution always changes the result; that of compare
 * and swap may not.
 */
static bool adds_up(uint8_t amo)
{
	return (amo >= AMO_SUM_ && amo <= AMO_PROD_) || amo == AMO_LXOR_ ||
	       amo == AMO_BXOR_;
}

/* "a non-idempotent operation never uses it" */
static void idempotent(struct pkt_ctx *l)
{
	const size_t at = l->in->pkt->payload;
	uint8_t opcode;
	bool twice;

	if (!l->ses || l->mangled || !l->next_hdr ||
	    l->next_hdr > PDS_NEXT_REQUEST_STD)
		return;
	opcode = l->ses[0] & 0x3f;
	twice = is_send(opcode);
	if (opcode == SES_ATOMIC || opcode == SES_FETCHING_ATOMIC)
		twice = l->ses_at + pkt_ses_len(l->next_hdr) < at &&
			adds_up(l->ses[pkt_ses_len(l->next_hdr)]);
	if (holds(l, REQ_MODE_RUDI_6, REQ_SRC, !twice))
		return;
	actual(l->j, "opcode=0x%02x", opcode);
	because(l->j, "%s is not idempotent: RUDI may execute it twice.",
		is_send(opcode) ? "A send" : "This atomic");
}

/*
 * "Bulk RUDI traffic does not share a traffic class with RUD/ROD under UET-CC":
 * a message of several packets, at a device that declares a class for bulk.
 */
static void bulk_apart(struct pkt_ctx *l)
{
	const struct judge_conf *conf = l->conf;

	if (!conf->dscp_bulk || conf->dscp_bulk == conf->dscp_data ||
	    l->trimmed || l->mangled || !l->ses ||
	    l->next_hdr != PDS_NEXT_REQUEST_STD || (l->std.som && l->std.eom))
		return;
	if (holds(l, REQ_MODE_TC_1, REQ_SRC, l->in->d->dscp != conf->dscp_data))
		return;
	expected(l->j, "dscp=%u", conf->dscp_bulk);
	actual(l->j, "dscp=%u", l->in->d->dscp);
	because(l->j, "A RUDI message of several packets has the codepoint of "
		      "RUD and ROD requests.");
}

/* ---- RUDI: identity and repair ---- */

/* "Each RUDI packet carries an identifier unique among those outstanding" */
static void rudi_rules_id_taken(struct pkt_ctx *l)
{
	const struct judge_rudi_pkt *p = l->rudi;

	if (!seen_all(l) || l->retx || l->mangled)
		return;
	if (holds(l, REQ_MODE_RUDI_2, REQ_SRC,
		  !pdcless_outstanding(l) || p->flags & RUDI_MANGLED ||
			  p->hash == l->hash)) {
		shows(l, REQ_MODE_RUDI_7, REQ_SRC);
		return;
	}
	actual(l->j, "pkt_id=0x%08" PRIx32, l->psn);
	because(l->j,
		"Another request, in frame %" PRIu32
		", has this pkt_id and no answer yet.",
		p->frame);
}

/*
 * Returns true for the same bytes under an id that is not answered yet: a copy.
 */
static bool rudi_rules_repeats(const struct pkt_ctx *l)
{
	return l->rudi && !pdcless_is_another(l);
}

/*
 * A retransmission has the same pkt_id and retx = 1.  A network duplicate has
 * retx = 0, but cannot occur at the link of its source.
 */
static void rudi_rules_repeat_unmarked(struct pkt_ctx *l)
{
	if (!rudi_rules_repeats(l) || !knows_all(l, l->from))
		return;
	if (holds(l, REQ_UET_RTX_07, REQ_SRC, l->retx))
		return;
	expected(l->j, "pkt_id=0x%08" PRIx32 " retx=1", l->psn);
	actual(l->j, "pkt_id=0x%08" PRIx32 " retx=0", l->psn);
	because(l->j,
		"The request of frame %" PRIu32 " is retransmitted without "
		"retx.",
		l->rudi->frame);
}

static void rudi_rules_first_marked(struct pkt_ctx *l)
{
	if (l->rudi || l->j->rudi.forgot || !knows_all(l, l->from))
		return;
	if (holds(l, REQ_UET_RTX_07, REQ_SRC, !l->retx))
		return;
	expected(l->j, "pkt_id=0x%08" PRIx32 " retx=0", l->psn);
	actual(l->j, "pkt_id=0x%08" PRIx32 " retx=1", l->psn);
	because(l->j, "The first transmission of this pkt_id is marked as a "
		      "retransmission.");
}

/*
 * If the judge is not at the source's link, the first copy of a later request
 * may be lost before the capture.
 */
static void rudi_rules_repeat_changed(struct pkt_ctx *l)
{
	const struct judge_rudi_pkt *p = l->rudi;

	if (!p || !l->retx || l->mangled || p->flags & RUDI_MANGLED ||
	    !seen_all(l))
		return;
	if (!knows_all(l, l->from) && !pdcless_outstanding(l))
		return;
	if (holds(l, REQ_UET_RTX_07, REQ_SRC, l->hash == p->hash))
		return;
	actual(l->j, "pkt_id=0x%08" PRIx32, l->psn);
	because(l->j,
		"SES header or payload differ from those of frame %" PRIu32 ".",
		p->frame);
}

/*
 * Returns true if an answer came early enough to stop a packet in the source's
 * send queue.
 */
static bool rudi_rules_told_before(const struct pkt_ctx *l)
{
	return l->rudi->flags & RUDI_ANSWERED &&
	       l->at - l->rudi->acked_at > pkt_grace(l->conf);
}

static bool is_repair(const struct pkt_ctx *l)
{
	return rudi_rules_repeats(l) && l->retx && knows_all(l, l->from);
}

/* A RUDI request is retransmitted only without a response. */
static void rudi_rules_repeat_answered(struct pkt_ctx *l)
{
	if (!is_repair(l))
		return;
	if (holds(l, REQ_UET_RTX_08, REQ_SRC, !rudi_rules_told_before(l)))
		return;
	actual(l->j, "pkt_id=0x%08" PRIx32 " retx=1", l->psn);
	because(l->j, "The request is retransmitted although its answer had "
		      "arrived.");
}

/* A request is retransmitted after its RTO, up to the retry limit. */
static void repeat_by_timer(struct pkt_ctx *l)
{
	const struct judge_rudi_pkt *p = l->rudi;
	const unsigned max = l->conf->max_rto_retx;
	vspan wait, rto;

	if (!is_repair(l) || p->flags & (RUDI_ANSWERED | RUDI_NACKED))
		return;
	wait = l->at - p->sent_at;
	rto = pkt_rto(l->conf, p->rto_retx);
	if (l->conf->rto_init &&
	    !holds(l, REQ_UET_RTX_08, REQ_SRC, wait >= rto)) {
		too_early(l->j);
		actual(l->j, "pkt_id=0x%08" PRIx32 " retx=1", l->psn);
		because(l->j,
			"Retransmission %u after %" PRId64 " us, with no NACK; "
			"RTO allows %" PRId64 " us.",
			p->rto_retx + 1u, wait / VSPAN_US, rto / VSPAN_US);
	}
	if (!max || !l->conf->rto_init ||
	    holds(l, REQ_UET_RTX_08, REQ_SRC, p->rto_retx < max))
		return;
	actual(l->j, "pkt_id=0x%08" PRIx32 " retx=1", l->psn);
	because(l->j,
		"Retransmission %u without an answer; Max_RTO_Retx_Cnt is "
		"%u.",
		p->rto_retx + 1u, max);
}

/*
 * Returns the row of a code that reports a missing resource: a source waits for
 * NACK_Retx_Time after it.
 */
static enum req_id resource_row(uint8_t code)
{
	switch (code) {
	case NACK_NO_PKT_BUFFER:
		return REQ_UET_NACK_07;
	case NACK_NO_SES_MSG_AVAIL:
		return REQ_UET_NACK_09;
	case NACK_NO_RESOURCE:
		return REQ_UET_NACK_0A;
	}
	return REQ_COUNT;
}

/*
 * "the source sends it again after NACK_Retx_Time".  If its RTO ends earlier,
 * the source may retransmit for that reason.
 */
static void rudi_rules_nack_too_soon(struct pkt_ctx *l)
{
	const struct judge_rudi_pkt *p = l->rudi;
	const vspan least = l->conf->nack_retx_time;
	enum req_id req;
	vspan wait;

	if (!is_repair(l) || !(p->flags & RUDI_NACKED) || !least)
		return;
	req = resource_row(p->nack_code);
	if (req == REQ_COUNT)
		return;
	wait = l->at - p->acked_at;
	if (l->conf->rto_init &&
	    l->at - p->sent_at >= pkt_rto(l->conf, p->rto_retx))
		wait = least;
	if (holds(l, REQ_UET_RTX_03, REQ_SRC,
		  wait + l->conf->nack_tolerance >= least)) {
		shows(l, req, REQ_SRC);
		return;
	}
	too_early(l->j);
	actual(l->j, "pkt_id=0x%08" PRIx32 " retx=1", l->psn);
	because(l->j,
		"Retransmitted %" PRId64
		" us after NACK 0x%02x; NACK_Retx_Time "
		"is %" PRId64 " us.",
		wait / VSPAN_US, p->nack_code, least / VSPAN_US);
}

/* "given up after the retry limit" */
static void rudi_rules_nack_too_often(struct pkt_ctx *l)
{
	const struct judge_rudi_pkt *p = l->rudi;
	const unsigned max = l->conf->max_nack_retx;

	if (!is_repair(l) || !max || !l->conf->rto_init ||
	    !(p->flags & RUDI_NACKED))
		return;
	if (holds(l, REQ_UET_RTX_08, REQ_SRC, p->nack_retx < max))
		return;
	actual(l->j, "pkt_id=0x%08" PRIx32 " retx=1", l->psn);
	because(l->j,
		"Retransmission %u after a NACK; Max_NACK_Retx_Cnt is %u.",
		p->nack_retx + 1u, max);
}

/* ---- RUDI: answers ---- */

/* Returns true if the judge saw every request that an answer can name. */
static bool knows_requests(const struct pkt_ctx *l)
{
	return seen_all(l) && !l->j->rudi.forgot;
}

/*
 * "no acknowledgement": an answer that names no request, on a datagram's path
 */
static bool to_datagram(struct pkt_ctx *l)
{
	if (!rudi_answers_datagram(&l->j->rudi, l->in->d))
		return false;
	holds(l, REQ_MODE_UUD_1, REQ_DST, false);
	because(l->j, "A datagram is answered.");
	return true;
}

/* "A RUDI response carries the pkt_id of its request." */
static void response_names(struct pkt_ctx *l)
{
	if (!knows_requests(l))
		return;
	if (l->rudi) {
		shows(l, REQ_UET_ACK_12, REQ_DST);
		shows(l, REQ_MODE_RUDI_4, REQ_DST);
		shows(l, REQ_MODE_RUDI_7, REQ_DST);
		return;
	}
	if (to_datagram(l))
		return;
	holds(l, REQ_UET_ACK_12, REQ_DST, false);
	actual(l->j, "pkt_id=0x%08" PRIx32, l->psn);
	because(l->j, "The response has a pkt_id that no request had.");
}

/* "with nt = 1 (RUDI) by nack_pkt_id alone, both PDCIDs being 0" */
static void rudi_rules_nack_names(struct pkt_ctx *l)
{
	if (!holds(l, REQ_UET_ENC_45, REQ_DST,
		   !l->nack.spdcid && !l->nack.dpdcid)) {
		expected(l->j, "spdcid=0x0000 dpdcid=0x0000");
		actual(l->j, "spdcid=0x%04x dpdcid=0x%04x", l->nack.spdcid,
		       l->nack.dpdcid);
		because(l->j, "The NACK of a RUDI request has no PDCIDs.");
	}
	if (!knows_requests(l))
		return;
	if (l->rudi) {
		shows(l, REQ_MODE_RUDI_5, REQ_DST);
		shows(l, REQ_UET_RTX_10, REQ_DST);
		return;
	}
	if (to_datagram(l))
		return;
	holds(l, REQ_UET_ENC_45, REQ_DST, false);
	actual(l->j, "nack_pkt_id=0x%08" PRIx32, l->psn);
	because(l->j, "nack_pkt_id is not the pkt_id of any request.");
}

/*
 * Each copy that arrived has one answer; answers are neither requested nor
 * repeated.
 */
static void rudi_rules_one_each(struct pkt_ctx *l)
{
	const struct judge_rudi_pkt *p = l->rudi;
	const bool nack = l->kind == PKT_RUDI_NACK;

	if (!p || !knows_all(l, l->from) || p->copies == UINT8_MAX)
		return;
	if (holds(l, nack ? REQ_UET_RTX_01 : REQ_PDS_SVC_5, REQ_DST,
		  p->answers < p->copies))
		return;
	actual(l->j, "pkt_id=0x%08" PRIx32, l->psn);
	because(l->j, "The request came %u times but has more answers.",
		p->copies);
}

/* "carries the entropy value of the packet it answers" */
static void rudi_rules_echo_entropy(struct pkt_ctx *l,
				    const struct judge_rudi_pkt *p)
{
	if (holds(l, REQ_UET_ACK_01, REQ_DST,
		  rudi_has_path(p, l->in->d->entropy)))
		return;
	expected(l->j, "entropy=0x%04x", p->entropy[0]);
	actual(l->j, "entropy=0x%04x", l->in->d->entropy);
	because(l->j, "The answer does not carry the entropy value of its "
		      "request.");
}

/* "flags.retx [...] echoes that of the packet it answers" */
static void rudi_rules_echo_retx(struct pkt_ctx *l,
				 const struct judge_rudi_pkt *p)
{
	if (holds(l, REQ_UET_ACK_03, REQ_DST,
		  p->flags & (l->retx ? RUDI_REPEATED : RUDI_FRESH)))
		return;
	expected(l->j, "retx=%d", !l->retx);
	actual(l->j, "retx=%d", l->retx);
	because(l->j, "The answer does not echo the retx of its request.");
}

/* "flags.m [...] is 1 exactly if the packet it answers arrived CE-marked" */
static void rudi_rules_echo_mark(struct pkt_ctx *l,
				 const struct judge_rudi_pkt *p)
{
	if (!at_link(l, l->from))
		return; /* a switch may have marked it after the capture */
	if (holds(l, REQ_UET_ACK_02, REQ_DST,
		  p->flags & (l->m ? RUDI_CE : RUDI_NO_CE)))
		return;
	expected(l->j, "m=%d", !l->m);
	actual(l->j, "m=%d", l->m);
	because(l->j,
		"The request arrived %s a CE mark, but m does not show "
		"it.",
		l->m ? "without" : "with");
}

static void rudi_rules_echoes(struct pkt_ctx *l)
{
	if (!l->rudi || !seen_all(l))
		return;
	rudi_rules_echo_entropy(l, l->rudi);
	rudi_rules_echo_retx(l, l->rudi);
	rudi_rules_echo_mark(l, l->rudi);
}

/* Finds the message id in a response.  Return: false if it has none. */
static bool named_message(const struct pkt_ctx *l, uint16_t *ret)
{
	struct ses_response_data d;
	struct ses_response h;

	if (l->next_hdr == PDS_NEXT_RESPONSE_DATA) {
		ses_response_data_get(&d, l->ses);
		*ret = d.read_request_message_id;
		return true;
	}
	ses_response_get(&h, l->ses);
	*ret = h.message_id;
	return h.opcode != SES_DEFAULT_RESPONSE;
}

/* "message_id of a RESPONSE [...] is that of the standard request", and
 * read_request_message_id that of the read */
static void rudi_rules_response_message(struct pkt_ctx *l)
{
	const struct judge_rudi_pkt *p = l->rudi;
	const bool data = l->next_hdr == PDS_NEXT_RESPONSE_DATA;
	uint16_t id;

	if (!p || !l->ses || l->mangled || p->flags & RUDI_MANGLED ||
	    p->next_hdr != PDS_NEXT_REQUEST_STD || !seen_all(l) ||
	    l->next_hdr > PDS_NEXT_RESPONSE_DATA)
		return;
	if (!named_message(l, &id))
		return;
	if (holds(l, data ? REQ_UET_SES_21 : REQ_UET_SES_19, REQ_DST,
		  id == p->message_id))
		return;
	expected(l->j, "message_id=0x%04x", p->message_id);
	actual(l->j, "message_id=0x%04x", id);
	because(l->j, "The response names another message than its request.");
}

/* Returns the row of a code that only a packet of a PDC can cause. */
static enum req_id pdc_row(uint8_t code)
{
	static const enum req_id rows[] = {
		[NACK_NO_PDC_AVAIL] = REQ_UET_NACK_04,
		[NACK_NO_CCC_AVAIL] = REQ_UET_NACK_05,
		[NACK_NO_BITMAP] = REQ_UET_NACK_06,
		[NACK_PSN_OOR_WINDOW] = REQ_UET_NACK_0B,
		[NACK_ROD_OOO] = REQ_UET_NACK_0D,
		[NACK_INV_DPDCID] = REQ_UET_NACK_0E,
		[NACK_PDC_HDR_MISMATCH] = REQ_UET_NACK_0F,
		[NACK_CLOSING] = REQ_UET_NACK_10,
		[NACK_CLOSING_IN_ERR] = REQ_UET_NACK_11,
		[NACK_PKT_NOT_RCVD] = REQ_UET_NACK_12,
		[NACK_GTD_RESP_UNAVAIL] = REQ_UET_NACK_13,
		[NACK_ACK_WITH_DATA] = REQ_UET_NACK_14,
		[NACK_INVALID_SYN] = REQ_UET_NACK_15,
		[NACK_PDC_MODE_MISMATCH] = REQ_UET_NACK_16,
		[NACK_NEW_START_PSN] = REQ_UET_NACK_17,
	};

	if (code >= sizeof(rows) / sizeof(rows[0]) || !rows[code])
		return REQ_COUNT;
	return rows[code];
}

static void rudi_rules_nack_of_a_pdc(struct pkt_ctx *l)
{
	const enum req_id req = pdc_row(l->nack.nack_code);

	if (req == REQ_COUNT)
		return;
	holds(l, req, REQ_DST, false);
	actual(l->j, "nack_code=0x%02x nt=1", l->nack.nack_code);
	because(l->j, "This code is about a PDC, but a RUDI request has "
		      "none.");
}

/* ---- Answers that look like those of a PDC ---- */

/*
 * Returns true if the number in an ACK or NACK is the pkt_id of a RUDI request.
 */
static bool names_rudi(struct pkt_ctx *l, uint32_t id)
{
	const struct dgram *d = l->in->d;
	const struct judge_rudi_pkt *p =
		rudi_find(&l->j->rudi, &d->dst, &d->src, id);

	return p && !(p->flags & RUDI_ANSWERED);
}

/*
 * "RUDI uses no ACK"; "no acknowledgement" of a datagram.  Neither has a PDC to
 * which the answer could belong.
 */
void rules_uet_pdcless_answer(struct pkt_ctx *l)
{
	const bool ack = l->kind == PKT_ACK;
	uint16_t dpdcid;

	if (!judge_saw_all(l->conf) || (!ack && l->kind != PKT_NACK))
		return;
	dpdcid = ack ? l->ack.dpdcid : l->nack.dpdcid;
	if (ack ? names_rudi(l, l->ack_psn) || names_rudi(l, l->ack.cack_psn)
		: names_rudi(l, l->psn)) {
		holds(l, ack ? REQ_MODE_RUDI_4 : REQ_UET_ENC_45, REQ_DST,
		      false);
		because(l->j,
			ack ? "A RUDI request is answered by an ACK "
			      "instead of a response."
			    : "The NACK of a RUDI request must have nt = 1.");
	} else if (!dpdcid) {
		to_datagram(l);
	}
}

/* ---- Datagrams ---- */

/* "A UUD request is a DATAGRAM_SEND and a message of one packet." */
static void datagram_is_one(struct pkt_ctx *l)
{
	/* all requests have these fields in the same place */
	struct ses_small h;

	if (!l->ses || l->mangled)
		return;
	ses_small_get(&h, l->ses);
	shows(l, REQ_MODE_UUD_1, REQ_SRC);
	shows(l, REQ_MODE_UUD_2, REQ_SRC);
	if (h.opcode == SES_MSG_ERROR && l->conf->version >= UET_1_0_3) {
		holds(l, REQ_UET_SES_28, REQ_SRC, false);
		actual(l->j, "opcode=0x%02x", h.opcode);
		because(l->j, "MSG_ERROR is not sent as a datagram.");
		return;
	}
	if (holds(l, REQ_UET_SES_34, REQ_SRC,
		  h.opcode == SES_DATAGRAM_SEND && h.som && h.eom))
		return;
	actual(l->j, "opcode=0x%02x som=%u eom=%u", h.opcode, h.som, h.eom);
	because(l->j, "A UUD request is a DATAGRAM_SEND of one packet.");
}

/* "a DATAGRAM_SEND is one packet with message_id 0" */
static void datagram_id(struct pkt_ctx *l)
{
	if (!l->ses || l->mangled || l->next_hdr != PDS_NEXT_REQUEST_STD ||
	    l->std.opcode != SES_DATAGRAM_SEND || l->conf->version < UET_1_0_3)
		return;
	if (holds(l, REQ_UET_SES_28, REQ_SRC, !l->std.message_id))
		return;
	expected(l->j, "message_id=0");
	actual(l->j, "message_id=0x%04x", l->std.message_id);
	because(l->j, "A datagram has message_id 0.");
}

const struct monitor rules_uet_rudi[] = {
	{PKT_RUDI | PKT_RUDI_RESP | PKT_UUD, reserved, ALWAYS},
	{PKT_RUDI | PKT_UUD, request_follows, ALWAYS},
	{PKT_RUDI_RESP, response_follows, ALWAYS},
	{PKT_RUDI, idempotent, ALWAYS},
	{PKT_RUDI, rudi_rules_id_taken, ALWAYS},
	{PKT_RUDI, rudi_rules_repeat_unmarked, ALWAYS},
	{PKT_RUDI, bulk_apart, ALWAYS},
	{PKT_RUDI, rudi_rules_first_marked, ALWAYS},
	{PKT_RUDI, rudi_rules_repeat_changed, ALWAYS},
	{PKT_RUDI, rudi_rules_repeat_answered, ALWAYS},
	{PKT_RUDI, repeat_by_timer, ALWAYS},
	{PKT_RUDI, rudi_rules_nack_too_soon, ALWAYS},
	{PKT_RUDI, rudi_rules_nack_too_often, ALWAYS},
	{PKT_RUDI_RESP, response_names, ALWAYS},
	{PKT_RUDI_NACK, rudi_rules_nack_names, ALWAYS},
	{PKT_RUDI_RESP | PKT_RUDI_NACK, rudi_rules_one_each, ALWAYS},
	{PKT_RUDI_RESP | PKT_RUDI_NACK, rudi_rules_echoes, ALWAYS},
	{PKT_RUDI_RESP, rudi_rules_response_message, ALWAYS},
	{PKT_RUDI_NACK, rudi_rules_nack_of_a_pdc, ALWAYS},
	{PKT_UUD, datagram_is_one, ALWAYS},
	{PKT_UUD, datagram_id, ALWAYS},
	{0, NULL, ALWAYS},
};

/* ---- Missing packets ---- */

static void rudi_rules_answer_missing(struct absence *a,
				      struct judge_rudi_pkt *p)
{
	if (!(p->flags & RUDI_DUE) || !a->f->end[1].here ||
	    a->now - p->sent_at <= pkt_overdue(a->conf))
		return;
	p->flags |= RUDI_TOLD;
	lacks(a, REQ_MODE_RUDI_4, REQ_DST, 1, p->frame, true);
	expected(a->j, "pkt_id=0x%08" PRIx32, p->pkt_id);
	because(a->j, "The RUDI request has no response.");
}

/* A source that gave up a request need not retransmit it. */
static void rudi_rules_repair_missing(struct absence *a,
				      struct judge_rudi_pkt *p)
{
	const struct judge_conf *conf = a->conf;
	const unsigned max = conf->max_rto_retx ? conf->max_rto_retx : 5;

	if (!conf->rto_init || p->flags & RUDI_ANSWERED || p->rto_retx >= max ||
	    !a->f->end[0].here)
		return;
	if (p->flags & RUDI_NACKED && conf->max_nack_retx &&
	    p->nack_retx >= conf->max_nack_retx)
		return;
	if (a->now - p->sent_at <= pkt_repair(conf, p->copies))
		return;
	p->flags |= RUDI_TOLD;
	lacks(a, REQ_UET_RTX_08, REQ_SRC, 0, p->frame, true);
	expected(a->j, "pkt_id=0x%08" PRIx32 " retx=1", p->pkt_id);
	because(a->j, "The RUDI request was not answered and is not "
		      "retransmitted.");
}

void rules_uet_rudi_end(struct absence *a, struct judge_rudi_pkt *p)
{
	if (p->flags & (RUDI_MANGLED | RUDI_TOLD))
		return;
	rudi_rules_answer_missing(a, p);
	rudi_rules_repair_missing(a, p);
}
