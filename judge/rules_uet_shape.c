/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/rules_uet_shape.c -- a packet as a row of headers: each is whole, has
 * the length of its table, and ends where its fields say.
 *
 * What a switch trimmed, and what was captured short, shows nothing of that.
 *
 * Spec: UET 3.5.10, 3.4.2, 3.5.25 (uet.md 1.1, 1.6, 2, 3, 5)
 */
#include "base/hot.h"
#include "judge/look.h"
#include "judge/state.h"
#include "wire/crc.h"

/* The row that says how long a header is. */
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

/* A CP's header has variants, and a tail for each ctl_type: one row. */
static enum req_id length_req(const struct header *h)
{
	for (size_t i = 0; i < sizeof(length_rows) / sizeof(length_rows[0]);
	     i++)
		if (length_rows[i].h == h)
			return length_rows[i].req;
	return REQ_UET_ENC_49;
}

/* The same, by the type of a packet that was read. */
static const enum req_id type_req[32] = {
	[PDS_RUD_REQ] = REQ_UET_ENC_36,    [PDS_ROD_REQ] = REQ_UET_ENC_36,
	[PDS_RUDI_REQ] = REQ_UET_ENC_50,   [PDS_RUDI_RESP] = REQ_UET_ENC_50,
	[PDS_UUD_REQ] = REQ_UET_ENC_51,    [PDS_ACK] = REQ_UET_ENC_39,
	[PDS_ACK_CC] = REQ_UET_ENC_40,     [PDS_ACK_CCX] = REQ_UET_ENC_43,
	[PDS_NACK] = REQ_UET_ENC_44,       [PDS_CP] = REQ_UET_ENC_49,
	[PDS_NACK_CCX] = REQ_UET_ENC_48,   [PDS_RUD_CC_REQ] = REQ_UET_ENC_38,
	[PDS_ROD_CC_REQ] = REQ_UET_ENC_38,
};

/* The sender's, where the row obliges both; else the row's own. */
static enum req_role role_for(const struct look *l, enum req_id req)
{
	const enum req_role role = req_get(req)->role;

	return role == REQ_BOTH ? look_chair(l) : role;
}

static bool fails(struct look *l, enum req_id req, bool met)
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

/* "IP, UDP or the 4-byte entropy header, [...] PDS header, SES header if any":
 * what a header names follows it, and is whole. */
static void ends_early(struct look *l)
{
	const struct packet *pkt = l->in->pkt;
	const struct header *h = pkt->fault_header;

	fails(l, is_ses(h) ? REQ_UET_ENC_01 : length_req(h), false);
	actual(l->j, "%zu bytes of %zu", pkt->len - pkt->payload, h->len);
	because(l->j, "The packet ends inside its %s header.", h->name);
}

/* Where no codepoints are known any packet that is short may be trimmed. */
static bool may_be_trimmed(const struct look *l)
{
	return l->trimmed ||
	       !(l->conf->dscp_trimmed || l->conf->dscp_trimmed_lasthop);
}

/* ---- Where a packet ends ---- */

/* Bytes of payload that the packet's headers tell of. */
struct told {
	bool known;
	size_t bytes;
	enum req_id req; /* the row that says so */
};

static struct told told_by_std(const struct look *l)
{
	struct told t = {.req = l->std.som ? REQ_UET_SES_08 : REQ_UET_SES_07};

	t.known = look_std_told(&l->std, l->ses, &t.bytes);
	return t;
}

static struct told told_by_request(const struct look *l)
{
	const uint8_t opcode = l->ses[0] & 0x3f;
	struct ses_small h; /* the medium one has the length there as well */

	if (opcode != SES_SEND && opcode != SES_WRITE &&
	    opcode != SES_TAGGED_SEND && opcode != SES_DATAGRAM_SEND)
		return (struct told){false, 0, REQ_NONE};
	if (l->next_hdr == PDS_NEXT_REQUEST_STD)
		return told_by_std(l);
	ses_small_get(&h, l->ses);
	return (struct told){true, h.request_length,
			     l->next_hdr == PDS_NEXT_REQUEST_SMALL
				     ? REQ_UET_SES_11
				     : REQ_UET_SES_12};
}

