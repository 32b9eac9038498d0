/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "base/serial.h"
#include "suite/match.h"
#include "suite/run_priv.h"
#include "wire/uet_pds.h"

/* After a limit has passed, how long to wait for what is merely late. */
#define LATE_FACTOR 4

/* The limits of an expecting line, counted from the rung before. */
struct limits {
	vtime earliest, due, latest, hard; /* due: before any tolerance */
};

static void limits_of(struct runner *r, const struct step *step,
		      struct limits *ret)
{
	const struct span due = {true, SPAN_ACK_TIME, 1000, 0};
	const struct span *within = step->within.set ? &step->within : &due;
	vspan tolerance;
	const vspan limit = scope_span_late(&r->scope, within, &tolerance);

	/* A packet that an impairment still holds has not begun to count. */
	if (r->held) {
		ret->earliest = 0;
		ret->due = ret->latest = ret->hard = VTIME_NEVER;
		return;
	}
	ret->due = r->last_at + limit + r->rec->jitter;
	ret->latest = ret->due + tolerance;
	ret->hard = ret->latest + LATE_FACTOR * (limit + tolerance);
	ret->earliest = 0;
	if (step->after.set)
		ret->earliest = r->last_at - r->rec->jitter +
				scope_span_early(&r->scope, &step->after);
}

/* The next packet for a line; the limits move while the stimulus is held. */
static struct inbox *await(struct runner *r, const struct step *step,
			   struct limits *lim)
{
	do {
		limits_of(r, step, lim);
		if (r->inbox_head < r->inbox_n)
			return &r->inbox[r->inbox_head];
	} while (link_pump(r, r->by_hand ? r->end : lim->hard));
	limits_of(r, step, lim);
	return r->inbox_head < r->inbox_n ? &r->inbox[r->inbox_head] : NULL;
}

/* The opening probe stays unanswered: the set-up may be to blame. */
static void never_answered(struct runner *r)
{
	const uint64_t strays = r->dut->counts.strays;

	if (r->gone)
		run_settle(r, REASON_GONE, "the device is gone: %s",
			   r->gone_text);
	else if (strays)
		run_settle(r, REASON_ANSWER_ASTRAY,
			   "the device never answered; but %llu datagrams came "
			   "back to our source port: answers go to port 4793, "
			   "from the source port of what they answer",
			   (unsigned long long)strays);
	else
		run_settle(r, REASON_NO_ANSWER, "the device never answered");
}

static const char *line_class(const struct step *step)
{
	return step->kind == STEP_ACKED ? "ack" : blame_class(step->rung.type);
}

/* A case that breaks rules has sent something, and the device ended. */
static bool provoked(const struct runner *r)
{
	return r->gone && r->kase->nviolates && r->stimulus;
}

/* Nothing came.  Whose fault that is depends on whether the DUT ever spoke. */
static enum flow_control missing(struct runner *r, const struct step *step)
{
	const char *word = step->kind == STEP_ACKED
				   ? "missing"
				   : match_absence(&step->rung);
	struct flaw flaw = {.step = step, .kind = KIND_PROTOCOL, .actual = ""};
	char text[240], item[BLAME_ITEM];
	bool must;

	if (r->stopped)
		return RUN_STOP;
	if (r->timed_out) {
		run_settle(r, REASON_OUT_OF_TIME,
			   "the case ran out of time at line %u", step->line);
		return RUN_STOP;
	}
	if (!r->spoke && !provoked(r)) {
		never_answered(r);
		return RUN_STOP;
	}
	text_clear(&r->expected);
	if (step->kind == STEP_ACKED)
		text_puts(&r->expected, "acked");
	else
		match_expected(&r->scope, &step->rung, &r->expected);
	snprintf(text, sizeof(text), "%s after \"%.120s\"%s%.80s",
		 r->gone ? "the device ended" : "nothing came", run_stimulus(r),
		 r->gone ? ": " : "", r->gone ? r->gone_text : "");
	snprintf(item, sizeof(item), "%s.%s", line_class(step), word);
	flaw.expected = text_cstr(&r->expected);
	flaw.over = over_missing(r, step, item);
	must = run_event(r, &flaw, line_class(step), word, text);
	r->rec->rungs_stepped += flaw.over;
	return (must && !flaw.over) || r->gone ? RUN_STOP : RUN_ON;
}

static const char *class_of(const struct runner *r, size_t index)
{
	struct packet pkt;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	return blame_class(packet_word(&pkt));
}

static bool is_ack(const struct runner *r, size_t index)
{
	return strcmp(class_of(r, index), "ack") == 0;
}

