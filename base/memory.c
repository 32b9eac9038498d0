/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/memory.c -- malloc() and its relatives, with a counter of failed
 * allocations.
 *
 * The counter is atomic, because all threads share it.
 */
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

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
