/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/mem.h -- allocates the memory of one endpoint.
 *
 * Every allocation of an endpoint passes here, so that a failure is recorded in
 * one place: the machine drops the packet, as if the network had lost it, and
 * the next feed or post returns ERR_NOMEM.  Tests fail each allocation in turn.
 */
#ifndef ORACLE_CORE_MEM_H
#define ORACLE_CORE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"

/*
 * Pools of the blocks that a PDC needs only while packets are in flight, by
 * kind and size.  The last block returned is the first taken, since it is still
 * in the cache: with many PDCs cache misses dominate the cost of a packet.
 */
enum mem_kind {
	MEM_INFLIGHT, /* struct inflight_ring */
	MEM_DST,      /* struct dst_ring */
	MEM_RCVD,     /* struct rcvd_map */
	MEM_KINDS,
};

#define MEM_CLASSES 32 /* sizes are powers of two: class n has 2^n elements */

/* The first member of a pooled block. */
struct mem_block {
	struct mem_block *next;
};

/* Memory for small blocks, cut one after the other. */
struct mem_chunk {
	struct mem_chunk *next;
	uint8_t bytes[];
};

/* Blocks of at most so many bytes are cut from chunks. */
#define MEM_SMALL 256

struct mem {
	uint64_t calls; /* allocations so far */
	/* tests: the number of the allocation that fails; 0: none */
	uint64_t fail_at;
	/* an allocation failed and this was not reported yet */
	bool failed;
	struct mem_block *resting[MEM_KINDS][MEM_CLASSES];
	struct mem_chunk *chunks;
	size_t left; /* free bytes of the first chunk */
	uint8_t *at; /* the first of them */
};

/*
 * mem_expect prefetches all cache lines of |size| bytes at once instead of one
 * after the other.  They need not begin with a cache line; |p| may be NULL.
 */
FETCHES mem_expect(const void *p, size_t size)
{
	const uintptr_t from = (uintptr_t)p;

	for (size_t at = 0; at < size; at += CACHE_LINE)
		__builtin_prefetch((const void *)(from + at), 1);
	__builtin_prefetch((const void *)(from + size - 1), 1);
}

/*
 * mem_take returns an unused block of |n| elements from the pool; NULL if there
 * is none.
 */
void *mem_take(struct mem *m, enum mem_kind kind, size_t n);

/*
 * mem_ring returns a block from the pool, or a zeroed one: |head| bytes and |n|
 * elements of |size|, from the start of a cache line.  NULL if there is no
 * memory.
 */
void *mem_ring(struct mem *m, enum mem_kind kind, size_t n, size_t head,
	       size_t size);

/* mem_give returns a block to the pool, with its contents. */
void mem_give(struct mem *m, enum mem_kind kind, size_t n,
	      struct mem_block *block);

/* Blocks of fewer classes are prefetched: larger ones are rare. */
#define MEM_EXPECTED 8

/*
 * mem_expect_kinds prefetches where the pools begin; mem_expect_pools then the
 * blocks that mem_take would return first.
 */
FETCHES mem_expect_kinds(const struct mem *m)
{
	for (unsigned kind = 0; kind < MEM_KINDS; kind++)
		mem_expect(m->resting[kind],
			   MEM_EXPECTED * sizeof(m->resting[kind][0]));
	mem_expect(&m->chunks, CACHE_LINE);
}
void mem_expect_pools(const struct mem *m);

/* mem_drain removes a block of a kind from the pool; NULL if there is none. */
void *mem_drain(struct mem *m, enum mem_kind kind);

/*
 * mem_new returns |size| zeroed bytes for memory_free(); NULL if there is no
 * memory.
 */
void *mem_new(struct mem *m, size_t size);

/* mem_lines is mem_new from the start of a cache line. */
void *mem_lines(struct mem *m, size_t size);

/* mem_raw is mem_new without zeros. */
void *mem_raw(struct mem *m, size_t size);

/*
 * mem_grow makes an array at least |need| elements of |size| bytes long.
 *
 * Return: the array, moved or not, new elements zeroed and *cap updated; NULL
 * if there is no memory, |p| and *cap are then unchanged.
 */
void *mem_grow(struct mem *m, void *p, size_t *cap, size_t need, size_t size);

/*
 * mem_bytes makes the buffer |p| of a slot at least |need| bytes long.  Its
 * contents are lost.  Small buffers are cut from chunks: those of adjacent
 * slots stand together, and mem_free() frees them all at once.
 *
 * Return: the buffer, moved or not, and *cap updated, a power of two; NULL if
 * there is no memory, |p| and *cap are then unchanged.
 */
uint8_t *mem_bytes(struct mem *m, uint8_t *p, size_t *cap, size_t need);

/* mem_bytes_free frees a buffer, unless a chunk holds it. */
void mem_bytes_free(uint8_t *p, size_t cap);

/* mem_free frees the chunks. */
void mem_free(struct mem *m);

#endif
