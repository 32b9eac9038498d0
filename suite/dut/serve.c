/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/serve.c -- an endpoint between a port and a control channel.
 *
 * One iteration of the loop feeds some datagrams, carries out a request and
 * fires timers.  After each of these it drains the endpoint's queues, datagrams
 * before events.  An idle loop waits for the descriptors until the endpoint's
 * deadline.
 *
 * A timer that is due fires only after the datagrams that arrived before that
 * moment were fed.  A process that had no processor for a while may find both
 * the time-out and the packet that stops the timer.
 */
#include "suite/dut/serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/text.h"
#include "gen/port/port.h"
#include "gen/port/port_clock.h"
#include "suite/dut/chan/chan_listen.h"
#include "suite/dut/chan/chan_make.h"
#include "suite/dut/chan/chan_program.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/chan/dut_chan.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_parse.h"
#include "suite/dut/ctl/ctl_print.h"
#include "suite/dut/ctl/ctl_serve.h"
#include "suite/dut/gate.h"

#define IN_A_ROW 64      /* datagrams in a row before requests and timers */
#define BURST    4096    /* limit of output in a row, since a mutant may loop */
#define WAITING  65536   /* limit of datagrams that wait in the port */
#define LOOK     VSPAN_S /* interval between checks of |interrupted| */

struct serve {
	const struct serve_conf *conf;
	const struct orc_api *api;
	struct orc *orc;
	struct port *port;
	struct chan_listener *listener; /* listener at a path; or NULL */
	struct gate *gate;              /* listener on TCP; or NULL */
	struct chan *chan;
	bool busy; /* there is more input or output */
	bool ended;
	int err;          /* of the port or the endpoint; 0: none */
	struct rng seeds; /* of resets that give none */
	struct text line;
	struct dgram d;
	struct ctl_req req;
	struct ctl_ans ans;
	struct orc_event ev;
};

static void serve_hang_up(struct serve *s)
{
	chan_free(s->chan);
	s->chan = NULL;
	if (s->conf->control == SERVE_FDS)
		s->ended = true;
}

static bool serve_goes_on(const struct serve *s)
{
	const volatile bool *interrupted = s->conf->interrupted;

	return !s->ended && !(interrupted && *interrupted);
}

/*
 * Waits for a controller that has started this program and is slow to read, as
 * a program does that writes to a full pipe.  One on a socket is not waited
 * for, because it must not keep the endpoint from others.
 */
static int serve_await_reader(struct serve *s)
{
	int got = s->conf->control != SERVE_FDS;

	while (!got && serve_goes_on(s))
		got = chan_await_room(s->chan, port_now() + LOOK);
	return got < 0 ? got : 0;
}

/* Sends s->line to the controller, if one is connected. */
static void serve_say(struct serve *s)
{
	if (s->chan && !text_err(&s->line) &&
	    (serve_await_reader(s) ||
	     chan_write(s->chan, s->line.s, s->line.len)))
		serve_hang_up(s);
	text_clear(&s->line);
}

static void serve_answer(struct serve *s)
{
	ctl_ans_print(&s->line, &s->ans);
	serve_say(s);
}

static void serve_refuse(struct serve *s, uint64_t id, const char *why)
{
	memset(&s->ans, 0, sizeof(s->ans));
	s->ans.id = id;
	snprintf(s->ans.error, sizeof(s->ans.error), "%.95s", why);
	serve_answer(s);
}

/* Feeds one datagram.  Returns false if none waits, or after an error. */
static bool serve_feed_one(struct serve *s)
{
	vtime at;
	const int got = s->port->ops->recv(s->port, &s->d, &at);

	if (got < 0)
		s->err = got;
	if (got <= 0)
		return false;
	if (!dgram_misaddressed(&s->d)) /* else: no listener is there */
		s->err = s->api->feed(s->orc, &s->d, port_now());
	return !s->err;
}

/*
 * Lets time pass.  If a timer is due, a datagram that waits is fed in its
 * place: the timer fires when the port was empty at that time.
 * Return: whether a datagram was fed.
 */
static bool serve_tick(struct serve *s)
{
	const vtime now = port_now();

	if (s->api->deadline(s->orc) <= now && serve_feed_one(s))
		return true;
	if (!s->err)
		s->api->tick(s->orc, now);
	return false;
}

