/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run.c -- a case from start to verdict.
 *
 * The runner interprets the steps of a chair, one after another.
 *
 * A sending line builds a packet and sends it, an expecting line waits for its
 * packet, a report line waits for an event of the SES side.  Meanwhile the
 * monitors judge every packet at the DUT's end of the link.  The runner
 * computes no expectations: lines hold literals, or symbols bound from the
 * wire.  The record takes everything that happens; reports are made from it.
 */
#include "suite/run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/rng.h"
#include "oracle/oracle.h"
#include "suite/craft/rules.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl_setting.h"
#include "suite/decl/derived.h"
#include "suite/lang/chair.h"
#include "suite/run/content/content.h"
#include "suite/run/control/run_error.h"
#include "suite/run/control/run_report.h"
#include "suite/run/control/run_request.h"
#include "suite/run/link/run_leave.h"
#include "suite/run/link/run_link.h"
#include "suite/run/run_conf.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_sizes.h"
#include "suite/run/run_state.h"
#include "suite/run/run_steps.h"
#include "suite/run/run_time.h"
#include "suite/run/run_verdict.h"
#include "suite/run/scope/scope.h"
#include "suite/run/scope/scope_make.h"
#include "suite/run/scope/scope_pdc.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_span.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"

#define CASE_TIME   (10 * VSPAN_S)
#define JUDGE_FLOWS 8
#define STEPS       200 /* answers or RTOs that a case may wait for */

/* Returns true for a line that makes the device act, or observes it. */
static bool is_about_device(const struct step *s)
{
	switch (s->kind) {
	case STEP_BASE:
	case STEP_LET:
	case STEP_SPRAY:
	case STEP_CONFIGURE:
	case STEP_RESPOND:
	case STEP_WAIT:
		return false;
	default:
		return true;
	}
}

/*
 * Finds the lines of the case itself: fragments before them open, fragments
 * after them close.  If a case has only fragments, all lines are its own.
 */
static void find_own(struct runner *r, const struct step *first)
{
	r->own_first = r->own_last = NULL;
	for (const struct step *s = first; s; s = s->next) {
		if (!run_is_own(r, s) || !is_about_device(s))
			continue;
		if (!r->own_first)
			r->own_first = s;
		r->own_last = s;
	}
	if (r->own_first)
		r->phase = PHASE_SETUP;
	else
		r->phase = PHASE_BODY;
}

/*
 * Returns true for a line that drops its own packet, or sends a truncated one.
 */
static bool is_ours_to_send(const struct step *s)
{
	for (; s; s = s->next) {
		if (s->lost || (s->kind == STEP_SEND &&
				(s->cut || s->trailer || s->rung.raw)))
			return true;
		for (size_t i = 0; i < s->ngroups; i++)
			if (is_ours_to_send(s->groups[i]))
				return true;
	}
	return false;
}

/* Returns true for a line that sends, observes or changes packets. */
static bool meets_wire(const struct step *s)
{
	for (; s; s = s->next) {
		switch (s->kind) {
		case STEP_SEND:
		case STEP_EXPECT:
		case STEP_ACKED:
		case STEP_NEVER:
		case STEP_IMPAIR:
			return true;
		default:
			break;
		}
		for (size_t i = 0; i < s->ngroups; i++)
			if (meets_wire(s->groups[i]))
				return true;
	}
	return false;
}

/* Returns true for a line that names its PDC. */
static bool names_pdc(const struct step *s)
{
	for (; s; s = s->next) {
		if (s->pdc || s->rung.pdc || s->until.pdc)
			return true;
		for (size_t i = 0; i < s->ngroups; i++)
			if (names_pdc(s->groups[i]))
				return true;
	}
	return false;
}

/* Rejects steps that a tester between two endpoints cannot do. */
static bool applicable_between(struct runner *r)
{
	const struct test_case *c = r->test_case;

	if (!r->dut->bridged)
		return true;
	if (c->nviolates)
		run_settle(r, REASON_TESTER_ONLY,
			   "the tester has to break a rule");
	else if (is_ours_to_send(c->chairs[r->rec->chair].first))
		run_settle(r, REASON_TESTER_ONLY,
			   "\"lost\", \"cut\", \"crc\" and raw packets are a "
			   "tester's: \"drop\" works between two endpoints");
	else
		return true;
	return false;
}

static void not_claimed(struct runner *r, const char *need)
{
	const struct derived_claim *derived = derived_find(need);

	if (derived)
		run_settle(r, REASON_NOT_CLAIMED,
			   "the case needs \"%s\", which \"%s\" of the "
			   "declaration rules out",
			   need, derived->line);
	else
		run_settle(r, REASON_NOT_CLAIMED,
			   "the device does not claim \"%s\"", need);
}

