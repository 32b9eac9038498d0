/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_expect.c -- runs the expecting lines: <, acked, never, any and
 * one.
 *
 * A line has time limits relative to the previous rung.  After the latest
 * permitted time the tester waits longer, to distinguish a late packet from a
 * missing one.  A line skips packets that need no line.
 */
#include "suite/run/run_expect.h"

#include <stdio.h>
#include <string.h>

#include "base/serial.h"
#include "suite/run/blame/run_blame.h"
#include "suite/run/control/run_report.h"
#include "suite/run/flight.h"
#include "suite/run/link/run_allow.h"
#include "suite/run/link/run_link.h"
#include "suite/run/link/run_watch.h"
#include "suite/run/match/match.h"
#include "suite/run/match/match_differs.h"
#include "suite/run/run_differs.h"
#include "suite/run/run_kept.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/run_time.h"
#include "suite/run/scope/scope.h"
#include "suite/run/scope/scope_pdc.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_span.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/run/scope/scope_work.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/uet/uet_pds.h"

/* The packet matches the line: takes it, and restarts the clock. */
static void met(struct runner *r, const struct step *step,
		const struct inbox *in)
{
	struct rec *rec = &r->rec->recs[in->index];

	rec->line = step->line;
	scope_met(&r->scope, in->index);
	if (step->lost) {
		rec->fate = FATE_DROPPED;
		record_note(r->rec, in->index, "lost on the way");
	} else {
		scope_taken(&r->scope, in->index);
		link_mirror(r, in->index);
	}
	r->last_at = r->before_at = in->at;
	r->held = false;
	for (size_t i = 0; i < r->nwatches;) {
		if (r->watches[i].until_next)
			r->watches[i] = r->watches[--r->nwatches];
		else
			i++;
	}
}

/*
 * A packet that arrived before a late stimulus is timed from the previous
 * stimulus.  In an "any" group the previous rung may be later than last_at.
 */
static vspan run_lead(const struct runner *r, vtime at)
{
	if (run_has_waited(r))
		return 0;
	if (at < r->last_at && r->before_at < r->last_at)
		return r->last_at - r->before_at;
	return 0;
}

static bool on_time(struct runner *r, const struct step *step,
		    const struct inbox *in, const struct limits *lim)
{
	const struct rec *rec = &r->rec->recs[in->index];
	vtime at = rec->at;
	const vspan lead = run_lead(r, at);
	char text[80];
	bool early = at < lim->earliest - lead &&
		     rec->allowed != run_timer_repeat &&
		     rec->allowed != run_inferred_repeat;

	if (!early && at <= lim->latest) {
		if (at > lim->due && at - lim->due > r->rec->slack)
			r->rec->slack = at - lim->due;
		return true;
	}
	if (!early && at - lim->latest > r->rec->overdue)
		r->rec->overdue = at - lim->latest;
	snprintf(
		text, sizeof(text), "frame %u came %.3f ms %s", rec->frame,
		(double)(early ? lim->earliest - lead - at : at - lim->latest) /
			1e6,
		early ? "too early" : "late");
	run_event(r,
		  &(struct flaw){.step = step,
				 .kind = KIND_TIMING,
				 .frame = rec->frame,
				 .expected = "",
				 .actual = ""},
		  run_line_class(step), early ? "early" : "late", text);
	return false;
}

/* Returns true for a second ACK of the same PSN that withdraws nothing. */
static bool repeated_ack(struct runner *r, size_t index)
{
	struct packet pkt, old;
	uint64_t ack, cack, v;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	if (!packet_value(&pkt, "ack_psn", &ack) ||
	    !packet_value(&pkt, "cack_psn", &cack))
		return false;
	for (size_t i = 0; i < index; i++) {
		const struct rec *rec = &r->rec->recs[i];

		if (rec->kind != REC_RX || !rec->frame ||
		    rec->pdc != r->rec->recs[index].pdc)
			continue;
		record_packet(r->rec, rec, &old);
		if (packet_value(&old, "ack_psn", &v) && v == ack &&
		    packet_value(&old, "cack_psn", &v) &&
		    !serial_before((uint32_t)cack, (uint32_t)v))
			return true;
	}
	return false;
}

static bool about_acks(const char *type)
{
	return !type || strncmp(type, "ack", 3) == 0;
}

