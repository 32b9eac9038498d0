/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/net.c -- links, and switches with queues, ECN, trimming, ECMP and
 * failures.
 *
 * Ports: those of the endpoints, those of the leaves to their endpoints, those
 * of the leaves to the spines, those of the spines to the leaves.
 */
#include "fabric/net.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "base/memory.h"
#include "base/rng.h"
#include "wire/uet/uet_pds.h"

/* A switch keeps 24 bytes beyond IP, 8 of UDP among them (uet.md 1.4). */
#define TRIM_KEEPS 16

/* ---- Ports ---- */

uint32_t net_leaf_of(const struct fabric_topology *t, uint32_t endpoint)
{
	if (t->kind == FABRIC_RAIL)
		return endpoint % t->leaves;
	return endpoint / t->hosts;
}

static uint32_t port_to_endpoint(const struct net *n, uint32_t endpoint)
{
	return n->endpoints + endpoint;
}

static uint32_t port_to_spine(const struct net *n, uint32_t leaf,
			      uint32_t spine)
{
	return 2 * n->endpoints + leaf * n->t->spines + spine;
}

static uint32_t port_to_leaf(const struct net *n, uint32_t spine, uint32_t leaf)
{
	return 2 * n->endpoints + n->t->leaves * n->t->spines +
	       spine * n->t->leaves + leaf;
}

vspan net_span(uint32_t rate, uint64_t bytes)
{
	return (vspan)((bytes * 8000 + rate - 1) / rate);
}

/* ---- Packets ---- */

#define CHUNK 64 /* packets */

#define RING_FIRST 16 /* entries */

/* Packets; their datagrams stand behind. */
struct net_chunk {
	struct net_packet packets[CHUNK];
	struct net_chunk *next;
	_Alignas(CACHE_LINE) uint8_t dgrams[];
};

static bool packet_make(struct net *n)
{
	struct net_chunk *c = memory_aligned_alloc(
		CACHE_LINE, sizeof(*c) + CHUNK * n->dgram_len);

	if (!c)
		return false;
	c->next = n->chunks;
	n->chunks = c;
	for (size_t i = CHUNK; i--;) {
		struct net_packet *p = &c->packets[i];

		*p = (struct net_packet){.next = n->spare};
		p->d = (struct dgram *)(c->dgrams + i * n->dgram_len);
		n->spare = p;
	}
	return true;
}

struct net_packet *net_packet(struct net *n)
{
	struct net_packet *p;

	if (!n->spare && !packet_make(n))
		return NULL;
	p = n->spare;
	n->spare = p->next;
	n->in_flight++;
	return p;
}

void net_unused(struct net *n, struct net_packet *p)
{
	p->next = n->spare;
	n->spare = p;
	n->in_flight--;
}

/* ---- Transmission ---- */

/*
 * Returns the entries [first, last) of a ring in twice the room, and frees the
 * old one; NULL if there is no memory.
 */
static void *net_doubled(void *from, uint32_t *cap, uint32_t first,
			 uint32_t last, size_t size)
{
	const uint32_t room = *cap ? 2 * *cap : RING_FIRST;
	char *to = memory_calloc(room, size);

	if (!to)
		return NULL;
	for (uint32_t i = first; i != last; i++)
		memcpy(to + (i & (room - 1)) * size,
		       (char *)from + (i & (*cap - 1)) * size, size);
	free(from);
	*cap = room;
	return to;
}

static bool ring_grow(struct net_ring *r)
{
	void *v = net_doubled(r->v, &r->cap, r->first, r->last, sizeof(*r->v));

	if (v)
		r->v = v;
	return v;
}

static int ring_add(struct net_ring *r, struct net_packet *p, vtime at)
{
	if (r->last - r->first == r->cap && !ring_grow(r))
		return ERR_NOMEM;
	r->v[r->last++ & (r->cap - 1)] = (struct net_arrival){at, p};
	return 0;
}

static bool ring_empty(const struct net_ring *r)
{
	return r->first == r->last;
}

static struct net_packet *net_ring_take(struct net_ring *r)
{
	return ring_empty(r) ? NULL : r->v[r->first++ & (r->cap - 1)].packet;
}

static bool queue_grow(struct net_queue *q)
{
	void *v = net_doubled(q->v, &q->cap, q->first, q->last, sizeof(*q->v));

	if (v)
		q->v = v;
	return v;
}

