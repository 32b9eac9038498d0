/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd_soak_test.c -- two SRD endpoints under random loss, duplication,
 * reordering, destroyed QPs and handles, restarts, empty receive queues.
 *
 * Every message has a number, which travels as its immediate data.  In a
 * thousand runs:
 *
 *	I1  no incarnation of the responder gets a message twice
 *	I2  Success means delivered, a drop error means not delivered; a WR has
 *	    one completion at most
 *	I3  once the link loses nothing any more, every WR ends
 *
 * and a WR ends as its destination, and what was destroyed, let it.
 *
 * Spec: srd_wqe.md C.4, D
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "oracle/oracle.h"

#define RUNS     1000
#define MESSAGES 300
#define FLIGHTS  4096
#define QKEY     0x1234
#define MTU      256

enum { A, B };

/* QPs of the responder, by what they are good for. */
enum { GOOD, DRY, ABSENT, DESTS };

struct message {
	bool posted, done, cancelled;
	bool ever;      /* delivered, in whatever incarnation */
	bool delivered; /* in this one */
	enum orc_status status;
	unsigned qp, dest;
	bool flushable; /* its handle is being destroyed */
	uint32_t len;
};

struct flight {
	vtime at;
	unsigned to;
	struct dgram *d;
};

struct world {
	struct rng rng;
	struct orc *end[2];
	struct orc_conf conf[2];
	vtime now;
	uint32_t loss, dup; /* of 1000 */
	uint32_t spread;    /* us of delay */
	struct flight flights[FLIGHTS];
	size_t nflights;
	uint32_t qp[2], ah, dest[DESTS];
	struct message m[MESSAGES];
	uint32_t posted;
	bool restarts;
	uint64_t packets;
};

static const struct orc_api *const api = &orc_reference;

static bool chance(struct world *w, uint32_t of1000)
{
	return rng_below(&w->rng, 1000) < of1000;
}

/* ---- The link ---- */

static void fly(struct world *w, unsigned to, const struct dgram *d)
{
	struct flight *f;

	if (chance(w, w->loss) || w->nflights == FLIGHTS)
		return;
	f = &w->flights[w->nflights++];
	f->at = w->now + VSPAN_US * (1 + rng_below(&w->rng, w->spread));
	f->to = to;
	f->d = malloc(offsetof(struct dgram, data) + d->len);
	assert_non_null(f->d);
	dgram_copy(f->d, d);
}

/* ---- What is told ---- */

static void check_bytes(struct world *w, uint32_t id, uint32_t len)
{
	const uint8_t *p = NULL;
	size_t n = 0;

	assert_int_equal(api->memory(w->end[B], 0, &p, &n), 0);
	assert_int_equal(n, len);
	for (uint32_t i = 0; i < len; i++)
		assert_int_equal(p[i], ses_pattern((uint16_t)id, i));
}

static void received(struct world *w, const struct orc_event *ev)
{
	struct message *m = &w->m[ev->imm];

	if (ev->status != STATUS_OK)
		return;
	assert_true(ev->with_imm && ev->imm < MESSAGES && m->posted);
	assert_int_equal(ev->len, m->len);
	if (m->delivered)
		fail_msg("message %u is delivered twice", ev->imm);
	m->delivered = m->ever = true;
	check_bytes(w, ev->imm, m->len);
}

static bool is_drop(enum orc_status s)
{
	return s >= STATUS_REMOTE_INVALID && s <= STATUS_RNR;
}

/* What a WR may come to, by where it went. */
static bool may_end(const struct world *w, const struct message *m,
		    enum orc_status status)
{
	if (status == STATUS_FLUSHED)
		return m->flushable;
	if (status == STATUS_REMOTE_ABORT)
		return w->restarts;
	if (m->dest == ABSENT)
		return status == STATUS_BAD_DEST_QP;
	return status == STATUS_OK || (m->dest == DRY && status == STATUS_RNR);
}

static void completed(struct world *w, const struct orc_event *ev)
{
	struct message *m = &w->m[ev->handle];

	assert_true(ev->handle < MESSAGES && m->posted);
	if (m->done || m->cancelled)
		fail_msg("message %u completes again", ev->handle);
	if (!may_end(w, m, ev->status))
		fail_msg("message %u ends in %d", ev->handle, (int)ev->status);
	m->done = true;
	m->status = ev->status;
	if (ev->status == STATUS_OK && !m->ever)
		fail_msg("message %u: Success, not delivered", ev->handle);
}

