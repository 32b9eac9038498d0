/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_msg.h -- the messages of an initiator: their
 * memory, their ids, and when each is complete.
 */
#ifndef ORACLE_UET_SES_INITIATOR_TX_MSG_H
#define ORACLE_UET_SES_INITIATOR_TX_MSG_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/ses/ses_state.h"

/* tx_id_used returns true for the message id of an outstanding message. */
bool tx_id_used(const struct ses *ses, uint16_t id);

/* tx_free_id returns a message id that no outstanding message has. */
uint16_t tx_free_id(struct ses *ses);

/* tx_take_msg returns the index of a free slot; SES_NONE without memory. */
uint32_t tx_take_msg(struct ses *ses);

/* tx_give_back frees the slot and the id of a message. */
void tx_give_back(struct ses *ses, struct tx_msg *msg);

/*
 * tx_read_key returns the key of a read in |reads|: its message id, or PDC and
 * PSN of its request (tx_read_key_psn).
 */
uint64_t tx_read_key(const struct tx_msg *msg);
uint64_t tx_read_key_psn(uint16_t pdcid, uint32_t psn);

/*
 * tx_awaits_data returns true if data comes in packets of its own; in RUDI it
 * is in the response.
 */
bool tx_awaits_data(const struct tx_msg *msg);

/*
 * tx_expect_data makes a read findable by its key.  Return: false if there is
 * no memory.
 */
bool tx_expect_data(struct ses *ses, const struct tx_msg *msg);

/* tx_is_raw returns true for a packet of the raw interface. */
bool tx_is_raw(const struct tx_msg *msg);

/* tx_fail records that a message has failed. */
void tx_fail(struct tx_msg *msg, struct pds_error err);

/*
 * tx_progress follows every response: it reports the completion of a message,
 * and frees it after the response to its last packet.
 */
void tx_progress(struct ses *ses, struct tx_msg *msg);

#endif
