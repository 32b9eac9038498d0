/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/across_test.c -- every pair of values of two moves is
 * covered, does not exist, or is said to be left.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "suite/explore/cover/across.h"
#include "suite/explore/cover/model_test.h"

#define VALUES  33 /* of moves; 3 of them are of the move that ends */
#define ALL     ((VALUES - 3) * VALUES)
#define CLASSES 9

/* Which pairs the runs had, by what the model says of them. */
struct had {
	bool pair[MOVES * PLACES * CLASSES][MOVES * PLACES * CLASSES];
};

static size_t had_id(const struct cover_value *x)
{
	const size_t place =
		x->drawn.place == VALUES_NO_PLACE ? 0 : x->drawn.place;

	return (x->part * PLACES + place) * CLASSES + x->drawn.class;
}

static void had_add(struct had *h, const struct cover_value *drawn, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (drawn[i].drawn.slot &&
			    drawn[i].drawn.slot < drawn[k].drawn.slot)
				h->pair[had_id(&drawn[i])][had_id(&drawn[k])] =
					true;
}

static size_t had_count(const struct had *h)
{
	const bool *at = &h->pair[0][0];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(h->pair); i++)
		n += at[i];
	return n;
}

/* Drafts the plan until a draft has the pair.  Return: its values; 0: none. */
static size_t across_drafts(const struct across *a, const struct draft_plan *p,
			    struct rng *rng, struct cover_value drawn[DRAWN])
{
	for (unsigned i = 0; i < 8; i++) {
		const size_t n = draw(p, rng, drawn);

		if (across_has(a, drawn, n))
			return n;
	}
	return 0;
}

static bool draws_class(const struct cover_value *drawn, size_t n,
			unsigned part, unsigned class)
{
	for (size_t i = 0; i < n; i++)
		if (drawn[i].move && drawn[i].part == part &&
		    drawn[i].drawn.place == 0 && drawn[i].drawn.class == class)
			return true;
	return false;
}

/*
 * Runs all sequences; those with class 1 of move 3 are not applicable if
 * |refuses|.  Return: how many were run.
 */
static unsigned across_run_all(struct across *a, struct had *h, bool refuses)
{
	struct cover_value drawn[DRAWN];
	struct draft_plan p = {.n = 0};
	struct rng rng = {1};
	unsigned runs = 0;

	for (; across_next(a, &rng, &p); p = (struct draft_plan){.n = 0}) {
		const size_t n = across_drafts(a, &p, &rng, drawn);
		const bool covers = !refuses || !draws_class(drawn, n, 3, 1);

		for (unsigned i = 0; i + 1 < p.n; i++)
			assert_int_not_equal(p.moves[i], ENDER);
		runs += n > 0;
		assert_true(runs < 10000);
		if (!n) {
			across_lacks(a);
			continue;
		}
		if (covers)
			had_add(h, drawn, n);
		across_done(a, drawn, n, covers);
	}
	return runs;
}

static void count_pair(void *ctx, const struct cover_value *const *tuple,
		       unsigned n)
{
	assert_int_equal(n, 2);
	assert_true(tuple[0]->move && tuple[1]->move);
	++*(size_t *)ctx;
}

static void test_covers_pairs_of_two_moves(void **state)
{
	static struct had h;
	struct values *v = model(2);
	struct tuples_counts c;
	struct across *a;
	size_t left = 0;

	(void)state;
	values_ends(v, true, ENDER);
	assert_int_equal(across_new(&a, v), 0);
	across_left(a, count_pair, &left);
	assert_int_equal(left, ALL);
	/* a sequence has 28 pairs of moves, most with several values */
	assert_true(across_run_all(a, &h, false) < 120);
	across_count(a, &c);
	assert_int_equal(c.all, ALL);
	assert_int_equal(c.covered, ALL);
	assert_int_equal(had_count(&h), ALL);
	left = 0;
	across_left(a, count_pair, &left);
	assert_int_equal(left, 0);
	across_free(a);
	values_free(v);
}

/* Runs of another kind count, and what was not run is left. */
static void test_counts_what_is_left(void **state)
{
	static struct had h;
	struct cover_value drawn[DRAWN];
	struct draft_plan p = {.moves = {0, 1, 3}, .n = 3};
	struct values *v = model(2);
	struct tuples_counts c;
	struct rng rng = {5};
	struct across *a;
	size_t left = 0, n;

	(void)state;
	values_ends(v, true, ENDER);
	assert_int_equal(across_new(&a, v), 0);
	n = draw(&p, &rng, drawn);
	across_also(a, drawn, n);
	had_add(&h, drawn, n);
	across_count(a, &c);
	assert_int_equal(c.covered, had_count(&h));
	across_left(a, count_pair, &left);
	assert_int_equal(left, ALL - c.covered);
	across_free(a);
	values_free(v);
}

/* A pair is refused only if it is not applicable alone. */
static void test_refuses_pairs(void **state)
{
	static struct had h;
	struct values *v = model(2);
	struct tuples_counts c;
	struct across *a;

	(void)state;
	values_ends(v, true, ENDER);
	assert_int_equal(across_new(&a, v), 0);
	across_run_all(a, &h, true);
	across_count(a, &c);
	/* the class is one of 33 values, and has 30 before it, itself once */
	assert_int_equal(c.all, ALL);
	assert_int_equal(c.refused, VALUES + VALUES - 3 - 1);
	assert_int_equal(c.covered, ALL - c.refused);
	assert_int_equal(had_count(&h), c.covered);
	across_free(a);
	values_free(v);
}

/* A value that no draft draws is in no pair. */
static void test_pairs_that_do_not_exist(void **state)
{
	static struct had h;
	const struct cover_value never = value_of(true, 3, 1, 2, 0);
	struct values *v;
	struct tuples_counts c;
	struct across *a;

	(void)state;
	assert_int_equal(values_new(&v, 2), 0);
	add_part(v, true, 2, moves_draw[2]);
	add_part(v, true, 3, moves_draw[3]);
	assert_int_equal(values_add(v, &never), 0);
	assert_int_equal(values_begin(v), 0);
	assert_int_equal(across_new(&a, v), 0);
	across_run_all(a, &h, false);
	across_count(a, &c);
	assert_int_equal(c.all, 5 * 5);
	assert_int_equal(c.covered, c.all);
	across_free(a);
	values_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_covers_pairs_of_two_moves),
		cmocka_unit_test(test_counts_what_is_left),
		cmocka_unit_test(test_refuses_pairs),
		cmocka_unit_test(test_pairs_that_do_not_exist),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
