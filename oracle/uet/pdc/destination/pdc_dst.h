/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/destination/pdc_dst.h -- the half of a PDC that receives
 * requests: forward requests at the target, return data at the initiator.
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
#ifndef ORACLE_UET_PDC_DESTINATION_PDC_DST_H
#define ORACLE_UET_PDC_DESTINATION_PDC_DST_H

#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

/* dst_init starts the PSN space. */
void dst_init(struct pdc *pdc, uint32_t start_psn);

/* dst_rx processes a request or control packet of this PDC. */
void dst_rx(struct pdc *pdc, const struct pds_rx *rx);

/* dst_rx_pkt_handle returns the handle of a received packet. */
uint32_t dst_rx_pkt_handle(const struct pdc *pdc, uint32_t psn);

/* dst_rx_ack_request answers an ACK Request. */
void dst_rx_ack_request(struct pdc *pdc, const struct pds_rx *rx);

#endif