static void drain(struct world *w, unsigned side)
{
	static struct dgram d;
	struct orc_event ev;

	while (api->poll_event(w->end[side], &ev))
		if (ev.kind == EV_RECV)
			received(w, &ev);
		else if (ev.kind == EV_COMPLETION)
			completed(w, &ev);
	while (api->poll_tx(w->end[side], &d)) {
		w->packets++;
		fly(w, !side, &d);
		if (chance(w, w->dup))
			fly(w, !side, &d);
	}
}

/* ---- What is asked for ---- */

static int post(struct world *w, unsigned side, struct orc_op op,
		struct op_result *ret)
{
	int err;

	op.ret = ret;
	err = api->post(w->end[side], &op, w->now);
	drain(w, side);
	return err;
}

static uint32_t make_qp(struct world *w, unsigned side)
{
	static const enum qp_state way[] = {QP_INIT, QP_RTR, QP_RTS};
	struct op_result got = {0};

	assert_int_equal(
		post(w, side, (struct orc_op){.kind = OP_CREATE_QP}, &got), 0);
	for (unsigned i = 0; i < 3; i++) {
		const struct orc_op op = {
			.kind = OP_MODIFY_QP,
			.vb = {.qpn = got.qpn, .state = way[i], .qkey = QKEY}};

		assert_int_equal(post(w, side, op, NULL), 0);
	}
	return got.qpn;
}

static void make_ah(struct world *w)
{
	const struct orc_op op = {.kind = OP_CREATE_AH,
				  .peer = w->conf[B].addr};
	struct op_result got = {0};

	assert_int_equal(post(w, A, op, &got), 0);
	w->ah = got.ah;
}

static void refill(struct world *w, unsigned dest, uint32_t n)
{
	const struct orc_op op = {.kind = OP_POST_RECV,
				  .count = n,
				  .len = MTU,
				  .vb.qpn = w->dest[dest]};

	assert_int_equal(post(w, B, op, NULL), 0);
}

static void make_dests(struct world *w)
{
	w->dest[GOOD] = make_qp(w, B);
	w->dest[DRY] = make_qp(w, B);
	w->dest[ABSENT] = 0xfffff0;
	refill(w, GOOD, 2 * MESSAGES);
	refill(w, DRY, 2);
}

static void send(struct world *w)
{
	const uint32_t id = w->posted++;
	struct message *m = &w->m[id];
	struct orc_op op = {.kind = OP_POST_SEND, .handle = id};

	m->posted = true;
	m->qp = rng_below(&w->rng, 2);
	m->len = rng_below(&w->rng, MTU + 1);
	m->dest = chance(w, 800) ? GOOD : rng_below(&w->rng, DESTS);
	op.len = m->len;
	op.vb = (struct verbs_op){
		.qpn = w->qp[m->qp],
		.ah = w->ah,
		.dest_qp = w->dest[m->dest],
		.qkey = QKEY,
		.imm = id,
		.with_imm = true,
	};
	assert_int_equal(post(w, A, op, NULL), 0);
}

static void destroy_qp(struct world *w)
{
	const unsigned which = rng_below(&w->rng, 2);
	const struct orc_op op = {.kind = OP_DESTROY_QP,
				  .vb.qpn = w->qp[which]};

	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].cancelled |= w->m[i].qp == which && !w->m[i].done;
	assert_int_equal(post(w, A, op, NULL), 0);
	w->qp[which] = make_qp(w, A);
}

static void destroy_ah(struct world *w)
{
	const struct orc_op op = {.kind = OP_DESTROY_AH, .vb.ah = w->ah};

	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].flushable = true;
	assert_int_equal(post(w, A, op, NULL), 0);
	for (uint32_t i = 0; i < w->posted; i++)
		assert_true(w->m[i].done || w->m[i].cancelled);
	make_ah(w);
}

static void restart(struct world *w)
{
	w->restarts = true;
	api->reset(w->end[B], rng_next(&w->rng));
	for (uint32_t i = 0; i < w->posted; i++)
		w->m[i].delivered = false;
	make_dests(w);
}

/* ---- Time ---- */

static size_t first_flight(const struct world *w)
{
	size_t first = 0;

	for (size_t i = 1; i < w->nflights; i++)
		if (w->flights[i].at < w->flights[first].at)
			first = i;
	return first;
}

