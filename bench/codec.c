/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/codec.c -- measures how long a header takes to read and to write, and a
 * packet to parse: ns each, for every header of wire/registry.h.
 *
 * Each get and put works on another of 64 headers in turn, so that they are in
 * the cache but not in a register.
 */
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "bench/bench.h"
#include "wire/packet.h"
#include "wire/registry.h"
#include "wire/uet/uet_packet.h"

#define SLOTS 64
#define SLOT  64   /* bytes of the longest header */
#define ROUND 8192 /* operations between two clock readings */

struct slots {
	uint8_t at[SLOTS][SLOT];
};

static double codec_slice(void)
{
	return bench_seconds() / 50;
}

/* One function for reading and one for writing each header. */
#define CODEC(h, LIST)                                                       \
	static double get_##h(struct slots *s)                               \
	{                                                                    \
		double began = bench_now(), now;                             \
		uint64_t n = 0;                                              \
		struct h v;                                                  \
                                                                             \
		do {                                                         \
			for (unsigned i = 0; i < ROUND; i++) {               \
				h##_get(&v, s->at[i % SLOTS]);               \
				__asm__ volatile("" : : "r"(&v) : "memory"); \
			}                                                    \
			n += ROUND;                                          \
			now = bench_now();                                   \
		} while (now - began < codec_slice());                       \
		return (now - began) * 1e9 / (double)n;                      \
	}                                                                    \
                                                                             \
	static double put_##h(struct slots *s)                               \
	{                                                                    \
		double began = bench_now(), now;                             \
		uint64_t n = 0;                                              \
		struct h v;                                                  \
                                                                             \
		h##_get(&v, s->at[0]);                                       \
		do {                                                         \
			for (unsigned i = 0; i < ROUND; i++) {               \
				__asm__ volatile("" : : "r"(&v) : "memory"); \
				h##_put(&v, s->at[i % SLOTS]);               \
			}                                                    \
			n += ROUND;                                          \
			now = bench_now();                                   \
		} while (now - began < codec_slice());                       \
		__asm__ volatile("" : : "r"(s) : "memory");                  \
		return (now - began) * 1e9 / (double)n;                      \
	}

WIRE_HEADERS(CODEC)

struct codec {
	const char *name;
	const struct header *h;
	double (*get)(struct slots *);
	double (*put)(struct slots *);
};

#define CODEC_ROW(h, LIST) {#h, &h##_header, get_##h, put_##h},

static const struct codec codecs[] = {WIRE_HEADERS(CODEC_ROW)};

struct sample {
	const char *name;
	struct packet_spec spec;
};

/* The most frequent packets. */
static const struct sample samples[] = {
	{"rud_req std", {.type = "rud_req", .ses = "std", .payload_len = 64}},
	{"rud_req small", {.type = "rud_req", .ses = "small"}},
	{"ack response", {.type = "ack", .ses = "response"}},
	{"ack_cc response", {.type = "ack_cc", .ses = "response"}},
	{"nack", {.type = "nack"}},
	{"cp", {.type = "cp"}},
};

static double codec_parse(const uint8_t *p, size_t len)
{
	double began = bench_now(), now;
	uint64_t n = 0;
	struct packet pkt;

	do {
		for (unsigned i = 0; i < ROUND; i++) {
			uet_packet_parse(&pkt, p, len);
			bench_keep(pkt.nsec);
		}
		n += ROUND;
		now = bench_now();
	} while (now - began < codec_slice());
	return (now - began) * 1e9 / (double)n;
}

static void headers(struct slots *s)
{
	const size_t n = sizeof(codecs) / sizeof(codecs[0]);

	for (size_t i = 0; i < n; i++) {
		const struct codec *c = &codecs[i];

		printf("%s\n  {\"name\": \"%s\", \"bytes\": %zu, "
		       "\"get_ns\": %.2f, \"put_ns\": %.2f}",
		       i ? "," : "", c->name, c->h->len, c->get(s), c->put(s));
	}
}

static int codec_packets(void)
{
	const size_t n = sizeof(samples) / sizeof(samples[0]);

	for (size_t i = 0; i < n; i++) {
		uint8_t buf[512];
		int len =
			packet_build(buf, sizeof(buf), &samples[i].spec, NULL);

		if (len < 0) {
			fprintf(stderr, "bench_codec: %s does not build\n",
				samples[i].name);
			return 1;
		}
		printf("%s\n  {\"name\": \"%s\", \"bytes\": %d, "
		       "\"parse_ns\": %.2f}",
		       i ? "," : "", samples[i].name, len,
		       codec_parse(buf, (size_t)len));
	}
	return 0;
}

int main(void)
{
	struct rng rng = {1};
	struct slots slots;
	int code;

	for (size_t i = 0; i < SLOTS; i++)
		for (size_t k = 0; k < SLOT; k++)
			slots.at[i][k] = (uint8_t)rng_next(&rng);
	printf("{\"headers\": [");
	headers(&slots);
	printf("],\n \"packets\": [");
	code = codec_packets();
	printf("]}\n");
	return code;
}
