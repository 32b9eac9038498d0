/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/queue.h -- the events of a run, the earliest first; events of the same
 * time in the order in which they were put.
 *
 * A timing wheel with a list for each of the next EVENT_WHEEL nanoseconds;
 * later events wait in a heap.  Both putting and taking an event take constant
 * time, and the events that come next are known, so that their memory can be
 * prefetched.
 */
#ifndef FABRIC_QUEUE_H
#define FABRIC_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"

struct net_packet;

enum event_kind {
	EVENT_ARRIVAL, /* |packet| arrives at a switch */
	EVENT_PORT,    /* port |id| of a switch is free */
	EVENT_DOWN,    /* failure |id| begins */
	EVENT_AVOID,   /* ECMP avoids the link of failure |id| */
	EVENT_UP,      /* failure |id| ends */
};

struct event {
	vtime at;
	struct net_packet *packet;
	uint32_t id;
	enum event_kind kind;
};

#define EVENT_WHEEL 8192 /* ns, a power of two */

/* A link to a node is its index and 1; 0: there is none. */
struct event_node {
	struct event e;
	uint32_t next;
	bool seen; /* event_ahead has returned it */
};

struct event_late {
	struct event e;
	uint64_t order;
};

struct event_wheel {
	struct event_node *nodes;
	size_t nnodes, cap;
	uint32_t spare; /* the first unused node */
	vtime now;      /* time of the last event that was taken */
	struct {
		uint32_t first, last;
	} at[EVENT_WHEEL];
	uint64_t used[EVENT_WHEEL / 64]; /* one bit for each list */
	/* position of event_ahead: behind |ahead|, in the list of |ahead_at| */
	vtime ahead_at;
	uint32_t ahead;
	struct event_late *late; /* a heap of events beyond the wheel */
	size_t nlate, late_cap;
	uint64_t order;
};

/*
 * event_wheel_new makes an empty queue.  Return: NULL if there is no memory;
 * event_wheel_free frees it, NULL is allowed.
 */
struct event_wheel *event_wheel_new(void);
void event_wheel_free(struct event_wheel *q);

/*
 * event_put adds an event.  One that lies before the last that was taken is the
 * next.  Errors: ERR_NOMEM.
 */
int event_put(struct event_wheel *q, struct event e);

/*
 * event_take removes the earliest; *ret_seen is true if event_ahead returned
 * the event before.
 *
 * Return: 1; 0 if none is due by |until|; ERR_NOMEM.
 */
int event_take(struct event_wheel *q, vtime until, struct event *ret,
	       bool *ret_seen);

/* event_next returns the time of the earliest; VTIME_NEVER: there is none. */
vtime event_next(const struct event_wheel *q);

/*
 * event_ahead returns the next event that neither it nor event_take returned,
 * or NULL if there is none soon.  The events that it has returned are taken in
 * the same order; those that are put before its position it does not return.
 */
const struct event *event_ahead(struct event_wheel *q);

#endif
