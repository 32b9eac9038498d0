/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_verdict.c -- the verdict of a case at its end.
 *
 * The first deviation decides, unless a doubt about the run explains it.
 * Rules of an impairment that never applied and gaps in the capture make the
 * case inconclusive.
 */
#include "suite/run/run_verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/decl/capability.h"
#include "suite/run/blame/run_blame.h"
#include "suite/run/blame/run_cause.h"
#include "suite/run/link/run_earlier.h"
#include "suite/run/link/run_figure.h"
#include "suite/run/link/run_link.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/run_time.h"
#include "suite/verdict/record.h"

void run_judge_absence(struct runner *r)
{
	size_t n;

	if (!r->spoke || r->gone || r->interrupted || r->timed_out ||
	    r->stopped)
		return;
	/* silence proves nothing while the state of the device is uncertain */
	if (r->shaken)
		return;
	n = judge_end(r->judge, r->dut->ops->now(r->dut), r->found,
		      RUN_FINDINGS);
	link_judged(r, n);
}

void run_judge_looked(struct runner *r)
{
	const uint32_t(*seen)[2] = judge_seen_by(r->judge, &r->dut->peer);

	for (int id = 0; seen && id < REQ_COUNT; id++) {
		if ((!seen[id][0] && !seen[id][1]) ||
		    !decl_promises(r->decl, (enum req_id)id))
			continue;
		if (seen[id][0])
			run_req(r, (enum req_id)id, REQ_SRC, true, false,
				false);
		if (seen[id][1])
			run_req(r, (enum req_id)id, REQ_DST, true, false,
				false);
	}
}

/* Notes rules that never applied, which prove nothing. */
static void unfired_rules(struct runner *r)
{
	for (size_t i = 0; i < imp_nrules(r->imp); i++) {
		uint32_t hits;
		const struct imp_rule *rule = imp_rule_at(r->imp, i, &hits);
		const struct rule_ctx *c = rule->ctx;

		if (!hits && !c->passed)
			run_settle(r, REASON_UNFIRED,
				   "the impairment of line %u never fired",
				   rule->line);
	}
}

/* The result of the findings in one part of the case. */
struct run_outcome {
	enum reason reason;
	enum fail_kind kind;
	char text[320];
};

/* One side was late, which may explain the finding as well. */
static void undecided(struct run_outcome *o, enum reason reason,
		      const char *who, vspan late, const char *how,
		      const struct rec_finding *f)
{
	o->reason = reason;
	o->kind = KIND_NONE;
	snprintf(o->text, sizeof(o->text), "%s was %.1f ms late%s: %.220s", who,
		 (double)late / 1e6, how, f->text);
}

/* A timer of the device may have run out before it had sent the message. */
static void outpaced(struct run_outcome *o, const struct rec_finding *f)
{
	o->reason = REASON_TIMER_RAN;
	o->kind = KIND_NONE;
	snprintf(o->text, sizeof(o->text),
		 "the device sends the message so slowly that its timers run "
		 "out meanwhile: %.220s",
		 f->text);
}

/*
 * Returns true for a packet that only the case forbids and that a timer of the
 * device may send.
 */
static bool permitted(const struct record *rec, const struct rec_finding *f)
{
	for (size_t i = 0; i < rec->nrecs; i++)
		if (rec->recs[i].frame == f->frame)
			return rec->recs[i].allowed == run_timer_repeat;
	return false;
}

/* Returns true for a new packet within a message that has begun. */
static bool goes_on(const struct record *rec, const struct rec *r)
{
	struct packet pkt;
	uint64_t retx = 0, v = 0;

	record_packet(rec, r, &pkt);
	if (!packet_value(&pkt, "retx", &retx) || retx)
		return false;
	if (packet_value(&pkt, "som", &v))
		return !v;
	return packet_value(&pkt, "message_offset", &v) && v;
}

/*
 * Returns true for a finding about the time or the order of a packet that a
 * line expects.  A device that sends slowly obeys the monitors and the lines
 * "never" as others do, but a timer may send a repeat that such a line forbids.
 */
