/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_report.c -- executes the "report" lines of a case:
 * compare events and completions with them.
 */
#include "suite/run/control/run_report.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/serial.h"
#include "base/word.h"
#include "suite/lang/case.h"
#include "suite/lang/line/case_words.h"
#include "suite/run/blame/run_blame.h"
#include "suite/run/blame/run_over.h"
#include "suite/run/control/run_error.h"
#include "suite/run/control/run_request.h"
#include "suite/run/control/run_verbs.h"
#include "suite/run/control/run_words.h"
#include "suite/run/link/run_link.h"
#include "suite/run/link/run_order.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/scope/scope_span.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

/* After a limit, wait for a late report up to this multiple of the patience. */
#define LATE_FACTOR 4

/*
 * How long after a limit a live device may report what it has not read yet.  A
 * message of 1 MiB has a thousand packets.
 */
#define REPORT_BACKLOG_TIME (1 * VSPAN_S)

static enum orc_event_kind event_kind(enum report_kind kind)
{
	switch (kind) {
	case REPORT_DELIVERED:
		return EV_PDS_SES_RX_REQ;
	case REPORT_RECEIVED:
		return EV_RECV;
	case REPORT_RETURNED:
		return EV_PDS_SES_RX_RET;
	case REPORT_RESPONDED:
		return EV_PDS_SES_RX_RSP;
	case REPORT_ERROR:
		return EV_PDS_SES_ERROR;
	case REPORT_PAUSED:
	case REPORT_RESUMED:
		return EV_PDS_PAUSE;
	case REPORT_EAGER:
		return EV_PDS_SES_EAGER_SIZE;
	case REPORT_UNRESPONSIVE:
		return EV_UNRESPONSIVE;
	case REPORT_COMPLETED:
	case REPORT_FAILED:
		break;
	}
	return EV_COMPLETION;
}

/*
 * Compares the message id; without one in its header a message is identified by
 * the PSN of its request.
 */
static bool run_control_message_fits(struct runner *r, const struct param *p,
				     uint64_t id, const struct orc_event *ev)
{
	uint32_t psn;

	if (ev->message_id != id)
		return false;
	return !p->number.symbol || !ev->orig_psn ||
	       !scope_unnamed(&r->scope, p->number.symbol, &psn) ||
	       ev->orig_psn == psn;
}

/*
 * Returns true if the event is about this PSN.  A pds_ses_error by
 * rx_pkt_handle is about the packet that was handed up under the handle.
 */
static bool run_control_psn_fits(const struct runner *r,
				 const struct orc_event *ev, uint32_t psn)
{
	const struct orc_event *up;

	if (ev->kind != EV_PDS_SES_ERROR || !ev->rx_pkt_handle)
		return ev->orig_psn == psn;
	up = control_handed_up(r, ev->rx_pkt_handle);
	return up && up->orig_psn == psn;
}

static bool param_fits(struct runner *r, const struct step *step,
		       const struct param *p, const struct orc_event *ev)
{
	uint64_t v = 0;

	/* First, because the longest cases count operations. */
	if (word_same(p->key, "op"))
		return run_request_number(r, p, SPACE_NONE, &v) &&
		       ev->handle == v;
	if (word_same(p->key, "return_code") &&
	    run_word_value(p, ses_return_codes, &v))
		return ev->return_code == v;
	if (word_same(p->key, "nack_code") &&
	    run_word_value(p, pds_nack_codes, &v))
		return ev->nack_code == v;
	if (word_same(p->key, "psn"))
		return run_request_psn(r, step, p, &v) &&
		       run_control_psn_fits(r, ev, (uint32_t)v);
	if (p->word)
		return verbs_event_fits(ev, p->key, p->number.value) == 1;
	if (!run_request_number(r, p, SPACE_NONE, &v))
		return false;
	if (verbs_event_fits(ev, p->key, v) >= 0)
		return verbs_event_fits(ev, p->key, v);
	if (word_same(p->key, "pkt_id"))
		return ev->orig_psn == (uint32_t)v;
	if (word_same(p->key, "message_id"))
		return run_control_message_fits(r, p, (uint16_t)v, ev);
	if (word_same(p->key, "len"))
		return ev->len == v;
	if (word_same(p->key, "return_code"))
		return ev->return_code == v;
	if (word_same(p->key, "eager_id"))
		return ev->eager_id == v;
	if (word_same(p->key, "eager_size"))
		return ev->eager_size == v;
	return word_same(p->key, "rudi"); /* pause_fits() has compared it */
}

