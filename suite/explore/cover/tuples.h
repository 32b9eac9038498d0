/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/tuples.h -- pairs and triples of what a sequence consists
 * of, and sequences that cover them.
 *
 * A sequence has an opening and moves.  A pair is an opening with a move, or a
 * move with a later one; a triple is an opening with two moves, or three moves,
 * in their order.  A move that ends the PDC is the last one of its sequence, so
 * that tuples in which another move follows it do not exist.  A sequence may
 * have another move in the place of one that its opening excludes: a tuple that
 * several sequences made for it do not have does not exist either.
 */
#ifndef SUITE_EXPLORE_COVER_TUPLES_H
#define SUITE_EXPLORE_COVER_TUPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

#define TUPLES_MOVES 8 /* of a sequence */
#define TUPLES_SIZE  3 /* most members of a tuple */

struct tuples;

/* An opening, and the moves in their order. */
struct tuples_plan {
	unsigned open;
	unsigned moves[TUPLES_MOVES];
	unsigned n;
};

struct tuples_counts {
	size_t all;     /* tuples that exist */
	size_t covered; /* of these, run */
	size_t refused; /* not applicable to the device, or inconclusive */
};

/*
 * tuples_new prepares the tuples of |strength| 2 or 3 of |opens| openings and
 * |moves| moves, each at least 1.
 * Errors: ERR_NOMEM.
 */
int tuples_new(struct tuples **ret, unsigned strength, unsigned opens,
	       unsigned moves);
void tuples_free(struct tuples *t);

/*
 * tuples_next makes a sequence that covers a tuple that is left, and as many
 * others as a few random tries give.
 * Return: false if none is left.
 */
bool tuples_next(struct tuples *t, struct rng *rng, struct tuples_plan *ret);

/*
 * tuples_done records a run of the sequence that tuples_next made.  |ran| is
 * what took place: fewer moves, or others; if |ended|, its opening (it has no
 * moves) or the last of them ends the sequence.  |covers| false: the run was
 * not applicable.
 */
void tuples_done(struct tuples *t, const struct tuples_plan *ran, bool ended,
		 bool covers);

void tuples_count(const struct tuples *t, struct tuples_counts *ret);

/*
 * tuples_left finds the next tuple that no run covered, from |*at| on, which
 * begins as 0.  ret[0] is the opening if *ret_open is true, else a move.
 * Return: false: there is none.
 */
bool tuples_left(const struct tuples *t, size_t *at, bool *ret_open,
		 unsigned ret[TUPLES_SIZE]);

#endif
