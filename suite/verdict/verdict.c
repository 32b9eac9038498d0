/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/verdict.c -- the table of reasons and their verdicts.
 */
#include "suite/verdict/verdict.h"

#include <assert.h>

/* clang-format off */
static const struct {
	enum verdict verdict;
	const char *id, *text;
} reasons[REASON_COUNT] = {
#define REASON(sym, id, verdict, text) {VERDICT_##verdict, id, text},
#include "suite/verdict/verdict.def"
#undef REASON
};
/* clang-format on */

const char *verdict_name(enum verdict v)
{
	static const char *const names[VERDICT_COUNT] = {
		[VERDICT_PASS] = "pass",
		[VERDICT_FAIL] = "fail",
		[VERDICT_INCONCLUSIVE] = "inconclusive",
		[VERDICT_NA] = "na",
		[VERDICT_ERROR] = "error",
	};

	if (v < VERDICT_COUNT)
		return names[v];
	return "unknown";
}

enum verdict reason_verdict(enum reason reason)
{
	assert(reason < REASON_COUNT);
	return reasons[reason].verdict;
}

const char *reason_id(enum reason reason)
{
	assert(reason < REASON_COUNT);
	return reasons[reason].id;
}

const char *reason_text(enum reason reason)
{
	assert(reason < REASON_COUNT);
	return reasons[reason].text;
}

bool reason_unfinished(enum reason reason)
{
	return reason == REASON_INTERRUPTED || reason == REASON_LEASE;
}
