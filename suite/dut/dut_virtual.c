/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_virtual.c -- a reference endpoint in the DUT's chair, in
 * virtual time.
 *
 * The link is two queues with the same delay, so each is ordered by time.  A
 * wait sets the time to the earliest of: the two queues' heads, the endpoint's
 * deadline, the caller's |until|.
 */
#include "suite/dut/dut_virtual.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "oracle/oracle.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_serve.h"
#include "suite/dut/dut.h"

/* Steps without time passing after which an endpoint counts as looping. */
#define STEPS_MAX 10000

/*
 * Timers that fire, and cause neither a packet nor an event, after which an
 * endpoint counts as looping although time passes.
 */
#define IDLE_TICKS_MAX 1000000

struct dut_virtual_flight {
	struct dut_virtual_flight *next;
	vtime due;
	struct dgram d;
};

struct queue {
	struct dut_virtual_flight *first, **last;
};

struct dut_virtual {
	struct dut dut;
	const struct orc_api *api;
	struct orc *orc;
	struct orc_conf conf;
	struct ip_addr tester; /* as the caller gave it */
	vspan delay;
	vtime now;
	unsigned steps;      /* steps since time advanced */
	unsigned idle_ticks; /* since the last packet or event */
	struct queue to_dut, from_dut;
	struct dut_virtual_flight *spare;
	struct ctl_ans answer; /* at most one request is outstanding */
	bool answered;
	struct orc_event ahead; /* taken by dut_virtual_has_event */
	bool has_ahead;
	struct dgram scratch;
};

static struct dut_virtual *dut_virtual_self(struct dut *d)
{
	return (struct dut_virtual *)d;
}

static void queue_init(struct queue *q)
{
	q->first = NULL;
	q->last = &q->first;
}

static int queue_push(struct dut_virtual *v, struct queue *q,
		      const struct dgram *d)
{
	struct dut_virtual_flight *f = v->spare;

	if (f)
		v->spare = f->next;
	else
		f = memory_alloc(sizeof(*f));
	if (!f)
		return ERR_NOMEM;
	f->next = NULL;
	f->due = v->now + v->delay;
	dgram_copy(&f->d, d);
	*q->last = f;
	q->last = &f->next;
	return 0;
}

/* Removes the head; its memory is valid until the next push. */
static struct dut_virtual_flight *queue_pop(struct dut_virtual *v,
					    struct queue *q)
{
	struct dut_virtual_flight *f = q->first;

	q->first = f->next;
	if (!q->first)
		q->last = &q->first;
	f->next = v->spare;
	v->spare = f;
	return f;
}

static void queue_drop(struct dut_virtual *v, struct queue *q)
{
	while (q->first)
		queue_pop(v, q);
}

static vtime dut_virtual_due(const struct queue *q)
{
	if (q->first)
		return q->first->due;
	return VTIME_NEVER;
}

/* Moves the endpoint's output onto the link; packets to itself return to it. */
static int dut_virtual_drain(struct dut_virtual *v)
{
	while (v->api->poll_tx(v->orc, &v->scratch)) {
		v->scratch.src = v->dut.peer;
		v->scratch.headers = 1; /* the virtual link delivers outer
					   headers unchanged */
		if (++v->steps > STEPS_MAX)
			return 0;
		v->idle_ticks = 0;
		if (queue_push(v,
			       ip_addr_equal(&v->scratch.dst, &v->dut.peer)
				       ? &v->to_dut
				       : &v->from_dut,
			       &v->scratch))
			return ERR_NOMEM;
	}
	return 0;
}

static vtime virtual_now(struct dut *d)
{
	return dut_virtual_self(d)->now;
}

static int virtual_send(struct dut *d, struct dgram *dg)
{
	struct dut_virtual *v = dut_virtual_self(d);

	dgram_copy(&v->scratch, dg);
	if (crc_seal(&v->scratch, d->link.crc_order))
		return ERR_SPACE;
	return queue_push(v, &v->to_dut, &v->scratch);
}

static int virtual_control(struct dut *d, const struct ctl_req *req)
{
	struct dut_virtual *v = dut_virtual_self(d);

	ctl_serve(v->api, v->orc, req, v->now, &v->answer);
	v->answered = true;
	return dut_virtual_drain(v);
}