/* Returns true if the line expects the ACK of exactly that PSN. */
static bool names_ack_psn(struct runner *r, const struct step *step,
			  size_t index)
{
	for (size_t i = 0; i < step->rung.npds; i++) {
		const struct rung one = {.pds = &step->rung.pds[i], .npds = 1};

		if (strcmp(step->rung.pds[i].name, "ack_psn") == 0)
			return match_rung(&r->scope, &one, index, false);
	}
	return step->kind == STEP_EXPECT && about_acks(step->rung.type);
}

/*
 * The device chooses when to acknowledge a request without AR: alone, with
 * others, or late.
 */
static bool unasked_ack(struct runner *r, const struct step *step, size_t index)
{
	static const char *const asks[] = {"ar", "retx", "syn"};
	const struct scope_psn *p;
	struct packet pkt;
	uint64_t v;

	scope_turn_rec(&r->scope, index);
	record_packet(r->rec, &r->rec->recs[index], &pkt);
	if (!packet_value(&pkt, "ack_psn", &v) || names_ack_psn(r, step, index))
		return false;
	p = scope_psn_find(&r->scope, true, (uint32_t)v);
	if (!p)
		return false;
	record_packet(r->rec, &r->rec->recs[p->newest], &pkt);
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
		if (packet_value(&pkt, asks[i], &v) && v)
			return false;
	return true;
}

/*
 * Returns true for a control packet that may come unasked and is of another
 * kind than the control packet that the line expects.
 */
static bool is_other_control(struct runner *r, const struct step *step,
			     size_t index)
{
	if (r->rec->recs[index].allowed != run_unasked_control)
		return false;
	for (size_t i = 0; i < step->rung.npds; i++) {
		const struct rung kind = {.type = step->rung.type,
					  .pds = &step->rung.pds[i],
					  .npds = 1};

		if (strcmp(step->rung.pds[i].name, "ctl_type") == 0)
			return !match_rung(&r->scope, &kind, index, true);
	}
	return false;
}

bool run_pass_over(struct runner *r, const struct step *step,
		   const struct inbox *in)
{
	struct rec *rec = &r->rec->recs[in->index];

	if (step->exact && !is_other_control(r, step, in->index))
		return false;
	if (!rec->allowed && repeated_ack(r, in->index))
		rec->allowed = "repeated ACK";
	if (!rec->allowed && unasked_ack(r, step, in->index))
		rec->allowed = "ACK that the line did not ask for";
	if (!rec->allowed)
		return false;
	if (rec->fate != FATE_DUPLICATE && rec->fate != FATE_INJECTED)
		record_note(r->rec, in->index, rec->allowed);
	scope_taken(&r->scope, in->index);
	link_mirror(r, in->index);
	link_take(r);
	return true;
}

static enum flow_control matched(struct runner *r, const struct step *step,
				 const struct inbox *in,
				 const struct limits *lim)
{
	const struct inbox copy = *in; /* a copy, because the inbox may move */
	struct packet pkt;

	record_packet(r->rec, &r->rec->recs[copy.index], &pkt);
	if (run_kept_mtu(r->decl, &pkt))
		return run_claim_broken(r, "size mtu", &pkt);
	if (match_bind(&r->scope, &step->rung, copy.index)) {
		run_settle(r, REASON_CASE_WRONG, "line %u: too many symbols",
			   step->line);
		return RUN_STOP;
	}
	link_take(r);
	if (on_time(r, step, &copy, lim))
		r->rec->rungs_matched++;
	met(r, step, &copy);
	if (scope_trimmed(&r->scope, copy.index))
		run_observed_refusal(r, step);
	else
		run_observed(r, step, true, false);
	return RUN_ON;
}

/*
 * Handles a packet that differs only in items that do no harm: the line counts
 * as met.
 */
static enum flow_control go_over(struct runner *r, const struct step *step,
				 const struct inbox *in,
				 const struct limits *lim)
{
	const struct inbox copy = *in; /* a copy, because the inbox may move */

	if (run_mismatch(r, step, &copy,
			 run_can_go_over(r, step, copy.index)) == RUN_STOP)
		return RUN_STOP;
	if (match_bind(&r->scope, &step->rung, copy.index)) {
		run_settle(r, REASON_CASE_WRONG, "line %u: too many symbols",
			   step->line);
		return RUN_STOP;
	}
	link_take(r);
	on_time(r, step, &copy, lim);
	r->rec->rungs_stepped++;
	met(r, step, &copy);
	return RUN_ON;
}

