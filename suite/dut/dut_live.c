/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_live.c -- a port and a control channel as one device under
 * test.
 *
 * The device waits for both.  Before it compares the time with a deadline, it
 * reads pending input up to a limit, datagrams first because the kernel has
 * stamped them.  Reported times never go backwards.
 */
#include "suite/dut/dut_live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "gen/port/port.h"
#include "gen/port/port_clock.h"
#include "judge/core/copies.h"
#include "suite/dut/chan/chan_connect.h"
#include "suite/dut/chan/chan_program.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/chan/dut_chan.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_parse.h"
#include "suite/dut/ctl/ctl_print.h"
#include "suite/dut/dut.h"
#include "suite/dut/dut_live_count.h"
#include "suite/dut/dut_live_state.h"
#include "suite/dut/dut_trigger.h"
#include "wire/packet.h"

#define OWN_IDS     (1u << 31)
#define HELLO_TIME  (5 * VSPAN_S)
#define MEET_TIME   VSPAN_S
#define STALE_TIME  (500 * VSPAN_MS) /* to drain the packets of a case */
#define SIGNAL_TIME (200 * VSPAN_MS)
#define IN_A_ROW    64 /* datagrams before the channel */

static struct dut_live *dut_live_self(struct dut *d)
{
	return (struct dut_live *)d; /* its first member */
}

static vtime live_now(struct dut *d)
{
	struct dut_live *l = dut_live_self(d);

	l->last = vtime_max(l->last, port_now());
	return l->last;
}

/* Rewrites a received packet to the header sizes of the tables. */
static void dut_live_make_usual(struct dut_live *l, struct dgram *d)
{
	size_t n;

	if (d->family != MAIN_FAMILY || d->len + FOREIGN_MORE > DGRAM_MAX)
		return;
	n = foreign_open(&l->foreign, d->data, d->len, l->scratch.data);
	if (!n)
		return;
	memcpy(d->data, l->scratch.data, n);
	d->len = n;
}

static int live_send(struct dut *d, struct dgram *dg)
{
	struct dut_live *l = dut_live_self(d);

	dg->src = d->tester;
	dg->dst = d->peer;
	dgram_copy(&l->scratch, dg);
	if (dg->family == MAIN_FAMILY)
		l->scratch.len = foreign_close(&l->foreign, l->scratch.data,
					       l->scratch.len);
	if (crc_seal(&l->scratch, d->link.crc_order))
		return ERR_SPACE;
	return l->port->ops->send(l->port, &l->scratch);
}

static int dut_live_control(struct dut *d, const struct ctl_req *req)
{
	struct dut_live *l = dut_live_self(d);

	if (l->trigger)
		return trigger_post(l->trigger, req);
	if (!l->chan)
		return d->control ? ERR_CLOSED : ERR_SUPPORT;
	text_clear(&l->line);
	ctl_req_print(&l->line, req);
	if (text_err(&l->line))
		return ERR_NOMEM;
	return chan_write(l->chan, l->line.s, l->line.len);
}

/* Datagrams */
static void take_crc(struct dut_live *l, struct dgram *d)
{
	if (!l->dut.link.crc)
		return;
	crc_open(d, l->dut.link.crc_order, l->dut.link.icrc);
	l->dut.counts.crc_bad += d->crc == DGRAM_CRC_WRONG;
}

static bool is_packet(const struct dgram *d)
{
	struct packet pkt;

	packet_parse(d->family, &pkt, d->data, d->len);
	return pkt.fault == PACKET_OK;
}

/*
 * Returns true for a packet that the operation of a command may have caused: no
 * answer, and no retransmission of an earlier one.
 */
static bool begins_operation(const struct dgram *d)
{
	struct packet pkt;
	uint64_t v;

	packet_parse(d->family, &pkt, d->data, d->len);
	if (packet_value(&pkt, "ack_psn", &v) ||
	    packet_value(&pkt, "nack_psn", &v))
		return false;
	return !packet_value(&pkt, "retx", &v) || !v;
}

