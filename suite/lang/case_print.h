/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_print.h -- prints a case, a step or a rung as text.
 */
#ifndef SUITE_LANG_CASE_PRINT_H
#define SUITE_LANG_CASE_PRINT_H

#include "base/text.h"
#include "suite/lang/case.h"

/*
 * rung_print and step_print write the canonical text: parsing it again gives
 * an equal rung or step.  step_print ends each line with a newline; groups take
 * several.
 */
void rung_print(struct text *t, const struct rung *r);
void step_print(struct text *t, const struct step *s);

/*
 * rung_flow_word returns the key that names a packet's flow: "pdc", or "ctx"
 * for SRD.
 */
const char *rung_flow_word(const struct rung *r);

/* case_print writes the whole case canonically, fragments expanded. */
void case_print(struct text *t, const struct test_case *c);

#endif
