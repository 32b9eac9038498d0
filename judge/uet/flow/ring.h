/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/ring.h -- the PSNs that a direction remembers.
 */
#ifndef JUDGE_UET_FLOW_RING_H
#define JUDGE_UET_FLOW_RING_H

#include "judge/uet/flow.h"

struct judge;
struct pkt_ctx;

/* psn_place returns the slot for the state of a new PSN, or NULL if there is no
 * memory.  The state of an older PSN in that slot is lost. */
struct psn_state *psn_place(struct pkt_ctx *l, struct dir *d, uint32_t psn);

/*
 * dir_rare is what a direction has of its own, to be changed; without memory
 * what is noted there is lost.
 */
struct dir_rare *dir_rare(struct judge *j, struct dir *d);

/* psn_acked says whether an ACK covers a PSN, as far as was seen. */
bool psn_acked(struct flow *f, struct dir *d, uint32_t psn);

/* psn_seen says whether a packet of that PSN was seen, as far as is known. */
bool psn_seen(struct flow *f, struct dir *d, uint32_t psn);

/*
 * dir_out_of_window returns the next packet of that PSN that is not followed,
 * after |last|, or NULL; the first one if |last| is NULL.  Several may have one
 * PSN.
 */
const struct out_of_window *dir_out_of_window(const struct dir *d, uint32_t psn,
					      const struct out_of_window *last);

#endif
