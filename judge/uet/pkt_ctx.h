/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_ctx.h -- one packet of one flow, as the monitors look at it.
 *
 * A monitor is a function that looks at a packet before the flow's state takes
 * it in, so that the state is what both ends had been told until then.  It asks
 *
 *	if (holds(l, REQ_RUD_SVC_5, REQ_SRC, clear_psn <= psn))
 *		return;
 *	expected(l, "clear_psn=%" PRIu32, ...);
 *	actual(l, "clear_psn=%" PRIu32, ...);
 *	because(l, "The request clears ...");
 *
 * and so shows that it looked, which a pass needs, and what it found.
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
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

/* Kinds of packets, bits: which of them a monitor looks at. */
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

/* More bits: what a packet must be for a monitor to look at it.  Each is a
 * condition more; a row without any is asked about all packets of its kinds. */
enum pkt_case {
	/*
	 * The violation is visible in the packet and in the known state of its
	 * PSN, even if packets are missing.  Only such monitors check
	 * incomplete flows.
	 */
	PKT_GAPS = 1 << 8,
	PKT_COMPLETE = 1 << 9, /* without PKT_GAPS: understood */
	PKT_HERE = 1 << 10,    /* the judge stands at the link of its sender */
	PKT_THERE = 1 << 11,   /* of its receiver */
	PKT_NEW = 1 << 12,   /* nothing is known of its PSN, or of the one that
				 it answers: l->old is NULL */
	PKT_AGAIN = 1 << 13, /* something is */
	PKT_ROD = 1 << 14,   /* its PDC is one */
	PKT_SYN = 1 << 15,
	PKT_CC = 1 << 16,   /* it is an ACK_CC or ACK_CCX */
	PKT_DATA = 1 << 17, /* next_hdr says return data */
	PKT_CRC = 1 << 18,  /* the trailer was checked */
	PKT_CASES = PKT_COMPLETE | PKT_HERE | PKT_THERE | PKT_NEW | PKT_AGAIN |
		    PKT_ROD | PKT_SYN | PKT_CC | PKT_DATA | PKT_CRC,
};

/* The fields of a standard request header that rules need. */
struct pkt_std {
	uint64_t header_data; /* of its first packet */
	uint32_t request_length;
	uint16_t message_id;
	uint8_t opcode;
	bool som, eom, hd;
};

/* pkt_std_get reads them. */
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
 * pkt_std_told gives the payload length that the header implies.
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
	enum req_role role;  /* in which its sender is judged */
	enum req_role chair; /* role of |from| on the PDC */
	unsigned from;       /* the end that sent it */
	uint32_t (*seen)[2]; /* counters of that end */

	struct dir *own;  /* the PSN space in which its sender is the source */
	struct dir *peer; /* the one that its sender acknowledges */

	union {                     /* state by kind of packet */
		struct pds_req req; /* dpdcid is the overlay if syn = 1 */
		struct pds_cp cp;
		struct pds_ack ack; /* ack_psn_offset is not one if p = 1 */
		struct pds_nack nack;
	};

	bool takes_psn; /* a request, or a CP that uses up a PSN */
	bool retx, ar, syn;
	uint32_t psn;                /* without a PDC: pkt_id */
	bool m;                      /* of an answer without a PDC */
	struct judge_rudi_pkt *rudi; /* the request that it is, or answers */
	uint32_t clear; /* CLEAR_PSN of a request or Clear Command */
	bool has_clear;
	uint32_t start;   /* Start_PSN of a packet with syn = 1 */
	uint32_t payload; /* of a CP or NACK */
	struct psn_state
		*old;        /* what is known of psn (req, cp), ack_psn, ... */
	bool reuses;         /* a SYN with the PDCID of an ended PDC */
	uint32_t reused_psn; /* the highest PSN of that PDC */
	bool out_of_window;  /* its PSN is too far away to be followed */
	uint8_t trimmed;     /* by a switch: the NACK that would say so, or 0 */
	bool mangled;        /* malformed or cut: bytes mean nothing */
	bool net_dup;        /* looks like a copy that the network made */
	uint32_t hash;       /* of SES header and payload, if takes_psn */

	bool has_ack_psn;
	uint32_t ack_psn;
	bool has_cc; /* mpr and SACK are there */
	uint8_t mpr;
	uint32_t sack_psn;
	uint64_t sack_bitmap;
	bool has_nscc;
	struct pds_nscc nscc;
	bool has_credit;
	struct pds_credit credit;

	uint8_t next_hdr;
	size_t ses_at;      /* offset of the SES header */
	const uint8_t *ses; /* NULL: it is missing or incomplete */
	struct pkt_std std; /* of a standard request */
};

