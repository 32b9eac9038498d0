/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/lex/parse_array.c -- arrays on the arena of a case that is being
 * parsed.
 */
#include "suite/lang/lex/parse_array.h"

#include <string.h>

#include "suite/lang/parse_state.h"

void *parse_grow(struct parse *p, void *old, size_t n, size_t size)
{
	void *more;

	if (n & (n - 1)) /* room was made for the next power of two */
		return old;
	more = arena_alloc(p->arena, (n ? 2 * n : 1) * size);
	if (more && n)
		memcpy(more, old, n * size);
	return more;
}

void *parse_copy(struct parse *p, const void *from, size_t n, size_t size)
{
	void *copy = arena_alloc(p->arena, n * size);

	if (copy && n)
		return memcpy(copy, from, n * size);
	return copy;
}
