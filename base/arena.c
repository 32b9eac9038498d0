/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/arena.c -- an arena allocator: blocks in a list, the newest first.  The
 * first has 4 KiB at least, and each next one twice as much up to 64 KiB.
 *
 * Memory is zeroed and aligned for any type.  A single allocation is never
 * freed: arena_back() returns to an earlier state of the arena and frees all
 * newer blocks.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define ARENA_BLOCK 4096
#define ARENA_MOST  65536

struct arena_block {
	struct arena_block *next;
	size_t size;
	alignas(max_align_t) unsigned char bytes[];
};

/* Returns the size of a new block that has room for |size|. */
static size_t arena_room(const struct arena *a, size_t size)
{
	size_t room = ARENA_BLOCK;

	if (a->first)
		room = 2 * a->first->size;
	if (room > ARENA_MOST)
		room = ARENA_MOST;
	return size > room ? size : room;
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t align = alignof(max_align_t);
	unsigned char *p;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + align - 1) / align * align;
	if (!a->first || a->first->size - a->used < size) {
		size_t room = arena_room(a, size);
		struct arena_block *b = memory_alloc(sizeof(*b) + room);

		if (!b)
			return NULL;
		b->next = a->first;
		b->size = room;
		a->first = b;
		a->used = 0;
	}
	p = a->first->bytes + a->used;
	a->used += size;
	return memset(p, 0, size);
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p = arena_alloc(a, len + 1);

	if (p)
		memcpy(p, s, len);
	return p;
}

void arena_back(struct arena *a, struct arena then)
{
	while (a->first != then.first) {
		struct arena_block *b = a->first;

		a->first = b->next;
		free(b);
	}
	a->used = then.used;
}

void arena_free(struct arena *a)
{
	arena_back(a, (struct arena){0});
}