/* Returns true for pdc_pause, or for rudi_pause if the line has rudi=1. */
static bool pause_fits(const struct step *step, const struct orc_event *ev)
{
	bool pause = ev->pdc_pause;

	for (size_t i = 0; i < step->nparams; i++)
		if (word_same(step->params[i].key, "rudi") &&
		    step->params[i].number.value)
			pause = ev->rudi_pause;
	return pause == (step->report == REPORT_PAUSED);
}

static bool says_status(const struct step *step)
{
	for (size_t i = 0; i < step->nparams; i++)
		if (word_same(step->params[i].key, "status"))
			return true;
	return false;
}

/* Returns true for members that an adapter without the PDS profile may omit. */
static bool untold(const struct runner *r, const struct param *p,
		   const struct orc_event *ev)
{
	if (ev->kind != EV_RECV && ev->kind != EV_COMPLETION)
		return false;
	return ((!ev->message_id && word_same(p->key, "message_id")) ||
		(!ev->return_code && word_same(p->key, "return_code"))) &&
	       !dut_has_verb(r->dut, "ses_pds_tx_req");
}

/*
 * Returns true if a message with this id begins behind |after|, and not behind
 * |last|.
 */
static bool is_begun(const struct runner *r, uint16_t message_id,
		     uint32_t after, uint32_t last)
{
	for (size_t i = 0; i < r->rec->nrecs; i++) {
		uint64_t id = 0, som = 0, psn = 0;
		struct packet pkt;

		if (r->rec->recs[i].kind != REC_RX)
			continue;
		record_packet(r->rec, &r->rec->recs[i], &pkt);
		if (!packet_value(&pkt, "psn", &psn) ||
		    !packet_value(&pkt, "som", &som) || !som ||
		    !packet_value(&pkt, "message_id", &id))
			continue;
		if (id == message_id && serial_after((uint32_t)psn, after) &&
		    !serial_after((uint32_t)psn, last))
			return true;
	}
	return false;
}

/*
 * Returns true if a response belongs to the message to which the symbol of the
 * line was bound, and not to another one with the same id.  |all|: every later
 * message has begun.
 */
static bool is_of_message(const struct runner *r, const struct step *step,
			  const struct orc_event *ev, bool all)
{
	const uint32_t at = ev->orig_psn;

	if (ev->kind != EV_PDS_SES_RX_RSP || !at)
		return true;
	for (size_t i = 0; i < step->nparams; i++) {
		const struct param *p = &step->params[i];
		uint32_t psn;

		if (!word_same(p->key, "message_id") || !p->number.symbol ||
		    !scope_message(&r->scope, p->number.symbol, &psn))
			continue;
		if (serial_before(at, psn)
			    ? is_begun(r, ev->message_id, at, psn)
			    : all && is_begun(r, ev->message_id, psn, at))
			return false;
	}
	return true;
}

/*
 * Compares an event with a line.  With |sure| a member that the device omits
 * does not match.
 */
static bool event_fits(struct runner *r, const struct step *step,
		       const struct orc_event *ev, bool sure)
{
	if (ev->kind != event_kind(step->report))
		return false;
	if (ev->kind == EV_COMPLETION &&
	    ((ev->status == STATUS_OK) != (step->report == REPORT_COMPLETED)))
		return false;
	if (ev->kind == EV_COMPLETION && ev->handle > RUN_SETUP_OP)
		return false;
	if (ev->kind == EV_RECV && ev->status != STATUS_OK &&
	    !says_status(step))
		return false;
	if (ev->kind == EV_PDS_PAUSE && !pause_fits(step, ev))
		return false;
	for (size_t i = 0; i < step->nparams; i++)
		if (!param_fits(r, step, &step->params[i], ev) &&
		    (sure || !untold(r, &step->params[i], ev)))
			return false;
	return run_request_of_pdc(r, step, ev) &&
	       is_of_message(r, step, ev, sure);
}

static uint32_t run_control_count(struct runner *r, const struct step *step,
				  bool sure)
{
	uint32_t n = 0;

	for (size_t i = 0; i < r->nevents; i++)
		n += event_fits(r, step, &r->events[i], sure);
	return n;
}

/* Returns the only key in which an event differs from the line, or NULL. */
static const char *only_key(struct runner *r, const struct step *step,
			    const struct orc_event *ev)
{
	const char *key = NULL;

	if (ev->kind != event_kind(step->report) ||
	    !run_request_of_pdc(r, step, ev))
		return NULL;
	for (size_t i = 0; i < step->nparams; i++) {
		if (param_fits(r, step, &step->params[i], ev))
			continue;
		if (key)
			return NULL;
		key = step->params[i].key;
	}
	return key;
}

/*
 * Returns true if the key only describes the report.  The first key of a line
 * says which report is meant; an "unresponsive" report has no such key.
 */
