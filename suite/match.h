/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/match.h -- an expected rung against a packet that came.
 */
#ifndef SUITE_MATCH_H
#define SUITE_MATCH_H

#include <stdbool.h>

#include "base/text.h"
#include "suite/blame.h"
#include "suite/case.h"
#include "suite/scope.h"

/*
 * match_rung says whether a packet of the record is what the rung asks for.
 * Only what is written is looked at.  With |exact| the allowances of
 * docs/case-language.md fall away.  Nothing is bound.
 */
bool match_rung(const struct scope *s, const struct rung *rung, size_t index,
		bool exact);

/*
 * match_but_for_pdc says whether a packet of the record is what the rung asks
 * for, whichever PDC it belongs to: its ids, PSNs and syn are not looked at.
 */
bool match_but_for_pdc(const struct scope *s, const struct rung *rung,
		       size_t index);

/*
 * match_packet says so of a packet of nobody's case: a number is what it says,
 * there are no symbols, and "same" and the names of PDCs match nothing.
 */
bool match_packet(const struct rung *rung, const struct packet *pkt,
		  uint32_t mtu);

/* match_type says so of the rung's first word alone; NULL: any. */
bool match_type(const char *type, const struct packet *pkt);

/*
 * match_bind binds the symbols of a rung that matched to the packet's values.
 * Errors: ERR_SPACE.
 */
int match_bind(struct scope *s, const struct rung *rung, size_t index);

/*
 * match_explain writes the expected rung with its numbers resolved, and the
 * packet with the same fields in the same order, so that the two can stand one
 * above the other; a packet of another kind is written as it is.
 */
void match_explain(const struct scope *s, const struct rung *rung, size_t index,
		   struct text *expected, struct text *actual);

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

/* match_expected writes the expected rung alone. */
void match_expected(const struct scope *s, const struct rung *rung,
		    struct text *expected);

#endif
