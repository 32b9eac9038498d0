/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/nacks.h -- how a NACK changes its flow.
 */
#ifndef JUDGE_UET_FLOW_NACKS_H
#define JUDGE_UET_FLOW_NACKS_H

#include "judge/uet/flow.h"

struct pkt_ctx;

/* nack_maybe_failed records that the PDC may have ended in error at |at|. */
void nack_maybe_failed(struct flow *f, vtime at);

/* nack_take updates the flow by a NACK. */
void nack_take(struct pkt_ctx *l);

#endif