static int queue_add(struct net_queue *q, struct net_packet *p)
{
	if (q->last - q->first == q->cap && !queue_grow(q))
		return ERR_NOMEM;
	q->v[q->last++ & (q->cap - 1)] = p;
	return 0;
}

static bool queue_empty(const struct net_queue *q)
{
	return q->first == q->last;
}

/* Returns the place of packet |i| in a queue that is not empty. */
static struct net_packet **queue_at(const struct net_queue *q, uint32_t i)
{
	return &q->v[(q->first + i) & (q->cap - 1)];
}

static struct net_packet *queue_take(struct net_queue *q)
{
	return queue_empty(q) ? NULL : q->v[q->first++ & (q->cap - 1)];
}

/*
 * Returns the generator of what happens at a port at |at|.  It depends on
 * neither the order in which ports run nor that of endpoints.
 */
static struct rng net_rng(const struct net *n, uint32_t port, vtime at)
{
	return (struct rng){n->salt ^ (uint64_t)port << 40 ^ (uint64_t)at};
}

/*
 * Draws a number below |below| for what happens to a packet at a port, from
 * packet, port and time.
 */
static uint32_t net_draw(const struct net *n, const struct net_packet *p,
			 uint32_t port, vtime at, uint32_t below)
{
	struct rng r = net_rng(n, port, at);

	r.state = rng_next(&r) ^ (uint64_t)p->entropy << 32 ^ p->src;
	return rng_below(&r, below);
}

#define MILLION 1000000

/* Puts a packet on the link to its endpoint, where it arrives at |at|. */
static int net_deliver(struct net *n, struct net_packet *p, vtime at)
{
	if (n->t->loss && net_draw(n, p, p->dst, at, MILLION) < n->t->loss) {
		n->dropped++;
		net_unused(n, p);
		return 0;
	}
	agenda_lower(&n->due, p->dst, at);
	return ring_add(&n->inboxes[p->dst], p, at);
}

/* ---- Routing ---- */

static uint64_t net_hash(const struct net *n, uint32_t leaf,
			 const struct net_packet *p)
{
	struct rng r = {n->salt ^ leaf};

	r.state ^= (uint64_t)p->src << 32 | p->dst;
	r.state = rng_next(&r) ^ p->entropy;
	return rng_next(&r);
}

/* Returns true if at |at| a known failure cuts |spine| off from a leaf. */
static bool net_avoids(const struct net *n, uint32_t leaf, uint32_t to,
		       uint32_t spine, vtime at)
{
	for (uint32_t i = 0; i < n->t->nfailures; i++) {
		const struct fabric_failure *f = &n->t->failures[i];

		if (f->spine == spine && (f->leaf == leaf || f->leaf == to) &&
		    at >= vtime_add(n->t->reroute, f->at) && at < f->until)
			return true;
	}
	return false;
}

/*
 * Chooses a spine by the entropy value of the packet, among those that no known
 * failure cuts off from either leaf; if there is none, among all.
 */
static uint32_t net_ecmp(const struct net *n, uint32_t leaf, uint32_t to,
			 const struct net_packet *p, vtime at)
{
	const uint64_t hash = net_hash(n, leaf, p) >> 32;
	uint32_t spines = n->t->spines, usable = 0, which;

	if (n->t->nfailures)
		for (uint32_t s = 0; s < spines; s++)
			usable += !net_avoids(n, leaf, to, s, at);
	if (!usable)
		return (uint32_t)(hash * spines >> 32);
	which = (uint32_t)(hash * usable >> 32);
	for (uint32_t s = 0; s < spines; s++)
		if (!net_avoids(n, leaf, to, s, at) && !which--)
			return s;
	return 0;
}

/* Returns the port of |leaf| by which a packet leaves. */
static uint32_t route_at_leaf(const struct net *n, uint32_t leaf,
			      const struct net_packet *p, vtime at)
{
	const uint32_t to = net_leaf_of(n->t, p->dst);

	if (to == leaf)
		return port_to_endpoint(n, p->dst);
	return port_to_spine(n, leaf, net_ecmp(n, leaf, to, p, at));
}

/*
 * Returns the port by which a packet leaves the switch that it reaches at |at|
 * from |port|.
 */
static uint32_t net_next_port(const struct net *n, uint32_t port,
			      const struct net_packet *p, vtime at)
{
	const struct fabric_topology *t = n->t;

	if (port < n->endpoints) /* at a leaf */
		return route_at_leaf(n, net_leaf_of(t, port), p, at);
	port -= n->tiers[NET_UP].first;
	/* at a spine; the uplinks of a dumbbell join the leaves */
	if (port < t->leaves * t->spines && t->kind != FABRIC_DUMBBELL)
		return port_to_leaf(n, port % t->spines,
				    net_leaf_of(t, p->dst));
	return port_to_endpoint(n, p->dst); /* at the last leaf */
}

