/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/learn.h -- learns which values the openings and moves of
 * a transport draw.
 *
 * It drafts cases and runs none: each part is drafted at
 * random, and then each class of each of its places is wanted in turn.
 */
#ifndef SUITE_EXPLORE_COVER_LEARN_H
#define SUITE_EXPLORE_COVER_LEARN_H

#include "suite/explore/cover/values.h"

#define LEARN_DRAWN (DRAFT_VALUES + DRAFT_MOVES + 1)

#define LEARN_OPENS 96
#define LEARN_MOVES 256

/* The openings and moves of a transport in a chair, by their numbers. */
struct learn_parts {
	enum draft_subject subject;
	enum chair chair;
	unsigned opens[LEARN_OPENS], moves[LEARN_MOVES];
	unsigned nopens, nmoves; /* at least 1 */
};

/* learn_parts finds those that fit the transport. */
void learn_parts(struct learn_parts *ret, enum draft_subject s,
		 enum chair chair);

/*
 * learn_values adds the values of all parts, begins the tuples, and records
 * which parts end their sequence.
 * Errors: ERR_NOMEM.
 */
int learn_values(struct values *ret, const struct learn_parts *parts);

/*
 * learn_drawn writes the values that a draft drew.  Return: their number; 0: it
 * is a boundary value.
 */
size_t learn_drawn(const struct draft *d, struct cover_value ret[LEARN_DRAWN]);

/* learn_drafts writes the values of the draft of a plan and a seed. */
size_t learn_drafts(const struct draft_plan *plan, uint64_t seed,
		    struct cover_value ret[LEARN_DRAWN]);

#endif
