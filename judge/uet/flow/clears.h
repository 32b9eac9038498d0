/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/clears.h -- CLEAR_PSN, and the responses that a target stores
 * until it comes.
 */
#ifndef JUDGE_UET_FLOW_CLEARS_H
#define JUDGE_UET_FLOW_CLEARS_H

#include "judge/uet/pkt_ctx.h"

/* clear_find_stored finds the lowest guaranteed response above |psn|. */
void clear_find_stored(struct flow *f, struct dir *d, uint32_t psn);

/* clear_release records that all responses up to |psn| are cleared. */
void clear_release(struct flow *f, struct dir *d, uint32_t psn);

/* clear_forget_request discards the Clear Request that is not answered yet. */
void clear_forget_request(struct pkt_ctx *l, struct dir *d);

/* clear_take records the CLEAR_PSN of a request or Clear Command. */
void clear_take(struct pkt_ctx *l);

#endif
