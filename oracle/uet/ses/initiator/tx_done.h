/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_done.h -- turns responses, read data and errors
 * into completions.
 */
#ifndef ORACLE_UET_SES_INITIATOR_TX_DONE_H
#define ORACLE_UET_SES_INITIATOR_TX_DONE_H

#include <stdint.h>

#include "oracle/uet/ses/ses_state.h"

/* These are pds_ses_rx_rsp, pds_ses_rx_ret and pds_ses_error of the SES. */
void tx_take_response(struct ses *ses, const struct ses_rx_rsp *rx);
void tx_take_return(struct ses *ses, const struct ses_rx *rx);
void tx_fail_packet(struct ses *ses, uint32_t tx_pkt_handle,
		    struct pds_error err);

/* tx_pdc_closed ends or retries the messages on a PDC that has ended. */
void tx_pdc_closed(struct ses *ses, uint32_t fep, uint16_t pdcid,
		   struct pds_error err);

#endif
