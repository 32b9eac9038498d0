/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/fabric.c -- runs the endpoints of a fabric, their judges and their
 * flows.
 */
#include "fabric/fabric.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/hot.h"
#include "base/memory.h"
#include "base/rng.h"
#include "fabric/flows.h"
#include "fabric/judges.h"
#include "fabric/net.h"
#include "fabric/srd_ends.h"

#define FIRST_ADDRESS JUDGES_FIRST
#define KEY           7

/* Requests and ACKs are shorter than MTU and this. */
#define HEADERS_MAX 256

/*
 * Requests with the first JUDGES_PAYLOAD bytes of their payload, and ACKs, are
 * shorter than this; there is room for a mutant that writes more.
 */
#define SHORT_MAX 256

/* PDCs of an endpoint beyond one for each flow: some close and open again. */
#define PDCS_SPARE 16

/* Receive WQEs of an endpoint of SRD: each is posted again at once. */
#define RECVS      64
#define DEPTH_MOST 65535

/* Events at one time: more than any workload has. */
#define STEPS_MAX (1u << 22)

struct fabric_end {
	struct orc *orc;
	vtime timer_at; /* the earliest timer that was requested */
	uint32_t qpn;   /* SRD */
};

struct fabric {
	const struct fabric_conf *conf;
	struct orc_conf endpoint;
	struct fabric_result *ret;
	const struct orc_api *api;
	struct net net;
	struct fabric_flows flows;
	struct fabric_end *ends;
	struct judges judges;
	uint32_t n;
	vtime now;                /* of the endpoint that runs */
	vtime latest;             /* of all endpoints */
	uint32_t *round;          /* the endpoints of a round */
	size_t left;              /* flows that have not ended */
	uint64_t nevents;         /* of endpoints */
	uint32_t steps;           /* events since time advanced */
	uint64_t done;            /* bytes in writes that are complete */
	int err;                  /* the first error of a call */
	struct net_packet *blank; /* for the next datagram; or NULL */
};

static void fabric_failed(struct fabric *f, int err)
{
	if (err && !f->err)
		f->err = err;
}

static bool fabric_goes_on(const struct fabric *f)
{
	const volatile bool *stop = f->conf->stop;

	return f->left && !f->err && !(stop && *stop);
}

/* ---- Flows ---- */

/* Posts writes of a flow until enough of them are outstanding. */
static void fabric_post(struct fabric *f, size_t i)
{
	struct fabric_flow *flow = &f->flows.v[i];

	while (!flow->failed && flow->posted < flow->bytes &&
	       flow->outstanding < f->conf->load.writes) {
		const uint64_t left = flow->bytes - flow->posted;
		const uint32_t len = left < f->conf->load.message
					     ? (uint32_t)left
					     : f->conf->load.message;
		struct orc_op op = {
			.kind = OP_WRITE,
			.handle = (uint32_t)i + 1,
			.mode = f->conf->load.mode,
			.len = len,
			.key = KEY,
		};

		/* a copy of a whole address would stall on these few bytes */
		ip_addr_set_v4(&op.peer, FIRST_ADDRESS + flow->dst);
		if (f->conf->load.family == FAMILY_SRD)
			srd_end_send(&op, f->ends[flow->src].qpn, flow->ah,
				     f->ends[flow->dst].qpn);
		fabric_failed(
			f, f->api->post(f->ends[flow->src].orc, &op, f->now));
		if (f->err)
			return;
		flow->posted += len;
		flow->outstanding++;
	}
}

static void fabric_pump(struct fabric *f, uint32_t i);

static void fabric_begin(struct fabric *f, size_t i)
{
	struct fabric_flow *flow = &f->flows.v[i];
	const struct ip_addr to = ip_addr_v4(FIRST_ADDRESS + flow->dst);

	flow->began = f->now;
	if (f->conf->load.family == FAMILY_SRD)
		fabric_failed(f, srd_end_handle(f->api, f->ends[flow->src].orc,
						&to, f->now, &flow->ah));
	if (!f->err)
		fabric_post(f, i);
}

/* Counts the bytes of a write that has ended: all but the last are equal. */
static void fabric_done(struct fabric *f, struct fabric_flow *flow)
{
	const uint64_t left = flow->bytes - flow->done;
	const uint64_t len =
		left < f->conf->load.message ? left : f->conf->load.message;

	flow->done += len;
	f->done += len;
}

