/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/source/pdc_src.h -- the half of a PDC that sends requests:
 * forward requests at the initiator, return data at the target.
 *
 * It gives each packet its PSN, keeps it until its response arrives, and
 * retransmits it after an RTO or a NACK.  Every request carries CLEAR_PSN, the
 * highest PSN such that the SES has the responses of all PSNs up to it.  A PSN
 * that only a SACK bit covers is not cleared: its response may be guaranteed
 * and still on the way; the RTO then requests the response with an ACK Request
 * instead of retransmitting the data.
 *
 * In RUD packets are independent.  In ROD the destination accepts packets only
 * in order, so that a loss is repaired by Go-Back-N: the first missing packet
 * and all later ones are retransmitted in order, before any new packet.  Only
 * the oldest packet waits for its RTO then.
 *
 * Spec: UET 3.5.11, 3.5.15, 3.5.16.3 (uet.md 6.6, 7.2, 7.3, 8)
 */
#ifndef ORACLE_UET_PDC_SOURCE_PDC_SRC_H
#define ORACLE_UET_PDC_SOURCE_PDC_SRC_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"
#include "wire/dgram.h"

/* src_init starts the PSN space: the first request is |start_psn|. */
void src_init(struct pdc *pdc, uint32_t start_psn);

/*
 * src_add takes a packet of the SES.
 *
 * Return: 0 and *ret_psn; ERR_NOMEM.
 */
int src_add(struct pdc *pdc, const struct ses_tx *tx, uint32_t *ret_psn);

/*
 * src_add_cp takes a control packet with a PSN.
 *
 * Return: 0 and *ret_psn; ERR_NOMEM.
 */
int src_add_cp(struct pdc *pdc, uint8_t ctl_type, uint32_t *ret_psn);

/*
 * src_add_negotiation takes a Negotiation, with the payload of 1.0.3 if
 * |features| is not 0.
 *
 * Return: 0; ERR_NOMEM.
 */
int src_add_negotiation(struct pdc *pdc, uint32_t features);

/* src_ready returns true if src_poll would send a packet. */
bool src_ready(const struct pdc *pdc);

/* src_poll writes the next packet.  Return: false if there is none. */
bool src_poll(struct pdc *pdc, struct dgram *ret);

/* src_tick does everything that is due.  Return: false if the PDC has ended. */
bool src_tick(struct pdc *pdc);

/* src_deadline returns when src_tick has work next. */
vtime src_deadline(const struct pdc *pdc);

#endif
