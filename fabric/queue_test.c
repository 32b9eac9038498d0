/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/queue_test.c -- tests the order of events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "fabric/queue.h"

static void earliest_first(void **state)
{
	struct event_heap h = {0};
	struct rng rng = {1};
	vtime last = 0;
	struct event e;

	(void)state;
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(
			event_put(&h,
				  (struct event){.at = rng_below(&rng, 1000)}),
			0);
	for (uint32_t i = 0; i < 5000; i++) {
		assert_true(event_take(&h, VTIME_NEVER, &e));
		assert_true(e.at >= last);
		last = e.at;
	}
	assert_false(event_take(&h, VTIME_NEVER, &e));
	event_free(&h);
}

static void same_time_in_order(void **state)
{
	struct event_heap h = {0};
	struct event e;

	(void)state;
	for (uint32_t i = 0; i < 500; i++)
		assert_int_equal(
			event_put(&h, (struct event){.at = 7 - i % 3, .id = i}),
			0);
	for (unsigned k = 0; k < 3; k++)
		for (uint32_t i = 2 - k; i < 500; i += 3) {
			assert_true(event_take(&h, 7, &e));
			assert_int_equal(e.at, 5 + k);
			assert_int_equal(e.id, i);
		}
	event_free(&h);
}

static void not_before_it_is_due(void **state)
{
	struct event_heap h = {0};
	struct event e;

	(void)state;
	assert_int_equal(event_put(&h, (struct event){.at = 10}), 0);
	assert_false(event_take(&h, 9, &e));
	assert_true(event_take(&h, 10, &e));
	event_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(earliest_first),
		cmocka_unit_test(same_time_in_order),
		cmocka_unit_test(not_before_it_is_due),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
