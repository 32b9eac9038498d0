/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_request.c -- sends a control request, waits for its
 * answer and handles a refusal.
 *
 * A request waits until the device has taken the tester's earlier answers
 * (run_order.c).
 */
#include "suite/run/control/run_request.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_print.h"
#include "suite/dut/ctl/ctl_table.h"
#include "suite/dut/dut.h"
#include "suite/run/content/content.h"
#include "suite/run/link/run_link.h"
#include "suite/run/link/run_order.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/run_time.h"
#include "suite/run/scope/scope_make.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"

/* Returns how long to wait for a report of the last answer. */
static vspan order_patience(const struct runner *r)
{
	const struct decl *d = r->decl;
	const vspan late = d->ack_time.value + d->ack_time.tolerance;
	const vspan half = d->rto.value / 2;

	if (late < half || order_acks_all(r))
		return late;
	if (half > d->ack_time.value || d->ack_time.value >= d->rto.value)
		return half;
	return d->ack_time.value;
}

enum flow_control order_await(struct runner *r)
{
	const vtime until =
		r->order.sent_at + order_patience(r) + r->rec->jitter;

	if (!r->dut->control && !r->dut->triggered)
		return RUN_ON;
	while (r->order.unread && link_pump(r, until))
		;
	r->order.unread = r->order.unreported = false;
	if (r->stopped)
		return RUN_STOP;
	return RUN_ON;
}

#define RECEIVES 4096 /* more than a case sends messages */

/* Time-out of a control request. */
#define ANSWER_TIME (2 * VSPAN_S)

bool run_request_number(struct runner *r, const struct param *p,
			enum psn_space space, uint64_t *ret)
{
	return !p->word && scope_number(&r->scope, &p->number, space, ret);
}

/*
 * Returns the PSN space of a report: return PSNs for return data, otherwise
 * forward PSNs.
 */
static enum psn_space report_space(enum report_kind kind)
{
	if (kind == REPORT_RETURNED)
		return SPACE_RETURN;
	return SPACE_FORWARD;
}

bool run_request_psn(struct runner *r, const struct step *step,
		     const struct param *p, uint64_t *ret)
{
	return scope_number_of(&r->scope, step->pdc, &p->number,
			       report_space(step->report), ret);
}

bool run_request_of_pdc(struct runner *r, const struct step *step,
			const struct orc_event *ev)
{
	const struct scope_pdc *pdc;

	if (!step->pdc)
		return true;
	pdc = scope_named(&r->scope, step->pdc);
	return pdc && pdc->dpdcid == ev->orig_pdcid;
}

static bool is_unsupported(const struct runner *r)
{
	return strcmp(r->answer.error, "unsupported") == 0;
}

/*
 * Returns true if a timer of the device ran out since entry |from| of the
 * record.
 */
static bool timer_ran_out(const struct runner *r, size_t from)
{
	for (size_t i = from; i < r->rec->nrecs; i++)
		if (r->rec->recs[i].kind == REC_RX &&
		    r->rec->recs[i].allowed == run_timer_repeat)
			return true;
	return false;
}

/*
 * A shell command takes time to start an operation, so limits count from now.
 * The tester was late if a case posts two operations together and they start
 * far apart, or if a timer of the device ran out while the command started:
 * the case counts on an operation that is not yet answered.  |from| is the
 * first entry of the record since then.
 */
static void started(struct runner *r, vtime asked, const struct step *before,
		    size_t from)
{
	const vtime now = r->dut->ops->now(r->dut);
	const bool two = before && before->kind == STEP_POST;
	const bool slow =
		now - asked > run_rto_tolerance(r->decl, r->decl->rto.value);

	r->last_at = now;
	if (!(two && slow) && !timer_ran_out(r, from))
		return;
	r->rec->late = true;
	if (now - asked > r->rec->jitter)
		r->rec->jitter = now - asked;
}

/*
 * Handles a refusal.  A device that deviated before may be unable to carry it
 * out.
 */
static void run_control_refused(struct runner *r, const struct step *step)
{
	if (run_is_guilty(r->rec)) {
		r->stopped = true;
		return;
	}
	run_settle(r, REASON_REFUSED, "line %u: the device refused \"%s\": %s",
		   step->line, r->ctl.name, r->answer.error);
}

/* Returns true if a later line of the chair waits for the device. */
static bool run_control_is_awaited(const struct step *step)
{
	for (step = step->next; step; step = step->next)
		if ((step->kind == STEP_EXPECT || step->kind == STEP_ACKED) &&
		    !step->optional && step->nreqs)
			return true;
	return false;
}

/*
 * Handles a device that ended while it carried out a command.  The next line
 * that waits for it fails under its row, as after a packet that ends the
 * device.  A channel that closes does not show that the device ended.
 */
static enum flow_control run_control_ended(struct runner *r,
					   const struct step *step)
{
	const vtime until = r->dut->ops->now(r->dut) + ANSWER_TIME;

	while (!r->gone && link_pump(r, until)) /* it says how it ended */
		;
	if (r->gone && r->spoke && !r->setup && r->gone_text[0] &&
	    strncmp(r->gone_text, "closed ", strlen("closed ")) != 0 &&
	    run_control_is_awaited(step))
		return RUN_ON;
	r->gone = true;
	run_settle(r, r->spoke ? REASON_CONTROL_CLOSED : REASON_GONE,
		   "the control channel closed at line %u%s%s", step->line,
		   r->gone_text[0] ? ": the device " : "", r->gone_text);
	return RUN_STOP;
}

