/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/fabric/fabric_live.c -- runs reference endpoints around one device.
 *
 * Flow i below |n| goes from endpoint i to the device, flow n + i from the
 * device to endpoint i.  The first endpoint's port carries the control channel
 * as well.  What has arrived at a port is read before anything is sent there,
 * so that its judge sees the packets in the right order.
 */
#include "cli/fabric/fabric_live.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/rng.h"
#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/privilege.h"
#include "fabric/flows.h"
#include "gen/port/port_clock.h"
#include "judge/req.h"
#include "suite/decl/capability.h"
#include "suite/dut/dut_live.h"
#include "suite/run/run.h"
#include "wire/field.h"

#define LIVE_ANSWER   (5 * VSPAN_S)   /* longest wait for an answer */
#define LIVE_GRACE    VSPAN_S         /* added to the time of all retries */
#define LIVE_LATE     (10 * VSPAN_MS) /* of a packet: times are not judged */
#define LIVE_BURST    16  /* packets that an endpoint sends in its turn */
#define LIVE_EVENTS   256 /* that are read from a port in its turn */
#define LIVE_PREPARES 0x40000000u /* ids of requests before the flows */
#define LIVE_FINDINGS 8

struct live_end {
	struct dut *dut;
	struct orc *orc;
	struct judge *judge;
	uint32_t frame;
};

struct live {
	const struct fabric_live_conf *conf;
	struct fabric_live_result *ret;
	struct decl *decl;
	struct live_end ends[FABRIC_LIVE_MAX];
	uint32_t n;
	struct fabric_load load;
	struct fabric_flows flows;
	size_t left;
	vtime heard_at; /* when the device sent last */
	vspan late;     /* longest time that a packet waited for us */
	uint64_t nids;  /* of requests for flows */
	uint64_t answered;
	int err;
	struct ctl_req req;
	struct dut_event ev;
	struct dgram out;
	struct packet pkt;
};

static bool live_run_over(const struct live *l)
{
	const volatile bool *stop = l->conf->setup.stop;

	return l->err || *l->ret->gone || (stop && *stop);
}

/* ---- Judges ---- */

/* Keeps what the device has violated. */
static void live_found(struct live *l, const struct live_end *e,
		       const struct finding *f, size_t n)
{
	struct fabric_result *r = &l->ret->r;

	for (size_t i = 0; i < n && i < LIVE_FINDINGS; i++) {
		if (!ip_addr_equal(&f[i].side, &e->dut->peer) ||
		    !decl_promises(l->decl, f[i].req) ||
		    (f[i].timing && l->late > LIVE_LATE))
			continue;
		if (!req_fails(f[i].req, l->conf->strict)) {
			r->remarks++;
			continue;
		}
		if (r->findings < FABRIC_FINDINGS)
			r->first[r->findings] = f[i];
		r->findings++;
	}
}

static void live_judge(struct live *l, struct live_end *e,
		       const struct dgram *d, vtime at)
{
	struct finding found[LIVE_FINDINGS];
	const struct judge_packet in = {
		.pkt = &l->pkt, .d = d, .at = at, .frame = ++e->frame};

	if (d->crc == DGRAM_CRC_WRONG)
		return;
	l->ret->r.judged_packets++;
	packet_parse(d->family, &l->pkt, d->data, d->len);
	live_found(l, e, found,
		   judge_push(e->judge, &in, found, LIVE_FINDINGS));
}

/* ---- Flows ---- */

static void live_ended(struct live *l, struct fabric_flow *f, bool failed)
{
	if (f->failed || f->ended != VTIME_NEVER)
		return;
	f->failed = failed;
	if (!failed)
		f->ended = port_now();
	l->left--;
}

/* Asks the device for a write to an endpoint. */
static int live_ask_write(struct live *l, size_t flow, const struct orc_op *op)
{
	struct dut *dut = l->ends[0].dut;

	memset(&l->req, 0, offsetof(struct ctl_req, pkt));
	l->req.verb = CTL_OP;
	l->req.op = *op;
	l->req.id = l->nids++ * l->flows.n + flow + 1;
	return dut->ops->control(dut, &l->req);
}

