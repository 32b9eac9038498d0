/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_shape.c -- computes the length of a packet from its headers.
 */
#include "judge/uet/pkt_shape.h"

#include "base/hot.h"

static struct pkt_told told_by_std(const struct pkt_ctx *l)
{
	struct pkt_told t = {.req = l->std.som ? REQ_UET_SES_08
					       : REQ_UET_SES_07};

	t.known = pkt_std_told(&l->std, l->ses, &t.bytes);
	return t;
}

static struct pkt_told told_by_request(const struct pkt_ctx *l)
{
	const uint8_t opcode = l->ses[0] & 0x3f;
	/* the medium header has the length in the same place */
	struct ses_small h;

	if (opcode != SES_SEND && opcode != SES_WRITE &&
	    opcode != SES_TAGGED_SEND && opcode != SES_DATAGRAM_SEND)
		return (struct pkt_told){false, 0, REQ_NONE};
	if (l->next_hdr == PDS_NEXT_REQUEST_STD)
		return told_by_std(l);
	ses_small_get(&h, l->ses);
	return (struct pkt_told){true, h.request_length,
				 l->next_hdr == PDS_NEXT_REQUEST_SMALL
					 ? REQ_UET_SES_11
					 : REQ_UET_SES_12};
}

static struct pkt_told told_by_data(const struct pkt_ctx *l)
{
	struct ses_response_data_small tiny;
	struct ses_response_data data;

	if (l->next_hdr == PDS_NEXT_RESPONSE_DATA) {
		ses_response_data_get(&data, l->ses);
		return (struct pkt_told){true, data.payload_length,
					 REQ_UET_SES_21};
	}
	ses_response_data_small_get(&tiny, l->ses);
	return (struct pkt_told){true, tiny.payload_length, REQ_UET_SES_22};
}

HOT struct pkt_told pkt_told(const struct pkt_ctx *l)
{
	if (!l->ses) /* without an SES header there is no payload */
		return (struct pkt_told){true, 0, REQ_NONE};
	if (l->next_hdr <= PDS_NEXT_REQUEST_STD)
		return told_by_request(l);
	if (l->next_hdr >= PDS_NEXT_RESPONSE_DATA)
		return told_by_data(l);
	return (struct pkt_told){true, 0, REQ_UET_SES_18};
}

HOT bool pkt_ends_right(const struct pkt_ctx *l)
{
	const struct pkt_told t = pkt_told(l);

	return !t.known || l->len - l->in->pkt->payload == t.bytes;
}

bool pkt_lacks_crc(const struct pkt_ctx *l)
{
	const struct packet *pkt = l->in->pkt;
	const struct pkt_told t = pkt_told(l);

	return pkt->fault == PACKET_OK && t.known &&
	       l->len - pkt->payload == t.bytes;
}
