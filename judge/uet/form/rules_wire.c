/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/form/rules_wire.c -- rules about a single packet: reserved bits,
 * reserved values, PDCID 0.  They need no state, so they apply to unmatched
 * packets as well.
 *
 * Spec: UET 3.5.10, 3.4.2 (uet.md 2, 3, 5)
 */
#include "judge/uet/form/rules_wire.h"

#include "judge/core/state.h"
#include "judge/uet/rule.h"

/* "no flag outside 0x1c in a request, 0x3e in an ACK, 0x38 in a NACK, 0x3c in
 * a CP, 0x10 in a RUDI request, 0x30 in a RUDI response, none in a UUD request"
 */
static void flags_reserved(struct pkt_ctx *l)
{
	static const uint8_t legal[PKT_KINDS] = {0x1c, 0x3e, 0x38, 0x3c,
						 0x10, 0x30, 0x38, 0x00};
	const uint8_t mask = legal[__builtin_ctz((unsigned)l->kind)];
	const uint8_t flags = l->p[1] & 0x7f;

	if (holds(l, REQ_UET_ENC_34, pkt_chair(l), !(flags & ~mask)))
		return;
	expected(l->j, "flags=0x%02x", flags & mask);
	actual(l->j, "flags=0x%02x", flags);
	because(l->j, "Reserved flag bits are set; they must be 0.");
}

/* "PDCID 0 is reserved: no request, ACK or CP has spdcid 0, nor dpdcid 0 with
 * syn = 0." */
static void wire_rules_pdcid_zero(struct pkt_ctx *l)
{
	/* all three types have these fields in the same place */
	struct pds_req h;

	pds_req_get(&h, l->p);
	if (holds(l, REQ_UET_PDC_15, pkt_role(l),
		  h.spdcid && (l->syn || h.dpdcid)))
		return;
	actual(l->j, "%s=0", h.spdcid ? "dpdcid" : "spdcid");
	because(l->j, "PDCID 0 means no PDC; only a NACK may carry it.");
}

/* "Bits 14 and 13 of the SYN overlay [...] are sent as 0." */
static void syn_reserved(struct pkt_ctx *l)
{
	struct pds_req_syn h;

	pds_req_syn_get(&h, l->p);
	if (holds(l, REQ_UET_PDC_02, REQ_SRC,
		  !(h.pdc_info & PDC_INFO_RESERVED)))
		return;
	expected(l->j, "pdc_info=0x0");
	actual(l->j, "pdc_info=0x%x", h.pdc_info);
	because(l->j, "Reserved bits of pdc_info are set; they must be 0.");
}

/* "cc_type 0 (NSCC) or 1 (CREDIT), cc_flags 0"; "24 reserved bits sent as 0" */
static void cc_reserved(struct pkt_ctx *l)
{
	struct pds_ack_cc cc;
	struct pds_credit credit;

	if (l->type != PDS_ACK_CC)
		return;
	pds_ack_cc_get(&cc, l->p + pds_ack_len);
	if (!holds(l, REQ_UET_ENC_40, pkt_chair(l),
		   cc.cc_type <= PDS_CC_CREDIT && !cc.cc_flags)) {
		actual(l->j, "cc_type=%u cc_flags=0x%x", cc.cc_type,
		       cc.cc_flags);
		because(l->j, "cc_type must be 0 or 1, and cc_flags 0.");
	}
	if (cc.cc_type != PDS_CC_CREDIT)
		return;
	pds_credit_get(&credit, l->p + pds_ack_len + pds_ack_cc_len);
	if (holds(l, REQ_UET_ENC_42, pkt_chair(l), !credit.rsvd_24))
		return;
	expected(l->j, "rsvd_24=0");
	actual(l->j, "rsvd_24=0x%06" PRIx32, credit.rsvd_24);
	because(l->j, "Reserved bits of the credit state are set.");
}

/* "ccx_type 14 or 15" */
static void ccx_reserved(struct pkt_ctx *l)
{
	struct pds_ack_ccx h;

	if (l->type != PDS_ACK_CCX)
		return;
	pds_ack_ccx_get(&h, l->p + pds_ack_len);
	if (holds(l, REQ_UET_ENC_43, pkt_chair(l), h.ccx_type >= PDS_CCX_LEAST))
		return;
	expected(l->j, "ccx_type=14");
	actual(l->j, "ccx_type=%u", h.ccx_type);
	because(l->j, "Only ccx_type 14 and 15 are defined, as proprietary.");
}

