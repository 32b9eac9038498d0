/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/coupled.c -- counts the packets per second that two reference endpoints
 * exchange on one core: real bytes both ways, virtual time, no link between
 * them.
 *
 * One endpoint keeps N sends outstanding, standard header, one packet each.  A
 * packet counts once it is delivered at the other side, requests and ACKs.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "oracle/oracle.h"

#define OUTSTANDING 64
#define MESSAGES    2000000
#define HOP         (2 * VSPAN_US)

struct bench {
	const struct orc_api *api;
	struct orc *end[2];
	struct ip_addr addr[2];
	vtime now;
	uint64_t packets;
	uint64_t done; /* completed messages */
};

static double coupled_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void coupled_must(int err)
{
	if (err) {
		fprintf(stderr, "coupled: error %d\n", err);
		exit(1);
	}
}

static void coupled_open_end(struct bench *b, unsigned i, bool crc)
{
	struct orc_conf conf;

	orc_conf_default(&conf);
	b->addr[i] = ip_addr_v4(0x7f000001u + i);
	conf.addr = b->addr[i];
	conf.seed = i + 1;
	conf.crc = crc;
	coupled_must(b->api->make(&b->end[i], &conf));
}

static void coupled_send_one(struct bench *b, uint32_t len)
{
	const struct orc_op op = {
		.kind = OP_SEND, .peer = b->addr[1], .len = len};

	coupled_must(b->api->post(b->end[0], &op, b->now));
}

/* Moves all outgoing datagrams of |from| to the other end. */
static void coupled_carry(struct bench *b, unsigned from)
{
	static struct dgram d; /* 9 KiB: too large for the stack */

	while (b->api->poll_tx(b->end[from], &d)) {
		coupled_must(b->api->feed(b->end[!from], &d, b->now));
		b->packets++;
	}
}

static void coupled_drain(struct bench *b, unsigned i)
{
	struct orc_event ev;

	while (b->api->poll_event(b->end[i], &ev))
		b->done += ev.kind == EV_COMPLETION;
}

static void coupled_tick(struct bench *b)
{
	for (unsigned i = 0; i < 2; i++)
		if (b->api->deadline(b->end[i]) <= b->now)
			b->api->tick(b->end[i], b->now);
}

static void coupled_run(struct bench *b, uint32_t len, uint64_t messages)
{
	uint64_t posted = 0;

	while (b->done < messages) {
		while (posted < messages && posted < b->done + OUTSTANDING) {
			coupled_send_one(b, len);
			posted++;
		}
		coupled_carry(b, 0);
		coupled_drain(b, 1);
		b->now += HOP;
		coupled_carry(b, 1);
		coupled_drain(b, 0);
		b->now += HOP;
		coupled_tick(b);
	}
}

static void coupled_measure(uint32_t payload, bool crc, uint64_t messages)
{
	struct bench b = {.api = &orc_reference};
	double start, took;

	coupled_open_end(&b, 0, crc);
	coupled_open_end(&b, 1, crc);
	start = coupled_seconds();
	coupled_run(&b, payload, messages);
	took = coupled_seconds() - start;
	printf("{\"bench\":\"coupled\",\"payload\":%" PRIu32 ",\"crc\":%s,"
	       "\"packets\":%" PRIu64 ",\"seconds\":%.3f,"
	       "\"packets_per_second\":%.0f}",
	       payload, crc ? "true" : "false", b.packets, took,
	       (double)b.packets / took);
	b.api->free(b.end[0]);
	b.api->free(b.end[1]);
}

int main(void)
{
	printf("[");
	coupled_measure(64, false, MESSAGES);
	printf(",\n ");
	coupled_measure(1024, true, MESSAGES / 2);
	printf("]\n");
	return 0;
}
