/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/heap.c -- blocks are cut one after the other, and freed ones wait in a
 * list of their size.  The lists are in the heap as well: what comes back with
 * a copy is the state of the heap, too.
 */
#include "base/heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"

#define LINE         64u
#define SIZES        16 /* of blocks, until they double */
#define DOUBLINGS    24
#define HEAP_COPYING 256 /* lines of the first copy */

/* The line ahead of a block. */
struct heap_block {
	size_t size; /* as it was asked for */
	struct heap_block *next;
	uint8_t unused[LINE - 2 * sizeof(void *)];
};

/* The first bytes of a heap. */
struct heap_head {
	size_t at; /* bytes that blocks have had */
	struct heap_block *idle[DOUBLINGS * SIZES];
};

struct heap_range {
	size_t from, size;
};

struct heap {
	uint8_t *bytes, *image;
	size_t room;
	size_t known;           /* bytes that the image or the copies have */
	uint32_t *changing;     /* lines that copies have, in any order */
	size_t nchanging, most; /* most: lines of |room| */
	bool *changes;          /* by line */
	/* the bytes that are in the image alone; |ranges| has |most| places */
	struct heap_range *ranges;
	size_t nranges;
};

static struct heap_head *heap_head(const struct heap *h)
{
	return (struct heap_head *)(void *)h->bytes;
}

static size_t heap_lines(size_t size)
{
	return (size + LINE - 1) / LINE;
}

int heap_new(struct heap **ret, size_t room)
{
	struct heap *h = memory_calloc(1, sizeof(*h));

	if (!h)
		return ERR_NOMEM;
	h->most = heap_lines(room + sizeof(struct heap_head));
	h->room = h->most * LINE;
	h->bytes = memory_aligned_alloc(LINE, h->room);
	h->image = memory_aligned_alloc(LINE, h->room);
	h->changing = memory_alloc(h->most * sizeof(*h->changing));
	h->changes = memory_calloc(h->most, sizeof(*h->changes));
	h->ranges = memory_alloc(h->most * sizeof(*h->ranges));
	if (!h->bytes || !h->image || !h->changing || !h->changes ||
	    !h->ranges) {
		heap_free(h);
		return ERR_NOMEM;
	}
	memset(h->bytes, 0, sizeof(struct heap_head));
	heap_head(h)->at = heap_lines(sizeof(struct heap_head)) * LINE;
	*ret = h;
	return 0;
}

void heap_free(struct heap *h)
{
	if (!h)
		return;
	free(h->bytes);
	free(h->image);
	free(h->changing);
	free(h->changes);
	free(h->ranges);
	free(h);
}

/* ---- Blocks ---- */

/*
 * Returns the lines of a block for |size| bytes, without the one ahead: up to
 * SIZES of them, or SIZES / 2 to SIZES times a power of two.
 */
static size_t heap_block_lines(size_t size, struct heap_head *head,
			       struct heap_block ***ret)
{
	const size_t n = size ? heap_lines(size) : 1;
	size_t step = 0;

	while (n > (size_t)(SIZES - 1) << step)
		step++;
	*ret = &head->idle[step * SIZES + ((n - 1) >> step) + 1];
	return (((n - 1) >> step) + 1) << step;
}

void *heap_take(struct heap *h, size_t size)
{
	struct heap_head *head = heap_head(h);
	struct heap_block **idle, *b;
	size_t whole;

	if (size > h->room)
		return NULL;
	whole = (1 + heap_block_lines(size, head, &idle)) * LINE;
	b = *idle;
	if (b) {
		*idle = b->next;
	} else {
		if (whole > h->room - head->at)
			return NULL;
		b = memset(h->bytes + head->at, 0, whole);
		head->at += whole;
	}
	b->size = size;
	return b + 1;
}

void heap_give(struct heap *h, void *p)
{
	struct heap_block *b = (struct heap_block *)p - 1, **idle;

	heap_block_lines(b->size, heap_head(h), &idle);
	b->next = *idle;
	*idle = b;
}

bool heap_owns(const struct heap *h, const void *p)
{
	return (uintptr_t)p - (uintptr_t)h->bytes < h->room;
}

size_t heap_size_of(const void *p)
{
	return ((const struct heap_block *)p - 1)->size;
}

/* ---- Copies ---- */

static void heap_note(struct heap *h, size_t line)
{
	h->changes[line] = true;
	h->changing[h->nchanging++] = (uint32_t)line;
}

static void heap_find_ranges(struct heap *h)
{
	const size_t lines = h->known / LINE;

	h->nranges = 0;
	for (size_t i = 0; i < lines; i++) {
		if (h->changes[i])
			continue;
		if (i && !h->changes[i - 1])
			h->ranges[h->nranges - 1].size += LINE;
		else
			h->ranges[h->nranges++] =
				(struct heap_range){i * LINE, LINE};
	}
}

/* Notes the lines of a range that are no longer as in the image. */
static void heap_note_range(struct heap *h, const struct heap_range *r)
{
	for (size_t at = r->from; at < r->from + r->size; at += LINE)
		if (memcmp(h->bytes + at, h->image + at, LINE) != 0)
			heap_note(h, at / LINE);
}

/*
 * Finds all lines that changed.  Blocks that are new since the image was made
 * join it.  An earlier copy, which has no block there, brings back any bytes:
 * heap_take() sets a block to zero when it cuts it.
 */
static void heap_look(struct heap *h)
{
	const size_t at = heap_head(h)->at, before = h->nchanging;

	for (size_t i = 0; i < h->nranges; i++) {
		const struct heap_range *r = &h->ranges[i];

		if (memcmp(h->bytes + r->from, h->image + r->from, r->size) !=
		    0)
			heap_note_range(h, r);
	}
	if (at > h->known) {
		memcpy(h->image + h->known, h->bytes + h->known, at - h->known);
		h->known = at;
		heap_find_ranges(h);
	} else if (h->nchanging != before) {
		heap_find_ranges(h);
	}
}

static bool heap_copy_grow(struct heap_copy *c, size_t n)
{
	size_t cap = c->cap ? c->cap : HEAP_COPYING;
	uint8_t *v;

	while (cap < n)
		cap *= 2;
	if (cap == c->cap)
		return true;
	v = memory_aligned_alloc(LINE, cap * LINE);
	if (!v)
		return false;
	free(c->v);
	c->v = v;
	c->cap = cap;
	return true;
}

int heap_save(struct heap *h, struct heap_copy *c)
{
	heap_look(h);
	c->n = 0;
	if (!heap_copy_grow(c, h->nchanging))
		return ERR_NOMEM;
	c->n = h->nchanging;
	for (size_t i = 0; i < c->n; i++)
		memcpy(c->v + i * LINE, h->bytes + h->changing[i] * LINE, LINE);
	return 0;
}

void heap_back(struct heap *h, const struct heap_copy *c)
{
	heap_look(h);
	for (size_t i = 0; i < c->n; i++)
		memcpy(h->bytes + h->changing[i] * LINE, c->v + i * LINE, LINE);
	/* these had not changed yet */
	for (size_t i = c->n; i < h->nchanging; i++)
		memcpy(h->bytes + h->changing[i] * LINE,
		       h->image + h->changing[i] * LINE, LINE);
}

void heap_copy_free(struct heap_copy *c)
{
	free(c->v);
	*c = (struct heap_copy){0};
}