static bool run_report_describes(const struct step *step, const char *key)
{
	return step->report == REPORT_UNRESPONSIVE ||
	       strcmp(key, step->params[0].key) != 0;
}

/*
 * Returns the item of a report that failed: too many, a different one, or none.
 */
static const char *report_word(struct runner *r, const struct step *step,
			       uint32_t n)
{
	if (n)
		return "count";
	for (size_t i = 0; step->nparams && i < r->nevents; i++) {
		const char *key = only_key(r, step, &r->events[i]);

		if (key && run_report_describes(step, key))
			return key;
	}
	return "missing";
}

/* Returns the length of a case line without the ids at its end. */
static int words_of(const char *source)
{
	const char *ids = strrchr(source, '[');
	int n = (int)(ids ? (size_t)(ids - source) : strlen(source));

	while (n > 0 && source[n - 1] == ' ')
		n--;
	if (n < 90)
		return n;
	return 90;
}

/* Return: true if a must is violated and the case does not continue. */
static bool report_failed(struct runner *r, const struct step *step, uint32_t n)
{
	const char *class = report_words[step->report];
	const char *word = report_word(r, step, n);
	struct flaw flaw = {.step = step,
			    .kind = KIND_PROTOCOL,
			    .expected = "",
			    .actual = ""};
	char want[48], text[240], item[BLAME_ITEM];

	snprintf(item, sizeof(item), "%s.%s", class, word);
	flaw.over = over_report(r, step, item);
	if (step->min == step->max)
		snprintf(want, sizeof(want), "%u", step->min);
	else
		snprintf(want, sizeof(want), "%u to %u", step->min, step->max);
	snprintf(text, sizeof(text),
		 "\"%.*s\": seen %u times instead of %s after \"%.60s\"",
		 words_of(step->source), step->source, n, want,
		 run_stimulus(r));
	r->rec->rungs_stepped += flaw.over != OVER_NOT;
	return run_event(r, &flaw, class, word, text) && !flaw.over;
}

/* Returns true if a key of a report names a packet of the tester. */
static bool names_packet(struct runner *r, const struct step *step,
			 const struct param *p, const struct scope_psn *psn)
{
	struct packet pkt;
	uint64_t v = 0, id;

	if (word_same(p->key, "psn"))
		return run_request_psn(r, step, p, &v) && v == psn->psn;
	if (!run_request_number(r, p, SPACE_NONE, &v))
		return true;
	if (word_same(p->key, "pkt_id"))
		return v == psn->psn;
	if (!word_same(p->key, "message_id"))
		return true;
	if (psn->divided)
		return v == psn->message_id;
	record_packet(r->rec, &r->rec->recs[psn->first], &pkt);
	return packet_value(&pkt, "message_id", &id) && id == v;
}

/*
 * Returns true for a packet that carries a cause other than of delay: the
 * device refuses it, and need not report it to the SES.
 */
static bool concerns_cause(struct runner *r, const struct step *step)
{
	for (size_t i = 0; i < r->scope.npsns; i++) {
		const struct scope_psn *p = &r->scope.psns[i];
		bool named = p->cause && p->cause != &r->decl->delay_cause;

		for (size_t k = 0; named && k < step->nparams; k++)
			named = names_packet(r, step, &step->params[k], p);
		if (named)
			return true;
	}
	return false;
}

/* Returns true for a line that wants a report on a refused operation. */
static bool concerns_refused(const struct runner *r, const struct step *step)
{
	for (size_t k = 0; step->min && k < step->nparams; k++) {
		const struct param *p = &step->params[k];

		if (!word_same(p->key, "op") || p->number.symbol)
			continue;
		for (size_t i = 0; i < r->nrefused; i++)
			if (r->refused[i] == p->number.value)
				return true;
	}
	return false;
}

/*
 * Returns whether the report can be observed.  Without the channel, or with a
 * minimum adapter, half of the reports cannot.
 */
static bool observable(struct runner *r, const struct step *step)
{
	if (!r->dut->control || concerns_cause(r, step) ||
	    concerns_refused(r, step))
		return false;
	switch (step->report) {
	case REPORT_COMPLETED:
	case REPORT_FAILED:
	case REPORT_RECEIVED:
	case REPORT_UNRESPONSIVE:
		return true;
	default:
		return dut_has_verb(r->dut, "ses_pds_tx_req");
	}
}

/*
 * Returns the end of the wait for a report after another packet or report has
 * come.  A live device that still answers earlier packets may not have read the
 * last one yet.
 */
static vtime report_until(struct runner *r, vtime until, vspan patience,
			  vtime last)
{
	const vtime later = r->dut->ops->now(r->dut) + patience;

	if (r->dut->virtual || r->ev.kind == DUT_TIMEOUT)
		return until;
	return vtime_max(until, vtime_min(later, last));
}

