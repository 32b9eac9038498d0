/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/bridge.c -- the loop of "rung bridge" over two ports.
 *
 * A packet that arrives is matched with the rules and leaves on the other side,
 * in batches if the port can send them; a round ends when neither port has
 * more.  The bridge writes the packet to the capture where it arrived and where
 * it left, with the action of a rule on it.
 *
 * Each side has its own judge at its own link.  That judge sees a packet of its
 * side before any impairment, and a packet for its side after all of them.
 */
#include "cli/bridge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/privilege.h"
#include "cli/run/meter.h"
#include "cli/run/trace.h"
#include "gen/port/port_clock.h"
#include "judge/req.h"
#include "lib/lib_finding.h"
#include "suite/run/run.h"
#include "wire/frame/crc.h"
#include "wire/frame/frame.h"
#include "wire/frame/frame_build.h"

#define BATCH      64 /* packets taken from one side before the other's turn */
#define FRAME_ROOM (DGRAM_MAX + IMP_HEAD)
#define ROOM       ((size_t)1 << 18) /* bytes of frames that wait to be sent */
#define PATIENCE   (100 * VSPAN_MS)  /* longest delay of a signal */
#define FOUND      16
#define FLOWS      1024
#define WINDOW     256 /* PSNs that a judge remembers for a flow */
#define ADDRS      64  /* most addresses of a side whose findings are kept */

struct bridge_end {
	struct port *port;
	struct ip_addr addr, peer; /* UDP: our address, and the endpoint's */
	struct judge *judge;
	struct ip_addr seen[ADDRS]; /* addresses that sent from this side */
	size_t nseen;
	struct port_frame out[BATCH];
	size_t nout, used;
	uint8_t *room;
	uint64_t lost; /* lost packets that the judges know of */
};

struct bridge {
	const struct bridge_conf *conf;
	struct bridge_result *res;
	struct imp *imp;
	struct trace trace;
	struct meter meter;
	struct frame_conf frame;
	struct bridge_end end[2];
	vtime now;  /* time of the packet in hand */
	vtime last; /* time of the last packet */
	bool came;  /* a packet has come */
	bool over;
	/* large members, kept off the stack */
	struct dgram d;
	struct imp_out out;
	uint8_t made[FRAME_ROOM];
	struct finding found[FOUND];
};

static void bridge_failed(struct bridge *b, unsigned s, const char *what)
{
	struct bridge_result *r = b->res;

	b->over = true;
	if (r->code)
		return;
	r->code = EXIT_HARNESS;
	snprintf(r->error, sizeof(r->error), "%s: %s: %s", b->conf->names[s],
		 what, strerror(errno));
}

static void bridge_no_memory(struct bridge *b)
{
	b->over = true;
	b->res->code = EXIT_HARNESS;
	snprintf(b->res->error, sizeof(b->res->error), "out of memory");
}

/* ---- Judging ---- */

static bool is_of(const struct bridge_end *e, const struct ip_addr *a)
{
	for (size_t i = 0; i < e->nseen; i++)
		if (ip_addr_equal(&e->seen[i], a))
			return true;
	return false;
}

static void bridge_keep(struct bridge *b, const struct bridge_end *e, size_t n)
{
	struct bridge_result *r = b->res;

	for (size_t i = 0; i < n && i < FOUND; i++) {
		const struct finding *f = &b->found[i];

		if (!is_of(e, &f->side))
			continue;
		if (req_fails(f->req, b->conf->strict))
			r->fails++;
		else
			r->remarks++;
		if (r->nfindings < BRIDGE_FINDINGS)
			lib_finding_judged(&r->findings[r->nfindings++], f);
	}
}

/*
 * |in|: the packet came from this side.  A packet with a wrong CRC is not
 * judged.
 */