/* Settles the verdict if the device lacks one of the capabilities. */
static bool has_all(struct runner *r, const struct needs *needs)
{
	for (size_t i = 0; i < needs->n; i++) {
		const char *need = needs->words[i];
		bool has = strcmp(need, "control") == 0
				   ? r->dut->control
				   : decl_claims(r->decl, need);

		if (!has) {
			not_claimed(r, need);
			return false;
		}
	}
	return true;
}

/* Rejects a case that goes beyond a declared size. */
static bool has_room(struct runner *r)
{
	struct run_size size;

	if (run_sizes_fit(r->decl, r->test_case, r->rec->chair, &size))
		return true;
	run_settle(r, REASON_NOT_CLAIMED,
		   "the case needs %" PRIu64 " %s, which \"%s\" of the "
		   "declaration rules out",
		   size.needed, size.unit, size.line);
	return false;
}

/* Returns the line of the declaration on which a number depends. */
static const char *line_of(const struct number *n)
{
	if (n->symbol && strcmp(n->symbol, "ack_data") == 0)
		return "max_ack_data";
	if (n->symbol && strcmp(n->symbol, "stored_mtus") == 0)
		return "stored";
	return text_or(n->symbol, "mtu");
}

/* Rejects a value that the declaration takes out of the bounds of the line. */
static bool in_bounds(struct runner *r, uint64_t v)
{
	const struct parameter *param = &r->test_case->param;
	uint64_t from = 0, to = INT64_MAX;

	if (param->from_set)
		from = run_sizes_value(r->decl, &param->from);
	if (param->to_set)
		to = run_sizes_value(r->decl, &param->to);
	if ((int64_t)v >= (int64_t)from && (int64_t)v <= (int64_t)to)
		return true;
	run_settle(r, REASON_NOT_CLAIMED,
		   "%s is %" PRId64 ", not %" PRId64 " to %" PRId64
		   ": \"size %s\" of the declaration",
		   param->name, (int64_t)v, (int64_t)from, (int64_t)to,
		   line_of(&param->value));
	return false;
}

/* Binds the value of the case, unless it does not apply to the device. */
static bool has_value(struct runner *r)
{
	const struct parameter *param = &r->test_case->param;
	uint64_t v;

	if (!param->name)
		return true;
	v = run_sizes_value(r->decl, &param->value);
	if (!in_bounds(r, v))
		return false;
	scope_bind(&r->scope, param->name, v);
	return true;
}

/* Rejects a case that needs a capability which the device does not claim. */
static bool applicable(struct runner *r)
{
	const struct test_case *c = r->test_case;

	if (c->family != MAIN_FAMILY && !r->wireless &&
	    !decl_claims(r->decl, family_name(c->family))) {
		run_settle(r, REASON_NOT_CLAIMED,
			   "the device does not claim \"%s\"",
			   family_name(c->family));
		return false;
	}

	return has_all(r, &c->needs) &&
	       has_all(r, &c->chairs[r->rec->chair].needs) && has_value(r) &&
	       has_room(r);
}

void run_declared(const struct decl *decl, struct judge_conf *jc)
{
	jc->rto_init = decl->rto.value;
	jc->rto_max = decl->rto_max.value;
	jc->rto_tolerance = run_rto_tolerance(decl, decl->rto.value);
	/*
	 * A packet that left the device before an answer reached it was in
	 * flight.
	 */
	jc->grace = run_most(decl->rto.tolerance, decl->ack_time.value);
	jc->max_rto_retx = decl->max_rto_retx;
	jc->nack_retx_time = decl->nack_time.value;
	jc->nack_tolerance = decl->nack_time.tolerance;
	jc->max_nack_retx = decl->max_nack_retx;
	jc->max_ack_data = decl->max_ack_data;
	jc->mp_range = decl->mp_range;
	jc->mtu = decl->mtu;
	jc->version = decl->uet;
	jc->dscp_trimmed = decl->dscp_trimmed;
	jc->dscp_trimmed_lasthop = decl->dscp_trimmed_lasthop;
	jc->dscp_known = true;
	jc->dscp_data = decl->dscp_data;
	jc->dscp_control = decl->dscp_control;
	jc->dscp_bulk = decl->dscp_bulk;
	jc->answer_time = decl->ack_time.value + decl->ack_time.tolerance;
}

/* Returns the configuration of a judge at the link of one side. */
static struct judge_conf judge_at(const struct decl *decl,
				  const struct ip_addr *here)
{
	struct judge_conf jc;

	judge_conf_default(&jc);
	run_declared(decl, &jc);
	jc.complete = true;
	jc.here = *here;
	jc.here_only = true;
	jc.minimal_facts = true;
	return jc;
}

