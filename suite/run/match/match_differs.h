/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match_differs.h -- which field of a packet differs from a
 * line, and which item of a requirement that is.
 */
#ifndef SUITE_RUN_MATCH_MATCH_DIFFERS_H
#define SUITE_RUN_MATCH_MATCH_DIFFERS_H

#include <stdbool.h>
#include <stddef.h>

#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/blame.h"
#include "suite/verdict/record.h"

/*
 * match_differs lists what makes a packet of the record another one than the
 * rung asks for.  Of a packet that is malformed, of another kind or about
 * another PSN only that is listed, and of a SES header of another kind or
 * opcode only that: the rest follows from it.
 */
void match_differs(const struct scope *s, const struct rung *rung, size_t index,
		   bool exact, struct blame *ret);

/*
 * match_looks lists what the rung asks of a packet, as match_differs names it:
 * what was seen and right if it differs in nothing of it.
 */
void match_looks(const struct rung *rung, struct blame *ret);

/*
 * match_absence is the word for a packet that did not come: "resend" if the
 * rung asks for a retransmission, else "missing".
 */
const char *match_absence(const struct rung *rung);

/*
 * match_item is the item of a field of a packet of the record, by its name:
 * "ack.retx", "ses.opcode"; false if the packet has none.
 */
bool match_item(const struct record *r, size_t index, const char *field,
		size_t len, char ret[static BLAME_ITEM]);

#endif