/* A write is complete. */
static void fabric_completed(struct fabric *f, const struct orc_event *ev)
{
	const size_t i = ev->handle - 1;
	struct fabric_flow *flow;
	size_t next;

	if (!ev->handle || i >= f->flows.n)
		return;
	flow = &f->flows.v[i];
	flow->outstanding--;
	fabric_done(f, flow);
	if (ev->status != STATUS_OK && !flow->failed) {
		flow->failed = true;
		f->left--;
	}
	fabric_post(f, i);
	if (flow->failed || flow->outstanding || flow->posted < flow->bytes)
		return;
	flow->ended = f->now;
	f->left--;
	next = flows_next(&f->flows, f->conf, i);
	if (next == FLOW_NONE)
		return;
	fabric_begin(f, next);
	fabric_pump(f, f->flows.v[next].src);
}

/* ---- Endpoints ---- */

static uint32_t fabric_of_addr(const struct ip_addr *a)
{
	const uint32_t v = (uint32_t)a->b[0] << 24 | (uint32_t)a->b[1] << 16 |
			   (uint32_t)a->b[2] << 8 | a->b[3];

	return v - FIRST_ADDRESS;
}

/* Returns when an endpoint has something to do. */
static vtime fabric_due(const struct fabric *f, uint32_t i)
{
	const struct net_arrival *in = net_arrival(&f->net, i, 0);
	const vtime due =
		vtime_min(f->ends[i].timer_at, net_port_due(&f->net, i));

	return in ? vtime_min(due, in->at) : due;
}

/*
 * Sends the next packet of an endpoint whose port is idle.  The tick tells the
 * endpoint the time, from which its timers and RTT samples run.
 */
static void fabric_send(struct fabric *f, uint32_t i)
{
	const struct fabric_end *e = &f->ends[i];
	struct net_packet *p = f->blank ? f->blank : net_packet(&f->net);

	f->blank = p;
	if (!p) {
		fabric_failed(f, ERR_NOMEM);
		return;
	}
	if (judges_hold(&f->judges, p)) /* a switch has dropped it */
		judges_flush(&f->judges);
	f->api->tick(e->orc, f->now);
	if (!f->api->poll_tx(e->orc, p->d))
		return;
	f->blank = NULL;
	f->ret->packets++;
	judges_see(&f->judges, i, p, f->now, false);
	fabric_failed(
		f, net_send(&f->net, i, fabric_of_addr(&p->d->dst), p, f->now));
}

/* Handles the events of an endpoint, and sends a packet if its port is idle. */
static void fabric_pump(struct fabric *f, uint32_t i)
{
	struct fabric_end *e = &f->ends[i];
	struct orc_event ev;

	while (fabric_goes_on(f) && f->api->poll_event(e->orc, &ev))
		if (ev.kind == EV_COMPLETION)
			fabric_completed(f, &ev);
		else if (ev.kind == EV_RECV &&
			 f->conf->load.family == FAMILY_SRD)
			fabric_failed(f,
				      srd_end_refill(f->api, e->orc, e->qpn, 1,
						     f->endpoint.mtu, f->now));
	if (!f->err && net_port_idle(&f->net, i, f->now))
		fabric_send(f, i);
	e->timer_at = f->api->deadline(e->orc);
	agenda_lower(&f->net.due, i, fabric_due(f, i));
}

/* The next packet arrives at an endpoint. */
static void fabric_arrived(struct fabric *f, uint32_t i)
{
	struct net_packet *p = net_take(&f->net, i);

	if (judges_hold(&f->judges, p))
		judges_flush(&f->judges);
	net_land(p);
	fabric_failed(f, f->api->feed(f->ends[i].orc, p->d, f->now));
	judges_see(&f->judges, i, p, f->now, true);
}

/* ---- Rounds ---- */

/* Ends the run when time stands still: an endpoint loops. */
static void fabric_set_time(struct fabric *f, vtime at)
{
	f->steps = at > f->now ? 0 : f->steps + 1;
	f->now = vtime_max(f->now, at);
	f->latest = vtime_max(f->latest, f->now);
	if (f->steps == STEPS_MAX)
		fabric_failed(f, ERR_STATE);
}

/*
 * Handles the next event of an endpoint: the packet that arrives, the port that
 * becomes idle, or the timer.
 */
static void fabric_step(struct fabric *f, uint32_t i, vtime at)
{
	const struct net_arrival *in = net_arrival(&f->net, i, 0);

	fabric_set_time(f, at);
	f->nevents++;
	if (in && in->at <= at)
		fabric_arrived(f, i);
	else if (net_port_due(&f->net, i) <= at)
		net_port_passed(&f->net, i);
	else
		f->api->tick(f->ends[i].orc, f->now);
	fabric_pump(f, i);
}

