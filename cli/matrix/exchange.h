/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/exchange.h -- what two endpoints do with each other in one run of
 * a matrix: operations of the initiator, and faults of the link between them.
 *
 * Both ends must claim what an exchange needs; sizes are those that both take.
 */
#ifndef CLI_MATRIX_EXCHANGE_H
#define CLI_MATRIX_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "oracle/op.h"
#include "suite/decl/decl.h"
#include "wire/family.h"

#define EXCHANGE_OPS   16  /* most operations */
#define EXCHANGE_RULES 400 /* bytes of rules */

struct exchange_op {
	enum op_kind kind; /* OP_SEND, OP_WRITE, OP_READ or OP_ATOMIC */
	uint32_t len;
};

struct exchange {
	enum op_mode mode; /* of UET */
	bool uet;          /* |mode| counts */
	const char *link;  /* the state of the link, in a word or two */
	char rules[EXCHANGE_RULES]; /* lines as for "rung bridge --rules" */
	struct exchange_op ops[EXCHANGE_OPS];
	size_t n;
};

/*
 * exchange_at makes the |at|-th exchange, from 0, of an initiator that declares
 * decl[0] and a target that declares decl[1].
 * Return: false if there are no more.
 */
bool exchange_at(const struct decl *const decl[2], enum family family,
		 size_t at, struct exchange *ret);

/*
 * exchange_simple makes the |at|-th shorter exchange, from 0, the shortest
 * first: one operation of |e|, on a clean link or with one rule of |e| for one
 * packet.
 * Return: false if there are no more.
 */
bool exchange_simple(const struct exchange *e, size_t at, struct exchange *ret);

/* exchange_without removes operation |at|.  False if it is the last one. */
bool exchange_without(const struct exchange *e, size_t at,
		      struct exchange *ret);

/* exchange_print appends "rud: send 64, read 3077; drop > any nth=1". */
void exchange_print(struct text *t, const struct exchange *e);

/* exchange_verb returns "send", "write", "read" or "atomic". */
const char *exchange_verb(enum op_kind kind);

#endif
