/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/mem.c -- allocates the memory of one endpoint.
 */
#include "oracle/core/mem.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define FIRST_CAP 8

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

static struct mem_block *pop(struct mem_block **first)
{
	struct mem_block *block = *first;

	if (block)
		*first = block->next;
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

	return block ? block : mem_new(m, head + n * size);
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
