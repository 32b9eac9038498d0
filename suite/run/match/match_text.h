/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match_text.h -- formats the expected rung of a line, and the
 * actual packet.
 */
#ifndef SUITE_RUN_MATCH_MATCH_TEXT_H
#define SUITE_RUN_MATCH_MATCH_TEXT_H

#include <stddef.h>

#include "base/text.h"
#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"

/*
 * match_explain formats the expected rung with its numbers resolved, and the
 * packet with the same fields in the same order, so that one can be printed
 * above the other.  A packet of another kind is printed with all its fields.
 */
void match_explain(const struct scope *s, const struct rung *rung, size_t index,
		   struct text *expected, struct text *actual);

/* match_expected writes the expected rung alone. */
void match_expected(const struct scope *s, const struct rung *rung,
		    struct text *expected);

#endif
