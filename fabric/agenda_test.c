/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/agenda_test.c -- compares the agenda with a list of times.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "fabric/agenda.h"

#define ENDPOINTS 150 /* not a multiple of a block */

static vtime agenda_test_least(const vtime *at)
{
	vtime least = VTIME_NEVER;

	for (uint32_t i = 0; i < ENDPOINTS; i++)
		least = vtime_min(least, at[i]);
	return least;
}

/* The endpoints that are due, in their order, each with a later time then. */
static void agenda_test_round(struct agenda *a, vtime *at, vtime until,
			      struct rng *rng)
{
	uint32_t due[ENDPOINTS], n = agenda_due(a, until, due), k = 0;

	for (uint32_t i = 0; i < ENDPOINTS; i++) {
		if (at[i] >= until)
			continue;
		assert_true(k < n);
		assert_int_equal(due[k++], i);
		at[i] = rng_below(rng, 4) ? until + rng_below(rng, 50)
					  : VTIME_NEVER;
		agenda_set(a, i, at[i]);
	}
	assert_int_equal(k, n);
}

static void due_endpoints_are_found(void **state)
{
	vtime at[ENDPOINTS], now = 0;
	struct rng rng = {1};
	struct agenda a;

	(void)state;
	assert_int_equal(agenda_init(&a, ENDPOINTS, 64), 0);
	assert_int_equal(agenda_next(&a), VTIME_NEVER);
	for (uint32_t i = 0; i < ENDPOINTS; i++)
		at[i] = VTIME_NEVER;
	for (unsigned round = 0; round < 1000; round++) {
		const uint32_t i = rng_below(&rng, ENDPOINTS);
		const vtime earlier = now + rng_below(&rng, 20);

		agenda_lower(&a, i, earlier);
		at[i] = vtime_min(at[i], earlier);
		assert_true(agenda_next(&a) <= agenda_test_least(at));
		now += rng_below(&rng, 10);
		agenda_test_round(&a, at, now, &rng);
		assert_int_equal(agenda_next(&a), agenda_test_least(at));
	}
	agenda_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(due_endpoints_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
