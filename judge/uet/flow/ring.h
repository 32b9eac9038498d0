/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/ring.h -- stores the PSNs of a direction.
 */
#ifndef JUDGE_UET_FLOW_RING_H
#define JUDGE_UET_FLOW_RING_H

#include "base/hot.h"
#include "base/serial.h"
#include "judge/uet/flow.h"

struct judge;
struct pkt_ctx;

/* dir_rare_new is dir_rare for a direction without a rare state. */
struct dir_rare *dir_rare_new(struct judge *j, struct dir *d);

/* psn_lose records that a later PSN of the flow replaces a state. */
static inline void psn_lose(struct dir *d, const struct psn_state *s)
{
	d->lost = d->lost_any ? serial_max(d->lost, s->psn) : s->psn;
	d->lost_any = true;
}

/* psn_place returns the slot for the state of a new PSN, or NULL if there is no
 * memory.  The state of an older PSN in that slot is lost. */
struct psn_state *psn_place(struct pkt_ctx *l, struct dir *d, uint32_t psn);

/*
 * dir_rare returns the rare state of a direction for writing.  If memory runs
 * out, the writes are lost.
 */
static inline struct dir_rare *dir_rare(struct judge *j, struct dir *d)
{
	if (likely(d->rare != &dir_nothing))
		return (struct dir_rare *)(uintptr_t)d->rare;
	return dir_rare_new(j, d);
}

/*
 * flow_rare returns the rare state of a flow for writing.  If memory runs out,
 * the writes are lost.
 */
struct flow_rare *flow_rare(struct judge *j, struct flow *f);

/* psn_acked returns true if an ACK that the judge saw covers a PSN. */
bool psn_acked(struct flow *f, struct dir *d, uint32_t psn);

/* psn_seen returns true if the judge saw a packet with that PSN. */
bool psn_seen(struct flow *f, struct dir *d, uint32_t psn);

/*
 * dir_out_of_window returns the next packet of that PSN that has no slot, after
 * |last|, or NULL; with |last| NULL, the first one.  Several may have one PSN.
 */
const struct out_of_window *dir_out_of_window(const struct dir *d, uint32_t psn,
					      const struct out_of_window *last);

#endif
