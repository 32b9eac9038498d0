/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/memory.h -- allocation that counts its failures.
 *
 * All code of rung allocates with these functions.  Code that builds texts,
 * JSON and records does not test each allocation.  A failed allocation is
 * counted instead, and the code that writes a result or ends the program reads
 * the count.  It does not write a result that may be incomplete, and the exit
 * code reports it.
 *
 * All threads share the count, and it never decreases.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* memory_note_short counts a failed allocation.  Any thread may call it. */
void memory_note_short(void);

/*
 * memory_shortages returns how many allocations failed since the start.  If the
 * number is the same before and after, everything that was built in between is
 * complete.
 */
unsigned long memory_shortages(void);

/*
 * These are malloc(), calloc(), realloc() and aligned_alloc(); each failure is
 * counted.
 *
 * Owner:  the caller, who calls free(), or memory_free() for memory that may be
 *         part of a heap.
 *
 * Return: NULL if there is no memory; memory_realloc then leaves |p| unchanged.
 */
void *memory_alloc(size_t size);
void *memory_calloc(size_t n, size_t size);
void *memory_realloc(void *p, size_t size);
void *memory_aligned_alloc(size_t align, size_t size);

/* memory_free is free(), of memory of the heap in use as well. */
void memory_free(void *p);

/*
 * memory_use lets this thread allocate from a heap (base/heap.h) from now on;
 * NULL: from the C library.  An object of a heap may grow and be freed only
 * while the heap is in use.
 *
 * Return: the heap that was in use before, or NULL.
 */
struct heap;
struct heap *memory_use(struct heap *h);

/*
 * memory_clear sets |size| bytes to zero.  To clear a structure of some hundred
 * bytes, the compiler takes an instruction ("rep stos") that needs longer to
 * begin than the C library needs in all.
 */
void memory_clear(void *p, size_t size);

/*
 * memory_keep keeps freed memory, up to some megabytes, for the allocations
 * that follow: a case gives back what the next one takes.  It does nothing but
 * with the GNU C library.
 */
void memory_keep(void);

/*
 * memory_reserve takes |size| bytes from the system at once, for the
 * allocations that follow, and keeps freed memory until the program ends.  The
 * bytes are not touched.  It does nothing but with the GNU C library, without
 * sanitizers, and up to MEMORY_RESERVE_MAX.
 *
 * Return: the first byte; NULL if nothing was reserved, which is no shortage.
 */
#define MEMORY_RESERVE_MAX ((size_t)1 << 30)
void *memory_reserve(size_t size);

#endif
