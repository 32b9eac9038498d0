/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/controls.h -- how a control packet changes its flow.
 */
#ifndef JUDGE_UET_FLOW_CONTROLS_H
#define JUDGE_UET_FLOW_CONTROLS_H

#include "judge/uet/pkt_ctx.h"

/*
 * control_forget_noop discards a NOOP when a later packet has the same PSN: a
 * NACK may answer that packet.
 */
void control_forget_noop(struct pkt_ctx *l);

/*
 * control_ask_ack records an ACK Request for a PSN of direction |d|.
 *
 * trimmed: a switch may have trimmed the request, so no answer is due.
 */
void control_ask_ack(struct judge *j, struct flow *f, struct dir *d,
		     uint32_t psn, const struct judge_packet *in, bool trimmed);

/* control_take updates the flow by a control packet. */
void control_take(struct pkt_ctx *l);

#endif