/*
 * Returns true if the packet left the device before the tester's last packet
 * arrived there.
 */
static bool may_have_crossed(const struct runner *r, size_t index)
{
	const vspan grace = r->declared.grace + r->rec->jitter;

	return r->rec->recs[index].at - r->last_at < grace;
}

/*
 * Returns true for the retransmission that the line expects, with other fields
 * wrong.  It is not skipped as a packet that needs no line.
 */
static bool is_flawed_repeat(struct runner *r, const struct step *step,
			     size_t index)
{
	const struct rec *rec = &r->rec->recs[index];
	struct blame what;
	struct packet pkt;
	uint64_t retx = 0;

	record_packet(r->rec, rec, &pkt);
	if (strcmp(match_absence(&step->rung), "resend") != 0 ||
	    rec->fate == FATE_DUPLICATE || rec->fate == FATE_INJECTED)
		return false;
	if (!packet_value(&pkt, "retx", &retx) || !retx)
		return false;
	run_expect_differs(r, step, index, &what);
	if (run_can_go_over(r, step, index))
		return true;
	return what.n && !run_hides_all(&what) && !may_have_crossed(r, index);
}

static bool says_retx(const struct step *step)
{
	for (size_t i = 0; i < step->rung.npds; i++)
		if (strcmp(step->rung.pds[i].name, "retx") == 0)
			return true;
	return false;
}

/*
 * Returns true for a repeat by a timer of a packet that a line for several
 * packets has counted.  It is not one of the others.
 */
static bool is_counted(const struct runner *r, const struct step *step,
		       size_t index)
{
	const struct rec *rec = &r->rec->recs[index];
	struct packet pkt;
	uint64_t psn, v;

	if (rec->allowed != run_timer_repeat || says_retx(step))
		return false;
	record_packet(r->rec, rec, &pkt);
	if (!packet_value(&pkt, "psn", &psn))
		return false;
	for (size_t i = index; i-- > 0;) {
		const struct rec *one = &r->rec->recs[i];

		if (one->kind != REC_RX || one->line != step->line ||
		    one->pdc != rec->pdc)
			continue;
		record_packet(r->rec, one, &pkt);
		if (packet_value(&pkt, "psn", &v) && v == psn)
			return true;
	}
	return false;
}

bool run_fits(const struct runner *r, const struct step *step, size_t index,
	      bool again)
{
	if (again && is_counted(r, step, index))
		return false;
	return match_rung(&r->scope, &step->rung, index, step->exact);
}

/*
 * Returns true for a packet that a line behind an optional one expects.  It is
 * not skipped as a packet that needs no line.
 */
static bool fits_next(const struct runner *r, const struct step *step,
		      size_t index)
{
	if (!step->optional)
		return false;
	for (step = step->next; step && step->kind == STEP_EXPECT;
	     step = step->next) {
		if (run_fits(r, step, index, false))
			return true;
		if (!step->optional)
			break;
	}
	return false;
}

/*
 * Returns true if a line may take one packet more than it needs: one that is
 * there or, in a flight, one that comes before the device has been silent for
 * the line's span.
 */
static bool more_may_come(struct runner *r, const struct step *step)
{
	const vtime until = r->last_at + r->rec->jitter +
			    scope_span(&r->scope, &step->span, NULL);

	if (!step->symbol)
		return r->inbox_head != r->inbox_n;
	while (r->inbox_head == r->inbox_n)
		if (!link_pump(r, until))
			return r->inbox_head != r->inbox_n;
	return true;
}

enum flow_control expect_step(struct runner *r, const struct step *step)
{
	const bool due = !step->optional && step->min;
	uint32_t count = 0;
	struct limits lim;

	if (step->symbol)
		flight_begin(r, step);
	/* A rung that may come counts as expected if it came. */
	if (due)
		r->rec->rungs_expected++;
	while (count < step->max) {
		struct inbox *in;

		if (count >= step->min && !more_may_come(r, step))
			break;
		in = run_differs_await(r, step, &lim);
		if (!in && (step->optional || count >= step->min))
			break;
		if (!in)
			return run_missing(r, step);
		if (run_fits(r, step, in->index, count || r->again)) {
			if (count || !due)
				r->rec->rungs_expected++;
			if (matched(r, step, in, &lim) == RUN_STOP)
				return RUN_STOP;
			count++;
		} else if (fits_next(r, step, in->index) ||
			   is_flawed_repeat(r, step, in->index) ||
			   !run_pass_over(r, step, in)) {
			if (step->optional || count >= step->min)
				break;
			if (run_can_go_over(r, step, in->index)) {
				if (go_over(r, step, in, &lim) == RUN_STOP)
					return RUN_STOP;
				count++;
				continue;
			}
			if (run_mismatch(r, step, in, OVER_NOT) == RUN_STOP)
				return RUN_STOP;
			link_take(r); /* a remark: continue after it */
			break;
		}
	}
	if (r->stopped)
		return RUN_STOP;
	return step->symbol ? flight_end(r, step) : RUN_ON;
}

