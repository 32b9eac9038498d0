/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_msg.h -- messages that arrive in several packets.
 */
#ifndef ORACLE_UET_SES_TARGET_RX_MSG_H
#define ORACLE_UET_SES_TARGET_RX_MSG_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/ses/target/rx_job.h"

/*
 * rx_find_message finds or makes the message of a packet.  Return: false if
 * there is no memory to track it.
 */
bool rx_find_message(struct ses *ses, struct job *job);

/* rx_give_back frees the slot of a message. */
void rx_give_back(struct ses *ses, struct rx_msg *msg);

/* rx_msgs_closed frees the messages of a PDC that has ended. */
void rx_msgs_closed(struct ses *ses, uint16_t pdcid);

#endif
