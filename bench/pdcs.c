/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/pdcs.c -- measures the cost of a packet, and the memory of an idle PDC,
 * with 1 to 100,000 PDCs whose flows are interleaved at random.
 *
 * A PDCID has 16 bits, so one endpoint cannot hold so many: there are up to
 * four pairs of endpoints with 25,000 PDCs each.  A PDC joins two addresses.
 * The initiator sends to 25,000 peers; the bench plays the network, brings all
 * of them to the one target, and returns the answers with the address that the
 * request went to.  Each flow sends messages of one packet with a standard
 * header; 64 are in flight at any time, over all PDCs.  Time is virtual and
 * nothing is lost.
 *
 * Two lengths of payload: a full packet of 1,024 bytes, and for comparison 64
 * bytes, where hardly anything hides the cache misses.  There is no CRC: it
 * would cover the addresses that the bench exchanges.
 *
 * A packet counts once it is delivered, requests and ACKs.  The memory is what
 * malloc has handed out for both ends of all idle PDCs, divided by their
 * number, minus that of the endpoints without PDCs.
 */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "bench/bench.h"
#include "oracle/oracle.h"

#define PAIRS         4
#define PDCS_PER_PAIR 25000
#define OUTSTANDING   64
#define BURST         16 /* packets that a driver takes from its ring at once */
#define HOP           (2 * VSPAN_US)
#define SLICES        8

struct pair {
	struct orc *end[2];
	uint16_t peer_of[65536]; /* indexed by the initiator's PDCID */
};

struct bench {
	uint32_t payload;
	struct pair pair[PAIRS];
	unsigned npairs;
	uint32_t pdcs, per_pair;
	struct rng rng;
	vtime now;
	uint64_t packets, posted, done;
	struct dgram burst[BURST];
};

static void pdcs_must(int err)
{
	if (err) {
		fprintf(stderr, "pdcs: error %d\n", err);
		exit(1);
	}
}

static struct ip_addr pdcs_address_of(unsigned pair, uint32_t k)
{
	return ip_addr_v4(0x0a000000u + ((pair + 1) << 16) + k);
}

static void pdcs_open_end(struct bench *b, unsigned pair, unsigned i)
{
	struct orc_conf conf;

	orc_conf_default(&conf);
	conf.addr = ip_addr_v4(0x7f000001u + pair * 2 + i);
	conf.seed = pair * 2 + i + 1;
	conf.max_pdcs = UINT16_MAX;
	pdcs_must(orc_reference.make(&b->pair[pair].end[i], &conf));
}

static struct orc_op send_to(const struct bench *b, unsigned pair, uint32_t k)
{
	return (struct orc_op){
		.kind = OP_SEND,
		.peer = pdcs_address_of(pair, k),
		.len = b->payload,
	};
}

static void pdcs_post(struct bench *b, unsigned pair, const struct orc_op *ops,
		      unsigned n)
{
	struct orc *end = b->pair[pair].end[0];

	orc_reference.expect_post(end, ops, n);
	for (unsigned i = 0; i < n; i++)
		pdcs_must(orc_reference.post(end, &ops[i], b->now));
	b->posted += n;
}

/* Takes a burst of outgoing datagrams from an end. */
static unsigned pdcs_poll_burst(struct bench *b, struct orc *end)
{
	unsigned n = 0;

	while (n < BURST && orc_reference.poll_tx(end, &b->burst[n]))
		n++;
	return n;
}

static void feed_burst(struct bench *b, struct orc *end, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		orc_reference.expect_feed(end, &b->burst[i]);
	for (unsigned i = 0; i < n; i++)
		pdcs_must(orc_reference.feed(end, &b->burst[i], b->now));
	b->packets += n;
}

static uint16_t pdcs_get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

/*
 * Moves packets from all peers to the one target; the request holds its
 * sender's PDCID.
 */
static void carry_there(struct bench *b, struct pair *p)
{
	unsigned n;

	while ((n = pdcs_poll_burst(b, p->end[0]))) {
		for (unsigned i = 0; i < n; i++) {
			const struct dgram *d = &b->burst[i];

			p->peer_of[pdcs_get16(d->data + 8)] =
				pdcs_get16(d->dst.b + 2);
		}
		feed_burst(b, p->end[1], n);
	}
}

/* Moves the answers back, as if that peer had answered. */
static void carry_back(struct bench *b, unsigned pair)
{
	struct pair *p = &b->pair[pair];
	unsigned n;

	while ((n = pdcs_poll_burst(b, p->end[1]))) {
		for (unsigned i = 0; i < n; i++) {
			struct dgram *d = &b->burst[i];
			const uint16_t dpdcid = pdcs_get16(d->data + 10);

			d->src = pdcs_address_of(pair, p->peer_of[dpdcid]);
		}
		feed_burst(b, p->end[0], n);
	}
}

