/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_ladder_test.c -- tests the SRD ladders about scale, at full
 * size: spray over 16 paths, 4,096 outstanding, 256 destinations, all to all.
 *
 * Any number of nodes are joined by a link on which each path has a delay of
 * its own.  Every message has a number, which travels as its immediate data.
 *
 * Spec: srd_wqe.md A.5, SL-06, SL-16, SL-24
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "oracle/oracle.h"
#include "wire/ib/ib.h"

#define NODES    257
#define QPS      64
#define MESSAGES 10000
#define FLIGHTS  16384
#define QKEY     0x55
#define MTU      1024
#define PATHS    16

struct srd_ladder_test_message {
	uint32_t src_node, src_qp, dst_node, dst_qpn, len;
	unsigned delivered;
	bool done, cancelled;
	enum orc_status status;
};

struct srd_ladder_test_flight {
	vtime at;
	uint32_t to;
	struct dgram *d;
};

struct world {
	struct rng rng;
	uint32_t nodes, qps;
	struct orc *end[NODES];
	uint32_t qpn[NODES][QPS], ah[NODES][NODES];
	vtime now;
	uint32_t loss; /* lost packets per 1000 */
	bool hold;     /* answers are held back */
	struct srd_ladder_test_flight flights[FLIGHTS];
	size_t nflights;
	struct srd_ladder_test_message m[MESSAGES];
	uint32_t posted, done, received, newest, late;
	uint64_t paths; /* used paths, one bit each */
	uint32_t sent;  /* requests on the wire, without duplicates */
};

static const struct orc_api *const api = &orc_reference;

static struct ip_addr srd_ladder_test_address(uint32_t node)
{
	return ip_addr_v4(0x0a000001u + node);
}

/* ---- The link ---- */

static void srd_ladder_test_fly(struct world *w, const struct dgram *d)
{
	const unsigned path = d->entropy - 0xc000u;
	struct srd_ladder_test_flight *f;

	w->paths |= (uint64_t)1 << (path & 63);
	w->sent += d->data[0] < IB_SRD_SYNC && d->data[bth_len + 2] == 0;
	if (rng_below(&w->rng, 1000) < w->loss)
		return;
	assert_true(w->nflights < FLIGHTS);
	f = &w->flights[w->nflights++];
	f->at = w->now + VSPAN_US * (20 + 40 * path + rng_below(&w->rng, 8));
	f->to = (uint32_t)(bits_get(d->dst.b, 0, 32) - 0x0a000001u);
	f->d = malloc(offsetof(struct dgram, data) + d->len);
	assert_non_null(f->d);
	dgram_copy(f->d, d);
}

/* ---- Events ---- */

static void srd_ladder_test_received(struct world *w, uint32_t node,
				     const struct orc_event *ev)
{
	struct srd_ladder_test_message *m = &w->m[ev->imm];

	if (ev->status != STATUS_OK)
		return;
	assert_true(ev->with_imm && ev->imm < w->posted);
	assert_int_equal(m->dst_node, node);
	assert_int_equal(m->dst_qpn, ev->qpn);
	assert_int_equal(m->len, ev->len);
	assert_int_equal(m->delivered++, 0);
	w->received++;
	w->late += ev->imm < w->newest;
	if (ev->imm > w->newest)
		w->newest = ev->imm;
}

static void srd_ladder_test_completed(struct world *w,
				      const struct orc_event *ev)
{
	struct srd_ladder_test_message *m = &w->m[ev->handle];

	assert_true(ev->handle < w->posted && !m->done && !m->cancelled);
	m->done = true;
	m->status = ev->status;
	w->done++;
}

static void srd_ladder_test_drain(struct world *w, uint32_t node)
{
	static struct dgram d;
	struct orc_event ev;

	while (api->poll_event(w->end[node], &ev))
		if (ev.kind == EV_RECV)
			srd_ladder_test_received(w, node, &ev);
		else if (ev.kind == EV_COMPLETION)
			srd_ladder_test_completed(w, &ev);
	while (api->poll_tx(w->end[node], &d))
		srd_ladder_test_fly(w, &d);
}

/* ---- Operations ---- */

static struct op_result srd_ladder_test_ask(struct world *w, uint32_t node,
					    struct orc_op op)
{
	struct op_result got = {0};

	op.ret = &got;
	assert_int_equal(api->post(w->end[node], &op, w->now), 0);
	srd_ladder_test_drain(w, node);
	return got;
}

static uint32_t srd_ladder_test_make_qp(struct world *w, uint32_t node,
					uint32_t buffers)
{
	static const enum qp_state way[] = {QP_INIT, QP_RTR, QP_RTS};
	const uint32_t qpn =
		srd_ladder_test_ask(w, node,
				    (struct orc_op){.kind = OP_CREATE_QP,
						    .vb.depth = 16384})
			.qpn;

	for (unsigned i = 0; i < 3; i++)
		srd_ladder_test_ask(w, node,
				    (struct orc_op){.kind = OP_MODIFY_QP,
						    .vb = {.qpn = qpn,
							   .state = way[i],
							   .qkey = QKEY}});
	srd_ladder_test_ask(w, node,
			    (struct orc_op){.kind = OP_POST_RECV,
					    .count = buffers,
					    .len = MTU,
					    .vb.qpn = qpn});
	return qpn;
}