/*
 * Returns the PSNs of lo..hi that the SACK bitmap of entry |index| names.  A
 * request that still gets an ACK of its own does not count: the response may be
 * one that CLEAR_PSN must not cover yet (uet.md 7.2).
 */
static uint64_t sacked_mask(struct runner *r, size_t index, uint32_t lo,
			    uint32_t n)
{
	struct packet pkt;
	uint64_t base, bits, mask = 0;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	if (!packet_value(&pkt, "sack_psn", &base) ||
	    !packet_value(&pkt, "sack_bitmap", &bits))
		return 0;
	for (uint32_t i = 0; i < 64; i++) {
		const uint32_t psn = (uint32_t)base + i;
		struct scope_work work;

		if (!(bits >> i & 1) || psn - lo >= n)
			continue;
		work = scope_work_of(&r->scope, psn, index);
		if (!work.open || !work.asked)
			mask |= (uint64_t)1 << (psn - lo);
	}
	return mask;
}

/* Returns the acknowledged PSNs of lo..hi, at most 64 at a time, as a mask. */
static uint64_t acked_mask(struct runner *r, size_t index, uint32_t lo,
			   uint32_t n)
{
	struct packet pkt;
	uint64_t cack, ack, mask;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	if (r->rec->recs[index].pdc != r->scope.hand ||
	    !packet_value(&pkt, "cack_psn", &cack))
		return 0;
	mask = sacked_mask(r, index, lo, n);
	for (uint32_t i = 0; i < n; i++)
		if (!serial_before((uint32_t)cack, lo + i))
			mask |= (uint64_t)1 << i;
	if (packet_value(&pkt, "ack_psn", &ack) && (uint32_t)ack - lo < n)
		mask |= (uint64_t)1 << ((uint32_t)ack - lo);
	return mask;
}

enum flow_control expect_acked(struct runner *r, const struct step *step)
{
	enum psn_space space =
		r->rec->chair == CHAIR_TARGET ? SPACE_FORWARD : SPACE_RETURN;
	uint64_t lo = 0, hi = 0, all, got = 0;
	enum over over = OVER_NOT;
	struct limits lim;
	struct inbox *in;
	uint32_t n;

	r->rec->rungs_expected++;
	scope_turn(&r->scope, NULL);
	scope_number(&r->scope, &step->acked_lo, space, &lo);
	scope_number(&r->scope, &step->acked_hi, space, &hi);
	n = (uint32_t)hi - (uint32_t)lo + 1;
	if (n < 1 || n > 64) {
		run_settle(r, REASON_CASE_WRONG,
			   "line %u: acked takes 1 to 64 PSNs", step->line);
		return RUN_STOP;
	}
	if (n == 64)
		all = UINT64_MAX;
	else
		all = ((uint64_t)1 << n) - 1;
	while (got != all) {
		uint64_t more;

		in = run_differs_await(r, step, &lim);
		if (!in)
			return run_missing(r, step);
		more = run_says_failed(r, in->index)
			       ? 0
			       : acked_mask(r, in->index, (uint32_t)lo, n);
		if (!more && run_pass_over(r, step, in))
			continue;
		if (!more)
			over = run_can_go_over(r, step, in->index);
		if (!more && run_mismatch(r, step, in, over) == RUN_STOP)
			return RUN_STOP;
		link_take(r);
		if (over) { /* this counts as the ACK */
			r->rec->rungs_stepped++;
			return RUN_ON;
		}
		if (!more) /* only a remark */
			continue;
		got |= more;
		on_time(r, step, in, &lim);
		met(r, step, in);
	}
	r->rec->rungs_matched++;
	run_observed(r, step, true, false);
	return RUN_ON;
}

enum flow_control expect_never(struct runner *r, const struct step *step)
{
	vtime until;

