/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/tuples.c -- covers tuples greedily.
 *
 * A tuple has an index: those with an opening first, then those of moves alone.
 */
#include "suite/explore/cover/tuples.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"

#define TUPLES_TRIES 12 /* sequences; the one that covers most is taken */
#define TUPLES_LACKS 8  /* sequences that are made for a tuple */

enum { TUPLE_LEFT, TUPLE_COVERED, TUPLE_REFUSED, TUPLE_NEVER };

struct tuples {
	unsigned strength, opens, moves;
	size_t with_open; /* tuples that begin with an opening */
	size_t n;
	size_t at;      /* no tuple below it is left */
	unsigned lacks; /* sequences that were made for it and do not have it */
	uint8_t *state; /* of each tuple */
	bool *open_ends, *move_ends;
};

static size_t tuples_power(size_t base, unsigned n)
{
	size_t p = 1;

	while (n--)
		p *= base;
	return p;
}

int tuples_new(struct tuples **ret, unsigned strength, unsigned opens,
	       unsigned moves)
{
	struct tuples *t = memory_calloc(1, sizeof(*t));

	if (!t)
		return ERR_NOMEM;
	t->strength = strength;
	t->opens = opens;
	t->moves = moves;
	t->with_open = opens * tuples_power(moves, strength - 1);
	t->n = t->with_open + tuples_power(moves, strength);
	t->state = memory_calloc(t->n, 1);
	t->open_ends = memory_calloc(opens, sizeof(bool));
	t->move_ends = memory_calloc(moves, sizeof(bool));
	if (!t->state || !t->open_ends || !t->move_ends) {
		tuples_free(t);
		return ERR_NOMEM;
	}
	*ret = t;
	return 0;
}

void tuples_free(struct tuples *t)
{
	if (!t)
		return;
	free(t->state);
	free(t->open_ends);
	free(t->move_ends);
	free(t);
}

/* Takes an index apart; ret[0] is an opening or a move. */
static bool tuples_members(const struct tuples *t, size_t i,
			   unsigned ret[TUPLES_SIZE])
{
	const bool open = i < t->with_open;

	if (!open)
		i -= t->with_open;
	for (unsigned k = t->strength; k-- > 1; i /= t->moves)
		ret[k] = (unsigned)(i % t->moves);
	ret[0] = (unsigned)i;
	return open;
}

static size_t tuples_index(const struct tuples *t, bool open,
			   const unsigned v[TUPLES_SIZE])
{
	size_t i = v[0];

	for (unsigned k = 1; k < t->strength; k++)
		i = i * t->moves + v[k];
	return open ? i : t->with_open + i;
}

/*
 * A tuple does not exist if a member before the last one ends its sequence, or
 * no sequence has it.
 */
static bool tuples_exists(const struct tuples *t, size_t i)
{
	unsigned v[TUPLES_SIZE];
	const bool open = tuples_members(t, i, v);

	if (t->state[i] == TUPLE_NEVER)
		return false;
	if (open ? t->open_ends[v[0]] : t->move_ends[v[0]])
		return false;
	for (unsigned k = 1; k + 1 < t->strength; k++)
		if (t->move_ends[v[k]])
			return false;
	return true;
}

/* Sets the state of a tuple unless |to| is TUPLE_LEFT; returns if it is left.
 */
static size_t tuples_set(struct tuples *t, bool open, unsigned a, unsigned b,
			 unsigned c, uint8_t to)
{
	const unsigned v[TUPLES_SIZE] = {a, b, c};
	uint8_t *state = &t->state[tuples_index(t, open, v)];
	const size_t left = *state == TUPLE_LEFT;

	if (to != TUPLE_LEFT && *state != TUPLE_COVERED)
		*state = to;
	return left;
}

