/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/reach/reach.h -- which transitions an exploration has reached.
 *
 * There are two measures.  A transition is a packet in a state of its context,
 * and leads to a state (transition.h); those that are possible can be counted.
 * An order is a packet after the last one of the other direction, with all of
 * its flags and codes; no list of them exists.  A sequence that reaches a new
 * one of either sort is worth keeping.
 */
#ifndef SUITE_EXPLORE_REACH_H
#define SUITE_EXPLORE_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/req.h"
#include "suite/explore/draft.h"
#include "suite/explore/reach/transition.h"
#include "suite/verdict/record.h"

#define REACH_BITS 18
struct explore_reach {
	uint64_t set[(1u << REACH_BITS) / 64]; /* hashes of orders */
	size_t orders;
	size_t transitions; /* possible ones */
	struct transition_set sets[DRAFT_SUBJECTS];
	/* requirements that a run observed: bit 0 src, bit 1 dst */
	uint8_t seen[REQ_COUNT];
};

/*
 * reach_take adds the transitions, orders and observations of a record.
 * Return: the number of transitions and orders that are new.
 */
size_t reach_take(struct explore_reach *r, enum draft_subject s,
		  const struct record *rec);

/* reach_requirements counts the rows observed, of each role. */
size_t reach_requirements(const struct explore_reach *r);

#endif
