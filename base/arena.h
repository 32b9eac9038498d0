/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/arena.h -- memory that is allocated piece by piece and freed all at
 * once.
 *
 * A parser allocates all that it builds from one arena.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

/* Zero-initialise a struct arena to make an empty one. */
struct arena {
	struct arena_block *first;
	size_t used;
};

/*
 * arena_alloc returns |size| zeroed bytes, aligned for any type; NULL if there
 * is no memory.
 */
void *arena_alloc(struct arena *a, size_t size);

/*
 * arena_strndup returns a NUL-terminated copy of |len| characters; NULL if
 * there is no memory.
 */
char *arena_strndup(struct arena *a, const char *s, size_t len);

/* arena_back frees everything that was allocated since |then|, a copy of *a. */
void arena_back(struct arena *a, struct arena then);

/* arena_free frees all blocks and leaves an empty arena. */
void arena_free(struct arena *a);

#endif
