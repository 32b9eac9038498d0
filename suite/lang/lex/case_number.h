/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/lex/case_number.h -- parses numbers and symbols.
 */
#ifndef SUITE_LANG_LEX_CASE_NUMBER_H
#define SUITE_LANG_LEX_CASE_NUMBER_H

#include "suite/lang/parse_state.h"
#include "wire/field.h"

/*
 * parse_number reads 333, 0x1f, $p, $p+1; with |f| also the names of an
 * enumerated field.  |f| NULL: 64 bits, |psn|: 32 bits.
 * |binds|: a symbol that is not bound yet is bound by this.
 */
int parse_number(struct parse *p, struct word w, const struct field *f,
		 bool psn, bool binds, struct number *ret);

/* parse_is_declared returns whether a symbol is a number of the declaration. */
bool parse_is_declared(const char *name);

/* parse_bind gives a symbol a value; |name| lives on the arena. */
int parse_bind(struct parse *p, const char *name);

#endif
