/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/destination/dst_rsp.h -- responses at a destination: taken
 * from the SES, sent in an ACK, stored if they are guaranteed, and cleared by
 * the source.
 *
 * Spec: UET 3.5.12, 3.5.20.1 (uet.md 7.1 to 7.4)
 */
#ifndef ORACLE_UET_PDC_DESTINATION_DST_RSP_H
#define ORACLE_UET_PDC_DESTINATION_DST_RSP_H

#include <stdint.h>

#include "oracle/uet/pdc/pdc_state.h"

/*
 * dst_respond takes the response of the SES to a PSN, given by its low 16 bits.
 *
 * Return: 0; ERR_NOMEM; ERR_STATE: the PSN is not waiting for a response.
 */
int dst_respond(struct pdc *pdc, uint16_t psn_low,
		const struct ses_tx_rsp *rsp);

/* dst_rx_clear processes a CLEAR_PSN. */
void dst_rx_clear(struct pdc *pdc, uint32_t clear_psn);

/*
 * dst_ask_clear sends a Clear Request for the oldest stored response, if it is
 * due, and again after |ask_clear_time|.
 */
void dst_ask_clear(struct pdc *pdc);

#endif
