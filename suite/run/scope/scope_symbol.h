/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_symbol.h -- the symbols of a case and the values of
 * its numbers.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_SYMBOL_H
#define SUITE_RUN_SCOPE_SCOPE_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/space.h"
#include "wire/field.h"

/* scope_find returns a symbol's value; NULL if it is unbound. */
const uint64_t *scope_find(const struct scope *s, const char *symbol);

/*
 * scope_symbol_add appends a symbol that is not bound yet.  Errors: ERR_SPACE
 * there are too many.
 */
int scope_symbol_add(struct scope *s, const struct scope_symbol *symbol);

/* scope_bind sets a symbol.  Errors: ERR_SPACE there are too many. */
int scope_bind(struct scope *s, const char *symbol, uint64_t value);

/*
 * scope_bind_unnamed sets a symbol that stands for the message id of a request
 * whose header has none: its value is 0, and the message is identified by
 * |psn|, the request's PSN or pkt_id.  Errors: ERR_SPACE there are too many.
 */
int scope_bind_unnamed(struct scope *s, const char *symbol, uint32_t psn);

/*
 * scope_unnamed returns whether a symbol was bound by scope_bind_unnamed(), and
 * its PSN.
 */
bool scope_unnamed(const struct scope *s, const char *symbol,
		   uint32_t *ret_psn);

/*
 * scope_bind_message sets a symbol to the message id in a request with |psn|.
 * A later message may have the same id.  Errors: ERR_SPACE there are too many.
 */
int scope_bind_message(struct scope *s, const char *symbol, uint64_t id,
		       uint32_t psn);

/*
 * scope_message returns whether a symbol was bound by scope_bind_message(), and
 * its PSN.
 */
bool scope_message(const struct scope *s, const char *symbol,
		   uint32_t *ret_psn);

/*
 * scope_type returns the packet type of a line: in "each", that of the packet's
 * place in its message.
 */
const char *scope_type(const struct scope *s, const char *type);

/*
 * scope_number evaluates a number in the PSN space |space|.
 * Return: true and *ret; false if its symbol is not bound.
 */
bool scope_number(const struct scope *s, const struct number *n,
		  enum psn_space space, uint64_t *ret);

/* scope_number_of does the same for a line of another PDC. */
bool scope_number_of(const struct scope *s, const char *pdc,
		     const struct number *n, enum psn_space space,
		     uint64_t *ret);

/* scope_number_at does the same for the PDC with that index. */
bool scope_number_at(const struct scope *s, uint8_t pdc, const struct number *n,
		     enum psn_space space, uint64_t *ret);

/*
 * scope_wrap reduces a number with a symbol to a field's width; a PDCID skips
 * 0, which means no PDC.  |f| NULL: a number without a field.
 */
uint64_t scope_wrap(const struct field *f, const struct number *n, uint64_t v);

#endif
