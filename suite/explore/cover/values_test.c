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

#include "suite/explore/cover/model_test.h"
#include "suite/explore/cover/values.h"

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