/* The next thing happens, not after |until|; false: nothing does. */
static bool step(struct world *w, vtime until)
{
	const size_t i = first_flight(w);
	vtime at = w->nflights ? w->flights[i].at : VTIME_NEVER;
	unsigned side = 0;
	bool flight = true;

	for (unsigned e = 0; e < 2; e++)
		if (api->deadline(w->end[e]) < at) {
			at = api->deadline(w->end[e]);
			side = e;
			flight = false;
		}
	if (at > until)
		return false;
	w->now = vtime_max(w->now, at);
	if (flight) {
		struct flight f = w->flights[i];

		w->flights[i] = w->flights[--w->nflights];
		side = f.to;
		assert_int_equal(api->feed(w->end[side], f.d, w->now), 0);
		free(f.d);
	} else {
		api->tick(w->end[side], w->now);
	}
	drain(w, side);
	return true;
}

static void run_for(struct world *w, vspan span)
{
	const vtime until = w->now + span;

	while (step(w, until))
		;
	w->now = until;
}

static bool all_done(const struct world *w)
{
	for (uint32_t i = 0; i < w->posted; i++)
		if (!w->m[i].done && !w->m[i].cancelled)
			return false;
	return true;
}

/* ---- A run ---- */

static void open_world(struct world *w, uint64_t seed)
{
	static const uint32_t windows[] = {64, 128, 8192};

	memset(w, 0, sizeof(*w));
	w->rng.state = seed;
	w->loss = rng_below(&w->rng, 500);
	w->dup = rng_below(&w->rng, 300);
	w->spread = 1 + rng_below(&w->rng, 20000);
	for (unsigned e = 0; e < 2; e++) {
		struct orc_conf *c = &w->conf[e];

		orc_conf_default(c);
		c->family = FAMILY_SRD;
		c->addr = ip_addr_v4(0x0a000001u + e);
		c->seed = seed * 2 + e;
		c->mtu = MTU;
		c->crc = seed & 1;
		c->rto_init = 10 * VSPAN_MS;
		c->rto_max = 160 * VSPAN_MS;
		c->srd_window = windows[rng_below(&w->rng, 3)];
		c->start_psn_fixed = seed % 3 == 0;
		c->start_psn = 0xffff80;
		assert_int_equal(api->make(&w->end[e], c), 0);
	}
	/* The windows of both ends need not be the same. */
	w->qp[0] = make_qp(w, A);
	w->qp[1] = make_qp(w, A);
	make_ah(w);
	make_dests(w);
}

static void close_world(struct world *w)
{
	for (unsigned e = 0; e < 2; e++)
		api->free(w->end[e]);
	while (w->nflights)
		free(w->flights[--w->nflights].d);
}

static void disturb(struct world *w, bool restarts)
{
	if (chance(w, 20))
		destroy_qp(w);
	if (chance(w, 8))
		destroy_ah(w);
	if (chance(w, 50))
		refill(w, DRY, 1 + rng_below(&w->rng, 3));
	if (restarts && chance(w, 5))
		restart(w);
}

static void judge(struct world *w, uint64_t seed)
{
	for (uint32_t i = 0; i < w->posted; i++) {
		const struct message *m = &w->m[i];

		if (!m->done && !m->cancelled)
			fail_msg("run %llu: message %u never ends",
				 (unsigned long long)seed, i);
		if (m->done && is_drop(m->status) && m->ever)
			fail_msg("run %llu: message %u: %d, but delivered",
				 (unsigned long long)seed, i, (int)m->status);
	}
}

static uint64_t run(uint64_t seed)
{
	static struct world w;
	const bool restarts = seed % 4 == 0;
	uint64_t packets;

	open_world(&w, seed);
	while (w.posted < MESSAGES) {
		for (uint32_t n = rng_below(&w.rng, 12);
		     n && w.posted < MESSAGES; n--)
			send(&w);
		disturb(&w, restarts);
		run_for(&w, VSPAN_US * rng_below(&w.rng, 4000));
	}
	w.loss = w.dup = 0;
	for (unsigned i = 0; i < 200 && !all_done(&w); i++)
		run_for(&w, 100 * VSPAN_MS);
	judge(&w, seed);
	packets = w.packets;
	close_world(&w);
	return packets;
}

static void a_thousand_runs(void **state)
{
	uint64_t packets = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= RUNS; seed++)
		packets += run(seed);
	print_message("%d runs, %llu packets\n", RUNS,
		      (unsigned long long)packets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thousand_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