static enum net_place net_tier_of(const struct net *n, uint32_t port)
{
	if (port < n->tiers[NET_UP].first)
		return NET_LAST;
	return port < n->tiers[NET_DOWN].first ? NET_UP : NET_DOWN;
}

/* ---- Links ---- */

/*
 * Sends a packet at |now| on a port that is free; it arrives up to |late|
 * later.
 */
static int port_start(struct net *n, uint32_t port, struct net_packet *p,
		      vtime now, vspan late)
{
	struct net_port *out = &n->ports[port];
	struct net_tier *tier;
	uint32_t next;
	vtime at;

	out->free_at = now + net_span(out->rate, p->wire);
	at = vtime_max(out->last_at, out->free_at + n->t->delay + late);
	out->last_at = at;
	if (port >= n->endpoints && port < 2 * n->endpoints)
		return net_deliver(n, p, at);
	next = net_next_port(n, port, p, at);
	tier = &n->tiers[net_tier_of(n, next)];
	agenda_lower(&tier->due, next - tier->first, at);
	return arrivals_add(&n->ports[next].in, (struct net_arrival){at, p});
}

/* ---- Queues ---- */

/* Marks a packet that finds |bytes| in the queue of a port at |at|. */
static void net_mark(struct net *n, uint32_t port, uint32_t bytes,
		     struct net_packet *p, vtime at)
{
	const struct fabric_topology *t = n->t;

	if (t->no_ecn || bytes <= t->ecn_min || p->ecn == ECN_NOT_ECT)
		return;
	if (bytes < t->ecn_max &&
	    net_draw(n, p, port, at, t->ecn_max - t->ecn_min) >=
		    bytes - t->ecn_min)
		return;
	p->ecn = ECN_CE;
	n->marked++;
}

/* Trims a packet.  Return: false if it is dropped instead. */
static bool net_trim(struct net *n, uint32_t port, struct net_packet *p)
{
	const bool last = port < 2 * n->endpoints;

	if (!n->t->trim || p->dscp != n->dscp_data || p->len <= TRIM_KEEPS)
		return false;
	p->len = TRIM_KEEPS;
	p->dscp = last ? n->dscp_trimmed_lasthop : n->dscp_trimmed;
	p->wire = TRIM_KEEPS + NET_OVERHEAD;
	p->control = true;
	n->trimmed++;
	return true;
}

/* Puts a packet into the queue of a port that is busy. */
static int port_queue(struct net *n, uint32_t port, struct net_packet *p,
		      vtime at)
{
	struct net_port *out = &n->ports[port];

	if (!p->control && out->data_bytes + p->wire <= n->t->queue) {
		net_mark(n, port, out->data_bytes, p, at);
		out->data_bytes += p->wire;
		if (out->data_bytes > n->queue_peak)
			n->queue_peak = out->data_bytes;
		if (out->data_bytes > n->queue_max)
			n->queue_max = out->data_bytes;
		return queue_add(&out->data, p);
	}
	if ((p->control || net_trim(n, port, p)) &&
	    out->control_bytes + p->wire <= n->t->queue) {
		out->control_bytes += p->wire;
		return queue_add(&out->control, p);
	}
	n->dropped++;
	net_unused(n, p);
	return 0;
}

static bool port_waits(const struct net_port *out)
{
	return !queue_empty(&out->control) || !queue_empty(&out->data);
}

/* A packet reaches the switch of a port. */
static int port_send(struct net *n, uint32_t port, struct net_packet *p,
		     vtime at)
{
	const struct net_port *out = &n->ports[port];

	n->nevents++;
	if (out->down) {
		n->cut++;
		net_unused(n, p);
		return 0;
	}
	if (!port_waits(out) && at >= out->free_at)
		return port_start(n, port, p, at, 0);
	return port_queue(n, port, p, at);
}

/* Takes the packet that leaves a port next; NULL: the queues are empty. */
static struct net_packet *port_take(struct net_port *out)
{
	struct net_packet *p = queue_take(&out->control);

	if (p) {
		out->control_bytes -= p->wire;
		return p;
	}
	p = queue_take(&out->data);
	if (p)
		out->data_bytes -= p->wire;
	return p;
}