static void bridge_judge(struct bridge *b, struct bridge_end *e,
			 const struct dgram *d, vtime at, bool in)
{
	struct packet pkt;
	const struct judge_packet jp = {
		.pkt = &pkt, .d = d, .at = at, .frame = b->trace.packets + 1};

	if (!e->judge || d->crc == DGRAM_CRC_WRONG)
		return;
	if (in && !is_of(e, &d->src) && e->nseen < ADDRS)
		e->seen[e->nseen++] = d->src;
	packet_parse(d->family, &pkt, d->data, d->len);
	bridge_keep(b, e, judge_push(e->judge, &jp, b->found, FOUND));
}

/*
 * Packets that the kernel lost may explain a finding, so the judge must know of
 * them.
 */
static void look_at_losses(struct bridge *b)
{
	for (unsigned s = 0; s < 2; s++) {
		struct port *p = b->end[s].port;
		const uint64_t lost = p->ops->drops ? p->ops->drops(p) : 0;

		if (lost != b->end[s].lost)
			for (unsigned i = 0; i < 2 && b->conf->judge; i++)
				judge_mark_incomplete(b->end[i].judge);
		b->end[s].lost = lost;
		b->res->side[s].lost = lost;
		b->res->side[s].cut = p->truncated + p->oversize;
		if (p->frames && p->downs) {
			errno = ENETDOWN;
			bridge_failed(b, s, "the interface");
		}
	}
}

/* ---- Sending ---- */

/*
 * Counts packets for which there was no room: the bridge lost them, so neither
 * end is to blame.
 */
static void lose(struct bridge *b, unsigned s, uint64_t n)
{
	if (!n)
		return;
	b->res->side[s].refused += n;
	for (unsigned i = 0; i < 2 && b->conf->judge; i++)
		judge_mark_incomplete(b->end[i].judge);
}

static void put_out(struct bridge *b, unsigned s)
{
	struct bridge_end *e = &b->end[s];
	size_t done = 0;

	while (done < e->nout && !b->over) {
		int n = e->port->ops->put(e->port, e->out + done,
					  e->nout - done);

		if (n > 0)
			done += (size_t)n;
		else if (errno == ENOBUFS || errno == EAGAIN)
			break; /* lost in our own queue */
		else
			bridge_failed(b, s, "sending");
	}
	b->res->side[s].out += done;
	lose(b, s, e->nout - done);
	e->nout = e->used = 0;
}

/* Queues a frame until a batch is full, or no packet comes. */
static void bridge_leave(struct bridge *b, unsigned s, const uint8_t *p,
			 size_t len)
{
	struct bridge_end *e = &b->end[s];

	if (e->nout == BATCH || ROOM - e->used < len)
		put_out(b, s);
	memcpy(e->room + e->used, p, len);
	e->out[e->nout++] =
		(struct port_frame){.p = e->room + e->used, .len = len};
	e->used += len;
}

static const char *bridge_say(const struct imp_out *out, char *buf, size_t size)
{
	static const char *const words[] = {
		[IMP_PASSED] = "passed",    [IMP_DROPPED] = "dropped",
		[IMP_LATE] = "let go late", [IMP_COPY] = "copied",
		[IMP_CHANGED] = "changed",  [IMP_INJECTED] = "injected",
	};

	if (!out->line)
		return NULL;
	snprintf(buf, size, "%s by line %u", words[out->fate], out->line);
	return buf;
}

/* Makes the frame to be sent.  Return: its length, or an error. */
static int bridge_wrap(struct bridge *b, const struct imp_out *out)
{
	if (out->nhead)
		return frame_wrap(&b->frame, FRAME_ETHERNET, out->head,
				  out->nhead, &out->d, b->made,
				  sizeof(b->made));
	return frame_build(&b->frame, FRAME_ETHERNET, &out->d, b->made,
			   sizeof(b->made));
}

static void send_dgram(struct bridge *b, unsigned s, const struct dgram *d)
{
	struct port *p = b->end[s].port;
	const uint64_t before = p->unsent + p->too_long;
	const int err = p->ops->send(p, d);
	const uint64_t lost = p->unsent + p->too_long - before;

	if (lost)
		lose(b, s, lost);
	else if (err == ERR_SYS)
		bridge_failed(b, s, "sending");
	else if (err)
		b->res->side[s].refused++;
	else
		b->res->side[s].out++;
}

