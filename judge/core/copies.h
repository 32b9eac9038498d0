/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/copies.h -- finds frames that were captured twice: at two places,
 * or by a mirror of both directions.
 *
 * A device may itself send the same bytes twice within a moment, and the judge
 * must see both frames.  Equal bytes count as a copy only if the network layer
 * shows it:
 *
 * - the IP identification of this sender changes from frame to frame and is
 *   equal in both; or
 * - the identification is absent (IPv6) or constant, and nearly all
 *   frames of both directions are doubled, each direction at a constant offset.
 */
#ifndef JUDGE_CORE_COPIES_H
#define JUDGE_CORE_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vtime.h"

enum {
	COPIES_SETS = 32,   /* sets of stored frames; a power of 2 */
	COPIES_WAYS = 4,    /* frames of a set */
	COPIES_PAIRS = 128, /* pairs of addresses; a power of 2 */
};

/* The properties of a frame that the test needs. */
struct copies_frame {
	const uint8_t *p; /* |len| bytes from the PDS header or the BTH */
	size_t len;
	/*
	 * Sum over the bytes and the addresses; with or without the last 4
	 * bytes.
	 */
	uint32_t sum;
	uint64_t pair; /* result of copies_pair_of for the addresses */
	unsigned way;  /* result of copies_way_of for the addresses */
	bool has_id;   /* it has an IPv4 identification */
	uint16_t id;   /* its identification (has_id) */
	vtime at;
};

/* The result of copies_see for a frame. */
struct copies_item {
	bool equal;   /* equal to a recent frame of the same sender */
	bool same_id; /* the IP identifications are equal, too */
};

enum copies_what {
	COPIES_NONE,   /* the bytes are new */
	COPIES_REPEAT, /* the sender sent them twice */
	COPIES_COPY,   /* the network or the capture doubled the frame */
};

/* A recent frame. */
struct copies_kept {
	uint64_t bytes; /* PSN and PDCIDs, or similar bytes */
	vtime at;
	uint32_t tail;
	uint16_t id;
	uint8_t times; /* number of copies in a row, up to 3 */
};

/* The state of one direction between two addresses. */
struct copies_way {
	uint32_t offset; /* ns between a frame and its double */
	uint16_t id;     /* identification of the last frame */
	/*
	 * frames whose id differs from that of the frame before; and frames
	 * with the same id
	 */
	uint16_t changed, stood;
	uint16_t frames;  /* frames without doubles */
	uint16_t doubled; /* frames doubled at |offset| */
	/* frames doubled at another offset, or more than once */
	uint16_t elsewhen;
};

struct copies_pair {
	uint64_t key;
	struct copies_way way[2];
};

struct copies {
	/*
	 * Zero at the start.  The sums are adjacent, since most comparisons
	 * need only them.
	 */
	uint32_t sums[COPIES_SETS][COPIES_WAYS];
	struct copies_kept kept[COPIES_SETS][COPIES_WAYS];
	/* the entry of each set to be replaced next */
	uint8_t turn[COPIES_SETS];
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

/* copies_pair_at returns the index of the entry that a pair may take. */
static inline unsigned copies_pair_at(uint64_t key)
{
	return key >> 40 & (COPIES_PAIRS - 1);
}

/* copies_way_of returns the direction, 0 or 1, within a pair of addresses. */
static inline unsigned copies_way_of(const uint8_t *src, const uint8_t *dst,
				     size_t len)
{
	uint32_t a, b;

	memcpy(&a, src + len - sizeof(a), sizeof(a));
	memcpy(&b, dst + len - sizeof(b), sizeof(b));
	if (a != b)
		return a > b;
	return memcmp(src, dst, len) > 0;
}

/* copies_prefetch fetches what copies_see needs for a pair and a sum. */
static inline void copies_prefetch(const struct copies *c, uint64_t pair,
				   uint32_t sum)
{
	const unsigned set = sum & (COPIES_SETS - 1);
	const struct copies_pair *p = &c->pairs[copies_pair_at(pair)];

	__builtin_prefetch(c->sums[set], 1, 3);
	__builtin_prefetch(&c->kept[set][c->turn[set] % COPIES_WAYS], 1, 3);
	__builtin_prefetch(&p->way[0], 1, 3);
	__builtin_prefetch(&p->way[1], 1, 3);
}

/*
 * copies_see records a frame and compares it with recent ones.  Frames come in
 * the order of the capture.  A caller should pass some frames before it calls
 * copies_decide, since the first frame of a sender is not enough for a
 * decision.
 */
void copies_see(struct copies *c, const struct copies_frame *f,
		struct copies_item *ret);

/* copies_decide classifies a frame that copies_see has recorded. */
enum copies_what copies_decide(struct copies *c, const struct copies_frame *f,
			       const struct copies_item *s);

#endif