static struct told told_by_data(const struct look *l)
{
	struct ses_response_data_small tiny;
	struct ses_response_data data;

	if (l->next_hdr == PDS_NEXT_RESPONSE_DATA) {
		ses_response_data_get(&data, l->ses);
		return (struct told){true, data.payload_length, REQ_UET_SES_21};
	}
	ses_response_data_small_get(&tiny, l->ses);
	return (struct told){true, tiny.payload_length, REQ_UET_SES_22};
}

static struct told told(const struct look *l)
{
	if (!l->ses) /* nor any payload */
		return (struct told){true, 0, type_req[l->type]};
	if (l->next_hdr <= PDS_NEXT_REQUEST_STD)
		return told_by_request(l);
	if (l->next_hdr >= PDS_NEXT_RESPONSE_DATA)
		return told_by_data(l);
	return (struct told){true, 0, REQ_UET_SES_18};
}

/* "The CRC is present exactly if UET_Data_Protect is 1": 4 bytes that are no
 * payload look like one. */
static void uninvited_crc(struct look *l)
{
	if (!l->conf->no_crc)
		return;
	fails(l, REQ_UET_ENC_19, false);
	because(l->j, "4 bytes follow the payload, and no CRC is declared.");
}

/* "payload_length [...] tell the packet's slice", "request_length [...] the
 * length of the whole message"; what tells no length has no payload. */
static void ends_as_told(struct look *l)
{
	const size_t payload = l->len - l->in->pkt->payload;
	const struct told t = told(l);

	if (!t.known || (payload < t.bytes && may_be_trimmed(l)))
		return;
	if (payload == t.bytes + CRC_LEN && l->in->d->crc == DGRAM_CRC_NONE) {
		uninvited_crc(l);
		return;
	}
	if (!fails(l, t.req, payload == t.bytes))
		return;
	expected(l->j, "data %zu", t.bytes);
	actual(l->j, "data %zu", payload);
	because(l->j, "The packet does not end where its headers say.");
}

HOT bool look_ends_right(const struct look *l)
{
	const struct told t = told(l);

	return !t.known || l->len - l->in->pkt->payload == t.bytes;
}

bool look_lacks_crc(const struct look *l)
{
	const struct packet *pkt = l->in->pkt;
	const struct told t = told(l);

	return pkt->fault == PACKET_OK && t.known &&
	       l->len - pkt->payload == t.bytes;
}

/* The header was read, and what it names is there. */
static void shape(struct look *l)
{
	const enum packet_fault fault = l->in->pkt->fault;
	const enum req_role role = look_chair(l);

	shows(l, REQ_UET_ENC_28, role);
	shows(l, REQ_UET_ENC_29, role);
	if (l->in->cut || l->trimmed)
		return;
	if (fault == PACKET_SHORT) {
		if (!may_be_trimmed(l))
			ends_early(l);
		return;
	}
	shows(l, REQ_UET_ENC_01, role);
	shows(l, type_req[l->type], role);
	if (fault == PACKET_OK && l->in->d->crc != DGRAM_CRC_WRONG)
		ends_as_told(l);
}

/* ---- What cannot be read ---- */

/* "pds.type is 1 to 14; 0 and 15 to 31 are reserved and never sent." */
static void reserved_type(struct look *l)
{
	if (!fails(l, REQ_UET_ENC_29, l->type && l->type < 15))
		return;
	actual(l->j, "type=%u", l->type);
	because(l->j, "This pds.type is reserved and never sent.");
}

void rules_uet_unread(struct look *l)
{
	reserved_type(l);
	if (l->in->pkt->fault == PACKET_SHORT && !may_be_trimmed(l))
		ends_early(l);
}

#define ALL                                                      \
	(LOOK_REQ | LOOK_ACK | LOOK_NACK | LOOK_CP | LOOK_RUDI | \
	 LOOK_RUDI_RESP | LOOK_RUDI_NACK | LOOK_UUD | LOOK_GAPS)

const struct monitor rules_uet_shape[] = {
	{ALL, shape},
	{0, NULL},
};