/* Sends what waits at a port and can leave before |until|. */
static int port_drain(struct net *n, uint32_t port, vtime until)
{
	struct net_port *out = &n->ports[port];

	while (port_waits(out) && out->free_at < until) {
		const int err =
			port_start(n, port, port_take(out), out->free_at, 0);

		if (err)
			return err;
		n->nevents++;
		n->now = vtime_max(n->now, out->free_at);
	}
	return 0;
}

/* Prefetches the port to which a switch will send arrival |i| of a port. */
FETCHES ahead_next(const struct net *n, uint32_t port, uint32_t i)
{
	const struct arrivals *in = &n->ports[port].in;

	if (i < in->n && port >= n->tiers[NET_UP].first)
		__builtin_prefetch(
			&n->ports[net_next_port(n, port, in->v[i].packet, 0)]
				 .in,
			1);
}

/* The next port is prefetched so many packets ahead. */
#define AHEAD 4

/* Lets a port run up to |until|. */
static int port_run(struct net *n, uint32_t port, vtime until)
{
	struct net_port *out = &n->ports[port];
	int err = arrivals_sort(&out->in, &n->sorting);
	uint32_t i = 0;

	for (; i < out->in.n && !err && out->in.v[i].at < until; i++) {
		const struct net_arrival *in = &out->in.v[i];

		if (n->prefetches)
			ahead_next(n, port, i + AHEAD);
		err = port_drain(n, port, in->at + 1);
		if (!err)
			err = port_send(n, port, in->packet, in->at);
		n->now = vtime_max(n->now, in->at);
	}
	arrivals_drop(&out->in, i);
	return err ? err : port_drain(n, port, until);
}

/* Returns when a port has something to do next. */
static vtime port_due(const struct net_port *out)
{
	const vtime free_at = port_waits(out) ? out->free_at : VTIME_NEVER;

	return out->in.n ? vtime_min(free_at, out->in.v[0].at) : free_at;
}

void net_land(struct net_packet *p)
{
	p->d->len = p->len;
	p->d->dscp = p->dscp;
	p->d->ecn = p->ecn;
}

/* ---- Failures ---- */

static void port_empty(struct net *n, struct net_port *out)
{
	struct net_packet *p;

	while ((p = port_take(out))) {
		n->cut++;
		net_unused(n, p);
	}
}

static void port_down(struct net *n, uint32_t port, bool down)
{
	struct net_port *out = &n->ports[port];

	out->down = down;
	if (down)
		port_empty(n, out);
}

/* Lets the ports of one tier know of a change; each tier has its own time. */
static void tier_fail(struct net *n, enum net_place place,
		      const struct net_change *c)
{
	const struct fabric_failure *f = c->failure;
	const bool dumbbell = n->t->kind == FABRIC_DUMBBELL;

	if (place == NET_UP)
		port_down(n, port_to_spine(n, f->leaf, f->spine), c->down);
	if (place == NET_UP && dumbbell) /* the other direction */
		port_down(n, port_to_spine(n, !f->leaf, f->spine), c->down);
	if (place == NET_DOWN && !dumbbell)
		port_down(n, port_to_leaf(n, f->spine, f->leaf), c->down);
}

/* Enters a change behind all that are not later. */
static void net_plan_change(struct net *n, vtime at,
			    const struct fabric_failure *f, bool down)
{
	uint32_t i = n->nchanges++;

	for (; i && at < n->changes[i - 1].at; i--)
		n->changes[i] = n->changes[i - 1];
	n->changes[i] = (struct net_change){at, f, down};
}

static void net_plan_failures(struct net *n)
{
	for (uint32_t i = 0; i < n->t->nfailures; i++) {
		const struct fabric_failure *f = &n->t->failures[i];

		net_plan_change(n, f->at, f, true);
		net_plan_change(n, f->until, f, false);
	}
}

/* ---- Tiers ---- */

#define GROUP  16 /* ports that are prefetched together */
#define QUEUED 16 /* of the packets that wait at a port, those prefetched */

/* Packets of a queue in a cache line. */
#define LINE_PACKETS (CACHE_LINE / sizeof(struct net_packet *))

FETCHES ahead_port(const struct net *n, uint32_t port)
{
	__builtin_prefetch(&n->ports[port], 1);
	__builtin_prefetch(&n->ports[port].in, 1);
}

