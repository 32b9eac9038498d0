/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run.c -- a case from start to verdict.
 *
 * The runner is an interpreter: it walks the steps of a chair, one after
 * another.  A sending line is crafted and put on the link, an expecting line
 * waits for its packet, a report line for what the SES side says.  Meanwhile
 * the monitors look at every packet that crosses the DUT's end of the link.  No
 * expectation is computed here: lines hold literals or symbols bound from the
 * wire.
 *
 * Everything that happens goes into the record, which the reports read.
 */
#include "suite/run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/rng.h"
#include "suite/craft.h"
#include "suite/match.h"
#include "suite/rules.h"
#include "suite/run_priv.h"

#define CASE_TIME   (10 * VSPAN_S)
#define JUDGE_FLOWS 8

void run_settle(struct runner *r, enum reason reason, const char *fmt, ...)
{
	const enum verdict v = reason_verdict(reason);
	struct record *rec = r->rec;
	char text[sizeof(rec->reason)];
	va_list ap;

	r->stopped = true;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (r->phase == PHASE_TEARDOWN && v != VERDICT_ERROR &&
	    reason != REASON_INTERRUPTED) {
		if (rec->teardown != VERDICT_PASS)
			return;
		rec->teardown = v;
		memcpy(rec->teardown_reason, text, sizeof(text));
		return;
	}
	if (rec->verdict != VERDICT_PASS)
		return;
	rec->verdict = v;
	rec->reason_id = reason;
	memcpy(rec->reason, text, sizeof(text));
}

const char *run_stimulus(struct runner *r)
{
	return r->stimulus ? r->stimulus->source : "the start";
}

/* The next packet of the other endpoint that is what a line says. */
static bool peer_sends(struct runner *r, const struct step *step, vtime until)
{
	do {
		while (r->outbox_head < r->outbox_n) {
			const size_t i = r->outbox[r->outbox_head++].index;

			if (!match_rung(&r->scope, &step->rung, i, false))
				continue;
			r->rec->recs[i].line = step->line;
			scope_met(&r->scope, i);
			r->stimulus = step;
			return !match_bind(&r->scope, &step->rung, i);
		}
	} while (link_pump(r, until));
	return false;
}

/*
 * Between two endpoints a line that sends is what the other one is to send, by
 * itself; what it sends besides is its own affair.
 */
static enum flow_control run_await(struct runner *r, const struct step *step)
{
	const struct span patience = {true, SPAN_RTO, 3000, 0};

	for (uint32_t i = 0; i < step->min; i++) {
		const bool begun = !r->by_hand && (r->spoke || r->outbox_n);
		const vtime now = r->dut->ops->now(r->dut);
		const vtime until =
			begun ? now + scope_span(&r->scope, &patience, NULL)
			      : r->end;

		if (peer_sends(r, step, until))
			continue;
		if (!r->stopped)
			run_settle(r, REASON_PEER_SILENT,
				   "the other endpoint does not send what line "
				   "%u says: %s",
				   step->line, step->source);
		return RUN_STOP;
	}
	return RUN_ON;
}

static enum flow_control run_send(struct runner *r, const struct step *step)
{
	char why[160];
	int err;

	if (r->dut->bridged)
		return run_await(r, step);

	if (step->after.set) {
		const vspan span = scope_span(&r->scope, &step->after, NULL);
		const vtime at = r->last_at + span;

		while (link_pump(r, at))
			;
		if (r->stopped)
			return RUN_STOP;
		link_measure(r, at, span);
	}
	for (uint32_t i = 0; i < step->min; i++) {
		if (scope_turn(&r->scope, step->rung.pdc)) {
			run_settle(r, REASON_CASE_WRONG, "%s:%u: too many PDCs",
				   step->file, step->line);
			return RUN_STOP;
		}
		scope_turn_answer(&r->scope, &step->rung);
		err = craft_rung(&r->scope, step, &r->out, why, sizeof(why));
		if (err) {
			run_settle(r,
				   err == ERR_SUPPORT ? REASON_NO_CAUSE
						      : REASON_CASE_WRONG,
				   "%s:%u: %s", step->file, step->line, why);
			return RUN_STOP;
		}
		if (link_send(r, step) == RUN_STOP)
			return RUN_STOP;
	}
	return RUN_ON;
}

