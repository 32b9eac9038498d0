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
#include "suite/verdict/blame.h"
#include "suite/verdict/record.h"
#include "wire/ib/ib.h"
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

static void content_uet_request(const struct packet *pkt,
				struct content_pkt *ret)
{
	ret->kind = CONTENT_REQUEST;
	ret->opcode = (uint8_t)packet_number(pkt, "opcode");
	ret->som = packet_number(pkt, "som");
	ret->eom = packet_number(pkt, "eom");
	ret->message_id = (uint32_t)packet_number(pkt, "message_id");
	ret->key = packet_number(pkt, "match_bits");
	ret->offset = packet_number(pkt, "buffer_offset");
	ret->total = (uint32_t)packet_number(pkt, "request_length");
	ret->at_byte = (uint32_t)packet_number(pkt, "message_offset");
	ret->span = ret->len;
	ret->rendezvous = packet_value(pkt, "eager_length", &(uint64_t){0});
	ret->eager = (uint32_t)packet_number(pkt, "eager_length");
	ret->read_key = packet_number(pkt, "read_memory_key");
	ret->read_offset = packet_number(pkt, "read_offset");
	if (ret->opcode == SES_READ)
		ret->len = 0;
	if (ret->opcode != SES_ATOMIC && ret->opcode != SES_FETCHING_ATOMIC)
		return;
	ret->span = ret->total;
	ret->amo.opcode = (uint8_t)packet_number(pkt, "amo_opcode");
	ret->amo.datatype = (uint8_t)packet_number(pkt, "datatype");
	ret->amo.compare = packet_number(pkt, "compare_value_lo");
	ret->amo.swap = packet_number(pkt, "swap_value_lo");
}

static void content_uet_data(const struct packet *pkt, struct content_pkt *ret)
{
	ret->kind = CONTENT_DATA;
	ret->by_psn = packet_value(pkt, "original_request_psn", &(uint64_t){0});
	ret->read_psn = (uint32_t)packet_number(pkt, "original_request_psn");
	ret->message_id =
		(uint32_t)packet_number(pkt, "read_request_message_id");
	ret->at_byte = (uint32_t)packet_number(pkt, "message_offset");
}

static bool content_uet(const struct packet *pkt, struct content_pkt *ret)
{
	const char *class = blame_class(ret->word);
	const struct header *ses =
		pkt->nses < pkt->nsec ? pkt->sec[pkt->nses].h : NULL;
	uint64_t v;

	ret->loose =
		strncmp(class, "rudi", 4) == 0 || strcmp(class, "uud_req") == 0;
	if (packet_value(pkt, "psn", &v) || packet_value(pkt, "pkt_id", &v) ||
	    packet_value(pkt, "ack_psn", &v))
		ret->psn = (uint32_t)v;
	if (strcmp(class, "ack") == 0) {
		ret->kind = CONTENT_ANSWER;
		ret->covers = packet_value(pkt, "cack_psn", &v);
		ret->cack = (uint32_t)v;
	} else if (strcmp(class, "rudi_resp") == 0) {
		ret->kind = CONTENT_ANSWER;
	} else if (!ret->loose && strcmp(class, "req") != 0) {
		return false;
	}
	if (!ses)
		return ret->kind == CONTENT_ANSWER;
	if (packet_value(pkt, "return_code", &v)) {
		ret->has_code = true;
		ret->code = (uint8_t)v;
	}
	if (strncmp(ses->name, "response_data", 13) == 0)
		content_uet_data(pkt, ret);
	else if (ret->kind != CONTENT_ANSWER)
		content_uet_request(pkt, ret);
	/* a datagram is a send; others are dropped (uet.md 7.8) */
	return strcmp(class, "uud_req") != 0 ||
	       ret->opcode == SES_DATAGRAM_SEND;
}

static bool content_ib(const struct packet *pkt, struct content_pkt *ret)
{
	const uint8_t code = (uint8_t)packet_number(pkt, "opcode");
	const uint8_t op = code & 0x1f;
	const bool srd = ib_class_of(code) == IB_CLASS_SRD;
	uint64_t v;

	ret->psn = (uint32_t)packet_number(pkt, "psn");
	ret->message_id = (uint32_t)packet_number(pkt, "wqe_sn") + 1;
	ret->at_byte = (uint32_t)packet_number(pkt, "wqe_offset");
	ret->total = (uint32_t)packet_number(pkt, "wqe_length");
	ret->som = srd || ib_begins(code);
	ret->eom = srd || ib_ends(code);
	ret->key = packet_number(pkt, "rkey");
	ret->offset = packet_number(pkt, "va");
	if (packet_value(pkt, "dmalen", &v))
		ret->total = (uint32_t)v;
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
	struct packet pkt;

	if (!rec->frame || !content_is_whole(c->r, rec))
		return false;
	record_packet(c->r->rec, rec, &pkt);
	if (pkt.fault != PACKET_OK)
		return false;
	*ret = (struct content_pkt){
		.index = index,
		.at = rec->at,
		.to_dut = rec->kind == REC_TX,
		.word = packet_word(&pkt),
		.pdc = rec->pdc,
		.body = rec->data + pkt.payload,
		.len = pkt.len - pkt.payload - packet_pad(&pkt),
	};
	if (suite_families[c->r->rec->family]->has_pdcs)
		return content_uet(&pkt, ret);
	return content_ib(&pkt, ret);
}
