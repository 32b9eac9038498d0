/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/verdict.h -- verdicts, and every reason that leads to one.
 *
 * Only suite/verdict/verdict.def assigns verdicts to reasons.
 */
#ifndef SUITE_VERDICT_VERDICT_H
#define SUITE_VERDICT_VERDICT_H

#include <stdbool.h>

enum verdict {
	VERDICT_PASS,
	VERDICT_FAIL,
	VERDICT_INCONCLUSIVE,
	VERDICT_NA,
	VERDICT_ERROR,
	VERDICT_COUNT,
};

/* REASON_NO_ANSWER and so on, in the order of suite/verdict/verdict.def. */
enum reason {
#define REASON(sym, id, verdict, text) REASON_##sym,
#include "suite/verdict/verdict.def"
#undef REASON
	REASON_COUNT,
};

const char *verdict_name(enum verdict v); /* "pass"; static */

/* The properties of a reason: its verdict, its stable id, its sentence. */
enum verdict reason_verdict(enum reason reason);
const char *reason_id(enum reason reason);
const char *reason_text(enum reason reason);

/*
 * reason_unfinished returns true if the case was ended from outside: it has no
 * result, and a resumed run repeats it.
 */
bool reason_unfinished(enum reason reason);

#endif