static enum flow_control run_wait(struct runner *r, const struct step *step)
{
	vtime until = r->dut->ops->now(r->dut) +
		      scope_span(&r->scope, &step->span, NULL);

	while (link_pump(r, until))
		;
	r->last_at = r->dut->ops->now(r->dut);
	return r->stopped ? RUN_STOP : RUN_ON;
}

static enum flow_control run_let(struct runner *r, const struct step *step)
{
	uint64_t v;

	if (scope_number(&r->scope, &step->value, SPACE_NONE, &v) &&
	    !scope_bind(&r->scope, step->symbol, v))
		return RUN_ON;
	run_settle(r, REASON_CASE_WRONG, "%s:%u: $%s cannot be set", step->file,
		   step->line, step->symbol);
	return RUN_STOP;
}

/* A datagram on its way, as if it were an entry of the record. */
static bool rule_match_rung(struct runner *r, const struct rung *rung,
			    const struct dgram *d, bool to_dut)
{
	struct record *rec = r->rec;

	/* The entry is there already: it is the newest of its direction. */
	for (size_t i = rec->nrecs; i-- > 0;) {
		const struct rec *e = &rec->recs[i];

		if (e->frame && (e->kind == REC_TX) == to_dut &&
		    e->len == d->len &&
		    memcmp(rec->bytes + e->data, d->data, d->len) == 0)
			return match_rung(&r->scope, rung, i, false);
	}
	return false;
}

static bool rule_match(const void *ctx, const struct dgram *d)
{
	const struct rule_ctx *c = ctx;

	return rule_outer(&c->step->outer, d) &&
	       rule_match_rung(c->r, &c->step->rung, d, c->step->to_dut);
}

static bool rule_until(const void *ctx, const struct dgram *d, enum imp_dir dir)
{
	const struct rule_ctx *c = ctx;
	bool to_dut = dir == IMP_TO_DUT;

	return to_dut == c->step->until_to_dut &&
	       rule_match_rung(c->r, &c->step->until, d, to_dut);
}

static void rule_corrupt(const void *ctx, struct dgram *d)
{
	const struct rule_ctx *c = ctx;

	craft_change(&c->r->scope, c->r->decl, c->step, d);
}

static bool rule_inject(const void *ctx, const struct dgram *d,
			struct dgram *ret)
{
	const struct rule_ctx *c = ctx;

	return !craft_inject(&c->r->scope, c->r->decl, c->step, d, ret);
}

static enum flow_control run_impair(struct runner *r, const struct step *step)
{
	struct imp_rule rule;

	rule_make(step, r->decl, &rule);
	rule.match = rule_match;
	rule.until = rule_until;
	rule.corrupt = rule_corrupt;
	rule.inject = rule_inject;
	if (r->nrules == RUN_RULES) {
		run_settle(r, REASON_CASE_WRONG, "%s:%u: too many impairments",
			   step->file, step->line);
		return RUN_STOP;
	}
	if (!r->dut->frames && rule_beyond_sockets(step)) {
		run_settle(r, REASON_NO_FRAMES,
			   "line %u: on this link addresses, the rest of the "
			   "UDP header and padding are the kernel's",
			   step->line);
		return RUN_STOP;
	}
	r->rules[r->nrules] = (struct rule_ctx){r, step};
	rule.ctx = &r->rules[r->nrules++];
	if (imp_rule_add(r->imp, &rule)) {
		run_settle(r, REASON_MEMORY, "out of memory");
		return RUN_STOP;
	}
	return RUN_ON;
}

