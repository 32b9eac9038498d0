/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/form/rules_shape.c -- a packet as a sequence of headers: each is
 * complete, has the length of its table, and gives the packet's length.
 *
 * Trimmed packets and truncated captures are not judged here.
 *
 * Spec: UET 3.5.10, 3.4.2, 3.5.25 (uet.md 1.1, 1.6, 2, 3, 5)
 */
#include "judge/uet/form/rules_shape.h"

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/rule.h"
#include "wire/frame/crc.h"

/* The row that defines the length of a header. */
static const struct length_row {
	const struct header *h;
	enum req_id req;
} length_rows[] = {
	{&tss_header, REQ_UET_ENC_25},
	{&tss_ssi_header, REQ_UET_ENC_25},
	{&pds_req_header, REQ_UET_ENC_36},
	{&pds_req_syn_header, REQ_UET_ENC_36},
	{&pds_req_cc_header, REQ_UET_ENC_38},
	{&pds_ack_header, REQ_UET_ENC_39},
	{&pds_ack_probe_header, REQ_UET_ENC_39},
	{&pds_ack_cc_header, REQ_UET_ENC_40},
	{&pds_nscc_header, REQ_UET_ENC_41},
	{&pds_credit_header, REQ_UET_ENC_42},
	{&pds_cc_state_header, REQ_UET_ENC_40},
	{&pds_ack_ccx_header, REQ_UET_ENC_43},
	{&pds_nack_header, REQ_UET_ENC_44},
	{&pds_nack_rudi_header, REQ_UET_ENC_44},
	{&pds_nack_ccx_header, REQ_UET_ENC_48},
	{&rudi_req_header, REQ_UET_ENC_50},
	{&rudi_resp_header, REQ_UET_ENC_50},
	{&uud_req_header, REQ_UET_ENC_51},
	{&ses_small_header, REQ_UET_SES_11},
	{&ses_medium_header, REQ_UET_SES_12},
	{&ses_medium_hd_header, REQ_UET_SES_12},
	{&ses_std_som_header, REQ_UET_SES_06},
	{&ses_std_header, REQ_UET_SES_07},
	{&ses_rendezvous_header, REQ_UET_SES_13},
	{&ses_atomic_header, REQ_UET_SES_14},
	{&ses_cswap_header, REQ_UET_SES_16},
	{&ses_response_header, REQ_UET_SES_18},
	{&ses_response_data_header, REQ_UET_SES_21},
	{&ses_response_data_small_header, REQ_UET_SES_22},
};

/* A CP's header has variants and a tail for each ctl_type, but only one row. */
static enum req_id length_req(const struct header *h)
{
	for (size_t i = 0; i < sizeof(length_rows) / sizeof(length_rows[0]);
	     i++)
		if (length_rows[i].h == h)
			return length_rows[i].req;
	return REQ_UET_ENC_49;
}

/* The same row, by the type of a parsed packet. */
static const enum req_id type_req[32] = {
	[PDS_RUD_REQ] = REQ_UET_ENC_36,    [PDS_ROD_REQ] = REQ_UET_ENC_36,
	[PDS_RUDI_REQ] = REQ_UET_ENC_50,   [PDS_RUDI_RESP] = REQ_UET_ENC_50,
	[PDS_UUD_REQ] = REQ_UET_ENC_51,    [PDS_ACK] = REQ_UET_ENC_39,
	[PDS_ACK_CC] = REQ_UET_ENC_40,     [PDS_ACK_CCX] = REQ_UET_ENC_43,
	[PDS_NACK] = REQ_UET_ENC_44,       [PDS_CP] = REQ_UET_ENC_49,
	[PDS_NACK_CCX] = REQ_UET_ENC_48,   [PDS_RUD_CC_REQ] = REQ_UET_ENC_38,
	[PDS_ROD_CC_REQ] = REQ_UET_ENC_38,
};

/* The role of the sender if the row obliges both; else the role of the row. */
static enum req_role role_for(const struct pkt_ctx *l, enum req_id req)
{
	const enum req_role role = req_get(req)->role;

	if (role == REQ_BOTH)
		return pkt_chair(l);
	return role;
}

static bool shape_rules_fails(struct pkt_ctx *l, enum req_id req, bool met)
{
	return !holds(l, req, role_for(l, req), met);
}

