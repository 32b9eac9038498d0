/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_defer.h -- deferrable sends that found no receive:
 * the target asks for them when one is posted.
 */
#ifndef ORACLE_UET_SES_TARGET_RX_DEFER_H
#define ORACLE_UET_SES_TARGET_RX_DEFER_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/ses/target/rx_job.h"

/*
 * rx_defer remembers a deferrable send that found no receive; its first packet
 * has the restart token.  Return: false if the packet may not be deferred, or
 * there is no memory.
 */
bool rx_defer(struct ses *ses, const struct job *job);

/* rx_is_restarted returns true for a send that this target has asked for. */
bool rx_is_restarted(const struct job *job);

/*
 * rx_take_deferred ends the wait of a send that was asked for.
 * Return: the return code of its match; RC_NO_MATCH if its tokens are unknown.
 */
uint8_t rx_take_deferred(struct ses *ses, const struct job *job);

/*
 * rx_match_deferred gives posted receives to the sends that wait, the oldest
 * first, and asks their initiators for them.
 */
void rx_match_deferred(struct ses *ses);

#endif