/* Handles the events of an endpoint before |until|, one after the other. */
static void fabric_visit(struct fabric *f, uint32_t i, vtime until)
{
	vtime at = fabric_due(f, i);

	f->now = at;
	f->steps = 0;
	while (at < until && fabric_goes_on(f)) {
		fabric_step(f, i, at);
		at = fabric_due(f, i);
	}
	agenda_set(&f->net.due, i, at);
}

/*
 * All packets that an endpoint receives in a round are known when the round
 * begins.  Each stage prefetches what the next one reads.
 */
static void fabric_ahead_end(struct fabric *f, uint32_t i, vtime until)
{
	(void)until;
	__builtin_prefetch(&f->ends[i]);
	__builtin_prefetch(&f->net.inboxes[i]);
	__builtin_prefetch(&f->net.ports[i], 1);
	__builtin_prefetch(&f->judges.v[i]);
}

static void fabric_ahead_orc(struct fabric *f, uint32_t i, vtime until)
{
	const struct net_arrival *in = net_arrival(&f->net, i, 0);

	(void)until;
	f->api->expect(f->ends[i].orc);
	if (in)
		__builtin_prefetch(in);
}

#define FABRIC_AHEAD(name, what)                                               \
	static void name(struct fabric *f, uint32_t i, vtime until)            \
	{                                                                      \
		const struct net_arrival *in;                                  \
                                                                               \
		for (uint32_t k = 0;                                           \
		     (in = net_arrival(&f->net, i, k)) && in->at < until; k++) \
			what;                                                  \
	}

FABRIC_AHEAD(fabric_ahead_packets, __builtin_prefetch(in->packet, 1))

static void fabric_ahead_tables(struct fabric *f, uint32_t i, vtime until)
{
	(void)until;
	f->api->expect_tables(f->ends[i].orc);
}

static void fabric_ahead_send(struct fabric *f, uint32_t i, vtime until)
{
	(void)until;
	f->api->expect_send(f->ends[i].orc);
}

static void fabric_ahead_dgram(const struct dgram *d)
{
	for (size_t at = 0; at < 3 * CACHE_LINE; at += CACHE_LINE)
		__builtin_prefetch((const char *)d + at, 1);
}

FABRIC_AHEAD(fabric_ahead_dgrams, fabric_ahead_dgram(in->packet->d))
FABRIC_AHEAD(fabric_ahead_flows,
	     f->api->expect_feed(f->ends[i].orc, in->packet->d))
FABRIC_AHEAD(fabric_ahead_states,
	     f->api->expect_state(f->ends[i].orc, in->packet->d))
FABRIC_AHEAD(fabric_ahead_rest,
	     f->api->expect_rest(f->ends[i].orc, in->packet->d))

typedef void fabric_stage(struct fabric *f, uint32_t endpoint, vtime until);

static fabric_stage *const fabric_stages[] = {
	fabric_ahead_end,    fabric_ahead_orc,    fabric_ahead_packets,
	fabric_ahead_tables, fabric_ahead_dgrams, fabric_ahead_send,
	fabric_ahead_flows,  fabric_ahead_states, fabric_ahead_rest,
};

#define STAGES (sizeof(fabric_stages) / sizeof(fabric_stages[0]))

/* So many endpoints pass a stage before they pass the next one. */
#define GROUP 4

static void fabric_ahead(struct fabric *f, const uint32_t *v, uint32_t n,
			 vtime until)
{
	for (unsigned s = 0; s < STAGES; s++)
		for (uint32_t i = 0; i < n; i++)
			fabric_stages[s](f, v[i], until);
}

/*
 * Visits the |n| endpoints that have something to do before |until|.  A group
 * passes the stages before the group before it is visited.
 */
static void fabric_round(struct fabric *f, uint32_t n, vtime until)
{
	uint32_t ready = f->net.prefetches ? 0 : n;

	for (uint32_t i = 0; i < n; i++) {
		for (; ready < n && ready <= i + GROUP; ready += GROUP)
			fabric_ahead(f, f->round + ready,
				     n - ready < GROUP ? n - ready : GROUP,
				     until);
		fabric_visit(f, f->round[i], until);
	}
}

/* Opens the queue pair of an endpoint: for the sends of all its flows. */
static int fabric_open(struct fabric *f, struct fabric_end *e)
{
	const size_t flows = f->flows.n / f->n + 2;
	const size_t depth = flows * f->conf->load.writes + RECVS;
	const int err = srd_end_open(
		f->api, e->orc,
		depth < DEPTH_MOST ? (uint32_t)depth : DEPTH_MOST, &e->qpn);

	return err ? err
		   : srd_end_refill(f->api, e->orc, e->qpn, RECVS,
				    f->endpoint.mtu, 0);
}