FETCHES ahead_arrivals(const struct net *n, uint32_t port)
{
	const struct net_port *out = &n->ports[port];
	const char *v = (const char *)out->in.v;

	for (size_t at = 0; at < out->in.n * sizeof(*out->in.v);
	     at += CACHE_LINE)
		__builtin_prefetch(v + at, 1);
	if (!queue_empty(&out->data))
		for (uint32_t i = 0; i < QUEUED; i += LINE_PACKETS)
			__builtin_prefetch(queue_at(&out->data, i));
	if (!queue_empty(&out->control))
		__builtin_prefetch(queue_at(&out->control, 0));
}

FETCHES ahead_queue(const struct net_queue *q)
{
	for (uint32_t i = 0; i < q->last - q->first && i < QUEUED; i++)
		__builtin_prefetch(*queue_at(q, i), 1);
}

FETCHES ahead_packets(const struct net *n, uint32_t port)
{
	const struct net_port *out = &n->ports[port];

	ahead_queue(&out->control);
	ahead_queue(&out->data);
	for (uint32_t i = 0; i < out->in.n; i++)
		__builtin_prefetch(out->in.v[i].packet, 1);
}

/* Lets a port run up to |until|, and sets when it is due again. */
static int tier_port(struct net *n, struct net_tier *tier, uint32_t k,
		     vtime until)
{
	const uint32_t port = tier->first + k;
	const int err = port_run(n, port, until);

	agenda_set(&tier->due, k, port_due(&n->ports[port]));
	return err;
}

/*
 * Lets the first |due| ports of n->round run up to |until|, in groups: what one
 * step reads for a group, the step before has prefetched.
 */
static int ports_run(struct net *n, struct net_tier *tier, uint32_t due,
		     vtime until)
{
	int err = 0;

	for (uint32_t at = 0; at < due && !err; at += GROUP) {
		const uint32_t end = due - at < GROUP ? due : at + GROUP;

		for (uint32_t i = at; i < end; i++)
			ahead_port(n, tier->first + n->round[i]);
		for (uint32_t i = at; i < end; i++)
			ahead_arrivals(n, tier->first + n->round[i]);
		for (uint32_t i = at; i < end; i++)
			ahead_packets(n, tier->first + n->round[i]);
		for (uint32_t i = at; i < end && !err; i++)
			err = tier_port(n, tier, n->round[i], until);
	}
	return err;
}

/* Lets a tier run up to |until|, with the failures until then. */
static int tier_run(struct net *n, enum net_place place, vtime until)
{
	struct net_tier *t = &n->tiers[place];
	int err = 0;

	while (!err && t->changed < n->nchanges &&
	       n->changes[t->changed].at < until) {
		const struct net_change *c = &n->changes[t->changed++];

		err = ports_run(n, t, agenda_due(&t->due, c->at, n->round),
				c->at);
		tier_fail(n, place, c);
	}
	return err ? err
		   : ports_run(n, t, agenda_due(&t->due, until, n->round),
			       until);
}

/* ---- The calls ---- */

#define FEW 16 /* so few endpoints stay in the cache without a prefetch */

/* Endpoints, or ports, of a block of an agenda. */
#define BLOCK 64

static int net_init_tiers(struct net *n)
{
	const uint32_t links = n->t->leaves * n->t->spines;
	const uint32_t block = n->by_leaf ? n->t->hosts : BLOCK;
	int err;

	n->tiers[NET_LAST].first = n->endpoints;
	n->tiers[NET_UP].first = 2 * n->endpoints;
	n->tiers[NET_DOWN].first = 2 * n->endpoints + links;
	err = agenda_init(&n->due, n->endpoints, block);
	if (!err)
		err = agenda_init(&n->tiers[NET_LAST].due, n->endpoints, block);
	if (!err)
		err = agenda_init(&n->tiers[NET_UP].due, links, BLOCK);
	if (!err)
		err = agenda_init(&n->tiers[NET_DOWN].due, links, BLOCK);
	return err;
}