static void pdcs_drain(struct bench *b, struct orc *end)
{
	struct orc_event ev;

	while (orc_reference.poll_event(end, &ev))
		b->done += ev.kind == EV_COMPLETION;
	if (orc_reference.deadline(end) <= b->now)
		orc_reference.tick(end, b->now);
}

/* Runs a round trip for all packets in flight. */
static void pdcs_turn(struct bench *b)
{
	for (unsigned i = 0; i < b->npairs; i++)
		carry_there(b, &b->pair[i]);
	b->now += HOP;
	for (unsigned i = 0; i < b->npairs; i++)
		carry_back(b, i);
	b->now += HOP;
	for (unsigned i = 0; i < b->npairs; i++) {
		pdcs_drain(b, b->pair[i].end[0]);
		pdcs_drain(b, b->pair[i].end[1]);
	}
}

static void pdcs_finish(struct bench *b)
{
	while (b->done < b->posted)
		pdcs_turn(b);
}

/* Opens every PDC; afterwards all are idle. */
static void open_pdcs(struct bench *b)
{
	for (uint32_t flow = 0; flow < b->pdcs; flow++) {
		const unsigned pair = flow / PDCS_PER_PAIR;
		const struct orc_op op = send_to(b, pair, flow % PDCS_PER_PAIR);

		pdcs_post(b, pair, &op, 1);
		if (b->posted - b->done >= OUTSTANDING)
			pdcs_turn(b);
	}
	pdcs_finish(b);
}

/* Refills the messages in flight, in bursts for one endpoint each. */
static void post_random(struct bench *b)
{
	struct orc_op ops[BURST];

	while (b->posted < b->done + OUTSTANDING) {
		const unsigned pair = rng_below(&b->rng, b->npairs);
		unsigned n = 0;

		while (n < BURST && b->posted + n < b->done + OUTSTANDING)
			ops[n++] = send_to(b, pair,
					   rng_below(&b->rng, b->per_pair));
		pdcs_post(b, pair, ops, n);
	}
}

/* Measures processor time, which load on the machine affects less. */
static double pdcs_slice(struct bench *b)
{
	const double limit = bench_seconds() / SLICES, start = bench_cpu();
	const uint64_t before = b->packets;
	double took;

	do {
		for (unsigned i = 0; i < 64; i++) {
			post_random(b);
			pdcs_turn(b);
		}
		took = bench_cpu() - start;
	} while (took < limit);
	return took * 1e9 / (double)(b->packets - before);
}

/* Returns the best of some slices, since disturbances only add time. */
static double ns_per_packet(struct bench *b)
{
	double best = pdcs_slice(b);

	for (unsigned i = 1; i < SLICES; i++) {
		const double ns = pdcs_slice(b);

		if (ns < best)
			best = ns;
	}
	pdcs_finish(b);
	return best;
}

static size_t in_use(void)
{
	const struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

static double pdcs_measure(uint32_t payload, uint32_t pdcs, double first)
{
	struct bench *b = calloc(1, sizeof(*b));
	double ns, weight;
	size_t empty;

	if (!b)
		pdcs_must(-1);
	b->payload = payload;
	b->pdcs = pdcs;
	if (pdcs < PDCS_PER_PAIR)
		b->per_pair = pdcs;
	else
		b->per_pair = PDCS_PER_PAIR;
	b->npairs = (pdcs + PDCS_PER_PAIR - 1) / PDCS_PER_PAIR;
	for (unsigned i = 0; i < b->npairs * 2; i++)
		pdcs_open_end(b, i / 2, i % 2);
	empty = in_use();
	open_pdcs(b);
	weight = (double)(in_use() - empty) / (2.0 * pdcs);
	ns = ns_per_packet(b);
	printf("%s\n  {\"pdcs\": %" PRIu32 ", \"ns_per_packet\": %.1f, "
	       "\"times_the_first\": %.2f, \"bytes_per_idle_pdc\": %.0f}",
	       first > 0 ? "," : "", pdcs, ns, first > 0 ? ns / first : 1.0,
	       weight);
	for (unsigned i = 0; i < b->npairs * 2; i++)
		orc_reference.free(b->pair[i / 2].end[i % 2]);
	free(b);
	return ns;
}

static void measure_all(uint32_t payload)
{
	double first = 0;

	printf(" {\"payload\": %" PRIu32 ", \"counts\": [", payload);
	for (uint32_t pdcs = 1; pdcs <= PAIRS * PDCS_PER_PAIR; pdcs *= 10) {
		const double ns = pdcs_measure(payload, pdcs, first);

		if (first <= 0)
			first = ns;
	}
	printf("]}");
}

int main(void)
{
	printf("{\"outstanding\": %d, \"payloads\": [\n", OUTSTANDING);
	measure_all(1024);
	printf(",\n");
	measure_all(64);
	printf("\n]}\n");
	return 0;
}
