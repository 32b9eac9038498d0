/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/timers_test.c -- compares the heap of deadlines with a linear
 * search.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "oracle/core/timers.h"

#define MANY 100

static vtime timers_test_earliest(const vtime *at)
{
	vtime first = VTIME_NEVER;

	for (unsigned i = 0; i < MANY; i++)
		first = vtime_min(first, at[i]);
	return first;
}

static void like_a_search(void **state)
{
	struct rng rng = {1};
	struct mem mem = {0};
	struct timers t = {0};
	struct timer timer[MANY] = {0};
	vtime at[MANY];

	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		at[i] = VTIME_NEVER;
		assert_true(timers_reserve(&t, &mem));
	}
	for (unsigned n = 0; n < 20000; n++) {
		const uint32_t i = rng_below(&rng, MANY);
		struct timer *due;

		at[i] = rng_below(&rng, 4) ? rng_below(&rng, 500) : VTIME_NEVER;
		timers_set(&t, &timer[i], at[i]);
		assert_true(timers_next(&t) == timers_test_earliest(at));
		due = timers_due(&t, 20);
		assert_int_equal(due != NULL, timers_test_earliest(at) <= 20);
		if (!due)
			continue;
		assert_true(at[due - timer] == timers_test_earliest(at));
		at[due - timer] = VTIME_NEVER;
		assert_true(timers_next(&t) == timers_test_earliest(at));
	}
	timers_free(&t);
}

/* Nothing is due at the end of time either. */
static void none_is_due_if_none_is_armed(void **state)
{
	struct timers t = {0};

	(void)state;
	assert_null(timers_due(&t, VTIME_NEVER));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(like_a_search),
		cmocka_unit_test(none_is_due_if_none_is_armed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
