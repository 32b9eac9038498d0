/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/net.h -- the network of a fabric: links, switches with queues, ECN,
 * trimming, ECMP and failures.
 *
 * A port sends in one direction, from an endpoint or a switch.  It has two
 * queues: control packets and trimmed ones leave before data.
 *
 *    1. net_send for a packet of an endpoint, when net_port_idle says so
 *    2. net_step handles the next event; it calls |arrived| for a packet that
 *       reached its endpoint, and |idle| when an endpoint's port is idle
 */
#ifndef FABRIC_NET_H
#define FABRIC_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "fabric/ahead.h"
#include "fabric/fabric.h"
#include "fabric/queue.h"
#include "wire/dgram.h"

/* Ethernet (with preamble and gap), IPv4 and UDP around a datagram, bytes. */
#define NET_OVERHEAD 66

/*
 * A packet on its way: all that links and switches use, in one cache line.  It
 * has always the same |d|, with room for the longest packet; net_land writes
 * there what switches have changed.
 */
struct net_packet {
	_Alignas(64) struct net_packet *next; /* behind it in a queue */
	struct dgram *d;
	uint32_t src, dst; /* endpoints */
	uint32_t port;     /* the port that sent it last */
	uint32_t wire;     /* bytes on the wire */
	uint32_t len;      /* bytes of the datagram */
	uint16_t entropy;
	uint8_t dscp, ecn;
	bool control; /* it goes before data */
	bool waits;   /* for the judge of its source */
};

struct net_queue {
	struct net_packet *first, *last;
	uint32_t bytes;
};

struct net_port {
	struct net_queue control, data;
	vtime free_at; /* end of the current transmission */
	vtime last_at; /* arrival of the last packet at the other end */
	uint32_t rate; /* Mbit/s */
	bool waits;    /* an event at free_at sends the next packet */
	bool down;
};

struct net_events {
	/* the callee calls net_land, and net_unused in the end */
	void (*arrived)(void *ctx, struct net_packet *p);
	void (*idle)(void *ctx, uint32_t endpoint);
	void (*timer)(void *ctx, uint32_t endpoint);
	/*
	 * A call for an endpoint comes soon: time to prefetch the endpoint,
	 * then its flow of |p| and the state of |p|.  NULL: not called.
	 */
	void (*coming)(void *ctx, uint32_t endpoint);
	void (*coming_flow)(void *ctx, const struct net_packet *p);
	void (*coming_state)(void *ctx, const struct net_packet *p);
	void *ctx;
};

struct net {
	const struct fabric_topology *t;
	struct net_events events;
	uint8_t dscp_data, dscp_trimmed, dscp_trimmed_lasthop;
	uint32_t endpoints;
	struct net_port *ports;
	uint32_t nports;
	bool *avoided;     /* [leaf * spines + spine]: ECMP avoids the link */
	uint32_t navoided; /* number of those */
	struct event_wheel *queue;
	struct ahead ahead;
	struct net_packet *spare; /* unused packets */
	struct net_chunk *chunks; /* memory of all packets */
	size_t dgram_len;         /* bytes of the datagram of each */
	size_t in_flight;
	struct rng rng;
	uint64_t salt; /* of the ECMP hash */
	vtime now;
	uint64_t nevents, marked, trimmed, dropped, cut;
	uint32_t queue_max, queue_peak; /* of the run; see net_take_peak */
};

/*
 * net_init makes the network for datagrams of at most |packet_len| bytes.
 *
 * Errors: ERR_NOMEM; call net_free in any case.
 */
int net_init(struct net *n, const struct fabric_conf *conf, size_t packet_len,
	     struct net_events events);
void net_free(struct net *n);

/* net_port_idle returns true if the port of an endpoint can send at once. */
bool net_port_idle(const struct net *n, uint32_t endpoint);

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
int net_send(struct net *n, uint32_t src, uint32_t dst, struct net_packet *p);

/* net_land writes to the datagram what the switches have changed. */
void net_land(struct net_packet *p);

/* net_timer requests a call of |timer| at |at|.  Errors: ERR_NOMEM. */
int net_timer(struct net *n, uint32_t endpoint, vtime at);

/*
 * net_step handles the next event, at or before |until|.
 *
 * Return: 1; 0 if there is none; ERR_NOMEM.
 */
int net_step(struct net *n, vtime until);

/*
 * net_take_peak returns the largest queue of data, in bytes, since the call
 * before.
 */
uint32_t net_take_peak(struct net *n);

/* net_lands returns true if a packet is on the link to its endpoint. */
bool net_lands(const struct net *n, const struct net_packet *p);

/*
 * net_next_port returns the port by which a packet leaves the switch at the end
 * of its link.
 */
uint32_t net_next_port(const struct net *n, const struct net_packet *p);

/* net_leaf_of returns the leaf of an endpoint. */
uint32_t net_leaf_of(const struct fabric_topology *t, uint32_t endpoint);

/* net_span returns the time of |bytes| on a link of |rate| Mbit/s. */
vspan net_span(uint32_t rate, uint64_t bytes);

#endif
