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

struct mem {
	uint64_t calls;   /* allocations asked for so far */
	uint64_t fail_at; /* tests: the call to refuse; 0: none */
	bool failed;      /* one was refused and nobody has been told */
};

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