/* A NACK has "next_hdr NONE" and, as NACK_CCX, "nccx_type 14 or 15". */
static void nack_shape(struct pkt_ctx *l)
{
	struct pds_nack_ccx h;

	if (!holds(l, REQ_UET_ENC_44, pkt_chair(l),
		   l->next_hdr == PDS_NEXT_NONE)) {
		expected(l->j, "next_hdr=none");
		actual(l->j, "next_hdr=%u", l->next_hdr);
		because(l->j, "No SES header follows a NACK.");
	}
	if (l->type != PDS_NACK_CCX)
		return;
	pds_nack_ccx_get(&h, l->p + pds_nack_len);
	if (holds(l, REQ_UET_ENC_48, pkt_chair(l), h.nccx_type >= 14))
		return;
	expected(l->j, "nccx_type=14");
	actual(l->j, "nccx_type=%u", h.nccx_type);
	because(l->j, "Only nccx_type 14 and 15 are defined.");
}

/* "The nack_codes 0x0C and 0x1B to 0xFC are reserved and never sent." */
static void nack_reserved(struct pkt_ctx *l)
{
	const uint8_t code = l->nack.nack_code;
	const bool reserved =
		!code || code == 0x0c || (code >= 0x1b && code <= 0xfc);

	if (!holds(l, REQ_UET_NACK_0C, REQ_DST, !reserved)) {
		actual(l->j, "nack_code=0x%02x", code);
		because(l->j, "This nack_code is reserved and never sent.");
	}
	if (code != NACK_TRIMMED_ACK || l->conf->version < UET_1_0_3)
		return;
	holds(l, REQ_UET_NACK_03, REQ_DST, false);
	actual(l->j, "nack_code=0x03");
	because(l->j, "TRIMMED_ACK is reserved since 1.0.3 and never sent.");
}

/*
 * The code that removed the trailer has compared it: "CRC-32C (Castagnoli)"
 * over the covered bytes, in either byte order.
 */
static void crc_right(struct pkt_ctx *l)
{
	const enum dgram_crc crc = l->in->d->crc;
	const enum req_role role = pkt_chair(l);

	if (crc != DGRAM_CRC_WRONG && l->conf->no_crc) {
		holds(l, REQ_UET_ENC_19, role, false);
		because(l->j, "The packet ends in a CRC, but none is "
			      "declared.");
		return;
	}
	if (crc == DGRAM_CRC_WRONG && pkt_lacks_crc(l)) {
		holds(l, REQ_UET_ENC_19, role, false);
		because(l->j, "The packet has no CRC, but one is declared.");
		return;
	}
	if (holds(l, REQ_UET_ENC_20, role, crc != DGRAM_CRC_WRONG)) {
		shows(l, REQ_UET_ENC_19, role);
		shows(l, REQ_UET_ENC_21, role);
		shows(l, REQ_UET_ENC_22, role);
		shows(l, REQ_UET_ENC_23, role);
		return;
	}
	actual(l->j, "crc=wrong");
	because(l->j, "The packet does not end in a correct CRC.");
}

/*
 * "In the native form a 4-byte entropy header stands between the IP header and
 * the first UET header", and not in the UDP form.  All packets of a PDC have
 * the form of its first packet.
 */
static void form_kept(struct pkt_ctx *l)
{
	const bool native = l->f->native;
	const enum req_id req = native ? REQ_UET_ENC_08 : REQ_UET_ENC_07;

	if (l->f->number == JUDGE_NO_FLOW)
		return;
	if (holds(l, req, pkt_chair(l), l->in->d->native == native))
		return;
	because(l->j, native ? "The PDC is over IP, but the packet over UDP."
			     : "The PDC is over UDP, but the packet over IP.");
}

/*
 * "The UDP destination port of every packet, answers included, is 4793", "the
 * UDP checksum is sent as 0".  A socket does not show the checksum.
 */
static void udp_header(struct pkt_ctx *l)
{
	const struct dgram *d = l->in->d;

	if (d->native)
		return;
	if (!holds(l, REQ_UET_ENC_02, pkt_chair(l), !d->udp_dport)) {
		actual(l->j, "port %u", d->udp_dport);
		because(l->j,
			"The packet has UDP destination port %u, where no "
			"endpoint listens.",
			d->udp_dport);
	}
	if (!d->headers ||
	    holds(l, REQ_UET_ENC_03, pkt_chair(l), !d->udp_checksum))
		return;
	actual(l->j, "checksum 0x%04x", d->udp_checksum);
	because(l->j, "The UDP checksum is not 0.");
}

/* "IPv4 packets are sent with DF set".  A socket does not show it. */
static void unfragmented(struct pkt_ctx *l)
{
	const struct dgram *d = l->in->d;

	if (d->src.len != 4 || !d->headers ||
	    holds(l, REQ_UET_ENC_09, pkt_chair(l), !d->no_df))
		return;
	actual(l->j, "DF clear");
	because(l->j, "The network may fragment the packet.");
}