static void srd_ladder_test_send(struct world *w, uint32_t from, uint32_t qp,
				 uint32_t to, uint32_t to_qp)
{
	const uint32_t id = w->posted++;
	struct srd_ladder_test_message *m = &w->m[id];

	assert_true(id < MESSAGES);
	*m = (struct srd_ladder_test_message){
		.src_node = from,
		.src_qp = qp,
		.dst_node = to,
		.dst_qpn = w->qpn[to][to_qp],
		.len = rng_below(&w->rng, MTU + 1)};
	srd_ladder_test_ask(w, from,
			    (struct orc_op){.kind = OP_POST_SEND,
					    .handle = id,
					    .len = m->len,
					    .vb = {.qpn = w->qpn[from][qp],
						   .ah = w->ah[from][to],
						   .dest_qp = m->dst_qpn,
						   .qkey = QKEY,
						   .imm = id,
						   .with_imm = true}});
}

/* ---- Time ---- */

static bool srd_ladder_test_is_held(const struct world *w,
				    const struct srd_ladder_test_flight *f)
{
	return w->hold && f->d->data[0] >= IB_SRD_ACK;
}

/* Returns the next arrival; nflights if there is none. */
static size_t first_flight(const struct world *w)
{
	size_t first = w->nflights;

	for (size_t i = 0; i < w->nflights; i++)
		if (!srd_ladder_test_is_held(w, &w->flights[i]) &&
		    (first == w->nflights ||
		     w->flights[i].at < w->flights[first].at))
			first = i;
	return first;
}

static bool srd_ladder_test_step(struct world *w, vtime until)
{
	const size_t i = first_flight(w);
	vtime at = i < w->nflights ? w->flights[i].at : VTIME_NEVER;
	uint32_t node = NODES;

	for (uint32_t e = 0; e < w->nodes; e++)
		if (api->deadline(w->end[e]) < at) {
			at = api->deadline(w->end[e]);
			node = e;
		}
	if (at > until)
		return false;
	w->now = vtime_max(w->now, at);
	if (node < NODES) {
		api->tick(w->end[node], w->now);
	} else {
		const struct srd_ladder_test_flight f = w->flights[i];

		w->flights[i] = w->flights[--w->nflights];
		node = f.to;
		assert_int_equal(api->feed(w->end[node], f.d, w->now), 0);
		free(f.d);
	}
	srd_ladder_test_drain(w, node);
	return true;
}

static void srd_ladder_test_run_for(struct world *w, vspan span)
{
	const vtime until = w->now + span;

	while (srd_ladder_test_step(w, until))
		;
	w->now = until;
}

/* ---- Worlds ---- */

static struct world *srd_ladder_test_open_world(uint32_t nodes, uint32_t qps,
						uint32_t buffers)
{
	struct world *w = calloc(1, sizeof(*w));
	struct orc_conf conf;

	assert_non_null(w);
	w->rng.state = nodes;
	w->nodes = nodes;
	w->qps = qps;
	for (uint32_t i = 0; i < nodes; i++) {
		orc_conf_default(&conf);
		conf.family = FAMILY_SRD;
		conf.addr = srd_ladder_test_address(i);
		conf.seed = i + 1;
		conf.mtu = MTU;
		conf.rto_init = 10 * VSPAN_MS;
		conf.rto_max = 160 * VSPAN_MS;
		conf.srd_paths = PATHS;
		assert_int_equal(api->make(&w->end[i], &conf), 0);
		for (uint32_t q = 0; q < qps; q++)
			w->qpn[i][q] = srd_ladder_test_make_qp(w, i, buffers);
	}
	return w;
}

/* Makes a handle of one node for another one. */
static void srd_ladder_test_join(struct world *w, uint32_t from, uint32_t to)
{
	const struct orc_op op = {.kind = OP_CREATE_AH,
				  .peer = srd_ladder_test_address(to)};

	w->ah[from][to] = srd_ladder_test_ask(w, from, op).ah;
}

static void srd_ladder_test_close_world(struct world *w)
{
	for (uint32_t i = 0; i < w->nodes; i++)
		api->free(w->end[i]);
	while (w->nflights)
		free(w->flights[--w->nflights].d);
	free(w);
}

static void all_success(const struct world *w)
{
	assert_int_equal(w->done, w->posted);
	for (uint32_t i = 0; i < w->posted; i++) {
		assert_int_equal(w->m[i].status, STATUS_OK);
		assert_int_equal(w->m[i].delivered, 1);
	}
}

/*
 * SL-06: 10,000 messages over 16 paths whose delays differ by far more than the
 * gap between two packets, 1 % lost.
 */
