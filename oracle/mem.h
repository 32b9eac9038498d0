/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/mem.h -- the memory of one endpoint.
 *
 * Every allocation of an endpoint passes here, so that a refusal is remembered
 * in one place: the machine at hand lets go of the packet, as if the network
 * had lost it, and the next feed or post returns ERR_NOMEM.  Tests refuse each
 * allocation in turn.
 */
#ifndef ORACLE_MEM_H
#define ORACLE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What a PDC needs only while something is under way rests here between two
 * uses, by kind and size.  The last block given back is the first taken, since
 * it is still in the cache: with many PDCs that is most of what a packet costs.
 */
enum mem_kind {
	MEM_INFLIGHT, /* struct inflight_ring */
	MEM_DST,      /* struct dst_ring */
	MEM_RCVD,     /* struct rcvd_map */
	MEM_KINDS,
};

#define MEM_CLASSES 32 /* sizes are powers of two: class n is 2^n elements */

/* The first member of such a block. */
struct mem_block {
	struct mem_block *next;
};

struct mem {
	uint64_t calls;   /* allocations asked for so far */
	uint64_t fail_at; /* tests: the call to refuse; 0: none */
	bool failed;      /* one was refused and nobody has been told */
	struct mem_block *resting[MEM_KINDS][MEM_CLASSES];
};

#define CACHE_LINE 64

/*
 * mem_expect says that |size| bytes will be needed soon: all of their lines at
 * once instead of one after the other.
 */
static inline void mem_expect(const void *p, size_t size)
{
	for (size_t at = 0; at < size; at += CACHE_LINE)
		__builtin_prefetch((const char *)p + at, 1);
}

/* mem_take is a block of |n| elements that rests; NULL: there is none. */
void *mem_take(struct mem *m, enum mem_kind kind, size_t n);

/*
 * mem_ring is such a block, or if none rests a zeroed one: |head| bytes and |n|
 * elements of |size|.  NULL: no memory.
 */
void *mem_ring(struct mem *m, enum mem_kind kind, size_t n, size_t head,
	       size_t size);

/* mem_give lets a block rest, as it is. */
void mem_give(struct mem *m, enum mem_kind kind, size_t n,
	      struct mem_block *block);

/* mem_drain takes any block of a kind that rests; NULL: there is none. */
void *mem_drain(struct mem *m, enum mem_kind kind);

/* mem_new is |size| zeroed bytes; NULL: no memory.  free() gives them back. */
void *mem_new(struct mem *m, size_t size);

/*
 * mem_grow makes an array at least |need| elements of |size| bytes long.
 *
 * Return: the array, at its old or at a new place, new elements zeroed and
 *         *cap updated; NULL: no memory, |p| and *cap are as they were.
 */
void *mem_grow(struct mem *m, void *p, size_t *cap, size_t need, size_t size);

#endif
