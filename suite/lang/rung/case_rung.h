/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/rung/case_rung.h -- parses a rung: a packet, section by section.
 */
#ifndef SUITE_LANG_RUNG_CASE_RUNG_H
#define SUITE_LANG_RUNG_CASE_RUNG_H

#include "suite/lang/parse_state.h"

/*
 * parse_rung parses a rung up to the first modifier or the end of the line.
 * Errors: ERR_SYNTAX, ERR_NOMEM.
 */
int parse_rung(struct parse *p, enum rung_use use, struct rung *ret);

/*
 * parse_ses reads the SES side of a packet to send, "| std ...  | data 64", as
 * a verb of the PDS profile passes it on; |ret->type| is the packet that
 * carries it.
 */
int parse_ses(struct parse *p, struct rung *ret);

/* The words of SES sections; ends with NULL. */
extern const char *const ses_words[];

#endif
