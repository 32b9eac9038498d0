/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/pool.h -- blocks of memory in sizes that double, cut from large chunks.
 *
 * A flow takes what it needs as it grows and gives it back when it is over, so
 * that a million idle flows cost nothing but their heads, and no packet asks
 * the system for memory.
 */
#ifndef JUDGE_POOL_H
#define JUDGE_POOL_H

#include <stddef.h>
#include <stdint.h>

enum {
	POOL_LEAST = 256, /* bytes, the smallest block */
	POOL_CLASSES = 9, /* up to 64 KiB */
};

struct pool_block;
struct pool_chunk;

struct pool {
	struct pool_block *idle[POOL_CLASSES];
	struct pool_chunk *chunks;
	uint8_t *at;
	size_t left; /* in the newest chunk */
	size_t used; /* bytes of blocks that were given out */
};

/*
 * pool_take gives a block of zeroes of at least |size| bytes, aligned to 64.
 * Return: NULL if there is no memory, or |size| is more than 64 KiB.
 */
void *pool_take(struct pool *p, size_t size);

/* pool_give takes a block back; |size| as it was taken, |block| may be NULL. */
void pool_give(struct pool *p, void *block, size_t size);

/* pool_free gives all back to the system, blocks in use as well. */
void pool_free(struct pool *p);

#endif
