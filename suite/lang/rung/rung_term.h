/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/rung/rung_term.h -- parses the terms of a rung.
 */
#ifndef SUITE_LANG_RUNG_RUNG_TERM_H
#define SUITE_LANG_RUNG_RUNG_TERM_H

#include "suite/lang/parse_state.h"
#include "suite/lang/rung/rung_scope.h"

#define TERMS_MAX 64 /* terms of a section at most */

/*
 * parse_terms reads terms up to '|', a modifier or the end of the line and adds
 * them to t[*n].
 * Errors: ERR_SYNTAX, ERR_NOMEM.
 */
int parse_terms(struct parse *p, struct case_rung_scope *sc, struct term *t,
		size_t *n);

/*
 * parse_corrupt reads "field=value" or "field" of a packet like |r|, for the
 * corrupt impairment; a bare name gives TERM_ANY.
 */
int parse_corrupt(struct parse *p, const struct rung *r, struct word w,
		  struct term *ret);

#endif
