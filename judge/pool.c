/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/pool.c -- free lists by size class over chunks of 1 MiB.
 */
#include "judge/pool.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20, ALIGN = 64 };

struct pool_block {
	struct pool_block *next;
};

struct pool_chunk {
	struct pool_chunk *next;
};

static unsigned class_of(size_t size)
{
	unsigned k = 0;

	while (((size_t)POOL_LEAST << k) < size)
		k++;
	return k;
}

/* What is left of the newest chunk is lost: at most a block. */
static void *cut(struct pool *p, size_t size)
{
	struct pool_chunk *c;
	void *block;

	if (p->left < size) {
		c = aligned_alloc(ALIGN, CHUNK);
		if (!c)
			return NULL;
		c->next = p->chunks;
		p->chunks = c;
		p->at = (uint8_t *)c + ALIGN;
		p->left = CHUNK - ALIGN;
	}
	block = p->at;
	p->at += size;
	p->left -= size;
	return block;
}

void *pool_take(struct pool *p, size_t size)
{
	const unsigned k = class_of(size);
	struct pool_block *block;

	if (k >= POOL_CLASSES)
		return NULL;
	size = (size_t)POOL_LEAST << k;
	block = p->idle[k];
	if (block)
		p->idle[k] = block->next;
	else
		block = cut(p, size);
	if (!block)
		return NULL;
	p->used += size;
	return memset(block, 0, size);
}

void pool_give(struct pool *p, void *block, size_t size)
{
	const unsigned k = class_of(size);
	struct pool_block *b = block;

	if (!b)
		return;
	p->used -= (size_t)POOL_LEAST << k;
	b->next = p->idle[k];
	p->idle[k] = b;
}

void pool_free(struct pool *p)
{
	while (p->chunks) {
		struct pool_chunk *c = p->chunks;

		p->chunks = c->next;
		free(c);
	}
	*p = (struct pool){0};
}