static void spray(void **state)
{
	struct world *w = srd_ladder_test_open_world(2, 1, MESSAGES);

	(void)state;
	srd_ladder_test_join(w, 0, 1);
	w->loss = 10;
	while (w->posted < MESSAGES) {
		srd_ladder_test_send(w, 0, 0, 1, 0);
		srd_ladder_test_run_for(w, 2 * VSPAN_US);
	}
	w->loss = 0;
	srd_ladder_test_run_for(w, 2 * VSPAN_S);
	all_success(w);
	assert_int_equal(w->paths, (1u << PATHS) - 1);
	assert_true(w->late > MESSAGES / 4); /* arrivals are not reordered */
	srd_ladder_test_close_world(w);
}

/* SL-16: 64 QPs with 64 WRs each on one handle; no answer arrives. */
static void many_outstanding(void **state)
{
	struct world *w = srd_ladder_test_open_world(2, QPS, 64);

	(void)state;
	srd_ladder_test_join(w, 0, 1);
	w->hold = true;
	for (uint32_t i = 0; i < 4096; i++)
		srd_ladder_test_send(w, 0, i % QPS, 1, i / QPS);
	srd_ladder_test_run_for(w, 5 * VSPAN_MS);
	assert_int_equal(w->sent, 4096);
	assert_int_equal(w->received, 4096);
	assert_int_equal(w->done, 0);
	w->hold = false;
	srd_ladder_test_run_for(w, VSPAN_S);
	all_success(w);
	srd_ladder_test_close_world(w);
}

/* SL-16 again: one QP, 256 nodes. */
static void many_nodes(void **state)
{
	struct world *w = srd_ladder_test_open_world(NODES, 1, 16);
	struct orc_stats stats;

	(void)state;
	for (uint32_t to = 1; to < NODES; to++)
		srd_ladder_test_join(w, 0, to);
	for (uint32_t i = 0; i < 16; i++)
		for (uint32_t to = 1; to < NODES; to++)
			srd_ladder_test_send(w, 0, 0, to, 0);
	api->stats(w->end[0], &stats);
	assert_int_equal(stats.contexts, NODES - 1);
	srd_ladder_test_run_for(w, 100 * VSPAN_MS);
	all_success(w);
	srd_ladder_test_close_world(w);
}

/*
 * Destroys a QP with all its WRs in flight and creates a new one in its place.
 */
static void replace_qp(struct world *w, uint32_t node, uint32_t qp)
{
	for (uint32_t i = 0; i < w->posted; i++) {
		struct srd_ladder_test_message *m = &w->m[i];

		m->cancelled |=
			m->src_node == node && m->src_qp == qp && !m->done;
	}
	srd_ladder_test_ask(w, node,
			    (struct orc_op){.kind = OP_DESTROY_QP,
					    .vb.qpn = w->qpn[node][qp]});
	w->qpn[node][qp] = srd_ladder_test_make_qp(w, node, 1024);
}

/* Checks the outcome of each message, given its destination's incarnation. */
static void srd_ladder_test_account(const struct world *w)
{
	for (uint32_t i = 0; i < w->posted; i++) {
		const struct srd_ladder_test_message *m = &w->m[i];

		if (m->cancelled)
			continue;
		assert_true(m->done);
		if (m->status == STATUS_OK)
			assert_int_equal(m->delivered, 1);
		else
			assert_int_equal(m->status, STATUS_BAD_DEST_QP);
		if (m->status == STATUS_BAD_DEST_QP)
			assert_int_equal(m->delivered, 0);
	}
}

/* SL-24: 8 nodes with 8 QPs each, 2 % lost, QPs that come and go. */
static void all_to_all(void **state)
{
	enum { EIGHT = 8 };
	struct world *w = srd_ladder_test_open_world(EIGHT, EIGHT, 1024);

	(void)state;
	for (uint32_t i = 0; i < EIGHT * EIGHT; i++)
		if (i / EIGHT != i % EIGHT)
			srd_ladder_test_join(w, i / EIGHT, i % EIGHT);
	w->loss = 20;
	while (w->posted < MESSAGES) {
		const uint32_t from = rng_below(&w->rng, EIGHT);
		const uint32_t step = 1 + rng_below(&w->rng, EIGHT - 1);

		srd_ladder_test_send(w, from, rng_below(&w->rng, EIGHT),
				     (from + step) % EIGHT,
				     rng_below(&w->rng, EIGHT));
		if (rng_below(&w->rng, 100) == 0)
			replace_qp(w, rng_below(&w->rng, EIGHT),
				   rng_below(&w->rng, EIGHT));
		srd_ladder_test_run_for(w, 5 * VSPAN_US);
	}
	w->loss = 0;
	srd_ladder_test_run_for(w, 2 * VSPAN_S);
	srd_ladder_test_account(w);
	assert_true(w->received > MESSAGES * 9 / 10);
	srd_ladder_test_close_world(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spray),
		cmocka_unit_test(many_outstanding),
		cmocka_unit_test(many_nodes),
		cmocka_unit_test(all_to_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
