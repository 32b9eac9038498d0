/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/take.h -- how a packet changes its flow: all kinds together.
 */
#ifndef JUDGE_UET_FLOW_TAKE_H
#define JUDGE_UET_FLOW_TAKE_H

#include "judge/uet/pkt_ctx.h"

/* flow_take brings the flow up to date, after the monitors have looked. */
void flow_take(struct pkt_ctx *l);

/*
 * flow_take_sent records a PSN that was used by a packet which its receiver
 * drops.
 */
void flow_take_sent(struct pkt_ctx *l);

#endif
