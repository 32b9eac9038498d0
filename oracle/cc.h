/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/cc.h -- what a PDC tells for congestion control, and what it does when
 * it is told.
 *
 * The algorithms are left out; the fields are not.  The receiving half counts
 * new bytes and what is out of order, and says how long a packet was with it.
 * The sending half keeps account of what is under way, sends only what a fixed
 * window or the credit granted allows, takes RTT samples, infers losses from
 * SACK, and asks: for ACKs when the window is nearly full, for credit, and by a
 * Probe for a round trip.
 *
 * Spec: UET 3.5.10.4, 3.5.10.6, 3.6.9, 3.6.13 (uet.md 3.3, 3.5, 7.1, 8)
 */
#ifndef ORACLE_CC_H
#define ORACLE_CC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"

struct pdc;
struct pds_rx;
struct pds_ack_rx;
struct inflight_pkt;

/* The receiving half's part. */
struct cc_dst {
	uint64_t rcvd_bytes; /* nominal sizes of the new packets */
	uint32_t credit;     /* granted in all, units modulo 2^24 */
	uint32_t sack_next;  /* ORC_SACK_STEP: where the next bitmap begins */
};

/* The sending half's part. */
struct cc_src {
	uint32_t inflight;   /* nominal bytes sent and not known to be there */
	uint32_t cwnd;       /* bytes; 0: as large as the window */
	uint32_t cwnd_saved; /* before the destination's penalties; 0: none */
	uint32_t rcvd_bytes; /* the last heard */
	uint32_t credit;     /* granted in all, units modulo 2^24 */
	uint32_t spent;      /* of it, likewise */
	vtime asked_at;      /* when to ask for credit (again) */
	bool heard;          /* an ACK or NACK has come */
	uint32_t asked;      /* for credit, since some came */
	bool probed;         /* the one Probe of this PDC was sent */
	bool probe_waits;    /* and is not answered */
	uint16_t probe_opaque;
	vtime probe_at; /* when it was sent */
};

/* cc_start begins a PDC: both halves. */
void cc_start(struct pdc *pdc, uint32_t start_psn);

/* cc_mp_range is what an mpr means in PSNs; 0: nothing. */
uint32_t cc_mp_range(const struct pdc *pdc, uint8_t mpr);

/* ---- The receiving half ---- */

/* cc_nominal is the nominal_pktsize of a datagram of |len| UET bytes. */
uint16_t cc_nominal(const struct pdc *pdc, size_t len);

/* cc_took notes a packet that the SES took: its nominal size. */
void cc_took(struct pdc *pdc, uint16_t nominal);

/*
 * cc_put_state writes the 8 bytes of ack_cc_state for a packet that arrived at
 * |arrived|; cc_type says of which kind they are.
 */
void cc_put_state(const struct pdc *pdc, vtime arrived, uint8_t *p);
uint8_t cc_type(const struct pdc *pdc);

/* cc_sack_base is where the SACK bitmap of an ACK for |ack_psn| begins. */
uint32_t cc_sack_base(struct pdc *pdc, uint32_t ack_psn);

/* cc_rx_target takes the credit_target of a request: it is granted. */
void cc_rx_target(struct pdc *pdc, uint32_t credit_target);

/* cc_rx_credit_request answers one, by a Credit. */
void cc_rx_credit_request(struct pdc *pdc, const struct pds_rx *rx);

/* ---- The sending half ---- */

/* cc_can_send says whether one more packet may go. */
bool cc_can_send(const struct pdc *pdc);

/* cc_wants_ack says whether the next request should ask for an ACK. */
bool cc_wants_ack(const struct pdc *pdc);

/* cc_is_credit says whether requests have the CC section; |p| takes it. */
bool cc_is_credit(const struct pdc *pdc);
size_t cc_put_req(const struct pdc *pdc, uint8_t *p);

/* cc_sent notes a transmission of |len| UET bytes. */
void cc_sent(struct pdc *pdc, struct inflight_pkt *pkt, size_t len);

/* cc_landed: the packet is no longer under way, here or lost. */
void cc_landed(struct pdc *pdc, struct inflight_pkt *pkt);

/* cc_rx_ack takes the congestion fields, before the packets are settled. */
void cc_rx_ack(struct pdc *pdc, const struct pds_ack_rx *ack);

/*
 * cc_infer_loss sends again what SACK shows to be missing, after the ACK was
 * taken.
 */
void cc_infer_loss(struct pdc *pdc, const struct pds_ack_rx *ack);

/* cc_rx_credit takes a Credit. */
void cc_rx_credit(struct pdc *pdc, const struct pds_rx *rx);

/*
 * cc_tick and cc_deadline: Probe and Credit Requests.
 * Return: false if nobody grants credit any more; the PDC has failed.
 */
bool cc_tick(struct pdc *pdc);
vtime cc_deadline(const struct pdc *pdc);

#endif