	r->rec->rungs_expected++;
	if (r->nwatches == RUN_WATCHES) {
		run_settle(r, REASON_CASE_WRONG,
			   "line %u: too many never lines", step->line);
		return RUN_STOP;
	}
	r->watches[r->nwatches++] =
		(struct run_watch){step, step->never_end == NEVER_UNTIL};
	/* packets that arrived before and were not matched count as well */
	for (size_t i = r->inbox_head; i < r->inbox_n && !r->stopped; i++)
		run_watch(r, &r->inbox[i]);
	if (step->never_end == NEVER_FOR) {
		until = r->last_at + scope_span(&r->scope, &step->span, NULL);
		until = vtime_max(until, r->dut->ops->now(r->dut));
		while (link_pump(r, until))
			;
		r->nwatches--;
		if (!run_has_waited(r))
			r->before_at = r->last_at;
		r->last_at = r->never_at = until;
	}
	if (r->stopped)
		return RUN_STOP;
	r->rec->rungs_matched++;
	if (!r->shaken)
		run_observed(r, step, true, false);
	return RUN_ON;
}

/* Returns the line of the group that a packet matches, or -1. */
static int any_match(struct runner *r, const struct step *group, uint64_t done,
		     const struct inbox *in)
{
	for (size_t i = 0; i < group->ngroups; i++)
		if (!(done >> i & 1) && group->groups[i]->kind == STEP_EXPECT &&
		    run_fits(r, group->groups[i], in->index, r->again))
			return (int)i;
	return -1;
}

/*
 * Returns the first line that is not yet met, or NULL if only optional lines
 * remain.
 */
static const struct step *any_open(const struct step *group, uint64_t done)
{
	for (size_t i = 0; i < group->ngroups; i++)
		if (!(done >> i & 1) && group->groups[i]->kind == STEP_EXPECT &&
		    !group->groups[i]->optional)
			return group->groups[i];
	return NULL;
}

static uint64_t any_bit(const struct step *group, const struct step *line)
{
	for (size_t i = 0; i < group->ngroups; i++)
		if (group->groups[i] == line)
			return (uint64_t)1 << i;
	return 0;
}

/* Returns the first open line that can count as met by this packet, or -1. */
static int any_over(struct runner *r, const struct step *group, uint64_t done,
		    size_t index)
{
	for (size_t i = 0; i < group->ngroups; i++)
		if (!(done >> i & 1) &&
		    run_can_go_over(r, group->groups[i], index))
			return (int)i;
	return -1;
}

static enum flow_control any_reports(struct runner *r, const struct step *group)
{
	for (size_t i = 0; i < group->ngroups; i++)
		if (group->groups[i]->kind == STEP_REPORT &&
		    control_report(r, group->groups[i]) == RUN_STOP)
			return RUN_STOP;
	return RUN_ON;
}

enum flow_control expect_any(struct runner *r, const struct step *group)
{
	vtime from = r->last_at;
	const struct step *open;
	struct limits lim;
	uint64_t done = 0;

	while ((open = any_open(group, done)) != NULL) {
		struct inbox *in = run_differs_await(r, open, &lim);
		int i;

		if (!in && run_missing(r, open) == RUN_STOP)
			return RUN_STOP;
		if (!in) {
			done |= any_bit(group, open);
			continue;
		}
		i = any_match(r, group, done, in);
		if (i >= 0) {
			run_limits_of(r, group->groups[i], &lim);
			r->rec->rungs_expected++;
			if (matched(r, group->groups[i], in, &lim) == RUN_STOP)
				return RUN_STOP;
			r->last_at = from; /* the limits of all lines count from
					      the previous rung */
			done |= (uint64_t)1 << i;
		} else if (!run_pass_over(r, open, in)) {
			r->rec->rungs_expected++;
			i = any_over(r, group, done, in->index);
			if (i >= 0) {
				run_limits_of(r, group->groups[i], &lim);
				if (go_over(r, group->groups[i], in, &lim) ==
				    RUN_STOP)
					return RUN_STOP;
				r->last_at = from;
				done |= (uint64_t)1 << i;
				continue;
			}
			if (run_mismatch(r, open, in, OVER_NOT) == RUN_STOP)
				return RUN_STOP;
			link_take(r);
		}
	}
	r->last_at = r->dut->ops->now(r->dut);
	return any_reports(r, group);
}