static bool is_of_pace(const struct record *rec, const struct rec_finding *f)
{
	static const char *const words[] = {"late", "psn", "resend", "retx",
					    "type"};
	const char *word = strrchr(f->what, '.');

	if (!f->frame || !word || f->blamed == BLAME_BY_CONTENT ||
	    f->blamed == BLAME_BY_MONITOR)
		return false;
	word++;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(word, words[i]))
			return true;
	return !strcmp(word, "forbidden") && permitted(rec, f);
}

/* Returns true if an item of differences ends with the word. */
static bool is_word_of(const struct rec_finding *f, const char *word)
{
	const char *dot = strrchr(f->what, '.');

	return dot && !strcmp(dot + 1, word);
}

/*
 * Returns true for a packet that does not come.  A source whose timer has ended
 * again and again while it sent a message gives up its PDC.
 */
static bool is_of_silence(const struct rec_finding *f)
{
	if (f->blamed == BLAME_BY_MONITOR)
		return false;
	return f->instead || (!f->frame && is_word_of(f, "missing"));
}

/* Returns true for a packet that the device sent an RTO earlier as well. */
static bool is_repeat(const struct runner *r, const struct rec *at)
{
	const vspan rto = r->decl->rto.value - r->decl->rto.tolerance;
	const struct rec *recs = r->rec->recs;
	struct packet pkt;
	uint64_t psn, v;

	record_packet(r->rec, at, &pkt);
	if (!packet_value(&pkt, "psn", &psn))
		return false;
	for (const struct rec *one = recs; one < at; one++) {
		if (one->kind != REC_RX || !one->frame || one->pdc != at->pdc)
			continue;
		record_packet(r->rec, one, &pkt);
		if (packet_value(&pkt, "psn", &v) && v == psn)
			return at->at - one->at >= rto;
	}
	return false;
}

/* Returns true for a request that the device sends for the first time. */
static bool is_first_copy(const struct record *rec, const struct rec *at)
{
	struct packet pkt;
	uint64_t retx, v;

	record_packet(rec, at, &pkt);
	return packet_value(&pkt, "retx", &retx) && !retx &&
	       packet_value(&pkt, "psn", &v) &&
	       !packet_value(&pkt, "ctl_type", &v);
}

/* The packets of the device behind the tester's last packet. */
struct stretch {
	const struct rec *last;     /* its newest packet */
	const struct rec *last_new; /* its newest request */
	vspan pace;                 /* the longest pause between requests */
	bool ran_out;               /* one of its timers has ended */
	bool broken;                /* one ended within new requests */
};

/* Returns the longest pause that is still the pace of the stretch. */
static vspan usual_pause(const struct stretch *s)
{
	return s->pace + s->pace / 2;
}

/*
 * Returns true if the wrong packet is that of a slow device.  Its message
 * continues late, or after a pause of a fifth of the RTO; a packet that is late
 * keeps the pace of those before it, but for the turn that a repeat took; or a
 * timer repeats a packet before the message is complete.
 */
static bool shows_pace(const struct runner *r, const struct rec *at,
		       const struct stretch *s, const struct rec_finding *f)
{
	const vspan pause = r->decl->rto.value / 5;
	const vspan pace = usual_pause(s) + (s->ran_out ? s->pace : 0);
	vspan waited;

	if (!s->last)
		return false;
	waited = at->at - s->last->at;
	if (goes_on(r->rec, at))
		return is_word_of(f, "late") || waited >= pause;
	if (is_word_of(f, "late"))
		return is_first_copy(r->rec, at) && s->last_new &&
		       at->at - s->last_new->at <= pace;
	return is_word_of(f, "retx") && goes_on(r->rec, s->last) &&
	       (waited < pause || waited <= pace) && is_repeat(r, at);
}

static void stretch_add(struct stretch *s, const struct record *rec,
			const struct rec *at)
{
	const struct rec *before = s->last;

	s->last = at;
	if (at->allowed == run_timer_repeat) {
		s->ran_out = true;
		s->broken |= before && before == s->last_new &&
			     at->at - before->at <= usual_pause(s);
	}
	if (!is_first_copy(rec, at))
		return;
	if (s->last_new && at->at - s->last_new->at > s->pace)
		s->pace = at->at - s->last_new->at;
	s->last_new = at;
}

