/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/pool.h -- blocks of memory, cut from large chunks: small ones in steps
 * of a cache line, larger ones in sizes that double.
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
	POOL_STEP = 64,                /* bytes, the smallest block */
	POOL_STEPS = 32,               /* up to 2 KiB */
	POOL_CLASSES = POOL_STEPS + 5, /* up to 64 KiB */
};

struct pool_block;
struct pool_chunk;

/*
 * Where large blocks come from, many at a time as flows become many: take gives
 * zeroes, aligned to 64, or NULL.  NULL in the place of either: the C library.
 */
struct pool_source {
	void *(*take)(size_t size);
	void (*give)(void *block, size_t size);
};

/* pool_large and pool_large_free get and give back a large block of zeroes,
 * aligned to 64; |s| may be NULL, and what it says is the same for both. */
void *pool_large(const struct pool_source *s, size_t size);
void pool_large_free(const struct pool_source *s, void *block, size_t size);

struct pool {
	struct pool_block *idle[POOL_CLASSES];
	struct pool_chunk *chunks;
	size_t nchunks;
	const struct pool_source *source; /* of all but the first few */
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
