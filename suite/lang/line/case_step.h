/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_step.h -- parses a line below a chair.
 */
#ifndef SUITE_LANG_LINE_CASE_STEP_H
#define SUITE_LANG_LINE_CASE_STEP_H

#include "suite/lang/parse_state.h"

/*
 * parse_line parses the current line; for a group or a fragment, all lines of
 * it.
 */
int parse_line(struct parse *p, struct step_list *list);

/* case_step_append puts a step at the end of a list. */
void case_step_append(struct step_list *list, struct step *s);

/* parse_line_word returns the word of the n-th kind of line, NULL at the end.
 */
const char *parse_line_word(size_t n);

#endif
