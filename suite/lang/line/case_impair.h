/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_impair.h -- parses an impairment.
 */
#ifndef SUITE_LANG_LINE_CASE_IMPAIR_H
#define SUITE_LANG_LINE_CASE_IMPAIR_H

#include "base/text.h"
#include "suite/lang/parse_state.h"

/* parse_impair parses an impairment after its first word. */
int parse_impair(struct parse *p, struct step *s);

/* outer_any returns whether any outer header is set. */
bool outer_any(const struct outer *o);

/* outer_print appends the outer headers that are set, as words of a line. */
void outer_print(struct text *t, const struct outer *o);

#endif
