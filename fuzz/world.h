/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/world.h -- two reference endpoints and a link between them that the
 * input controls: which operations are posted, when an end restarts, which
 * packets are delivered, lost, duplicated, changed or invented, and when timers
 * fire.  A judge sees all packets.  No input may crash an endpoint, make it
 * loop or leak memory.
 */
#ifndef FUZZ_WORLD_H
#define FUZZ_WORLD_H

#include <assert.h>
#include <string.h>

#include "fuzz/target.h"
#include "judge/judge.h"
#include "oracle/oracle.h"
#include "wire/family.h"
#include "wire/packet.h"

#define FLYING   32 /* datagrams in flight; more are lost */
#define FINDINGS 8

struct input {
	const uint8_t *p;
	size_t len;
};

struct world;

/* The part of the world that differs by family. */
struct world_form {
	enum family family;
	bool doubted;   /* the judge must not judge absence */
	unsigned polls; /* most packets that an endpoint sends (8192) */
	/* most packets and events without time passing (four times as many) */
	unsigned events;
	/* conf changes the defaults of end |i|. */
	void (*conf)(struct orc_conf *conf, unsigned i);
	/* equip prepares an end at its start; NULL: nothing. */
	void (*equip)(struct world *w, unsigned i);
	void (*post)(struct world *w, struct input *in);
	/* dress makes an invented datagram more plausible; or NULL. */
	void (*dress)(struct dgram *d, struct input *in);
};

struct world {
	const struct world_form *form;
	struct orc *end[2];
	struct judge *judge;
	vtime now;
	uint32_t frame;
	size_t n;
	struct dgram flying[FLYING];
};

static inline uint8_t byte(struct input *in)
{
	if (!in->len)
		return 0;
	in->len--;
	return *in->p++;
}

static inline struct ip_addr fuzz_world_addr(unsigned i)
{
	return ip_addr_v4(0x0a000001u + i);
}

static inline void fuzz_world_look(struct world *w, const struct dgram *d)
{
	struct finding found[FINDINGS];
	struct packet pkt;
	struct judge_packet seen = {
		.pkt = &pkt, .d = d, .at = w->now, .frame = ++w->frame};

	packet_parse(w->form->family, &pkt, d->data, d->len);
	judge_push(w->judge, &seen, found, FINDINGS);
}

/* Moves outgoing datagrams of an endpoint to the link. */
static inline void fuzz_world_drain(struct world *w, unsigned i)
{
	struct orc_event ev;
	struct dgram lost;
	const unsigned most = w->form->polls ? w->form->polls : 8192;
	const unsigned all = w->form->events ? w->form->events : 4 * most;
	unsigned polls = 0;

	for (;;) {
		struct dgram *d = w->n < FLYING ? &w->flying[w->n] : &lost;

		if (!orc_reference.poll_tx(w->end[i], d))
			break;
		assert(++polls < most);
		assert(d->len <= DGRAM_MAX);
		d->src = fuzz_world_addr(i);
		fuzz_world_look(w, d);
		w->n += d != &lost;
	}
	while (orc_reference.poll_event(w->end[i], &ev))
		assert(++polls < all);
}

static inline void fuzz_world_deliver(struct world *w, const struct dgram *d)
{
	const struct ip_addr first = fuzz_world_addr(0);
	const unsigned i = !ip_addr_equal(&d->dst, &first);

	orc_reference.feed(w->end[i], d, w->now);
	fuzz_world_drain(w, i);
}

/* Removes datagram |at|, and delivers it if |wanted|. */
static inline void fuzz_world_take(struct world *w, size_t at, bool wanted)
{
	struct dgram d;

	if (at >= w->n)
		return;
	dgram_copy(&d, &w->flying[at]);
	w->n--;
	for (; at < w->n; at++)
		dgram_copy(&w->flying[at], &w->flying[at + 1]);
	if (wanted)
		fuzz_world_deliver(w, &d);
}

