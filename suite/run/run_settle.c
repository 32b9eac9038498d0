/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_settle.c -- settles the verdict of a case while it runs.
 */
#include "suite/run/run_settle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/run/run_state.h"
#include "suite/verdict/record.h"

/*
 * Returns true for an end that follows from a deviation with uncertain state
 * behind which the case continued: a line uses a number that did not come, or
 * an impairment awaits a packet.  The deviation is the verdict.
 */
static bool run_settle_follows(const struct runner *r, enum reason reason)
{
	return r->shaken && run_is_guilty(r->rec) &&
	       (reason == REASON_CASE_WRONG || reason == REASON_UNFIRED);
}

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
	if (rec->verdict != VERDICT_PASS || run_settle_follows(r, reason))
		return;
	rec->verdict = v;
	rec->reason_id = reason;
	memcpy(rec->reason, text, sizeof(text));
}

bool run_is_guilty(const struct record *rec)
{
	for (size_t i = 0; i < rec->nfindings; i++)
		if (!rec->findings[i].remark)
			return true;
	return false;
}

/* Returns the newest finding of a remark, or NULL. */
static const struct rec_finding *newest_remark(const struct record *rec)
{
	for (size_t i = rec->nfindings; i-- > 0;)
		if (rec->findings[i].remark)
			return &rec->findings[i];
	return NULL;
}

void run_diverged(struct runner *r, enum reason reason, const char *fmt, ...)
{
	const struct rec_finding *f = newest_remark(r->rec);
	char text[sizeof(r->rec->reason)];
	va_list ap;

	r->stopped = true;
	if (run_is_guilty(r->rec))
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (r->dut->reference)
		run_settle(r, reason, "%s", text);
	else if (r->scope.split)
		run_settle(r, REASON_SEVERAL_PDCS,
			   "the case counts on one PDC for all messages, and "
			   "the device uses another one; %s",
			   text);
	else if (f)
		run_settle(r, REASON_LED_ASTRAY,
			   "the device did not do what %s/%s asks, on which "
			   "the next lines build; %s",
			   req_get(f->req)->id, req_role_name(f->role), text);
	else
		run_settle(r, REASON_LED_ASTRAY,
			   "what the device did does not fit the next lines; "
			   "%s",
			   text);
}

const char *run_stimulus(struct runner *r)
{
	if (r->stimulus)
		return r->stimulus->source;
	return "the start";
}
