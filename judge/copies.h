/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/copies.h -- frames that were captured twice: at two places, or by a
 * mirror of both directions.
 *
 * A device may send the same bytes twice within a moment, and then it is the
 * device that is judged.  Equal bytes are a copy only if the network layer
 * shows it:
 *
 *   - the IP identification of this sender changes from frame to frame and is
 *     equal in both; or
 *   - the identification tells nothing (IPv6, or a constant), and nearly all
 *     frames of both directions are doubled, each direction at a constant
 *     offset.
 */
#ifndef JUDGE_COPIES_H
#define JUDGE_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vtime.h"

enum {
	COPIES_SETS = 32, /* of frames of which a copy is known; a power of 2 */
	COPIES_WAYS = 4,  /* frames of a set */
	COPIES_PAIRS = 128, /* pairs of addresses; a power of 2 */
};

/* One frame, as far as the test needs it. */
struct copies_frame {
	const uint8_t *p; /* |len| bytes from the PDS header or the BTH */
	size_t len;
	/* Over the bytes and the addresses; with or without the last 4 bytes.
	 */
	uint32_t sum;
	uint64_t pair; /* copies_pair_of its addresses */
	unsigned way;  /* copies_way_of them */
	bool has_id;   /* IPv4 */
	uint16_t id;   /* its identification (has_id) */
	vtime at;
};

/* What copies_see found out about a frame. */
struct copies_sight {
	bool equal;   /* to a frame of the same sender just before */
	bool same_id; /* and so are their identifications */
};

enum copies_what {
	COPIES_NONE,   /* the bytes are new */
	COPIES_REPEAT, /* the sender sent them twice */
	COPIES_COPY,   /* the network or the capture doubled the frame */
};

/* A frame that was seen just now. */
struct copies_kept {
	uint64_t bytes; /* PSN and PDCIDs, or the like */
	vtime at;
	uint32_t tail;
	uint16_t id;
	uint8_t times; /* so often at once; to 3 */
};

/* What is known of one direction between two addresses. */
struct copies_way {
	uint32_t offset;         /* ns, between a frame and its double */
	uint16_t id;             /* of the last frame */
	uint16_t changed, stood; /* frames with another id, with the same */
	uint16_t frames;         /* doubles not counted */
	uint16_t doubled;        /* of those, at |offset| */
	uint16_t elsewhen;       /* at another, or came more than twice */
};

struct copies_pair {
	uint64_t key;
	struct copies_way way[2];
};

struct copies {
	/* Zero at the start; the sums lie together, as most of them differ. */
	uint32_t sums[COPIES_SETS][COPIES_WAYS];
	struct copies_kept kept[COPIES_SETS][COPIES_WAYS];
	uint8_t turn[COPIES_SETS]; /* which gives way next */
	struct copies_pair pairs[COPIES_PAIRS];
	bool by_id;     /* a frame was doubled with its identification */
	bool by_offset; /* a pair was doubled at a constant offset */
};

/* copies_pair_of hashes two addresses of |len| bytes, 4 or 16; the result is
 * the same for both directions. */
static inline uint64_t copies_pair_of(const uint8_t *src, const uint8_t *dst,
				      size_t len)
{
	uint64_t h = 0;
	uint32_t a, b;

	for (size_t i = 0; i < len; i += 4) {
		memcpy(&a, src + i, sizeof(a));
		memcpy(&b, dst + i, sizeof(b));
		h = (h ^ h >> 29 ^ (a ^ b)) * 0x9e3779b97f4a7c15u;
		h += ((uint64_t)a + b) * 0xd6e8feb86659fd93u;
	}
	return h;
}

/* copies_way_of tells the two directions apart. */
static inline unsigned copies_way_of(const uint8_t *src, const uint8_t *dst,
				     size_t len)
{
	uint32_t a, b;

	memcpy(&a, src + len - sizeof(a), sizeof(a));
	memcpy(&b, dst + len - sizeof(b), sizeof(b));
	return a != b ? a > b : memcmp(src, dst, len) > 0;
}

/*
 * copies_see notes a frame and compares it with those just before.  Frames come
 * in the order of the capture.  A caller that can passes some frames before it
 * asks about them: the first frame of a sender alone decides nothing.
 */
void copies_see(struct copies *c, const struct copies_frame *f,
		struct copies_sight *ret);

/* copies_decide says what a frame is that copies_see has seen. */
enum copies_what copies_decide(struct copies *c, const struct copies_frame *f,
			       const struct copies_sight *s);

#endif
