/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_differs.c -- records the faults that an expecting line finds: a
 * packet that is late, missing or different.
 */
#include "suite/run/run_differs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "suite/decl/capability.h"
#include "suite/decl/decl_setting.h"
#include "suite/run/blame/run_blame.h"
#include "suite/run/blame/run_over.h"
#include "suite/run/link/run_link.h"
#include "suite/run/link/run_start.h"
#include "suite/run/link/run_watch.h"
#include "suite/run/match/match.h"
#include "suite/run/match/match_differs.h"
#include "suite/run/match/match_text.h"
#include "suite/run/run_kept.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/scope/scope_span.h"
#include "suite/verdict/record.h"
#include "wire/uet/uet_ses.h"

/* After a limit, wait for a late packet up to this multiple of the patience. */
#define LATE_FACTOR 4

/*
 * Returns how long the device may read: one packet of return data after the
 * other, for all that the tester asked for.  0 if nothing is declared.
 */
static vspan limits_reading(const struct runner *r)
{
	uint64_t each, opcode, len;
	vspan sum = 0;

	if (r->rec->chair != CHAIR_TARGET ||
	    !decl_setting_find(r->decl, SETTING_read_time, &each))
		return 0;
	for (size_t i = 0; i < r->rec->nrecs; i++) {
		const struct rec *rec = &r->rec->recs[i];
		struct packet pkt;

		if (rec->kind != REC_TX)
			continue;
		record_packet(r->rec, rec, &pkt);
		if (packet_value(&pkt, "opcode", &opcode) &&
		    opcode == SES_READ &&
		    packet_value(&pkt, "request_length", &len))
			sum += (vspan)(each * (1 + len / r->decl->mtu));
	}
	return sum;
}

bool run_has_waited(const struct runner *r)
{
	return r->last_at == r->never_at && r->before_at < r->last_at;
}

/* A "never" line is no rung: a timer of the device runs on meanwhile. */
static vtime after_at(const struct runner *r)
{
	return run_has_waited(r) ? r->before_at : r->last_at;
}

void run_limits_of(struct runner *r, const struct step *step,
		   struct limits *ret)
{
	const struct span due = {
		.set = true, .unit = SPAN_ACK_TIME, .milli = 1000};
	const struct span *within = step->within.set ? &step->within : &due;
	vspan tolerance;
	const vspan limit = scope_span_late(&r->scope, within, &tolerance);

	/* a limit does not start while an impairment holds the stimulus */
	if (r->held) {
		ret->earliest = 0;
		ret->due = ret->latest = ret->hard = VTIME_NEVER;
		return;
	}
	ret->due = r->last_at + limit + limits_reading(r) + r->rec->jitter;
	ret->latest = ret->due + tolerance;
	ret->hard = ret->latest + LATE_FACTOR * (limit + tolerance);
	ret->earliest = 0;
	if (step->after.set)
		ret->earliest = after_at(r) - r->rec->jitter +
				scope_span_early(&r->scope, &step->after);
}

struct inbox *run_differs_await(struct runner *r, const struct step *step,
				struct limits *lim)
{
	do {
		run_limits_of(r, step, lim);
		if (r->inbox_head < r->inbox_n)
			return &r->inbox[r->inbox_head];
	} while (link_pump(r, r->by_hand ? r->end : lim->hard));
	run_limits_of(r, step, lim);
	if (r->inbox_head < r->inbox_n)
		return &r->inbox[r->inbox_head];
	return NULL;
}

/*
 * The device never answered the opening probe, so the set-up may be at fault.
 */