static bool dut_virtual_progresses(const struct dut_virtual *v)
{
	return v->steps <= STEPS_MAX && v->idle_ticks <= IDLE_TICKS_MAX;
}

/* Returns true for an endpoint that loops, which counts as gone. */
static bool dut_virtual_loops(const struct dut_virtual *v,
			      struct dut_event *ret)
{
	if (dut_virtual_progresses(v))
		return false;
	ret->kind = DUT_GONE;
	if (v->steps > STEPS_MAX)
		snprintf(ret->text, sizeof(ret->text),
			 "the endpoint loops: %u steps without time passing",
			 STEPS_MAX);
	else
		snprintf(ret->text, sizeof(ret->text),
			 "the endpoint loops: its timers fired %u times "
			 "without a packet or an event",
			 IDLE_TICKS_MAX);
	return true;
}

/* Runs the endpoint at |at|: delivers a datagram or fires its timers. */
static int dut_virtual_turn(struct dut_virtual *v, vtime at)
{
	if (at > v->now)
		v->steps = 0;
	v->now = at;
	v->steps++;
	if (dut_virtual_due(&v->to_dut) <= at) {
		int err =
			v->api->feed(v->orc, &queue_pop(v, &v->to_dut)->d, at);

		if (err)
			return err;
	} else {
		v->idle_ticks++;
		v->api->tick(v->orc, at);
	}
	return dut_virtual_drain(v);
}

static void dut_virtual_deliver(struct dut_virtual *v, struct dut_event *ret)
{
	struct dut_virtual_flight *f = queue_pop(v, &v->from_dut);

	if (f->due > v->now)
		v->steps = 0;
	v->now = f->due;
	ret->kind = DUT_DGRAM;
	ret->at = v->now;
	dgram_copy(&ret->d, &f->d);
	if (v->dut.link.crc)
		crc_open(&ret->d, v->dut.link.crc_order, v->dut.link.icrc);
	v->dut.counts.crc_bad += ret->d.crc == DGRAM_CRC_WRONG;
}

/* Moves the endpoint's next event to *ret.  Return: false if there is none. */
static bool dut_virtual_event(struct dut_virtual *v, struct orc_event *ret)
{
	if (!v->has_ahead)
		return v->api->poll_event(v->orc, ret);
	*ret = v->ahead;
	v->has_ahead = false;
	return true;
}

bool dut_virtual_has_event(struct dut *d)
{
	struct dut_virtual *v = dut_virtual_self(d);

	if (v->answered || !dut_virtual_progresses(v))
		return false;
	if (!v->has_ahead)
		v->has_ahead = v->api->poll_event(v->orc, &v->ahead);
	return v->has_ahead;
}

static int virtual_next(struct dut *d, vtime until, struct dut_event *ret)
{
	struct dut_virtual *v = dut_virtual_self(d);

	for (;;) {
		vtime mine, theirs = dut_virtual_due(&v->from_dut);
		int err;

		ret->at = v->now;
		if (dut_virtual_loops(v, ret))
			return 0;
		if (v->answered) {
			v->answered = false;
			ret->kind = DUT_ANSWER;
			ret->ans = v->answer;
			return 0;
		}
		if (dut_virtual_event(v, &ret->ev)) {
			v->steps++;
			v->idle_ticks = 0;
			ret->kind = DUT_EVENT;
			return 0;
		}
		mine = vtime_max(vtime_min(dut_virtual_due(&v->to_dut),
					   v->api->deadline(v->orc)),
				 v->now);
		if (theirs <= mine && theirs <= until) {
			dut_virtual_deliver(v, ret);
			return 0;
		}
		if (mine > until) {
			if (until > v->now)
				v->steps = 0;
			v->now = vtime_max(v->now, until);
			ret->kind = DUT_TIMEOUT;
			ret->at = v->now;
			return 0;
		}
		err = dut_virtual_turn(v, mine);
		if (err)
			return err;
	}
}

