/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/deviation.h -- known deviations of a device: the "deviates" lines
 * of its declaration.
 *
 *	deviates UET-ACK-03 ack.retx=0 "ticket 17"
 *
 * A case reports such a deviation once, under that row, and continues.
 */
#ifndef SUITE_DECL_DEVIATION_H
#define SUITE_DECL_DEVIATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "judge/req.h"
#include "suite/lang/lex/case_lex.h"

struct deviation {
	enum req_id req;
	enum req_role role; /* REQ_BOTH: in either role */
	const char *class;  /* "ack"; NULL: any */
	const char *word;   /* a field, or an event: "retx", "missing" */
	const char *value;  /* the value as written; NULL: any */
	uint64_t number;    /* |value| as a number */
	const char *text;   /* the reason for the deviation; may be "" */
	const struct deviation *next;
};

/*
 * deviation_read parses the rest of a line after "deviates".
 * Errors: ERR_SYNTAX with the lexer's diag filled; ERR_NOMEM.
 * Owner:  the lexer's arena.
 */
int deviation_read(struct lex *lex, struct deviation **ret);

/*
 * deviation_item appends the item, "ack.retx=0"; deviation_print appends the
 * whole line.
 */
void deviation_item(struct text *t, const struct deviation *d);
void deviation_print(struct text *t, const struct deviation *d);

/*
 * deviation_is returns whether a deviation covers an item ("ack.retx") that the
 * device sent with |value|; NULL if the item has no value.
 */
bool deviation_is(const struct deviation *d, const char *item,
		  const uint64_t *value);

/*
 * deviation_find returns the first deviation of a list that covers the item, or
 * NULL.
 */
const struct deviation *deviation_find(const struct deviation *first,
				       const char *item, const uint64_t *value);

#endif