static void leave_out(struct bridge *b, vtime now)
{
	struct imp_out *out = &b->out;
	const unsigned s = out->dir == IMP_TO_DUT ? 1 : 0;
	struct bridge_end *e = &b->end[s];
	char buf[64];
	int len;

	if (!e->port->frames) {
		out->d.src = e->addr;
		out->d.dst = e->peer;
	}
	bridge_judge(b, e, &out->d, now, false);
	if (crc_seal(&out->d, CRC_LE)) {
		b->res->side[s].refused++;
		return;
	}
	len = bridge_wrap(b, out);
	if (len < 0) {
		b->res->side[s].refused++;
		return;
	}
	trace_packet(&b->trace, s, CAPTURE_OUTBOUND, now, b->made, (size_t)len,
		     bridge_say(out, buf, sizeof(buf)));
	if (e->port->frames)
		bridge_leave(b, s, b->made, (size_t)len);
	else
		send_dgram(b, s, &out->d);
}

/* Sends all packets that are due, except dropped ones. */
static void bridge_flush(struct bridge *b, vtime now)
{
	while (imp_poll(b->imp, now, &b->out))
		if (b->out.fate == IMP_DROPPED)
			b->res->dropped++;
		else
			leave_out(b, now);
}

/* ---- Receiving ---- */

/*
 * Returns the fate of packet |number|; b->out is the first that has not left.
 */
static const char *bridge_fate_of(const struct bridge *b, uint32_t number,
				  char *buf, size_t size)
{
	if (b->out.tag != number)
		return "kept back";
	if (b->out.fate == IMP_DROPPED)
		return bridge_say(&b->out, buf, size);
	return NULL;
}

/* Handles a packet that came in |frame|; b->d holds it without its CRC. */
static void packet_in(struct bridge *b, unsigned s, const uint8_t *frame,
		      size_t len, vtime at)
{
	const uint32_t number = b->trace.packets + 1;
	const vtime now = b->now;
	bool written = false;
	char buf[64];

	bridge_judge(b, &b->end[s], &b->d, at, true);
	if (imp_push(b->imp, s ? IMP_FROM_DUT : IMP_TO_DUT, &b->d, now, number,
		     false))
		bridge_no_memory(b);
	while (imp_poll(b->imp, now, &b->out)) {
		if (!written)
			trace_packet(
				&b->trace, s, CAPTURE_INBOUND, at, frame, len,
				bridge_fate_of(b, number, buf, sizeof(buf)));
		written = true;
		if (b->out.fate == IMP_DROPPED)
			b->res->dropped++;
		else
			leave_out(b, now);
	}
	if (!written)
		trace_packet(&b->trace, s, CAPTURE_INBOUND, at, frame, len,
			     "kept back");
}

/*
 * Removes the CRC, in either byte order; it is computed again when the packet
 * leaves.
 */
static void bridge_open_crc(struct bridge *b)
{
	crc_open(&b->d, CRC_LE, ICRC_SOCK);
	if (b->d.crc == DGRAM_CRC_WRONG)
		b->d.crc = DGRAM_CRC_NONE;
}

static void count_in(struct bridge *b, unsigned s, vtime now)
{
	b->res->side[s].in++;
	b->came = true;
	b->last = now;
}

/* Forwards unchanged frames that hold no packet of ours, and truncated ones. */
static void pass_on(struct bridge *b, unsigned s, const struct port_frame *f)
{
	b->res->side[s].other++;
	trace_packet(&b->trace, s, CAPTURE_INBOUND, f->at, f->p, f->len, NULL);
	if (f->len < f->orig)
		return; /* the rest of the frame is lost */
	trace_packet(&b->trace, !s, CAPTURE_OUTBOUND, b->now, f->p, f->len,
		     NULL);
	bridge_leave(b, !s, f->p, f->len);
}