static int fabric_make_end(struct fabric *f, uint32_t i)
{
	const struct orc_op expose = {
		.kind = OP_EXPOSE, .key = KEY, .len = f->conf->load.message};
	struct orc_conf conf = f->endpoint;
	int err;

	conf.addr = ip_addr_v4(FIRST_ADDRESS + i);
	conf.seed = f->conf->seed * FABRIC_ENDPOINTS_MAX + i;
	f->ends[i].timer_at = VTIME_NEVER;
	err = f->api->make(&f->ends[i].orc, &conf);
	if (!err && conf.family == FAMILY_SRD)
		err = fabric_open(f, &f->ends[i]);
	else if (!err)
		err = f->api->post(f->ends[i].orc, &expose, 0);
	if (err || i >= f->conf->judged)
		return err;
	return judges_make(&f->judges, i, &conf);
}

/* The most PDCs of an endpoint: one for each flow that begins or ends there. */
static uint32_t fabric_pdcs(const struct fabric *f)
{
	const struct fabric_load *load = &f->conf->load;
	uint32_t most = 2;

	if (load->kind == FABRIC_INCAST)
		most = (uint32_t)f->flows.n;
	else if (load->kind == FABRIC_ALL_TO_ALL)
		most = 2 * (uint32_t)(f->flows.n / f->n);
	most += PDCS_SPARE;
	return most < UINT16_MAX ? most : UINT16_MAX;
}

/*
 * Returns the bytes of the longest datagram that an endpoint writes.  Close
 * together, short datagrams share pages.
 */
static size_t fabric_room(const struct orc_conf *endpoint)
{
	if (endpoint->short_payload && endpoint->family == FAMILY_UET)
		return SHORT_MAX;
	return endpoint->mtu + HEADERS_MAX;
}

static int fabric_make(struct fabric *f)
{
	int err = flows_make(&f->flows, f->conf);

	if (err)
		return err;
	f->endpoint = f->conf->endpoint;
	f->endpoint.family = f->conf->load.family;
	f->endpoint.max_pdcs = fabric_pdcs(f);
	f->endpoint.late_payload = true;
	f->endpoint.events = 1u << EV_COMPLETION;
	if (f->conf->load.family == FAMILY_SRD)
		f->endpoint.events |= 1u << EV_RECV;
	if (!f->endpoint.crc)
		f->endpoint.short_payload = JUDGES_PAYLOAD;
	f->ret->base_rtt = f->endpoint.base_rtt;
	series_start(&f->ret->series, f->endpoint.base_rtt);
	f->ret->ideal = flows_ideal(&f->flows, f->conf);
	f->left = f->flows.n;
	f->ends = memory_calloc(f->n, sizeof(*f->ends));
	if (!f->ends)
		return ERR_NOMEM;
	err = judges_init(&f->judges, f->n, &f->net, f->ret, f->conf->strict);
	if (err)
		return err;
	f->round = memory_calloc(f->n, sizeof(*f->round));
	if (!f->round)
		return ERR_NOMEM;
	err = net_init(&f->net, f->conf, fabric_room(&f->endpoint));
	for (uint32_t i = 0; i < f->n && !err; i++)
		err = fabric_make_end(f, i);
	return err;
}

static void fabric_free(struct fabric *f)
{
	for (uint32_t i = 0; f->ends && i < f->n; i++)
		f->api->free(f->ends[i].orc);
	free(f->ends);
	free(f->round);
	judges_free(&f->judges);
	net_free(&f->net);
	flows_free(&f->flows);
	free(f);
}

/* ---- Samples ---- */

static uint64_t fabric_repeats(const struct fabric *f)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		struct orc_stats s;

		f->api->stats(f->ends[i].orc, &s);
		sum += s.tx_retx;
	}
	return sum;
}

static void fabric_sample(struct fabric *f, vtime at)
{
	series_add(&f->ret->series,
		   &(struct series_sample){.at = at,
					   .payload = f->done,
					   .retransmitted = fabric_repeats(f),
					   .trimmed = f->net.trimmed,
					   .dropped = f->net.dropped,
					   .queue = net_take_peak(&f->net)});
}

/* ---- The run ---- */

