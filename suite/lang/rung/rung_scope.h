/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/rung/rung_scope.h -- the fields that the words of a rung may name.
 */
#ifndef SUITE_LANG_RUNG_RUNG_SCOPE_H
#define SUITE_LANG_RUNG_RUNG_SCOPE_H

#include "suite/lang/parse_state.h"
#include "wire/field.h"

/* The headers in which the terms of a section are looked up. */
struct case_rung_scope {
	const char *type, *ses;   /* names of the PDS type and the SES header;
				     type NULL: no lookup */
	const struct header *ext; /* the extension; NULL: none */
	bool ses_side;
	enum rung_use use;
	const char *pdc; /* the NAME of a "pdc=NAME" term */
};

/* The extension headers; ends with NULL. */
extern const struct header *const ext_headers[];

/* ext_named returns the extension header of that name, or NULL. */
const struct header *ext_named(struct word w);

/* ext_with returns the extension header that has such a field, or NULL. */
const struct header *ext_with(struct word name);

/* case_rung_resolve finds the field of that name; false if there is none. */
bool case_rung_resolve(const struct case_rung_scope *sc, struct word name,
		       const struct field **ret);

/*
 * discriminator returns the field whose value may be written as a bare word, or
 * NULL.
 */
const struct field *discriminator(const struct case_rung_scope *sc);

/*
 * case_rung_no_field reports a name that no field of the packet has.  |bare|:
 * the name has no value.
 * Return: ERR_SYNTAX, with the message in the lexer's diag.
 */
int case_rung_no_field(struct parse *p, const struct case_rung_scope *sc,
		       struct word name, bool bare);

#endif
