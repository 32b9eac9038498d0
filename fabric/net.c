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

#define INBOX_FIRST 16 /* entries */

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

static void net_queue_add(struct net_queue *q, struct net_packet *p)
{
	p->next = NULL;
	if (q->first)
		q->last->next = p;
	else
		q->first = p;
	q->last = p;
}

static struct net_packet *net_queue_take(struct net_queue *q)
{
	struct net_packet *p = q->first;

	if (!p)
		return NULL;
	q->first = p->next;
	return p;
}

/* Doubles a ring.  Return: false if there is no memory. */
static bool inbox_grow(struct net_inbox *in)
{
	const uint32_t cap = in->cap ? 2 * in->cap : INBOX_FIRST;
	struct net_arrival *v = memory_calloc(cap, sizeof(*v));

	if (!v)
		return false;
	for (uint32_t i = in->first; i != in->last; i++)
		v[i % cap] = in->v[i % in->cap];
	free(in->v);
	in->v = v;
	in->cap = cap;
	return true;
}

#define MILLION 1000000

/* A packet is on the link to its endpoint, where it is there at |at|. */
static int net_deliver(struct net *n, struct net_packet *p, vtime at)
{
	struct net_inbox *in = &n->inboxes[p->dst];

	if (n->t->loss && rng_below(&n->rng, MILLION) < n->t->loss) {
		n->dropped++;
		net_unused(n, p);
		return 0;
	}
	if (in->last - in->first == in->cap && !inbox_grow(in))
		return ERR_NOMEM;
	in->v[in->last++ % in->cap] = (struct net_arrival){at, p};
	agenda_lower(&n->due, p->dst, at);
	return 0;
}

/*
 * Sends a packet at |now| on a port that is free; it arrives up to |late|
 * later.
 */
static int port_start(struct net *n, uint32_t port, struct net_packet *p,
		      vtime now, vspan late)
{
	struct net_port *out = &n->ports[port];

	p->port = port;
	out->free_at = now + net_span(out->rate, p->wire);
	out->last_at =
		vtime_max(out->last_at, out->free_at + n->t->delay + late);
	if (net_lands(n, p))
		return net_deliver(n, p, out->last_at);
	return event_put(n->queue, (struct event){.at = out->last_at,
						  .kind = EVENT_ARRIVAL,
						  .packet = p});
}

/* Asks for an event when the port of a switch is free. */
static int port_await(struct net *n, uint32_t port)
{
	struct net_port *out = &n->ports[port];

	if (out->waits)
		return 0;
	out->waits = true;
	return event_put(n->queue, (struct event){.at = out->free_at,
						  .kind = EVENT_PORT,
						  .id = port});
}

