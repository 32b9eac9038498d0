/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/acks.h -- what an ACK changes in its flow.
 */
#ifndef JUDGE_UET_FLOW_ACKS_H
#define JUDGE_UET_FLOW_ACKS_H

#include "judge/uet/pkt_ctx.h"

/* pkt_stateful: the SES response of an ACK is one that is guaranteed. */
bool pkt_stateful(const struct pkt_ctx *l);

/* ack_count_anew restarts the count of bytes that are not acknowledged. */
void ack_count_anew(struct pkt_ctx *l);

/* ack_take notes what an ACK says. */
void ack_take(struct pkt_ctx *l);

#endif
