/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/cc.h -- the congestion control fields that a PDC sends, and
 * its reactions to received ones.
 *
 * The receiving half counts new bytes and out-of-order packets, and measures
 * the service time of a packet.  The sending half counts what is in flight,
 * sends only within a window or the granted credit, takes RTT samples, infers
 * losses from SACK, and sends requests: for ACKs when the window is nearly
 * full, for credit, and a Probe for a round trip.  The policies in ../cc/ move
 * the window, grant the credit and choose paths, if the configuration says so.
 *
 * Spec: UET 3.5.10.4, 3.5.10.6, 3.6.9, 3.6.13 (uet.md 3.3, 3.5, 7.1, 8)
 */
#ifndef ORACLE_UET_PDC_CC_H
#define ORACLE_UET_PDC_CC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

/* cc_start initialises both halves of a PDC. */
void cc_start(struct pdc *pdc, uint32_t start_psn);

/* cc_mp_range converts an mpr to PSNs; 0: no limit given. */
uint32_t cc_mp_range(const struct pdc *pdc, uint8_t mpr);

/* ---- The receiving half ---- */

/* cc_nominal returns the nominal_pktsize of a datagram of |len| UET bytes. */
uint16_t cc_nominal(const struct pdc *pdc, size_t len);

/* cc_took counts the nominal size of a packet that the SES took. */
void cc_took(struct pdc *pdc, uint16_t nominal);

/*
 * cc_put_state writes the 8 bytes of ack_cc_state for a packet that arrived at
 * |arrived|; cc_type selects their format.
 */
void cc_put_state(const struct pdc *pdc, vtime arrived, uint8_t *p);
uint8_t cc_type(const struct pdc *pdc);

/*
 * cc_sack_base returns the first PSN of the SACK bitmap of an ACK for
 * |ack_psn|.
 */
uint32_t cc_sack_base(struct pdc *pdc, uint32_t ack_psn);

/* cc_rx_target grants the credit_target of a request, or plans the grants. */
void cc_rx_target(struct pdc *pdc, uint32_t credit_target);

/*
 * cc_rx_credit_request answers a Credit Request with a Credit; under RCCC when
 * the turn of the PDC has come.  If the source repeats its request before that,
 * the answer is the credit so far, so that the source does not give up.
 */
void cc_rx_credit_request(struct pdc *pdc, const struct pds_rx *rx);

/* ---- The sending half ---- */

/* cc_can_send returns true if one more packet may be sent. */
bool cc_can_send(const struct pdc *pdc);

/*
 * cc_is_waiting returns true under RCCC while a packet is in flight: a source
 * without credit may then wait for the answer.
 */
bool cc_is_waiting(const struct pdc *pdc);

/* cc_wants_ack returns true if the next request should request an ACK. */
bool cc_wants_ack(const struct pdc *pdc);

/* cc_is_credit returns true if requests have the CC section. */
bool cc_is_credit(const struct pdc *pdc);
size_t cc_put_req(const struct pdc *pdc, uint8_t *p);

/* cc_sent records a transmission of |len| UET bytes. */
void cc_sent(struct pdc *pdc, struct inflight_pkt *pkt, size_t len);

/*
 * cc_landed records that a packet is no longer in flight: it arrived or was
 * lost.
 */
void cc_landed(struct pdc *pdc, struct inflight_pkt *pkt);

/*
 * cc_rx_ack processes the congestion fields of an ACK, before the PDC completes
 * the packets that it acknowledges.
 */
void cc_rx_ack(struct pdc *pdc, const struct pds_ack_rx *ack);

/*
 * cc_acked tells the policy of the source about an ACK that took |bytes| out of
 * flight, before losses are inferred from it.
 */
void cc_acked(struct pdc *pdc, const struct pds_ack_rx *ack, uint32_t bytes);

/*
 * cc_lost tells the policy of the source about a lost packet, while that counts
 * as in flight.  |quick|: it was trimmed or timed out; else SACK showed it.
 */
void cc_lost(struct pdc *pdc, const struct inflight_pkt *pkt, bool quick);

/* cc_path chooses the path of a packet.  Return: its entropy value. */
uint16_t cc_path(struct pdc *pdc, struct inflight_pkt *pkt);

/*
 * cc_infer_loss retransmits packets that SACK shows to be missing, after the
 * ACK was processed.
 */
void cc_infer_loss(struct pdc *pdc, const struct pds_ack_rx *ack);

/* cc_rx_credit processes a Credit. */
void cc_rx_credit(struct pdc *pdc, const struct pds_rx *rx);

/*
 * cc_tick sends Probe, Credit Requests and the Credit of a turn; cc_deadline
 * returns when.
 *
 * Return: false if no credit was granted in time, so that the PDC has failed.
 */
bool cc_tick(struct pdc *pdc);
vtime cc_deadline(const struct pdc *pdc);

#endif
