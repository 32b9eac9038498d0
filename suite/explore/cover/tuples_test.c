/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/tuples_test.c -- every tuple is covered, or said to be
 * left.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "suite/explore/cover/tuples.h"

/* Runs all sequences, in which move |ender| ends its sequence. */
static unsigned run_all(struct tuples *t, unsigned ender)
{
	struct rng rng = {1};
	struct tuples_plan p;
	unsigned runs = 0;

	while (tuples_next(t, &rng, &p)) {
		const unsigned most = p.n;
		bool ended = false;

		for (p.n = 0; p.n < most && !ended;)
			ended = p.moves[p.n++] == ender;
		tuples_done(t, &p, ended, true);
		assert_true(++runs < 100000);
	}
	return runs;
}

static void test_covers(void **state)
{
	struct tuples_counts c;
	unsigned v[TUPLES_SIZE], runs;
	struct tuples *t;
	size_t at = 0;
	bool open;

	(void)state;
	assert_int_equal(tuples_new(&t, 2, 3, 10), 0);
	runs = run_all(t, 99);
	tuples_count(t, &c);
	assert_int_equal(c.all, 3 * 10 + 10 * 10);
	assert_int_equal(c.covered, c.all);
	assert_false(tuples_left(t, &at, &open, v));
	/* a sequence covers many pairs at once */
	assert_true(runs < 40);
	tuples_free(t);
}

static void test_covers_triples(void **state)
{
	struct tuples_counts c;
	struct tuples *t;

	(void)state;
	assert_int_equal(tuples_new(&t, 3, 2, 5), 0);
	run_all(t, 99);
	tuples_count(t, &c);
	assert_int_equal(c.all, 2 * 25 + 125);
	assert_int_equal(c.covered, c.all);
	tuples_free(t);
}

/* Nothing follows a move that ends the PDC. */
static void test_ender(void **state)
{
	struct tuples_counts c;
	struct tuples *t;

	(void)state;
	assert_int_equal(tuples_new(&t, 2, 1, 4), 0);
	run_all(t, 2);
	tuples_count(t, &c);
	assert_int_equal(c.all, 4 + 3 * 4);
	assert_int_equal(c.covered, c.all);
	tuples_free(t);
}

/* A tuple that the device does not claim is left, and listed. */
static void test_refused(void **state)
{
	struct rng rng = {1};
	struct tuples_counts c;
	struct tuples_plan p;
	unsigned v[TUPLES_SIZE];
	struct tuples *t;
	size_t at = 0;
	bool open;

	(void)state;
	assert_int_equal(tuples_new(&t, 2, 1, 1), 0);
	assert_true(tuples_next(t, &rng, &p));
	tuples_done(t, &p, false, false);
	tuples_count(t, &c);
	assert_int_equal(c.covered, 0);
	assert_int_equal(c.refused, 1);
	assert_true(tuples_left(t, &at, &open, v));
	assert_true(open);
	assert_true(tuples_left(t, &at, &open, v));
	assert_false(open);
	assert_false(tuples_left(t, &at, &open, v));
	tuples_free(t);
}

/* Behind an opening, move 2 is replaced by move 0 in |always| all runs. */
static void test_replaces(bool always, struct tuples_counts *ret)
{
	struct rng rng = {1};
	struct tuples_plan p;
	struct tuples *t;
	unsigned runs = 0;

	assert_int_equal(tuples_new(&t, 2, 2, 4), 0);
	while (tuples_next(t, &rng, &p)) {
		for (unsigned i = 0; i < p.n; i++)
			if (p.open == 1 && p.moves[i] == 2 &&
			    (always || runs % 4))
				p.moves[i] = 0;
		tuples_done(t, &p, false, true);
		assert_true(++runs < 1000);
	}
	tuples_count(t, ret);
	tuples_free(t);
}

/*
 * A move that was replaced is not covered: its tuple gets more sequences, and
 * does not exist if none of them has it.
 */
static void test_replaced(void **state)
{
	struct tuples_counts c;

	(void)state;
	test_replaces(true, &c);
	assert_int_equal(c.all, 2 * 4 + 4 * 4 - 1);
	assert_int_equal(c.covered, c.all);
	assert_int_equal(c.refused, 0);
	test_replaces(false, &c);
	assert_int_equal(c.all, 2 * 4 + 4 * 4);
	assert_int_equal(c.covered, c.all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_covers),
		cmocka_unit_test(test_covers_triples),
		cmocka_unit_test(test_ender),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
