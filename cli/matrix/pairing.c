/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/pairing.c -- the link between two endpoints.
 *
 * A packet of one end passes the rules and leaves to the other.  Each end has a
 * judge at its own link, which sees packets of that end before the rules, and
 * packets for it after them.  All packets that an end has sent are read before
 * one is sent to it, so that its judge sees them in the right order.
 */
#include "cli/matrix/pairing.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/matrix/pairing_state.h"
#include "gen/port/port_clock.h"
#include "judge/req.h"
#include "suite/craft/rules.h"
#include "suite/decl/capability.h"
#include "suite/run/run.h"
#include "wire/frame/frame_build.h"

#define PAIRING_DELAY  (10 * VSPAN_US) /* from one virtual end to the other */
#define PAIRING_FLOWS  64
#define PAIRING_FOUND  16
#define PAIRING_ANSWER (5 * VSPAN_S)   /* longest wait for an answer */
#define PAIRING_GRACE  VSPAN_S         /* added to the time of all retries */
#define PAIRING_LATE   (10 * VSPAN_MS) /* of a packet: times are not judged */
#define PAIRING_STEPS  1000000         /* of virtual ends: they loop */

void pairing_blame(struct pairing *p, enum pairing_side side, enum req_id req,
		   enum req_role role, bool unsure, const char *fmt, ...)
{
	struct pairing_result *r = p->result;
	struct pairing_fault *f = &r->faults[r->n];
	va_list ap;

	for (size_t i = 0; i < r->n; i++)
		if (r->faults[i].side == side && r->faults[i].req == req &&
		    r->faults[i].role == role)
			return;
	if (r->n == PAIRING_FAULTS)
		return;
	*f = (struct pairing_fault){side, req, role, unsure, ""};
	va_start(ap, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
	r->n++;
}

static void pairing_gone(struct pairing *p, enum pairing_side side,
			 const char *text)
{
	p->result->gone = true;
	pairing_blame(p, side, REQ_NONE, REQ_BOTH, false, "%s", text);
}

/* ---- Judging ---- */

/* Keeps what the end at this link has violated. */
static void pairing_findings(struct pairing *p, enum pairing_side side,
			     const struct finding *f, size_t n)
{
	const struct dut *dut = p->conf.dut[side];

	for (size_t i = 0; i < n && i < PAIRING_FOUND; i++) {
		if (!ip_addr_equal(&f[i].side, &dut->peer) ||
		    !req_fails(f[i].req, false))
			continue;
		if (f[i].timing && p->late > PAIRING_LATE)
			continue;
		if (!decl_promises(p->conf.decl[side], f[i].req))
			continue;
		pairing_blame(p, side, f[i].req, f[i].role, false, "%s",
			      f[i].text);
	}
}

static void pairing_judge(struct pairing *p, enum pairing_side side,
			  const struct dgram *d, vtime at)
{
	struct finding found[PAIRING_FOUND];
	struct packet pkt;
	const struct judge_packet jp = {
		.pkt = &pkt, .d = d, .at = at, .frame = ++p->frame};

	if (d->crc == DGRAM_CRC_WRONG)
		return;
	packet_parse(d->family, &pkt, d->data, d->len);
	pairing_findings(p, side, found,
			 judge_push(p->judge[side], &jp, found, PAIRING_FOUND));
}

static void pairing_trace(struct pairing *p, enum pairing_side side,
			  enum capture_direction direction, vtime at,
			  const struct dgram *d, const char *comment)
{
	const struct frame_conf conf = {.udp_port =
						p->conf.decl[side]->udp_port};
	int len;

	if (!p->trace.f)
		return;
	len = frame_build(&conf, FRAME_ETHERNET, d, p->frame_bytes,
			  sizeof(p->frame_bytes));
	if (len > 0)
		trace_packet(&p->trace, side, direction, at, p->frame_bytes,
			     (size_t)len, comment);
}

/* ---- The link ---- */

static void pairing_packet(struct pairing *p, enum pairing_side side,
			   struct dut_event *ev)
{
	const vspan waited = p->now - ev->at;

