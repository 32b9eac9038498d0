/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/ahead.h -- prefetches the memory of the next events of the switches.
 *
 * With thousands of endpoints neither the packet nor the port of an event is in
 * the cache.  One holds the address of the other, so an event passes two stages
 * while those before it are handled.  Nothing changes.
 */
#ifndef FABRIC_AHEAD_H
#define FABRIC_AHEAD_H

#include <stdint.h>

#include "fabric/queue.h"

struct net;

enum {
	AHEAD_FIRST = 16, /* events from the first stage to its own, 2^n */
	AHEAD_SECOND = 8,
};

/* The coming events, and how many of them have passed each stage. */
struct ahead {
	struct event coming[AHEAD_FIRST]; /* a ring */
	uint32_t taken, second, first;
};

/* ahead_look lets the events behind the next one pass their stages. */
void ahead_look(struct net *n);

/* ahead_taken records that an event was taken that ahead_look has seen. */
void ahead_taken(struct ahead *a);

#endif
