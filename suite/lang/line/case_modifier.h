/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_modifier.h -- parses the modifiers of a line.
 */
#ifndef SUITE_LANG_LINE_CASE_MODIFIER_H
#define SUITE_LANG_LINE_CASE_MODIFIER_H

#include "suite/lang/line/line_kind.h"
#include "suite/lang/parse_state.h"

/*
 * parse_modifiers reads the modifiers up to the end of the line; |k| lists
 * those that the line may have.
 * Errors: ERR_SYNTAX.
 */
int parse_modifiers(struct parse *p, const struct line_kind *k, struct step *s);

#endif
