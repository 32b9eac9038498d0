/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/net.h -- the network of a fabric: links, switches with queues, ECN,
 * trimming, ECMP and failures.
 *
 * A port sends in one direction, from an endpoint or a switch.  It has two
 * queues: control packets and trimmed ones leave before data.
 *
 * Endpoints and switches each have a time of their own.  What an endpoint sends
 * reaches no switch, and what a switch sends no endpoint, before net_lookahead
 * has passed; so either may run ahead of the other by that much.
 *
 *    1. net_send for a packet of an endpoint, when net_port_idle says so
 *    2. net_run handles the events of the switches up to a time
 *    3. net_arrival and net_take for the packets that reached an endpoint
 */
#ifndef FABRIC_NET_H
#define FABRIC_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "fabric/agenda.h"
#include "fabric/arrivals.h"
#include "fabric/fabric.h"
#include "wire/dgram.h"

/* Ethernet (with preamble and gap), IPv4 and UDP around a datagram, bytes. */
#define NET_OVERHEAD 66

/*
 * A packet on its way: all that links and switches use, in one cache line.  It
 * has always the same |d|, with room for the longest packet; net_land writes
 * there what switches have changed.
 */
struct net_packet {
	_Alignas(CACHE_LINE) struct net_packet *next; /* of unused packets */
	struct dgram *d;
	uint32_t src, dst; /* endpoints */
	uint32_t wire;     /* bytes on the wire */
	uint32_t len;      /* bytes of the datagram */
	uint16_t entropy;
	uint8_t dscp, ecn;
	bool control; /* it goes before data */
	bool waits;   /* for the judge of its source */
};

/* Packets that wait at a port, first in, first out. */
struct net_queue {
	struct net_packet **v;
	uint32_t cap; /* a power of two, or 0 */
	uint32_t first, last;
};

/* Packets on the link to an endpoint, first in, first out. */
struct net_ring {
	struct net_arrival *v;
	uint32_t cap; /* a power of two, or 0 */
	uint32_t first, last;
};

/* Two cache lines. */
struct net_port {
	_Alignas(CACHE_LINE) struct net_queue control, data;
	uint32_t control_bytes, data_bytes; /* in each queue */
	vtime free_at; /* end of the current transmission */
	vtime last_at; /* arrival of the last packet at the other end */
	uint32_t rate; /* Mbit/s */
	bool waits;    /* of an endpoint: net_port_passed was not called */
	bool down;
	struct arrivals in; /* of a switch: packets on their way to it */
};

/*
 * The ports of all switches at one place of a way.  A packet passes the tiers
 * in their order.
 */
struct net_tier {
	uint32_t first;    /* its first port */
	uint32_t changed;  /* failures and repairs that it knows */
	struct agenda due; /* when each port has something to do */
};

enum net_place { NET_UP, NET_DOWN, NET_LAST, NET_TIERS };

/* A link fails, or is repaired. */
struct net_change {
	vtime at;
	const struct fabric_failure *failure;
	bool down;
};

struct net {
	const struct fabric_topology *t;
	uint8_t dscp_data, dscp_trimmed, dscp_trimmed_lasthop;
	uint32_t endpoints;
	struct net_port *ports;
	uint32_t nports;
	struct net_tier tiers[NET_TIERS];
	uint32_t *round; /* the ports of a tier that have something to do */
	struct arrivals sorting; /* room */
	struct net_change changes[2 * FABRIC_FAILURES];
	uint32_t nchanges;
	struct net_ring *inboxes; /* packets on the link to each endpoint */
	struct agenda due; /* of the endpoints; net_run enters arrivals */
	bool by_leaf;      /* a block of |due| is a leaf: net_run_leaf */
	bool prefetches;
	struct net_packet *spare; /* unused packets */
	struct net_chunk *chunks; /* memory of all packets */
	size_t dgram_len;         /* bytes of the datagram of each */
	size_t in_flight;
	uint64_t salt; /* of the ECMP hash, and of what is drawn */
	vtime now;     /* of the switches */
	uint64_t nevents, marked, trimmed, dropped, cut;
	uint32_t queue_max, queue_peak; /* of the run; see net_take_peak */
};

/*
 * net_init makes the network for datagrams of at most |packet_len| bytes.
 *
 * Errors: ERR_NOMEM; call net_free in any case.
 */
int net_init(struct net *n, const struct fabric_conf *conf, size_t packet_len);
void net_free(struct net *n);

/* net_port_idle returns true if the port of an endpoint can send at |now|. */
bool net_port_idle(const struct net *n, uint32_t endpoint, vtime now);

/*
 * net_port_due returns when the port of an endpoint becomes idle that has sent;
 * VTIME_NEVER: net_port_passed was called since then.
 */
vtime net_port_due(const struct net *n, uint32_t endpoint);
void net_port_passed(struct net *n, uint32_t endpoint);

/*
 * net_packet returns an unused packet; NULL if there is no memory.  The caller
 * writes its |d| and calls net_send, or net_unused.
 */
struct net_packet *net_packet(struct net *n);
void net_unused(struct net *n, struct net_packet *p);

/*
 * net_send sends a packet of an endpoint, whose port is idle, to |dst|.
 * Errors: ERR_NOMEM.
 */
int net_send(struct net *n, uint32_t src, uint32_t dst, struct net_packet *p,
	     vtime now);

/*
 * net_arrival returns packet |i| of those on the link to an endpoint, the next
 * to arrive first; NULL if there are no more.  net_take removes the first; the
 * caller calls net_land, and net_unused in the end.
 */
static inline const struct net_arrival *
net_arrival(const struct net *n, uint32_t endpoint, uint32_t i)
{
	const struct net_ring *in = &n->inboxes[endpoint];

	if (i >= in->last - in->first)
		return NULL;
	return &in->v[(in->first + i) & (in->cap - 1)];
}

struct net_packet *net_take(struct net *n, uint32_t endpoint);

/* net_land writes to the datagram what the switches have changed. */
void net_land(struct net_packet *p);

/*
 * net_lookahead returns the least time from the start of a transmission on any
 * link to its end; at least 1.
 */
vspan net_lookahead(const struct net *n);

/*
 * net_next returns when a switch has something to do next, or VTIME_NEVER; the
 * time of a failure alone does not count.
 */
vtime net_next(const struct net *n);

/*
 * net_run lets the switches run up to |until|, tier by tier.  Packets go in one
 * direction through the tiers, so what a tier receives before |until| is known
 * when those before it have run.  Errors: ERR_NOMEM.
 */
int net_run(struct net *n, vtime until);

/*
 * net_run_links lets the links between switches run, those to the spines up to
 * |up| and those from the spines up to |down|; net_run_leaf those of a leaf to
 * its endpoints, if by_leaf.  Errors: ERR_NOMEM.
 */
int net_run_links(struct net *n, vtime up, vtime down);
int net_run_leaf(struct net *n, uint32_t leaf, vtime until);

/*
 * net_take_peak returns the largest queue of data, in bytes, since the call
 * before.
 */
uint32_t net_take_peak(struct net *n);

/* net_leaf_of returns the leaf of an endpoint. */
uint32_t net_leaf_of(const struct fabric_topology *t, uint32_t endpoint);

/* net_span returns the time of |bytes| on a link of |rate| Mbit/s. */
vspan net_span(uint32_t rate, uint64_t bytes);

#endif
