/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/arena.h -- memory that lives and dies together.
 *
 * What a parser builds hangs on one arena and is freed at once.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

/* Zero-initialise to make one. */
struct arena {
	struct arena_block *first;
	size_t used;
};

/* arena_alloc is |size| zeroed bytes, aligned for anything; NULL: no memory. */
void *arena_alloc(struct arena *a, size_t size);

/* arena_strndup copies |len| characters and ends them; NULL: no memory. */
char *arena_strndup(struct arena *a, const char *s, size_t len);

/* arena_free frees all of it and leaves an empty arena. */
void arena_free(struct arena *a);

#endif
