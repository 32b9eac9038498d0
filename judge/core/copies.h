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

#include "base/hot.h"
#include "base/vtime.h"
#include "wire/uet/uet_pds.h"

enum {
	COPIES_SETS = 32,        /* sets of stored frames; a power of 2 */
	COPIES_WAYS = 4,         /* frames of a set */
	COPIES_PAIRS = 128,      /* pairs of addresses; a power of 2 */
	COPIES_COUNTED = 0x8000, /* at this count all of them are halved */
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

/* copies_prefetch_pair fetches the entry of a pair. */
static inline void copies_prefetch_pair(const struct copies *c, uint64_t pair)
{
	const struct copies_pair *p = &c->pairs[copies_pair_at(pair)];

	__builtin_prefetch(p, 1, 3);
	__builtin_prefetch(&p->way[1], 1, 3);
}

/* copies_prefetch_sum fetches the sums with which |sum| is compared. */
static inline void copies_prefetch_sum(const struct copies *c, uint32_t sum)
{
	__builtin_prefetch(c->sums[sum & (COPIES_SETS - 1)], 1, 3);
}

/* copies_pair_for returns the entry of a pair, which replaces another pair. */
static inline struct copies_pair *copies_pair_for(struct copies *c,
						  uint64_t key)
{
	struct copies_pair *p = &c->pairs[copies_pair_at(key)];

	if (unlikely(p->key != key))
		*p = (struct copies_pair){.key = key};
	return p;
}

/* copies_way_halve halves all counts of a direction. */
void copies_way_halve(struct copies_way *w);

/* copies_way_new counts a frame whose bytes are new. */
static inline void copies_way_new(struct copies_way *w,
				  const struct copies_frame *f)
{
	if (unlikely(w->frames == COPIES_COUNTED))
		copies_way_halve(w);
	if (f->has_id && w->frames) {
		if (f->id != w->id)
			w->changed++;
		else
			w->stood++;
	}
	w->id = f->id;
	w->frames++;
}

/*
 * copies_tail_of returns the last bytes of a frame: its sum does not cover
 * them, since they may be a CRC.
 */
static inline uint32_t copies_tail_of(const struct copies_frame *f)
{
	uint32_t tail;

	memcpy(&tail, f->p + f->len - sizeof(tail), sizeof(tail));
	return tail;
}

/*
 * copies_bytes_of returns some bytes that are compared as well: among millions
 * of packets two have the same sum.
 */
static inline uint64_t copies_bytes_of(const struct copies_frame *f)
{
	uint64_t bytes = 0;

	if (f->len >= pds_req_len)
		memcpy(&bytes, f->p + pds_req_len - sizeof(bytes),
		       sizeof(bytes));
	return bytes;
}

/* copies_keep stores a frame in place of the oldest one of its set. */
static inline void copies_keep(struct copies *c, const struct copies_frame *f)
{
	const unsigned set = f->sum & (COPIES_SETS - 1);
	const unsigned way = c->turn[set]++ % COPIES_WAYS;

	c->sums[set][way] = f->sum;
	c->kept[set][way] = (struct copies_kept){.bytes = copies_bytes_of(f),
						 .at = f->at,
						 .tail = copies_tail_of(f),
						 .id = f->id,
						 .times = 1};
}

/* copies_see_new records a frame that is equal to none of the recent ones. */
static inline void copies_see_new(struct copies *c,
				  const struct copies_frame *f,
				  struct copies_way *w)
{
	copies_way_new(w, f);
	copies_keep(c, f);
}

/* copies_has_sum returns true if a recent frame has this sum. */
static inline bool copies_has_sum(const struct copies *c, uint32_t sum)
{
	const uint32_t *sums = c->sums[sum & (COPIES_SETS - 1)];
	bool found = false;

	for (unsigned way = 0; way < COPIES_WAYS; way++)
		found |= sums[way] == sum;
	return found;
}

/*
 * copies_see_equal does the same as copies_see for a frame whose sum a recent
 * frame has.
 */
void copies_see_equal(struct copies *c, const struct copies_frame *f,
		      struct copies_item *ret);

/*
 * copies_see records a frame and compares it with recent ones.  Frames come in
 * the order of the capture.  A caller should pass some frames before it calls
 * copies_decide, since the first frame of a sender is not enough for a
 * decision.
 */
static inline __attribute__((always_inline)) void
copies_see(struct copies *c, const struct copies_frame *f,
	   struct copies_item *ret)
{
	ret->equal = ret->same_id = false;
	if (unlikely(f->len < uud_req_len))
		return;
	if (unlikely(copies_has_sum(c, f->sum))) {
		copies_see_equal(c, f, ret);
		return;
	}
	copies_see_new(c, f, &copies_pair_for(c, f->pair)->way[f->way]);
}

/* copies_decide classifies a frame that copies_see has recorded. */
enum copies_what copies_decide(struct copies *c, const struct copies_frame *f,
			       const struct copies_item *s);

#endif
