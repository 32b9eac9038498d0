/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/source/src_repair.h -- how a source repairs a loss: its RTO
 * expires, or a NACK requests a packet.
 *
 * Spec: UET 3.5.12.7, 3.5.15 (uet.md 4, 7.6, 8)
 */
#ifndef ORACLE_UET_PDC_SOURCE_SRC_REPAIR_H
#define ORACLE_UET_PDC_SOURCE_SRC_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

/* src_await starts the RTO of a packet after |rto_count| time-outs. */
void src_await(struct pdc *pdc, uint32_t psn, unsigned rto_count);

/*
 * src_watch starts the RTO of a packet that was sent.  In ROD only the oldest
 * packet waits for its RTO; src_watch_oldest starts that one.
 */
void src_watch(struct pdc *pdc, uint32_t psn);
void src_watch_oldest(struct pdc *pdc);

/* src_ask_ack sends an ACK Request for a PSN of this direction. */
void src_ask_ack(struct pdc *pdc, uint32_t psn);

/* src_rx_nack processes a NACK of this direction. */
void src_rx_nack(struct pdc *pdc, const struct pds_nack *nack);

/*
 * src_tick_packet processes a packet that is due: its RTO expired, or it has
 * waited for NACK_Retx_Time.  Return: false if the PDC has ended.
 */
bool src_tick_packet(struct pdc *pdc, uint32_t psn);

#endif
