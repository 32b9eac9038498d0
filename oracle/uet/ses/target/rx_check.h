/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_check.h -- the checks of a request packet, and its
 * delivery to memory.
 */
#ifndef ORACLE_UET_SES_TARGET_RX_CHECK_H
#define ORACLE_UET_SES_TARGET_RX_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/ses/target/rx_job.h"

/* rx_check returns RC_OK, or the return code of the error. */
uint8_t rx_check(struct ses *ses, const struct job *job);

/* rx_is_slow returns true for a request of the slow resource index. */
bool rx_is_slow(const struct orc_conf *conf, const struct ses_req *req);

/* rx_check_address checks the address of a request alone. */
uint8_t rx_check_address(const struct ses *ses, const struct ses_req *req);

/* rx_deliver carries out a packet that passed its checks. */
void rx_deliver(struct ses *ses, const struct job *job);

/* rx_deliver_send delivers a packet of a send. */
void rx_deliver_send(struct ses *ses, const struct job *job);

/* rx_receives returns true if a whole message is reported with EV_RECV. */
bool rx_receives(const struct job *job);

#endif
