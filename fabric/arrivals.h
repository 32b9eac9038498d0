/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/arrivals.h -- the packets on the links to one port.
 *
 * Several links lead to a port.  Each adds its packets in the order of their
 * times, and arrivals_sort merges them.
 */
#ifndef FABRIC_ARRIVALS_H
#define FABRIC_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"

struct net_packet;

struct net_arrival {
	vtime at;
	struct net_packet *packet;
};

struct arrivals {
	struct net_arrival *v;
	uint32_t n, cap;
	bool mixed; /* the order is not that of time */
};

/* arrivals_add adds a packet.  Errors: ERR_NOMEM. */
int arrivals_add(struct arrivals *a, struct net_arrival in);

/*
 * arrivals_sort sorts by time; those of the same time keep the order in which
 * they were added.  |room| is memory that all lists share.  Errors: ERR_NOMEM.
 */
int arrivals_sort(struct arrivals *a, struct arrivals *room);

/* arrivals_drop removes the first |n|. */
void arrivals_drop(struct arrivals *a, uint32_t n);

void arrivals_free(struct arrivals *a);

#endif
