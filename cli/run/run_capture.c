/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/run_capture.c -- finds the packets of a run's capture that each side
 * saw, and when.
 */
#include "cli/run/run_capture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "reports/format/declared.h"
#include "suite/verdict/record.h"

/* Interfaces of reports/format/pcapng.h */
enum { LINK, REMOVED };

struct run_capture_seen {
	struct rung_frame f;
	uint32_t number; /* in the capture, from 1 */
	uint64_t turn;   /* order of packets with the same time */
};

struct run_capture_view {
	struct run_capture_seen *seen;
	size_t n, size;
};

struct own {
	struct arena bytes;              /* bytes of all frames */
	struct run_capture_view view[2]; /* by enum own_view */
	struct ip_addr dut, tester;
	char declared[CAPTURE_DECLARED];
	uint32_t frames;
	int err; /* why reading ended, or 0 */
	char error[200];
	bool muddled; /* the comment of some packet is unknown */
};

/* Parses the end of the first comment of a packet; it may set *ret_behind. */
static enum fate run_capture_fate_of(const struct capture_packet *p,
				     uint32_t *ret_behind)
{
	static const char mark[] = " on the way";
	char words[64] = "";
	size_t n = p->comment ? p->comment_len : 0;
	const char *at;

	for (; n > 4 && memcmp(p->comment + n - 4, " -- ", 4); n--)
		;
	if (n <= 4 || p->comment_len - n >= sizeof(words))
		return FATE_CROSSED;
	memcpy(words, p->comment + n, p->comment_len - n);
	at = strstr(words, mark);
	if (!at)
		return FATE_CROSSED;
	if (sscanf(at, " on the way behind #%" SCNu32, ret_behind) == 1)
		return FATE_DELAYED;
	for (enum fate f = FATE_CROSSED; f <= FATE_INJECTED; f++)
		if (strncmp(words, fate_name(f), (size_t)(at - words)) == 0)
			return f;
	return FATE_CROSSED;
}

static enum fate fate(const struct capture_packet *p)
{
	uint32_t behind;

	return run_capture_fate_of(p, &behind);
}

/*
 * A side saw the packets that it sent before any impairment, and packets sent
 * to it after the impairments.  |out|: the side sent the packet, or seems to
 * have sent it.
 */
static bool run_capture_was_seen(const struct capture_packet *p, bool out)
{
	const enum fate f = fate(p);

	if (out)
		return f != FATE_DUPLICATE && f != FATE_INJECTED;
	return p->iface == LINK;
}

static bool run_capture_add(struct run_capture_view *v,
			    const struct rung_frame *f, uint32_t number,
			    uint64_t turn)
{
	if (v->n == v->size) {
		const size_t n = v->size ? v->size * 2 : 64;
		void *more = memory_realloc(v->seen, n * sizeof(*v->seen));

		if (!more)
			return false;
		v->seen = more;
		v->size = n;
	}
	v->seen[v->n++] = (struct run_capture_seen){*f, number, turn};
	return true;
}

static bool run_capture_add_device(struct own *o,
				   const struct capture_packet *p,
				   struct rung_frame f, uint32_t number)
{
	const bool out = p->direction == CAPTURE_INBOUND;
	uint64_t turn = 2 * (uint64_t)number;
	uint32_t behind;

	if (!out && run_capture_fate_of(p, &behind) == FATE_DELAYED)
		turn = 2 * (uint64_t)behind + 1;
	if (out && fate(p) == FATE_CHANGED)
		f.doubtful = true; /* these are not the bytes that it sent */
	return !run_capture_was_seen(p, out) ||
	       run_capture_add(&o->view[OWN_DEVICE], &f, number, turn);
}

/*
 * The capture has the time at which the tester sent a packet.  The time at
 * which a delayed packet of the device reached the tester is unknown.
 */
static bool add_tester(struct own *o, const struct capture_packet *p,
		       struct rung_frame f, uint32_t number)
{
	const bool out = p->direction == CAPTURE_OUTBOUND;
	struct run_capture_view *v = &o->view[OWN_TESTER];
	const uint64_t last = v->n ? v->seen[v->n - 1].f.at_ns : 0;

	if (fate(p) == (out ? FATE_CHANGED : FATE_DELAYED))
		f.doubtful = true;
	if (fate(p) == FATE_DELAYED || f.at_ns < last)
		f.at_ns = last;
	return !run_capture_was_seen(p, out) ||
	       run_capture_add(v, &f, number, number);
}