/*
 * Sends one packet.  Its timer runs from its departure, so the time is read
 * again: waking the receiver of the previous packet may have taken the
 * processor.
 */
static bool serve_next_packet(struct serve *s)
{
	bool fed = true;

	for (unsigned n = 0; fed && n < BURST; n++) {
		fed = serve_tick(s);
		if (s->err)
			return false;
		if (s->api->poll_tx(s->orc, &s->d))
			return true;
	}
	return false;
}

/* Empties the endpoint's queues: to be called after each push. */
static void serve_drain(struct serve *s)
{
	unsigned n = 0;

	/* Packets that the link refuses are lost, as on any link. */
	for (; n < BURST && serve_next_packet(s); n++)
		s->port->ops->send(s->port, &s->d);
	for (; n < BURST && s->api->poll_event(s->orc, &s->ev); n++) {
		ctl_event_print(&s->line, &s->ev);
		serve_say(s);
	}
	if (n == BURST)
		s->busy = true;
}

static void serve_feed(struct serve *s)
{
	for (unsigned n = 0; n < IN_A_ROW; n++) {
		if (!serve_feed_one(s))
			return;
		serve_drain(s);
		if (s->err)
			return;
	}
	s->busy = true;
}

/*
 * Drops the datagrams that arrived before a reset.  An endpoint that sends to
 * itself would otherwise take those of its last life for new ones, because its
 * ids begin again.
 */
static void serve_forget(struct serve *s)
{
	vtime at;

	for (unsigned n = 0; n < WAITING; n++) {
		if (s->port->ops->recv(s->port, &s->d, &at) <= 0)
			return;
	}
}

static void serve_request(struct serve *s, const char *line, size_t len)
{
	struct diag diag = {0};

	if (ctl_parse_req(&s->req, line, len, &diag)) {
		serve_refuse(s, s->req.id, diag.text);
		return;
	}
	if (s->req.verb == CTL_RESET) {
		serve_forget(s);
		/* Without a seed the next life must not repeat the last one. */
		if (!s->req.seed)
			s->req.seed = rng_next(&s->seeds);
	}
	ctl_serve(s->api, s->orc, &s->req, port_now(), &s->ans);
	serve_answer(s);
	serve_drain(s);
}

/* Accepts the next client if none is connected. */
static void welcome(struct serve *s)
{
	if (s->chan)
		return;
	if (s->gate)
		s->chan = gate_turn(s->gate, port_now());
	else if (s->listener && chan_accept(s->listener, &s->chan) != 1)
		s->chan = NULL;
}

static void serve_control(struct serve *s)
{
	const char *line = NULL;
	size_t len = 0;
	int got;

	welcome(s);
	if (!s->chan)
		return;
	got = chan_read(s->chan, &line, &len);
	s->busy |= got != 0;
	if (got == ERR_CLOSED)
		serve_hang_up(s);
	else if (got > 0)
		serve_request(s, line, len);
	else if (got == ERR_SPACE)
		serve_refuse(s, 0, "the line is too long");
}

static int serve_turn(struct serve *s)
{
	s->busy = false;
	serve_feed(s);
	if (!s->err)
		serve_control(s);
	if (!s->err)
		serve_tick(s);
	if (!s->err)
		serve_drain(s);
	return s->err;
}

static int serve_await(struct serve *s)
{
	int fds[1 + GATE_FDS] = {s->port->fd};
	vtime until = s->api->deadline(s->orc), gate_until;
	size_t ready, n = 1;
	int got;

	if (s->chan) {
		fds[n++] = chan_fd(s->chan);
	} else if (s->gate) {
		n += gate_wait(s->gate, port_now(), fds + n, &gate_until);
		until = vtime_min(until, gate_until);
	} else if (s->listener) {
		fds[n++] = chan_listener_fd(s->listener);
	}
	until = vtime_min(until, s->port->wake);
	/*
	 * Waits at most LOOK, because a signal just before the wait does not
	 * end it.
	 */
	until = vtime_min(until, port_now() + LOOK);
	got = port_wait(fds, n, until, &ready);
	if (got < 0)
		return got;
	return 0;
}

static int serve_loop(struct serve *s, char why[CHAN_WHY])
{
	int err = 0;

	while (!err && serve_goes_on(s)) {
		err = serve_turn(s);
		if (!err && !s->busy && serve_goes_on(s))
			err = serve_await(s);
	}
	if (err == ERR_SYS)
		chan_errno(why, "the port failed");
	else if (err)
		snprintf(why, CHAN_WHY, "the endpoint failed: %s",
			 err_name(err));
	return err;
}

