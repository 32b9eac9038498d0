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
	struct event_wheel *h = event_wheel_new();
	bool seen;
	struct rng rng = {1};
	vtime last = 0;
	struct event e;

	(void)state;
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(
			event_put(h,
				  (struct event){.at = rng_below(&rng, 50000)}),
			0);
	for (uint32_t i = 0; i < 5000; i++) {
		assert_true(event_take(h, VTIME_NEVER, &e, &seen));
		assert_true(e.at >= last);
		last = e.at;
	}
	assert_false(event_take(h, VTIME_NEVER, &e, &seen));
	event_wheel_free(h);
}

static void same_time_in_order(void **state)
{
	struct event_wheel *h = event_wheel_new();
	bool seen;
	struct event e;

	(void)state;
	for (uint32_t i = 0; i < 500; i++)
		assert_int_equal(
			event_put(h, (struct event){.at = 7 - i % 3, .id = i}),
			0);
	for (unsigned k = 0; k < 3; k++)
		for (uint32_t i = 2 - k; i < 500; i += 3) {
			assert_true(event_take(h, 7, &e, &seen));
			assert_int_equal(e.at, 5 + k);
			assert_int_equal(e.id, i);
		}
	event_wheel_free(h);
}

static void not_before_it_is_due(void **state)
{
	struct event_wheel *h = event_wheel_new();
	bool seen;
	struct event e;

	(void)state;
	assert_int_equal(event_put(h, (struct event){.at = 10}), 0);
	assert_false(event_take(h, 9, &e, &seen));
	assert_true(event_take(h, 10, &e, &seen));
	event_wheel_free(h);
}

/* event_ahead sees events in the order in which they are taken later. */
static void ahead_in_order(void **state)
{
	struct event_wheel *h = event_wheel_new();
	uint32_t seen_ids[64], nseen = 0, ntaken = 0;
	struct rng rng = {2};
	const struct event *next;
	struct event e;
	bool seen;

	(void)state;
	for (uint32_t i = 0; i < 4000; i++) {
		const vtime at = h->now + rng_below(&rng, i % 7 ? 300 : 20000);

		assert_int_equal(
			event_put(h, (struct event){.at = at, .id = i}), 0);
		while (nseen - ntaken < 8 && (next = event_ahead(h)))
			seen_ids[nseen++ % 64] = next->id;
		if (i % 3 == 0)
			continue;
		assert_int_equal(event_take(h, VTIME_NEVER, &e, &seen), 1);
		if (seen)
			assert_int_equal(e.id, seen_ids[ntaken++ % 64]);
	}
	assert_true(ntaken > 1000);
	event_wheel_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(earliest_first),
		cmocka_unit_test(same_time_in_order),
		cmocka_unit_test(not_before_it_is_due),
		cmocka_unit_test(ahead_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
