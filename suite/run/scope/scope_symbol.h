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

/* scope_find is a symbol's value; NULL: it is not bound. */
const uint64_t *scope_find(const struct scope *s, const char *symbol);

/* scope_bind sets a symbol.  Errors: ERR_SPACE there are too many. */
int scope_bind(struct scope *s, const char *symbol, uint64_t value);

/*
 * scope_bind_unnamed sets a symbol that stands for the message id of a request
 * whose header has none: its value is 0, and |psn|, the request's PSN or
 * pkt_id, names the message.  Errors: ERR_SPACE there are too many.
 */
int scope_bind_unnamed(struct scope *s, const char *symbol, uint32_t psn);

/* scope_unnamed returns whether a symbol is such a one, and its PSN. */
bool scope_unnamed(const struct scope *s, const char *symbol,
		   uint32_t *ret_psn);

/*
 * scope_number evaluates a number of a field that lies in |space|.
 * Return: true and *ret; false if its symbol is not bound.
 */
bool scope_number(const struct scope *s, const struct number *n,
		  enum psn_space space, uint64_t *ret);

/* scope_number_of is the same for the numbers of another PDC's line. */
bool scope_number_of(const struct scope *s, const char *pdc,
		     const struct number *n, enum psn_space space,
		     uint64_t *ret);

/* scope_number_at is the same for the PDC at that place. */
bool scope_number_at(const struct scope *s, uint8_t pdc, const struct number *n,
		     enum psn_space space, uint64_t *ret);

/*
 * scope_wrap is a number with a symbol as a value of a field: modulo its width,
 * and a PDCID passes over 0, which stands for no PDC.  |f| NULL: a sum that has
 * no field of its own.
 */
uint64_t scope_wrap(const struct field *f, const struct number *n, uint64_t v);

#endif