static void run_expect_never_answered(struct runner *r)
{
	const uint64_t strays = r->dut->counts.strays;

	if (r->gone)
		run_settle(r, REASON_GONE, "the device is gone: it %s",
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

const char *run_line_class(const struct step *step)
{
	if (step->kind == STEP_ACKED)
		return "ack";
	return blame_class(step->rung.type);
}

/*
 * Returns true if a case that violates rules sent a packet and the device then
 * ended.
 */
static bool provoked(const struct runner *r)
{
	return r->gone && r->test_case->nviolates && r->stimulus;
}

/*
 * Finds, after the tester's last packet, a control packet that no line named
 * and that differs from the line in its CLEAR_PSN alone.  It is the one that
 * the line expects: to say that nothing came would be wrong.
 */
static bool differs_came(struct runner *r, const struct step *step,
			 struct inbox *ret)
{
	struct blame what;

	if (step->kind != STEP_EXPECT ||
	    strcmp(run_line_class(step), "cp") != 0)
		return false;
	for (size_t i = r->rec->nrecs; i-- > 0;) {
		const struct rec *rec = &r->rec->recs[i];

		if (rec->kind == REC_TX)
			return false;
		if (rec->kind != REC_RX || rec->line || !rec->allowed)
			continue;
		run_expect_differs(r, step, i, &what);
		if (what.n != 1 || !blame_has(&what, "cp.clear_psn"))
			continue;
		*ret = (struct inbox){.index = i, .at = rec->at};
		return true;
	}
	return false;
}

/* Finds that a packet came in the place of what the line expects. */
static enum flow_control differs_instead(struct runner *r,
					 const struct step *step,
					 const struct inbox *near)
{
	const enum over over = run_can_go_over(r, step, near->index);
	const size_t first = r->rec->nfindings;
	const enum flow_control flow = run_mismatch(r, step, near, over);

	for (size_t i = first; i < r->rec->nfindings; i++)
		r->rec->findings[i].instead = true;
	r->rec->rungs_stepped += over != OVER_NOT;
	return flow;
}

enum flow_control run_missing(struct runner *r, const struct step *step)
{
	struct inbox near;
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
	if (start_awaited(r))
		return RUN_STOP;
	if (!r->spoke && !provoked(r)) {
		run_expect_never_answered(r);
		return RUN_STOP;
	}
	if (!r->gone && differs_came(r, step, &near))
		return differs_instead(r, step, &near);
	text_clear(&r->expected);
	if (step->kind == STEP_ACKED)
		text_puts(&r->expected, "acked");
	else
		match_expected(&r->scope, &step->rung, &r->expected);
	snprintf(text, sizeof(text), "%s after \"%.120s\"%s%.80s",
		 r->gone ? "the device ended" : "nothing came", run_stimulus(r),
		 r->gone && r->gone_text[0] ? ": it " : "",
		 r->gone ? r->gone_text : "");
	snprintf(item, sizeof(item), "%s.%s", run_line_class(step), word);
	flaw.expected = text_cstr(&r->expected);
	flaw.over = over_missing(r, step, item);
	must = run_event(r, &flaw, run_line_class(step), word, text);
	r->rec->rungs_stepped += flaw.over != OVER_NOT;
	if ((must && !flaw.over) || r->gone)
		return RUN_STOP;
	return RUN_ON;
}

bool run_says_failed(const struct runner *r, size_t index)
{
	struct packet pkt;
	uint64_t code;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	return packet_value(&pkt, "return_code", &code) && code != RC_NULL &&
	       code != RC_OK;
}

static bool run_expect_is_ack(const struct runner *r, size_t index)
{
	return strcmp(run_watch_class_of(r, index), "ack") == 0;
}

void run_expect_differs(struct runner *r, const struct step *step, size_t index,
			struct blame *ret)
{
	ret->n = 0;
	if (step->kind != STEP_ACKED)
		match_differs(&r->scope, &step->rung, index, step->exact, ret);
	else if (run_says_failed(r, index))
		blame_add(ret, "ses", "return_code");
	else
		blame_add(ret, "ack",
			  run_expect_is_ack(r, index) ? "cack_psn" : "type");
}

static bool counts_absolutely(const struct rung *rung)
{
	for (size_t i = 0; i < rung->npds; i++)
		if (rung->pds[i].nranges && rung->pds[i].ranges[0].lo.absolute)
			return true;
	return false;
}

/*
 * A DUT may open a PDC for each message, or for each traffic class (uet.md
 * 6.1).  Returns whether the packet opens one, or begins a message on an
 * older one, and matches the line in all but the PDC.
 */
static bool opens_another(struct runner *r, const struct step *step,
			  const struct packet *pkt, size_t index)
{
	const uint8_t pdc = r->rec->recs[index].pdc;
	uint64_t syn = 0, retx = 0, som = 0;

	packet_value(pkt, "syn", &syn);
	packet_value(pkt, "retx", &retx);
	packet_value(pkt, "som", &som);
	if (r->scope.newest && counts_absolutely(&step->rung))
		return true;
	if (r->rec->chair != CHAIR_INITIATOR || !som || retx ||
	    step->kind != STEP_EXPECT)
		return false;
	if (!(syn && pdc && !r->scope.pdcs[pdc].renumbered) &&
	    !(r->scope.newest && pdc != r->scope.newest))
		return false;
	return match_but_for_pdc(&r->scope, &step->rung, index);
}

/* Returns the claim on which the line's expectation depends, or NULL. */
static const char *broken_claim(const struct runner *r, const struct step *step,
				const struct packet *pkt)
{
	const char *type = step->kind == STEP_EXPECT ? step->rung.type : NULL;

	if (run_kept_mtu(r->decl, pkt))
		return "size mtu";
	if (!type || strncmp(type, "ack_cc", 6) != 0 ||
	    strcmp(packet_word(pkt), "ack") != 0 ||
	    !decl_claims(r->decl, "ack_cc"))
		return NULL;
	return "ack_cc";
}

enum flow_control run_claim_broken(struct runner *r, const char *claim,
				   const struct packet *pkt)
{
	const uint32_t mtu = run_kept_mtu(r->decl, pkt);

	snprintf(r->rec->claim, sizeof(r->rec->claim), "%s", claim);
	snprintf(r->rec->claim_seen, sizeof(r->rec->claim_seen), "%s",
		 packet_word(pkt));
	if (mtu)
		snprintf(r->rec->claim_seen, sizeof(r->rec->claim_seen),
			 "%" PRIu32 "-byte packets", mtu);
	r->stopped = true;
	if (!run_is_guilty(r->rec))
		run_settle(r, REASON_UNDECLARED,
			   "declaration not kept: the device claims \"%s\" and "
			   "sends %s",
			   claim, r->rec->claim_seen);
	return RUN_STOP;
}

/* A line "acked" has no packet to compare with. */
static void explain_acked(struct runner *r, const struct packet *pkt,
			  bool failed)
{
	uint64_t code = 0;

	text_clear(&r->expected);
	text_puts(&r->expected,
		  failed ? "acked | response return_code=ok" : "acked");
	packet_value(pkt, "return_code", &code);
	if (failed)
		text_printf(&r->actual, " | response return_code=0x%" PRIx64,
			    code);
}

/* Returns true if a line names no return code. */
static bool run_expects_success(const struct rung *rung)
{
	for (size_t i = 0; i < rung->nses; i++)
		if (strcmp(rung->ses_terms[i].name, "return_code") == 0)
			return false;
	return true;
}

/*
 * Returns true if a target answers a request with an error which the line does
 * not expect.  The CACK_PSN, the Clear Request and the kind of SES header
 * follow from the error, because an error is guaranteed and carries no data.
 */
static bool run_refuses(const struct runner *r, const struct step *step,
			size_t index, const struct blame *what)
{
	static const char *const follow[] = {"ack.cack_psn", "ack.req",
					     "ses.header", "ses.opcode"};

	if (r->rec->chair != CHAIR_TARGET || step->kind != STEP_EXPECT ||
	    !run_says_failed(r, index))
		return false;
	if (blame_has(what, "ses.return_code"))
		return true;
	for (size_t i = 0; i < sizeof(follow) / sizeof(follow[0]); i++)
		if (blame_has(what, follow[i]))
			return run_expects_success(&step->rung);
	return false;
}

enum flow_control run_mismatch(struct runner *r, const struct step *step,
			       const struct inbox *in, enum over over)
{
	const struct rec *rec = &r->rec->recs[in->index];
	struct blame what;
	struct packet pkt;
	bool must, refused;

	record_packet(r->rec, rec, &pkt);
	if (broken_claim(r, step, &pkt))
		return run_claim_broken(r, broken_claim(r, step, &pkt), &pkt);
	r->scope.split |= opens_another(r, step, &pkt, in->index);
	text_clear(&r->expected);
	text_clear(&r->actual);
	match_explain(&r->scope, &step->rung, in->index, &r->expected,
		      &r->actual);
	if (step->kind == STEP_ACKED)
		explain_acked(r, &pkt, run_says_failed(r, in->index));
	run_expect_differs(r, step, in->index, &what);
	refused = run_refuses(r, step, in->index, &what);
	if (refused)
		blame_add(&what, "ses", "return_code");
	must = run_finding(r,
			   &(struct flaw){.step = step,
					  .kind = KIND_PROTOCOL,
					  .frame = rec->frame,
					  .what = &what,
					  .expected = text_cstr(&r->expected),
					  .actual = text_cstr(&r->actual),
					  .over = over,
					  .refused = refused},
			   pkt.fault == PACKET_OK
				   ? "frame %u is not what line %u expects"
				   : "frame %u is malformed, line %u expects a "
				     "packet",
			   rec->frame, step->line);
	if (must && !over)
		return RUN_STOP;
	return RUN_ON;
}

enum over run_can_go_over(struct runner *r, const struct step *step,
			  size_t index)
{
	struct blame what;

	if (step->kind != STEP_EXPECT && step->kind != STEP_ACKED)
		return OVER_NOT;
	run_expect_differs(r, step, index, &what);
	if (step->kind == STEP_EXPECT && run_only_remarks(r, step, &what))
		return OVER_CERTAIN;
	return over_packet(r, index, &what);
}
