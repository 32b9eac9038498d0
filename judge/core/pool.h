/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/pool.h -- blocks of memory cut from large chunks: small ones in
 * steps of a cache line, larger ones in sizes that double.
 *
 * A flow takes memory as it grows and returns it when it ends, so that a
 * million idle flows need memory only for their headers, and no packet causes a
 * system call for memory.
 */
#ifndef JUDGE_CORE_POOL_H
#define JUDGE_CORE_POOL_H

#include <stddef.h>
#include <stdint.h>

enum {
	POOL_STEP = 64,                /* bytes of the smallest block */
	POOL_STEPS = 32,               /* sizes up to 2 KiB */
	POOL_CLASSES = POOL_STEPS + 5, /* sizes up to 64 KiB */
};

struct pool_block;
struct pool_chunk;

/*
 * A source of large blocks.  take returns zeroed memory, aligned to 64, or
 * NULL.  NULL for either function: the C library.
 */
struct pool_source {
	void *(*take)(size_t size);
	void (*give)(void *block, size_t size);
};

/*
 * pool_large and pool_large_free allocate and free a large zeroed block,
 * aligned to 64; |s| may be NULL and must be the same for both.
 */
void *pool_large(const struct pool_source *s, size_t size);
void pool_large_free(const struct pool_source *s, void *block, size_t size);

struct pool {
	struct pool_block *idle[POOL_CLASSES];
	struct pool_chunk *chunks;
	size_t nchunks;
	/* source of all chunks except the first few */
	const struct pool_source *source;
	uint8_t *at;
	size_t left; /* bytes left in the newest chunk */
	size_t used; /* bytes of blocks in use */
};

/*
 * pool_take returns a zeroed block of at least |size| bytes, aligned to 64.
 *
 * Return: NULL if there is no memory, or |size| is more than 64 KiB.
 */
void *pool_take(struct pool *p, size_t size);

/*
 * pool_next returns the block that the next pool_take of that size would
 * return, or NULL if it is not known yet; for a prefetch alone.
 */
const void *pool_next(const struct pool *p, size_t size);

/*
 * pool_give returns a block to the pool; |size| as in pool_take, |block| may be
 * NULL.
 */
void pool_give(struct pool *p, void *block, size_t size);

/* pool_free frees all memory, blocks in use included. */
void pool_free(struct pool *p);

#endif
