/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/deviation.h -- deviations of a device that are known: "deviates"
 *lines of its declaration.
 *
 *	deviates UET-ACK-03 ack.retx=0 "ticket 17"
 *
 * A case reports such a deviation once, under that row, and goes on.
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
	enum req_role role; /* REQ_BOTH: whichever part the device plays */
	const char *class;  /* "ack"; NULL: any */
	const char *word;   /* a field, or an event: "retx", "missing" */
	const char *value;  /* as written; NULL: any */
	uint64_t number;    /* the value */
	const char *text;   /* why it is known; "" if not said */
	const struct deviation *next;
};

/*
 * deviation_read reads what follows "deviates" on a line.
 * Errors: ERR_SYNTAX with the lexer's diag filled; ERR_NOMEM.
 * Owner:  the lexer's arena.
 */
int deviation_read(struct lex *lex, struct deviation **ret);

/* deviation_item appends "ack.retx=0"; deviation_print the whole line. */
void deviation_item(struct text *t, const struct deviation *d);
void deviation_print(struct text *t, const struct deviation *d);

/*
 * deviation_is returns true if a deviation covers an item ("ack.retx") that the
 * device sent with |value|; NULL: the item has no value.
 */
bool deviation_is(const struct deviation *d, const char *item,
		  const uint64_t *value);

/* deviation_find is the first of a list that covers the item, or NULL. */
const struct deviation *deviation_find(const struct deviation *first,
				       const char *item, const uint64_t *value);

#endif
