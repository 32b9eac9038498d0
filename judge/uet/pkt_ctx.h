/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_ctx.h -- one packet of one flow, as the monitors see it.
 *
 * A monitor is a function that checks a packet before the packet updates the
 * flow, so that the state is what both ends knew until then.  It calls
 *
 *	if (holds(l, REQ_RUD_SVC_5, REQ_SRC, clear_psn <= psn))
 *              return;
 *	expected(l, "clear_psn=%" PRIu32, ...);
 *	actual(l, "clear_psn=%" PRIu32, ...);
 *	because(l, "The request clears ...");
 *
 * holds() counts the check, which a pass needs; the other calls fill in a
 * finding.
 */
#ifndef JUDGE_UET_PKT_CTX_H
#define JUDGE_UET_PKT_CTX_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/conf.h"
#include "judge/types.h"
#include "judge/uet/flow.h"
#include "judge/uet/nack_codes.h"
#include "judge/uet/pdcless/rudi.h"
#include "wire/frame/crc.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

/* Kinds of packets, as bits: a monitor names those that it checks. */
enum pkt_kind {
	PKT_REQ = 1,  /* RUD and ROD requests, with CC or without */
	PKT_ACK = 2,  /* ACK, ACK_CC, ACK_CCX */
	PKT_NACK = 4, /* NACK, NACK_CCX with nt = 0 */
	PKT_CP = 8,
	/* without a PDC */
	PKT_RUDI = 16, /* RUDI requests */
	PKT_RUDI_RESP = 32,
	PKT_RUDI_NACK = 64, /* NACKs with nt = 1 */
	PKT_UUD = 128,
	PKT_KINDS = 8,
};

/*
 * More bits: properties that a packet must have for a monitor to check it.  All
 * of them must hold; a row without any checks all packets of its kinds.
 */
enum pkt_case {
	/*
	 * The violation is visible in the packet and in the known state of its
	 * PSN, even if packets are missing.  Only such monitors check
	 * incomplete flows.
	 */
	PKT_GAPS = 1 << 8,
	PKT_COMPLETE = 1 << 9, /* added to each row without PKT_GAPS */
	PKT_HERE = 1 << 10, /* the judge captures at the link of its sender */
	/* the judge captures at the link of its receiver */
	PKT_THERE = 1 << 11,
	/* l->old is NULL: its PSN, or the PSN that it answers, has no state */
	PKT_NEW = 1 << 12,
	PKT_AGAIN = 1 << 13, /* l->old is not NULL */
	PKT_ROD = 1 << 14,   /* its PDC is ROD */
	PKT_SYN = 1 << 15,
	PKT_CC = 1 << 16,    /* it is an ACK_CC or ACK_CCX */
	PKT_DATA = 1 << 17,  /* next_hdr announces return data */
	PKT_CRC = 1 << 18,   /* the trailer was checked */
	PKT_ASIDE = 1 << 19, /* its sender is not judged; no row names it */
	PKT_CASES = PKT_COMPLETE | PKT_HERE | PKT_THERE | PKT_NEW | PKT_AGAIN |
		    PKT_ROD | PKT_SYN | PKT_CC | PKT_DATA | PKT_CRC,
};

/* The fields of a standard request header that rules need. */
struct pkt_std {
	uint64_t header_data; /* of the first packet of the message */
	uint32_t request_length;
	uint16_t message_id;
	uint8_t opcode;
	bool som, eom, hd;
};

/* pkt_std_get reads the fields from the header. */
static inline void pkt_std_get(struct pkt_std *ret, const uint8_t *ses)
{
	struct ses_std_som h;

	ses_std_som_get(&h, ses);
	*ret = (struct pkt_std){.header_data = h.header_data,
				.request_length = h.request_length,
				.message_id = h.message_id,
				.opcode = h.opcode,
				.som = h.som,
				.eom = h.eom,
				.hd = h.hd};
}

