/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/lex/case_number.h -- parses numbers and symbols.
 */
#ifndef SUITE_LANG_LEX_CASE_NUMBER_H
#define SUITE_LANG_LEX_CASE_NUMBER_H

#include "suite/lang/parse_state.h"
#include "wire/field.h"

/*
 * parse_number reads 333, 0x1f, $p, $p+1; with |f| also the value names of an
 * enumerated field.  The width is 64 bits without |f|, 32 bits with |psn|.
 * With |binds| an unbound symbol becomes bound.
 */
int parse_number(struct parse *p, struct word w, const struct field *f,
		 bool psn, bool binds, struct number *ret);

/* parse_is_bound returns whether a symbol has a value at this line. */
bool parse_is_bound(const struct parse *p, const char *name);

/* parse_is_symbol_name returns whether a word may be a symbol, without '$'. */
bool parse_is_symbol_name(struct word w);

/* parse_bind binds a symbol; |name| must be on the arena. */
int parse_bind(struct parse *p, const char *name);

#endif