/*
 * Handles a reset that failed; an interrupt of the run also ends the wait for
 * it.
 */
static void not_begun(struct runner *r, int err)
{
	if (r->dut->stop && *r->dut->stop)
		run_settle(r, REASON_INTERRUPTED, "interrupted");
	else if (err == ERR_STATE)
		run_settle(r, REASON_CONTROL_SILENT,
			   "the control channel did not answer a reset");
	else
		run_settle(r, REASON_NO_RESET, "the device cannot be reset");
}

/* A case may have to wait until a source gives up a packet. */
static vspan case_time(const struct decl *decl)
{
	const vspan nacks = (decl->max_nack_retx + 1) * decl->nack_time.value;
	const vspan steps = STEPS * (decl->ack_time.value + decl->rto.value);

	return run_most(CASE_TIME,
			4 * (decl_rto_total(decl).value + nacks) + steps);
}

/* Returns true if a chair of a case needs the capability. */
static bool case_needs(const struct test_case *c, enum chair chair,
		       const char *capability)
{
	const struct needs *all[] = {&c->needs, &c->chairs[chair].needs};

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < all[k]->n; i++)
			if (!strcmp(all[k]->words[i], capability))
				return true;
	return false;
}

/* Gives a virtual link the addresses that the case needs. */
static int run_addresses(struct runner *r, const struct test_case *c,
			 enum chair chair)
{
	const struct dut_ops *ops = r->dut->ops;

	if (!ops->use_ip6)
		return 0;
	return ops->use_ip6(r->dut,
			    case_needs(c, chair, "ipv6.ext") ||
				    case_needs(c, chair, "ipv6.fragment"));
}

/* Returns true if the declaration says that the congestion window moves. */
static bool moves_window(const struct decl *d)
{
	uint64_t policy;

	return decl_setting_find(d, SETTING_cc_policy, &policy) &&
	       policy != ORC_POLICY_NONE;
}

/* Names the case in its record.  Return: the seed of the case. */
static uint64_t run_record_begin(const struct runner *r,
				 const struct test_case *c, enum chair chair,
				 const struct run_conf *conf,
				 struct record *ret)
{
	record_clear(ret);
	snprintf(ret->id, sizeof(ret->id), "%s@%s", c->id, chair_name(chair));
	ret->test_case = c;
	ret->family = c->family;
	ret->chair = chair;
	ret->seed = conf->seed;
	ret->repeat = conf->repeat;
	ret->tester = r->dut->tester;
	ret->dut = r->dut->peer;
	return rng_mix(conf->seed + conf->repeat, ret->id);
}

/* Resets what the runner keeps of the case before. */
static void run_state_reset(struct runner *r)
{
	r->held = false;
	r->last_tx = SIZE_MAX;
	r->frame = 0;
	r->setup = true;
	r->last_done = false;
	r->asks_close = false;
	r->step = r->stimulus = NULL;
	r->inbox_head = r->inbox_n = 0;
	r->outbox_head = r->outbox_n = 0;
	r->nevents = r->nwatches = r->nchecks = r->nrules = 0;
	r->exposed = 0;
	r->flight.known = false;
	r->flight.answered = false;
	r->posted.n = r->posted.nexposed = 0;
	r->posted.from = r->posted.from_event = 0;
	r->op = r->setup_op = 0;
	r->nrefused = 0;
	memset(&r->start, 0, sizeof(r->start));
	memset(&r->order, 0, sizeof(r->order));
	r->earlier = r->icrc_dropped = 0;
	r->restarts = 0;
	r->repeats = 0;
	r->ctl_id = 0;
	r->by_hand = false;
	r->spoke = r->gone = r->stopped = r->timed_out = r->interrupted = false;
	r->shaken = false;
	r->gone_text[0] = 0;
	imp_reset(r->imp);
}

static void run_judges_begin(struct runner *r)
{
	r->declared = judge_at(r->decl, &r->dut->peer);
	r->declared.no_crc = !r->dut->link.crc;
	judge_declare(r->judge, &r->declared);
	judge_reset(r->judge);
	if (!r->conf->trusts_tester)
		judge_reset(r->mirror);
}

static void run_scope_begin(struct runner *r, const struct test_case *c,
			    enum chair chair, uint64_t seed)
{
	scope_start(&r->scope, r->decl, r->rec, chair, seed);
	r->scope.lawful = !c->nviolates;
	r->scope.plans = &r->plans;
	/* The tester does not reset it: its memory has the pattern of seed 0.
	 */
	if (r->dut->withheld && !r->dut->virtual)
		r->scope.data_seed = 0;
	r->scope.follow = suite_families[c->family]->has_pdcs &&
			  chair == CHAIR_INITIATOR &&
			  !names_pdc(c->chairs[chair].first);
	if (!r->dut->control && !r->dut->virtual && !r->dut->bridged)
		scope_avoid(&r->scope, &r->taken);
}

