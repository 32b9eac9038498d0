/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_param.h -- parses lines of the SES side: a verb and its
 * parameters.
 */
#ifndef SUITE_LANG_LINE_CASE_PARAM_H
#define SUITE_LANG_LINE_CASE_PARAM_H

#include "suite/lang/parse_state.h"

int parse_post(struct parse *p, struct step *s);
int parse_configure(struct parse *p, struct step *s);
int parse_respond(struct parse *p, struct step *s);
int parse_report(struct parse *p, struct step *s);

/* parse_times reads "3" or "1..4" after an x; the upper end is not below
 * |least|. */
int parse_times(struct parse *p, uint32_t least, struct step *s);

#endif
