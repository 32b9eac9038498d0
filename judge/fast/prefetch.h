/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/prefetch.h -- the memory of a packet, fetched before it is judged.
 */
#ifndef JUDGE_FAST_PREFETCH_H
#define JUDGE_FAST_PREFETCH_H

#include "judge/types.h"

/* A packet that will be pushed soon. */
struct judge_prefetch {
	const struct judge *j;
	bool hashed; /* |hash| is that of the key of its flow */
	bool wanted; /* its flow may not be in the cache */
	bool is_ack, has_message, begins;
	uint16_t message; /* (has_message) */
	uint16_t spdcid;  /* (is_ack) */
	uint32_t hash, psn;
	uint32_t pair;     /* its table_pair (begins) */
	struct flow *flow; /* of that hash, or NULL; and the end */
	unsigned end;      /* that the key names */
	uint32_t changes;  /* of the index when it was found */
};

/*
 * judge_prefetch_begin reads of a packet which flow it will need, and
 * judge_prefetch has what is known of the flows of |n| such packets fetched
 * into the processor's cache, so that all wait for the memory together.  They
 * change nothing, and a packet may be pushed at any time.
 *
 * Shape:  |p| holds |len| bytes from the PDS header; |d| is its head alone.
 */
void judge_prefetch_begin(const struct judge *j, struct judge_prefetch *a,
			  const struct dgram *d, const uint8_t *p, size_t len);
void judge_prefetch(struct judge_prefetch *a, unsigned n);

#endif
