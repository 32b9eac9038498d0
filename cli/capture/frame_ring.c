/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/frame_ring.c -- keeps frames in one block of memory, each in one
 * piece: a frame that does not fit before the end begins at the start.
 */
#include "cli/capture/frame_ring.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"

struct frame_ring {
	struct ring_frame *frames;
	size_t size;     /* entries of |frames| */
	uint64_t n, old; /* frames added, and of these removed */
	uint8_t *bytes;
	size_t room; /* bytes of |bytes| */
	size_t at;   /* offset of the next frame */
};

int frame_ring_new(struct frame_ring **ret, size_t frames, size_t bytes)
{
	struct frame_ring *r = memory_calloc(1, sizeof(*r));

	if (!r)
		return ERR_NOMEM;
	r->size = frames;
	r->room = bytes;
	r->frames = memory_calloc(frames, sizeof(*r->frames));
	r->bytes = memory_alloc(bytes);
	if (r->frames && r->bytes) {
		*ret = r;
		return 0;
	}
	frame_ring_free(r);
	return ERR_NOMEM;
}

void frame_ring_free(struct frame_ring *r)
{
	if (!r)
		return;
	for (size_t i = 0; r->frames && i < r->size; i++)
		text_free(&r->frames[i].remark);
	free(r->frames);
	free(r->bytes);
	free(r);
}

static struct ring_frame *frame_ring_at(struct frame_ring *r, uint64_t i)
{
	return &r->frames[i % r->size];
}

static void frame_ring_drop(struct frame_ring *r)
{
	text_free(&frame_ring_at(r, r->old++)->remark);
}

/* The room that a frame takes: an empty one has a place as well. */
static size_t frame_ring_room(size_t len)
{
	return len ? len : 1;
}

/* Removes the oldest frames until none of them uses [from, from + len). */
static void frame_ring_clear(struct frame_ring *r, size_t from, size_t len)
{
	while (r->old < r->n) {
		const struct rung_frame *f = &frame_ring_at(r, r->old)->frame;
		const size_t at =
			(size_t)((const uint8_t *)f->bytes - r->bytes);

		if (at >= from + len || at + frame_ring_room(f->len) <= from)
			return;
		frame_ring_drop(r);
	}
}

void frame_ring_add(struct frame_ring *r, const struct rung_frame *f,
		    uint64_t number)
{
	const size_t len = f->len < r->room ? f->len : r->room;
	const size_t room = frame_ring_room(len);
	struct ring_frame *to;

	if (r->at + room > r->room) {
		/* the frames from here to the end are the oldest ones */
		frame_ring_clear(r, r->at, r->room - r->at);
		r->at = 0;
	}
	frame_ring_clear(r, r->at, room);
	if (r->n - r->old == r->size)
		frame_ring_drop(r);
	to = frame_ring_at(r, r->n++);
	*to = (struct ring_frame){.frame = *f, .number = number};
	to->frame.bytes = memcpy(r->bytes + r->at, f->bytes, len);
	to->frame.len = (uint32_t)len;
	r->at += room;
}

struct ring_frame *frame_ring_oldest(struct frame_ring *r)
{
	if (r->old == r->n)
		return NULL;
	return frame_ring_at(r, r->old);
}

struct ring_frame *frame_ring_newest(struct frame_ring *r)
{
	if (r->old == r->n)
		return NULL;
	return frame_ring_at(r, r->n - 1);
}

struct ring_frame *frame_ring_find(struct frame_ring *r, uint64_t number)
{
	const struct ring_frame *oldest = frame_ring_oldest(r);

	if (!oldest || number < oldest->number ||
	    number - oldest->number >= r->n - r->old)
		return NULL;
	return frame_ring_at(r, r->old + (number - oldest->number));
}