/* What makes the packet another one than the line asks for. */
static void differs(struct runner *r, const struct step *step, size_t index,
		    struct blame *ret)
{
	ret->n = 0;
	if (step->kind != STEP_ACKED)
		match_differs(&r->scope, &step->rung, index, step->exact, ret);
	else
		blame_add(ret, "ack", is_ack(r, index) ? "cack_psn" : "type");
}

static bool counts_absolutely(const struct rung *rung)
{
	for (size_t i = 0; i < rung->npds; i++)
		if (rung->pds[i].nranges && rung->pds[i].ranges[0].lo.absolute)
			return true;
	return false;
}

/*
 * A DUT may open a PDC for each message (uet.md 6.1).  Returns whether the
 * packet does, and is what the line expects but for the PDC.
 */
static bool opens_another(struct runner *r, const struct step *step,
			  const struct packet *pkt, size_t index)
{
	uint64_t syn = 0, retx = 0, som = 0;

	packet_value(pkt, "syn", &syn);
	packet_value(pkt, "retx", &retx);
	packet_value(pkt, "som", &som);
	if (r->scope.newest && counts_absolutely(&step->rung))
		return true;
	return r->rec->chair == CHAIR_INITIATOR && r->rec->recs[index].pdc &&
	       !r->scope.pdcs[r->rec->recs[index].pdc].renumbered && syn &&
	       som && !retx && step->kind == STEP_EXPECT &&
	       match_but_for_pdc(&r->scope, &step->rung, index);
}

/* The claim without which the line would not expect that packet, or NULL. */
static const char *broken_claim(const struct runner *r, const struct step *step,
				const struct packet *pkt)
{
	const char *type = step->kind == STEP_EXPECT ? step->rung.type : NULL;

	if (!type || strncmp(type, "ack_cc", 6) != 0 ||
	    strcmp(packet_word(pkt), "ack") != 0 ||
	    !decl_claims(r->decl, "ack_cc"))
		return NULL;
	return "ack_cc";
}

/* A device that does not do what it claims: no row of the line is about that,
 * and what builds on the claim is not reached. */
static enum flow_control claim_broken(struct runner *r, const char *claim,
				      const struct packet *pkt)
{
	run_settle(r, REASON_UNDECLARED,
		   "declaration not kept: the device claims \"%s\" and sends "
		   "%s",
		   claim, packet_word(pkt));
	return RUN_STOP;
}

/* |over|: the case goes on behind the packet, as if it were the line's. */
static enum flow_control mismatch(struct runner *r, const struct step *step,
				  const struct inbox *in, bool over)
{
	const struct rec *rec = &r->rec->recs[in->index];
	struct blame what;
	struct packet pkt;
	bool must;

	record_packet(r->rec, rec, &pkt);
	if (broken_claim(r, step, &pkt))
		return claim_broken(r, broken_claim(r, step, &pkt), &pkt);
	r->scope.split |= opens_another(r, step, &pkt, in->index);
	text_clear(&r->expected);
	text_clear(&r->actual);
	match_explain(&r->scope, &step->rung, in->index, &r->expected,
		      &r->actual);
	differs(r, step, in->index, &what);
	must = run_finding(r,
			   &(struct flaw){step, KIND_PROTOCOL, rec->frame,
					  &what, text_cstr(&r->expected),
					  text_cstr(&r->actual), over},
			   pkt.fault == PACKET_OK
				   ? "frame %u is not what line %u expects"
				   : "frame %u is malformed, line %u expects a "
				     "packet",
			   rec->frame, step->line);
	return must && !over ? RUN_STOP : RUN_ON;
}

/* Whether the case can go on as if the packet were the line's. */
static bool can_go_over(struct runner *r, const struct step *step, size_t index)
{
	struct blame what;

	if (step->kind != STEP_EXPECT)
		return false;
	differs(r, step, index, &what);
	return over_packet(r, index, &what) || run_only_remarks(r, step, &what);
}

/* A line is met: the packet is its own, the clock starts again. */
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

static bool on_time(struct runner *r, const struct step *step,
		    const struct inbox *in, const struct limits *lim)
{
	const struct rec *rec = &r->rec->recs[in->index];
	vtime at = rec->at;
	/* What came before a late stimulus did counts from the one before it.
	 */
	vspan lead = at < r->last_at ? r->last_at - r->before_at : 0;
	char text[80];
	bool early =
		at < lim->earliest - lead && rec->allowed != run_timer_repeat;

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
		  line_class(step), early ? "early" : "late", text);
	return false;
}

/* A second ACK for the same PSN, with nothing taken back, says nothing new. */
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

/* Whether the line is about the ACK of just that PSN. */
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
 * When a request that asked for no ACK is acknowledged is the device's choice:
 * alone, with others, or late.
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