static bool is_ses(const struct header *h)
{
	return h == &ses_small_header || h == &ses_medium_header ||
	       h == &ses_std_som_header || h == &ses_response_header ||
	       h == &ses_response_data_header ||
	       h == &ses_response_data_small_header;
}

/*
 * "IP, UDP or the 4-byte entropy header, [...] PDS header, SES header if any":
 * the header that next_hdr announces follows, and is complete.
 */
static void ends_early(struct pkt_ctx *l)
{
	const struct packet *pkt = l->in->pkt;
	const struct header *h = pkt->fault_header;

	shape_rules_fails(l, is_ses(h) ? REQ_UET_ENC_01 : length_req(h), false);
	actual(l->j, "%zu bytes of %zu", pkt->len - pkt->payload, h->len);
	because(l->j, "The packet ends inside its %s header.", h->name);
}

/* If no codepoints are known, any short packet may be trimmed. */
static bool shape_rules_may_be_trimmed(const struct pkt_ctx *l)
{
	return l->trimmed ||
	       !(l->conf->dscp_trimmed || l->conf->dscp_trimmed_lasthop);
}

/* ---- The end of a packet ---- */

/*
 * "The CRC is present exactly if UET_Data_Protect is 1": 4 bytes that are not
 * payload look like a CRC.
 */
static void uninvited_crc(struct pkt_ctx *l)
{
	if (!l->conf->no_crc)
		return;
	shape_rules_fails(l, REQ_UET_ENC_19, false);
	because(l->j, "4 bytes follow the payload, but no CRC is declared.");
}

/*
 * "payload_length [...] tell the packet's slice", "request_length [...] the
 * length of the whole message"; a header without a length announces no payload.
 */
static void ends_as_told(struct pkt_ctx *l)
{
	const size_t payload = l->len - l->in->pkt->payload;
	const struct pkt_told t = pkt_told(l);
	const enum req_id req = t.req == REQ_NONE ? type_req[l->type] : t.req;

	if (!t.known || (payload < t.bytes && shape_rules_may_be_trimmed(l)))
		return;
	if (payload == t.bytes + CRC_LEN && l->in->d->crc == DGRAM_CRC_NONE) {
		uninvited_crc(l);
		return;
	}
	if (!shape_rules_fails(l, req, payload == t.bytes))
		return;
	expected(l->j, "data %zu", t.bytes);
	actual(l->j, "data %zu", payload);
	because(l->j,
		"The packet does not have the length that its headers give.");
}

/* Counts as met that the headers were parsed and are complete. */
static void shape(struct pkt_ctx *l)
{
	const enum packet_fault fault = l->in->pkt->fault;
	const enum req_role role = pkt_chair(l);

	shows(l, REQ_UET_ENC_28, role);
	shows(l, REQ_UET_ENC_29, role);
	if (l->in->cut || l->trimmed)
		return;
	if (fault == PACKET_SHORT) {
		if (!shape_rules_may_be_trimmed(l))
			ends_early(l);
		return;
	}
	shows(l, REQ_UET_ENC_01, role);
	shows(l, type_req[l->type], role);
	if (fault == PACKET_OK && l->in->d->crc != DGRAM_CRC_WRONG)
		ends_as_told(l);
}

/* ---- Unreadable packets ---- */

/* "pds.type is 1 to 14; 0 and 15 to 31 are reserved and never sent." */
static void reserved_type(struct pkt_ctx *l)
{
	if (!shape_rules_fails(l, REQ_UET_ENC_29, l->type && l->type < 15))
		return;
	actual(l->j, "type=%u", l->type);
	because(l->j, "This pds.type is reserved and never sent.");
}

void rules_uet_unread(struct pkt_ctx *l)
{
	reserved_type(l);
	if (l->in->pkt->fault == PACKET_SHORT && !shape_rules_may_be_trimmed(l))
		ends_early(l);
}

#define ALL                                                                 \
	(PKT_REQ | PKT_ACK | PKT_NACK | PKT_CP | PKT_RUDI | PKT_RUDI_RESP | \
	 PKT_RUDI_NACK | PKT_UUD | PKT_GAPS)

const struct monitor rules_uet_shape[] = {
	{ALL, shape,
	 ON(WHOLE) | ON(REQ_HEADERS) | ON(ACK_HEADERS) | ON(REQ_END) |
		 ON(ACK_END) | ON(CP_END) | ON(KEY_PDS)},
	{0, NULL, ALWAYS},
};
