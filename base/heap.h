/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/heap.h -- the memory of a group of objects.  A program copies all of
 * them at once, and brings them back later.
 *
 * While a thread uses a heap, memory_alloc() and its relatives take from it.
 * All pointers between objects of one heap stay right when an earlier copy
 * comes back, since each object is at the same address again.
 *
 * Most of a heap never changes between two copies, so that a copy holds only
 * the lines of 64 bytes that ever changed.  The heap keeps an image of all
 * others.  heap_save() and heap_back() compare each of them with it, and a line
 * that differs joins those that are copied.  So no change is missed, and a copy
 * is as good as one of all bytes.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap;

/* A copy; zero-initialise it, and free it with heap_copy_free. */
struct heap_copy {
	uint8_t *v;
	size_t n, cap; /* lines */
};

/*
 * heap_new makes a heap for at most |room| bytes.  The heap itself is not part
 * of any heap. Errors: ERR_NOMEM.
 */
int heap_new(struct heap **ret, size_t room);

/* heap_free frees a heap with all objects in it.  NULL is allowed. */
void heap_free(struct heap *h);

/* The calls of base/memory.h; heap_take returns NULL if there is no room. */
void *heap_take(struct heap *h, size_t size);
void heap_give(struct heap *h, void *p);
bool heap_owns(const struct heap *h, const void *p);
size_t heap_size_of(const void *p);

/*
 * heap_save copies what the heap holds now to |c|.
 *
 * Errors: ERR_NOMEM; |c| is of no use then.
 */
int heap_save(struct heap *h, struct heap_copy *c);

/* heap_back brings back what the heap held when |c| was saved. */
void heap_back(struct heap *h, const struct heap_copy *c);

void heap_copy_free(struct heap_copy *c);

#endif
