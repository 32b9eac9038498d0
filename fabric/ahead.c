/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/ahead.c -- prefetches the memory of the events that come next.
 */
#include "fabric/ahead.h"

#include "base/hot.h"
#include "fabric/net.h"

/* Inlined: a compiler removes calls of a function that only prefetches. */
#define FETCHES static inline __attribute__((always_inline)) void

FETCHES ahead_fetch(const void *p, size_t len)
{
	for (size_t at = 0; at < len; at += CACHE_LINE)
		__builtin_prefetch((const char *)p + at, 1, 3);
}

static struct event *ahead_at(struct ahead *a, uint32_t i)
{
	return &a->coming[i % AHEAD_FIRST];
}

/* A packet with its first headers, or a port. */
FETCHES ahead_first(const struct net *n, const struct event *e)
{
	if (e->kind == EVENT_ARRIVAL)
		ahead_fetch(e->packet, CACHE_LINE);
	else if (e->kind == EVENT_PORT)
		ahead_fetch(&n->ports[e->id], sizeof(*n->ports));
}

/* Prefetches the packet that leaves the queues of a port next. */
FETCHES ahead_queued(const struct net_port *port)
{
	const struct net_packet *p =
		port->control.first ? port->control.first : port->data.first;

	if (p)
		ahead_fetch(p, CACHE_LINE);
}

static void ahead_second(const struct net *n, const struct event *e)
{
	if (e->kind == EVENT_ARRIVAL)
		ahead_fetch(&n->ports[net_next_port(n, e->packet)],
			    sizeof(*n->ports));
	else if (e->kind == EVENT_PORT)
		ahead_queued(&n->ports[e->id]);
}

void ahead_taken(struct ahead *a)
{
	a->taken++;
	if (a->second < a->taken)
		a->second = a->taken;
}

void ahead_look(struct net *n)
{
	struct ahead *a = &n->ahead;

	while (a->first - a->taken < AHEAD_FIRST) {
		const struct event *e = event_ahead(n->queue);

		if (!e)
			break;
		*ahead_at(a, a->first++) = *e;
		ahead_first(n, e);
	}
	while (a->second != a->first && a->second - a->taken < AHEAD_SECOND)
		ahead_second(n, ahead_at(a, a->second++));
}