static void live_post(struct live *l, size_t i)
{
	struct fabric_flow *f = &l->flows.v[i];
	const struct fabric_load *load = &l->load;

	while (!f->failed && f->posted < f->bytes &&
	       f->outstanding < load->writes && !live_run_over(l)) {
		const struct live_end *e = &l->ends[i % l->n];
		const uint64_t left = f->bytes - f->posted;
		const struct orc_op op = {
			.kind = OP_WRITE,
			.handle = (uint32_t)i + 1,
			.peer = i < l->n ? e->dut->peer : e->dut->tester,
			.mode = load->mode,
			.len = left < load->message ? (uint32_t)left
						    : load->message,
			.key = l->decl->memory_key,
			.offset = l->decl->memory_offset,
		};
		const int err =
			i < l->n ? orc_reference.post(e->orc, &op, port_now())
				 : live_ask_write(l, i, &op);

		if (err == ERR_CLOSED)
			return; /* the next read says why */
		if (err)
			l->err = err;
		f->posted += op.len;
		f->outstanding++;
	}
}

static void live_completed(struct live *l, const struct orc_event *ev)
{
	struct fabric_flow *f;

	if (ev->kind != EV_COMPLETION || !ev->handle || ev->handle > l->flows.n)
		return;
	f = &l->flows.v[ev->handle - 1];
	if (!f->outstanding)
		return; /* one completion too many */
	f->outstanding--;
	if (ev->status != STATUS_OK)
		live_ended(l, f, true);
	live_post(l, ev->handle - 1);
	if (!f->outstanding && f->posted == f->bytes)
		live_ended(l, f, false);
}

/* Takes the answer to a request for a write. */
static void live_answer(struct live *l, const struct ctl_ans *a)
{
	struct fabric_live_result *r = l->ret;

	if (a->id >= LIVE_PREPARES)
		l->answered = a->id;
	if (a->ok || !a->id || a->id >= LIVE_PREPARES)
		return;
	if (!r->refused++)
		snprintf(r->why, sizeof(r->why), "%s", a->error);
	live_ended(l, &l->flows.v[(a->id - 1) % l->flows.n], true);
}

/* ---- Packets ---- */

static void live_packet(struct live *l, struct live_end *e)
{
	const vtime now = port_now();

	l->heard_at = now;
	if (now - l->ev.at > l->late)
		l->late = now - l->ev.at;
	live_judge(l, e, &l->ev.d, l->ev.at);
	if (l->ev.d.crc != DGRAM_CRC_WRONG)
		l->err = orc_reference.feed(e->orc, &l->ev.d, now);
}

/*
 * Returns how many events an endpoint reads in its turn.  The device reports
 * the packets of all endpoints to the control channel, which the first endpoint
 * reads.
 */
static unsigned live_most_events(const struct live *l, const struct live_end *e)
{
	return e == l->ends ? LIVE_EVENTS * l->n : LIVE_EVENTS;
}

/*
 * Reads what has arrived at a port.  Return: true if more may have arrived; a
 * wait does not see the lines that the control channel has read ahead.
 */
static bool live_read(struct live *l, struct live_end *e)
{
	const unsigned most = live_most_events(l, e);

	for (unsigned i = 0; i < most && !live_run_over(l); i++) {
		const int err = e->dut->ops->next(e->dut, 0, &l->ev);

		if (err)
			l->err = err;
		if (err || l->ev.kind == DUT_TIMEOUT)
			return false;
		if (l->ev.kind == DUT_DGRAM)
			live_packet(l, e);
		else if (l->ev.kind == DUT_EVENT)
			live_completed(l, &l->ev.ev);
		else if (l->ev.kind == DUT_ANSWER)
			live_answer(l, &l->ev.ans);
		else if (l->ev.kind == DUT_GONE)
			snprintf(l->ret->gone, sizeof(l->ret->gone), "%s",
				 *l->ev.text ? l->ev.text : "it closed");
	}
	return true;
}

static void live_send_all(struct live *l, struct live_end *e)
{
	for (unsigned i = 0; i < LIVE_BURST && !live_run_over(l); i++) {
		if (!orc_reference.poll_tx(e->orc, &l->out))
			return;
		l->ret->r.packets++;
		live_judge(l, e, &l->out, port_now());
		l->err = e->dut->ops->send(e->dut, &l->out);
	}
}

