/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/clears.c -- CLEAR_PSN, and the responses that a target stores
 * until it comes.
 *
 * Spec: UET 3.5.11 (uet.md 7)
 */
#include "judge/uet/flow/clears.h"

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/flow/steps.h"
#include "judge/uet/pkt_ctx.h"

/* Finds the next response above |psn| that the target certainly stores. */
void clear_find_stored(struct flow *f, struct dir *d, uint32_t psn)
{
	const struct psn_state *s;

	d->gtd = false;
	for (unsigned i = 0; i < FLOW_WINDOW && psn != d->high && !d->gtd;
	     i++) {
		s = psn_find(f, d, ++psn);
		if (s && s->flags & PSN_GTD) {
			d->gtd = true;
			d->gtd_low = psn;
		}
	}
}

HOT void clear_release(struct flow *f, struct dir *d, uint32_t psn)
{
	if (!step_release(d, psn))
		return;
	if (unlikely(d->gtd) && !serial_after(d->gtd_low, psn))
		clear_find_stored(f, d, psn);
}

void clear_forget_request(struct pkt_ctx *l, struct dir *d)
{
	if (unlikely(d->rare->asked_at))
		dir_rare(l->j, d)->asked_at = 0;
}

/*
 * "Answered by a CLEAR_PSN": only one that covers the requested PSN is an
 * answer.
 */
void clear_take(struct pkt_ctx *l)
{
	struct dir *d = l->own;

	clear_release(l->f, d, l->clear);
	if (unlikely(d->rare->asked_at) &&
	    !serial_before(l->clear, d->rare->asked_psn))
		clear_forget_request(l, d);
	if (unlikely(d->start_known && serial_after(l->clear, d->acked_to)))
		return;
	if (unlikely(l->kind == PKT_REQ && !serial_before(l->clear, l->psn)))
		return;
	step_clear(d, l->clear);
}