enum flow_control run_request(struct runner *r, const struct step *step)
{
	struct rec rec = {
		.kind = REC_CONTROL, .line = step->line, .setup = r->setup};
	vtime now = r->dut->ops->now(r->dut);
	const struct step *before;
	size_t from;
	int err;

	r->ctl.id = ++r->ctl_id;
	r->ctl_answered = false;
	rec.at = now;
	text_clear(&r->line);
	if (!r->conf->untold)
		ctl_req_print(&r->line, &r->ctl);
	record_add(r->rec, &rec, NULL, NULL, text_cstr(&r->line));
	before = r->stimulus;
	from = r->rec->nrecs;
	r->stimulus = step;
	r->last_at = now;
	r->held = false;
	err = r->dut->ops->control(r->dut, &r->ctl);
	r->awake_at = r->dut->ops->now(
		r->dut); /* the request may have waited for a program */
	while (!err && !r->ctl_answered && link_pump(r, now + ANSWER_TIME))
		;
	if (r->dut->triggered)
		started(r, now, before, from);
	if (r->stopped)
		return RUN_STOP;
	if (err == ERR_SUPPORT) {
		run_settle(r, REASON_NO_CONTROL, "there is no control channel");
	} else if (err || r->gone) {
		return run_control_ended(r, step);
	} else if (!r->ctl_answered) {
		run_settle(r, REASON_CONTROL_SILENT,
			   "line %u: the control channel did not answer",
			   step->line);
	} else if (!r->answer.ok && !step->optional && is_unsupported(r)) {
		run_settle(r, REASON_UNSUPPORTED,
			   "line %u: the device does not support \"%s\"",
			   step->line, r->ctl.name);
	} else if (!r->answer.ok && !step->optional && !step->refused) {
		run_control_refused(r, step);
	}
	if (r->stopped)
		return RUN_STOP;
	return RUN_ON;
}

void run_request_begin(struct runner *r, enum op_kind kind)
{
	struct orc_op *op = &r->ctl.op;

	r->ctl.verb = CTL_OP;
	snprintf(r->ctl.name, sizeof(r->ctl.name), "%s", ctl_verb_name(kind));
	memset(op, 0, sizeof(*op));
	op->kind = kind;
	op->peer = r->dut->tester;
	op->pds.pkt = r->ctl.pkt;
}

static bool needs(const struct test_case *c, const char *capability)
{
	for (size_t i = 0; i < c->needs.n; i++)
		if (strcmp(c->needs.words[i], capability) == 0)
			return true;
	return false;
}

static enum flow_control run_control_expose(struct runner *r, uint64_t key)
{
	static const struct step step = {.source = "expose"};

	run_request_begin(r, OP_EXPOSE);
	r->ctl.op.key = key;
	r->ctl.op.offset = r->decl->memory_offset;
	r->ctl.op.len = r->decl->memory_len;
	content_exposed(r, key, r->ctl.op.offset, r->decl->memory_len);
	return run_request(r, &step);
}

/* Posts receives for all messages of a case. */
static enum flow_control run_control_receive(struct runner *r, bool tagged,
					     uint64_t tag)
{
	static const struct step step = {.source = "post_recv"};

	run_request_begin(r, OP_POST_RECV);
	r->ctl.op.len = r->decl->max_message;
	r->ctl.op.count = RECEIVES;
	r->ctl.op.tagged = tagged;
	r->ctl.op.key = tag;
	return run_request(r, &step);
}

/*
 * A device without a channel always has receives for any send and for two tags,
 * so that a withheld channel posts them.  Without posted receives the reference
 * takes every message.
 */
static enum flow_control run_control_receives(struct runner *r)
{
	const uint64_t tag = r->decl->tag;

	if (run_control_receive(r, false, 0) == RUN_STOP ||
	    run_control_receive(r, true, tag) == RUN_STOP)
		return RUN_STOP;
	return run_control_receive(r, true, tag + 1);
}

/*
 * Reads and writes go to the memory that the declaration names; a small header
 * has no key (uet.md 5.3), so its memory is exposed under key 0.  A device
 * without a channel has it from the start, so that a withheld channel exposes
 * it as well.
 */
enum flow_control control_prepare(struct runner *r)
{
	const struct test_case *c = r->test_case;
	bool small = needs(c, "read.small");
	bool keyed = small || needs(c, "read") || needs(c, "write") ||
		     needs(c, "read.medium") || needs(c, "atomic");

	if (r->rec->chair != CHAIR_TARGET)
		return RUN_ON;
	if (!r->dut->withheld &&
	    (!r->dut->control || !dut_has_verb(r->dut, "expose")))
		return RUN_ON;
	if (keyed && run_control_expose(r, r->decl->memory_key) == RUN_STOP)
		return RUN_STOP;
	if (r->dut->withheld && needs(c, "send.tagged") &&
	    run_control_receives(r) == RUN_STOP)
		return RUN_STOP;
	if (small)
		return run_control_expose(r, 0);
	return RUN_ON;
}
