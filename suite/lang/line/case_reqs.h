/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_reqs.h -- parses the ids in brackets at the end of a
 * line.
 */
#ifndef SUITE_LANG_LINE_CASE_REQS_H
#define SUITE_LANG_LINE_CASE_REQS_H

#include "suite/lang/line/line_kind.h"
#include "suite/lang/parse_state.h"

/*
 * parse_req parses "RUD-SEQ-76" or "RUD-SEQ-76/dst".  Without a role it takes
 * that of |chair|, or the row's own if |chair| is CHAIR_COUNT.
 */
int parse_req(struct parse *p, struct word w, enum chair chair,
	      struct req_ref *ret);

/*
 * take_reqs removes "[ID ID]" from the end of the current line and sets the ids
 * of a step.
 * Errors: ERR_SYNTAX, ERR_NOMEM.
 */
int take_reqs(struct parse *p, const struct line_kind *k, struct step *ret);

/*
 * check_reqs refuses ids on a line that proves nothing, and a line that expects
 * something without ids.
 * Errors: ERR_SYNTAX.
 */
int check_reqs(struct parse *p, const struct line_kind *k,
	       const struct step *s);

#endif