/* Visits the tuples of a sequence; returns how many are left. */
static size_t tuples_visit(struct tuples *t, const struct tuples_plan *p,
			   uint8_t to)
{
	const unsigned *m = p->moves;
	const bool pairs = t->strength == 2;
	size_t left = 0;

	for (unsigned a = 0; a < p->n; a++) {
		if (pairs)
			left += tuples_set(t, true, p->open, m[a], 0, to);
		for (unsigned b = a + 1; b < p->n; b++) {
			if (pairs) {
				left += tuples_set(t, false, m[a], m[b], 0, to);
				continue;
			}
			left += tuples_set(t, true, p->open, m[a], m[b], to);
			for (unsigned c = b + 1; c < p->n; c++)
				left += tuples_set(t, false, m[a], m[b], m[c],
						   to);
		}
	}
	return left;
}

/* Fills a sequence around the tuple at |i|: its members come first. */
static void tuples_draw(struct tuples *t, size_t i, struct rng *rng,
			struct tuples_plan *p)
{
	unsigned v[TUPLES_SIZE];
	const bool open = tuples_members(t, i, v);

	p->n = 0;
	p->open = open ? v[0] : rng_below(rng, t->opens);
	if (!open && t->open_ends[p->open])
		p->open = 0;
	for (unsigned k = open; k < t->strength; k++)
		p->moves[p->n++] = v[k];
	while (p->n < TUPLES_MOVES && !t->move_ends[p->moves[p->n - 1]])
		p->moves[p->n++] = rng_below(rng, t->moves);
}

bool tuples_next(struct tuples *t, struct rng *rng, struct tuples_plan *ret)
{
	size_t most = 0;

	while (t->at < t->n &&
	       (t->state[t->at] != TUPLE_LEFT || !tuples_exists(t, t->at))) {
		t->at++;
		t->lacks = 0;
	}
	if (t->at == t->n)
		return false;
	for (unsigned i = 0; i < TUPLES_TRIES; i++) {
		struct tuples_plan p;
		size_t n;

		tuples_draw(t, t->at, rng, &p);
		n = tuples_visit(t, &p, TUPLE_LEFT);
		if (i && n <= most)
			continue;
		most = n;
		*ret = p;
	}
	return true;
}

/* Returns whether a sequence has tuple |i|. */
static bool tuples_has(const struct tuples *t, const struct tuples_plan *p,
		       size_t i)
{
	unsigned v[TUPLES_SIZE], k;
	const bool open = tuples_members(t, i, v);

	if (open && p->open != v[0])
		return false;
	k = open;
	for (unsigned m = 0; m < p->n && k < t->strength; m++)
		k += p->moves[m] == v[k];
	return k == t->strength;
}

/* Decides on the tuple that the sequence was made for, if it is left. */
static void tuples_decide(struct tuples *t, const struct tuples_plan *ran)
{
	if (t->at == t->n || t->state[t->at] != TUPLE_LEFT)
		return;
	if (tuples_has(t, ran, t->at))
		t->state[t->at] = TUPLE_REFUSED;
	else if (++t->lacks < TUPLES_LACKS)
		return;
	else
		t->state[t->at] = TUPLE_NEVER;
}

void tuples_done(struct tuples *t, const struct tuples_plan *ran, bool ended,
		 bool covers)
{
	if (ended && ran->n)
		t->move_ends[ran->moves[ran->n - 1]] = true;
	else if (ended)
		t->open_ends[ran->open] = true;
	if (covers)
		tuples_visit(t, ran, TUPLE_COVERED);
	tuples_decide(t, ran);
}

void tuples_count(const struct tuples *t, struct tuples_counts *ret)
{
	*ret = (struct tuples_counts){0};
	for (size_t i = 0; i < t->n; i++) {
		if (!tuples_exists(t, i))
			continue;
		ret->all++;
		ret->covered += t->state[i] == TUPLE_COVERED;
		ret->refused += t->state[i] == TUPLE_REFUSED;
	}
}

bool tuples_left(const struct tuples *t, size_t *at, bool *ret_open,
		 unsigned ret[TUPLES_SIZE])
{
	for (; *at < t->n; (*at)++)
		if (t->state[*at] != TUPLE_COVERED && tuples_exists(t, *at)) {
			*ret_open = tuples_members(t, (*at)++, ret);
			return true;
		}
	return false;
}
