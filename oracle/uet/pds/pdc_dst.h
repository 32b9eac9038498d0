/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pdc_dst.h -- the half of a PDC that receives requests: forward
 * requests at the target, return data at the initiator.
 *
 * It delivers each packet to the SES exactly once, as it arrives, and
 * acknowledges with the response of the SES.  A guaranteed response is stored
 * and answers duplicates until the source clears it; it holds CACK_PSN back.
 * In all other cases a duplicate gets a default response that the PDS makes
 * itself.
 *
 * In ROD it accepts only packets in order and drops the others; its ACKs leave
 * in the order of the packets, in any order of the SES's answers.
 *
 * Spec: UET 3.5.12, 3.5.13, 3.5.20.1 (uet.md 7.1 to 7.4)
 */
#ifndef ORACLE_UET_PDS_PDC_DST_H
#define ORACLE_UET_PDS_PDC_DST_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/core/rcvd.h"
#include "oracle/uet/pds/cc.h"
#include "oracle/uet/ses/pds_ses.h"
#include "oracle/uet/ses/ses_hdr.h"
#include "wire/dgram.h"

struct pdc;

/* A received request, or a control packet with a PSN, decoded. */
struct pds_rx {
	const struct ip_addr *src; /* lent, like |ses| */
	uint16_t entropy;
	uint8_t native;
	bool ce;    /* ECN says congestion experienced */
	size_t len; /* length without the CRC */
	uint8_t type;
	uint8_t next_hdr; /* next_hdr of a request; NONE: a control packet */
	uint8_t ctl_type;
	bool rod;
	bool retx, ar, syn;
	uint32_t psn;
	uint32_t clear_psn; /* CLEAR_PSN of a request */
	uint16_t spdcid, dpdcid;
	uint16_t psn_offset; /* psn_offset of a SYN */
	uint16_t probe_opaque;
	uint32_t payload; /* payload of a control packet */
	uint8_t trimmed;  /* NACK code of a trimmed packet; 0: not trimmed */
	bool has_target;  /* a CC section set |credit_target| */
	uint32_t credit_target;
	const uint8_t *ses; /* SES header and payload of a request */
	size_t ses_len;
};

enum dst_state {
	DST_WITH_SES, /* the SES has not answered yet */
	DST_IN_LINE,  /* ROD: answered; waits for earlier answers */
	DST_STORED,   /* answered; the response is guaranteed and stored */
	DST_SETTLED,  /* answered; nothing is stored */
};

/* A received PSN above CACK_PSN. */
struct dst_pkt {
	vtime arrived;
	uint8_t *rsp; /* stored response; owned by the slot */
	size_t rsp_cap;
	uint16_t rsp_len;
	uint8_t rsp_hdr; /* next_hdr of the response */
	bool rsp_gtd;    /* in line: the response is guaranteed */
	bool rsp_again;  /* stored without its data: the read can run again */
	uint8_t state;   /* enum dst_state */
	bool cp;         /* a control packet: no SES header in the ACK */
	bool retx, m;    /* fields that the ACK echoes */
	bool at_once;    /* the ACK is sent at once */
	uint8_t native;
	uint16_t entropy;
	uint16_t len;     /* PDS payload, bytes */
	uint16_t nominal; /* nominal size (cc.h); 0: a control packet */
	struct ses_ids ids;
};

struct dst_ring {
	struct mem_block block;
	size_t cap;           /* a power of two */
	struct dst_pkt pkt[]; /* indexed by PSN */
};

struct pdc_dst {
	struct rcvd rcvd;
	struct dst_ring *ring; /* NULL: nothing is received beyond CACK_PSN */
	uint32_t expected_psn; /* ROD: the next PSN in order */
	uint32_t answer_psn;   /* ROD: the next PSN to answer */
	bool ooo_told;         /* ROD: a NACK was sent for this gap */
	bool took_cp;       /* the last control packet with a PSN is |cp_psn| */
	uint32_t cp_psn;    /* PSN of that packet */
	uint32_t nwith_ses; /* requests that the SES has not answered */
	uint32_t inferred;  /* the highest PSN inferred to be lost */
	uint32_t nstored;   /* stored guaranteed responses */
	uint32_t clear_psn; /* the highest CLEAR_PSN received */
	uint32_t ack_gen_count; /* bytes since the last ACK */
	uint32_t unacked;       /* packets since the last ACK */
	struct cc_dst cc;
};

/* dst_init starts the PSN space. */
void dst_init(struct pdc *pdc, uint32_t start_psn);

void dst_free(struct pdc_dst *dst);

/* dst_drain frees unused rings. */
void dst_drain(struct mem *m);

/* dst_rest returns the memory that is only needed beyond CACK_PSN. */
void dst_rest(struct pdc *pdc);

/* dst_rx processes a request or control packet of this PDC. */
void dst_rx(struct pdc *pdc, const struct pds_rx *rx);

/* dst_rx_clear processes a CLEAR_PSN. */
void dst_rx_clear(struct pdc *pdc, uint32_t clear_psn);

/* dst_rx_ack_request and dst_rx_probe answer those control packets. */
void dst_rx_ack_request(struct pdc *pdc, const struct pds_rx *rx);
void dst_rx_probe(struct pdc *pdc, const struct pds_rx *rx);

/*
 * dst_respond takes the response of the SES to a PSN, given by its low 16 bits.
 *
 * Return: 0; ERR_NOMEM; ERR_STATE: the PSN is not waiting for a response.
 */
int dst_respond(struct pdc *pdc, uint16_t psn_low,
		const struct ses_tx_rsp *rsp);

#endif
