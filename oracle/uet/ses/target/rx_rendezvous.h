/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_rendezvous.h -- rendezvous sends: what a target does
 * when the eager part has come.
 */
#ifndef ORACLE_UET_SES_TARGET_RX_RENDEZVOUS_H
#define ORACLE_UET_SES_TARGET_RX_RENDEZVOUS_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/ses/target/rx_job.h"

/*
 * rx_eager_came counts a packet of the eager part; behind the last one it reads
 * the body from the initiator.  |rc| is the return code of the packet.
 * Return: false if the eager part is the whole message, and the packet is to be
 * counted as one of a send.
 */
bool rx_eager_came(struct ses *ses, const struct job *job, uint8_t rc);

#endif