static enum flow_control run_base(struct runner *r, const struct step *step)
{
	if (scope_turn(&r->scope, step->pdc)) {
		run_settle(r, REASON_CASE_WRONG, "%s:%u: too many PDCs",
			   step->file, step->line);
		return RUN_STOP;
	}
	scope_base(&r->scope, step);
	return RUN_ON;
}

static enum flow_control (*const step_runs[])(struct runner *,
					      const struct step *) = {
	[STEP_SEND] = run_send,
	[STEP_EXPECT] = expect_step,
	[STEP_ACKED] = expect_acked,
	[STEP_NEVER] = expect_never,
	[STEP_ANY_ORDER] = expect_any,
	[STEP_ONE_OF] = expect_one,
	[STEP_IMPAIR] = run_impair,
	[STEP_POST] = control_post,
	[STEP_CONFIGURE] = control_configure,
	[STEP_RESPOND] = control_respond,
	[STEP_REPORT] = control_report,
	[STEP_WAIT] = run_wait,
	[STEP_LET] = run_let,
	[STEP_BASE] = run_base,
};

static bool is_own(const struct runner *r, const struct step *s)
{
	return strcmp(s->file, r->kase->path) == 0;
}

/* A line that makes the device do something, or looks at what it does. */
static bool is_about_device(const struct step *s)
{
	switch (s->kind) {
	case STEP_BASE:
	case STEP_LET:
	case STEP_CONFIGURE:
	case STEP_RESPOND:
	case STEP_WAIT:
		return false;
	default:
		return true;
	}
}

/*
 * The lines of the case itself: fragments before them open, and those behind
 * close.  A case of nothing but fragments is about these.
 */
static void find_own(struct runner *r, const struct step *first)
{
	r->own_first = r->own_last = NULL;
	for (const struct step *s = first; s; s = s->next) {
		if (!is_own(r, s) || !is_about_device(s))
			continue;
		if (!r->own_first)
			r->own_first = s;
		r->own_last = s;
	}
	r->phase = r->own_first ? PHASE_SETUP : PHASE_BODY;
}

/* A fragment's line behind the last of the case closes. */
static void turn_phase(struct runner *r, const struct step *s)
{
	if (s == r->own_first)
		r->phase = PHASE_BODY;
	else if (r->last_done && !is_own(r, s))
		r->phase = PHASE_TEARDOWN;
}

/* A fragment asks only for what the device claims. */
static bool is_beyond(const struct runner *r, const struct step *s)
{
	return s->need && !decl_claims(r->decl, s->need);
}

enum flow_control run_steps(struct runner *r, const struct step *first)
{
	for (const struct step *s = first; s; s = s->next) {
		turn_phase(r, s);
		if (is_beyond(r, s))
			continue;
		r->step = s;
		r->setup = !is_own(r, s);
		if (step_runs[s->kind](r, s) == RUN_STOP || r->stopped)
			return RUN_STOP;
		r->last_done |= s == r->own_last;
	}
	return RUN_ON;
}

/* A line that loses its own packet, or sends one that is not all there. */
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

/* A line that sends, looks at or changes packets. */
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

/* A line that says which PDC it is about. */
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

