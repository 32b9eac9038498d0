/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_parse.c -- parses the operation of a recorded
 * packet into one form for all families.
 *
 * Spec: UET 3.4.2 (uet.md 5); srd_wqe.md A.4, B.4
 */
#include "suite/run/content/content_parse.h"

#include <string.h>

#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "wire/ib/ib.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

/* Returns true for a packet that reaches the device unchanged. */
static bool content_is_whole(const struct runner *r, const struct rec *rec)
{
	const bool crc = r->dut->link.crc;

	if (rec->kind != REC_TX && rec->kind != REC_RX)
		return false;
	if (rec->len != rec->whole || rec->fate == FATE_DROPPED)
		return false;
	if (rec->dscp == r->decl->dscp_trimmed ||
	    rec->dscp == r->decl->dscp_trimmed_lasthop)
		return false;
	return rec->kind == REC_RX ||
	       rec->crc == (crc ? DGRAM_CRC_RIGHT : DGRAM_CRC_NONE);
}

static void content_uet_request(const struct packet_known *c,
				struct content_pkt *ret)
{
	ret->kind = CONTENT_REQUEST;
	ret->opcode = (uint8_t)c->v[KNOWN_opcode];
	ret->som = c->v[KNOWN_som];
	ret->eom = c->v[KNOWN_eom];
	ret->message_id = (uint32_t)c->v[KNOWN_message_id];
	ret->key = c->v[KNOWN_match_bits];
	ret->offset = c->v[KNOWN_buffer_offset];
	ret->total = (uint32_t)c->v[KNOWN_request_length];
	ret->at_byte = (uint32_t)c->v[KNOWN_message_offset];
	ret->span = ret->len;
	ret->rendezvous = packet_knows(c, KNOWN_eager_length);
	ret->eager = (uint32_t)c->v[KNOWN_eager_length];
	ret->read_key = c->v[KNOWN_read_memory_key];
	ret->read_offset = c->v[KNOWN_read_offset];
	if (ret->opcode == SES_READ)
		ret->len = 0;
	if (ret->opcode != SES_ATOMIC && ret->opcode != SES_FETCHING_ATOMIC)
		return;
	ret->span = ret->total;
	ret->amo.opcode = (uint8_t)c->v[KNOWN_amo_opcode];
	ret->amo.datatype = (uint8_t)c->v[KNOWN_datatype];
	ret->amo.compare = c->v[KNOWN_compare_value_lo];
	ret->amo.swap = c->v[KNOWN_swap_value_lo];
}

static void content_uet_data(const struct packet_known *c,
			     struct content_pkt *ret)
{
	ret->kind = CONTENT_DATA;
	ret->by_psn = packet_knows(c, KNOWN_original_request_psn);
	ret->read_psn = (uint32_t)c->v[KNOWN_original_request_psn];
	ret->message_id = (uint32_t)c->v[KNOWN_read_request_message_id];
	ret->at_byte = (uint32_t)c->v[KNOWN_message_offset];
}

/* Returns the number of a packet; an answer has that of its request. */
static uint32_t content_uet_number(const struct packet_known *c)
{
	if (packet_knows(c, KNOWN_psn))
		return (uint32_t)c->v[KNOWN_psn];
	if (packet_knows(c, KNOWN_pkt_id))
		return (uint32_t)c->v[KNOWN_pkt_id];
	return (uint32_t)c->v[KNOWN_ack_psn];
}

/* Returns false for a packet that moves and answers no message. */
static bool content_uet_kind(enum pds_type type, const struct packet_known *c,
			     struct content_pkt *ret)
{
	switch (type) {
	case PDS_ACK:
	case PDS_ACK_CC:
	case PDS_ACK_CCX:
		ret->kind = CONTENT_ANSWER;
		ret->covers = packet_knows(c, KNOWN_cack_psn);
		ret->cack = (uint32_t)c->v[KNOWN_cack_psn];
		return true;
	case PDS_RUDI_RESP:
		ret->kind = CONTENT_ANSWER;
		ret->loose = true;
		return true;
	case PDS_RUDI_REQ:
	case PDS_UUD_REQ:
		ret->loose = true;
		return true;
	default:
		return pds_is_request(type);
	}
}

static bool content_uet(const struct packet *pkt, const struct packet_known *c,
			struct content_pkt *ret)
{
	const enum pds_type type = pds_type_of(pkt->p);
	const struct header *ses =
		pkt->nses < pkt->nsec ? pkt->sec[pkt->nses].h : NULL;

	ret->psn = content_uet_number(c);
	if (!content_uet_kind(type, c, ret))
		return false;
	if (!ses)
		return ret->kind == CONTENT_ANSWER;
	ret->has_code = packet_knows(c, KNOWN_return_code);
	ret->code = (uint8_t)c->v[KNOWN_return_code];
	if (strncmp(ses->name, "response_data", 13) == 0)
		content_uet_data(c, ret);
	else if (ret->kind != CONTENT_ANSWER)
		content_uet_request(c, ret);
	/* a datagram is a send; others are dropped (uet.md 7.8) */
	return type != PDS_UUD_REQ || ret->opcode == SES_DATAGRAM_SEND;
}

static bool content_ib(const struct packet_known *c, struct content_pkt *ret)
{
	const uint8_t code = (uint8_t)c->v[KNOWN_opcode];
	const uint8_t op = code & 0x1f;
	const bool srd = ib_class_of(code) == IB_CLASS_SRD;

	ret->psn = (uint32_t)c->v[KNOWN_psn];
	ret->message_id = (uint32_t)c->v[KNOWN_wqe_sn] + 1;
	ret->at_byte = (uint32_t)c->v[KNOWN_wqe_offset];
	ret->total = (uint32_t)c->v[KNOWN_wqe_length];
	ret->som = srd || ib_begins(code);
	ret->eom = srd || ib_ends(code);
	ret->key = c->v[KNOWN_rkey];
	ret->offset = c->v[KNOWN_va];
	if (packet_knows(c, KNOWN_dmalen))
		ret->total = (uint32_t)c->v[KNOWN_dmalen];
	if (srd && strncmp(ret->word, "srd_send", 8) != 0)
		return false;
	if (srd || op <= IB_RC_SEND_ONLY_IMM)
		ret->opcode = SES_SEND;
	else if (op <= IB_RC_WRITE_ONLY_IMM)
		ret->opcode = SES_WRITE;
	else if (op == IB_RC_READ_REQ)
		ret->opcode = SES_READ;
	else if (ib_is_read_data(op))
		ret->kind = CONTENT_DATA;
	else
		return false;
	if (ret->kind == CONTENT_OTHER)
		ret->kind = CONTENT_REQUEST;
	return true;
}

bool content_parse(const struct content *c, size_t index,
		   struct content_pkt *ret)
{
	const struct rec *rec = &c->r->rec->recs[index];
	const struct packet *pkt;
	struct packet own;

	if (!rec->frame || !content_is_whole(c->r, rec))
		return false;
	pkt = record_packet_of(c->r->rec, rec, &own);
	if (pkt->fault != PACKET_OK || !pkt->known)
		return false;
	*ret = (struct content_pkt){
		.index = index,
		.at = rec->at,
		.to_dut = rec->kind == REC_TX,
		.word = packet_word(pkt),
		.pdc = rec->pdc,
		.body = rec->data + pkt->payload,
		.len = pkt->len - pkt->payload - packet_pad(pkt),
	};
	if (suite_families[c->r->rec->family]->has_pdcs)
		return content_uet(pkt, pkt->known, ret);
	return content_ib(pkt->known, ret);
}
