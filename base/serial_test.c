/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/serial_test.c -- tests the order of serial numbers across the wrap.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/serial.h"

static void neighbours_are_ordered_everywhere(void **state)
{
	static const uint32_t at[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};

	(void)state;
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		assert_int_equal(serial_diff(at[i] + 1, at[i]), 1);
		assert_int_equal(serial_diff(at[i], at[i] + 1), -1);
		assert_int_equal(serial_diff(at[i], at[i]), 0);
		assert_true(serial_after(at[i] + 1, at[i]));
		assert_false(serial_after(at[i], at[i] + 1));
		assert_false(serial_after(at[i], at[i]));
		assert_true(serial_before(at[i], at[i] + 1));
		assert_false(serial_before(at[i], at[i]));
		assert_int_equal(serial_max(at[i], at[i] + 1), at[i] + 1);
		assert_int_equal(serial_max(at[i] + 1, at[i]), at[i] + 1);
	}
}

static void the_far_end_is_half_way_round(void **state)
{
	(void)state;
	assert_int_equal(serial_diff(0x7fffffff, 0), INT32_MAX);
	assert_int_equal(serial_diff(0x80000000, 0), INT32_MIN);
	assert_int_equal(serial_diff(0, 0x80000000), INT32_MIN);
	assert_int_equal(serial_diff(0x80000001, 0), INT32_MIN + 1);
}

static void differences_add_up(void **state)
{
	struct rng r = {1};

	(void)state;
	for (int i = 0; i < 10000; i++) {
		uint32_t a = (uint32_t)rng_next(&r), b = (uint32_t)rng_next(&r);
		int64_t d = serial_diff(a, b);

		assert_int_equal((uint32_t)(b + (uint64_t)d), a);
		if (d != INT32_MIN)
			assert_int_equal(serial_diff(b, a), -d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neighbours_are_ordered_everywhere),
		cmocka_unit_test(the_far_end_is_half_way_round),
		cmocka_unit_test(differences_add_up),
	};

	return cmocka_run_group_tests_name("base.serial", tests, NULL, NULL);
}