/* "The IP protocol or next header is the configured number." */
static void ip_protocol(struct pkt_ctx *l)
{
	const struct dgram *d = l->in->d;

	if (!d->native || holds(l, REQ_UET_ENC_05, pkt_chair(l), !d->ip_proto))
		return;
	actual(l->j, "protocol %u", d->ip_proto);
	because(l->j,
		"The packet is of IP protocol %u, which is not the "
		"configured one.",
		d->ip_proto);
}

/* Read data in an ACK may have a codepoint that switches trim. */
static bool has_data(const struct pkt_ctx *l)
{
	return l->kind == PKT_ACK &&
	       (l->next_hdr == PDS_NEXT_RESPONSE_DATA ||
		l->next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL);
}

/* "Requests carry the configured DSCP of data; ACK, NACK, CP and RUDI response
 * carry that of control."  A PDC may have a traffic class of its own. */
static void codepoint(struct pkt_ctx *l)
{
	const bool request = l->kind & (PKT_REQ | PKT_RUDI | PKT_UUD);
	const uint8_t data = l->conf->dscp_data, dscp = l->in->d->dscp;
	const uint8_t control = l->conf->dscp_control;

	if (!l->conf->dscp_known || l->trimmed || data == control)
		return;
	if (holds(l, REQ_UET_ENC_12, pkt_chair(l),
		  request ? dscp != control
			  : dscp == control || (has_data(l) && dscp == data)))
		return;
	expected(l->j, "dscp=%u", request ? data : control);
	actual(l->j, "dscp=%u", dscp);
	because(l->j, request ? "A request has the codepoint of control "
				"packets."
			      : "An answer or control packet does not have the "
				"codepoint declared for control.");
}

/* "Data packets are sent ECN-capable: their IP ECN field is not 00." */
static void wire_rules_ecn_capable(struct pkt_ctx *l)
{
	if (holds(l, REQ_UET_ENC_11, pkt_chair(l),
		  l->in->d->ecn != ECN_NOT_ECT))
		return;
	actual(l->j, "ecn=0");
	because(l->j, "The request is not ECN-capable.");
}

/* "version is 0 in every SES header." */
static void wire_rules_ses_version(struct pkt_ctx *l)
{
	if (!l->ses)
		return;
	if (holds(l, REQ_UET_SES_02, pkt_chair(l), !(l->ses[1] >> 6)))
		return;
	expected(l->j, "version=0");
	actual(l->j, "version=%u", l->ses[1] >> 6);
	because(l->j, "The version of the SES header is not 0.");
}

/* "A request begins with the common 12 bytes: [...] with reserved bits 0." */
static void ses_request_reserved(struct pkt_ctx *l)
{
	if (!l->ses || !l->next_hdr || l->next_hdr > PDS_NEXT_REQUEST_STD)
		return;
	if (holds(l, REQ_UET_SES_03, REQ_SRC,
		  pkt_ses_clean(l->ses, l->next_hdr)))
		return;
	because(l->j, "Reserved bits of the SES request header are set.");
}

/* "0x10 to 0x2F are reserved and never sent." */
static void ses_opcode(struct pkt_ctx *l)
{
	uint8_t opcode;

	if (!l->ses || !l->next_hdr || l->next_hdr > PDS_NEXT_REQUEST_STD)
		return;
	opcode = l->ses[0] & 0x3f;
	if (holds(l, REQ_UET_SES_27, REQ_SRC, opcode < 0x10 || opcode > 0x2f))
		return;
	actual(l->j, "opcode=0x%02x", opcode);
	because(l->j, "This opcode is reserved and never sent.");
}

/*
 * "its list is 0, 1 or a vendor's, its opcode 0 to 3 or 0x30 to 0x3F".  In an
 * ACK with data the opcode is also a response opcode.
 */
static void ses_response_opcode(struct pkt_ctx *l)
{
	uint8_t opcode;

	if (!l->ses || l->next_hdr < PDS_NEXT_RESPONSE)
		return;
	opcode = l->ses[0] & 0x3f;
	if (holds(l, REQ_UET_SES_18, pkt_chair(l),
		  opcode <= 3 || opcode >= 0x30))
		return;
	actual(l->j, "opcode=0x%02x", opcode);
	because(l->j, "This response opcode is reserved and never sent.");
}

/* "return_code is 0x00 to 0x24, a vendor's 0x30 to 0x37, or 0x3E" */
static void ses_return_code(struct pkt_ctx *l)
{
	uint8_t rc;

	if (!l->ses || l->next_hdr < PDS_NEXT_RESPONSE)
		return;
	rc = l->ses[1] & 0x3f;
	if (holds(l, REQ_UET_SES_30, REQ_DST,
		  rc <= 0x24 || (rc >= 0x30 && rc <= 0x37) || rc == 0x3e))
		return;
	actual(l->j, "return_code=0x%02x", rc);
	because(l->j, "This return code is reserved and never sent.");
}

