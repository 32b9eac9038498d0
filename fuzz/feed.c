/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two reference endpoints and a link between them that the input controls:
 * what is posted, and what is delivered, lost, doubled, changed or made up, and
 * when timers fire.  A judge looks at everything.  Nobody may crash, loop or
 * leak, whatever happens.
 */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "judge/judge.h"
#include "oracle/oracle.h"
#include "wire/packet.h"

#define FLYING 32 /* datagrams; more are lost */
#define POLL_MAX \
	4096 /* packets that an endpoint may send without time passing */
#define FINDINGS 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *p;
	size_t len;
};

struct world {
	struct orc *end[2];
	struct judge *judge;
	struct dgram flying[FLYING];
	size_t n;
	vtime now;
	uint32_t frame;
};

static uint8_t byte(struct input *in)
{
	if (!in->len)
		return 0;
	in->len--;
	return *in->p++;
}

static struct ip_addr addr(unsigned i)
{
	return ip_addr_v4(0x0a000001u + i);
}

static void look(struct world *w, const struct dgram *d)
{
	struct finding found[FINDINGS];
	struct packet pkt;
	struct judge_packet seen = {
		.pkt = &pkt, .d = d, .at = w->now, .frame = ++w->frame};

	packet_parse(&pkt, d->data, d->len);
	judge_push(w->judge, &seen, found, FINDINGS);
}

/* Takes what an endpoint has to say onto the link. */
static void drain(struct world *w, unsigned i)
{
	struct orc_event ev;
	struct dgram lost;
	unsigned polls = 0;

	for (;;) {
		struct dgram *d = w->n < FLYING ? &w->flying[w->n] : &lost;

		if (!orc_reference.poll_tx(w->end[i], d))
			break;
		assert(++polls < POLL_MAX);
		assert(d->len <= DGRAM_MAX);
		d->src = addr(i);
		look(w, d);
		w->n += d != &lost;
	}
	while (orc_reference.poll_event(w->end[i], &ev))
		assert(++polls < 2 * POLL_MAX);
}

static void deliver(struct world *w, const struct dgram *d)
{
	const struct ip_addr first = addr(0);
	const unsigned i = !ip_addr_equal(&d->dst, &first);

	orc_reference.feed(w->end[i], d, w->now);
	drain(w, i);
}

/* Removes datagram |at| and delivers it, if wanted. */
static void take(struct world *w, size_t at, bool wanted)
{
	struct dgram d;

	if (at >= w->n)
		return;
	dgram_copy(&d, &w->flying[at]);
	w->n--;
	for (; at < w->n; at++)
		dgram_copy(&w->flying[at], &w->flying[at + 1]);
	if (wanted)
		deliver(w, &d);
}

static void post(struct world *w, struct input *in)
{
	static const enum op_kind kinds[] = {
		OP_SEND, OP_WRITE, OP_READ, OP_EXPOSE, OP_SES_POLICY,
	};
	const unsigned i = byte(in) & 1;
	struct orc_op op = {
		.kind = kinds[byte(in) % (sizeof(kinds) / sizeof(kinds[0]))],
		.handle = w->frame,
		.peer = addr(!i),
		.header = (enum op_header)(byte(in) % 3),
		.len = byte(in) * 37u,
		.key = 0x1000,
	};
	const uint8_t policy = byte(in);

	op.policy.gtd = (enum op_gtd)(policy & 3) % 3;
	op.policy.nack_code = policy & 4 ? byte(in) : 0;
	op.policy.delay = policy & 8 ? VSPAN_MS : 0;
	op.policy.count = policy >> 4;
	orc_reference.post(w->end[i], &op, w->now);
	drain(w, i);
}

static void pass(struct world *w, struct input *in)
{
	const vspan span = (vspan)byte(in) * VSPAN_MS;

	w->now += span;
	for (unsigned i = 0; i < 2; i++) {
		orc_reference.tick(w->end[i], w->now);
		drain(w, i);
		assert(orc_reference.deadline(w->end[i]) > w->now);
	}
}

/* One datagram that nobody sent. */
static void invent(struct world *w, struct input *in)
{
	const unsigned i = byte(in) & 1;
	struct dgram d = {.src = addr(!i), .dst = addr(i)};

	d.len = byte(in);
	for (size_t k = 0; k < d.len; k++)
		d.data[k] = byte(in);
	look(w, &d);
	deliver(w, &d);
}

static void change(struct world *w, struct input *in)
{
	struct dgram *d = &w->flying[0];
	const size_t at = byte(in);

	if (w->n && at < d->len)
		d->data[at] ^= (uint8_t)(1u << (byte(in) & 7));
	if (w->n && at >= d->len && at < 128)
		d->len = at < d->len ? at : d->len / 2;
	take(w, 0, true);
}

static void step(struct world *w, struct input *in)
{
	switch (byte(in) % 8) {
	case 0:
		post(w, in);
		break;
	case 1:
	case 2:
		take(w, 0, true);
		break;
	case 3:
		take(w, byte(in), false);
		break;
	case 4:
		take(w, byte(in) % FLYING, true);
		break;
	case 5:
		if (w->n && w->n < FLYING)
			dgram_copy(&w->flying[w->n++], &w->flying[0]);
		break;
	case 6:
		pass(w, in);
		break;
	default:
		if (byte(in) & 1)
			change(w, in);
		else
			invent(w, in);
	}
}

static bool open_world(struct world *w)
{
	struct judge_conf jc;

	judge_conf_default(&jc);
	for (unsigned i = 0; i < 2; i++) {
		struct orc_conf conf;

		orc_conf_default(&conf);
		conf.addr = addr(i);
		conf.seed = i;
		if (orc_reference.make(&w->end[i], &conf))
			return false;
	}
	return judge_new(&w->judge, &jc, 4) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct world w;
	struct input in = {data, size < 4096 ? size : 4096};
	struct finding found[FINDINGS];

	memset(&w, 0, offsetof(struct world, flying));
	w.n = 0;
	w.now = 0;
	w.frame = 0;
	if (open_world(&w)) {
		while (in.len)
			step(&w, &in);
		judge_end(w.judge, w.now, found, FINDINGS);
	}
	orc_reference.free(w.end[0]);
	orc_reference.free(w.end[1]);
	judge_free(w.judge);
	return 0;
}
