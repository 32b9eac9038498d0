/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_moved.h -- messages that continue on another PDC
 * or with other PSNs.
 */
#ifndef ORACLE_UET_SES_INITIATOR_TX_MOVED_H
#define ORACLE_UET_SES_INITIATOR_TX_MOVED_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/ses/ses_state.h"

/* tx_may_retry returns true if a message may be retried on another PDC. */
bool tx_may_retry(const struct ses *ses, const struct tx_msg *msg,
		  struct pds_error err);

/* tx_retry retries the messages of an ended PDC. */
void tx_retry(struct ses *ses, uint16_t pdcid);

/* tx_renumbered is pds_ses_renumbered of the SES. */
void tx_renumbered(struct ses *ses, uint16_t pdcid, uint32_t shift);

#endif
