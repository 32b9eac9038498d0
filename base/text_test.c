/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/text_test.c -- tests the growing string.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/text.h"

static void an_empty_text_is_an_empty_string(void **state)
{
	struct text t = {0};

	(void)state;
	assert_string_equal(text_cstr(&t), "");
	assert_int_equal(text_err(&t), 0);
	text_free(&t);
	text_puts(&t, "");
	text_fill(&t, 'x', 0);
	text_hex(&t, NULL, 0);
	assert_string_equal(text_cstr(&t), "");
	text_free(&t);
}

static void everything_appends(void **state)
{
	static const uint8_t bytes[] = {1, 2, 0xff};
	struct text t = {0};

	(void)state;
	text_puts(&t, "rud_req");
	text_printf(&t, " %s=%d", "psn", 333);
	text_add(&t, " | data", 3);
	text_fill(&t, '.', 3);
	text_hex(&t, bytes, sizeof(bytes));
	assert_string_equal(text_cstr(&t), "rud_req psn=333 | ...01 02 ff");
	assert_int_equal(t.len, strlen(t.s));
	text_free(&t);
}

/* Grows the buffer across every size, by one character and by many. */
static void it_grows_as_needed(void **state)
{
	struct text t = {0};

	(void)state;
	for (size_t i = 0; i < 5000; i++) {
		text_printf(&t, "%c", (char)('a' + i % 26));
		assert_int_equal(t.len, i + 1);
		assert_int_equal(t.s[i + 1], 0);
	}
	for (size_t i = 0; i < 5000; i++)
		assert_int_equal(t.s[i], 'a' + i % 26);
	text_fill(&t, 'z', 100000);
	assert_int_equal(t.len, 105000);
	assert_int_equal(strlen(t.s), 105000);
	text_free(&t);
}

static void clearing_keeps_the_memory(void **state)
{
	struct text t = {0};
	size_t size;

	(void)state;
	text_fill(&t, 'x', 1000);
	size = t.size;
	text_clear(&t);
	assert_string_equal(text_cstr(&t), "");
	assert_int_equal(t.size, size);
	text_puts(&t, "y");
	assert_string_equal(text_cstr(&t), "y");
	text_free(&t);
	assert_null(t.s);
}

static void numbers_append(void **state)
{
	struct text t = {0};

	(void)state;
	text_u64(&t, 0);
	text_puts(&t, " ");
	text_u64(&t, UINT64_MAX);
	text_puts(&t, " ");
	text_x64(&t, 0);
	text_puts(&t, " ");
	text_x64(&t, UINT64_MAX);
	assert_string_equal(text_cstr(&t), "0 18446744073709551615 0x0 "
					   "0xffffffffffffffff");
	text_free(&t);
}

static void a_failure_is_remembered(void **state)
{
	struct text t = {.failed = true};

	(void)state;
	text_puts(&t, "lost");
	text_printf(&t, "%d", 1);
	text_fill(&t, 'x', 1);
	assert_int_equal(text_err(&t), ERR_NOMEM);
	assert_string_equal(text_cstr(&t), "");
	text_clear(&t);
	assert_int_equal(text_err(&t), 0);
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_text_is_an_empty_string),
		cmocka_unit_test(everything_appends),
		cmocka_unit_test(it_grows_as_needed),
		cmocka_unit_test(clearing_keeps_the_memory),
		cmocka_unit_test(numbers_append),
		cmocka_unit_test(a_failure_is_remembered),
	};

	return cmocka_run_group_tests_name("base.text", tests, NULL, NULL);
}