/* Opening */
static int open_gate(struct serve *s, char why[CHAN_WHY])
{
	const struct serve_conf *c = s->conf;
	int err;

	if (!c->token || !*c->token) {
		snprintf(why, CHAN_WHY, "control over TCP needs a token");
		return ERR_VALUE;
	}
	err = chan_listen_tcp(&s->listener, c->host, c->tcp_port, c->anywhere,
			      why);
	if (!err)
		err = gate_new(&s->gate, s->listener, c->token);
	if (!err)
		s->listener = NULL; /* the gate owns it now */
	return err;
}

static int open_control(struct serve *s, char why[CHAN_WHY])
{
	const struct serve_conf *c = s->conf;

	switch (c->control) {
	case SERVE_NONE:
		return 0;
	case SERVE_FDS:
		return chan_of_fds(&s->chan, c->in, c->out, why);
	case SERVE_UNIX:
		return chan_listen_unix(&s->listener, c->path, why);
	case SERVE_TCP:
		return open_gate(s, why);
	}
	return ERR_VALUE;
}

static int serve_open_port(struct serve *s, char why[CHAN_WHY])
{
	struct port_conf port = s->conf->port;
	int err;

	port.addr = s->conf->orc.addr;
	port.family = s->conf->orc.family;
	err = port_new(&s->port, &port);
	if (err)
		chan_port(why, &port, err);
	return err;
}

static int serve_expose(struct serve *s, uint64_t key)
{
	const struct orc_op op = {
		.kind = OP_EXPOSE,
		.key = key,
		.offset = s->conf->memory_offset,
		.len = s->conf->memory_len,
	};

	return s->api->post(s->orc, &op, port_now());
}

/* Declared memory exists even without a control channel that exposes it. */
static int expose_all(struct serve *s)
{
	int err;

	if (s->conf->control != SERVE_NONE || !s->conf->memory_len)
		return 0;
	if (s->conf->memory_key)
		err = serve_expose(s, s->conf->memory_key);
	else
		err = 0;
	if (err)
		return err;
	return serve_expose(s, 0);
}

static int serve_open_all(struct serve *s, char why[CHAN_WHY])
{
	int err = s->api->make(&s->orc, &s->conf->orc);

	if (!err)
		err = expose_all(s);
	if (err) {
		snprintf(why, CHAN_WHY, "the endpoint refused: %s",
			 err_name(err));
		return err;
	}
	err = serve_open_port(s, why);
	if (err)
		return err;
	return open_control(s, why);
}

/* "udp 127.0.0.2:4793, control tcp 127.0.0.1:4000" */
static void serve_announce(const struct serve *s)
{
	const struct serve_conf *c = s->conf;
	char addr[IP_ADDR_TEXT], line[256], control[160] = "";

	if (!c->ready)
		return;
	if (c->control == SERVE_UNIX)
		snprintf(control, sizeof(control), ", control unix %s",
			 c->path);
	else if (c->control == SERVE_TCP)
		snprintf(control, sizeof(control), ", control tcp %.100s:%u",
			 c->host, gate_port(s->gate));
	ip_addr_print(&c->orc.addr, addr);
	snprintf(line, sizeof(line), "%s %s%s%s:%u%s", s->port->ops->name,
		 c->port.iface, *c->port.iface ? " " : "", addr,
		 c->port.udp_port ? c->port.udp_port
				  : family_port(c->port.family),
		 control);
	c->ready(c->ready_ctx, line);
}

int serve_run(const struct serve_conf *conf, char why[CHAN_WHY])
{
	struct serve *s = memory_calloc(1, sizeof(*s));
	int err;

	if (!s) {
		snprintf(why, CHAN_WHY, "out of memory");
		return ERR_NOMEM;
	}
	s->conf = conf;
	s->api = conf->api;
	err = serve_open_all(s, why);
	if (!err) {
		serve_announce(s);
		err = serve_loop(s, why);
	}
	if (conf->ends)
		conf->ends(conf->ready_ctx);
	chan_free(s->chan);
	gate_free(s->gate);
	chan_listener_free(s->listener);
	if (s->port)
		s->port->ops->free(s->port);
	s->api->free(s->orc);
	text_free(&s->line);
	free(s);
	return err;
}