/* Everything of this flow was seen: what was not seen was not sent. */
static inline bool seen_all(const struct pkt_ctx *l)
{
	return l->f->complete;
}

/*
 * at_link says whether the packets were seen in the order and at the times at
 * which |end| sent and received them.
 */
static inline bool at_link(const struct pkt_ctx *l, unsigned end)
{
	return l->f->end[end].here;
}

/*
 * Returns true if |end| received everything sent to it, and everything it sent
 * was seen.
 */
static inline bool knows_all(const struct pkt_ctx *l, unsigned end)
{
	return seen_all(l) && at_link(l, end);
}

/* pkt_refuses_noop: a NACK says UNEXP_EVENT of a NOOP that is as it should be
 * and stands on a PDC that both sides know. */
static inline bool pkt_refuses_noop(const struct pkt_ctx *l)
{
	const struct dir_rare *r = l->peer->rare;

	return l->nack.nack_code == NACK_UNEXP_EVENT && r->noop_frame &&
	       r->noop_psn == l->psn && l->f->syn_done && !l->f->closing &&
	       !l->f->close_asked;
}

/* pkt_goes_back: a repeat that is not the next in line; ROD goes back to it.
 */
static inline bool pkt_goes_back(const struct pkt_ctx *l)
{
	return l->old && !serial_after(l->psn, l->own->rare->rod.last);
}

/* pkt_asked_for: a NACK asks for this packet though it arrived: its data, or
 * its response, is wanted again.  It comes alone.
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
 * pkt_other_mode: a request that is not of its PDC's mode, or a control packet
 * whose isrod says so, which a receiver may refuse or pass over.
 */
static inline bool pkt_other_mode(const struct pkt_ctx *l)
{
	return l->f->mode_known && pkt_tells_mode(l) &&
	       pkt_is_rod(l) != l->f->rod;
}

/* pkt_role is the role in which the sender of a packet is judged. */
static inline enum req_role pkt_role(const struct pkt_ctx *l)
{
	return l->role;
}

/*
 * pkt_chair is the role that its sender has on the PDC: who acknowledges
 * return data is the initiator still.  It is for rows on headers, which name
 * neither the source nor the destination of a request.
 */
static inline enum req_role pkt_chair(const struct pkt_ctx *l)
{
	return l->chair;
}

/* pkt_ses_clean: the common first 12 bytes of an SES request, which is there,
 * have their reserved bits 0. */
static inline bool pkt_ses_clean(const uint8_t *ses, uint8_t next_hdr)
{
	return !(ses[0] >> 6 | ses[8] >> 4 | ses[10] >> 4) &&
	       (next_hdr == PDS_NEXT_REQUEST_STD || !(ses[2] >> 6));
}

/* pkt_is_preliminary: NO_RESPONSE, "received, semantic result comes later":
 * the PSN needs more state. */
static inline bool pkt_is_preliminary(const struct pkt_ctx *l)
{
	return l->ses && l->next_hdr == PDS_NEXT_RESPONSE &&
	       (l->ses[0] & 0x3f) == SES_NO_RESPONSE;
}

#endif