/* Return: true if the endpoint has more to read or to send. */
static bool live_turn(struct live *l, struct live_end *e)
{
	struct orc_event ev;
	const uint64_t before = l->ret->r.packets;
	const bool unread = live_read(l, e);

	orc_reference.tick(e->orc, port_now());
	while (!live_run_over(l) && orc_reference.poll_event(e->orc, &ev))
		live_completed(l, &ev);
	live_send_all(l, e);
	return unread || l->ret->r.packets - before == LIVE_BURST;
}

/* Waits until a port has something, an endpoint is due, or |until|. */
static void live_wait_all(struct live *l, vtime until)
{
	struct pollfd p[FABRIC_LIVE_MAX * DUT_FDS];
	struct timespec ts;
	vspan left;
	size_t n = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		struct dut *dut = l->ends[i].dut;
		int fds[DUT_FDS];
		vtime due;

		dut->ops->awaits(dut, fds, &due);
		until = vtime_min(until, due);
		until = vtime_min(until,
				  orc_reference.deadline(l->ends[i].orc));
		for (unsigned k = 0; k < DUT_FDS; k++)
			if (fds[k] >= 0)
				p[n++] = (struct pollfd){.fd = fds[k],
							 .events = POLLIN};
	}
	left = vtime_max(until - port_now(), 0);
	ts = (struct timespec){.tv_sec = left / VSPAN_S,
			       .tv_nsec = left % VSPAN_S};
	if (ppoll(p, n, &ts, NULL) < 0 && errno != EINTR)
		l->err = ERR_SYS;
}

/* Runs all endpoints until |until| or until |end| is true. */
static void live_until(struct live *l, vtime until,
		       bool (*end)(const struct live *l))
{
	while (!live_run_over(l) && port_now() < until) {
		bool more = false;

		for (uint32_t i = 0; i < l->n; i++)
			more |= live_turn(l, &l->ends[i]);
		if (end && end(l))
			return;
		live_wait_all(l, more ? 0 : until);
	}
}

/* ---- Set-up ---- */

static struct ip_addr live_address(struct ip_addr a, uint32_t add)
{
	const unsigned at = (a.len - 4u) * 8u;

	bits_put(a.b, at, 32, (uint32_t)bits_get(a.b, at, 32) + add);
	return a;
}

/* Opens the port of endpoint |i| beside that of the first one. */
static int live_port(struct live *l, uint32_t i, struct ip_addr addr)
{
	const struct dut_setup_conf *s = &l->conf->setup;
	const struct dut *first = l->ends[0].dut;
	struct dut_live_conf live = {
		.port = s->dut.at.conf,
		.native = s->dut.at.native,
		.peer = first->peer,
		.crc = first->declared.crc,
		.crc_order = first->declared.crc_order,
		.icrc = first->declared.icrc,
		.foreign = s->foreign,
		.stop = s->stop,
	};
	char why[CHAN_WHY] = "";
	int err;

	live.port.addr = addr;
	live.port.family = MAIN_FAMILY;
	if (!live.port.udp_port)
		live.port.udp_port = l->decl->udp_port;
	err = dut_live_new(&l->ends[i].dut, &live, why);
	if (!err)
		return 0;
	fprintf(stderr,
		"%s: endpoint %u of %u: %s; the endpoints take the addresses "
		"after the first one\n",
		l->conf->who, i + 1, l->n, why);
	return EXIT_HARNESS;
}

static int live_ports(struct live *l)
{
	struct dut_setup_conf setup = l->conf->setup;
	struct ip_addr addr;
	int code;

	setup.decl = l->decl;
	setup.keeps |= PRIVILEGE_ALL;
	code = dut_setup_new(&setup, 0, MAIN_FAMILY, &l->ends[0].dut);
	if (code)
		return code;
	addr = l->ends[0].dut->tester;
	privilege_raise();
	for (uint32_t i = 1; i < l->n && !code; i++) {
		addr = live_address(addr, 1);
		if (ip_addr_equal(&addr, &l->ends[0].dut->peer))
			addr = live_address(addr, 1);
		code = live_port(l, i, addr);
	}
	privilege_settle(PRIVILEGE_PORT(setup.dut.linked
						? setup.dut.at.conf.kind
						: PORT_UDP),
			 setup.privileged ? PRIVILEGE_KILL : 0);
	return code;
}