/* Marks a packet that finds |bytes| in its queue. */
static void net_mark(struct net *n, uint32_t bytes, struct net_packet *p)
{
	const struct fabric_topology *t = n->t;

	if (t->no_ecn || bytes <= t->ecn_min || p->ecn == ECN_NOT_ECT)
		return;
	if (bytes < t->ecn_max &&
	    rng_below(&n->rng, t->ecn_max - t->ecn_min) >= bytes - t->ecn_min)
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
static int port_queue(struct net *n, uint32_t port, struct net_packet *p)
{
	struct net_port *out = &n->ports[port];

	if (!p->control && out->data_bytes + p->wire <= n->t->queue) {
		net_mark(n, out->data_bytes, p);
		net_queue_add(&out->data, p);
		out->data_bytes += p->wire;
		if (out->data_bytes > n->queue_peak)
			n->queue_peak = out->data_bytes;
		if (out->data_bytes > n->queue_max)
			n->queue_max = out->data_bytes;
		return port_await(n, port);
	}
	if ((p->control || net_trim(n, port, p)) &&
	    out->control_bytes + p->wire <= n->t->queue) {
		net_queue_add(&out->control, p);
		out->control_bytes += p->wire;
		return port_await(n, port);
	}
	n->dropped++;
	net_unused(n, p);
	return 0;
}

static int port_send(struct net *n, uint32_t port, struct net_packet *p)
{
	struct net_port *out = &n->ports[port];

	if (out->down) {
		n->cut++;
		net_unused(n, p);
		return 0;
	}
	if (out->waits || n->now < out->free_at)
		return port_queue(n, port, p);
	return port_start(n, port, p, n->now, 0);
}

/* Takes the packet that leaves a port next; NULL: the queues are empty. */
static struct net_packet *port_take(struct net_port *out)
{
	struct net_packet *p = net_queue_take(&out->control);

	if (p) {
		out->control_bytes -= p->wire;
		return p;
	}
	p = net_queue_take(&out->data);
	if (p)
		out->data_bytes -= p->wire;
	return p;
}

/* A port of a switch became free. */
static int port_next(struct net *n, uint32_t port)
{
	struct net_port *out = &n->ports[port];
	struct net_packet *p;
	int err;

	out->waits = false;
	p = port_take(out);
	if (!p)
		return 0; /* a failure emptied the queues */
	err = port_start(n, port, p, n->now, 0);
	if (!err && (out->control.first || out->data.first))
		err = port_await(n, port);
	return err;
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

static bool net_avoids(const struct net *n, uint32_t leaf, uint32_t to,
		       uint32_t spine)
{
	return n->avoided[leaf * n->t->spines + spine] ||
	       n->avoided[to * n->t->spines + spine];
}

/*
 * Chooses a spine by the entropy value of the packet, among those that no known
 * failure cuts off from either leaf; if there is none, among all.
 */
static uint32_t net_ecmp(const struct net *n, uint32_t leaf, uint32_t to,
			 const struct net_packet *p)
{
	const uint64_t hash = net_hash(n, leaf, p) >> 32;
	uint32_t spines = n->t->spines, usable = 0, which;

	if (n->navoided)
		for (uint32_t s = 0; s < spines; s++)
			usable += !net_avoids(n, leaf, to, s);
	if (!usable)
		return (uint32_t)(hash * spines >> 32);
	which = (uint32_t)(hash * usable >> 32);
	for (uint32_t s = 0; s < spines; s++)
		if (!net_avoids(n, leaf, to, s) && !which--)
			return s;
	return 0;
}

bool net_lands(const struct net *n, const struct net_packet *p)
{
	return p->port >= n->endpoints && p->port < 2 * n->endpoints;
}

/* Returns the port of |leaf| by which a packet leaves. */
static uint32_t route_at_leaf(const struct net *n, uint32_t leaf,
			      const struct net_packet *p)
{
	const uint32_t to = net_leaf_of(n->t, p->dst);

	if (to == leaf)
		return port_to_endpoint(n, p->dst);
	return port_to_spine(n, leaf, net_ecmp(n, leaf, to, p));
}

uint32_t net_next_port(const struct net *n, const struct net_packet *p)
{
	const struct fabric_topology *t = n->t;
	uint32_t port = p->port;

	if (port < n->endpoints) /* at a leaf */
		return route_at_leaf(n, net_leaf_of(t, port), p);
	port -= 2 * n->endpoints;
	/* at a spine; the uplinks of a dumbbell join the leaves */
	if (port < t->leaves * t->spines && t->kind != FABRIC_DUMBBELL)
		return port_to_leaf(n, port % t->spines,
				    net_leaf_of(t, p->dst));
	return port_to_endpoint(n, p->dst); /* at the last leaf */
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

static void net_fail(struct net *n, const struct fabric_failure *f, bool down)
{
	port_down(n, port_to_spine(n, f->leaf, f->spine), down);
	if (n->t->kind == FABRIC_DUMBBELL) /* the other direction */
		port_down(n, port_to_spine(n, !f->leaf, f->spine), down);
	else
		port_down(n, port_to_leaf(n, f->spine, f->leaf), down);
}

static void net_avoid(struct net *n, const struct fabric_failure *f, bool avoid)
{
	bool *a = &n->avoided[f->leaf * n->t->spines + f->spine];

	n->navoided += avoid;
	n->navoided -= *a;
	*a = avoid;
}

static int net_plan_failures(struct net *n)
{
	int err = 0;

	for (uint32_t i = 0; i < n->t->nfailures && !err; i++) {
		const struct fabric_failure *f = &n->t->failures[i];
		const vtime seen = vtime_add(n->t->reroute, f->at);

		err = event_put(n->queue, (struct event){.at = f->at,
							 .kind = EVENT_DOWN,
							 .id = i});
		if (!err && seen < f->until)
			err = event_put(n->queue,
					(struct event){.at = seen,
						       .kind = EVENT_AVOID,
						       .id = i});
		if (!err && f->until != VTIME_NEVER)
			err = event_put(n->queue,
					(struct event){.at = f->until,
						       .kind = EVENT_UP,
						       .id = i});
	}
	return err;
}

/* ---- The calls ---- */

#define FEW 16 /* so few endpoints stay in the cache without a prefetch */

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
		.nports = 2 * endpoints + 2 * links,
		.dgram_len = (offsetof(struct dgram, data) + packet_len +
			      CACHE_LINE - 1) /
			     CACHE_LINE * CACHE_LINE,
		.salt = rng_next(&rng),
	};
	n->rng = rng;
	n->ports =
		memory_aligned_alloc(CACHE_LINE, n->nports * sizeof(*n->ports));
	n->inboxes = memory_calloc(endpoints, sizeof(*n->inboxes));
	n->avoided = memory_calloc(links + 1, sizeof(*n->avoided));
	n->queue = event_wheel_new();
	if (agenda_init(&n->due, endpoints) || !n->ports || !n->inboxes ||
	    !n->avoided || !n->queue)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < n->nports; i++)
		n->ports[i] = (struct net_port){
			.rate = i < 2 * endpoints ? t->rate : t->uplink};
	return net_plan_failures(n);
}

