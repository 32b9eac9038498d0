/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_flow.h -- cuts messages into packets and hands
 * them to the PDS.
 */
#ifndef ORACLE_UET_SES_INITIATOR_TX_FLOW_H
#define ORACLE_UET_SES_INITIATOR_TX_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/ses/ses_state.h"

/* tx_init starts the initiator's side without messages. */
void tx_init(struct ses *ses);

/* tx_flow_room makes room for the flows of a peer; false: no memory. */
bool tx_flow_room(struct ses *ses, uint32_t fep);

/*
 * tx_start hands a message over when its turn has come, and a datagram at once.
 *
 * Return: 0; of a datagram the errors of ses_pds_tx_req.
 */
int tx_start(struct ses *ses, uint32_t index);

/* tx_pump hands over the messages of a flow until the PDS pauses it. */
void tx_pump(struct ses *ses, uint32_t flow);
void tx_pump_rudi(struct ses *ses);

#endif
