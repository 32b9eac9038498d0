/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/err_test.c -- tests that every error has its own name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

static void names_differ(void **state)
{
	(void)state;
	for (int a = ERR_CLOSED; a < 0; a++) {
		assert_string_not_equal(err_name(a), "unknown");
		for (int b = ERR_CLOSED; b < a; b++)
			assert_string_not_equal(err_name(a), err_name(b));
	}
	assert_string_equal(err_name(ERR_SHORT), "short");
	assert_string_equal(err_name(ERR_SYNTAX), "syntax");
}

static void what_is_no_error_is_unknown(void **state)
{
	(void)state;
	assert_string_equal(err_name(0), "unknown");
	assert_string_equal(err_name(1), "unknown");
	assert_string_equal(err_name(ERR_CLOSED - 1), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_differ),
		cmocka_unit_test(what_is_no_error_is_unknown),
	};

	return cmocka_run_group_tests_name("base.err", tests, NULL, NULL);
}
