/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/kind.c -- classifies a packet by its headers: an answer, a NACK, a
 * packet that requests an answer.
 */
#include "dissector/kind.h"

#include "dissector/seen.h"
#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"

static uint16_t kind_of_ack(const struct packet *pkt)
{
	struct pds_ack h;

	pds_ack_get(&h, pkt->p);
	if (h.req == PDS_REQ_CLEAR)
		return SEEN_ANSWER | SEEN_ASKS;
	return SEEN_ANSWER;
}

static uint16_t kind_of_cp(const struct packet *pkt)
{
	struct pds_cp h;

	pds_cp_get(&h, pkt->p);
	if (h.ar || h.syn)
		return SEEN_DUE;
	return 0;
}

/* Returns the kind of an answer: any that is not positive is a NACK. */
static uint16_t kind_of_syndrome(uint8_t syndrome)
{
	if (ib_is_nak(syndrome))
		return SEEN_ANSWER | SEEN_NACK;
	return SEEN_ANSWER;
}

static uint16_t kind_of_ib(const struct packet *pkt)
{
	struct srd_aeth srd;
	struct aeth aeth;
	struct bth h;

	if (pkt->fault != PACKET_OK)
		return 0;
	bth_get(&h, pkt->p);
	switch (h.opcode) {
	case IB_RC_ACK:
	case IB_RC_ATOMIC_ACK:
	case IB_WQE_ACK:
	case IB_WQE_RTX_IND:
		aeth_get(&aeth, pkt->p + bth_len);
		return kind_of_syndrome(aeth.syndrome);
	case IB_SRD_ACK:
		srd_aeth_get(&srd, pkt->p + bth_len + seth_len);
		return kind_of_syndrome(srd.syndrome);
	case IB_RC_READ_RESP_FIRST:
	case IB_RC_READ_RESP_MIDDLE:
	case IB_RC_READ_RESP_LAST:
	case IB_RC_READ_RESP_ONLY:
		return SEEN_ANSWER;
	case IB_RC_READ_REQ:
	case IB_RC_CMP_SWAP:
	case IB_RC_FETCH_ADD:
	case IB_SRD_SEND_ONLY:
	case IB_SRD_SEND_ONLY_IMM:
		return SEEN_DUE;
	default:
		if (h.ackreq)
			return SEEN_DUE;
		return 0;
	}
}

uint16_t kind_of(const struct packet *pkt)
{
	struct pds_req h;

	if (!pkt->nsec)
		return 0;
	if (pkt->format == &ib_format)
		return kind_of_ib(pkt);
	switch (pds_type_of(pkt->p)) {
	case PDS_ACK:
	case PDS_ACK_CC:
	case PDS_ACK_CCX:
		return kind_of_ack(pkt);
	case PDS_NACK:
	case PDS_NACK_CCX:
		return SEEN_ANSWER | SEEN_NACK;
	case PDS_CP:
		return kind_of_cp(pkt);
	case PDS_RUD_REQ:
	case PDS_ROD_REQ:
	case PDS_RUD_CC_REQ:
	case PDS_ROD_CC_REQ:
		pds_req_get(&h, pkt->p);
		if (h.ar || h.syn)
			return SEEN_DUE;
		return 0;
	default:
		return 0;
	}
}
