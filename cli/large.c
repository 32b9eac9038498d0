/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/large.c -- anonymous mappings, aligned to a large page.
 */
#include "cli/large.h"

#include <stdint.h>
#include <sys/mman.h>

#define PAGE ((size_t)2 << 20)

static size_t whole(size_t size)
{
	return (size + PAGE - 1) & ~(PAGE - 1);
}

/* Small blocks need no such pages, nor would they fill one. */
static size_t length(size_t size)
{
	return size < PAGE ? size : whole(size);
}

static void *take(size_t size)
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

static void give(void *block, size_t size)
{
	munmap(block, length(size));
}

const struct pool_source large_memory = {take, give};
