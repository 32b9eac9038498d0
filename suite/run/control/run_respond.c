/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_respond.c -- executes the "respond" lines of a case:
 * the policy of the target's SES, or a request that causes the same answer.
 */
#include "suite/run/control/run_respond.h"

#include <string.h>

#include "suite/decl/capability.h"
#include "suite/run/control/run_request.h"
#include "suite/run/control/run_words.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/scope/scope_span.h"
#include "suite/verdict/space.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

static bool policy_param(struct runner *r, const struct param *p,
			 struct ses_policy *policy)
{
	uint64_t v = 0;

	if (strcmp(p->key, "delay") == 0 && p->span.set) {
		policy->delay = scope_span(&r->scope, &p->span, NULL);
		return true;
	}
	if (strcmp(p->key, "return_code") == 0 &&
	    (run_word_value(p, ses_return_codes, &v) ||
	     run_request_number(r, p, SPACE_NONE, &v))) {
		policy->return_code = (uint8_t)v;
		return true;
	}
	if (strcmp(p->key, "nack") == 0 &&
	    (run_word_value(p, pds_nack_codes, &v) ||
	     run_request_number(r, p, SPACE_NONE, &v))) {
		policy->nack_code = (uint8_t)v;
		return true;
	}
	if (strcmp(p->key, "times") == 0 &&
	    run_request_number(r, p, SPACE_NONE, &v)) {
		policy->count = (uint32_t)v;
		return true;
	}
	return false;
}

static bool policy_of(struct runner *r, const struct step *step,
		      struct ses_policy *policy)
{
	if (strcmp(step->verb, "gtd") == 0)
		policy->gtd = OP_GTD_YES;
	else if (strcmp(step->verb, "ok") == 0)
		policy->gtd = OP_GTD_NO;
	else if (strcmp(step->verb, "manual") == 0)
		policy->manual = true;
	for (size_t i = 0; i < step->nparams; i++) {
		if (policy_param(r, &step->params[i], policy))
			continue;
		run_settle(r, REASON_CASE_WRONG,
			   "line %u: respond cannot use %s", step->line,
			   step->params[i].key);
		return false;
	}
	return true;
}

/*
 * Returns true if the answer shall only be late, by no more than the time that
 * the SES of the device takes.
 */
static bool is_late_alone(const struct runner *r,
			  const struct ses_policy *policy)
{
	return policy->delay <= decl_ses_time(r->decl).value &&
	       policy->gtd == OP_GTD_AUTO && !policy->return_code &&
	       !policy->nack_code && !policy->manual;
}

/*
 * Without the verb, the tester provokes the answer by the next requests.  They
 * carry a declared cause, such as a key that the device refuses or an index
 * without a buffer; or they arrive trimmed if the device shall refuse them by a
 * NACK (run_refuse.c).
 */
static enum flow_control natural_cause(struct runner *r,
				       const struct step *step,
				       const struct ses_policy *policy)
{
	const struct decl_cause *cause = NULL;

	r->scope.trims = policy->nack_code && decl_claims(r->decl, "trim");
	r->scope.trims_left = policy->count;
	if (r->scope.trims) {
		r->scope.cause = NULL;
		return RUN_ON;
	}
	if (policy->delay && is_late_alone(r, policy)) {
		cause = &r->decl->delay_cause;
	} else if (!policy->nack_code && !policy->delay && !policy->manual) {
		if (policy->gtd == OP_GTD_YES)
			cause = &r->decl->gtd_cause;
		else if (policy->return_code > RC_OK)
			cause = &r->decl->error_cause;
	}
	if (policy->gtd != OP_GTD_NO && (!cause || !cause->fields)) {
		run_settle(r, REASON_NO_CAUSE,
			   "line %u: nothing makes this device answer so: it "
			   "has no ses_policy and declares no cause",
			   step->line);
		return RUN_STOP;
	}
	r->scope.causes = true;
	r->scope.cause = cause;
	r->scope.cause_times = policy->count;
	return RUN_ON;
}

/*
 * Without a control channel nothing posts a receive when the case does.  The
 * next deferrable sends carry the declared cause, so that the device posts
 * their receives of its own, late.
 */
static enum flow_control run_respond_defer(struct runner *r,
					   const struct step *step)
{
	if (r->dut->control || r->dut->triggered || r->dut->bridged)
		return RUN_ON;
	if (!r->decl->defer_cause.fields) {
		run_settle(r, REASON_NO_CAUSE,
			   "line %u: nothing makes this device defer a send: "
			   "it has no control channel and declares no cause",
			   step->line);
		return RUN_STOP;
	}
	r->scope.causes = true;
	r->scope.cause = &r->decl->defer_cause;
	r->scope.cause_times = 0;
	return RUN_ON;
}

enum flow_control control_respond(struct runner *r, const struct step *step)
{
	struct ses_policy policy = {0};

	bool plain = strcmp(step->verb, "default") == 0 && !step->nparams;

	if (strcmp(step->verb, "defer") == 0)
		return run_respond_defer(r, step);
	if (!policy_of(r, step, &policy) || order_await(r) == RUN_STOP)
		return RUN_STOP;
	if (plain && !dut_has_verb(r->dut, "ses_policy")) {
		r->scope.cause = NULL;
		r->scope.trims = false;
		return RUN_ON;
	}
	if (!r->dut->control || !dut_has_verb(r->dut, "ses_policy"))
		return natural_cause(r, step, &policy);
	run_request_begin(r, OP_SES_POLICY);
	r->ctl.op.policy = policy;
	return run_request(r, step);
}