/* Cuts the writes to what the device takes at once. */
static void live_fit(struct live *l)
{
	const struct decl *d = l->decl;
	uint32_t most = d->memory_len;

	if (d->max_message < most)
		most = d->max_message;
	l->load = l->conf->load;
	if (most && l->load.message > most)
		l->load.message = most;
}

/* Makes the reference endpoint and its judge; its memory takes the writes. */
static int live_make(struct live *l, uint32_t i)
{
	struct live_end *e = &l->ends[i];
	const struct orc_op expose = {.kind = OP_EXPOSE,
				      .key = l->decl->memory_key,
				      .offset = l->decl->memory_offset,
				      .len = l->load.message};
	struct judge_conf jc;
	struct orc_conf conf;
	int code, err;

	endpoint_conf(&conf, l->decl, MAIN_FAMILY, e->dut->tester);
	conf.seed = rng_mix(l->conf->seed, "live") + i;
	code = l->conf->adjust(l->conf->ctx, &conf);
	if (code)
		return code;
	err = orc_reference.make(&e->orc, &conf);
	if (!err)
		err = orc_reference.post(e->orc, &expose, port_now());
	if (err == ERR_VALUE)
		return cli_usage(l->conf->who,
				 "the reference does not support this "
				 "declaration and these settings");
	judge_conf_default(&jc);
	run_declared(l->decl, &jc);
	jc.complete = true;
	jc.remote_vantage = true;
	if (err || judge_new(&e->judge, &jc, FABRIC_LIVE_MAX))
		return cli_nomem(l->conf->who);
	return 0;
}

static int live_flows(struct live *l)
{
	const size_t ways = l->load.kind == FABRIC_ALL_TO_ALL ? 2 : 1;
	struct fabric_flows *f = &l->flows;

	f->v = memory_calloc(ways * l->n, sizeof(*f->v));
	if (!f->v)
		return cli_nomem(l->conf->who);
	f->n = f->first = ways * l->n;
	for (uint32_t i = 0; i < f->n; i++)
		f->v[i] = (struct fabric_flow){
			.src = i < l->n ? i : l->n,
			.dst = i < l->n ? l->n : i - l->n,
			.bytes = l->load.bytes,
			.ended = VTIME_NEVER,
		};
	l->left = f->n;
	return 0;
}

/* ---- The run ---- */

static bool live_is_answered(const struct live *l)
{
	return l->answered == l->req.id;
}

/* Makes room in the device for what the endpoints write. */
static int live_expose(struct live *l)
{
	struct dut *dut = l->ends[0].dut;

	if (!dut_has_verb(dut, "expose"))
		return 0;
	memset(&l->req, 0, offsetof(struct ctl_req, pkt));
	l->req.id = LIVE_PREPARES;
	l->req.verb = CTL_OP;
	l->req.op = (struct orc_op){.kind = OP_EXPOSE,
				    .handle = LIVE_PREPARES,
				    .key = l->decl->memory_key,
				    .offset = l->decl->memory_offset,
				    .len = l->decl->memory_len};
	l->err = dut->ops->control(dut, &l->req);
	if (l->err == ERR_CLOSED)
		l->err = 0; /* the next read says why */
	live_until(l, port_now() + LIVE_ANSWER, live_is_answered);
	if (live_run_over(l) || live_is_answered(l))
		return 0;
	cli_remark(l->conf->who, "expose",
		   "the control channel does not answer");
	return EXIT_HARNESS;
}

static int live_run_begin(struct live *l)
{
	for (uint32_t i = 0; i < l->n; i++) {
		struct dut *dut = l->ends[i].dut;
		const int err = dut->ops->begin(dut, l->conf->seed);

		if (!err)
			continue;
		cli_remark(l->conf->who, l->conf->setup.dut.text,
			   "the device cannot be reset: %s", err_name(err));
		return EXIT_HARNESS;
	}
	return live_expose(l);
}

static bool live_done(const struct live *l)
{
	return !l->left;
}

static vspan live_patience(const struct live *l)
{
	const struct decl_time t = decl_rto_total(l->decl);

	return t.value + t.tolerance + LIVE_GRACE;
}

