/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/lex/parse_array.h -- arrays on the arena of a case that is being
 * parsed.
 */
#ifndef SUITE_LANG_LEX_PARSE_ARRAY_H
#define SUITE_LANG_LEX_PARSE_ARRAY_H

#include "suite/lang/parse_state.h"

/*
 * parse_grow makes room for one more element in an array of |n|; NULL without
 * memory.
 */
void *parse_grow(struct parse *p, void *old, size_t n, size_t size);

/* parse_copy copies an array to the arena; NULL without memory. */
void *parse_copy(struct parse *p, const void *from, size_t n, size_t size);

#endif
