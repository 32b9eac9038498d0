/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/across.c -- covers pairs of values of two moves greedily.
 *
 * A row has the pairs of one value with all later ones.  A sequence is a chain:
 * each of its values makes a pair that is left with the one before it, and all
 * that its moves draw beside make others.
 */
#include "suite/explore/cover/across.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"

#define ACROSS_BESIDE 16 /* values of a move that are kept */

enum { ACROSS_LEFT, ACROSS_COVERED, ACROSS_REFUSED, ACROSS_NEVER };

/* The values of a move in the first run that had one of them. */
struct across_beside {
	struct draft_want v[ACROSS_BESIDE];
	unsigned n;
};

struct across {
	const struct values *values;
	size_t base;    /* the first value of a move */
	size_t n;       /* values of moves */
	uint8_t *state; /* of the pair of |i| and |k|: [i * n + k] */
	size_t *row;    /* how many pairs of a row are left */
	struct across_beside *beside;
	size_t first, later; /* the pair that the last sequence was made for */
	bool alone;          /* that pair is tried without others */
};

static bool across_ends(const struct across *a, size_t i)
{
	return values_is_end(a->values, a->base + i);
}

static const struct cover_value *across_get(const struct across *a, size_t i)
{
	return values_get(a->values, a->base + i);
}

int across_new(struct across **ret, const struct values *v)
{
	struct across *a = memory_calloc(1, sizeof(*a));

	if (!a)
		return ERR_NOMEM;
	a->values = v;
	a->base = values_moves(v);
	a->n = values_size(v) - a->base;
	a->state = memory_calloc(a->n * a->n + 1, 1);
	a->row = memory_calloc(a->n + 1, sizeof(*a->row));
	a->beside = memory_calloc(a->n + 1, sizeof(*a->beside));
	if (!a->state || !a->row || !a->beside) {
		across_free(a);
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < a->n; i++)
		a->row[i] = across_ends(a, i) ? 0 : a->n;
	*ret = a;
	return 0;
}

void across_free(struct across *a)
{
	if (!a)
		return;
	free(a->state);
	free(a->row);
	free(a->beside);
	free(a);
}

/* ---- Runs ---- */

static bool across_is_left(const struct across *a, size_t i, size_t k)
{
	return a->state[i * a->n + k] == ACROSS_LEFT && !across_ends(a, i);
}

static void across_set(struct across *a, size_t i, size_t k, uint8_t to)
{
	uint8_t *state = &a->state[i * a->n + k];

	a->row[i] -= across_is_left(a, i, k);
	if (*state != ACROSS_COVERED)
		*state = to;
}

/* Writes the values of moves, by their numbers.  Return: how many. */
static size_t across_numbers(const struct across *a,
			     const struct cover_value *drawn, size_t n,
			     size_t *ret, uint8_t *ret_slot)
{
	size_t len = 0;

	for (size_t i = 0; i < n && len < DRAFT_VALUES; i++) {
		const size_t x = drawn[i].move
					 ? values_number(a->values, &drawn[i])
					 : a->base + a->n;

		if (x >= a->base + a->n)
			continue;
		ret[len] = x - a->base;
		ret_slot[len++] = drawn[i].drawn.slot;
	}
	return len;
}

/* Keeps what the move of a value drew beside it. */
static void across_keep(struct across *a, size_t x, uint8_t slot,
			const struct cover_value *drawn, size_t n)
{
	struct across_beside *b = &a->beside[x];

	if (b->n)
		return;
	for (size_t i = 0; i < n && b->n < ACROSS_BESIDE; i++) {
		const struct draft_value *v = &drawn[i].drawn;

		if (drawn[i].move && v->slot == slot &&
		    v->place != VALUES_NO_PLACE)
			b->v[b->n++] = (struct draft_want){.place = v->place,
							   .class = v->class};
	}
}

void across_also(struct across *a, const struct cover_value *drawn, size_t n)
{
	size_t x[DRAFT_VALUES];
	uint8_t slot[DRAFT_VALUES];
	const size_t len = across_numbers(a, drawn, n, x, slot);

	for (size_t i = 0; i < len; i++) {
		across_keep(a, x[i], slot[i], drawn, n);
		for (size_t k = 0; k < len; k++)
			if (slot[i] < slot[k])
				across_set(a, x[i], x[k], ACROSS_COVERED);
	}
}

bool across_has(const struct across *a, const struct cover_value *drawn,
		size_t n)
{
	size_t x[DRAFT_VALUES];
	uint8_t slot[DRAFT_VALUES];
	const size_t len = across_numbers(a, drawn, n, x, slot);

	for (size_t i = 0; i < len; i++)
		for (size_t k = 0; k < len && x[i] == a->first; k++)
			if (slot[i] < slot[k] && x[k] == a->later)
				return true;
	return false;
}

