/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_over.c -- decides after which deviations a case
 * continues.
 *
 * A line of a case builds on the lines before it: on their PSNs and on the
 * packets that arrived.  A deviation in something else, such as a flag or the
 * SES header, leaves the state of both ends certain.  The case reports it and
 * continues as if the line had been met: always if the declaration names the
 * deviation, otherwise with --step-over.
 */
#include "suite/run/blame/run_over.h"

#include <stdio.h>
#include <string.h>

#include "suite/run/run_state.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"

static const char *word_of(const char *item)
{
	const char *dot = strchr(item, '.');

	if (dot)
		return dot + 1;
	return item;
}

static bool run_over_is_class(const char *item, const char *class)
{
	const size_t n = strlen(class);

	return strncmp(item, class, n) == 0 && item[n] == '.';
}

static bool run_over_is_one_of(const char *word, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

/* Finds the packet of a frame; false if there is none or it does not parse. */
static bool run_over_packet_of(const struct runner *r, uint32_t frame,
			       struct packet *ret)
{
	const size_t i = record_entry_of(r->rec, frame);

	if (i == SIZE_MAX)
		return false;
	record_packet(r->rec, &r->rec->recs[i], ret);
	return ret->fault == PACKET_OK;
}

const struct deviation *over_known(const struct runner *r, const char *item,
				   uint32_t frame)
{
	const char *word = word_of(item);
	struct packet pkt;
	uint64_t v;

	if (!r->decl->deviations || !*item)
		return NULL;
	if (run_over_packet_of(r, frame, &pkt) && packet_value(&pkt, word, &v))
		return deviation_find(r->decl->deviations, item, &v);
	return deviation_find(r->decl->deviations, item, NULL);
}

/* ---- Packets that differ ---- */

/*
 * Returns true for events after which the state of the device is unknown, and
 * for fields of the PDS header that change the next action of either end.
 */
static bool run_over_is_decisive(const char *word)
{
	static const char *const words[] = {
		"type",   "malformed", "missing",  "resend",    "forbidden",
		"req",    "syn",       "ctl_type", "nack_code", "payload",
		"opcode", "pdc_info",  NULL};

	return run_over_is_one_of(word, words);
}

/*
 * Returns true for serial numbers and ids of the PDS header, on which later
 * lines build.
 */
static bool is_number_of_state(const struct packet *pkt, const char *word)
{
	struct packet_ref ref;

	if (!packet_find(pkt, 0, pkt->nses, word, strlen(word), &ref))
		return false;
	return !ref.field || ref.field->kind == FIELD_SEQ ||
	       ref.field->kind == FIELD_ID;
}

static bool is_behind_pds(const char *item)
{
	return run_over_is_class(item, "ses") ||
	       strcmp(word_of(item), "data") == 0 ||
	       strcmp(word_of(item), "same") == 0 ||
	       strcmp(word_of(item), "next_hdr") == 0;
}

/*
 * Fields by which an endpoint reports its state.  The tester ignores them, but
 * the device's state may differ from what later lines assume.
 */
static bool is_reported(const char *word)
{
	static const char *const words[] = {"cack_psn",         "sack_psn",
					    "sack_psn_offset",  "clear_psn",
					    "clear_psn_offset", NULL};

	return run_over_is_one_of(word, words);
}

static bool is_certain(const struct packet *pkt, const char *item)
{
	if (is_behind_pds(item))
		return true;
	return !run_over_is_decisive(word_of(item)) &&
	       !is_number_of_state(pkt, word_of(item));
}

static enum over run_over_least(enum over a, enum over b)
{
	if (a < b)
		return a;
	return b;
}

/* Returns true for an item of a packet that answers another. */
static bool run_over_is_answer(const char *item)
{
	static const char *const classes[] = {
		"ack",     "nack",        "cp",     "rudi_resp", "srd_ack",
		"wqe_ack", "wqe_rtx_ind", "rc_ack", NULL};

	for (size_t i = 0; classes[i]; i++)
		if (run_over_is_class(item, classes[i]))
			return true;
	return false;
}

/*
 * Returns true if an answer came where a line expects one.  The tester's next
 * packets do not depend on its numbers, nor on its kind.
 */
static bool answers_otherwise(const struct packet *pkt, const char *item)
{
	char came[BLAME_ITEM];

	snprintf(came, sizeof(came), "%s.type", blame_class(packet_word(pkt)));
	return run_over_is_answer(item) && run_over_is_answer(came);
}

static enum over over_item(const struct runner *r, const struct packet *pkt,
			   const char *item, uint32_t frame)
{
	if (over_known(r, item, frame))
		return OVER_CERTAIN;
	if (!r->conf->step_over)
		return OVER_NOT;
	if (is_certain(pkt, item))
		return OVER_CERTAIN;
	if (is_reported(word_of(item)))
		return OVER_SHAKEN;
	if (!r->conf->fields_only && answers_otherwise(pkt, item))
		return OVER_SHAKEN;
	return OVER_NOT;
}

/*
 * Returns true for an ACK that is truncated in its SES header, because its PDS
 * header is complete.
 */
static bool is_readable_ack(const struct packet *pkt)
{
	uint64_t psn;

	return pkt->fault == PACKET_OK || (pkt->fault == PACKET_SHORT &&
					   packet_value(pkt, "ack_psn", &psn));
}

/* If more than one field of the PDS header differs, the state is uncertain. */
enum over over_packet(const struct runner *r, size_t index,
		      const struct blame *what)
{
	const uint32_t frame = r->rec->recs[index].frame;
	enum over over = OVER_CERTAIN;
	struct packet pkt;
	size_t fields = 0;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	if (!is_readable_ack(&pkt) || !what->n)
		return OVER_NOT;
	if (pkt.fault != PACKET_OK)
		return r->conf->step_over ? OVER_SHAKEN : OVER_NOT;
	for (size_t i = 0; i < what->n; i++) {
		const char *item = what->item[i];

		over = run_over_least(over, over_item(r, &pkt, item, frame));
		fields += !over_known(r, item, frame) && !is_behind_pds(item);
	}
	if (fields <= 1)
		return over;
	return run_over_least(over, OVER_SHAKEN);
}

/*
 * A forbidden repetition changes nothing, and the next line skips it.  After
 * any other forbidden packet the case continues as far as possible.
 */
enum over over_forbidden(struct runner *r, size_t index, const char *item)
{
	struct rec *rec = &r->rec->recs[index];
	enum over over = OVER_SHAKEN;
	const struct scope_psn *p;
	struct packet pkt;

	record_packet(r->rec, rec, &pkt);
	if (pkt.fault != PACKET_OK)
		return OVER_NOT;
	p = scope_known(&r->scope, false, &pkt);
	if (over_known(r, item, rec->frame) || (p && p->first != index))
		over = OVER_CERTAIN;
	if (!over_known(r, item, rec->frame) && !r->conf->step_over)
		return OVER_NOT;
	if (!rec->allowed)
		rec->allowed = "must not come, and was stepped over";
	return over;
}

/* ---- Packets that do not come ---- */

static bool looks_or_sends(const struct step *s)
{
	switch (s->kind) {
	case STEP_SEND:
	case STEP_EXPECT:
	case STEP_ACKED:
	case STEP_ANY_ORDER:
	case STEP_ONE_OF:
	case STEP_EACH:
	case STEP_POST:
		return true;
	default:
		return false;
	}
}

static bool run_over_holds(const struct step *group, const struct step *step)
{
	if (group == step)
		return true;
	for (size_t i = 0; i < group->ngroups; i++)
		for (const struct step *s = group->groups[i]; s; s = s->next)
			if (run_over_holds(s, step))
				return true;
	return false;
}

/*
 * Returns true if no later line of the case itself matches or sends a packet.
 */
static bool run_over_is_last(const struct runner *r, const struct step *step)
{
	const struct step *s = r->test_case->chairs[r->rec->chair].first;

	while (s && !run_over_holds(s, step))
		s = s->next;
	if (!s || s->ngroups)
		return false;
	for (s = s->next; s; s = s->next)
		if (looks_or_sends(s) &&
		    strcmp(s->file, r->test_case->path) == 0)
			return false;
	return true;
}

static bool binds(const struct runner *r, const struct term *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < t[i].nranges; j++) {
			const char *symbol = t[i].ranges[j].lo.symbol;

			if (symbol && !scope_find(&r->scope, symbol))
				return true;
		}
	return false;
}

