/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/real.c -- makes captures of traffic on an imperfect network, and
 * measures a loop of libpcap over a capture.
 *
 *    bench_real make FILE [NAME=VALUE ...]  writes a capture
 *    bench_real loop FILE                   prints seconds and packets
 *
 * Pairs of reference endpoints exchange messages.  The initiator of a pair
 * sends to many addresses; this program, as the network, brings all of them to
 * the one target, and returns the answers with the address that the request
 * went to: each address has PDCs of its own.  Packets are sprayed over paths
 * of unequal delay, and the network loses, duplicates, delays, marks and trims
 * them.  The capture is taken in the middle of each path: half of the losses
 * and of the delay come behind it.  Time is virtual; a file depends on its
 * values alone.
 *
 * Values:
 *	packets  of the capture (300000)
 *	pdcs     pairs of addresses (1000)
 *	paths    between two ends (8)
 *	permille of the packets that each impairment strikes (10)
 *	acks     0 ACK, 1 ACK_CC, 2 ACK_CCX, 3 all, one for each pair (1)
 *	modes    bits: 1 RUD, 2 ROD, 4 RUDI, 8 UUD (1)
 *	short    1: bursts of messages of at most 64 bytes, so that libpcap has
 *	         little to copy; 0: lengths like those of the soak (0)
 *	seed     (1)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pcap/pcap.h>

#include "base/rng.h"
#include "bench/bench.h"
#include "oracle/oracle.h"
#include "wire/frame/frame_build.h"
#include "wire/uet/uet_pds.h"

#define PAIRS         8
#define PDCS_PER_PAIR 12500
#define OUTSTANDING   256              /* messages, over all pairs */
#define HOP           (10 * VSPAN_US)  /* the shortest path */
#define SPREAD        (4 * VSPAN_US)   /* the longest path takes so much more */
#define LATE          (100 * VSPAN_US) /* most delay of a delayed packet */
#define SHORT_BURST   16
#define EXPOSED       (64u << 10)
#define TRIM_KEEPS    16 /* bytes behind UDP that a switch keeps */

/* The values of the command line. */
struct values {
	uint64_t packets, pdcs, paths, permille, acks, modes, seed;
	uint64_t is_short;
};

struct real_pair {
	struct orc *end[2];
	vtime free_at[2]; /* when the end has sent its last packet */
	/* addresses by PDCID of the initiator, and by the low pkt_id bits */
	uint16_t peer_of[65536], peer_of_id[65536];
};

/* A packet on its way: first to the place of the capture, then to its end. */
struct flight {
	vtime at, rest; /* |rest|: from the capture to the end */
	uint64_t order;
	struct real_pair *pair;
	uint8_t to;
	bool captured, lost;
	struct dgram *d; /* allocated; only |len| bytes of its data exist */
};

struct net {
	struct values v;
	struct rng rng;
	struct real_pair *pairs;
	unsigned npairs;
	uint32_t per_pair;
	struct flight *heap;
	size_t n, room;
	uint64_t order, captured, posted, done;
	vtime now;
	FILE *out;
};

static void *real_must(void *p)
{
	if (p)
		return p;
	perror("bench_real");
	exit(1);
}

static void real_ok(int err)
{
	if (!err)
		return;
	fprintf(stderr, "bench_real: error %d\n", err);
	exit(1);
}

static bool strikes(struct net *w)
{
	return rng_below(&w->rng, 1000) < w->v.permille;
}

/* ---- Packets on their way, in order of time ---- */