/* Return: 1 a datagram of the peer, 0 none; ERR_SYS. */
static int next_dgram(struct dut_live *l, struct dut_event *ret)
{
	vtime at = 0;
	int got;

	while ((got = l->port->ops->recv(l->port, &ret->d, &at)) == 1) {
		if (!ip_addr_equal(&ret->d.src, &l->dut.peer)) {
			l->dut.counts.foreign++;
			continue;
		}
		look_for_doubles(l, &ret->d, at);
		take_crc(l, &ret->d);
		dut_live_make_usual(l, &ret->d);
		if (dgram_misaddressed(&ret->d) && !is_packet(&ret->d))
			continue;
		if (l->trigger && begins_operation(&ret->d))
			trigger_heard(l->trigger);
		ret->kind = DUT_DGRAM;
		ret->at = l->last = vtime_max(l->last, at);
		return 1;
	}
	return got;
}

/*
 * Reads a datagram of the other endpoint and prepares it as if the tester had
 * sent it.
 */
static int next_peer(struct dut_live *l, struct dut_event *ret)
{
	vtime at = 0;
	int got;

	while ((got = l->behind->ops->recv(l->behind, &ret->d, &at)) == 1) {
		if (!ip_addr_equal(&ret->d.src, &l->other) ||
		    dgram_misaddressed(&ret->d))
			continue;
		dgram_plain(&ret->d); /* its outer headers are not judged */
		take_crc(l, &ret->d);
		ret->d.src = l->dut.tester;
		ret->d.dst = l->dut.peer;
		ret->kind = DUT_PEER;
		ret->at = l->last = vtime_max(l->last, at);
		return 1;
	}
	return got;
}

static int live_forward(struct dut *d, const struct dgram *dg)
{
	struct dut_live *l = dut_live_self(d);

	dgram_copy(&l->scratch, dg);
	l->scratch.src = l->face;
	l->scratch.dst = l->other;
	if (crc_seal(&l->scratch, d->link.crc_order))
		return ERR_SYS;
	return l->behind->ops->send(l->behind, &l->scratch);
}

/*
 * Waits a moment for a signal to rung: a scheduler ends all processes of a job,
 * the device first.  The case then counts as interrupted, not as failed.
 */
static void await_own_signal(struct dut_live *l)
{
	const vtime until = live_now(&l->dut) + SIGNAL_TIME;
	size_t ready;

	while (l->dut.stop && !*l->dut.stop && live_now(&l->dut) < until)
		if (port_wait(NULL, 0, until, &ready) < 0)
			return;
}

/* Control */
static void dut_live_gone(struct dut_live *l, struct dut_event *ret)
{
	ret->kind = DUT_GONE;
	chan_ended(l->chan, ret->text);
	chan_free(l->chan);
	l->chan = NULL;
	await_own_signal(l);
}

/* Copies a line of garbage, truncated and printable. */
static void garbage(struct dut_event *ret, const char *line, size_t len)
{
	size_t n = len < sizeof(ret->text) - 1 ? len : sizeof(ret->text) - 1;

	ret->kind = DUT_GARBAGE;
	for (size_t i = 0; i < n; i++)
		ret->text[i] = line[i] >= ' ' && line[i] <= '~' ? line[i] : '?';
	ret->text[n] = 0;
}

/* Return: true if the line is an event, false if it is to be ignored. */
static bool dut_live_message(struct dut_live *l, struct dut_event *ret,
			     const char *line, size_t len)
{
	struct diag diag = {0};
	enum ctl_kind kind = CTL_ANSWER;
	int err = ctl_parse_reply(&kind, &ret->ans, &ret->ev, line, len, &diag);

	if (err == ERR_SUPPORT) {
		l->dut.counts.unknown_events++;
		return false;
	}
	if (err)
		garbage(ret, line, len);
	else
		ret->kind = kind == CTL_ANSWER ? DUT_ANSWER : DUT_EVENT;
	return true;
}

