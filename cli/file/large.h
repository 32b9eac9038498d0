/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/large.h -- memory in large blocks, on large pages if the system has
 * them.  With a million flows, TLB misses on small pages would dominate.
 */
#ifndef CLI_FILE_LARGE_H
#define CLI_FILE_LARGE_H

#include "judge/core/pool.h"

/* The value for judge_conf.memory. */
extern const struct pool_source large_memory;

/*
 * large_heap puts the next |size| bytes that the C library allocates on large
 * pages, if it can; of more than 1 GiB the first.  The system then clears 2 MiB
 * at each page fault, and there are fewer TLB misses.
 */
void large_heap(size_t size);

#endif
