/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/copies.h -- packets that were captured twice: at two places, or by a
 * mirror of both directions.
 *
 * Requests and CPs have a PSN of their own, and one that is sent again comes
 * much later: the same bytes at once are the same packet.  ACKs may well be
 * equal, and are never taken for copies.
 */
#ifndef JUDGE_COPIES_H
#define JUDGE_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"

enum { COPIES_KEPT = 64 }; /* packets of which a copy is known; a power of 2 */

struct copy {
	uint32_t sum, tail;
	uint64_t id; /* PSN and PDCIDs, or the like */
	vtime at;
};

struct copies {
	struct copy kept[COPIES_KEPT]; /* zero at the start */
};

/*
 * copies_has says whether the packet was there just before, and notes it.
 *
 * Shape:  |p| holds |len| bytes from the PDS header; |sum| is crc_sum of the
 *         packet, which is over its addresses as well, with or without its last
 *         4 bytes.
 */
bool copies_has(struct copies *c, const uint8_t *p, size_t len, uint32_t sum,
		vtime at);

#endif