/* What only a tester can do, not somebody who stands between. */
static bool applicable_between(struct runner *r)
{
	const struct kase *c = r->kase;

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

/* What the case needs and the device does not claim. */
static bool applicable(struct runner *r)
{
	const struct kase *c = r->kase;

	if (c->family != FAMILY_UET && !r->wireless &&
	    !decl_claims(r->decl, family_name(c->family))) {
		run_settle(r, REASON_NOT_CLAIMED,
			   "the device does not claim \"%s\"",
			   family_name(c->family));
		return false;
	}

	for (size_t i = 0; i < c->nneeds; i++) {
		const char *need = c->needs[i];
		bool has = strcmp(need, "control") == 0
				   ? r->dut->control
				   : decl_claims(r->decl, need);

		if (!has) {
			run_settle(r, REASON_NOT_CLAIMED,
				   "the device does not claim \"%s\"", need);
			return false;
		}
	}
	return true;
}

static vspan least(vspan a, vspan b)
{
	return a < b ? a : b;
}

static vspan most(vspan a, vspan b)
{
	return a > b ? a : b;
}

/* How much earlier than an RTO is still right. */
vspan run_rto_tolerance(const struct decl *decl, vspan rto)
{
	return least(decl->rto.tolerance, rto);
}

void run_declared(const struct decl *decl, struct judge_conf *jc)
{
	jc->rto_init = decl->rto.value;
	jc->rto_tolerance = run_rto_tolerance(decl, decl->rto.value);
	/* What left the device before an answer reached it was on its way. */
	jc->grace = most(decl->rto.tolerance, decl->ack_time.value);
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
	jc->answer_time = decl->ack_time.value + decl->ack_time.tolerance;
}

/* What a judge who stands at the link of one side knows of the device. */
static struct judge_conf judge_at(const struct decl *decl,
				  const struct ip_addr *here)
{
	struct judge_conf jc;

	judge_conf_default(&jc);
	run_declared(decl, &jc);
	jc.whole = true;
	jc.here = *here;
	return jc;
}

static void begin(struct runner *r, const struct kase *c, enum chair chair,
		  const struct run_conf *conf, struct record *ret)
{
	uint64_t seed;

	record_clear(ret);
	snprintf(ret->id, sizeof(ret->id), "%s@%s", c->id, chair_name(chair));
	seed = rng_mix(conf->seed + conf->repeat, ret->id);
	ret->kase = c;
	ret->family = c->family;
	ret->chair = chair;
	ret->seed = conf->seed;
	ret->repeat = conf->repeat;
	ret->tester = r->dut->tester;
	ret->dut = r->dut->peer;
	r->kase = c;
	r->conf = conf;
	r->rec = ret;
	r->held = false;
	r->last_tx = SIZE_MAX;
	r->frame = 0;
	r->setup = true;
	r->last_done = false;
	find_own(r, c->chairs[chair].first);
	r->step = r->stimulus = NULL;
	r->inbox_head = r->inbox_n = 0;
	r->outbox_head = r->outbox_n = 0;
	r->nevents = r->nwatches = r->nchecks = r->nrules = 0;
	r->op = r->setup_op = 0;
	r->restarts = 0;
	r->repeats = 0;
	r->ctl_id = 0;
	r->by_hand = false;
	r->wireless =
		c->family == FAMILY_SRD && !meets_wire(c->chairs[chair].first);
	r->spoke = r->gone = r->stopped = r->timed_out = r->interrupted = false;
	r->gone_text[0] = 0;
	imp_reset(r->imp);
	r->declared = judge_at(r->decl, &r->dut->peer);
	r->declared.no_crc = !r->dut->link.crc;
	judge_declare(r->judge, &r->declared);
	judge_reset(r->judge);
	judge_reset(r->mirror);
	scope_start(&r->scope, r->decl, ret, chair, seed);
	r->scope.follow = c->family == FAMILY_UET && chair == CHAIR_INITIATOR &&
			  !names_pdc(c->chairs[chair].first);
	if (!r->dut->control && !r->dut->virtual)
		scope_avoid(&r->scope, &r->taken);
	r->dut->stop = conf->interrupted;
	if (r->dut->ops->begin(r->dut, seed))
		run_settle(r, REASON_NO_RESET, "the device cannot be reset");
	r->last_at = r->awake_at = r->dut->ops->now(r->dut);
	r->end = r->last_at + (conf->timeout ? conf->timeout : CASE_TIME);
}

/*
 * Absence, now that the case is over: only of a device that spoke and is still
 * there, in a case that ran as long as it meant to: a tester that has stopped
 * at a deviation does not answer any more.
 */
static void judge_absence(struct runner *r)
{
	size_t n;

	if (!r->spoke || r->gone || r->interrupted || r->timed_out ||
	    r->stopped)
		return;
	n = judge_end(r->judge, r->dut->ops->now(r->dut), r->found,
		      RUN_FINDINGS);
	link_judged(r, n);
}

/* What the monitors looked at. */
static void judge_looked(struct runner *r)
{
	const struct ip_addr *dut = &r->dut->peer;

	for (int id = 0; id < REQ_COUNT; id++) {
		if (!decl_promises(r->decl, (enum req_id)id))
			continue;
		if (judge_seen(r->judge, dut, (enum req_id)id, REQ_SRC))
			run_req(r, (enum req_id)id, REQ_SRC, true, false,
				false);
		if (judge_seen(r->judge, dut, (enum req_id)id, REQ_DST))
			run_req(r, (enum req_id)id, REQ_DST, true, false,
				false);
	}
}

/* A rule that never fired proves nothing about what it was to do. */
static void unfired_rules(struct runner *r)
{
	for (size_t i = 0; i < imp_nrules(r->imp); i++) {
		uint32_t hits;
		const struct imp_rule *rule = imp_rule_at(r->imp, i, &hits);

		if (!hits)
			run_settle(r, REASON_UNFIRED,
				   "the impairment of line %u never fired",
				   rule->line);
	}
}

/* What the findings of a part of the case come to. */
struct outcome {
	enum reason reason;
	enum fail_kind kind;
	char text[320];
};

/* Somebody was late, which explains the finding as well. */
static void undecided(struct outcome *o, enum reason reason, const char *who,
		      vspan late, const char *how, const struct rec_finding *f)
{
	o->reason = reason;
	o->kind = KIND_NONE;
	snprintf(o->text, sizeof(o->text), "%s was %.1f ms late%s: %.220s", who,
		 (double)late / 1e6, how, f->text);
}

/* A packet that only the case forbids, and a timer of the device may send. */
static bool permitted(const struct record *rec, const struct rec_finding *f)
{
	for (size_t i = 0; i < rec->nrecs; i++)
		if (rec->recs[i].frame == f->frame)
			return rec->recs[i].allowed == run_timer_repeat;
	return false;
}

/* A device that is a program here, and had no processor when it was due. */
static bool starved(const struct record *rec, const struct rec_finding *f)
{
	return f->kind == KIND_TIMING && rec->overdue &&
	       rec->starved >= rec->overdue;
}

/* What is new comes before what is known, a wrong packet before a late one. */
static bool leads(const struct rec_finding *f, const struct rec_finding *other)
{
	if (f->known != other->known)
		return other->known;
	return other->kind == KIND_TIMING && f->kind == KIND_PROTOCOL;
}

/* The finding that the verdict names. */
static const struct rec_finding *leading(const struct record *rec,
					 bool teardown)
{
	const struct rec_finding *first = NULL;

	for (size_t i = 0; i < rec->nfindings; i++) {
		const struct rec_finding *f = &rec->findings[i];

		if (f->remark || f->consequence ||
		    (f->phase == PHASE_TEARDOWN) != teardown)
			continue;
		if (!first || leads(f, first))
			first = f;
	}
	return first;
}

/* Return: there is a finding in that part, and |o| says what it comes to. */
static bool weigh(struct runner *r, bool teardown, struct outcome *o)
{
	const struct record *rec = r->rec;
	const struct rec_finding *first = leading(rec, teardown);

	if (!first)
		return false;
	o->reason = r->stopped && r->phase == PHASE_SETUP ? REASON_SETUP
							  : REASON_FINDING;
	o->kind = first->kind;
	snprintf(o->text, sizeof(o->text), "%s%s/%s: %s",
		 o->reason == REASON_SETUP ? "set-up: "
		 : first->known            ? "known deviation: "
					   : "",
		 req_get(first->req)->id, req_role_name(first->role),
		 first->text);
	if (rec->late) /* the device may have reacted to that */
		undecided(o, REASON_TESTER_LATE, "the tester", rec->jitter,
			  " for itself", first);
	else if (rec->slack > r->decl->rto.value / 2 && permitted(rec, first))
		undecided(o, REASON_TIMER_RAN, "the device", rec->slack,
			  ", within its tolerance, and a timer may "
			  "have run out",
			  first);
	else if (starved(rec, first))
		undecided(o, REASON_STARVED, "the device", rec->overdue,
			  ", and without a processor for longer", first);
	return true;
}

static void fail(struct runner *r)
{
	struct record *rec = r->rec;
	struct outcome o;

	if (weigh(r, false, &o)) {
		rec->verdict = reason_verdict(o.reason);
		rec->reason_id = o.reason;
		rec->kind = o.kind;
		memcpy(rec->reason, o.text, sizeof(rec->reason));
	}
	if (weigh(r, true, &o)) {
		rec->teardown = reason_verdict(o.reason);
		memcpy(rec->teardown_reason, o.text,
		       sizeof(rec->teardown_reason));
	}
}

/* The device was sent less than the case says, later, or more often, or the
 * network doubled what it sent: that explains packets that must not come. */
static bool is_decisive(enum dut_doubt d)
{
	switch (d) {
	case DOUBT_UNSEEN:
	case DOUBT_UNSENT:
	case DOUBT_HELD:
	case DOUBT_DOUBLED:
	case DOUBT_TOO_LONG:
	case DOUBT_UNREACHABLE:
		return true;
	default:
		return false;
	}
}

/* Decisive ones come first. */
static enum dut_doubt first_doubt(const struct record *rec)
{
	enum dut_doubt first = DOUBT_COUNT;

	for (enum dut_doubt d = 0; d < DOUBT_COUNT; d++) {
		if (!rec->doubts[d].n)
			continue;
		if (is_decisive(d))
			return d;
		if (first == DOUBT_COUNT)
			first = d;
	}
	return first;
}

/* It is the reason, whatever else may be said. */
static bool explains(const struct record *rec, enum dut_doubt d)
{
	if (rec->verdict != VERDICT_INCONCLUSIVE)
		return is_decisive(d);
	return is_decisive(d) && d != DOUBT_UNREACHABLE && d != DOUBT_UNSEEN &&
	       rec->reason_id != REASON_INTERRUPTED;
}

static bool has_forbidden(const struct record *rec)
{
	for (size_t i = 0; i < rec->nfindings; i++)
		if (rec->findings[i].seen && !rec->findings[i].remark)
			return true;
	return false;
}

/* What the tester missed may explain all but a packet that must not come. */
static void gaps(struct record *rec)
{
	const enum dut_doubt d = first_doubt(rec);

	if (d == DOUBT_COUNT || (!explains(rec, d) && has_forbidden(rec)))
		return;
	if (rec->verdict == VERDICT_INCONCLUSIVE && !explains(rec, d))
		return;
	if (rec->verdict == VERDICT_NA)
		return;
	/* The tester heeded what was not meant for it. */
	if (rec->verdict == VERDICT_ERROR &&
	    (rec->reason_id != REASON_TESTER_BROKE || !is_decisive(d)))
		return;
	rec->verdict = VERDICT_INCONCLUSIVE;
	rec->reason_id = d == DOUBT_DOUBLED ? REASON_DOUBLED
			 : is_decisive(d)   ? REASON_NOT_SENT
					    : REASON_GAPS;
	rec->kind = KIND_NONE;
	snprintf(rec->reason, sizeof(rec->reason),
		 "%" PRIu64 " %s, after frame %" PRIu32 "%s%s",
		 rec->doubts[d].n, dut_doubt_text(d), rec->doubts[d].frame,
		 rec->nfindings ? ": " : "",
		 rec->nfindings ? rec->findings[0].text : "");
}

/* A case that decided nothing proves nothing of any requirement. */
static void doubt(struct record *rec)
{
	for (size_t i = 0; i < rec->nfindings; i++)
		rec->findings[i].doubtful = true;
	for (size_t i = 0; i < rec->nreqs; i++) {
		struct rec_req *q = &rec->reqs[i];

		*q = (struct rec_req){.req = q->req, .role = q->role};
	}
}

/* So does a closing fragment; the case itself stands. */
static void doubt_teardown(struct record *rec)
{
	for (size_t i = 0; i < rec->nfindings; i++)
		rec->findings[i].doubtful |=
			rec->findings[i].phase == PHASE_TEARDOWN;
}

static void verdict(struct runner *r)
{
	struct record *rec = r->rec;

	if (rec->failed_alloc)
		run_settle(r, REASON_MEMORY, "out of memory");
	if (rec->verdict == VERDICT_ERROR)
		gaps(rec);
	if (rec->verdict == VERDICT_ERROR || rec->verdict == VERDICT_NA)
		return;
	if (!r->interrupted && (!r->stopped || r->last_done))
		unfired_rules(r);
	if (!rec->rungs_matched && rec->verdict == VERDICT_PASS)
		run_settle(r, REASON_UNCHECKED, "nothing was checked");
	if (rec->verdict == VERDICT_FAIL)
		rec->kind = KIND_PROTOCOL;
	run_causes(r);
	fail(r);
	gaps(rec);
	if (rec->verdict == VERDICT_FAIL && r->stopped)
		run_hidden(r);
	run_account(rec);
	if (rec->verdict == VERDICT_INCONCLUSIVE)
		doubt(rec);
	else if (rec->teardown == VERDICT_INCONCLUSIVE)
		doubt_teardown(rec);
}

int run_case(struct runner *r, const struct kase *c, enum chair chair,
	     const struct run_conf *conf, struct record *ret)
{
	vtime start;

	begin(r, c, chair, conf, ret);
	start = r->dut->ops->now(r->dut);
	if (!r->stopped && applicable_between(r) && applicable(r) &&
	    control_prepare(r) == RUN_ON &&
	    run_steps(r, c->chairs[chair].first) == RUN_STOP)
		r->stopped = true;
	if (r->phase == PHASE_TEARDOWN)
		r->phase = PHASE_BODY; /* what is counted now is the case's */
	control_checks(r);
	if (ret->verdict != VERDICT_NA) {
		judge_absence(r);
		judge_looked(r);
	}
	if (ret->findings_left_out)
		link_left_out(r);
	r->dut->ops->tally(r->dut);
	link_doubts(r);
	ret->entropy_lost = (uint32_t)r->dut->counts.entropy_lost;
	ret->starved = r->dut->counts.starved;
	ret->clock = r->dut->virtual             ? "virtual"
		     : r->dut->counts.nic_stamps ? "nic"
						 : "kernel";
	ret->cut_short = r->stopped && !r->last_done;
	verdict(r);
	ret->declared = r->declared;
	ret->ended_at = r->dut->ops->now(r->dut);
	ret->virtual_ns = r->dut->ops->now(r->dut) - start;
	ret->crc = r->dut->link.crc;
	ret->crc_order = r->dut->link.crc_order;
	return ret->failed_alloc ? ERR_NOMEM : 0;
}

int runner_new(struct runner **ret, struct dut *dut, const struct decl *decl)
{
	const struct judge_conf there = judge_at(decl, &dut->peer);
	struct judge_conf here = judge_at(decl, &dut->tester);
	struct runner *r = calloc(1, sizeof(*r));

	/* The tester is the switch as well: it trims without a trace. */
	here.dscp_trimmed = 0;
	here.dscp_trimmed_lasthop = 0;
	here.dscp_known = false;
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
	free(r->inbox);
	free(r->outbox);
	free(r->events);
	text_free(&r->expected);
	text_free(&r->actual);
	text_free(&r->line);
	free(r);
}
