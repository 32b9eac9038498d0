/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match_differs.h -- lists the fields in which a packet differs
 * from a line, as items of requirements.
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
 * match_differs lists the items in which a packet of the record differs from a
 * rung.  For a packet that is malformed, of another kind or with another PSN it
 * lists only this; for a SES header of another kind or opcode too, because
 * further differences follow from it.
 */
void match_differs(const struct scope *s, const struct rung *rung, size_t index,
		   bool exact, struct blame *ret);

/*
 * match_looks lists the items that a rung tests, in the names of match_differs.
 * They count as tested and right if the packet does not differ.
 */
void match_looks(const struct rung *rung, struct blame *ret);

/*
 * match_absence returns the item of a packet that did not come: "resend" if the
 * rung expects a retransmission, otherwise "missing".
 */
const char *match_absence(const struct rung *rung);

/*
 * match_item returns the item of a packet's field, "ack.retx" or "ses.opcode";
 * false if the packet has no such field.
 */
bool match_item(const struct record *r, size_t index, const char *field,
		size_t len, char ret[static BLAME_ITEM]);

#endif
