/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/fast_pkt.h -- a packet, as the conditions of judge/fast see it.
 */
#ifndef JUDGE_FAST_FAST_PKT_H
#define JUDGE_FAST_FAST_PKT_H

#include "judge/uet/flow.h"
#include "judge/uet/pkt_ctx.h"

/* ooo_count: any value, 0, the packets above a gap, or a wrong value. */
enum link_order { LINK_ANY_COUNT, LINK_IN_ORDER, LINK_GAP, LINK_WRONG };

struct predicted;

/* A packet, as the conditions see it. */
struct fast_pkt {
	const struct judge_conf *conf;
	const struct judge_packet *in;
	const struct pkt_ctx *l; /* NULL on the fast path */
	const uint8_t *p, *ses;  /* the PDS header, and the SES header */
	/* bytes from |p| to the end, and after the headers */
	size_t len, payload;
	uint8_t next_hdr;
	bool retx, syn;
	bool again;      /* of a request: its PSN is remembered */
	uint8_t ack_req; /* of an ACK: flags.req */
	size_t pds_len;  /* of an ACK: bytes of its PDS header */
	/* of an ACK: it has a CC section, with that state */
	bool has_cc, has_nscc, has_credit;
	uint8_t mpr; /* of an ACK with a CC section */
	uint32_t sack_psn;
	uint64_t sack_bitmap;
	struct pds_nscc nscc; /* of an ACK with that state, or zeroes */
	bool m_flag;          /* of an ACK: flags.m */
	/* the PDCID in the packet that is not in the key of the flow */
	uint16_t pdcid;
	uint32_t psn;   /* of a request or control packet */
	uint32_t clear; /* of a request: CLEAR_PSN */
	/* of an ACK: CACK_PSN, and the PSN that it answers */
	uint32_t cack, ack_psn;
	struct pkt_std std; /* of a standard request */
	struct flow *f;
	bool whole;    /* the judge saw every PSN since the start */
	unsigned from; /* the end that sent the packet */
	unsigned end;  /* the end in whose PSN space the PSN is */
	struct dir *d; /* the direction of that end */
	/* the judge is at the link of the sender, or of the receiver */
	bool here, there;
	/* of an ACK at its sender's link: what ooo_count must be */
	enum link_order order;
	/* of a request: its slot; of an ACK: the PSN it answers */
	struct psn_state *s;
	/* of a request on the fast path: the slot of its message, or NULL */
	struct message *m;
	/* on the fast path: the prediction of the key, or NULL */
	struct predicted *u;
};

#endif
