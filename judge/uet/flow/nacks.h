/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/nacks.h -- what a NACK changes in its flow, and the classes of
 * its codes.
 */
#ifndef JUDGE_UET_FLOW_NACKS_H
#define JUDGE_UET_FLOW_NACKS_H

#include "judge/uet/flow.h"

struct pkt_ctx;

/* nack_maybe_failed notes that the PDC may have ended in error at |at|. */
void nack_maybe_failed(struct flow *f, vtime at);

/* nack_take notes what a NACK says. */
void nack_take(struct pkt_ctx *l);

#endif
