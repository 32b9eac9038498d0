/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_answer.h -- the response to a request packet, sent
 * at once or held back.
 */
#ifndef ORACLE_UET_SES_TARGET_RX_ANSWER_H
#define ORACLE_UET_SES_TARGET_RX_ANSWER_H

#include <stdint.h>

#include "oracle/uet/ses/target/rx_job.h"

/* rx_respond answers a packet; |rc| is the return code of its response. */
void rx_respond(struct ses *ses, const struct job *job, uint8_t rc);

/*
 * rx_match_at lets the SES match deferred sends with posted receives at |due|;
 * not at all if there is no memory.
 */
void rx_match_at(struct ses *ses, vtime due);

/* rx_release sends a response that was held back, or matches a late receive. */
void rx_release(struct ses *ses, const struct held *held);

#endif