/* Return: 1 if there was an event, 0 if none. */
static int dut_live_next_line(struct dut_live *l, struct dut_event *ret)
{
	const char *line = NULL;
	size_t len = 0;
	int got;

	while (l->chan) {
		got = chan_read(l->chan, &line, &len);
		if (got == 0)
			return 0;
		ret->at = live_now(&l->dut);
		if (got == ERR_CLOSED)
			dut_live_gone(l, ret);
		else if (got == ERR_SPACE)
			garbage(ret, line, len);
		else if (!dut_live_message(l, ret, line, len))
			continue;
		return 1;
	}
	return 0;
}

/*
 * Reads output of a command that starts operations.  Return: as
 * dut_live_next_line().
 */
static int next_trigger(struct dut_live *l, struct dut_event *ret)
{
	const int got = trigger_next(l->trigger, ret);

	if (got)
		ret->at = live_now(&l->dut);
	return got;
}

/* Reads both sources in turn. */
static int next_any(struct dut_live *l, struct dut_event *ret)
{
	int got;

	if (l->in_a_row < IN_A_ROW) {
		got = next_dgram(l, ret);
		if (got) {
			l->in_a_row++;
			return got;
		}
		l->in_a_row = 0;
	}
	got = l->trigger ? next_trigger(l, ret) : dut_live_next_line(l, ret);
	if (!got && l->behind)
		got = next_peer(l, ret);
	if (got) {
		/* as many as the datagrams before them: neither side lags */
		if (l->in_a_row && ++l->in_a_row == 2 * IN_A_ROW)
			l->in_a_row = 0;
		return got;
	}
	l->in_a_row = 0;
	return next_dgram(l, ret);
}

static void live_tally(struct dut *d)
{
	struct dut_live *l = dut_live_self(d);

	await_departures(l);
	dut_live_count(l);
	set_doubt(l, DOUBT_UNSEEN, dut_live_unseen(l));
}

/* Descriptors and deadlines of the ports and the channel. */
static void live_awaits(struct dut *d, int *ret_fds, vtime *ret_until)
{
	struct dut_live *l = dut_live_self(d);

	ret_fds[0] = l->port->fd;
	ret_fds[1] = l->chan ? chan_fd(l->chan) : -1;
	ret_fds[2] = l->behind ? l->behind->fd : -1;
	*ret_until = l->port->wake;
	if (l->behind)
		*ret_until = vtime_min(*ret_until, l->behind->wake);
}

static int dut_live_next(struct dut *d, vtime until, struct dut_event *ret)
{
	struct dut_live *l = dut_live_self(d);
	bool waited = false;
	size_t ready;
	vtime wake;

	for (;;) {
		int fds[DUT_FDS + TRIGGER_COMMANDS];
		size_t nfds = DUT_FDS;
		int got = next_any(l, ret);

		count_quickly(l);
		if (got)
			return got < 0 ? got : 0;
		if (waited || live_now(d) >= until)
			break;
		live_awaits(d, fds, &wake);
		wake = vtime_min(until, wake);
		if (l->trigger) {
			trigger_fds(l->trigger, fds + DUT_FDS);
			nfds += TRIGGER_COMMANDS;
		}
		got = port_wait(fds, nfds, wake, &ready);
		if (got < 0)
			return got;
		/* polls once more before it reports the time-out */
		waited = got == 0 && wake == until;
	}
	dut_live_count(l);
	ret->kind = DUT_TIMEOUT;
	ret->at = live_now(d);
	return 0;
}

/*
 * Limits the loop: a flooding device must not keep the tester in it, nor a
 * silent one keep an interrupted run.
 */
static bool dut_live_goes_on(struct dut_live *l, vtime until)
{
	return live_now(&l->dut) < until && !(l->dut.stop && *l->dut.stop);
}

/*
 * Returns when a wait of |patience| ends, at the latest at the end of the case.
 */
