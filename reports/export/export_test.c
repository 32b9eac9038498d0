/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/export/export.h"

#include "reports/golden_test.h"

static void check_date(const char *date, int64_t seconds, const char *again)
{
	const struct about a = {.date = date};
	struct text t = {0};

	assert_true(export_begin(&a) == seconds * 1000000000);
	export_date(&t, export_begin(&a) + 125999999);
	assert_string_equal(text_cstr(&t), again);
	text_free(&t);
}

/* The seconds are those of 'date -u -d DATE +%s'. */
static void dates_and_times_agree(void **state)
{
	(void)state;
	check_date("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00.125Z");
	check_date("1999-12-31T23:59:59Z", 946684799,
		   "1999-12-31T23:59:59.125Z");
	check_date("2000-02-29T12:00:00Z", 951825600,
		   "2000-02-29T12:00:00.125Z");
	check_date("2026-12-01T08:00:01Z", 1796112001,
		   "2026-12-01T08:00:01.125Z");
	check_date("2100-03-01T00:00:00Z", 4107542400,
		   "2100-03-01T00:00:00.125Z");
}

static void a_bad_date_is_none(void **state)
{
	static const char *const bad[] = {"", "today", "2026-13-01T00:00:00Z",
					  "2026-01-00T00:00:00Z",
					  "1969-01-01T00:00:00Z"};
	const struct about none = {.date = NULL};

	(void)state;
	assert_true(export_begin(&none) == 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct about a = {.date = bad[i]};

		assert_true(export_begin(&a) == 0);
	}
}

static void a_result_has_begin_and_end(void **state)
{
	const struct about a = {.date = "1970-01-01T00:00:01Z"};
	struct summary_case c = {.wall_ns = 40, .ended = 100};

	(void)state;
	assert_true(export_end(&a, &c) == 1000000100);
	assert_true(export_start(&a, &c) == 1000000060);
	c.ended = 0; /* an older record does not say */
	assert_true(export_start(&a, &c) == 1000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates_and_times_agree),
		cmocka_unit_test(a_bad_date_is_none),
		cmocka_unit_test(a_result_has_begin_and_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