/*
 * Returns true if a timer of a slow device has ended while it sent a message,
 * or one message after the other.
 */
static bool is_overtaken(const struct runner *r, const struct rec *at,
			 const struct stretch *s)
{
	return s->ran_out &&
	       (goes_on(r->rec, at) || (is_first_copy(r->rec, at) &&
					s->pace >= r->decl->rto.value / 5));
}

/*
 * Returns true if the device needs so long for a message that the case, which
 * answers the whole message, does not fit: its timer ran out before it had sent
 * all, or the wrong packet shows it.
 */
static bool is_outpaced(const struct runner *r, const struct rec_finding *f)
{
	const struct record *rec = r->rec;
	struct stretch s = {0};

	if (!is_of_pace(rec, f) && !is_of_silence(f))
		return false;
	for (size_t i = 0; i < rec->nrecs; i++) {
		const struct rec *at = &rec->recs[i];

		if (at->kind == REC_TX)
			s = (struct stretch){0};
		if (at->kind == REC_CONTROL)
			s.last_new = NULL; /* it may have had no order */
		if (at->kind != REC_RX)
			continue;
		if (is_overtaken(r, at, &s))
			return true;
		if (at->frame == f->frame && shows_pace(r, at, &s, f))
			return true;
		if (at->frame == f->frame && at->fate != FATE_DELAYED)
			return false;
		stretch_add(&s, rec, at);
	}
	return s.broken && is_of_silence(f);
}

/*
 * Returns true for a device on this machine that had no processor when it was
 * due.
 */
static bool run_starved(const struct record *rec, const struct rec_finding *f)
{
	return f->kind == KIND_TIMING && rec->overdue &&
	       rec->starved >= rec->overdue;
}

/*
 * Returns true if a device that had no processor for ack_time, which is how
 * long a case waits for it, may have missed its turn: a packet is missing, or
 * is another in a case that holds packets back.  No bytes change by that.
 */
static bool may_miss_turn(const struct runner *r, const struct rec_finding *f)
{
	if (r->rec->starved_most < r->decl->ack_time.value)
		return false;
	return !f->frame || f->instead ||
	       (imp_nrules(r->imp) && f->blamed != BLAME_BY_CONTENT);
}

/*
 * Returns true for a device on this machine that had no processor for so long
 * that unread packets explain the finding: it missed its turn, a timer permits
 * a repeat, or the device counted a time from when it read a packet.
 */
static bool has_not_read(const struct runner *r, const struct rec_finding *f)
{
	if (r->dut->virtual || f->ended)
		return false;
	if (f->unread)
		return r->rec->starved >= f->unread;
	if (may_miss_turn(r, f))
		return true;
	return r->rec->starved > r->declared.grace && permitted(r->rec, f);
}

/*
 * Returns true for findings that a stopped device explains: silence, lateness,
 * expired timers.
 */
static bool stop_explains(const struct record *rec, const struct rec_finding *f)
{
	return rec->stopped && (f->kind == KIND_TIMING || !f->frame ||
				f->instead || permitted(rec, f));
}

/*
 * Orders findings: new ones before known ones, wrong packets before late ones.
 */
static bool run_leads(const struct rec_finding *f,
		      const struct rec_finding *other)
{
	if (f->known != other->known)
		return other->known;
	return other->kind == KIND_TIMING && f->kind == KIND_PROTOCOL;
}

/* Returns the finding that the verdict names. */
static const struct rec_finding *leading(const struct record *rec,
					 bool teardown)
{
	const struct rec_finding *first = NULL;

	for (size_t i = 0; i < rec->nfindings; i++) {
		const struct rec_finding *f = &rec->findings[i];

		if (f->remark || f->consequence ||
		    (f->phase == PHASE_TEARDOWN) != teardown)
			continue;
		if (!first || run_leads(f, first))
			first = f;
	}
	return first;
}

/*
 * Evaluates the findings of a part of the case.  Return: whether there are any;
 * |o| is the result.
 */