static vtime patient_until(struct dut_live *l, vspan patience)
{
	const vtime until = live_now(&l->dut) + patience;

	if (l->dut.end)
		return vtime_min(until, l->dut.end);
	return until;
}

/*
 * Waits for the answer to l->req in l->ev and drops other input. l->why keeps
 * the last garbage, or the last error of a line.
 * Errors: ERR_STATE no answer in time; ERR_CLOSED.
 */
static int dut_live_await(struct dut_live *l)
{
	vtime until = patient_until(l, l->patience);

	l->why[0] = 0;
	while (dut_live_goes_on(l, until)) {
		int err = dut_live_next(&l->dut, until, &l->ev);

		if (err)
			return err;
		if (l->ev.kind == DUT_GONE)
			return ERR_CLOSED;
		if (l->ev.kind == DUT_GARBAGE)
			snprintf(l->why, sizeof(l->why), "; it said: %.200s",
				 l->ev.text);
		if (l->ev.kind == DUT_ANSWER && !l->ev.ans.id)
			snprintf(l->why, sizeof(l->why), "; it said: %s",
				 l->ev.ans.error);
		if (l->ev.kind == DUT_ANSWER && l->ev.ans.id == l->req.id)
			return 0;
	}
	return ERR_STATE;
}

static int dut_live_ask(struct dut_live *l, enum ctl_verb verb, uint64_t seed)
{
	int err;

	l->req.id = OWN_IDS | (l->id++ & (OWN_IDS - 1));
	l->req.verb = verb;
	l->req.seed = seed;
	err = dut_live_control(&l->dut, &l->req);
	/* dut_live_await() reads a closed channel and reports how the
	 * program at its other end ended. */
	if (err && err != ERR_CLOSED)
		return err;
	return dut_live_await(l);
}

/* Drops packets in flight, which belong to the previous case. */
static int drop_stale(struct dut_live *l)
{
	const vtime until = patient_until(l, STALE_TIME);
	int err;

	do {
		err = dut_live_next(&l->dut, 0, &l->ev);
		if (!err && l->ev.kind == DUT_GONE)
			err = ERR_CLOSED;
	} while (!err && l->ev.kind != DUT_TIMEOUT &&
		 dut_live_goes_on(l, until));
	return err;
}

/*
 * Resolves the DUT's link address before the case starts.  Ignores failure: a
 * DUT that does not answer here will not answer in the case either.
 */
static int meet_peer(struct dut_live *l)
{
	struct port *p = l->port;
	const vtime until = patient_until(l, MEET_TIME);
	vtime at;
	size_t ready;
	int got = 1;

	if (!p->ops->meet)
		return 0;
	while ((got = p->ops->meet(p, &l->dut.peer)) == 0 &&
	       dut_live_goes_on(l, until)) {
		got = port_wait(&p->fd, 1, vtime_min(until, p->wake), &ready);
		while (got >= 0 && dut_live_goes_on(l, until) &&
		       (got = p->ops->recv(p, &l->scratch, &at)) > 0)
			;
		if (got < 0)
			return got;
	}
	if (got < 0)
		return got;
	return 0;
}

/* Ignores the result: a device that cannot be reset is used as it is. */
static int reset_by_trigger(struct dut_live *l)
{
	const vtime until = patient_until(l, l->patience);
	int fds[TRIGGER_COMMANDS], err;
	size_t ready;

	trigger_stop(l->trigger);
	err = trigger_reset(l->trigger, &l->dut.tester);
	while (!err && trigger_waits(l->trigger) &&
	       dut_live_goes_on(l, until)) {
		while (dut_live_goes_on(l, until) &&
		       trigger_next(l->trigger, &l->ev))
			;
		trigger_fds(l->trigger, fds);
		if (trigger_waits(l->trigger) &&
		    port_wait(fds, TRIGGER_COMMANDS, until, &ready) < 0)
			err = ERR_SYS;
	}
	trigger_stop(l->trigger);
	return err;
}