/*
 * Returns how long a report may come after its limit because of packets that
 * the device has not read.  A line that says when the device gives up counts
 * its timers: packets that the device sends meanwhile are no reason to wait.
 */
static vspan report_backlog(const struct step *step)
{
	const bool gives_up = step->report == REPORT_FAILED ||
			      step->report == REPORT_UNRESPONSIVE;

	return gives_up && step->within.set ? 0 : REPORT_BACKLOG_TIME;
}

/*
 * Waits until the device has reported what the line wants, or until *until.
 * Each packet or report extends the wait to |patience| from then, by |backlog|
 * in all; *until becomes the end of the wait.
 * A completion is counted once, because nothing that comes later changes it.
 */
static bool report_await(struct runner *r, const struct step *step,
			 vtime *until, vspan patience, vspan backlog)
{
	const bool lasts = event_kind(step->report) == EV_COMPLETION;
	const vtime last = *until + backlog;
	size_t counted = 0;
	uint32_t n = 0;
	bool more = true;

	for (;;) {
		for (; counted < r->nevents; counted++)
			n += event_fits(r, step, &r->events[counted], false);
		if (n >= step->min)
			return true;
		if (!more)
			return false;
		if (!lasts)
			counted = n = 0;
		more = link_pump(r, *until);
		if (more)
			*until = report_until(r, *until, patience, last);
	}
}

/*
 * A late report of a live device may be due to a lack of processor time, so it
 * counts as a timing failure.  Return: true if it came after all.
 */
static bool report_late(struct runner *r, const struct step *step, vtime due,
			vspan patience)
{
	vtime hard = due + LATE_FACTOR * patience;
	char text[160];
	vspan late;

	if (r->dut->virtual)
		return false;
	if (!report_await(r, step, &hard, patience, 0) || r->stopped)
		return false;
	late = r->ev.at - due;
	if (late <= 0) /* the report waited for the tester */
		return true;
	if (late > r->rec->overdue)
		r->rec->overdue = late;
	snprintf(text, sizeof(text), "\"%.90s\": told %.3f ms late",
		 step->source, (double)late / 1e6);
	run_event(r,
		  &(struct flaw){.step = step,
				 .kind = KIND_TIMING,
				 .expected = "",
				 .actual = ""},
		  report_words[step->report], "late", text);
	return true;
}

/* Keeps a report, to be counted at the end of the case. */
static enum flow_control report_kept(struct runner *r, const struct step *step)
{
	if (r->nchecks == r->checks_size) {
		size_t n = r->checks_size ? r->checks_size * 2 : 64;
		struct run_check *p = memory_realloc(r->checks, n * sizeof(*p));

		if (!p) {
			run_settle(r, REASON_MEMORY, "out of memory");
			return RUN_STOP;
		}
		r->checks = p;
		r->checks_size = n;
	}
	r->checks[r->nchecks++] =
		(struct run_check){.step = step, .hand = r->scope.hand};
	return RUN_ON;
}

enum flow_control control_report(struct runner *r, const struct step *step)
{
	const struct span due = {
		.set = true, .unit = SPAN_ACK_TIME, .milli = 1000};
	const struct span *within = step->within.set ? &step->within : &due;
	vspan tolerance;
	const vspan limit = scope_span_late(&r->scope, within, &tolerance);
	vtime until = r->dut->ops->now(r->dut) + limit + tolerance;

	if (!observable(r, step))
		return RUN_ON;
	r->rec->rungs_expected++;
	if (!report_await(r, step, &until, limit + tolerance,
			  report_backlog(step)) &&
	    !r->stopped && report_late(r, step, until, limit + tolerance))
		return r->stopped ? RUN_STOP : RUN_ON;
	if (r->stopped)
		return RUN_STOP;
	if (step->min && event_kind(step->report) == EV_COMPLETION)
		order_report_met(r);
	if (run_control_count(r, step, false) < step->min) {
		if (report_failed(r, step, run_control_count(r, step, false)))
			return RUN_STOP;
		return RUN_ON;
	}
	return report_kept(r, step);
}

void control_checks(struct runner *r)
{
	for (size_t i = 0; i < r->nchecks; i++) {
		const struct step *step = r->checks[i].step;
		uint32_t n;

		r->scope.hand = r->checks[i].hand;
		n = run_control_count(r, step, true);

		if (n > step->max) {
			report_failed(r, step, n);
			continue;
		}
		if (r->stopped) /* there may be more */
			continue;
		r->rec->rungs_matched++;
		run_observed(r, step, false, true);
	}
}