int net_init(struct net *n, const struct fabric_conf *conf, size_t packet_len)
{
	const struct fabric_topology *t = &conf->topology;
	const uint32_t links = t->leaves * t->spines;
	const uint32_t endpoints = fabric_endpoints(t);
	struct rng rng = {rng_mix(conf->seed, "fabric")};

	*n = (struct net){
		.t = t,
		.dscp_data = conf->endpoint.dscp_data,
		.dscp_trimmed = conf->endpoint.dscp_trimmed,
		.dscp_trimmed_lasthop = conf->endpoint.dscp_trimmed_lasthop,
		.endpoints = endpoints,
		.prefetches = endpoints > FEW,
		.by_leaf = t->kind == FABRIC_LEAF_SPINE && t->leaves > 1,
		.nports = 2 * endpoints + 2 * links,
		.dgram_len = (offsetof(struct dgram, data) + packet_len +
			      CACHE_LINE - 1) /
			     CACHE_LINE * CACHE_LINE,
		.salt = rng_next(&rng),
	};
	n->ports =
		memory_aligned_alloc(CACHE_LINE, n->nports * sizeof(*n->ports));
	n->inboxes = memory_calloc(endpoints, sizeof(*n->inboxes));
	n->round = memory_calloc(n->nports, sizeof(*n->round));
	if (!n->ports || !n->inboxes || !n->round)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < n->nports; i++)
		n->ports[i] = (struct net_port){
			.rate = i < 2 * endpoints ? t->rate : t->uplink};
	net_plan_failures(n);
	return net_init_tiers(n);
}

static void port_free(struct net_port *port)
{
	free(port->control.v);
	free(port->data.v);
	arrivals_free(&port->in);
}

void net_free(struct net *n)
{
	while (n->chunks) {
		struct net_chunk *c = n->chunks;

		n->chunks = c->next;
		free(c);
	}
	for (uint32_t i = 0; n->ports && i < n->nports; i++)
		port_free(&n->ports[i]);
	for (unsigned i = 0; i < NET_TIERS; i++)
		agenda_free(&n->tiers[i].due);
	arrivals_free(&n->sorting);
	for (uint32_t i = 0; n->inboxes && i < n->endpoints; i++)
		free(n->inboxes[i].v);
	free(n->inboxes);
	agenda_free(&n->due);
	free(n->ports);
	free(n->round);
}

uint32_t net_take_peak(struct net *n)
{
	const uint32_t peak = n->queue_peak;

	n->queue_peak = 0;
	return peak;
}

bool net_port_idle(const struct net *n, uint32_t endpoint, vtime now)
{
	const struct net_port *out = &n->ports[endpoint];

	return !out->waits && now >= out->free_at;
}

vtime net_port_due(const struct net *n, uint32_t endpoint)
{
	const struct net_port *out = &n->ports[endpoint];

	return out->waits ? out->free_at : VTIME_NEVER;
}

void net_port_passed(struct net *n, uint32_t endpoint)
{
	n->ports[endpoint].waits = false;
}

/*
 * Draws the jitter of a packet from its source and time.  An endpoint sends one
 * packet at a time, so each packet has a draw of its own.
 */
static vspan net_jitter(const struct net *n, uint32_t src, vtime now)
{
	struct rng r = net_rng(n, src, now);

	return n->t->jitter ? rng_below(&r, (uint32_t)n->t->jitter + 1) : 0;
}

int net_send(struct net *n, uint32_t src, uint32_t dst, struct net_packet *p,
	     vtime now)
{
	p->src = src;
	p->dst = dst;
	p->len = (uint32_t)p->d->len;
	p->wire = p->len + NET_OVERHEAD;
	p->entropy = p->d->entropy;
	p->dscp = p->d->dscp;
	p->ecn = p->d->ecn;
	p->control = p->dscp != n->dscp_data;
	n->ports[src].waits = true;
	return port_start(n, src, p, now, net_jitter(n, src, now));
}

struct net_packet *net_take(struct net *n, uint32_t endpoint)
{
	return net_ring_take(&n->inboxes[endpoint]);
}

vspan net_lookahead(const struct net *n)
{
	const struct fabric_topology *t = n->t;

	return t->delay + net_span(t->rate > t->uplink ? t->rate : t->uplink,
				   NET_OVERHEAD);
}

vtime net_next(const struct net *n)
{
	vtime next = VTIME_NEVER;

	for (unsigned i = 0; i < NET_TIERS; i++)
		next = vtime_min(next, agenda_next(&n->tiers[i].due));
	return next;
}

int net_run_links(struct net *n, vtime up, vtime down)
{
	const int err = tier_run(n, NET_UP, up);

	return err ? err : tier_run(n, NET_DOWN, down);
}

int net_run_leaf(struct net *n, uint32_t leaf, vtime until)
{
	struct net_tier *last = &n->tiers[NET_LAST];

	return ports_run(n, last,
			 agenda_due_in(&last->due, leaf, until, n->round),
			 until);
}

int net_run(struct net *n, vtime until)
{
	const int err = net_run_links(n, until, until);

	return err ? err : tier_run(n, NET_LAST, until);
}
