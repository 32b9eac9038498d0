/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/doc_test.c -- tests which numbers of JSON documents are accepted.
 */
#include "reports/doc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

enum reader { U64, U32, SPAN };

static const struct {
	enum reader reader;
	const char *json;
	uint64_t want;
	/* part of the message; NULL: the number is accepted */
	const char *refused;
} numbers[] = {
	{U64, "{\"n\":0}", 0, NULL},
	{U64, "{\"n\":9223372036854775807}", INT64_MAX, NULL},
	{U64, "{\"n\":\"18446744073709551615\"}", UINT64_MAX, NULL},
	{U64, "{\"n\":\"18446744073709551616\"}", 0, "'n' is no number"},
	{U64, "{\"n\":\"12x\"}", 0, "'n' is no number"},
	{U64, "{\"n\":\"-1\"}", 0, "'n' is no number"},
	{U64, "{\"n\":\"\"}", 0, "'n' is no number"},
	{U64, "{\"n\":-1}", 0, "'n' is no number"},
	{U64, "{\"n\":1.5}", 0, "'n' is no number"},
	{U64, "{}", 0, "'n' is missing"},
	{U32, "{\"n\":4294967295}", UINT32_MAX, NULL},
	{U32, "{\"n\":4294967296}", 0, "'n' is out of range"},
	{U32, "{\"n\":-1}", 0, "'n' is out of range"},
	{U32, "{\"n\":\"1\"}", 0, "'n' is no whole number"},
	{SPAN, "{\"n\":9223372036854775807}", INT64_MAX, NULL},
	{SPAN, "{\"n\":-1}", 0, "'n' is out of range"},
};

static uint64_t read_number(struct doc *d, const json_t *o, enum reader reader)
{
	switch (reader) {
	case U64:
		return doc_u64(d, o, "here", "n");
	case U32:
		return doc_u32(d, o, "here", "n");
	case SPAN:
		return (uint64_t)doc_span(d, o, "here", "n");
	}
	return 0;
}

static void numbers_are_read_or_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct diag diag = {0};
		struct doc d = {.path = "x.json", .diag = &diag};
		json_t *o = json_loads(numbers[i].json, 0, NULL);
		uint64_t n;

		assert_non_null(o);
		n = read_number(&d, o, numbers[i].reader);
		if (numbers[i].refused) {
			assert_int_equal(doc_err(&d), ERR_SYNTAX);
			assert_non_null(strstr(diag.text, numbers[i].refused));
			assert_non_null(strstr(diag.text, "here: "));
		} else {
			assert_int_equal(doc_err(&d), 0);
			assert_true(n == numbers[i].want);
		}
		json_decref(o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
