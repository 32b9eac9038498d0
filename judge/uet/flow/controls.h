/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/controls.h -- what a control packet changes in its flow.
 */
#ifndef JUDGE_UET_FLOW_CONTROLS_H
#define JUDGE_UET_FLOW_CONTROLS_H

#include "judge/uet/pkt_ctx.h"

/* control_forget_noop forgets a NOOP whose PSN a later packet has: a NACK may
 * answer that packet. */
void control_forget_noop(struct pkt_ctx *l);

/* control_take notes what a control packet says. */
void control_take(struct pkt_ctx *l);

#endif
