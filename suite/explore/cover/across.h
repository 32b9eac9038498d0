/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/across.h -- pairs of values of two moves, and sequences
 * that cover them.
 *
 * A pair is a value of a move and a value of a later one, which may be the same
 * move again.  A move that ends the PDC is the last one of its sequence, so
 * that pairs in which another move follows it do not exist.
 */
#ifndef SUITE_EXPLORE_COVER_ACROSS_H
#define SUITE_EXPLORE_COVER_ACROSS_H

#include "suite/explore/cover/values.h"

struct across;

/*
 * across_new prepares the pairs of the values of |v|, behind values_begin().
 * |v| must outlive them.
 * Errors: ERR_NOMEM.
 */
int across_new(struct across **ret, const struct values *v);
void across_free(struct across *a);

/*
 * across_also records a run that was made for something else.  The next pair
 * of a value is tried with the other values that its move had in such a run.
 */
void across_also(struct across *a, const struct cover_value *drawn, size_t n);

/*
 * across_next writes the opening, the moves and the wanted classes of a
 * sequence that covers the next pair which is left, and others.
 * Return: false if none is left.
 */
bool across_next(struct across *a, struct rng *rng, struct draft_plan *ret);

/* across_has returns whether the drawn values of a sequence have that pair. */
bool across_has(const struct across *a, const struct cover_value *drawn,
		size_t n);

/*
 * across_lacks records that no draft has that pair: first beside others, then
 * alone.  Then it does not exist.
 */
void across_lacks(struct across *a);

/*
 * across_done records a run.  |covers| false: it was not applicable, or
 * inconclusive.  The pair is tried once more without others.
 */
void across_done(struct across *a, const struct cover_value *drawn, size_t n,
		 bool covers);

void across_count(const struct across *a, struct tuples_counts *ret);

/* across_left calls |fn| with each pair that exists and that no run covered. */
void across_left(const struct across *a,
		 void (*fn)(void *ctx, const struct cover_value *const *tuple,
			    unsigned n),
		 void *ctx);

#endif
