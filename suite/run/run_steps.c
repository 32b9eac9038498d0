/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_steps.c -- executes a list of steps, each by the function of
 * its kind.
 */
#include "suite/run/run_steps.h"

#include <string.h>

#include "base/word.h"
#include "suite/decl/capability.h"
#include "suite/run/control/run_configure.h"
#include "suite/run/control/run_post.h"
#include "suite/run/control/run_report.h"
#include "suite/run/control/run_respond.h"
#include "suite/run/flight.h"
#include "suite/run/link/run_link.h"
#include "suite/run/run_differs.h"
#include "suite/run/run_expect.h"
#include "suite/run/run_send.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"

static enum flow_control (*const step_runs[])(struct runner *,
					      const struct step *) = {
	[STEP_SEND] = run_send,           [STEP_EXPECT] = expect_step,
	[STEP_ACKED] = expect_acked,      [STEP_NEVER] = expect_never,
	[STEP_ANY_ORDER] = expect_any,    [STEP_ONE_OF] = expect_one,
	[STEP_EACH] = run_each,           [STEP_IMPAIR] = run_impair,
	[STEP_POST] = control_post,       [STEP_CONFIGURE] = control_configure,
	[STEP_RESPOND] = control_respond, [STEP_REPORT] = control_report,
	[STEP_WAIT] = run_wait,           [STEP_LET] = run_let,
	[STEP_BASE] = run_base,           [STEP_SPRAY] = run_spray,
	[STEP_CHECK] = flight_check,
};

bool run_is_own(const struct runner *r, const struct step *s)
{
	return word_same(s->file, r->test_case->path);
}

/* A fragment's line after the last line of the case begins the closing. */
static void turn_phase(struct runner *r, const struct step *s)
{
	if (s == r->own_first)
		r->phase = PHASE_BODY;
	else if (r->last_done && !run_is_own(r, s))
		r->phase = PHASE_TEARDOWN;
}

/* Returns true for a line of a fragment that needs an unclaimed capability. */
static bool run_is_beyond(const struct runner *r, const struct step *s)
{
	return s->need && !decl_claims(r->decl, s->need);
}

enum flow_control run_steps(struct runner *r, const struct step *first)
{
	for (const struct step *s = first; s; s = s->next) {
		turn_phase(r, s);
		if (run_is_beyond(r, s))
			continue;
		r->step = s;
		r->setup = !run_is_own(r, s);
		if (step_runs[s->kind](r, s) == RUN_STOP || r->stopped)
			return RUN_STOP;
		r->last_done |= s == r->own_last;
	}
	return RUN_ON;
}

enum flow_control expect_one(struct runner *r, const struct step *group)
{
	const struct step *first = group->groups[0];
	struct limits lim;

	for (;;) {
		struct inbox *in = run_differs_await(r, first, &lim);

		if (!in)
			return run_missing(r, first);
		for (size_t i = 0; i < group->ngroups; i++)
			if (run_fits(r, group->groups[i], in->index, r->again))
				return run_steps(r, group->groups[i]);
		if (run_pass_over(r, first, in))
			continue;
		for (size_t i = 0; i < group->ngroups; i++)
			if (run_can_go_over(r, group->groups[i], in->index))
				return run_steps(r, group->groups[i]);
		if (run_mismatch(r, first, in, OVER_NOT) == RUN_STOP)
			return RUN_STOP;
		link_take(r); /* a remark: no alternative matches */
		return RUN_ON;
	}
}

/* Binds the place of a packet in its message, for the lines about it. */
static bool each_place(struct runner *r, uint64_t at, uint64_t piece,
		       uint64_t len)
{
	struct scope *s = &r->scope;

	return !scope_bind(s, "at", at) && !scope_bind(s, "piece", piece) &&
	       !scope_bind(s, "index", at / r->decl->mtu) &&
	       !scope_bind(s, "som", at == 0) &&
	       !scope_bind(s, "eom", at + piece == len) &&
	       !scope_bind(s, "whole", len);
}

enum flow_control run_each(struct runner *r, const struct step *step)
{
	const size_t outer = r->scope.nsymbols;
	const uint64_t mtu = r->decl->mtu;
	enum flow_control flow;
	uint64_t len, at = 0;

	if (!scope_number(&r->scope, &step->value, SPACE_NONE, &len)) {
		run_settle(r, REASON_CASE_WRONG,
			   "line %u: $%s is not bound yet", step->line,
			   step->value.symbol);
		return RUN_STOP;
	}
	do {
		const uint64_t piece = len - at < mtu ? len - at : mtu;

		r->scope.nsymbols = outer;
		if (!each_place(r, at, piece, len)) {
			run_settle(r, REASON_CASE_WRONG,
				   "line %u: too many symbols", step->line);
			return RUN_STOP;
		}
		r->again = at > 0;
		flow = run_steps(r, step->groups[0]);
		r->again = false;
		if (flow == RUN_STOP)
			return RUN_STOP;
		at += piece;
	} while (at < len);
	r->scope.nsymbols = outer;
	return RUN_ON;
}