/*
 * pkt_std_told computes the payload length that the header implies.
 *
 * Return: false if it implies none (first packet of a multi-packet message).
 */
static inline bool pkt_std_told(const struct pkt_std *h, const uint8_t *ses,
				size_t *ret)
{
	struct ses_std rest;

	if (h->som) {
		*ret = h->request_length;
		return h->eom;
	}
	ses_std_get(&rest, ses);
	*ret = rest.payload_length;
	return true;
}

struct pkt_ctx {
	struct judge *j;
	const struct judge_conf *conf;
	struct flow *f;
	const struct judge_packet *in;
	const uint8_t *p;
	size_t len;
	vtime at;
	enum pkt_kind kind;
	enum pds_type type;
	enum req_role role;  /* the role in which its sender is judged */
	enum req_role chair; /* the role of |from| on the PDC */
	unsigned from;       /* the end that sent it */
	uint32_t (*seen)[2]; /* counters of that end */

	struct dir *own;  /* the PSN space in which its sender is the source */
	struct dir *peer; /* the PSN space that its sender acknowledges */

	union {                     /* state by kind of packet */
		struct pds_req req; /* dpdcid holds the overlay if syn = 1 */
		struct pds_cp cp;
		struct pds_ack ack; /* ack_psn_offset is no offset if p = 1 */
		struct pds_nack nack;
	};

	bool takes_psn; /* it is a request, or a CP that uses a PSN */
	bool retx, ar, syn;
	uint32_t psn; /* for packets without a PDC: pkt_id */
	bool m;       /* of an answer without a PDC */
	/* the request itself, or the request that it answers */
	struct judge_rudi_pkt *rudi;
	uint32_t clear; /* CLEAR_PSN of a request or Clear Command */
	bool has_clear;
	uint32_t start;   /* Start_PSN of a packet with syn = 1 */
	uint32_t payload; /* the payload field of a CP or NACK */
	struct psn_state
		*old; /* state of psn (requests, CPs), of ack_psn (ACKs), ... */
	bool reuses;  /* a SYN with the PDCID of an ended PDC */
	uint32_t reused_psn; /* the highest PSN of that PDC */
	bool out_of_window;  /* its PSN is too far away to have state */
	/* the NACK code that reports that a switch trimmed it, or 0 */
	uint8_t trimmed;
	bool mangled;  /* malformed or truncated: its bytes are not compared */
	bool net_dup;  /* looks like a copy that the network made */
	uint32_t hash; /* of SES header and payload, if takes_psn */

	bool has_ack_psn;
	uint32_t ack_psn;
	bool has_cc; /* mpr and SACK are present */
	uint8_t mpr;
	uint32_t sack_psn;
	uint64_t sack_bitmap;
	bool has_nscc;
	struct pds_nscc nscc;
	bool has_credit;
	struct pds_credit credit;

	uint8_t next_hdr;
	size_t ses_at;      /* offset of the SES header */
	const uint8_t *ses; /* NULL if it is missing or incomplete */
	struct pkt_std std; /* fields of a standard request */
};

/*
 * Returns true if the judge saw every packet of this flow, so that a packet
 * that it did not see was not sent.
 */
static inline bool seen_all(const struct pkt_ctx *l)
{
	return l->f->complete;
}

/*
 * at_link returns true if the judge saw the packets in the order and at the
 * times at which |end| sent and received them.
 */
static inline bool at_link(const struct pkt_ctx *l, unsigned end)
{
	return l->f->end[end].here;
}

/*
 * Returns true if |end| received every packet sent to it, and the judge saw
 * every packet that it sent.
 */
static inline bool knows_all(const struct pkt_ctx *l, unsigned end)
{
	return seen_all(l) && at_link(l, end);
}

/*
 * pkt_refuses_noop returns true if a NACK with UNEXP_EVENT refuses a correct
 * NOOP on a PDC that both sides know.
 */