static bool real_sooner(const struct flight *a, const struct flight *b)
{
	return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void flight_put(struct net *w, struct flight f)
{
	size_t i = w->n++;

	f.order = w->order++;
	if (w->n > w->room) {
		w->room = 2 * w->room + 256;
		w->heap =
			real_must(realloc(w->heap, w->room * sizeof(*w->heap)));
	}
	for (; i && real_sooner(&f, &w->heap[(i - 1) / 2]); i = (i - 1) / 2)
		w->heap[i] = w->heap[(i - 1) / 2];
	w->heap[i] = f;
}

static struct flight flight_take(struct net *w)
{
	const struct flight first = w->heap[0], last = w->heap[--w->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < w->n) {
		if (child + 1 < w->n &&
		    real_sooner(&w->heap[child + 1], &w->heap[child]))
			child++;
		if (!real_sooner(&w->heap[child], &last))
			break;
		w->heap[i] = w->heap[child];
		i = child;
	}
	w->heap[i] = last;
	return first;
}

/* ---- The network ---- */

static struct dgram *real_copy(const struct dgram *d)
{
	struct dgram *copy =
		real_must(malloc(offsetof(struct dgram, data) + d->len));

	dgram_copy(copy, d);
	return copy;
}

/* A switch trims and marks a packet. */
static void impair_bytes(struct net *w, struct dgram *d)
{
	struct orc_conf conf;

	if (d->ecn != ECN_NOT_ECT && strikes(w))
		d->ecn = ECN_CE;
	if (!strikes(w))
		return;
	orc_conf_default(&conf);
	if (d->len > TRIM_KEEPS)
		d->len = TRIM_KEEPS;
	d->dscp = conf.dscp_trimmed;
}

static void send_copy(struct net *w, struct real_pair *p, unsigned from,
		      const struct dgram *d, vtime sent)
{
	const uint32_t path = rng_below(&w->rng, (uint32_t)w->v.paths);
	const bool lost = strikes(w);
	const bool before = rng_below(&w->rng, 2);
	vspan rest = HOP / 2 + SPREAD * path / (vspan)w->v.paths / 2;
	vspan ahead = rest;

	if (lost && before)
		return;
	if (strikes(w)) {
		const vspan late = rng_below(&w->rng, LATE);

		if (before)
			ahead += late;
		else
			rest += late;
	}
	flight_put(w, (struct flight){.at = sent + ahead,
				      .rest = rest,
				      .pair = p,
				      .to = !from,
				      .lost = lost,
				      .d = real_copy(d)});
}

static vtime real_departs(struct net *w, struct real_pair *p, unsigned from,
			  const struct dgram *d)
{
	const vspan took = (vspan)(d->len + 60) * 2 / 25; /* at 100 Gbit/s */

	p->free_at[from] = vtime_max(p->free_at[from], w->now) + took;
	return p->free_at[from];
}

/* Transmits a packet; the network may duplicate it. */
static void real_transmit(struct net *w, struct real_pair *p, unsigned from,
			  struct dgram *d)
{
	const vtime sent = real_departs(w, p, from, d);

	impair_bytes(w, d);
	send_copy(w, p, from, d, sent);
	if (strikes(w))
		send_copy(w, p, from, d, sent);
}

/* ---- The addresses of the initiator's peers ---- */

static uint16_t real_get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static struct ip_addr real_address_of(const struct net *w,
				      const struct real_pair *p, uint32_t k)
{
	const uint32_t pair = (uint32_t)(p - w->pairs);

	return ip_addr_v4(0x0a000000u + ((pair + 1) << 16) + k);
}

/* Returns the place of a packet's address; it has no PDCID, or has one. */
static uint16_t *real_peer(struct real_pair *p, const struct dgram *d,
			   unsigned from)
{
	const enum pds_type type = pds_type_of(d->data);
	struct pds_nack nack = {0};

	if (d->len >= pds_nack_len)
		pds_nack_get(&nack, d->data);
	if (type == PDS_RUDI_REQ || type == PDS_RUDI_RESP ||
	    type == PDS_UUD_REQ || (type == PDS_NACK && nack.nt))
		return &p->peer_of_id[real_get16(d->data + 6)];
	return &p->peer_of[real_get16(d->data + (from ? 10 : 8))];
}

static void real_route(struct net *w, struct real_pair *p, unsigned from,
		       struct dgram *d)
{
	uint16_t *peer = real_peer(p, d, from);

	if (from)
		d->src = real_address_of(w, p, *peer);
	else
		*peer = real_get16(d->dst.b + 2);
}

/* ---- The ends ---- */

static void real_drain(struct net *w, struct real_pair *p)
{
	static struct dgram d;
	struct orc_event ev;

	for (unsigned i = 0; i < 2; i++) {
		while (orc_reference.poll_event(p->end[i], &ev))
			w->done += ev.kind == EV_COMPLETION;
		while (orc_reference.poll_tx(p->end[i], &d)) {
			real_route(w, p, i, &d);
			real_transmit(w, p, i, &d);
		}
	}
}

static void real_capture(struct net *w, const struct dgram *d)
{
	static uint8_t frame[DGRAM_MAX + 64];
	const uint64_t at = (uint64_t)(w->now + VSPAN_S);
	const int n =
		frame_build(NULL, FRAME_ETHERNET, d, frame, sizeof(frame));
	const uint32_t rec[] = {(uint32_t)(at / 1000000000),
				(uint32_t)(at % 1000000000), (uint32_t)n,
				(uint32_t)n};

	if (n < 0)
		real_ok(n);
	fwrite(rec, sizeof(rec), 1, w->out);
	fwrite(frame, (size_t)n, 1, w->out);
	w->captured++;
}

/* A packet reaches the place of the capture, or its end. */
static void real_arrive(struct net *w)
{
	struct flight f = flight_take(w);

	w->now = f.at;
	if (!f.captured) {
		real_capture(w, f.d);
		f.captured = true;
		f.at += f.rest;
		if (!f.lost) {
			flight_put(w, f);
			return;
		}
	} else {
		real_ok(orc_reference.feed(f.pair->end[f.to], f.d, w->now));
		real_drain(w, f.pair);
	}
	free(f.d);
}

/* ---- The messages ---- */

static enum op_mode real_mode(struct net *w)
{
	unsigned mode;

	do
		mode = rng_below(&w->rng, OP_MODES);
	while (!(w->v.modes >> mode & 1));
	return (enum op_mode)mode;
}

/* Lengths are those of the soak: many short messages, a few long ones. */
static uint32_t real_len(struct net *w)
{
	const uint32_t kind = rng_below(&w->rng, 10);

	if (kind < 3 || w->v.is_short)
		return 1 + rng_below(&w->rng, 64);
	return 1 + rng_below(&w->rng, kind < 9 ? 5000 : 24000);
}

static enum op_kind real_kind(struct net *w, enum op_mode mode)
{
	const uint32_t kind = rng_below(&w->rng, 10);

	if (mode == OP_UUD)
		return OP_SEND;
	if (kind < 2)
		return OP_READ;
	return kind < 4 || mode == OP_RUDI ? OP_WRITE : OP_SEND;
}

static void real_post_to(struct net *w, struct real_pair *p, uint32_t peer)
{
	struct orc_op op = {
		.mode = real_mode(w),
		.key = 1,
		.peer = real_address_of(w, p, peer),
		.len = real_len(w),
	};

	op.kind = real_kind(w, op.mode);
	if (op.mode == OP_UUD)
		op.len = 1 + op.len % 1024;
	real_ok(orc_reference.post(p->end[0], &op, w->now));
	w->posted++;
}

/* Posts a message, or a burst of short ones to one address. */
static void real_post(struct net *w)
{
	struct real_pair *p = &w->pairs[rng_below(&w->rng, w->npairs)];
	const uint32_t peer = rng_below(&w->rng, w->per_pair);
	unsigned n = 1;

	if (w->v.is_short)
		n += rng_below(&w->rng, SHORT_BURST);
	while (n--)
		real_post_to(w, p, peer);
	real_drain(w, p);
}

/* ---- A capture ---- */

static void real_open_end(struct net *w, struct real_pair *p, unsigned i)
{
	const unsigned pair = (unsigned)(p - w->pairs);
	const struct orc_op expose = {
		.kind = OP_EXPOSE, .key = 1, .len = EXPOSED};
	struct orc_conf conf;

	orc_conf_default(&conf);
	conf.addr = ip_addr_v4(0x0a640001u + pair * 2 + i);
	conf.seed = w->v.seed * 2 * PAIRS + pair * 2 + i + 1;
	conf.max_pdcs = UINT16_MAX;
	conf.max_rto_retx = 15;
	conf.max_nack_retx = 255;
	conf.sack_retx = 32;
	conf.ack_type =
		(enum orc_ack_type)(w->v.acks < 3 ? w->v.acks : pair % 3);
	real_ok(orc_reference.make(&p->end[i], &conf));
	real_ok(orc_reference.post(p->end[i], &expose, w->now));
}

static void real_open(struct net *w)
{
	w->npairs = (unsigned)((w->v.pdcs + PDCS_PER_PAIR - 1) / PDCS_PER_PAIR);
	if (w->npairs < 3 && w->v.pdcs >= 3)
		w->npairs = 3;
	w->per_pair = (uint32_t)(w->v.pdcs / w->npairs);
	w->pairs = real_must(calloc(w->npairs, sizeof(*w->pairs)));
	w->rng = (struct rng){w->v.seed};
	for (unsigned i = 0; i < w->npairs * 2; i++)
		real_open_end(w, &w->pairs[i / 2], i % 2);
}

static void real_tick(struct net *w)
{
	for (unsigned i = 0; i < w->npairs * 2; i++) {
		struct real_pair *p = &w->pairs[i / 2];

		if (orc_reference.deadline(p->end[i % 2]) > w->now)
			continue;
		orc_reference.tick(p->end[i % 2], w->now);
		real_drain(w, p);
	}
}

static vtime real_next(const struct net *w)
{
	vtime next = w->n ? w->heap[0].at : VTIME_NEVER;

	for (unsigned i = 0; i < w->npairs * 2; i++)
		next = vtime_min(next, orc_reference.deadline(
					       w->pairs[i / 2].end[i % 2]));
	return next;
}

static void real_live(struct net *w)
{
	while (w->captured < w->v.packets) {
		while (w->posted - w->done < OUTSTANDING)
			real_post(w);
		w->now = vtime_max(w->now, real_next(w));
		while (w->n && w->heap[0].at <= w->now)
			real_arrive(w);
		real_tick(w);
	}
}

static void real_close(struct net *w)
{
	while (w->n)
		free(w->heap[--w->n].d);
	for (unsigned i = 0; i < w->npairs * 2; i++)
		orc_reference.free(w->pairs[i / 2].end[i % 2]);
	free(w->heap);
	free(w->pairs);
}

static void real_make(const char *path, const struct values *v)
{
	static const uint32_t head[] = {0xa1b23c4d, 4u << 16 | 2,  0, 0,
					65535,      FRAME_ETHERNET};
	struct net w = {.v = *v, .out = real_must(fopen(path, "wb"))};

	fwrite(head, sizeof(head), 1, w.out);
	real_open(&w);
	real_live(&w);
	real_close(&w);
	if (ferror(w.out) || fclose(w.out))
		real_must(NULL);
}

/* ---- The loop of libpcap ---- */

static void real_loop(const char *path)
{
	char error[PCAP_ERRBUF_SIZE];
	pcap_t *p = pcap_open_offline(path, error);
	const double start = bench_cpu();
	const unsigned char *bytes;
	struct pcap_pkthdr *h;
	uint64_t n = 0;

	if (!p) {
		fprintf(stderr, "bench_real: %s\n", error);
		exit(1);
	}
	while (pcap_next_ex(p, &h, &bytes) == 1) {
		bench_keep(bytes[0]);
		n++;
	}
	pcap_close(p);
	printf("%.6f %" PRIu64 "\n", bench_cpu() - start, n);
}

/* ---- The command line ---- */

static void real_usage(void)
{
	fprintf(stderr, "usage: bench_real make FILE [NAME=VALUE ...]\n"
			"       bench_real loop FILE\n");
	exit(2);
}

static void real_set(struct values *v, const char *word)
{
	const struct {
		const char *name;
		uint64_t *value;
	} all[] = {
		{"packets", &v->packets}, {"pdcs", &v->pdcs},
		{"paths", &v->paths},     {"permille", &v->permille},
		{"acks", &v->acks},       {"modes", &v->modes},
		{"seed", &v->seed},       {"short", &v->is_short},
	};
	const size_t len = strcspn(word, "=");

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strlen(all[i].name) == len && word[len] &&
		    !strncmp(all[i].name, word, len)) {
			*all[i].value = strtoull(word + len + 1, NULL, 0);
			return;
		}
	real_usage();
}

int main(int argc, char **argv)
{
	struct values v = {.packets = 300000,
			   .pdcs = 1000,
			   .paths = 8,
			   .permille = 10,
			   .acks = 1,
			   .modes = 1,
			   .seed = 1};

	if (argc == 3 && !strcmp(argv[1], "loop")) {
		real_loop(argv[2]);
		return 0;
	}
	if (argc < 3 || strcmp(argv[1], "make") != 0)
		real_usage();
	for (int i = 3; i < argc; i++)
		real_set(&v, argv[i]);
	if (!v.pdcs || v.pdcs > PAIRS * PDCS_PER_PAIR || !v.paths ||
	    v.permille > 500 || !(v.modes & 15))
		real_usage();
	real_make(argv[2], &v);
	return 0;
}
