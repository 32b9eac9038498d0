/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/large.c -- allocates anonymous mappings, aligned to a large page.
 */
#include "cli/file/large.h"

#include <stdint.h>
#include <sys/mman.h>

#include "base/memory.h"

#define PAGE ((size_t)2 << 20)

static size_t whole(size_t size)
{
	return (size + PAGE - 1) & ~(PAGE - 1);
}

/* Small blocks do not need large pages, nor fill one. */
static size_t length(size_t size)
{
	if (size < PAGE)
		return size;
	return whole(size);
}

static void *large_take(size_t size)
{
	const size_t n = length(size), slack = size < PAGE ? 0 : PAGE;
	uint8_t *p = mmap(NULL, n + slack, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	if (p == MAP_FAILED)
		return NULL;
	if (!slack)
		return p;
	before = -(uintptr_t)p & (PAGE - 1);
	if (before)
		munmap(p, before);
	if (before < slack)
		munmap(p + before + n, slack - before);
#ifdef MADV_HUGEPAGE
	madvise(p + before, n, MADV_HUGEPAGE);
#endif
	return p + before;
}

void large_heap(size_t size)
{
	const size_t n = size < MEMORY_RESERVE_MAX ? size : MEMORY_RESERVE_MAX;
	uint8_t *p = memory_reserve(n);
	const size_t before = -(uintptr_t)p & (PAGE - 1);

	if (!p || n < before + PAGE)
		return;
#ifdef MADV_HUGEPAGE
	madvise(p + before, (n - before) & ~(PAGE - 1), MADV_HUGEPAGE);
#endif
}

static void large_give(void *block, size_t size)
{
	munmap(block, length(size));
}

const struct pool_source large_memory = {large_take, large_give};