void net_free(struct net *n)
{
	while (n->chunks) {
		struct net_chunk *c = n->chunks;

		n->chunks = c->next;
		free(c);
	}
	event_wheel_free(n->queue);
	for (uint32_t i = 0; n->inboxes && i < n->endpoints; i++)
		free(n->inboxes[i].v);
	free(n->inboxes);
	agenda_free(&n->due);
	free(n->ports);
	free(n->avoided);
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
 * packet at a time, so the jitter is random, and the order in which endpoints
 * run does not change it.
 */
static vspan net_jitter(const struct net *n, uint32_t src, vtime now)
{
	struct rng r = {n->salt ^ (uint64_t)src << 40 ^ (uint64_t)now};

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

const struct net_arrival *net_arrival(const struct net *n, uint32_t endpoint,
				      uint32_t i)
{
	const struct net_inbox *in = &n->inboxes[endpoint];

	if (i >= in->last - in->first)
		return NULL;
	return &in->v[(in->first + i) % in->cap];
}

struct net_packet *net_take(struct net *n, uint32_t endpoint)
{
	struct net_inbox *in = &n->inboxes[endpoint];

	return in->v[in->first++ % in->cap].packet;
}

vspan net_lookahead(const struct net *n)
{
	return n->t->delay + net_span(n->t->rate, NET_OVERHEAD);
}

vtime net_next(const struct net *n)
{
	return event_next(n->queue);
}

static int net_handle(struct net *n, const struct event *e)
{
	switch (e->kind) {
	case EVENT_ARRIVAL:
		return port_send(n, net_next_port(n, e->packet), e->packet);
	case EVENT_PORT:
		return port_next(n, e->id);
	case EVENT_DOWN:
		net_fail(n, &n->t->failures[e->id], true);
		return 0;
	case EVENT_AVOID:
		net_avoid(n, &n->t->failures[e->id], true);
		return 0;
	case EVENT_UP:
		net_fail(n, &n->t->failures[e->id], false);
		net_avoid(n, &n->t->failures[e->id], false);
		return 0;
	}
	return 0;
}

int net_run(struct net *n, vtime until)
{
	struct event e;
	bool seen;
	int err;

	while ((err = event_take(n->queue, until - 1, &e, &seen)) > 0) {
		if (seen)
			ahead_taken(&n->ahead);
		if (n->prefetches)
			ahead_look(n);
		n->now = vtime_max(n->now, e.at);
		n->nevents++;
		err = net_handle(n, &e);
		if (err)
			return err;
	}
	return err;
}