/*
 * Returns true if later lines need numbers that the packet would have brought.
 */
static bool is_needed(const struct runner *r, const struct step *step)
{
	const struct scope_pdc *pdc = r->scope.pdc;

	return binds(r, step->rung.pds, step->rung.npds) ||
	       binds(r, step->rung.ses_terms, step->rung.nses) ||
	       (pdc && (pdc->fwd_pending || pdc->ret_pending));
}

/*
 * Returns true if the tester can address the device, whose PDCID it learned
 * from an answer.  Packets of RUDI and UUD bear none.
 */
static bool is_reachable(const struct runner *r, const char *item)
{
	return !suite_families[r->rec->family]->has_pdcs ||
	       run_over_is_class(item, "rudi_req") ||
	       run_over_is_class(item, "rudi_resp") ||
	       run_over_is_class(item, "uud_req") || r->scope.pdc->dpdcid;
}

enum over over_missing(const struct runner *r, const struct step *step,
		       const char *item)
{
	if (r->gone || is_needed(r, step))
		return OVER_NOT;
	if (over_known(r, item, 0))
		return OVER_CERTAIN;
	if (!r->conf->step_over || r->conf->fields_only ||
	    !is_reachable(r, item))
		return OVER_NOT;
	if (r->phase == PHASE_BODY && run_over_is_last(r, step))
		return OVER_CERTAIN;
	return OVER_SHAKEN;
}

/* ---- Reports ---- */

/*
 * A report to the device's SES changes no packet.  But an operation that did
 * not complete as expected may still be open in the device, which may
 * retransmit.
 */
enum over over_report(const struct runner *r, const struct step *step,
		      const char *item)
{
	const bool ends = step->report == REPORT_COMPLETED ||
			  step->report == REPORT_FAILED;
	const bool missing = strcmp(word_of(item), "missing") == 0;

	if (over_known(r, item, 0))
		return OVER_CERTAIN;
	if (!r->conf->step_over || (missing && r->conf->fields_only))
		return OVER_NOT;
	if (!ends || !missing || run_over_is_last(r, step))
		return OVER_CERTAIN;
	return OVER_SHAKEN;
}

/*
 * An answer to a request changes no packet.  But an operation that should have
 * been refused is in flight.
 */
enum over over_answer(const struct runner *r, const char *item)
{
	if (over_known(r, item, 0))
		return OVER_CERTAIN;
	if (!r->conf->step_over)
		return OVER_NOT;
	if (strcmp(word_of(item), "refused") == 0)
		return OVER_SHAKEN;
	return OVER_CERTAIN;
}
