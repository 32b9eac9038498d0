/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/model_test.h -- a model of drafts, of few openings and
 * moves, for the tests of tuples of values.
 */
#ifndef SUITE_EXPLORE_COVER_MODEL_TEST_H
#define SUITE_EXPLORE_COVER_MODEL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "suite/explore/cover/values.h"

#define OPENS  3
#define MOVES  5
#define PLACES 3
#define DRAWN  64
#define ENDER  4 /* the move that ends its sequence */

/*
 * Classes of each place, of a model of drafts.  Opening 2 draws nothing.  Place
 * 2 of move 1 is drawn only if place 0 has class 1.
 */
static const unsigned opens_draw[OPENS][PLACES] = {{4, 2}, {3}, {0}};
static const unsigned moves_draw[MOVES][PLACES] = {
	{9, 4, 2}, {2, 3, 5}, {0}, {2, 2}, {3}};

static struct cover_value value_of(bool move, unsigned part, unsigned slot,
				   unsigned place, unsigned class)
{
	return (struct cover_value){.move = move,
				    .part = part,
				    .drawn = {.slot = (uint8_t)slot,
					      .place = (uint8_t)place,
					      .class = (uint8_t) class}};
}

static void add_part(struct values *v, bool move, unsigned part,
		     const unsigned draws[PLACES])
{
	struct cover_value x = value_of(move, part, move, VALUES_NO_PLACE, 0);

	if (!draws[0])
		assert_int_equal(values_add(v, &x), 0);
	for (unsigned p = 0; p < PLACES; p++)
		for (unsigned c = 0; c < draws[p]; c++) {
			x = value_of(move, part, move, p, c);
			assert_int_equal(values_add(v, &x), 0);
			assert_int_equal(values_add(v, &x), 0);
		}
}

static struct values *model(unsigned strength)
{
	const struct cover_value spray =
		value_of(false, VALUES_NETWORK, 0, 62, 1);
	struct values *v;

	assert_int_equal(values_new(&v, strength), 0);
	for (unsigned i = MOVES; i-- > 0;)
		add_part(v, true, i, moves_draw[i]);
	assert_int_equal(values_add(v, &spray), 0);
	for (unsigned i = 0; i < OPENS; i++)
		add_part(v, false, i, opens_draw[i]);
	assert_int_equal(values_begin(v), 0);
	return v;
}

/* Draws the values of a part as a draft does. */
static size_t draw_part(const struct draft_plan *p, struct rng *rng, bool move,
			unsigned part, unsigned slot, struct cover_value *ret)
{
	const unsigned *draws = move ? moves_draw[part] : opens_draw[part];
	unsigned first = 0;
	size_t n = 0;

	if (!draws[0])
		ret[n++] = value_of(move, part, slot, VALUES_NO_PLACE, 0);
	for (unsigned k = 0; k < PLACES && draws[k]; k++) {
		unsigned class = rng_below(rng, draws[k]);

		for (unsigned i = 0; i < p->nwants; i++)
			if (p->wants[i].slot == slot && p->wants[i].place == k)
				class = p->wants[i].class;
		first = k ? first : class;
		if (move && part == 1 && k == 2 && first != 1)
			continue;
		ret[n++] = value_of(move, part, slot, k, class);
	}
	return n;
}

static size_t draw(const struct draft_plan *p, struct rng *rng,
		   struct cover_value ret[DRAWN])
{
	size_t n = draw_part(p, rng, false, p->open, 0, ret);

	for (unsigned i = 0; i < p->nwants; i++)
		if (p->wants[i].place == 62)
			ret[n++] = value_of(false, VALUES_NETWORK, 0, 62, 1);
	for (unsigned i = 0; i < p->n; i++)
		n += draw_part(p, rng, true, p->moves[i], i + 1, ret + n);
	return n;
}

#endif
