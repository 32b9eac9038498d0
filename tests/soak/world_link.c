/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/world_link.c -- the link of a world: it loses, copies, delays,
 * trims and forges packets.
 */
#include "tests/soak/world_link.h"

#include <stdlib.h>
#include <string.h>

#include "tests/soak/world_watch.h"
#include "wire/uet/uet_pds.h"

/* A switch keeps 24 bytes beyond IP, 8 of UDP among them. */
#define TRIM_KEEPS 16

/* ---- Packets in flight ---- */

static bool sooner(const struct flying *a, const struct flying *b)
{
	if (a->at != b->at)
		return a->at < b->at;
	return a->order < b->order;
}

static void heap_put(struct world *w, struct flying f)
{
	size_t i = w->nheap++;

	if (w->nheap > w->heap_cap) {
		if (w->heap_cap)
			w->heap_cap = 2 * w->heap_cap;
		else
			w->heap_cap = 256;
		w->heap = world_must(
			realloc(w->heap, w->heap_cap * sizeof(*w->heap)));
	}
	for (; i && sooner(&f, &w->heap[(i - 1) / 2]); i = (i - 1) / 2)
		w->heap[i] = w->heap[(i - 1) / 2];
	w->heap[i] = f;
}

struct flying world_take(struct world *w)
{
	const struct flying first = w->heap[0];
	const struct flying last = w->heap[--w->nheap];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < w->nheap) {
		if (child + 1 < w->nheap &&
		    sooner(&w->heap[child + 1], &w->heap[child]))
			child++;
		if (!sooner(&w->heap[child], &last))
			break;
		w->heap[i] = w->heap[child];
		i = child;
	}
	w->heap[i] = last;
	return first;
}

static uint32_t world_take_slot(struct world *w)
{
	if (w->nfree)
		return w->free_slots[--w->nfree];
	if (w->nslots % 256 == 0) {
		const size_t n = w->nslots + 256;

		w->slots = world_must(realloc(w->slots, n * sizeof(*w->slots)));
		w->free_slots = world_must(
			realloc(w->free_slots, n * sizeof(*w->free_slots)));
	}
	return (uint32_t)w->nslots++;
}

static void world_fly(struct world *w, unsigned to, const struct dgram *d,
		      vspan span)
{
	struct flying f = {.at = w->now + span,
			   .order = w->order++,
			   .slot = world_take_slot(w),
			   .to = to};

	memcpy(f.mark, w->mark, sizeof(f.mark));
	dgram_copy(&w->slots[f.slot], d);
	tap_flies(w->tap, to, f.at, d, f.mark);
	heap_put(w, f);
}

/* ---- Impairments ---- */

/* A PDC may fail right after its SYN: a late copy would open it again. */
static bool is_hasty(const struct world *w, const struct dgram *d)
{
	enum pds_type type;
	struct pds_req h;

	if (!w->plan.frail || d->len < pds_req_len)
		return false;
	type = pds_type_of(d->data);
	if (!world_is_rud(type) && !world_is_rod(type))
		return false;
	pds_req_get(&h, d->data);
	return h.syn;
}

/* Returns the delay of a packet; others may overtake a late one. */
static vspan journey(struct world *w, const struct dgram *d)
{
	const struct plan_link *link = &w->plan.link;

	if (is_hasty(w, d) || !plan_chance(&w->plan, link->late))
		return link->hop;
	w->tally.late++;
	return link->hop + rng_below(&w->plan.rng, (uint32_t)link->jitter);
}

void world_forge(struct world *w, unsigned from, const struct dgram *d,
		 const struct dgram *of, vspan span)
{
	w->tally.tricks++;
	world_trace(w, from, d, " forged");
	world_mark(w, of);
	world_fly(w, !from, d, span);
}

bool world_syn_is_gone(const struct world *w, unsigned side)
{
	const struct plan_link *link = &w->plan.link;

	return w->now > w->syn_at[side] + link->hop + link->jitter;
}

/* Tampers with a request.  Return: false if it passes unchanged. */
static bool tamper(struct world *w, unsigned from, const struct dgram *d)
{
	struct plan *p = &w->plan;
	enum trick trick;
	struct pds_req req;

	if (!p->link.tricks || d->len < pds_req_len ||
	    pds_type_of(d->data) != PDS_RUD_REQ)
		return false;
	pds_req_get(&req, d->data);
	forge_keep(&w->last[from], d, &req);
	if (forge_replay(p, &w->kept[from], d, &req))
		world_forge(w, from, &w->kept[from].d, d, p->link.hop);
	if (!forge_choose(p, &req, &trick))
		return false;
	if (trick == TRICK_FATAL && !world_syn_is_gone(w, from))
		return false;
	dgram_copy(&w->forged, d);
	if (forge_make(p, trick, &w->forged)) {
		world_forge(w, !from, &w->forged, d, 2 * p->link.hop);
		return false;
	}
	world_forge(w, from, &w->forged, d, p->link.hop);
	return true;
}

static void world_trim(struct world *w, struct dgram *d)
{
	const struct orc_conf *conf = &w->plan.conf[A];

	if (!plan_chance(&w->plan, w->plan.link.trim))
		return;
	w->tally.trimmed++;
	if (d->len > TRIM_KEEPS)
		d->len = TRIM_KEEPS;
	if (plan_chance(&w->plan, 50))
		d->dscp = conf->dscp_trimmed;
	else
		d->dscp = conf->dscp_trimmed_lasthop;
}

static void world_cross(struct world *w, unsigned from, struct dgram *d)
{
	const struct plan_link *link = &w->plan.link;
	bool forged;

	w->tally.packets++;
	if (tamper(w, from, d))
		return;
	forged = link->narrow && forge_narrow(d);
	if (link->tricks && forge_spoil(&w->plan, d))
		forged = true;
	if (forged)
		world_mark(w, d);
	if (plan_chance(&w->plan, link->drop)) {
		w->tally.lost++;
		world_trace(w, from, d, " lost");
		return;
	}
	world_trim(w, d);
	world_trace(w, from, d, "");
	if (d->ecn != ECN_NOT_ECT && plan_chance(&w->plan, link->ce)) {
		w->tally.marked++;
		d->ecn = ECN_CE;
	}
	world_fly(w, !from, d, journey(w, d));
	if (plan_chance(&w->plan, link->dup)) {
		w->tally.doubled++;
		world_fly(w, !from, d, journey(w, d));
	}
}

void world_transmit(struct world *w, unsigned from, struct dgram *d)
{
	tap_draw(w->tap);
	if (w->tap)
		dgram_copy(&w->sent, d);
	world_cross(w, from, d);
	tap_sent(w->tap, from, w->now, &w->sent, w->mark);
	*w->mark = 0;
}
