/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_defer.h -- deferrable sends of an initiator: the
 * target may refuse one for now, and ask for it later by its restart token.
 */
#ifndef ORACLE_UET_SES_INITIATOR_TX_DEFER_H
#define ORACLE_UET_SES_INITIATOR_TX_DEFER_H

#include <stdbool.h>

#include "oracle/uet/ses/ses_state.h"

/*
 * tx_make_deferrable gives a message a restart token, which is not 0; the token
 * of the target is 0 until it asks.
 */
void tx_make_deferrable(struct ses *ses, struct tx_msg *msg);

/*
 * tx_is_deferral returns true if the response defers the message: list OVERFLOW
 * without a byte delivered, or RC_NO_MATCH or RC_DROPPED.
 */
bool tx_is_deferral(const struct tx_msg *msg, const struct ses_rsp *rsp);

/* tx_knows_token returns true if a DEFERRABLE_RTR names a message of ours. */
bool tx_knows_token(const struct ses *ses, const struct ses_req *rtr);

/*
 * tx_ask_restart notes the token of a DEFERRABLE_RTR, and repeats its message
 * as soon as each packet of it was answered.
 */
void tx_ask_restart(struct ses *ses, const struct ses_req *rtr);

/* tx_may_restart returns true if a message is to be repeated now. */
bool tx_may_restart(const struct tx_msg *msg);

/* tx_restart repeats a message from its first byte, behind those that wait. */
void tx_restart(struct ses *ses, struct tx_msg *msg);

#endif