static void frame_in(struct bridge *b, unsigned s, const struct port_frame *f)
{
	struct frame_info info;

	if (frame_find(&b->frame, FRAME_ETHERNET, f->p, f->len, &b->d, &info) !=
		    FRAME_OK ||
	    info.ip_cut || info.at > IMP_HEAD) {
		pass_on(b, s, f);
		return;
	}
	memcpy(b->d.data, f->p + info.at, info.len);
	bridge_open_crc(b);
	imp_attach(b->imp, f->p, info.at);
	count_in(b, s, f->at);
	packet_in(b, s, f->p, f->len, f->at);
}

static void dgram_in(struct bridge *b, unsigned s, vtime at)
{
	struct bridge_end *e = &b->end[s];
	int len;

	if (!ip_addr_equal(&b->d.src, &e->peer)) {
		b->res->side[s].other++;
		return;
	}
	len = frame_build(&b->frame, FRAME_ETHERNET, &b->d, b->made,
			  sizeof(b->made));
	bridge_open_crc(b);
	count_in(b, s, at);
	/* leave_out() makes its frame in the same buffer, but later. */
	packet_in(b, s, b->made, len > 0 ? (size_t)len : 0, at);
}

/* Takes up to a batch from one side.  Return: the number of packets. */
static unsigned bridge_take_in(struct bridge *b, unsigned s)
{
	struct port *p = b->end[s].port;
	struct port_frame f;
	unsigned n = 0;
	int got = 1;
	vtime at;

	while (n < BATCH && !b->over) {
		if (p->frames)
			got = p->ops->take(p, &f);
		else
			got = p->ops->recv(p, &b->d, &at);
		if (got <= 0)
			break;
		n++;
		b->now = port_now();
		if (imp_deadline(b->imp) <= b->now)
			bridge_flush(b, b->now);
		if (p->frames)
			frame_in(b, s, &f);
		else
			dgram_in(b, s, at);
	}
	if (got < 0)
		bridge_failed(b, s, "receiving");
	return n;
}

/* ---- The loop ---- */

static bool bridge_is_over(struct bridge *b, vtime begun, vtime now)
{
	const struct bridge_conf *c = b->conf;

	if (*c->stop)
		b->res->interrupted = true;
	return b->over || *c->stop ||
	       (c->duration && now - begun >= c->duration) ||
	       (c->silence && b->came && now - b->last >= c->silence);
}

static void wait_for_more(struct bridge *b, vtime now)
{
	const int fds[] = {b->end[0].port->fd, b->end[1].port->fd};
	const vtime until = vtime_min(imp_deadline(b->imp), now + PATIENCE);
	size_t ready;

	if (trace_flush(&b->trace)) {
		b->over = true;
		b->res->code = EXIT_HARNESS;
		snprintf(b->res->error, sizeof(b->res->error), "%s: %s",
			 b->conf->capture, strerror(errno));
	}
	if (!b->over && port_wait(fds, 2, until, &ready) < 0)
		bridge_failed(b, 0, "waiting");
}

static void bridge_loop(struct bridge *b)
{
	const vtime begun = port_now();
	vtime now = begun, looked = begun;

	while (!bridge_is_over(b, begun, now)) {
		const unsigned n = bridge_take_in(b, 0) + bridge_take_in(b, 1);

		now = port_now();
		bridge_flush(b, now);
		for (unsigned s = 0; s < 2; s++)
			if (b->end[s].nout)
				put_out(b, s);
		if (!n || now - looked > PATIENCE) {
			look_at_losses(b);
			looked = now;
		}
		meter_show(&b->meter, b->res->side[0].in + b->res->side[1].in,
			   now);
		if (!n)
			wait_for_more(b, now);
		now = port_now();
	}
}

/* Judges the packets that never came, up to the current time. */
static void bridge_judge_absence(struct bridge *b)
{
	for (unsigned s = 0; s < 2; s++)
		if (b->end[s].judge)
			bridge_keep(b, &b->end[s],
				    judge_end(b->end[s].judge, port_now(),
					      b->found, FOUND));
}