/* Runs the flows until they have ended, or the device is silent. */
static void live_go(struct live *l)
{
	const vtime began = port_now(), until = began + l->conf->until;
	const vspan patience = live_patience(l);

	l->heard_at = began;
	for (size_t i = 0; i < l->flows.n; i++) {
		l->flows.v[i].began = began;
		live_post(l, i);
	}
	while (!live_run_over(l) && l->left && port_now() < until) {
		live_until(l, vtime_min(until, l->heard_at + patience),
			   live_done);
		l->ret->silent =
			l->left && port_now() - l->heard_at >= patience;
		if (l->ret->silent)
			break;
	}
}

/* Lets the device end what it began: ACKs, and clears. */
static void live_finish(struct live *l)
{
	const struct decl *d = l->decl;
	const vspan quiet =
		vtime_max(d->rto.value,
			  vtime_max(d->ack_time.value, d->clear_time.value));
	const vtime end = port_now() + LIVE_GRACE;

	while (!live_run_over(l) && port_now() < end &&
	       port_now() - l->heard_at < quiet + quiet / 2)
		live_until(l, vtime_min(end, l->heard_at + quiet + quiet / 2),
			   NULL);
}

/* Adds the figures of an endpoint to the result. */
static void live_count(struct live *l, struct live_end *e)
{
	struct fabric_result *r = &l->ret->r;
	struct finding found[LIVE_FINDINGS];
	struct orc_stats s;

	if (!live_run_over(l))
		live_found(
			l, e, found,
			judge_end(e->judge, port_now(), found, LIVE_FINDINGS));
	e->dut->ops->tally(e->dut);
	l->ret->lost += e->dut->counts.doubt[DOUBT_KERNEL_DROPS] +
			e->dut->counts.doubt[DOUBT_UNSENT];
	l->ret->starved += e->dut->counts.starved;
	orc_reference.stats(e->orc, &s);
	r->retransmitted += s.tx_retx;
	r->nacks += s.tx_nack;
}

/*
 * Returns true if flows are not complete, and packets or the device waited for
 * a processor.  A source repeats what waits for an RTO, and then gives up.
 */
static bool live_is_busy(const struct live *l)
{
	const struct fabric_live_result *r = l->ret;

	return r->r.complete < r->r.flows &&
	       vtime_max(r->late, r->starved) > l->decl->rto.value;
}

static int live_run(struct live *l)
{
	struct fabric_result *r = &l->ret->r;
	int code = live_ports(l);

	for (uint32_t i = 0; i < l->n && !code; i++)
		code = live_make(l, i);
	if (!code)
		code = live_flows(l);
	if (!code)
		code = live_run_begin(l);
	if (code)
		return code;
	snprintf(l->ret->name, sizeof(l->ret->name), "%s",
		 l->ends[0].dut->name);
	live_go(l);
	live_finish(l);
	r->endpoints = r->judged = l->n;
	for (uint32_t i = 0; i < l->n; i++)
		live_count(l, &l->ends[i]);
	l->ret->doubtful = r->findings && l->ret->lost;
	if (flows_measure(&l->flows, r))
		return cli_nomem(l->conf->who);
	l->ret->late = l->late;
	l->ret->busy = live_is_busy(l);
	if (r->took)
		r->took -= l->flows.v[0].began;
	if (l->err == ERR_NOMEM)
		return cli_nomem(l->conf->who);
	if (l->err) {
		fprintf(stderr, "%s: %s\n", l->conf->who, err_name(l->err));
		return EXIT_HARNESS;
	}
	return 0;
}

int fabric_live_run(const struct fabric_live_conf *conf,
		    struct fabric_live_result *ret)
{
	struct live *l = memory_calloc(1, sizeof(*l));
	int code;

	*ret = (struct fabric_live_result){.silent = false};
	if (!l)
		return cli_nomem(conf->who);
	l->conf = conf;
	l->ret = ret;
	l->n = conf->endpoints;
	code = endpoint_decl(conf->who, conf->setup.decl_path, NULL, true,
			     &l->decl);
	if (!code) {
		live_fit(l);
		code = live_run(l);
	}
	for (uint32_t i = 0; i < l->n; i++) {
		orc_reference.free(l->ends[i].orc);
		judge_free(l->ends[i].judge);
		dut_setup_free(l->ends[i].dut);
	}
	flows_free(&l->flows);
	decl_free(l->decl);
	free(l);
	return code;
}
