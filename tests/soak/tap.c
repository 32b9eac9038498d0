/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/tap.c -- captures the packets of a run at three places, in order
 * of time.
 */
#include "tests/soak/tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "reports/format/pcapng_writer.h"
#include "wire/family.h"
#include "wire/frame/frame_build.h"
#include "wire/ib/icrc.h"

#define MARK_MAX 48

struct tapped {
	vtime at;
	size_t order;
	size_t from, len; /* place in |bytes| */
	char mark[MARK_MAX];
};

struct place {
	char path[512];
	struct tapped *packets;
	size_t n, room;
	struct text bytes;
};

struct tap {
	const char *dir;
	bool open, icrc;
	bool behind; /* the last packet is impaired behind the middle */
	struct rng rng;
	/* delays from end to end, and from A to the middle */
	vspan hop, before;
	struct place places[TAPS];
};

static void *soak_tap_must(void *p)
{
	if (p)
		return p;
	fprintf(stderr, "soak: no memory\n");
	exit(2);
}

struct tap *tap_new(const char *dir)
{
	struct tap *t = calloc(1, sizeof(*t));

	if (t)
		t->dir = dir;
	return t;
}

void tap_free(struct tap *t)
{
	if (!t)
		return;
	for (unsigned i = 0; i < TAPS; i++) {
		free(t->places[i].packets);
		text_free(&t->places[i].bytes);
	}
	free(t);
}

static void open_place(struct tap *t, unsigned i, uint64_t seed,
		       const char *name)
{
	struct place *p = &t->places[i];

	snprintf(p->path, sizeof(p->path), "%s/%" PRIu64 "@%s.pcapng", t->dir,
		 seed, name);
	p->n = 0;
	text_clear(&p->bytes);
}

void tap_open(struct tap *t, uint64_t seed, const struct ip_addr *a,
	      const struct ip_addr *b, vspan hop, bool icrc)
{
	char name[IP_ADDR_TEXT];

	if (!t)
		return;
	t->open = true;
	t->icrc = icrc;
	t->rng = (struct rng){~seed};
	t->hop = hop;
	t->before = (vspan)rng_below(&t->rng, 101) * hop / 100;
	ip_addr_print(a, name);
	open_place(t, 0, seed, name);
	ip_addr_print(b, name);
	open_place(t, 1, seed, name);
	open_place(t, TAP_MIDDLE, seed, "middle");
}

/* ---- Packets ---- */

static size_t soak_tap_frame_of(const struct tap *t, const struct dgram *d,
				uint8_t *frame, size_t size)
{
	static struct dgram sealed;
	int n;

	if (t->icrc) {
		dgram_copy(&sealed, d);
		icrc_append(&sealed, family_port((enum family)d->family),
			    &icrc_socket);
		d = &sealed;
	}
	n = frame_build(NULL, FRAME_RAW_IP, d, frame, size);
	if (n < 0)
		return 0;
	return (size_t)n;
}

static void soak_tap_put(struct tap *t, unsigned place, vtime at,
			 const struct dgram *d, const char *mark)
{
	static uint8_t frame[DGRAM_MAX + 64];
	struct place *p = &t->places[place];
	const size_t n = soak_tap_frame_of(t, d, frame, sizeof(frame));
	struct tapped *x;

	if (p->n == p->room) {
		if (p->room)
			p->room = 2 * p->room;
		else
			p->room = 1024;
		p->packets = soak_tap_must(
			realloc(p->packets, p->room * sizeof(*p->packets)));
	}
	x = &p->packets[p->n];
	*x = (struct tapped){
		.at = at, .order = p->n++, .from = p->bytes.len, .len = n};
	snprintf(x->mark, sizeof(x->mark), "%s", text_or(mark, ""));
	text_add(&p->bytes, (const char *)frame, n);
}

void tap_arrives(struct tap *t, unsigned side, vtime at, const struct dgram *d,
		 const char *mark)
{
	if (t && t->open)
		soak_tap_put(t, side, at, d, mark);
}

/* Returns the delay of a packet of |from| to the middle. */
static vspan lead(const struct tap *t, unsigned from)
{
	if (from)
		return t->hop - t->before;
	return t->before;
}

void tap_draw(struct tap *t)
{
	if (t && t->open)
		t->behind = rng_below(&t->rng, 2);
}

void tap_sent(struct tap *t, unsigned from, vtime at, const struct dgram *d,
	      const char *mark)
{
	if (!t || !t->open)
		return;
	soak_tap_put(t, from, at, d, mark);
	if (t->behind)
		soak_tap_put(t, TAP_MIDDLE, at + lead(t, from), d, mark);
}

void tap_flies(struct tap *t, unsigned to, vtime arrival, const struct dgram *d,
	       const char *mark)
{
	if (t && t->open && !t->behind)
		soak_tap_put(t, TAP_MIDDLE, arrival - lead(t, to), d, mark);
}

/* ---- Files ---- */

static int soak_tap_by_time(const void *a, const void *b)
{
	const struct tapped *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void soak_tap_write_packet(struct pcapng_writer *writer,
				  const struct place *p, const struct tapped *x)
{
	const struct pcapng_packet out = {
		.at = (uint64_t)(x->at + VSPAN_S),
		.p = (const uint8_t *)p->bytes.s + x->from,
		.len = x->len,
	};

	pcapng_packet_open(writer, &out);
	if (*x->mark)
		pcapng_comment(writer, x->mark);
	pcapng_packet_close(writer, &out);
}

static void write_place(const struct place *p)
{
	struct text t = {0};
	struct pcapng_writer writer = {.t = &t};
	const char *const none[] = {NULL};
	FILE *f = fopen(p->path, "wb");

	if (p->n)
		qsort(p->packets, p->n, sizeof(*p->packets), soak_tap_by_time);
	pcapng_section(&writer, none, "soak");
	pcapng_interface(&writer, FRAME_RAW_IP, "link", "");
	for (size_t i = 0; i < p->n; i++)
		soak_tap_write_packet(&writer, p, &p->packets[i]);
	if (text_err(&t) || text_err(&p->bytes))
		soak_tap_must(NULL);
	if (!f || fwrite(t.s, 1, t.len, f) != t.len || fclose(f)) {
		perror(p->path);
		exit(2);
	}
	text_free(&t);
}

void tap_close(struct tap *t)
{
	if (!t || !t->open)
		return;
	t->open = false;
	for (unsigned i = 0; i < TAPS; i++)
		write_place(&t->places[i]);
}
