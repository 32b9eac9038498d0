/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/frame_ring.h -- the last frames of a capture, in bounded memory.
 *
 * A new frame replaces the oldest ones if there is no room.
 */
#ifndef CLI_CAPTURE_FRAME_RING_H
#define CLI_CAPTURE_FRAME_RING_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "lib/rung.h"

/* A frame with a copy of its bytes. */
struct ring_frame {
	struct rung_frame frame;
	uint64_t number;    /* the caller's; each frame has the next one */
	struct text remark; /* the caller's; freed with the frame */
};

struct frame_ring;

/*
 * frame_ring_new makes a ring for at most |frames| frames, which together have
 * at most |bytes| bytes.
 *
 * Errors: ERR_NOMEM.
 */
int frame_ring_new(struct frame_ring **ret, size_t frames, size_t bytes);
void frame_ring_free(struct frame_ring *r);

/*
 * frame_ring_add copies a frame.  A frame that is larger than the ring is cut
 * to its size.
 */
void frame_ring_add(struct frame_ring *r, const struct rung_frame *f,
		    uint64_t number);

/*
 * frame_ring_find returns the frame |number|, lent until the next
 * frame_ring_add, or NULL if it is not in the ring.
 */
struct ring_frame *frame_ring_find(struct frame_ring *r, uint64_t number);

/*
 * frame_ring_oldest and frame_ring_newest return a frame, lent as for
 * frame_ring_find, or NULL if the ring is empty.
 */
struct ring_frame *frame_ring_oldest(struct frame_ring *r);
struct ring_frame *frame_ring_newest(struct frame_ring *r);

#endif
