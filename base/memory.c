/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/memory.c -- malloc() and its relatives, with a counter of failed
 * allocations; or a heap of the thread in their place.
 *
 * The counter is atomic, because all threads share it.
 */
#include "base/memory.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/heap.h"

static atomic_ulong shortages;
static _Thread_local struct heap *memory_heap;

void memory_note_short(void)
{
	atomic_fetch_add_explicit(&shortages, 1, memory_order_relaxed);
}

unsigned long memory_shortages(void)
{
	return atomic_load_explicit(&shortages, memory_order_relaxed);
}

static void *memory_noted(void *p, size_t size)
{
	if (!p && size)
		memory_note_short();
	return p;
}

struct heap *memory_use(struct heap *h)
{
	struct heap *before = memory_heap;

	memory_heap = h;
	return before;
}

void *memory_alloc(size_t size)
{
	return memory_noted(memory_heap ? heap_take(memory_heap, size)
					: malloc(size),
			    size);
}

static void *memory_zeroed(size_t n, size_t size)
{
	void *p;

	if (size && n > SIZE_MAX / size)
		return NULL;
	p = heap_take(memory_heap, n * size);
	return p ? memset(p, 0, n * size) : NULL;
}

void *memory_calloc(size_t n, size_t size)
{
	return memory_noted(memory_heap ? memory_zeroed(n, size)
					: calloc(n, size),
			    n && size);
}

/* A block of the C library stays one. */
static void *memory_regrown(void *p, size_t size)
{
	const bool own = p && heap_owns(memory_heap, p);
	void *more;

	if (p && !own)
		return realloc(p, size);
	more = heap_take(memory_heap, size);
	if (!more || !p)
		return more;
	memcpy(more, p, heap_size_of(p) < size ? heap_size_of(p) : size);
	heap_give(memory_heap, p);
	return more;
}

void *memory_realloc(void *p, size_t size)
{
	return memory_noted(
		memory_heap ? memory_regrown(p, size) : realloc(p, size), size);
}

/* All blocks of a heap begin with a cache line, which is enough for rung. */
void *memory_aligned_alloc(size_t align, size_t size)
{
	return memory_noted(memory_heap ? heap_take(memory_heap, size)
					: aligned_alloc(align, size),
			    size);
}

void memory_free(void *p)
{
	if (p && memory_heap && heap_owns(memory_heap, p))
		heap_give(memory_heap, p);
	else
		free(p);
}

void memory_clear(void *p, size_t size)
{
	memset(p, 0, size);
}

#ifdef __GLIBC__
#define MMAP_MAX 65536 /* mappings: the default of the library */

void memory_keep(void)
{
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_TOP_PAD, 1 << 20);
	mallopt(M_MMAP_THRESHOLD, 16 << 20);
}

/*
 * Without mappings the library extends its heap, where the block remains after
 * free().  |volatile| keeps the compiler from dropping both calls.
 */
void *memory_reserve(size_t size)
{
	void *volatile p;

	if (size > MEMORY_RESERVE_MAX || !mallopt(M_TRIM_THRESHOLD, INT_MAX) ||
	    !mallopt(M_MMAP_MAX, 0))
		return NULL;
	p = malloc(size);
	free(p);
	mallopt(M_MMAP_MAX, MMAP_MAX);
	return p;
}
#else
void memory_keep(void)
{
}

void *memory_reserve(size_t size)
{
	(void)size;
	return NULL;
}
#endif