/* ---- Opening and closing ---- */

static int bridge_open_end(struct bridge *b, unsigned s)
{
	const struct bridge_conf *c = b->conf;
	struct bridge_end *e = &b->end[s];
	struct port_conf conf = c->at[s].conf;
	char why[PORT_NAME + 120];

	if (!conf.udp_port)
		conf.udp_port = c->decl->udp_port;
	if (port_new(&e->port, &conf)) {
		port_error(&conf, errno, why, sizeof(why));
		fprintf(stderr, "%s: %s: %s\n", c->who, c->names[s], why);
		return EXIT_HARNESS;
	}
	e->addr = conf.addr;
	e->peer = c->at[s].peer;
	e->room = memory_alloc(ROOM);
	if (e->room)
		return 0;
	return cli_nomem(c->who);
}

static int open_judges(struct bridge *b)
{
	struct judge_conf jc;

	judge_conf_default(&jc);
	if (b->conf->declared)
		run_declared(b->conf->decl, &jc);
	jc.complete = jc.midstream = jc.shared_counters = true;
	jc.window = WINDOW;
	for (unsigned s = 0; s < 2 && b->conf->judge; s++)
		if (judge_new(&b->end[s].judge, &jc, FLOWS))
			return cli_nomem(b->conf->who);
	return 0;
}

static int bridge_open_all(struct bridge *b)
{
	const struct bridge_conf *c = b->conf;
	int code = 0;

	privilege_confine();
	privilege_raise();
	b->frame.udp_port = c->decl->udp_port;
	b->frame.ip_proto = c->at[0].conf.ip_proto;
	b->res->findings =
		memory_calloc(BRIDGE_FINDINGS, sizeof(*b->res->findings));
	if (!b->res->findings || imp_new(&b->imp))
		return cli_nomem(c->who);
	b->res->imp = b->imp;
	if (rules_load(c->rules, c->decl, b->imp))
		return cli_nomem(c->who);
	for (unsigned s = 0; s < 2 && !code; s++)
		code = bridge_open_end(b, s);
	privilege_settle(PRIVILEGE_PORT(c->at[0].conf.kind) |
				 PRIVILEGE_PORT(c->at[1].conf.kind),
			 PRIVILEGE_FILES);
	if (!code)
		code = open_judges(b);
	if (code)
		return code;
	return trace_open(c->who, c->capture, c->names, &b->trace);
}

static void close_all(struct bridge *b)
{
	privilege_raise();
	for (unsigned s = 0; s < 2; s++) {
		if (b->end[s].port)
			b->end[s].port->ops->free(b->end[s].port);
		judge_free(b->end[s].judge);
		free(b->end[s].room);
	}
}

static int cli_bridge_run(struct bridge *b)
{
	const struct bridge_conf *c = b->conf;
	const int code = bridge_open_all(b);

	if (code)
		return code;
	if (!c->quiet)
		fprintf(stderr, "%s: between %s and %s\n", c->who, c->names[0],
			c->names[1]);
	meter_begin(&b->meter, c->who, c->quiet, UINT64_MAX, port_now());
	bridge_loop(b);
	meter_hide(&b->meter);
	bridge_judge_absence(b);
	if (trace_close(&b->trace) && !b->res->code) {
		b->res->code = EXIT_HARNESS;
		snprintf(b->res->error, sizeof(b->res->error), "%s: %s",
			 c->capture, strerror(errno));
	}
	return 0;
}

int bridge_run(const struct bridge_conf *conf, struct bridge_result *ret)
{
	struct bridge *b = memory_calloc(1, sizeof(*b));
	int code;

	*ret = (struct bridge_result){.imp = NULL};
	if (!b)
		return cli_nomem(conf->who);
	b->conf = conf;
	b->res = ret;
	code = cli_bridge_run(b);
	close_all(b);
	free(b);
	return code;
}

void bridge_free(struct bridge_result *r)
{
	imp_free(r->imp);
	free(r->findings);
	*r = (struct bridge_result){.imp = NULL};
}
