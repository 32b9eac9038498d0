/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/take.h -- updates the flow by a packet of any kind.
 */
#ifndef JUDGE_UET_FLOW_TAKE_H
#define JUDGE_UET_FLOW_TAKE_H

#include "judge/uet/pkt_ctx.h"

/* flow_take updates the flow, after the monitors have checked the packet. */
void flow_take(struct pkt_ctx *l);

/* flow_take_sent records the PSN of a packet that its receiver drops. */
void flow_take_sent(struct pkt_ctx *l);

#endif
