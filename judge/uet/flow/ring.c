/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/ring.c -- the PSNs whose state a direction keeps.
 *
 * The ring of a direction starts with few slots and doubles.  Only the state of
 * an acknowledged PSN may be replaced by that of a later one.
 *
 * Spec: UET 3.5.8.2 (uet.md 6)
 */
#include "judge/uet/flow/ring.h"

#include <string.h>

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/pkt_ctx.h"

/*
 * Finds the lowest PSN that must be remembered.  Return: false if it is
 * unknown.
 */
static bool lowest(const struct dir *d, uint32_t *ret)
{
	if (!d->cack_known && !d->start_known)
		return false;
	*ret = d->cack_known ? d->cack : d->start;
	return true;
}

/*
 * Returns true if more slots would not help: the slot is free, or the PSN in it
 * has the same slot even in a ring of the window's size.
 */
static bool flow_fits(const struct flow *f, const struct dir *d, uint32_t psn)
{
	const struct psn_state *s;

	if (!d->slots)
		return false;
	s = psn_slot(d, psn);
	return s->owner != f->owner || ring_meet(s->psn, psn, d->window);
}

/*
 * Returns true if the slot is free or holds an acknowledged PSN, which a later
 * one may replace.
 */
static bool flow_has_room(const struct flow *f, const struct dir *d,
			  uint32_t psn)
{
	const struct psn_state *s;
	uint32_t low;

	if (lowest(d, &low) && serial_diff(psn, low) >= (int32_t)d->window)
		return false;
	if (!d->slots)
		return true;
	s = psn_slot(d, psn);
	if (s->owner != f->owner || !ring_meet(s->psn, psn, d->window))
		return true;
	return s->psn == psn ||
	       (s->flags & PSN_ACKED && serial_before(s->psn, psn));
}

static bool more_slots(struct pkt_ctx *l, struct dir *d)
{
	struct flow_hot *h = l->f->hot;
	struct pool *pool = &l->j->table.pool;
	const uint16_t slots = d->slots ? (uint16_t)(2 * d->slots) : FLOW_LEAST;
	const bool first = !h->dir[0].slots && !h->dir[1].slots;
	struct psn_state *ring =
		first ? h->ring : pool_take(pool, slots * sizeof(*ring));

	if (!ring)
		return false;
	for (uint32_t i = 0; i < d->slots; i++)
		if (d->ring[i].owner == l->f->owner)
			ring[d->ring[i].psn & (slots - 1)] = d->ring[i];
	hot_give_ring(pool, h, d);
	d->ring = ring;
	d->slots = slots;
	return true;
}

/* If memory runs out, the window shrinks to the existing slots. */
static void flow_make_room(struct pkt_ctx *l, struct dir *d, uint32_t psn)
{
	if (unlikely(!d->window))
		d->window = l->conf->window ? (uint16_t)l->conf->window
					    : FLOW_WINDOW;
	while (d->window < FLOW_WINDOW && !flow_has_room(l->f, d, psn))
		d->window *= 2;
	while (d->slots < d->window && !flow_fits(l->f, d, psn))
		if (!more_slots(l, d))
			d->window = d->slots;
}

/*
 * Returns the slot for a new PSN, or NULL if there is no memory.  An older
 * state in the slot is lost.
 */
struct psn_state *psn_place(struct pkt_ctx *l, struct dir *d, uint32_t psn)
{
	struct psn_state *s;

	flow_make_room(l, d, psn);
	if (unlikely(!d->slots))
		return NULL;
	s = psn_slot(d, psn);
	if (s->owner == l->f->owner && serial_before(s->psn, psn))
		psn_lose(d, s);
	if (!d->cack_known && d->placed < UINT16_MAX)
		d->placed++;
	return s;
}

const struct dir_rare dir_nothing;

struct dir_rare *dir_rare_new(struct judge *j, struct dir *d)
{
	struct dir_rare *r = pool_take(&j->table.pool, sizeof(*r));

	if (!r) {
		memset(&j->lost, 0, sizeof(j->lost));
		return &j->lost;
	}
	if (d->start_known)
		r->rod.taken_to = r->rod.sure_to = d->start - 1;
	d->rare = r;
	return r;
}

struct flow_rare *flow_rare(struct judge *j, struct flow *f)
{
	struct flow_rare *r = (struct flow_rare *)(uintptr_t)f->rare;

	if (r != &flow_nothing)
		return r;
	r = pool_take(&j->table.pool, sizeof(*r));
	if (!r) {
		memset(&j->lost_flow, 0, sizeof(j->lost_flow));
		return &j->lost_flow;
	}
	f->rare = r;
	return r;
}

bool psn_acked(struct flow *f, struct dir *d, uint32_t psn)
{
	const struct psn_state *s = psn_find(f, d, psn);

	if (d->cack_known && !serial_after(psn, d->cack))
		return true;
	return s && s->flags & PSN_ACKED;
}

const struct out_of_window *dir_out_of_window(const struct dir *d, uint32_t psn,
					      const struct out_of_window *last)
{
	const struct out_of_window *all = d->rare->out_of_windows;
	const unsigned n = d->rare->nstrays < FLOW_OUT_OF_WINDOW
				   ? d->rare->nstrays
				   : FLOW_OUT_OF_WINDOW;

	for (const struct out_of_window *s = last ? last + 1 : all; s < all + n;
	     s++)
		if (s->psn == psn)
			return s;
	return NULL;
}

bool psn_seen(struct flow *f, struct dir *d, uint32_t psn)
{
	const struct psn_state *s = psn_find(f, d, psn);
	const struct out_of_window *out_of_window = NULL;

	if (likely(s))
		return !psn_trimmed(s);
	while ((out_of_window = dir_out_of_window(d, psn, out_of_window)))
		if (!out_of_window->foreign)
			return true;
	return false;
}
