/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/rng_test.c -- tests that a seed gives the same numbers everywhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"

/* Published outputs of SplitMix64 for seed 1234567. */
static void it_is_splitmix64(void **state)
{
	struct rng r = {1234567};

	(void)state;
	assert_int_equal(rng_next(&r), 6457827717110365317u);
	assert_int_equal(rng_next(&r), 3203168211198807973u);
	assert_int_equal(rng_next(&r), 9817491932198370423u);
}

static void draws_stay_below_and_reach_all(void **state)
{
	unsigned seen[7] = {0};
	struct rng r = {1};

	(void)state;
	for (int i = 0; i < 7000; i++) {
		uint32_t n = rng_below(&r, 7);

		assert_in_range(n, 0, 6);
		seen[n]++;
	}
	for (int i = 0; i < 7; i++)
		assert_in_range(seen[i], 800, 1200);
	for (int i = 0; i < 100; i++)
		assert_int_equal(rng_below(&r, 1), 0);
}

static void texts_mix_to_different_seeds(void **state)
{
	(void)state;
	assert_int_equal(rng_mix(1, "a"), rng_mix(1, "a"));
	assert_true(rng_mix(1, "a") != rng_mix(2, "a"));
	assert_true(rng_mix(1, "a") != rng_mix(1, "b"));
	assert_true(rng_mix(1, "ab") != rng_mix(1, "ba"));
	assert_true(rng_mix(1, "") != rng_mix(1, "a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_splitmix64),
		cmocka_unit_test(draws_stay_below_and_reach_all),
		cmocka_unit_test(texts_mix_to_different_seeds),
	};

	return cmocka_run_group_tests_name("base.rng", tests, NULL, NULL);
}
