/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/rung/rung_body.h -- parses the body of a packet: data and bytes.
 */
#ifndef SUITE_LANG_RUNG_RUNG_BODY_H
#define SUITE_LANG_RUNG_RUNG_BODY_H

#include "suite/lang/parse_state.h"

/* The words of bodies; ends with NULL. */
extern const char *const body_words[];

/*
 * parse_bytes reads "0a 0b ..." after the word "bytes", up to the end of the
 * rung.
 * Errors: ERR_SYNTAX, ERR_NOMEM.
 */
int parse_bytes(struct parse *p, struct rung *ret);

/* rung_data_fits returns false if a packet has no room for the data. */
bool rung_data_fits(const struct rung *r);

/*
 * parse_body reads the rest of a section that begins with the word |w|, one of
 * body_words.
 * Errors: ERR_SYNTAX, ERR_NOMEM.
 */
int parse_body(struct parse *p, enum rung_use use, struct word w,
	       struct rung *ret);

#endif