/* Settles a pair that was tried without others, or has it tried so. */
static void across_fails(struct across *a, uint8_t to)
{
	if (a->alone)
		across_set(a, a->first, a->later, to);
	a->alone = !a->alone;
}

void across_lacks(struct across *a)
{
	across_fails(a, ACROSS_NEVER);
}

void across_done(struct across *a, const struct cover_value *drawn, size_t n,
		 bool covers)
{
	if (covers)
		across_also(a, drawn, n);
	if (across_is_left(a, a->first, a->later))
		across_fails(a, ACROSS_REFUSED);
	else
		a->alone = false;
}

/* ---- Sequences ---- */

/*
 * Adds a move with a value: alone with all that it once drew beside it, so that
 * a number that is drawn for some others alone is drawn.
 */
static void across_puts(const struct across *a, size_t i,
			struct draft_plan *ret)
{
	const struct cover_value *x = across_get(a, i);
	const uint8_t slot = (uint8_t)(ret->n + 1);
	const struct across_beside *b = &a->beside[i];

	ret->moves[ret->n++] = x->part;
	if (x->drawn.place != VALUES_NO_PLACE && ret->nwants < DRAFT_WANTS)
		ret->wants[ret->nwants++] = (struct draft_want){
			slot, x->drawn.place, x->drawn.class};
	for (unsigned k = 0; k < b->n && a->alone; k++)
		if (b->v[k].place != x->drawn.place &&
		    ret->nwants < DRAFT_WANTS)
			ret->wants[ret->nwants++] = (struct draft_want){
				slot, b->v[k].place, b->v[k].class};
}

/* Draws a value before |k| whose pair with it is left, or any. */
static size_t across_before(const struct across *a, size_t k, struct rng *rng)
{
	const size_t from = rng_below(rng, (uint32_t)a->n);

	for (size_t n = 0; n < a->n; n++)
		if (across_is_left(a, (from + n) % a->n, k))
			return (from + n) % a->n;
	return a->first;
}

/*
 * Draws a value behind |i| whose pair with it is left; if there is none, one
 * with pairs that are left.  Only the last one of a sequence may end it.
 */
static size_t across_behind(const struct across *a, size_t i, bool last,
			    struct rng *rng)
{
	const size_t from = rng_below(rng, (uint32_t)a->n);

	for (size_t n = 0; n < a->n && a->row[i]; n++) {
		const size_t k = (from + n) % a->n;

		if (across_is_left(a, i, k) && (last || !across_ends(a, k)))
			return k;
	}
	for (size_t n = 0; n < a->n; n++)
		if (a->row[(from + n) % a->n])
			return (from + n) % a->n;
	return a->first;
}

bool across_next(struct across *a, struct rng *rng, struct draft_plan *ret)
{
	const unsigned most = a->alone ? 2 : TUPLES_MOVES;
	bool ends;

	while (a->first < a->n && !a->row[a->first])
		a->first++;
	if (a->first == a->n)
		return false;
	for (a->later = 0; !across_is_left(a, a->first, a->later);)
		a->later++;
	ends = across_ends(a, a->later);
	ret->open = a->alone ? 0 : values_opening(a->values, rng);
	while (ends && ret->n + 2 < most)
		across_puts(a, across_before(a, a->later, rng), ret);
	across_puts(a, a->first, ret);
	across_puts(a, a->later, ret);
	for (size_t x = a->later; ret->n < most;) {
		x = across_behind(a, x, ret->n + 1 == most, rng);
		across_puts(a, x, ret);
	}
	return true;
}

/* ---- Counts ---- */

void across_count(const struct across *a, struct tuples_counts *ret)
{
	*ret = (struct tuples_counts){0};
	for (size_t i = 0; i < a->n * a->n; i++) {
		if (a->state[i] == ACROSS_NEVER || across_ends(a, i / a->n))
			continue;
		ret->all++;
		ret->covered += a->state[i] == ACROSS_COVERED;
		ret->refused += a->state[i] == ACROSS_REFUSED;
	}
}

void across_left(const struct across *a,
		 void (*fn)(void *ctx, const struct cover_value *const *tuple,
			    unsigned n),
		 void *ctx)
{
	for (size_t i = 0; i < a->n * a->n; i++) {
		const struct cover_value *t[] = {across_get(a, i / a->n),
						 across_get(a, i % a->n)};

		if (across_ends(a, i / a->n) || a->state[i] == ACROSS_NEVER ||
		    a->state[i] == ACROSS_COVERED)
			continue;
		fn(ctx, t, 2);
	}
}