static inline bool pkt_refuses_noop(const struct pkt_ctx *l)
{
	const struct dir_rare *r = l->peer->rare;

	return l->nack.nack_code == NACK_UNEXP_EVENT && r->noop_frame &&
	       r->noop_psn == l->psn && l->f->syn_done && !l->f->closing &&
	       !l->f->close_asked;
}

/*
 * pkt_goes_back returns true for a ROD packet that repeats a PSN out of order:
 * ROD goes back to it.
 */
static inline bool pkt_goes_back(const struct pkt_ctx *l)
{
	return l->old && !serial_after(l->psn, l->own->rare->rod.last);
}

/*
 * pkt_asked_for returns true if a NACK requested this packet although it had
 * arrived, because its data or its response is needed again.  Only this packet
 * is retransmitted.
 */
static inline bool pkt_asked_for(const struct pkt_ctx *l)
{
	return l->old && l->old->flags & PSN_NACKED &&
	       nack_received(l->old->nack_code);
}

/* "isrod is meaningful for NOOP and Negotiation only" */
static inline bool pkt_tells_mode(const struct pkt_ctx *l)
{
	return l->kind == PKT_REQ ||
	       (l->kind == PKT_CP && (l->cp.ctl_type == PDS_CP_NOOP ||
				      l->cp.ctl_type == PDS_CP_NEGOTIATION));
}

static inline bool pkt_is_rod(const struct pkt_ctx *l)
{
	if (l->kind == PKT_CP)
		return l->cp.isrod;
	return l->type == PDS_ROD_REQ || l->type == PDS_ROD_CC_REQ;
}

/*
 * pkt_other_mode returns true for a request of another mode than its PDC, and
 * for a control packet whose isrod is of another mode.  A receiver may refuse
 * or ignore it.
 */
static inline bool pkt_other_mode(const struct pkt_ctx *l)
{
	return l->f->mode_known && pkt_tells_mode(l) &&
	       pkt_is_rod(l) != l->f->rod;
}

/* pkt_role returns the role in which the sender of a packet is judged. */
static inline enum req_role pkt_role(const struct pkt_ctx *l)
{
	return l->role;
}

/*
 * pkt_chair returns the role of the sender on the PDC: the end that
 * acknowledges return data is still the initiator.  Rows on headers use it,
 * since they name neither the source nor the destination of a request.
 */
static inline enum req_role pkt_chair(const struct pkt_ctx *l)
{
	return l->chair;
}

/*
 * pkt_ses_clean returns true if the reserved bits are 0 in the first 12 bytes
 * of an SES request, which all its formats share.  The header must be present.
 */
static inline bool pkt_ses_clean(const uint8_t *ses, uint8_t next_hdr)
{
	return !(ses[0] >> 6 | ses[8] >> 4 | ses[10] >> 4) &&
	       (next_hdr == PDS_NEXT_REQUEST_STD || !(ses[2] >> 6));
}

/*
 * pkt_is_preliminary returns true for NO_RESPONSE, "received, semantic result
 * comes later": the PSN needs more state.
 */
static inline bool pkt_is_preliminary(const struct pkt_ctx *l)
{
	return l->ses && l->next_hdr == PDS_NEXT_RESPONSE &&
	       (l->ses[0] & 0x3f) == SES_NO_RESPONSE;
}

/*
 * pkt_tail_crc returns the CRC-32C of the bytes of a packet from |at| on, or of
 * those that are defined and of its length.
 */
static inline uint32_t pkt_tail_crc(const struct judge_packet *in, size_t at)
{
	const size_t len = in->pkt->len;
	const size_t end = in->defined && in->defined < len ? in->defined : len;

	if (in->tail_at && in->tail_at == at)
		return in->tail_crc;
	if (at >= end)
		return (uint32_t)len;
	return crc32c(end < len ? (uint32_t)len : 0, in->pkt->p + at, end - at);
}

#endif