static bool weigh(struct runner *r, bool teardown, struct run_outcome *o)
{
	const struct record *rec = r->rec;
	const struct rec_finding *first = leading(rec, teardown);
	char dropped[96] = "";

	if (!first)
		return false;
	if (r->stopped && r->phase == PHASE_SETUP)
		o->reason = REASON_SETUP;
	else
		o->reason = REASON_FINDING;
	o->kind = first->kind;
	if (!first->frame && r->icrc_dropped)
		snprintf(dropped, sizeof(dropped),
			 "; the tester dropped %" PRIu32 " packet%s of the "
			 "device with a wrong ICRC, or none",
			 r->icrc_dropped, r->icrc_dropped == 1 ? "" : "s");
	snprintf(o->text, sizeof(o->text), "%s%s/%s: %.200s%s",
		 o->reason == REASON_SETUP ? "set-up: "
		 : first->known            ? "known deviation: "
					   : "",
		 req_get(first->req)->id, req_role_name(first->role),
		 first->text, dropped);
	if (rec->late) /* the device may have reacted to the delay */
		undecided(o, REASON_TESTER_LATE, "the tester", rec->jitter,
			  " for itself", first);
	else if (stop_explains(rec, first)) {
		o->reason = REASON_STOPPED;
		o->kind = KIND_NONE;
		snprintf(o->text, sizeof(o->text),
			 "a signal stopped the device's program: %.250s",
			 first->text);
	} else if (rec->slack > r->decl->rto.value / 2 && permitted(rec, first))
		undecided(o, REASON_TIMER_RAN, "the device", rec->slack,
			  ", within its tolerance, and a timer may "
			  "have run out",
			  first);
	else if (is_outpaced(r, first))
		outpaced(o, first);
	else if (run_starved(rec, first))
		undecided(o, REASON_STARVED, "the device", rec->overdue,
			  ", and without a processor for longer", first);
	else if (has_not_read(r, first))
		undecided(o, REASON_STARVED, "the device", rec->starved,
			  " in all, for want of a processor", first);
	else if (earlier_explains(r, first)) {
		o->reason = REASON_EARLIER;
		o->kind = KIND_NONE;
		snprintf(o->text, sizeof(o->text), "%s: %.220s",
			 earlier_explains(r, first), first->text);
	}
	return true;
}