static void learn_sides(struct own *o, const struct capture_packet *p)
{
	struct frame_info info;
	enum family family;
	struct dgram d;

	if (o->dut.len)
		return;
	frame_find(NULL, p->link, p->p, p->len, &d, &info);
	if (!frame_family(&info, &family))
		return;
	if (p->direction == CAPTURE_INBOUND) {
		o->dut = d.src;
		o->tester = d.dst;
	} else {
		o->dut = d.dst;
		o->tester = d.src;
	}
}

static int run_capture_by_time(const void *a, const void *b)
{
	const struct run_capture_seen *x = a, *y = b;

	if (x->f.at_ns != y->f.at_ns)
		return x->f.at_ns < y->f.at_ns ? -1 : 1;
	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/*
 * Sorts the packets: a delayed one is stored where it was sent, with its time
 * of arrival.
 */
static void run_capture_sort(struct run_capture_view *v)
{
	if (v->n)
		qsort(v->seen, v->n, sizeof(*v->seen), run_capture_by_time);
}

static const uint8_t *run_capture_keep(struct own *o,
				       const struct capture_packet *p)
{
	uint8_t *bytes = arena_alloc(&o->bytes, p->len);

	if (bytes)
		return memcpy(bytes, p->p, p->len);
	return NULL;
}

static int run_capture_read_all(struct own *o, struct source *s)
{
	struct capture_packet p;
	uint32_t number = 0;
	int n;

	while ((n = source_next(s, &p)) > 0) {
		struct rung_frame f = {
			.len = p.len, .link = p.link, .at_ns = (uint64_t)p.at};

		number++;
		if (!source_info(s)->ours || p.iface > REMOVED || !p.direction)
			o->muddled = true;
		if (o->muddled)
			return 0;
		f.bytes = run_capture_keep(o, &p);
		if (!f.bytes)
			return -1;
		learn_sides(o, &p);
		if (!run_capture_add_device(o, &p, f, number) ||
		    !add_tester(o, &p, f, number))
			return -1;
	}
	strcpy(o->declared, source_info(s)->declared);
	o->frames = number;
	o->muddled = !number;
	o->err = n;
	snprintf(o->error, sizeof(o->error), "%s", source_error(s));
	return 0;
}

int own_load(const char *who, const struct source *s, struct own **ret)
{
	struct source *again;
	struct own *o;
	int err = -1;

	*ret = NULL;
	if (!source_repeats(s))
		return 0;
	o = memory_calloc(1, sizeof(*o));
	again = source_again(s);
	if (o && again)
		err = run_capture_read_all(o, again);
	source_close(again);
	if (!err && !o->muddled) {
		run_capture_sort(&o->view[OWN_DEVICE]);
		*ret = o;
		return 0;
	}
	own_free(o);
	if (err)
		return cli_nomem(who);
	return 0;
}

void own_free(struct own *o)
{
	if (!o)
		return;
	free(o->view[OWN_DEVICE].seen);
	free(o->view[OWN_TESTER].seen);
	arena_free(&o->bytes);
	free(o);
}

size_t own_count(const struct own *o, enum own_view view)
{
	return o->view[view].n;
}

const struct rung_frame *own_at(const struct own *o, enum own_view view,
				size_t i, uint32_t *ret_number)
{
	const struct run_capture_seen *s = &o->view[view].seen[i];

	*ret_number = s->number;
	return &s->f;
}

const struct ip_addr *own_side(const struct own *o, enum own_view view)
{
	if (view == OWN_DEVICE)
		return &o->dut;
	return &o->tester;
}

void own_conf(const struct own *o, enum own_view view, struct watch_conf *conf)
{
	struct declared d = {.judge = conf->judge};
	struct judge_conf usual;

	judge_conf_default(&usual);
	d.judge.max_ack_data = usual.max_ack_data;
	d.judge.grace = usual.grace;
	declared_parse(&d, o->declared);
	conf->judge = d.judge;
	conf->crc_known = true;
	conf->crc = d.crc;
	conf->judge.no_crc = !d.crc;
	conf->crc_order = d.crc_order;
	conf->judge.complete = d.frames == o->frames && !o->err;
	conf->judge.remote_vantage = false;
	conf->judge.midstream = false;
	conf->judge.here = *own_side(o, view);
	conf->judge.window = 0;
	conf->copies = false;
	conf->crc_free = view != OWN_DEVICE;
	if (view == OWN_DEVICE)
		return;
	/* The tester may send anything at any time. */
	conf->judge.rto_init = conf->judge.nack_retx_time = 0;
	conf->judge.max_rto_retx = conf->judge.max_nack_retx = 0;
}

int own_error(const struct own *o, char *ret, size_t size)
{
	snprintf(ret, size, "%s", o->err ? o->error : "");
	return o->err;
}

vtime own_end(const struct own *o)
{
	struct declared d = {.end = 0};

	declared_parse(&d, o->declared);
	return d.end;
}
