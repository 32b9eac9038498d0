/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_post.h -- operations of the driver that send.
 */
#ifndef ORACLE_UET_SES_INITIATOR_TX_POST_H
#define ORACLE_UET_SES_INITIATOR_TX_POST_H

#include <stdint.h>

#include "oracle/uet/ses/ses_state.h"

/*
 * These execute an operation: a send, write, read or atomic; OP_SES_PDS_TX_REQ;
 * OP_SES_PDS_TX_RET; and OP_SES_PDS_UNLOCK.  The errors are those of
 * orc_api.post.
 */
int tx_message(struct ses *ses, const struct orc_op *op);
int tx_raw(struct ses *ses, const struct orc_op *op);
int tx_raw_return(struct ses *ses, const struct orc_op *op);
int tx_unlock(struct ses *ses, const struct orc_op *op);

/*
 * tx_ready_to_restart sends a DEFERRABLE_RTR as a message of this endpoint.
 * Return: 0; ERR_NOMEM.
 */
int tx_ready_to_restart(struct ses *ses, const struct deferred *d);

/*
 * tx_read_body reads the body of a rendezvous from its initiator; the message
 * takes |body| over if it returns 0.  Return: 0; ERR_NOMEM.
 */
int tx_read_body(struct ses *ses, struct body *body);

/*
 * tx_return hands a packet of return data to the PDS and fills in its
 * tx_pkt_handle; |handle| is reported in events.
 *
 * Return: as ses_pds_tx_ret.
 */
int tx_return(struct ses *ses, struct ses_tx *tx, uint32_t handle);

#endif
