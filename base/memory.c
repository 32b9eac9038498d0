/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/memory.c -- malloc() and its relatives, with a counter of failed
 * allocations.
 *
 * The counter is atomic, because all threads share it.
 */
#include "base/memory.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static atomic_ulong shortages;

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

void *memory_alloc(size_t size)
{
	return memory_noted(malloc(size), size);
}

void *memory_calloc(size_t n, size_t size)
{
	return memory_noted(calloc(n, size), n && size);
}

void *memory_realloc(void *p, size_t size)
{
	return memory_noted(realloc(p, size), size);
}

void *memory_aligned_alloc(size_t align, size_t size)
{
	return memory_noted(aligned_alloc(align, size), size);
}

void memory_clear(void *p, size_t size)
{
	memset(p, 0, size);
}

#ifdef __GLIBC__
#define MMAP_MAX 65536 /* mappings: the default of the library */

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
void *memory_reserve(size_t size)
{
	(void)size;
	return NULL;
}
#endif