/* "No packet carries more payload than the Payload MTU" */
static void payload_mtu(struct pkt_ctx *l)
{
	const size_t payload = l->len - l->in->pkt->payload;

	if (!l->conf->mtu || l->mangled)
		return;
	if (holds(l, REQ_UET_ENC_18, pkt_role(l), payload <= l->conf->mtu))
		return;
	actual(l->j, "data %zu", payload);
	because(l->j, "The payload is longer than the MTU, %" PRIu32 " bytes.",
		l->conf->mtu);
}

#define PDCLESS (PKT_RUDI | PKT_RUDI_RESP | PKT_UUD)

const struct monitor rules_uet_wire[] = {
	{PKT_REQ | PKT_ACK | PKT_NACK | PKT_CP | PDCLESS | PKT_RUDI_NACK |
		 PKT_GAPS,
	 flags_reserved, ON(KEY_PDS)},
	{PKT_REQ | PKT_ACK | PKT_NACK | PKT_CP | PDCLESS | PKT_RUDI_NACK |
		 PKT_GAPS | PKT_CRC,
	 crc_right, ON(CRC) | ON(KEY_CRC)},
	{PKT_REQ | PKT_ACK | PKT_NACK | PKT_CP, form_kept,
	 ON(FORM) | ON(KEY_NATIVE)},
	{PKT_REQ | PKT_ACK | PKT_NACK | PKT_CP | PDCLESS | PKT_RUDI_NACK |
		 PKT_GAPS | PKT_HERE,
	 udp_header, ON(LINKED) | ON(REMOTE) | ON(KEY_NATIVE)},
	{PKT_REQ | PKT_ACK | PKT_NACK | PKT_CP | PDCLESS | PKT_RUDI_NACK |
		 PKT_GAPS | PKT_HERE,
	 unfragmented, ON(LINKED) | ON(REMOTE)},
	{PKT_REQ | PKT_ACK | PKT_NACK | PKT_CP | PDCLESS | PKT_RUDI_NACK |
		 PKT_GAPS | PKT_HERE,
	 ip_protocol, ON(LINKED) | ON(REMOTE) | ON(KEY_NATIVE)},
	{PKT_REQ | PKT_HERE, wire_rules_ecn_capable, ON(LINKED)},
	{PKT_REQ | PKT_ACK | PKT_NACK | PKT_CP | PDCLESS | PKT_RUDI_NACK |
		 PKT_GAPS | PKT_HERE,
	 codepoint, ON(LINKED) | ON(REMOTE)},
	{PKT_REQ | PKT_ACK | PKT_CP | PKT_GAPS, wire_rules_pdcid_zero,
	 ON(PDCIDS)},
	{PKT_REQ | PKT_CP | PKT_GAPS | PKT_SYN, syn_reserved,
	 ON(SYN) | ON(ASKS_ACK)},
	{PKT_ACK | PKT_GAPS | PKT_CC, cc_reserved,
	 ON(CC_DEFINED) | ON(KEY_PDS) | ON(KEY_CREDIT)},
	{PKT_ACK | PKT_GAPS | PKT_CC, ccx_reserved,
	 ON(CC_DEFINED) | ON(KEY_PDS)},
	{PKT_NACK | PKT_RUDI_NACK | PKT_GAPS, nack_shape, ALWAYS},
	{PKT_NACK | PKT_RUDI_NACK | PKT_GAPS, nack_reserved, ALWAYS},
	{PKT_REQ | PKT_ACK | PDCLESS | PKT_GAPS, wire_rules_ses_version,
	 ON(KEY_SES)},
	{PKT_REQ | PKT_ACK | PDCLESS | PKT_GAPS, payload_mtu, ON(MTU)},
	{PKT_REQ | PKT_RUDI | PKT_UUD | PKT_GAPS, ses_request_reserved,
	 ON(RESERVED)},
	{PKT_REQ | PKT_RUDI | PKT_UUD | PKT_GAPS, ses_opcode, ON(KEY_SES)},
	{PKT_REQ | PKT_ACK | PKT_RUDI_RESP | PKT_GAPS, ses_response_opcode,
	 ON(KEY_SES)},
	{PKT_REQ | PKT_ACK | PKT_RUDI_RESP | PKT_GAPS, ses_return_code,
	 ON(KEY_SES)},
	{0, NULL, ALWAYS},
};

void rules_uet_unmatched(struct pkt_ctx *l)
{
	for (const struct monitor *m = rules_uet_wire; m->look; m++)
		if (m->what & l->kind && pkt_is(l, m->what))
			m->look(l);
	for (const struct monitor *m = rules_uet_shape; m->look; m++)
		if (m->what & l->kind && pkt_is(l, m->what))
			m->look(l);
}