/* Posts to end |i|. */
static inline void fuzz_world_ask(struct world *w, unsigned i,
				  const struct orc_op *op)
{
	orc_reference.post(w->end[i], op, w->now);
	fuzz_world_drain(w, i);
}

static inline void fuzz_world_pass(struct world *w, struct input *in)
{
	w->now += (vspan)byte(in) * VSPAN_MS;
	for (unsigned i = 0; i < 2; i++) {
		orc_reference.tick(w->end[i], w->now);
		fuzz_world_drain(w, i);
		assert(orc_reference.deadline(w->end[i]) > w->now);
	}
}

/* Feeds one invented datagram. */
static inline void invent(struct world *w, struct input *in)
{
	const unsigned i = byte(in) & 1;
	struct dgram d = {.src = fuzz_world_addr(!i),
			  .dst = fuzz_world_addr(i),
			  .family = (uint8_t)w->form->family};

	d.len = byte(in);
	for (size_t k = 0; k < d.len; k++)
		d.data[k] = byte(in);
	if (w->form->dress)
		w->form->dress(&d, in);
	fuzz_world_look(w, &d);
	fuzz_world_deliver(w, &d);
}

static inline void fuzz_world_change(struct world *w, struct input *in)
{
	struct dgram *d = &w->flying[0];
	const size_t at = byte(in);

	if (w->n && at < d->len)
		d->data[at] ^= (uint8_t)(1u << (byte(in) & 7));
	if (w->n && at >= d->len && at < 128)
		d->len /= 2;
	fuzz_world_take(w, 0, true);
}

static inline void fuzz_world_restart(struct world *w, struct input *in)
{
	const unsigned i = byte(in) & 1;

	orc_reference.reset(w->end[i], w->frame);
	if (w->form->equip)
		w->form->equip(w, i);
}

static inline void fuzz_world_step(struct world *w, struct input *in)
{
	switch (byte(in) % 9) {
	case 0:
	case 1:
		w->form->post(w, in);
		break;
	case 2:
		fuzz_world_take(w, 0, true);
		break;
	case 3:
		fuzz_world_take(w, byte(in), false);
		break;
	case 4:
		fuzz_world_take(w, byte(in) % FLYING, true);
		break;
	case 5:
		if (w->n && w->n < FLYING)
			dgram_copy(&w->flying[w->n++], &w->flying[0]);
		break;
	case 6:
		fuzz_world_pass(w, in);
		break;
	case 7:
		fuzz_world_change(w, in);
		break;
	default:
		if (byte(in) & 15)
			invent(w, in);
		else
			fuzz_world_restart(w, in);
	}
}

static inline bool fuzz_world_open_world(struct world *w)
{
	struct judge_conf jc;

	judge_conf_default(&jc);
	jc.complete = !w->form->doubted;
	for (unsigned i = 0; i < 2; i++) {
		struct orc_conf conf;

		orc_conf_default(&conf);
		conf.family = w->form->family;
		conf.addr = fuzz_world_addr(i);
		conf.seed = i;
		if (w->form->conf)
			w->form->conf(&conf, i);
		if (orc_reference.make(&w->end[i], &conf))
			return false;
	}
	return judge_new(&w->judge, &jc, 4) == 0;
}

/* fuzz_world_run does all the work of a fuzz target. */
static inline int fuzz_world_run(const struct world_form *form,
				 const uint8_t *data, size_t size)
{
	static struct world w;
	struct input in = {data, size < 4096 ? size : 4096};
	struct finding found[FINDINGS];

	memset(&w, 0, offsetof(struct world, flying));
	w.form = form;
	if (fuzz_world_open_world(&w)) {
		for (unsigned i = 0; form->equip && i < 2; i++)
			form->equip(&w, i);
		while (in.len)
			fuzz_world_step(&w, &in);
		judge_end(w.judge, w.now, found, FINDINGS);
	}
	orc_reference.free(w.end[0]);
	orc_reference.free(w.end[1]);
	judge_free(w.judge);
	return 0;
}

#endif
