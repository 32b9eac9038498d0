/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_send.c -- executes the lines that send, wait, bind a number or
 * impair the link.
 */
#include "suite/run/run_send.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "suite/craft/craft.h"
#include "suite/craft/craft_inject.h"
#include "suite/craft/rules.h"
#include "suite/run/flight.h"
#include "suite/run/link/run_link.h"
#include "suite/run/match/match.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/scope/scope_pdc.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_span.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"

/* Finds the next packet of the other endpoint that matches a line. */
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
 * Between two endpoints a sending line waits for the other endpoint to send.
 * The far endpoint is not the device under test, so its other packets are
 * ignored.
 */
static enum flow_control run_await(struct runner *r, const struct step *step)
{
	const struct span patience = {
		.set = true, .unit = SPAN_RTO, .milli = 3000};

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

enum flow_control run_send_one(struct runner *r, const struct step *step)
{
	char why[160];
	int err;

	if (scope_turn(&r->scope, step->rung.pdc)) {
		run_settle(r, REASON_CASE_WRONG, "%s:%u: too many PDCs",
			   step->file, step->line);
		return RUN_STOP;
	}
	scope_turn_answer(&r->scope, &step->rung);
	err = craft_rung(&r->scope, step, &r->out, why, sizeof(why));
	if (err == ERR_SUPPORT)
		run_settle(r, REASON_NO_CAUSE, "line %u: %s", step->line, why);
	else if (err)
		run_diverged(r, REASON_CASE_WRONG, "%s:%u: %s", step->file,
			     step->line, why);
	if (err)
		return RUN_STOP;
	return link_send(r, step);
}

enum flow_control run_send(struct runner *r, const struct step *step)
{
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
	if (step->flight)
		return flight_answer(r, step);
	for (uint32_t i = 0; i < step->min; i++) {
		if (run_send_one(r, step) == RUN_STOP)
			return RUN_STOP;
		flight_cover(r, step);
	}
	return RUN_ON;
}

enum flow_control run_wait(struct runner *r, const struct step *step)
{
	vtime until = r->dut->ops->now(r->dut) +
		      scope_span(&r->scope, &step->span, NULL);

	while (link_pump(r, until))
		;
	r->last_at = r->dut->ops->now(r->dut);
	if (r->stopped)
		return RUN_STOP;
	return RUN_ON;
}

enum flow_control run_let(struct runner *r, const struct step *step)
{
	uint64_t v;

	if (scope_number(&r->scope, &step->value, SPACE_NONE, &v) &&
	    !scope_bind(&r->scope, step->symbol, v))
		return RUN_ON;
	run_diverged(r, REASON_CASE_WRONG, "%s:%u: $%s cannot be set",
		     step->file, step->line, step->symbol);
	return RUN_STOP;
}

enum flow_control run_spray(struct runner *r, const struct step *step)
{
	r->scope.paths = step->count;
	r->scope.path = 0;
	return RUN_ON;
}

/* Matches a datagram in flight, as if it were an entry of the record. */
static bool rule_match_rung(struct runner *r, const struct rung *rung,
			    const struct dgram *d, bool to_dut)
{
	struct record *rec = r->rec;

	/* the entry exists already: the newest of its direction */
	for (size_t i = rec->nrecs; i-- > 0;) {
		const struct rec *e = &rec->recs[i];

		if (e->frame && (e->kind == REC_TX) == to_dut &&
		    e->len == d->len &&
		    memcmp(rec->bytes + e->data, d->data, d->len) == 0)
			return match_rung(&r->scope, rung, i, false);
	}
	return false;
}

/* Returns true if the rung requires one PSN: its packet comes once. */
static bool rule_names_psn(const struct rung *rung)
{
	const struct term *t = case_term(rung, "psn");

	if (!t)
		t = case_term(rung, "ack_psn");
	return t && t->nranges == 1 && t->ranges[0].single;
}

/* Returns true if the packet that would release a held one has passed. */
static bool rule_is_over(const struct rule_ctx *c)
{
	const struct step *s = c->step;
	const struct record *rec = c->r->rec;

	if (s->action != IMPAIR_HOLD || !rule_names_psn(&s->until))
		return false;
	for (size_t i = c->from; i < rec->nrecs; i++) {
		const struct rec *e = &rec->recs[i];

		if (e->frame && (e->kind == REC_TX) == s->until_to_dut &&
		    match_rung(&c->r->scope, &s->until, i, false))
			return true;
	}
	return false;
}

static bool rule_match(const void *ctx, const struct dgram *d)
{
	const struct rule_ctx *c = ctx;

	if (!rule_outer(&c->step->outer, d) ||
	    !rule_match_rung(c->r, &c->step->rung, d, c->step->to_dut))
		return false;
	if (!rule_is_over(c))
		return true;
	c->r->rules[c - c->r->rules].passed = true;
	return false;
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

enum flow_control run_impair(struct runner *r, const struct step *step)
{
	struct imp_rule rule;

	rule_make(step, r->decl, &rule);
	rule.match = rule_match;
	if (step->until_set)
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
	if (step->rewrite.ext && r->dut->tester.len == 4) {
		run_settle(r, REASON_NO_FRAMES,
			   "line %u: IPv4 has no extension headers",
			   step->line);
		return RUN_STOP;
	}
	r->rules[r->nrules] = (struct rule_ctx){r, step, r->rec->nrecs, false};
	rule.ctx = &r->rules[r->nrules++];
	if (imp_rule_add(r->imp, &rule)) {
		run_settle(r, REASON_MEMORY, "out of memory");
		return RUN_STOP;
	}
	return RUN_ON;
}

enum flow_control run_base(struct runner *r, const struct step *step)
{
	if (scope_turn(&r->scope, step->pdc)) {
		run_settle(r, REASON_CASE_WRONG, "%s:%u: too many PDCs",
			   step->file, step->line);
		return RUN_STOP;
	}
	scope_base(&r->scope, step);
	return RUN_ON;
}
