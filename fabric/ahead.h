/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/ahead.h -- prefetches the memory of the events that come next.
 *
 * With thousands of endpoints nothing that an event needs is in the cache: the
 * packet, the port, the endpoint, its PDC, its judge.  Each holds the address
 * of the next, so an event passes three stages while those before it are
 * handled: its packet or port is prefetched, then the endpoint or port that it
 * reaches, then the state of the flow there.  Nothing changes.
 */
#ifndef FABRIC_AHEAD_H
#define FABRIC_AHEAD_H

#include <stdint.h>

#include "fabric/queue.h"

struct net;

enum {
	AHEAD_FIRST = 16, /* events from the first stage to its own, 2^n */
	AHEAD_SECOND = 10,
	AHEAD_THIRD = 4, /* at most so many at once */
};

/* The coming events, and how many of them have passed each stage. */
struct ahead {
	struct event coming[AHEAD_FIRST]; /* a ring */
	uint32_t taken, third, second, first;
};

/* ahead_look lets the events behind the next one pass their stages. */
void ahead_look(struct net *n);

/* ahead_taken records that an event was taken that ahead_look has seen. */
void ahead_taken(struct ahead *a);

#endif