static void run_case_begin(struct runner *r, const struct test_case *c,
			   enum chair chair, const struct run_conf *conf,
			   struct record *ret)
{
	const vtime began = r->dut->ops->now(r->dut);
	const bool addressed = !run_addresses(r, c, chair);
	const uint64_t seed = run_record_begin(r, c, chair, conf, ret);
	int err;

	r->test_case = c;
	r->conf = conf;
	r->rec = ret;
	run_state_reset(r);
	find_own(r, c->chairs[chair].first);
	r->wireless = suite_families[c->family]->verbs_claim &&
		      !meets_wire(c->chairs[chair].first);
	r->window_moves = moves_window(r->decl);
	run_judges_begin(r);
	run_scope_begin(r, c, chair, seed);
	r->dut->stop = conf->interrupted;
	r->dut->end =
		began + (conf->timeout ? conf->timeout : case_time(r->decl));
	err = addressed ? r->dut->ops->begin(r->dut, seed) : ERR_VALUE;
	if (err)
		not_begun(r, err);
	r->last_at = r->before_at = r->awake_at = r->dut->ops->now(r->dut);
	r->never_at = VTIME_NEVER;
	r->end = r->dut->end;
}

int run_case(struct runner *r, const struct test_case *c, enum chair chair,
	     const struct run_conf *conf, struct record *ret)
{
	vtime start;

	run_case_begin(r, c, chair, conf, ret);
	start = r->dut->ops->now(r->dut);
	if (!r->stopped && applicable_between(r) && applicable(r) &&
	    control_prepare(r) == RUN_ON &&
	    run_steps(r, c->chairs[chair].first) == RUN_STOP)
		r->stopped = true;
	if (r->phase == PHASE_TEARDOWN)
		r->phase = PHASE_BODY; /* findings from here on belong to the
					  case itself */
	content_check(r);
	control_errors(r);
	control_checks(r);
	if (ret->verdict != VERDICT_NA) {
		run_judge_absence(r);
		run_judge_looked(r);
	}
	if (ret->findings_left_out)
		link_left_out(r);
	r->dut->ops->tally(r->dut);
	link_doubts(r);
	ret->entropy_lost = (uint32_t)r->dut->counts.entropy_lost;
	ret->starved = r->dut->counts.starved;
	ret->starved_most = r->dut->counts.starved_most;
	ret->stopped = r->dut->counts.stopped;
	ret->gone = r->gone;
	ret->clock = r->dut->virtual             ? "virtual"
		     : r->dut->counts.nic_stamps ? "nic"
						 : "kernel";
	ret->cut_short = r->stopped && !r->last_done;
	run_verdict(r);
	ret->declared = r->declared;
	ret->ended_at = r->dut->ops->now(r->dut);
	ret->virtual_ns = r->dut->ops->now(r->dut) - start;
	ret->crc = r->dut->link.crc;
	ret->crc_order = r->dut->link.crc_order;
	leave_pdcs(r);
	if (ret->failed_alloc)
		return ERR_NOMEM;
	return 0;
}

int runner_new(struct runner **ret, struct dut *dut, const struct decl *decl)
{
	const struct judge_conf there = judge_at(decl, &dut->peer);
	struct judge_conf here = judge_at(decl, &dut->tester);
	struct runner *r = memory_calloc(1, sizeof(*r));
	struct judge_conf usual;

	judge_conf_default(&usual);
	/*
	 * the tester is the switch as well, so its trimmed packets have no mark
	 */
	here.dscp_trimmed = 0;
	here.dscp_trimmed_lasthop = 0;
	here.dscp_known = false;
	/* the declared limits are those of the device, not of the tester */
	here.max_rto_retx = usual.max_rto_retx;
	here.max_nack_retx = usual.max_nack_retx;
	here.max_ack_data = JUDGE_ANY_ACK_DATA;
	if (!r)
		return ERR_NOMEM;
	r->dut = dut;
	r->decl = decl;
	if (imp_new(&r->imp) || judge_new(&r->judge, &there, JUDGE_FLOWS) ||
	    judge_new(&r->mirror, &here, JUDGE_FLOWS)) {
		runner_free(r);
		return ERR_NOMEM;
	}
	*ret = r;
	return 0;
}

void runner_free(struct runner *r)
{
	if (!r)
		return;
	imp_free(r->imp);
	judge_free(r->judge);
	judge_free(r->mirror);
	content_free(r);
	free(r->inbox);
	free(r->outbox);
	free(r->events);
	free(r->checks);
	text_free(&r->expected);
	text_free(&r->actual);
	text_free(&r->line);
	free(r);
}
