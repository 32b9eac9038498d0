/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/values.h -- pairs and triples of the values that openings
 * and moves draw, and sequences that cover them.
 *
 * A part is an opening or a move.  A value is a class of numbers at one of its
 * places (draft.h): a length, a code, a first PSN.  A part that draws nothing
 * has one value without a place.  A pair is two values of one part, at two
 * places, or a value of an opening with one of a move; a triple is three values
 * of one part, or of an opening and one move.  The rules of the network count
 * as a part that comes before each move.  Values of two moves: across.h.
 */
#ifndef SUITE_EXPLORE_COVER_VALUES_H
#define SUITE_EXPLORE_COVER_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "suite/explore/cover/tuples.h"
#include "suite/explore/draft.h"

#define VALUES_NO_PLACE 0xff
#define VALUES_NETWORK  0xffff /* the part of the rules of the network */

struct cover_value {
	bool move;     /* of a move, not of an opening */
	unsigned part; /* number of the option, as in struct draft_plan */
	struct draft_value drawn;
};

struct values;

/*
 * values_new prepares an empty set of values, of |strength| 2 or 3.
 * Errors: ERR_NOMEM.
 */
int values_new(struct values **ret, unsigned strength);
void values_free(struct values *v);

/* values_add adds a value, unless it is known.  Errors: ERR_NOMEM. */
int values_add(struct values *v, const struct cover_value *x);

/* values_ends records that nothing follows a part in its sequence. */
void values_ends(struct values *v, bool move, unsigned part);

/*
 * values_begin makes the tuples of all values that were added; none is added
 * behind it.
 * Errors: ERR_NOMEM.
 */
int values_begin(struct values *v);

/*
 * values_next writes the opening, the moves and the wanted classes of a
 * sequence that covers the next tuple which is left, and others.
 * Return: false if none is left.
 */
bool values_next(struct values *v, struct rng *rng, struct draft_plan *ret);

/*
 * values_has returns whether |n| drawn values, of the slots of one sequence,
 * cover that tuple.
 */
bool values_has(struct values *v, const struct cover_value *drawn, size_t n);

/*
 * values_lacks records that no draft covers that tuple: first beside others,
 * then alone.  Then it does not exist.
 */
void values_lacks(struct values *v);

/*
 * values_done records a run.  |covers| false: it was not applicable, or
 * inconclusive.  The tuple is tried once more without others.
 */
void values_done(struct values *v, const struct cover_value *drawn, size_t n,
		 bool covers);

/*
 * values_also records a run that was made for something else.
 */
void values_also(struct values *v, const struct cover_value *drawn, size_t n);

/* values_size returns the number of values. */
size_t values_size(const struct values *v);

/*
 * The values have numbers from 0 on, those of moves behind the others.
 * values_moves returns the number of the first one of a move, values_number
 * that of a value (values_size(): it is not known), values_get the value.
 * values_is_end returns whether nothing follows its part in a sequence.
 */
size_t values_moves(const struct values *v);
size_t values_number(const struct values *v, const struct cover_value *x);
const struct cover_value *values_get(const struct values *v, size_t i);
bool values_is_end(const struct values *v, size_t i);

/* values_opening draws an opening, behind which others may follow. */
unsigned values_opening(const struct values *v, struct rng *rng);

void values_count(const struct values *v, struct tuples_counts *ret);

/*
 * values_left calls |fn| with each tuple that exists and that no run covered.
 */
void values_left(const struct values *v,
		 void (*fn)(void *ctx, const struct cover_value *const *tuple,
			    unsigned n),
		 void *ctx);

#endif