static void run_fail(struct runner *r)
{
	struct record *rec = r->rec;
	struct run_outcome o;

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

/*
 * Returns true for doubts that explain packets which must not come: the device
 * received fewer packets than the case sends, or received them late or more
 * than once, or the network duplicated its packets.
 */
static bool run_is_decisive(enum dut_doubt d)
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

/* Returns the first doubt; decisive ones come first. */
static enum dut_doubt first_doubt(const struct record *rec)
{
	enum dut_doubt first = DOUBT_COUNT;

	for (enum dut_doubt d = 0; d < DOUBT_COUNT; d++) {
		if (!rec->doubts[d].n)
			continue;
		if (run_is_decisive(d))
			return d;
		if (first == DOUBT_COUNT)
			first = d;
	}
	return first;
}

/* Returns true if the doubt is the reason in spite of findings. */
static bool run_explains(const struct record *rec, enum dut_doubt d)
{
	if (rec->verdict != VERDICT_INCONCLUSIVE)
		return run_is_decisive(d);
	return run_is_decisive(d) && d != DOUBT_UNREACHABLE &&
	       d != DOUBT_UNSEEN && rec->reason_id != REASON_INTERRUPTED;
}

static bool has_forbidden(const struct record *rec)
{
	for (size_t i = 0; i < rec->nfindings; i++)
		if (rec->findings[i].seen && !rec->findings[i].remark)
			return true;
	return false;
}

/*
 * Writes the reason: how many packets are in doubt, since when, and the first
 * finding.  If the tester's kernel dropped packets as well, a departure may be
 * among those: the text says both.
 */
static void write_doubt(struct record *rec, enum dut_doubt d)
{
	const uint64_t drops = rec->doubts[DOUBT_KERNEL_DROPS].n;
	char also[80] = "";

	if (d == DOUBT_UNSEEN && drops)
		snprintf(also, sizeof(also), "; %" PRIu64 " %s", drops,
			 dut_doubt_text(DOUBT_KERNEL_DROPS));
	snprintf(rec->reason, sizeof(rec->reason),
		 "%" PRIu64 " %s, after frame %" PRIu32 "%s%s%s",
		 rec->doubts[d].n, dut_doubt_text(d), rec->doubts[d].frame,
		 also, rec->nfindings ? ": " : "",
		 rec->nfindings ? rec->findings[0].text : "");
}

/*
 * Gaps in the tester's capture may explain every finding except an unexpected
 * packet.
 */
static void gaps(struct record *rec)
{
	const enum dut_doubt d = first_doubt(rec);

	if (d == DOUBT_COUNT || (!run_explains(rec, d) && has_forbidden(rec)))
		return;
	if (rec->verdict == VERDICT_INCONCLUSIVE && !run_explains(rec, d))
		return;
	if (rec->verdict == VERDICT_NA)
		return;
	/* the tester answered a packet that was not sent to it */
	if (rec->verdict == VERDICT_ERROR &&
	    (rec->reason_id != REASON_TESTER_BROKE || !run_is_decisive(d)))
		return;
	rec->verdict = VERDICT_INCONCLUSIVE;
	rec->reason_id = d == DOUBT_DOUBLED   ? REASON_DOUBLED
			 : run_is_decisive(d) ? REASON_NOT_SENT
					      : REASON_GAPS;
	rec->kind = KIND_NONE;
	write_doubt(rec, d);
}

/* A case without a decision proves nothing about any requirement. */
static void run_doubt(struct record *rec)
{
	for (size_t i = 0; i < rec->nfindings; i++)
		rec->findings[i].doubtful = true;
	for (size_t i = 0; i < rec->nreqs; i++) {
		struct rec_req *q = &rec->reqs[i];

		*q = (struct rec_req){.req = q->req, .role = q->role};
	}
}

/* Makes the closing fragment doubtful; the case itself keeps its verdict. */
static void doubt_teardown(struct record *rec)
{
	for (size_t i = 0; i < rec->nfindings; i++)
		rec->findings[i].doubtful |=
			rec->findings[i].phase == PHASE_TEARDOWN;
}

/* Names the stop of a device that sent nothing, neither packets nor reports. */
static void name_stop(struct record *rec)
{
	switch (rec->reason_id) {
	case REASON_NO_ANSWER:
	case REASON_OUT_OF_TIME:
	case REASON_CONTROL_SILENT:
	case REASON_NO_RESET:
		break;
	default:
		return;
	}
	rec->verdict = VERDICT_INCONCLUSIVE;
	rec->reason_id = REASON_STOPPED;
	snprintf(rec->reason, sizeof(rec->reason),
		 "a signal stopped the device's program");
}

void run_verdict(struct runner *r)
{
	struct record *rec = r->rec;

	if (rec->failed_alloc)
		run_settle(r, REASON_MEMORY, "out of memory");
	if (rec->stopped)
		name_stop(rec);
	if (rec->verdict == VERDICT_ERROR)
		gaps(rec);
	if (rec->verdict == VERDICT_NA && rec->claim[0]) {
		run_hidden(r);
		run_account(rec);
	}
	if (rec->verdict == VERDICT_ERROR || rec->verdict == VERDICT_NA)
		return;
	if (!r->interrupted && (!r->stopped || r->last_done))
		unfired_rules(r);
	if (!rec->rungs_matched && rec->verdict == VERDICT_PASS)
		run_settle(r, REASON_UNCHECKED, "nothing was checked");
	if (rec->verdict == VERDICT_FAIL)
		rec->kind = KIND_PROTOCOL;
	for (size_t i = 0; i < rec->nfindings; i++)
		if (rec->findings[i].live)
			link_figure(r, &rec->findings[i]);
	run_causes(r);
	run_fail(r);
	gaps(rec);
	if (rec->verdict == VERDICT_FAIL && r->stopped)
		run_hidden(r);
	run_account(rec);
	if (rec->verdict == VERDICT_INCONCLUSIVE)
		run_doubt(rec);
	else if (rec->teardown == VERDICT_INCONCLUSIVE)
		doubt_teardown(rec);
}
