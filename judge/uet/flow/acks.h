/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/acks.h -- how an ACK changes its flow.
 */
#ifndef JUDGE_UET_FLOW_ACKS_H
#define JUDGE_UET_FLOW_ACKS_H

#include "judge/uet/pkt_ctx.h"

/*
 * pkt_stateful returns true if the SES response of an ACK must be guaranteed.
 */
bool pkt_stateful(const struct pkt_ctx *l);

/* ack_count_anew restarts the count of bytes that are not acknowledged. */
void ack_count_anew(struct pkt_ctx *l);

/* ack_take updates the flow by an ACK. */
void ack_take(struct pkt_ctx *l);

#endif