static int live_begin(struct dut *d, uint64_t seed)
{
	struct dut_live *l = dut_live_self(d);
	bool reset = d->control && dut_has_verb(d, "reset");
	int err = 0;

	if (d->control && !l->chan)
		return ERR_CLOSED;
	if (l->trigger)
		err = reset_by_trigger(l);
	if (reset)
		err = dut_live_ask(l, CTL_RESET, seed);
	if (!err && reset && !l->ev.ans.ok)
		err = ERR_SUPPORT;
	if (!err)
		err = meet_peer(l);
	if (!err)
		err = drop_stale(l);
	live_tally(d);
	dut_live_count_anew(l);
	d->link = d->declared;
	return err;
}

static void live_free(struct dut *d)
{
	struct dut_live *l = dut_live_self(d);

	if (!l)
		return;
	chan_free(l->chan);
	trigger_free(l->trigger);
	if (l->port)
		l->port->ops->free(l->port);
	if (l->behind)
		l->behind->ops->free(l->behind);
	text_free(&l->line);
	free(l);
}

/* Making */
/* |shared|: other runs may have a connection to the same channel. */
static int dut_live_hello(struct dut_live *l, bool shared, char why[CHAN_WHY])
{
	const struct ctl_ans *a = &l->ev.ans;
	int err = dut_live_ask(l, CTL_HELLO, 0);

	if (err == ERR_STATE) {
		snprintf(why, CHAN_WHY,
			 "the control channel did not answer hello%.180s%s",
			 l->why,
			 shared && !l->why[0] ? "; another run may hold it"
					      : "");
	} else if (err == ERR_CLOSED) {
		snprintf(why, CHAN_WHY,
			 "the control channel ended before hello: %.100s%.100s",
			 l->ev.text, l->why);
	} else if (err) {
		snprintf(why, CHAN_WHY, "hello: %s", err_name(err));
	} else if (!a->ok) {
		snprintf(why, CHAN_WHY, "the DUT refused hello: %s", a->error);
		err = ERR_STATE;
	} else if (a->version != CTL_VERSION) {
		snprintf(why, CHAN_WHY,
			 "the DUT speaks version %u of the control channel, "
			 "this is version %d",
			 a->version, CTL_VERSION);
		err = ERR_STATE;
	} else {
		memcpy(l->dut.verbs, a->verbs, sizeof(l->dut.verbs));
		memcpy(l->dut.name, a->name, sizeof(l->dut.name));
	}
	return err;
}

static int open_tcp(struct dut_live *l, const struct dut_live_conf *conf,
		    char why[CHAN_WHY])
{
	int err = chan_tcp(&l->chan, conf->host, conf->tcp_port, why);

	if (err || !conf->token)
		return err;
	ctl_token_print(&l->line, conf->token);
	if (text_err(&l->line))
		return ERR_NOMEM;
	/* if the channel closes at once, the wait below reports it */
	err = chan_write(l->chan, l->line.s, l->line.len);
	if (err == ERR_CLOSED)
		return 0;
	return err;
}

/* Says that the control channel could not be opened, and not the port. */
static int dut_live_no_chan(int err, char why[CHAN_WHY])
{
	char text[CHAN_WHY];

	if (err) {
		snprintf(text, sizeof(text), "%s", why);
		snprintf(why, CHAN_WHY, "control channel: %.230s", text);
	}
	return err;
}

static int open_chan(struct dut_live *l, const struct dut_live_conf *conf,
		     char why[CHAN_WHY])
{
	const char *const shell[] = {"sh", "-c", conf->command, NULL};
	const unsigned flags = (conf->show_stderr ? CHAN_SHOW_STDERR : 0) |
			       (conf->privileged ? CHAN_PRIVILEGED : 0);

	switch (conf->control) {
	case DUT_CONTROL_NONE:
		return 0;
	case DUT_CONTROL_CHILD:
		return chan_spawn(&l->chan, conf->argv, flags, why);
	case DUT_CONTROL_SHELL:
		return chan_spawn(&l->chan, shell, flags, why);
	case DUT_CONTROL_UNIX:
		return dut_live_no_chan(chan_unix(&l->chan, conf->path, why),
					why);
	case DUT_CONTROL_TCP:
		return dut_live_no_chan(open_tcp(l, conf, why), why);
	}
	return ERR_VALUE;
}

