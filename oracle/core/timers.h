/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/timers.h -- the deadlines of an endpoint, earliest first.
 *
 * A binary heap.  A timer is embedded in the object that it wakes and knows its
 * place in the heap, so that moving or stopping it needs no search.  The heap
 * holds the deadlines as well: with many PDCs their timers are not in the
 * cache.  Equal deadlines leave in an order that depends on the calls alone.
 *
 *    1. timers_reserve, once for each timer that will ever be armed
 *    2. timers_set(t, timer, at); VTIME_NEVER stops it
 *    3. while ((timer = timers_due(t, now))) handle and set it again
 */
#ifndef ORACLE_CORE_TIMERS_H
#define ORACLE_CORE_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "oracle/core/mem.h"

enum timer_kind {
	TIMER_PDC,      /* in a struct pdc */
	TIMER_RSP,      /* in a response that the SES delays */
	TIMER_RUDI,     /* one timer for all RUDI requests */
	TIMER_AH,       /* in a requester's context of SRD */
	TIMER_WQE_RTO,  /* in a queue pair of the WQE extension: requester */
	TIMER_WQE_MISS, /* in a queue pair of the WQE extension: responder */
	TIMER_KINDS,
};

struct timer {
	vtime at;
	uint32_t place; /* place in the heap, from 1; 0: not armed */
	enum timer_kind kind;
};

struct timers_entry {
	vtime at; /* of |timer| */
	struct timer *timer;
};

struct timers {
	struct timers_entry *heap;
	size_t n, cap;
	size_t reserved;
};

/*
 * timers_reserve makes room for one more timer.  Return: false if there is no
 * memory.
 */
bool timers_reserve(struct timers *t, struct mem *m);

/* timers_release gives up a reservation; the timer must not be armed. */
void timers_release(struct timers *t);

/* timers_set arms, moves or (VTIME_NEVER) stops a timer. */
void timers_set(struct timers *t, struct timer *timer, vtime at);

/* timers_next returns the earliest deadline; VTIME_NEVER if there is none. */
vtime timers_next(const struct timers *t);

/* timers_due stops and returns the earliest timer if it is due, else NULL. */
struct timer *timers_due(struct timers *t, vtime now);

/* timers_free frees the heap, but not the timers. */
void timers_free(struct timers *t);

#endif
