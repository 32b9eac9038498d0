/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/values_test.c -- every tuple of values is covered, does
 * not exist, or is said to be left.
 */
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

/* Runs all sequences.  Return: how many were run. */
static unsigned values_run_all(struct values *v)
{
	struct rng rng = {1};
	struct draft_plan p;
	struct cover_value drawn[DRAWN];
	unsigned runs = 0;

	for (p = (struct draft_plan){.n = 0}; values_next(v, &rng, &p);
	     p = (struct draft_plan){.n = 0}) {
		size_t n = 0;
		bool has = false;

		for (unsigned i = 0; i < 8 && !has; i++) {
			n = draw(&p, &rng, drawn);
			has = values_has(v, drawn, n);
		}
		for (unsigned i = 0; i + 1 < p.n; i++)
			assert_int_not_equal(p.moves[i], ENDER);
		if (has)
			values_done(v, drawn, n, true);
		else
			values_lacks(v);
		runs += has;
		assert_true(runs < 100000);
	}
	return runs;
}

static void count_left(void *ctx, const struct cover_value *const *tuple,
		       unsigned n)
{
	(void)tuple;
	(void)n;
	++*(size_t *)ctx;
}

static void test_covers_pairs_of_values(void **state)
{
	struct values *v = model(2);
	struct tuples_counts c;
	size_t left = 0;
	unsigned runs;

	(void)state;
	values_ends(v, true, ENDER);
	runs = values_run_all(v);
	values_count(v, &c);
	/*
	 * Within openings 4 x 2; within moves 9 x 4 + 9 x 2 + 4 x 2, 2 x 3 + 5
	 * + 3 x 5, and 2 x 2; of 10 values of openings and 1 of the network
	 * with 33 of moves.
	 */
	assert_int_equal(c.all, 8 + 62 + 26 + 4 + 11 * 33);
	assert_int_equal(c.covered, c.all);
	values_left(v, count_left, &left);
	assert_int_equal(left, 0);
	assert_true(runs < 60);
	values_free(v);
}

static void test_covers_triples_of_values(void **state)
{
	struct values *v = model(3);
	struct tuples_counts c;

	(void)state;
	values_ends(v, true, ENDER);
	values_run_all(v);
	values_count(v, &c);
	/* pairs of an opening with values of moves, and triples of moves */
	assert_int_equal(c.all, 8 * 33 + 11 * (62 + 26 + 4) + 9 * 4 * 2 + 15);
	assert_int_equal(c.covered, c.all);
	values_free(v);
}

/* The tuple that |at| counts down to. */
struct nth {
	size_t at;
	struct cover_value tuple[TUPLES_SIZE];
	unsigned n;
};

static void take_nth(void *ctx, const struct cover_value *const *tuple,
		     unsigned n)
{
	struct nth *x = ctx;

	if (x->at-- != 0)
		return;
	x->n = n;
	for (unsigned i = 0; i < n; i++)
		x->tuple[i] = *tuple[i];
}

/* The values of one tuple cover it, and no other one. */
static void test_each_tuple_has_an_index(void **state)
{
	(void)state;
	for (unsigned strength = 2; strength <= 3; strength++) {
		struct values *v = model(strength);
		struct tuples_counts c;

		values_count(v, &c);
		for (size_t left = c.all; left; left--) {
			struct nth x = {.at = left / 2};

			values_left(v, take_nth, &x);
			assert_int_equal(x.n, strength);
			values_also(v, x.tuple, x.n);
			values_count(v, &c);
			assert_int_equal(c.covered, c.all - left + 1);
		}
		values_free(v);
	}
}

/* No move follows an opening that ends its sequence. */
static void test_an_opening_ends(void **state)
{
	struct values *v = model(2);
	struct tuples_counts before, after;

	(void)state;
	values_count(v, &before);
	values_ends(v, false, 0);
	values_count(v, &after);
	assert_int_equal(after.all, before.all - 6 * 33);
	values_free(v);
}

/* A tuple that is not applicable beside others is tried alone, once. */
static void test_refuses_values(void **state)
{
	struct rng rng = {1};
	struct draft_plan p = {.n = 0};
	struct values *v = model(2);
	struct cover_value drawn[DRAWN];
	struct tuples_counts c;
	size_t left = 0;
	unsigned runs = 0;

	(void)state;
	assert_true(values_next(v, &rng, &p));
	assert_true(p.nwants > 2);
	values_done(v, drawn, draw(&p, &rng, drawn), false);
	p = (struct draft_plan){.n = 0};
	assert_true(values_next(v, &rng, &p));
	assert_true(p.nwants <= 2);
	values_done(v, drawn, draw(&p, &rng, drawn), false);
	values_count(v, &c);
	assert_int_equal(c.refused, 1);
	for (p.n = p.nwants = 0; values_next(v, &rng, &p); p.n = p.nwants = 0) {
		values_done(v, drawn, draw(&p, &rng, drawn), false);
		runs++;
	}
	values_count(v, &c);
	assert_int_equal(c.refused, c.all);
	assert_int_equal(runs, 2 * (c.all - 1));
	values_left(v, count_left, &left);
	assert_int_equal(left, c.all);
	values_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_covers_pairs_of_values),
		cmocka_unit_test(test_covers_triples_of_values),
		cmocka_unit_test(test_each_tuple_has_an_index),
		cmocka_unit_test(test_an_opening_ends),
		cmocka_unit_test(test_refuses_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