/* An endpoint whose answer or event is pending is due at once. */
static void virtual_awaits(struct dut *d, int *ret_fds, vtime *ret_until)
{
	struct dut_virtual *v = dut_virtual_self(d);
	vtime due = v->api->deadline(v->orc);

	for (unsigned i = 0; i < DUT_FDS; i++)
		ret_fds[i] = -1;
	due = vtime_min(due, dut_virtual_due(&v->to_dut));
	due = vtime_min(due, dut_virtual_due(&v->from_dut));
	if (v->answered)
		due = v->now;
	*ret_until = vtime_max(due, v->now);
}

/* Returns fd00::a00:1 for 10.0.0.1, a unique local address. */
static struct ip_addr dut_virtual_ip6(const struct ip_addr *v4)
{
	struct ip_addr a = {.len = 16, .b = {0xfd}};

	memcpy(a.b + 12, v4->b, 4);
	return a;
}

/* An endpoint keeps its address, so another address needs another endpoint. */
static int virtual_use_ip6(struct dut *d, bool on)
{
	struct dut_virtual *v = dut_virtual_self(d);
	struct orc_conf conf;
	struct orc *orc;
	int err;

	if (v->conf.addr.len != 4 || on == (d->peer.len == 16))
		return 0;
	conf = v->conf;
	if (on)
		conf.addr = dut_virtual_ip6(&v->conf.addr);
	err = v->api->make(&orc, &conf);
	if (err)
		return err;
	v->api->free(v->orc);
	v->orc = orc;
	v->has_ahead = false;
	d->peer = conf.addr;
	d->tester = on ? dut_virtual_ip6(&v->tester) : v->tester;
	return 0;
}

static int virtual_begin(struct dut *d, uint64_t seed)
{
	struct dut_virtual *v = dut_virtual_self(d);

	queue_drop(v, &v->to_dut);
	queue_drop(v, &v->from_dut);
	v->answered = false;
	v->has_ahead = false;
	v->steps = 0;
	v->idle_ticks = 0;
	v->now = 0;
	d->link = d->declared;
	d->counts = (struct dut_counts){0};
	v->api->reset(v->orc, seed);
	return 0;
}

static void virtual_free(struct dut *d)
{
	struct dut_virtual *v = dut_virtual_self(d);

	queue_drop(v, &v->to_dut);
	queue_drop(v, &v->from_dut);
	while (v->spare) {
		struct dut_virtual_flight *f = v->spare;

		v->spare = f->next;
		free(f);
	}
	v->api->free(v->orc);
	free(v);
}

/* Nothing to count: only the case drops packets. */
static void virtual_tally(struct dut *d)
{
	(void)d;
}

static const struct dut_ops virtual_ops = {
	.now = virtual_now,
	.send = virtual_send,
	.control = virtual_control,
	.next = virtual_next,
	.awaits = virtual_awaits,
	.tally = virtual_tally,
	.use_ip6 = virtual_use_ip6,
	.begin = virtual_begin,
	.free = virtual_free,
};

int dut_virtual_new(struct dut **ret, const struct orc_api *api,
		    const struct orc_conf *conf, struct ip_addr tester,
		    vspan delay)
{
	static const struct ctl_req hello = {.verb = CTL_HELLO,
					     .name = "hello"};
	struct dut_virtual *v = memory_calloc(1, sizeof(*v));
	int err;

	if (!v)
		return ERR_NOMEM;
	v->api = api;
	v->conf = *conf;
	v->tester = tester;
	v->delay = delay;
	queue_init(&v->to_dut);
	queue_init(&v->from_dut);
	err = api->make(&v->orc, conf);
	if (err) {
		free(v);
		return err;
	}
	v->dut = (struct dut){
		.ops = &virtual_ops,
		.tester = tester,
		.peer = conf->addr,
		.round_trip = 2 * delay,
		.control = true,
		.virtual = true,
		.frames = true,
		.declared = {conf->crc, conf->crc_order, conf->native,
			     conf->icrc},
	};
	v->dut.link = v->dut.declared;
	ctl_serve(api, v->orc, &hello, 0, &v->answer);
	memcpy(v->dut.verbs, v->answer.verbs, sizeof(v->dut.verbs));
	*ret = &v->dut;
	return 0;
}