	p->result->packets++;
	p->last_at = p->now;
	if (waited > p->late)
		p->late = waited;
	pairing_judge(p, side, &ev->d, ev->at);
	pairing_trace(p, side, CAPTURE_INBOUND, ev->at, &ev->d, NULL);
	if (imp_push(p->imp, side ? IMP_FROM_DUT : IMP_TO_DUT, &ev->d, p->now,
		     p->frame, false))
		p->err = ERR_NOMEM;
}

/* Takes one event.  Return: false if none is due. */
static bool pairing_event(struct pairing *p, enum pairing_side side)
{
	struct dut *dut = p->conf.dut[side];
	struct dut_event *ev = &p->ev;

	if (p->err || p->result->gone)
		return false;
	p->err = dut->ops->next(dut, p->now, ev);
	if (p->err)
		return false;
	switch (ev->kind) {
	case DUT_DGRAM:
		pairing_packet(p, side, ev);
		return true;
	case DUT_ANSWER:
		if (ev->ans.id == p->id) {
			p->ans = ev->ans;
			p->answered = true;
		}
		return true;
	case DUT_EVENT:
		pairing_told(p, side, &ev->ev);
		return true;
	case DUT_GARBAGE:
	case DUT_GONE:
		pairing_gone(p, side, ev->text);
		return false;
	default:
		return false;
	}
}

static void pairing_read(struct pairing *p, enum pairing_side side)
{
	if (!p->conf.dut[side]->virtual)
		p->now = port_now();
	while (pairing_event(p, side))
		continue;
}

static void pairing_deliver(struct pairing *p, struct imp_out *out)
{
	const enum pairing_side side =
		out->dir == IMP_TO_DUT ? PAIRING_TARGET : PAIRING_INITIATOR;
	struct dut *dut = p->conf.dut[side];
	char comment[40];

	pairing_read(p, side);
	dgram_plain(&out->d);
	out->d.src = dut->tester;
	out->d.dst = dut->peer;
	snprintf(comment, sizeof(comment), "by line %u", out->line);
	pairing_judge(p, side, &out->d, p->now);
	pairing_trace(p, side, CAPTURE_OUTBOUND, p->now, &out->d,
		      out->line ? comment : NULL);
	if (!p->err)
		p->err = dut->ops->send(dut, &out->d);
}

/* Virtual ends: a packet takes a while from one end to the other. */
static void pairing_fly(struct pairing *p)
{
	struct pairing_flight *f = p->spare;

	if (f)
		p->spare = f->next;
	else
		f = memory_alloc(sizeof(*f));
	if (!f) {
		p->err = ERR_NOMEM;
		return;
	}
	f->next = NULL;
	f->due = p->now + PAIRING_DELAY;
	f->out = p->out;
	*p->last = f;
	p->last = &f->next;
}

static void pairing_land(struct pairing *p, bool deliver)
{
	struct pairing_flight *f = p->first;

	p->first = f->next;
	if (!p->first)
		p->last = &p->first;
	if (deliver)
		pairing_deliver(p, &f->out);
	f->next = p->spare;
	p->spare = f;
}

/* Reads both ends, and sends what is due. */
static void pairing_turn(struct pairing *p)
{
	pairing_read(p, PAIRING_INITIATOR);
	pairing_read(p, PAIRING_TARGET);
	while (imp_poll(p->imp, p->now, &p->out)) {
		if (p->out.fate == IMP_DROPPED)
			continue;
		if (p->conf.dut[0]->virtual)
			pairing_fly(p);
		else
			pairing_deliver(p, &p->out);
	}
	while (p->first && p->first->due <= p->now)
		pairing_land(p, true);
}

/* Waits until an end has something, a packet is due, or |until|. */
static void pairing_wait(struct pairing *p, vtime until)
{
	int fds[2 * DUT_FDS];
	vtime wake = vtime_min(until, imp_deadline(p->imp)), due;
	size_t ready;

	if (p->first)
		wake = vtime_min(wake, p->first->due);
	for (unsigned s = 0; s < 2; s++) {
		struct dut *dut = p->conf.dut[s];

		dut->ops->awaits(dut, fds + s * DUT_FDS, &due);
		wake = vtime_min(wake, due);
	}
	if (p->conf.dut[0]->virtual)
		p->now = vtime_max(p->now, wake);
	else if (port_wait(fds, 2 * DUT_FDS, wake, &ready) < 0)
		p->err = ERR_SYS;
}

static bool pairing_over(const struct pairing *p)
{
	return p->err || p->result->gone || (p->conf.stop && *p->conf.stop);
}

/*
 * Runs the link until |until|, or until |end| returns true.  Virtual ends that
 * loop without an end are blamed.
 */
static void pairing_until(struct pairing *p, vtime until,
			  bool (*end)(const struct pairing *p))
{
	for (unsigned i = 0; !pairing_over(p); i++) {
		pairing_turn(p);
		if (!p->conf.dut[0]->virtual)
			p->now = port_now();
		if (pairing_over(p) || p->now >= until || (end && end(p)))
			return;
		if (i == PAIRING_STEPS)
			pairing_gone(p, PAIRING_INITIATOR,
				     "the two ends send without an end");
		pairing_wait(p, until);
	}
}

/* ---- The control channels ---- */

struct orc_op *pairing_request(struct pairing *p, enum op_kind kind)
{
	memset(&p->req, 0, offsetof(struct ctl_req, pkt));
	p->req.verb = CTL_OP;
	p->req.op = (struct orc_op){.kind = kind};
	return &p->req.op;
}

static bool pairing_answered(const struct pairing *p)
{
	return p->answered;
}

bool pairing_ask(struct pairing *p, enum pairing_side side)
{
	struct dut *dut = p->conf.dut[side];

	if (pairing_over(p))
		return false;
	p->req.id = ++p->id;
	p->answered = false;
	p->err = dut->ops->control(dut, &p->req);
	if (p->err == ERR_CLOSED)
		p->err = 0; /* the next read says why */
	pairing_until(p, p->now + PAIRING_ANSWER, pairing_answered);
	if (pairing_over(p))
		return false;
	if (!p->answered)
		pairing_gone(p, side, "the control channel does not answer");
	return p->answered && p->ans.ok;
}

/* ---- A run ---- */

static vspan pairing_longer(vspan a, vspan b)
{
	return a > b ? a : b;
}

/* Returns how long both ends may be silent although something is due. */
static vspan pairing_quiet(const struct pairing *p)
{
	vspan quiet = 0;

	for (unsigned s = 0; s < 2; s++) {
		const struct decl *d = p->conf.decl[s];

		quiet = pairing_longer(quiet, d->rto.value);
		quiet = pairing_longer(quiet, d->ack_time.value);
		quiet = pairing_longer(quiet, d->clear_time.value);
	}
	return quiet + quiet / 2;
}

/* Lets the ends finish: until neither has sent for a while. */
static void pairing_finish(struct pairing *p)
{
	const vspan quiet = pairing_quiet(p);
	const vtime end = p->now + PAIRING_GRACE;

	while (!pairing_over(p) && p->now < end && p->now - p->last_at < quiet)
		pairing_until(p, vtime_min(end, p->last_at + quiet), NULL);
}

static vspan pairing_patience(const struct pairing *p)
{
	const struct decl_time a = decl_rto_total(p->conf.decl[0]);
	const struct decl_time b = decl_rto_total(p->conf.decl[1]);

	return pairing_longer(a.value + a.tolerance, b.value + b.tolerance) +
	       PAIRING_GRACE;
}

/*
 * A live end may not have read yet what its judge saw on the way to it, so the
 * judge counts as remote there.
 */
static void pairing_declare(struct pairing *p, enum pairing_side side)
{
	const struct dut *dut = p->conf.dut[side];
	struct judge_conf jc;

	judge_conf_default(&jc);
	run_declared(p->conf.decl[side], &jc);
	jc.complete = true;
	if (dut->virtual)
		jc.here = dut->peer;
	else
		jc.remote_vantage = true;
	judge_declare(p->judge[side], &jc);
	judge_reset(p->judge[side]);
}

static void pairing_begin(struct pairing *p)
{
	for (unsigned s = 0; s < 2 && !p->err; s++) {
		struct dut *dut = p->conf.dut[s];

		p->seed[s] = rng_mix(p->conf.seed, s ? "target" : "initiator");
		p->err = dut->ops->begin(dut, p->seed[s]);
		pairing_declare(p, s);
		if (p->err == ERR_CLOSED || p->err == ERR_STATE) {
			pairing_gone(p, s, "the end cannot be reset");
			p->err = 0;
		}
	}
	p->now = p->conf.dut[0]->virtual ? 0 : port_now();
	p->last_at = p->now;
	p->late = 0;
	p->frame = 0;
	p->nrecvs = 0;
	memset(p->ops, 0, sizeof(p->ops));
}

static void pairing_rules(struct pairing *p, const struct exchange *e)
{
	struct diag diag = {0};

	imp_reset(p->imp);
	while (p->first)
		pairing_land(p, false);
	rules_free(p->rules);
	p->rules = NULL;
	if (!p->err)
		p->err = rules_parse(&p->rules, "matrix", e->rules,
				     strlen(e->rules), &diag);
	if (!p->err)
		p->err = rules_load(p->rules, p->conf.decl[0], p->imp);
}

/* A packet that the tester lost is no fault of the ends. */
static void pairing_doubt(struct pairing *p)
{
	for (unsigned s = 0; s < 2; s++) {
		struct dut *dut = p->conf.dut[s];

		dut->ops->tally(dut);
		p->result->doubtful |= dut->counts.doubt[DOUBT_KERNEL_DROPS] ||
				       dut->counts.doubt[DOUBT_UNSENT] ||
				       dut->counts.doubt[DOUBT_TRUNCATED];
	}
}

static void pairing_absence(struct pairing *p)
{
	struct finding found[PAIRING_FOUND];

	for (unsigned s = 0; s < 2; s++)
		pairing_findings(
			p, s, found,
			judge_end(p->judge[s], p->now, found, PAIRING_FOUND));
}

static void pairing_all(struct pairing *p, const struct exchange *e)
{
	pairing_begin(p);
	pairing_prepare(p);
	pairing_rules(p, e);
	pairing_post(p);
	pairing_until(p, p->now + pairing_patience(p), pairing_done);
	pairing_finish(p);
	if (!pairing_over(p))
		pairing_compare(p);
	pairing_absence(p);
	pairing_doubt(p);
}

int pairing_run(struct pairing *p, const char *who, const struct exchange *e,
		const char *capture, struct pairing_result *ret)
{
	static const char *const names[2] = {"initiator", "target"};
	int code;

	*ret = (struct pairing_result){.n = 0};
	p->exchange = e;
	p->result = ret;
	p->err = 0;
	code = trace_open(who, capture, names, &p->trace);
	if (code)
		return code;
	pairing_all(p, e);
	if (trace_close(&p->trace))
		return cli_sys(who, capture);
	if (p->err == ERR_NOMEM)
		return cli_nomem(who);
	if (p->err) {
		fprintf(stderr, "%s: %s\n", who, err_name(p->err));
		return EXIT_HARNESS;
	}
	return p->conf.stop && *p->conf.stop ? EXIT_INTERRUPTED : 0;
}

int pairing_new(struct pairing **ret, const struct pairing_conf *conf)
{
	struct pairing *p = memory_calloc(1, sizeof(*p));
	struct judge_conf jc;

	if (!p)
		return ERR_NOMEM;
	p->conf = *conf;
	p->last = &p->first;
	judge_conf_default(&jc);
	if (imp_new(&p->imp) || judge_new(&p->judge[0], &jc, PAIRING_FLOWS) ||
	    judge_new(&p->judge[1], &jc, PAIRING_FLOWS)) {
		pairing_free(p);
		return ERR_NOMEM;
	}
	*ret = p;
	return 0;
}

void pairing_free(struct pairing *p)
{
	if (!p)
		return;
	while (p->first)
		pairing_land(p, false);
	while (p->spare) {
		struct pairing_flight *f = p->spare;

		p->spare = f->next;
		free(f);
	}
	rules_free(p->rules);
	imp_free(p->imp);
	judge_free(p->judge[0]);
	judge_free(p->judge[1]);
	free(p);
}
