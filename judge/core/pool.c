/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/pool.c -- free lists by size class, cut from chunks.  Chunks grow
 * from 12 KiB to 1 MiB, then larger ones follow.
 */
#include "judge/core/pool.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

enum {
	FIRST = 12 << 10, /* bytes of the first chunk */
	DOUBLED = 6,      /* how often the chunk size doubles */
	CHUNK = 1 << 20,  /* largest chunk size in bytes */
	/* number of chunks after which the source gives larger ones */
	MANY = 7,
	LARGE = 4 * CHUNK,
	ALIGN = 64,
};

struct pool_block {
	struct pool_block *next;
};

struct pool_chunk {
	struct pool_chunk *next;
	const struct pool_source *source; /* NULL: the C library */
	size_t size;
};

static bool pool_is_own(const struct pool_source *s)
{
	return s && s->take && s->give;
}

void *pool_large(const struct pool_source *s, size_t size)
{
	const size_t complete = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	void *block;

	if (pool_is_own(s))
		return s->take(size);
	block = memory_aligned_alloc(ALIGN, complete);
	if (block)
		return memset(block, 0, complete);
	return NULL;
}

void pool_large_free(const struct pool_source *s, void *block, size_t size)
{
	if (!block)
		return;
	if (pool_is_own(s))
		s->give(block, size);
	else
		memory_free(block);
}

/* Returns the size of the next chunk, which has room for |need| bytes. */
static size_t pool_chunk_size(const struct pool *p, size_t need)
{
	const size_t size =
		p->nchunks < DOUBLED ? (size_t)FIRST << p->nchunks : CHUNK;

	return size < need + ALIGN ? need + ALIGN : size;
}

/* Adds a chunk.  Return: false if there is no memory. */
static bool pool_more(struct pool *p, size_t need)
{
	const bool large = p->nchunks >= MANY && pool_is_own(p->source);
	const size_t size = large ? LARGE : pool_chunk_size(p, need);
	struct pool_chunk *c = large ? p->source->take(size)
				     : memory_aligned_alloc(ALIGN, size);

	if (!c)
		return false;
	*c = (struct pool_chunk){
		.next = p->chunks,
		.source = large ? p->source : NULL,
		.size = size,
	};
	p->chunks = c;
	p->nchunks++;
	p->at = (uint8_t *)c + ALIGN;
	p->left = size - ALIGN;
	return true;
}

static size_t size_of(unsigned k)
{
	const size_t most = (size_t)POOL_STEPS * POOL_STEP;

	if (k < POOL_STEPS)
		return (k + 1u) * POOL_STEP;
	return most << (k - POOL_STEPS + 1);
}

static unsigned pool_class_of(size_t size)
{
	unsigned k = POOL_STEPS;

	if (size <= size_of(POOL_STEPS - 1))
		return size ? (unsigned)((size - 1) / POOL_STEP) : 0;
	while (size_of(k) < size)
		k++;
	return k;
}

/*
 * Cuts a block from a new chunk; the rest of the old chunk, at most a block, is
 * lost. With a source that returns zeroes the block is zero.
 */
static void *pool_cut(struct pool *p, size_t size, bool *ret_zero)
{
	void *block;

	if (p->left < size && !pool_more(p, size))
		return NULL;
	block = p->at;
	p->at += size;
	p->left -= size;
	*ret_zero = p->chunks->source;
	return block;
}

void *pool_take(struct pool *p, size_t size)
{
	const unsigned k = pool_class_of(size);
	struct pool_block *block;
	bool zero = false;

	if (k >= POOL_CLASSES)
		return NULL;
	size = size_of(k);
	block = p->idle[k];
	if (block)
		p->idle[k] = block->next;
	else
		block = pool_cut(p, size, &zero);
	if (!block)
		return NULL;
	p->used += size;
	if (zero)
		return block;
	return memset(block, 0, size);
}

const void *pool_next(const struct pool *p, size_t size)
{
	const unsigned k = pool_class_of(size);

	if (k >= POOL_CLASSES)
		return NULL;
	if (p->idle[k])
		return p->idle[k];
	return p->left < size_of(k) ? NULL : p->at;
}

void pool_give(struct pool *p, void *block, size_t size)
{
	const unsigned k = pool_class_of(size);
	struct pool_block *b = block;

	if (!b)
		return;
	p->used -= size_of(k);
	b->next = p->idle[k];
	p->idle[k] = b;
}

void pool_free(struct pool *p)
{
	while (p->chunks) {
		struct pool_chunk *c = p->chunks;

		p->chunks = c->next;
		if (c->source)
			c->source->give(c, c->size);
		else
			memory_free(c);
	}
	*p = (struct pool){.source = p->source};
}