/* Begins the flows that begin at once. */
static void fabric_begin_all(struct fabric *f)
{
	for (size_t i = 0; i < f->flows.first && !f->err; i++)
		fabric_begin(f, i);
	for (uint32_t i = 0; i < f->n && !f->err; i++)
		fabric_pump(f, i);
}

/*
 * Returns how far endpoints may run ahead of the switches: not at all if the
 * end of a flow begins one at another endpoint.
 */
static vspan fabric_lookahead(const struct fabric *f)
{
	return f->conf->load.kind == FABRIC_ALL_REDUCE ? 0
						       : net_lookahead(&f->net);
}

/*
 * Lets the switches run, and then all endpoints.  The endpoints have run up to
 * |at|, so all that reaches one before |at| + 2 |ahead| is known when the
 * switches have run up to |at| + |ahead|.
 *
 * Return: how far the endpoints have run.
 */
static vtime fabric_turn(struct fabric *f, vtime at, vspan ahead, vtime end)
{
	const vtime until = vtime_min(at + (ahead ? 2 * ahead : 1), end);

	fabric_failed(
		f, net_run(&f->net, vtime_min(at + (ahead ? ahead : 1), end)));
	fabric_round(f, agenda_due(&f->net.due, until, f->round), until);
	return until;
}

/*
 * Lets switches and endpoints run twice as far as fabric_turn does, leaf by
 * leaf.  A packet of another leaf crosses four links, so all that leaves the
 * spines for a leaf before |at| + 3 |ahead| is known.  The second turn of a
 * leaf finds its endpoints in the cache.
 */
static vtime fabric_turn_leaves(struct fabric *f, vtime at, vspan ahead,
				vtime end)
{
	const vtime step[] = {
		vtime_min(at + ahead, end), vtime_min(at + 2 * ahead, end),
		vtime_min(at + 3 * ahead, end), vtime_min(at + 4 * ahead, end)};

	fabric_failed(f, net_run_links(&f->net, step[0], step[1]));
	for (uint32_t leaf = 0; leaf < f->net.due.nblocks; leaf++)
		for (unsigned i = 0; i < 4 && fabric_goes_on(f); i += 2) {
			fabric_failed(f, net_run_leaf(&f->net, leaf, step[i]));
			fabric_round(f,
				     agenda_due_in(&f->net.due, leaf,
						   step[i + 1], f->round),
				     step[i + 1]);
		}
	return step[3];
}

/* Endpoints and switches take turns. */
static void fabric_go(struct fabric *f)
{
	const vspan ahead = fabric_lookahead(f);
	const vtime end = vtime_add(f->conf->until, 1);
	vtime at = 0;

	fabric_begin_all(f);
	while (fabric_goes_on(f)) {
		const vtime next =
			vtime_min(agenda_next(&f->net.due), net_next(&f->net));

		if (next >= end)
			break;
		if (next >= f->ret->series.next)
			fabric_sample(f, next);
		at = vtime_max(at, next);
		at = ahead && f->net.by_leaf
			     ? fabric_turn_leaves(f, at, ahead, end)
			     : fabric_turn(f, at, ahead, end);
	}
	judges_flush(&f->judges);
	fabric_sample(f, vtime_max(f->latest, f->net.now));
}

static void fabric_count(struct fabric *f)
{
	struct fabric_result *ret = f->ret;

	for (uint32_t i = 0; i < f->n; i++) {
		struct orc_stats s;

		f->api->stats(f->ends[i].orc, &s);
		ret->retransmitted += s.tx_retx;
		ret->nacks += s.tx_nack;
	}
	ret->marked = f->net.marked;
	ret->trimmed = f->net.trimmed;
	ret->dropped = f->net.dropped;
	ret->cut = f->net.cut;
	ret->queue_max = f->net.queue_max;
	ret->events = f->nevents + f->net.nevents;
}

int fabric_run(const struct fabric_conf *conf, struct fabric_result *ret)
{
	struct fabric *f = memory_calloc(1, sizeof(*f));
	int err;

	*ret = (struct fabric_result){0};
	if (!f)
		return ERR_NOMEM;
	f->conf = conf;
	f->ret = ret;
	f->api = conf->api ? conf->api : &orc_reference;
	f->n = fabric_endpoints(&conf->topology);
	ret->endpoints = f->n;
	ret->judged = conf->judged < f->n ? conf->judged : f->n;
	err = fabric_make(f);
	if (!err) {
		fabric_go(f);
		err = f->err;
	}
	if (!err)
		err = flows_measure(&f->flows, ret);
	if (!err)
		fabric_count(f);
	fabric_free(f);
	return err;
}