/* Passes over a packet that no line has to name. */
static bool pass_over(struct runner *r, const struct step *step,
		      const struct inbox *in)
{
	struct rec *rec = &r->rec->recs[in->index];

	if (step->exact)
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
	const struct inbox copy = *in; /* the inbox may move */

	if (match_bind(&r->scope, &step->rung, copy.index)) {
		run_settle(r, REASON_CASE_WRONG, "line %u: too many symbols",
			   step->line);
		return RUN_STOP;
	}
	link_take(r);
	if (on_time(r, step, &copy, lim))
		r->rec->rungs_matched++;
	met(r, step, &copy);
	run_observed(r, step, true, false);
	return RUN_ON;
}

/* A packet that differs where it does no harm: the line is as good as met. */
static enum flow_control go_over(struct runner *r, const struct step *step,
				 const struct inbox *in,
				 const struct limits *lim)
{
	const struct inbox copy = *in; /* the inbox may move */

	if (mismatch(r, step, &copy, true) == RUN_STOP)
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
 * The retransmission that the line asks for, wrong in what only remarks govern:
 * it is not passed over as one that need not be named.
 */
static bool is_flawed_repeat(struct runner *r, const struct step *step,
			     size_t index)
{
	struct blame what;

	if (strcmp(match_absence(&step->rung), "resend") != 0)
		return false;
	differs(r, step, index, &what);
	return run_only_remarks(r, step, &what);
}

enum flow_control expect_step(struct runner *r, const struct step *step)
{
	uint32_t count = 0;
	struct limits lim;

	r->rec->rungs_expected++;
	while (count < step->max) {
		struct inbox *in;

		if (count >= step->min && r->inbox_head == r->inbox_n)
			break;
		in = await(r, step, &lim);
		if (!in && (step->optional || count >= step->min))
			break;
		if (!in)
			return missing(r, step);
		if (match_rung(&r->scope, &step->rung, in->index,
			       step->exact)) {
			if (matched(r, step, in, &lim) == RUN_STOP)
				return RUN_STOP;
			count++;
		} else if (is_flawed_repeat(r, step, in->index) ||
			   !pass_over(r, step, in)) {
			if (step->optional || count >= step->min)
				break;
			if (can_go_over(r, step, in->index)) {
				if (go_over(r, step, in, &lim) == RUN_STOP)
					return RUN_STOP;
				count++;
				continue;
			}
			if (mismatch(r, step, in, false) == RUN_STOP)
				return RUN_STOP;
			link_take(r); /* a remark: go on behind it */
			break;
		}
	}
	return r->stopped ? RUN_STOP : RUN_ON;
}

/* The PSNs lo..hi, at most 64 at a time, as a mask of what is acknowledged. */
static uint64_t acked_mask(struct runner *r, size_t index, uint32_t lo,
			   uint32_t n)
{
	struct packet pkt;
	uint64_t cack, ack, base, bits, mask = 0;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	if (r->rec->recs[index].pdc != r->scope.hand ||
	    !packet_value(&pkt, "cack_psn", &cack))
		return 0;
	for (uint32_t i = 0; i < n; i++)
		if (!serial_before((uint32_t)cack, lo + i))
			mask |= (uint64_t)1 << i;
	if (packet_value(&pkt, "ack_psn", &ack) && (uint32_t)ack - lo < n)
		mask |= (uint64_t)1 << ((uint32_t)ack - lo);
	if (packet_value(&pkt, "sack_psn", &base) &&
	    packet_value(&pkt, "sack_bitmap", &bits))
		for (uint32_t i = 0; i < 64; i++)
			if (bits >> i & 1 && (uint32_t)base + i - lo < n)
				mask |= (uint64_t)1
					<< ((uint32_t)base + i - lo);
	return mask;
}

enum flow_control expect_acked(struct runner *r, const struct step *step)
{
	enum psn_space space =
		r->rec->chair == CHAIR_TARGET ? SPACE_FORWARD : SPACE_RETURN;
	uint64_t lo = 0, hi = 0, all, got = 0;
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
	all = n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
	while (got != all) {
		uint64_t more;

		in = await(r, step, &lim);
		if (!in)
			return missing(r, step);
		more = acked_mask(r, in->index, (uint32_t)lo, n);
		if (!more && pass_over(r, step, in))
			continue;
		if (!more && mismatch(r, step, in, false) == RUN_STOP)
			return RUN_STOP;
		link_take(r);
		if (!more) /* a remark */
			continue;
		got |= more;
		on_time(r, step, in, &lim);
		met(r, step, in);
	}
	r->rec->rungs_matched++;
	run_observed(r, step, true, false);
	return RUN_ON;
}

void expect_watch(struct runner *r, const struct inbox *in)
{
	const struct rec *rec = &r->rec->recs[in->index];
	char text[80], item[BLAME_ITEM];

	for (size_t i = 0; i < r->nwatches; i++) {
		const struct step *step = r->watches[i].step;
		const char *class;
		bool over;

		if (!match_rung(&r->scope, &step->rung, in->index, false))
			continue;
		text_clear(&r->expected);
		text_clear(&r->actual);
		match_explain(&r->scope, &step->rung, in->index, &r->expected,
			      &r->actual);
		snprintf(text, sizeof(text), "frame %u must not come (line %u)",
			 rec->frame, step->line);
		class = class_of(r, in->index);
		snprintf(item, sizeof(item), "%s.forbidden", class);
		over = over_forbidden(r, in->index, item);
		if (run_event(r,
			      &(struct flaw){.step = step,
					     .kind = KIND_PROTOCOL,
					     .frame = rec->frame,
					     .expected = "",
					     .actual = text_cstr(&r->actual),
					     .over = over},
			      class, "forbidden", text) &&
		    !over)
			r->stopped = true;
	}
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
		(struct watch){step, step->never_end == NEVER_UNTIL};
	/* What came already and was not looked at counts as well. */
	for (size_t i = r->inbox_head; i < r->inbox_n && !r->stopped; i++)
		expect_watch(r, &r->inbox[i]);
	if (step->never_end == NEVER_FOR) {
		until = r->last_at + scope_span(&r->scope, &step->span, NULL);
		until = vtime_max(until, r->dut->ops->now(r->dut));
		while (link_pump(r, until))
			;
		r->nwatches--;
		r->last_at = until;
	}
	if (r->stopped)
		return RUN_STOP;
	r->rec->rungs_matched++;
	run_observed(r, step, true, false);
	return RUN_ON;
}

/* The line of the group that a packet meets, -1: none. */
static int any_match(struct runner *r, const struct step *group, uint64_t done,
		     const struct inbox *in)
{
	for (size_t i = 0; i < group->ngroups; i++)
		if (!(done >> i & 1) && group->groups[i]->kind == STEP_EXPECT &&
		    match_rung(&r->scope, &group->groups[i]->rung, in->index,
			       group->groups[i]->exact))
			return (int)i;
	return -1;
}

/* The first line that is still to be met; NULL: only optional ones are left. */
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

/* The first open line that can be gone over with this packet; -1: none. */
static int any_over(struct runner *r, const struct step *group, uint64_t done,
		    size_t index)
{
	for (size_t i = 0; i < group->ngroups; i++)
		if (!(done >> i & 1) && can_go_over(r, group->groups[i], index))
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
		struct inbox *in = await(r, open, &lim);
		int i;

		if (!in && missing(r, open) == RUN_STOP)
			return RUN_STOP;
		if (!in) {
			done |= any_bit(group, open);
			continue;
		}
		i = any_match(r, group, done, in);
		if (i >= 0) {
			limits_of(r, group->groups[i], &lim);
			r->rec->rungs_expected++;
			if (matched(r, group->groups[i], in, &lim) == RUN_STOP)
				return RUN_STOP;
			r->last_at = from; /* all count from the rung before */
			done |= (uint64_t)1 << i;
		} else if (!pass_over(r, open, in)) {
			r->rec->rungs_expected++;
			i = any_over(r, group, done, in->index);
			if (i >= 0) {
				limits_of(r, group->groups[i], &lim);
				if (go_over(r, group->groups[i], in, &lim) ==
				    RUN_STOP)
					return RUN_STOP;
				r->last_at = from;
				done |= (uint64_t)1 << i;
				continue;
			}
			if (mismatch(r, open, in, false) == RUN_STOP)
				return RUN_STOP;
			link_take(r);
		}
	}
	r->last_at = r->dut->ops->now(r->dut);
	return any_reports(r, group);
}

enum flow_control expect_one(struct runner *r, const struct step *group)
{
	const struct step *first = group->groups[0];
	struct limits lim;

	for (;;) {
		struct inbox *in = await(r, first, &lim);

		if (!in)
			return missing(r, first);
		for (size_t i = 0; i < group->ngroups; i++)
			if (match_rung(&r->scope, &group->groups[i]->rung,
				       in->index, group->groups[i]->exact))
				return run_steps(r, group->groups[i]);
		if (pass_over(r, first, in))
			continue;
		for (size_t i = 0; i < group->ngroups; i++)
			if (can_go_over(r, group->groups[i], in->index))
				return run_steps(r, group->groups[i]);
		if (mismatch(r, first, in, false) == RUN_STOP)
			return RUN_STOP;
		link_take(r); /* a remark: no alternative is the one */
		return RUN_ON;
	}
}
