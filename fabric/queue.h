/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/queue.h -- the events of a run, the earliest first; events of the same
 * time in the order in which they were put.
 */
#ifndef FABRIC_QUEUE_H
#define FABRIC_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"

struct net_packet;

enum event_kind {
	EVENT_ARRIVAL, /* |packet| arrives at the end of its link */
	EVENT_PORT,    /* port |id| is free */
	EVENT_TIMER,   /* a deadline of endpoint |id| */
	EVENT_DOWN,    /* failure |id| begins */
	EVENT_AVOID,   /* ECMP avoids the link of failure |id| */
	EVENT_UP,      /* failure |id| ends */
};

struct event {
	vtime at;
	uint64_t order;
	struct net_packet *packet;
	uint32_t id;
	enum event_kind kind;
};

struct event_heap {
	struct event *v;
	size_t n, cap;
	uint64_t order;
};

/* event_put adds an event; |order| is set here.  Errors: ERR_NOMEM. */
int event_put(struct event_heap *h, struct event e);

/* event_take removes the earliest; false: none is due by |until|. */
bool event_take(struct event_heap *h, vtime until, struct event *ret);

void event_free(struct event_heap *h);

#endif