static int dut_live_open_port(struct dut_live *l,
			      const struct dut_live_conf *conf,
			      char why[CHAN_WHY])
{
	int err = port_new(&l->port, &conf->port);

	if (err)
		chan_port(why, &conf->port, err);
	return err;
}

static int live_open(struct dut_live *l, const struct dut_live_conf *conf,
		     char why[CHAN_WHY])
{
	int err;

	if (conf->port.addr.len != conf->peer.len || !conf->peer.len) {
		snprintf(why, CHAN_WHY,
			 "tester and DUT need an address each, "
			 "of the same family");
		return ERR_VALUE;
	}
	err = dut_live_open_port(l, conf, why);
	if (!err)
		err = open_chan(l, conf, why);
	if (!err && l->chan)
		err = dut_live_hello(l,
				     conf->control == DUT_CONTROL_UNIX ||
					     conf->control == DUT_CONTROL_TCP,
				     why);
	if (err == ERR_NOMEM)
		snprintf(why, CHAN_WHY, "out of memory");
	return err;
}

/* Opens the port to the other endpoint. */
static int open_behind(struct dut_live *l, const struct dut_live_conf *conf,
		       char why[CHAN_WHY])
{
	char text[PORT_NAME + 120];
	const int err = port_new(&l->behind, conf->behind);

	if (err) {
		port_error(conf->behind, errno, text, sizeof(text));
		snprintf(why, CHAN_WHY, "%.240s", text);
		return err;
	}
	l->face = conf->behind->addr;
	l->other = conf->other;
	l->dut.bridged = true;
	return 0;
}

static int open_trigger(struct dut_live *l, const struct dut_live_conf *conf,
			char why[CHAN_WHY])
{
	const int err =
		trigger_new(&l->trigger, conf->trigger, conf->privileged);

	l->dut.triggered = !err;
	if (err)
		snprintf(why, CHAN_WHY, "out of memory");
	return err;
}

int dut_live_new(struct dut **ret, const struct dut_live_conf *conf,
		 char why[CHAN_WHY])
{
	static const struct dut_ops ops = {
		.now = live_now,
		.send = live_send,
		.forward = live_forward,
		.control = dut_live_control,
		.next = dut_live_next,
		.awaits = live_awaits,
		.tally = live_tally,
		.begin = live_begin,
		.free = live_free,
	};
	struct dut_live *l = memory_calloc(1, sizeof(*l));
	int err;

	if (!l) {
		snprintf(why, CHAN_WHY, "out of memory");
		return ERR_NOMEM;
	}
	l->dut.ops = &ops;
	l->dut.tester = conf->port.addr;
	l->dut.frames = conf->port.kind != PORT_UDP;
	l->dut.declared.native = conf->native;
	l->dut.peer = conf->peer;
	l->dut.control = conf->control != DUT_CONTROL_NONE;
	l->dut.declared.crc = conf->crc;
	l->dut.declared.crc_order = conf->crc_order;
	l->dut.declared.icrc = conf->icrc;
	l->foreign = conf->foreign;
	l->dut.link = l->dut.declared;
	l->dut.stop = conf->stop;
	l->patience = conf->hello_time ? conf->hello_time : HELLO_TIME;
	err = live_open(l, conf, why);
	if (!err && conf->behind)
		err = open_behind(l, conf, why);
	if (!err && conf->trigger && !l->dut.control)
		err = open_trigger(l, conf, why);
	if (err) {
		live_free(&l->dut);
		return err;
	}
	*ret = &l->dut;
	return 0;
}
