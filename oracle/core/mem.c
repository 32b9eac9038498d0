/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/mem.c -- allocates the memory of one endpoint.
 */
#include "oracle/core/mem.h"

#include <string.h>

#include "base/memory.h"

#define FIRST_CAP 8

#define FIRST_BYTES 16
#define CHUNK       2048

static bool mem_refused(struct mem *m)
{
	return ++m->calls == m->fail_at;
}

static void *mem_told(struct mem *m, void *p)
{
	if (!p)
		m->failed = true;
	return p;
}

void *mem_new(struct mem *m, size_t size)
{
	return mem_told(m, mem_refused(m) ? NULL : memory_calloc(1, size));
}

void *mem_lines(struct mem *m, size_t size)
{
	const size_t whole = (size + CACHE_LINE - 1) & ~(CACHE_LINE - 1u);
	void *p = mem_told(
		m, mem_refused(m) ? NULL
				  : memory_aligned_alloc(CACHE_LINE, whole));

	return p ? memset(p, 0, whole) : NULL;
}

void *mem_raw(struct mem *m, size_t size)
{
	return mem_told(m, mem_refused(m) ? NULL : memory_alloc(size));
}

void *mem_grow(struct mem *m, void *p, size_t *cap, size_t need, size_t size)
{
	size_t n = *cap ? *cap : FIRST_CAP;

	if (need <= *cap)
		return p;
	while (n < need)
		n *= 2;
	p = mem_told(m, mem_refused(m) ? NULL : memory_realloc(p, n * size));
	if (!p)
		return NULL;
	memset((char *)p + *cap * size, 0, (n - *cap) * size);
	*cap = n;
	return p;
}

/* Adds a chunk; the rest of the one before, less than a block, is lost. */
static bool mem_more(struct mem *m)
{
	struct mem_chunk *c = mem_told(
		m, mem_refused(m) ? NULL : memory_alloc(sizeof(*c) + CHUNK));

	if (!c)
		return false;
	c->next = m->chunks;
	m->chunks = c;
	m->at = c->bytes;
	m->left = CHUNK;
	return true;
}

static uint8_t *mem_cut(struct mem *m, size_t size)
{
	uint8_t *p;

	if (m->left < size && !mem_more(m))
		return NULL;
	p = m->at;
	m->at += size;
	m->left -= size;
	return p;
}

uint8_t *mem_bytes(struct mem *m, uint8_t *p, size_t *cap, size_t need)
{
	size_t n = *cap ? *cap : FIRST_BYTES;
	uint8_t *bytes;

	if (need <= *cap)
		return p;
	while (n < need)
		n *= 2;
	bytes = n <= MEM_SMALL ? mem_cut(m, n) : mem_raw(m, n);
	if (!bytes)
		return NULL;
	mem_bytes_free(p, *cap);
	*cap = n;
	return bytes;
}

void mem_bytes_free(uint8_t *p, size_t cap)
{
	if (cap > MEM_SMALL)
		memory_free(p);
}

void mem_free(struct mem *m)
{
	while (m->chunks) {
		struct mem_chunk *c = m->chunks;

		m->chunks = c->next;
		memory_free(c);
	}
	m->left = 0;
}

/*
 * Prefetches the first two lines of a block, which a ring of few elements
 * needs: a block that was returned long ago is not in the cache.
 */
FETCHES mem_expect_block(const struct mem_block *block)
{
	if (block)
		mem_expect(block, 2 * (size_t)CACHE_LINE);
}

void mem_expect_pools(const struct mem *m)
{
	for (unsigned kind = 0; kind < MEM_KINDS; kind++)
		for (unsigned i = 0; i < MEM_EXPECTED; i++)
			mem_expect_block(m->resting[kind][i]);
}

static struct mem_block *pop(struct mem_block **first)
{
	struct mem_block *block = *first;

	if (!block)
		return NULL;
	*first = block->next;
	mem_expect_block(*first);
	return block;
}

void *mem_take(struct mem *m, enum mem_kind kind, size_t n)
{
	return pop(&m->resting[kind][__builtin_ctzll(n)]);
}

void *mem_ring(struct mem *m, enum mem_kind kind, size_t n, size_t head,
	       size_t size)
{
	void *block = mem_take(m, kind, n);

	return block ? block : mem_lines(m, head + n * size);
}

void mem_give(struct mem *m, enum mem_kind kind, size_t n,
	      struct mem_block *block)
{
	struct mem_block **first = &m->resting[kind][__builtin_ctzll(n)];

	block->next = *first;
	*first = block;
}

void *mem_drain(struct mem *m, enum mem_kind kind)
{
	for (unsigned i = 0; i < MEM_CLASSES; i++)
		if (m->resting[kind][i])
			return pop(&m->resting[kind][i]);
	return NULL;
}
