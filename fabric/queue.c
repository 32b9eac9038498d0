/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/queue.c -- the events of a run in a timing wheel, and a heap with four
 * children a node for those beyond it.
 */
#include "fabric/queue.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/memory.h"

#define CHILDREN 4

#define WORD  64 /* bits of a word of |used| */
#define WORDS (EVENT_WHEEL / WORD)

/* event_ahead looks so many words of |used| ahead. */
#define AHEAD_WORDS 16

struct event_wheel *event_wheel_new(void)
{
	return memory_calloc(1, sizeof(struct event_wheel));
}

void event_wheel_free(struct event_wheel *q)
{
	if (!q)
		return;
	free(q->nodes);
	free(q->late);
	free(q);
}

/* ---- Beyond the wheel ---- */

static bool late_before(const struct event_late *a, const struct event_late *b)
{
	if (a->e.at != b->e.at)
		return a->e.at < b->e.at;
	return a->order < b->order;
}

static int late_put(struct event_wheel *q, const struct event *e)
{
	const struct event_late late = {.e = *e, .order = q->order++};
	size_t i = q->nlate;

	if (q->nlate == q->late_cap) {
		const size_t cap = q->late_cap ? 2 * q->late_cap : 1024;
		struct event_late *v =
			memory_realloc(q->late, cap * sizeof(*v));

		if (!v)
			return ERR_NOMEM;
		q->late = v;
		q->late_cap = cap;
	}
	q->nlate++;
	while (i) {
		const size_t parent = (i - 1) / CHILDREN;

		if (!late_before(&late, &q->late[parent]))
			break;
		q->late[i] = q->late[parent];
		i = parent;
	}
	q->late[i] = late;
	return 0;
}

/* Removes the earliest; there is one. */
static struct event late_take(struct event_wheel *q)
{
	const struct event ret = q->late[0].e;
	const struct event_late last = q->late[--q->nlate];
	size_t i = 0;

	for (;;) {
		const size_t first = CHILDREN * i + 1;
		size_t least = first;

		for (size_t c = first + 1; c < first + CHILDREN && c < q->nlate;
		     c++)
			if (late_before(&q->late[c], &q->late[least]))
				least = c;
		if (first >= q->nlate || !late_before(&q->late[least], &last))
			break;
		q->late[i] = q->late[least];
		i = least;
	}
	q->late[i] = last;
	return ret;
}

/* ---- The wheel ---- */

static uint32_t wheel_slot(vtime at)
{
	return (uint32_t)at & (EVENT_WHEEL - 1);
}

/* Returns a link to an unused node; 0 if there is no memory. */
static uint32_t node_new(struct event_wheel *q)
{
	uint32_t link = q->spare;

	if (link) {
		q->spare = q->nodes[link - 1].next;
		return link;
	}
	if (q->nnodes == q->cap) {
		const size_t cap = q->cap ? 2 * q->cap : 1024;
		struct event_node *v =
			memory_realloc(q->nodes, cap * sizeof(*v));

		if (!v)
			return 0;
		q->nodes = v;
		q->cap = cap;
	}
	return (uint32_t)++q->nnodes;
}

static int wheel_put(struct event_wheel *q, const struct event *e)
{
	const bool past = e->at < q->now;
	const uint32_t i = wheel_slot(past ? q->now : e->at);
	const uint32_t link = node_new(q);
	struct event_node *node;

	if (!link)
		return ERR_NOMEM;
	node = &q->nodes[link - 1];
	*node = (struct event_node){.e = *e};
	if (!q->at[i].first) {
		q->at[i].first = q->at[i].last = link;
		q->used[i / WORD] |= (uint64_t)1 << i % WORD;
	} else if (past) {
		node->next = q->at[i].first;
		q->at[i].first = link;
	} else {
		q->nodes[q->at[i].last - 1].next = link;
		q->at[i].last = link;
	}
	return 0;
}

/*
 * Finds the first list with an event, |from| or at most |words| words of |used|
 * later.  Return: false if there is none.
 */
static bool wheel_find(const struct event_wheel *q, vtime from, unsigned words,
		       vtime *ret)
{
	const uint32_t first = wheel_slot(from);
	uint64_t word = q->used[first / WORD] >> first % WORD;

	if (word) {
		*ret = from + __builtin_ctzll(word);
		return true;
	}
	from += WORD - first % WORD;
	for (unsigned i = 0; i < words; i++, from += WORD) {
		word = q->used[wheel_slot(from) / WORD];
		if (!word)
			continue;
		*ret = from + __builtin_ctzll(word);
		return true;
	}
	return false;
}

/* Lets time pass to |now|, and puts on the wheel what has come near. */
static int wheel_turn(struct event_wheel *q, vtime now)
{
	int err = 0;

	q->now = now;
	while (q->nlate && q->late[0].e.at - now < EVENT_WHEEL && !err) {
		const struct event e = late_take(q);

		err = wheel_put(q, &e);
	}
	return err;
}

/* ---- The calls ---- */

int event_put(struct event_wheel *q, struct event e)
{
	if (e.at >= q->now && e.at - q->now >= EVENT_WHEEL)
		return late_put(q, &e);
	return wheel_put(q, &e);
}

int event_take(struct event_wheel *q, vtime until, struct event *ret,
	       bool *ret_seen)
{
	struct event_node *node;
	uint32_t i, link;
	vtime at;
	int err;

	if (!wheel_find(q, q->now, WORDS, &at)) {
		if (!q->nlate)
			return 0;
		at = q->late[0].e.at;
	}
	if (at > until)
		return 0;
	err = wheel_turn(q, at);
	if (err)
		return err;
	i = wheel_slot(at);
	link = q->at[i].first;
	node = &q->nodes[link - 1];
	*ret = node->e;
	*ret_seen = node->seen;
	q->at[i].first = node->next;
	if (!node->next)
		q->used[i / WORD] &= ~((uint64_t)1 << i % WORD);
	if (q->ahead == link)
		q->ahead = 0;
	node->next = q->spare;
	q->spare = link;
	return 1;
}

vtime event_next(const struct event_wheel *q)
{
	vtime at;

	if (wheel_find(q, q->now, WORDS, &at))
		return at;
	return q->nlate ? q->late[0].e.at : VTIME_NEVER;
}

const struct event *event_ahead(struct event_wheel *q)
{
	uint32_t link;
	vtime at;

	if (q->ahead_at < q->now) {
		q->ahead_at = q->now;
		q->ahead = 0;
	}
	link = q->ahead ? q->nodes[q->ahead - 1].next
			: q->at[wheel_slot(q->ahead_at)].first;
	if (!link) {
		if (!wheel_find(q, q->ahead_at + 1, AHEAD_WORDS, &at) ||
		    at - q->now >= EVENT_WHEEL)
			return NULL;
		q->ahead_at = at;
		link = q->at[wheel_slot(at)].first;
	}
	q->ahead = link;
	q->nodes[link - 1].seen = true;
	return &q->nodes[link - 1].e;
}
