/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/srd.c -- counts packets per second through a coupled pair of SRD
 * endpoints, with 64 and with 4,096 messages outstanding, and with 1 and with
 * 10,000 contexts.
 *
 * A context joins an address handle of the requester with the responder; each
 * handle has an address of its own.  The bench brings all packets to the one
 * responder, with their destination address as their source, so that they seem
 * to come from as many nodes.  The next handle is drawn at random. Time is
 * virtual and nothing is lost; there is no ICRC, which would cover the
 * addresses that the bench exchanges.  Messages have 1,024 bytes.
 *
 * A packet counts once it is delivered, requests and answers.  The four are
 * measured in turns, several times over, and the best of each counts.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "bench/bench.h"
#include "oracle/oracle.h"

#define CONTEXTS_MAX 10000
#define DEPTH        8192
#define LEN          1024
#define HOP          (2 * VSPAN_US)
#define TURNS        6
#define BURST        16 /* packets that a driver takes from its ring at once */

struct bench {
	uint32_t contexts, outstanding;
	struct orc *end[2];
	struct rng rng;
	vtime now;
	uint32_t qpn[2], ah[CONTEXTS_MAX];
	uint64_t packets, posted, done;
	struct dgram burst[BURST];
};

static const struct orc_api *const api = &orc_reference;

static void bench_srd_must(int err)
{
	if (err) {
		fprintf(stderr, "srd: error %d\n", err);
		exit(1);
	}
}

static struct ip_addr bench_srd_address_of(uint32_t k)
{
	return ip_addr_v4(0x0a000000u + k);
}

static void bench_srd_open_end(struct bench *b, unsigned i)
{
	struct orc_conf conf;

	orc_conf_default(&conf);
	conf.family = FAMILY_SRD;
	conf.addr = ip_addr_v4(0x7f000001u + i);
	conf.seed = i + 1;
	bench_srd_must(api->make(&b->end[i], &conf));
}

static struct op_result bench_srd_ask(struct bench *b, unsigned end,
				      struct orc_op op)
{
	struct op_result got = {0};

	op.ret = &got;
	bench_srd_must(api->post(b->end[end], &op, b->now));
	return got;
}

static uint32_t bench_srd_make_qp(struct bench *b, unsigned end)
{
	static const enum qp_state way[] = {QP_INIT, QP_RTR, QP_RTS};
	const struct orc_op create = {.kind = OP_CREATE_QP, .vb.depth = DEPTH};
	const uint32_t qpn = bench_srd_ask(b, end, create).qpn;

	for (unsigned i = 0; i < 3; i++)
		bench_srd_ask(
			b, end,
			(struct orc_op){.kind = OP_MODIFY_QP,
					.vb = {.qpn = qpn, .state = way[i]}});
	return qpn;
}

static void provide(struct bench *b, uint32_t n)
{
	bench_srd_ask(b, 1,
		      (struct orc_op){.kind = OP_POST_RECV,
				      .len = LEN,
				      .count = n,
				      .vb.qpn = b->qpn[1]});
}

static void open_bench(struct bench *b, uint32_t contexts, uint32_t outstanding)
{
	b->contexts = contexts;
	b->outstanding = outstanding;
	b->rng.state = 1;
	for (unsigned i = 0; i < 2; i++) {
		bench_srd_open_end(b, i);
		b->qpn[i] = bench_srd_make_qp(b, i);
	}
	for (uint32_t k = 0; k < contexts; k++)
		b->ah[k] =
			bench_srd_ask(b, 0,
				      (struct orc_op){
					      .kind = OP_CREATE_AH,
					      .peer = bench_srd_address_of(k)})
				.ah;
	provide(b, outstanding);
}

static void bench_srd_post(struct bench *b)
{
	struct orc_op ops[BURST];

	for (unsigned i = 0; i < BURST; i++)
		ops[i] = (struct orc_op){
			.kind = OP_POST_SEND,
			.len = LEN,
			.vb = {.qpn = b->qpn[0],
			       .ah = b->ah[rng_below(&b->rng, b->contexts)],
			       .dest_qp = b->qpn[1]},
		};
	api->expect_post(b->end[0], ops, BURST);
	for (unsigned i = 0; i < BURST; i++)
		bench_srd_must(api->post(b->end[0], &ops[i], b->now));
	b->posted += BURST;
}

/*
 * Moves packets to the responder as if from each node, and back as if from it.
 */
static unsigned bench_srd_poll_burst(struct bench *b, unsigned from)
{
	unsigned n = 0;

	while (n < BURST && api->poll_tx(b->end[from], &b->burst[n])) {
		b->burst[n].src = b->burst[n].dst;
		n++;
	}
	return n;
}

static void bench_srd_carry(struct bench *b, unsigned from)
{
	unsigned n;

	while ((n = bench_srd_poll_burst(b, from))) {
		for (unsigned i = 0; i < n; i++)
			api->expect_feed(b->end[!from], &b->burst[i]);
		for (unsigned i = 0; i < n; i++)
			bench_srd_must(
				api->feed(b->end[!from], &b->burst[i], b->now));
		b->packets += n;
	}
}

static uint32_t events(struct bench *b, unsigned end, enum orc_event_kind kind)
{
	struct orc_event ev;
	uint32_t n = 0;

	while (api->poll_event(b->end[end], &ev)) {
		n += ev.kind == kind;
		if (ev.status != STATUS_OK)
			bench_srd_must(-1);
	}
	return n;
}

static void bench_srd_turn(struct bench *b)
{
	while (b->posted - b->done < b->outstanding)
		bench_srd_post(b);
	b->now += HOP;
	bench_srd_carry(b, 0);
	provide(b, events(b, 1, EV_RECV));
	b->now += HOP;
	bench_srd_carry(b, 1);
	b->done += events(b, 0, EV_COMPLETION);
}

/*
 * Returns packets per second of processor time, which load on the machine
 * affects less.
 */
static double bench_srd_slice(struct bench *b, double seconds)
{
	const double began = bench_cpu();
	const uint64_t packets = b->packets;
	double now;

	do
		bench_srd_turn(b);
	while ((now = bench_cpu()) - began < seconds);
	return (double)(b->packets - packets) / (now - began);
}

int main(void)
{
	static struct bench b[4];
	static const uint32_t what[4][2] = {
		{1, 64}, {1, 4096}, {CONTEXTS_MAX, 64}, {CONTEXTS_MAX, 4096}};
	double best[4] = {0};

	for (unsigned i = 0; i < 4; i++) {
		open_bench(&b[i], what[i][0], what[i][1]);
		bench_srd_slice(&b[i], 0.05); /* uses about all contexts once */
	}
	for (unsigned t = 0; t < TURNS; t++)
		for (unsigned i = 0; i < 4; i++) {
			const double got =
				bench_srd_slice(&b[i], bench_seconds() / TURNS);

			if (got > best[i])
				best[i] = got;
		}
	printf("{\"bench\": \"srd\"");
	for (unsigned i = 0; i < 4; i++) {
		printf(", \"packets_per_second_%" PRIu32 "_contexts_%" PRIu32
		       "_outstanding\": %.0f",
		       what[i][0], what[i][1], best[i]);
		for (unsigned e = 0; e < 2; e++)
			api->free(b[i].end[e]);
	}
	printf(", \"ratio_contexts_64\": %.2f, \"ratio_contexts_4096\": %.2f, "
	       "\"ratio_outstanding\": %.2f}\n",
	       best[0] / best[2], best[1] / best[3], best[0] / best[1]);
	return 0;
}
