/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/queue.c -- the events of a run in a heap with four children a node.
 */
#include "fabric/queue.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/memory.h"

#define CHILDREN 4

static bool event_before(const struct event *a, const struct event *b)
{
	if (a->at != b->at)
		return a->at < b->at;
	return a->order < b->order;
}

int event_put(struct event_heap *h, struct event e)
{
	size_t i = h->n;

	if (h->n == h->cap) {
		const size_t cap = h->cap ? 2 * h->cap : 1024;
		struct event *v = memory_realloc(h->v, cap * sizeof(*v));

		if (!v)
			return ERR_NOMEM;
		h->v = v;
		h->cap = cap;
	}
	h->n++;
	e.order = h->order++;
	while (i) {
		const size_t parent = (i - 1) / CHILDREN;

		if (!event_before(&e, &h->v[parent]))
			break;
		h->v[i] = h->v[parent];
		i = parent;
	}
	h->v[i] = e;
	return 0;
}

bool event_take(struct event_heap *h, vtime until, struct event *ret)
{
	struct event last;
	size_t i = 0;

	if (!h->n || h->v[0].at > until)
		return false;
	*ret = h->v[0];
	last = h->v[--h->n];
	for (;;) {
		const size_t first = CHILDREN * i + 1;
		size_t least = first;

		for (size_t c = first + 1; c < first + CHILDREN && c < h->n;
		     c++)
			if (event_before(&h->v[c], &h->v[least]))
				least = c;
		if (first >= h->n || !event_before(&h->v[least], &last))
			break;
		h->v[i] = h->v[least];
		i = least;
	}
	h->v[i] = last;
	return true;
}

void event_free(struct event_heap *h)
{
	free(h->v);
	*h = (struct event_heap){0};
}
