/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/timers.c -- the deadlines of an endpoint as a heap, earliest
 * first.
 */
#include "oracle/core/timers.h"

#include <assert.h>

#include "base/memory.h"

static void timers_put(struct timers *t, size_t place,
		       struct timers_entry entry)
{
	t->heap[place - 1] = entry;
	entry.timer->place = (uint32_t)place;
}

static const struct timers_entry *at(const struct timers *t, size_t place)
{
	return &t->heap[place - 1];
}

static void timers_sift_up(struct timers *t, struct timers_entry entry,
			   size_t place)
{
	for (; place > 1 && at(t, place / 2)->at > entry.at; place /= 2)
		timers_put(t, place, *at(t, place / 2));
	timers_put(t, place, entry);
}

static void timers_sift_down(struct timers *t, struct timers_entry entry,
			     size_t place)
{
	size_t child;

	while ((child = 2 * place) <= t->n) {
		if (child < t->n && at(t, child + 1)->at < at(t, child)->at)
			child++;
		if (at(t, child)->at >= entry.at)
			break;
		timers_put(t, place, *at(t, child));
		place = child;
	}
	timers_put(t, place, entry);
}

static void timers_settle(struct timers *t, struct timers_entry entry,
			  size_t place)
{
	if (place > 1 && at(t, place / 2)->at > entry.at)
		timers_sift_up(t, entry, place);
	else
		timers_sift_down(t, entry, place);
}

static void timers_stop(struct timers *t, struct timer *timer)
{
	const size_t hole = timer->place;
	const struct timers_entry last = *at(t, t->n);

	t->n--;
	timer->place = 0;
	timer->at = VTIME_NEVER;
	if (last.timer != timer)
		timers_settle(t, last, hole);
}

bool timers_reserve(struct timers *t, struct mem *m)
{
	struct timers_entry *heap =
		mem_grow(m, t->heap, &t->cap, t->reserved + 1, sizeof(*heap));

	if (!heap)
		return false;
	t->heap = heap;
	t->reserved++;
	return true;
}

void timers_release(struct timers *t)
{
	assert(t->n < t->reserved);
	t->reserved--;
}

void timers_set(struct timers *t, struct timer *timer, vtime when)
{
	const struct timers_entry entry = {when, timer};

	if (when == VTIME_NEVER) {
		if (timer->place)
			timers_stop(t, timer);
		return;
	}
	if (timer->place && timer->at == when)
		return;
	timer->at = when;
	if (timer->place) {
		timers_settle(t, entry, timer->place);
		return;
	}
	assert(t->n < t->reserved);
	t->n++;
	timers_sift_up(t, entry, t->n);
}

vtime timers_next(const struct timers *t)
{
	return t->n ? at(t, 1)->at : VTIME_NEVER;
}

struct timer *timers_due(struct timers *t, vtime now)
{
	struct timer *first;

	if (!t->n || at(t, 1)->at > now)
		return NULL;
	first = at(t, 1)->timer;
	timers_stop(t, first);
	return first;
}

void timers_free(struct timers *t)
{
	memory_free(t->heap);
	*t = (struct timers){0};
}
