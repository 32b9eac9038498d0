/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/live/turns_test.c -- every opening and move has one turn, in
 * which it is what runs.
 */
#include "suite/explore/live/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "suite/explore/cover/learn.h"
#include "suite/explore/draft_make.h"

static unsigned seen[2][LEARN_OPENS + LEARN_MOVES]; /* openings, moves */

/* Drafts a plan as a live exploration does, and counts what it begins with. */
static void turns_see(const struct draft_plan *plan, uint64_t seed)
{
	struct choices c;
	struct draft d = {.c = &c, .plan = plan};

	choices_draw(&c, seed);
	draft_make(&d, 1u << DRAFT_ROD, 1u << CHAIR_TARGET);
	if (plan->n) {
		assert_int_equal(d.open_option, 0);
		assert_int_equal(d.move_option[0], plan->moves[0]);
		seen[1][plan->moves[0]]++;
	} else {
		assert_int_equal(d.open_option, plan->open);
		seen[0][plan->open]++;
	}
	draft_free(&d);
}

static void test_each_has_one_turn(void **state)
{
	struct learn_parts parts;
	struct rng rng = {1};
	struct draft_plan plan;
	struct turn turn;
	struct turns t;
	uint64_t n = 0;

	(void)state;
	learn_parts(&parts, DRAFT_ROD, CHAIR_TARGET);
	assert_int_equal(turns_new(&t, 1u << DRAFT_ROD, 1u << CHAIR_TARGET), 0);
	while (turns_next(&t, &rng, &turn)) {
		turn_plan(&turn, &plan);
		turns_see(&plan, ++n);
	}
	assert_int_equal(n, parts.nopens + parts.nmoves);
	for (unsigned i = 0; i < parts.nopens; i++)
		assert_int_equal(seen[0][parts.opens[i]], 1);
	for (unsigned i = 0; i < parts.nmoves; i++)
		assert_int_equal(seen[1][parts.moves[i]], 1);
	turns_free(&t);
}

static void test_some_have_another(void **state)
{
	struct rng rng = {1};
	struct turn turn;
	struct turns t;
	unsigned n = 0, all;

	(void)state;
	assert_int_equal(turns_new(&t, 1u << DRAFT_UUD, 1u << CHAIR_TARGET), 0);
	all = (unsigned)t.n;
	for (; turns_next(&t, &rng, &turn); n++)
		turns_back(&t, &turn);
	assert_int_equal(n, TURNS_TRIES * all);
	turns_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_has_one_turn),
		cmocka_unit_test(test_some_have_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
