/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_request.h -- the SES of a target.
 */
#ifndef ORACLE_UET_SES_TARGET_RX_REQUEST_H
#define ORACLE_UET_SES_TARGET_RX_REQUEST_H

#include <stdint.h>

#include "oracle/uet/ses/ses_state.h"

/* rx_init starts the target's side without messages. */
void rx_init(struct ses *ses);

/*
 * rx_policy and rx_raw_response execute OP_SES_POLICY and OP_SES_PDS_TX_RSP;
 * the errors are those of orc_api.post.
 */
int rx_policy(struct ses *ses, const struct orc_op *op);
int rx_raw_response(struct ses *ses, const struct orc_op *op);

/* rx_fail_packet is pds_ses_error by rx_pkt_handle. */
void rx_fail_packet(struct ses *ses, uint32_t rx_pkt_handle, uint16_t pdcid,
		    struct pds_error err);

/* rx_take_request is pds_ses_rx_req of the SES. */
void rx_take_request(struct ses *ses, const struct ses_rx *rx);

/* rx_pdc_closed forgets what it received on a PDC that has ended. */
void rx_pdc_closed(struct ses *ses, uint16_t pdcid);

#endif
