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
	bool hashed; /* |hash| is the hash of the key of its flow */
	bool wanted; /* its flow may not be in the cache */
	bool is_ack, has_message, begins;
	bool counts;      /* flow.rare counts it */
	uint16_t message; /* valid if has_message */
	uint16_t spdcid;  /* valid if is_ack */
	uint16_t behind;  /* PSNs before |psn| that an ACK may report too */
	uint32_t hash, psn;
	uint32_t cack;     /* valid if is_ack */
	uint32_t pair;     /* table_pair() of its addresses, if |begins| */
	struct flow *flow; /* the flow with |hash|, or NULL */
	unsigned end;      /* the end that the key names */
	uint32_t changes;  /* table.changes when |flow| was found */
};

/*
 * judge_prefetch_begin reads from a packet which flow it needs.
 * judge_prefetch_index fetches the entries of the index, judge_prefetch
 * prefetches the state of the flows of |n| such packets, so that their cache
 * misses overlap.  Neither changes anything, and a packet may be pushed at any
 * time.
 *
 * Shape:  |p| holds |len| bytes from the PDS header; |d| holds only the head.
 */
void judge_prefetch_begin(const struct judge *j, struct judge_prefetch *a,
			  const struct dgram *d, const uint8_t *p, size_t len);
void judge_prefetch_index(struct judge_prefetch *a, unsigned n);
void judge_prefetch(struct judge_prefetch *a, unsigned n);

/* judge_expect prefetches the judge itself, for one of many judges. */
void judge_expect(const struct judge *j);

#endif
