/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/pool.c -- free lists by size class over chunks: a few of 1 MiB, then
 * larger ones.
 */
#include "judge/pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	CHUNK = 1 << 20,
	MANY = 4, /* chunks; after those the source gives larger ones, */
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

static bool is_own(const struct pool_source *s)
{
	return s && s->take && s->give;
}

void *pool_large(const struct pool_source *s, size_t size)
{
	const size_t whole = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	void *block;

	if (is_own(s))
		return s->take(size);
	block = aligned_alloc(ALIGN, whole);
	return block ? memset(block, 0, whole) : NULL;
}

void pool_large_free(const struct pool_source *s, void *block, size_t size)
{
	if (!block)
		return;
	if (is_own(s))
		s->give(block, size);
	else
		free(block);
}

static bool more(struct pool *p)
{
	const bool large = p->nchunks >= MANY && is_own(p->source);
	const size_t size = large ? LARGE : CHUNK;
	struct pool_chunk *c =
		large ? p->source->take(size) : aligned_alloc(ALIGN, size);

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

	return k < POOL_STEPS ? (k + 1u) * POOL_STEP
			      : most << (k - POOL_STEPS + 1);
}

static unsigned class_of(size_t size)
{
	unsigned k = POOL_STEPS;

	if (size <= size_of(POOL_STEPS - 1))
		return size ? (unsigned)((size - 1) / POOL_STEP) : 0;
	while (size_of(k) < size)
		k++;
	return k;
}

/* What is left of the newest chunk is lost: at most a block.  Of a source that
 * gives zeroes a block is nothing else. */
static void *cut(struct pool *p, size_t size, bool *ret_zero)
{
	void *block;

	if (p->left < size && !more(p))
		return NULL;
	block = p->at;
	p->at += size;
	p->left -= size;
	*ret_zero = p->chunks->source;
	return block;
}

void *pool_take(struct pool *p, size_t size)
{
	const unsigned k = class_of(size);
	struct pool_block *block;
	bool zero = false;

	if (k >= POOL_CLASSES)
		return NULL;
	size = size_of(k);
	block = p->idle[k];
	if (block)
		p->idle[k] = block->next;
	else
		block = cut(p, size, &zero);
	if (!block)
		return NULL;
	p->used += size;
	return zero ? block : memset(block, 0, size);
}

void pool_give(struct pool *p, void *block, size_t size)
{
	const unsigned k = class_of(size);
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
			free(c);
	}
	*p = (struct pool){.source = p->source};
}
