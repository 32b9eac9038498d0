/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/baseline_test.c -- tests the list of known failures.
 */
#include "reports/result/baseline.h"

#include "base/err.h"
#include "reports/golden_test.h"

static const char list[] = "# lab 3\r\n"
			   "\n"
			   "expect fail uet/rud/a*@target\n"
			   "\tbecause  firmware 1.4\n"
			   "  owner ann\n"
			   "  until 2026-12-31\n"
			   "expect flaky uet/rud/b\n"
			   "  because a race\n"
			   "expect inconclusive *\n"
			   "  because the cable\n"
			   "  until 2026-11-30";

static enum baseline_state baseline_test_judge(const struct baseline *b,
					       const char *id, enum verdict v,
					       unsigned line)
{
	const struct baseline_entry *e;
	const enum baseline_state s = baseline_judge(b, id, v, &e);

	assert_int_equal(e ? e->line : 0, line);
	return s;
}

static void the_first_that_matches_counts(void **state)
{
	struct diag diag = {0};
	struct baseline *b;

	(void)state;
	assert_int_equal(baseline_parse(&b, "b", list, sizeof(list) - 1,
					"2026-12-01", &diag),
			 0);
	assert_int_equal(b->n, 3);
	assert_string_equal(b->entries[0].because, "firmware 1.4");
	assert_int_equal(
		baseline_test_judge(b, "uet/rud/ab@target", VERDICT_FAIL, 3),
		BASELINE_KNOWN);
	assert_int_equal(
		baseline_test_judge(b, "uet/rud/ab@target", VERDICT_PASS, 3),
		BASELINE_FIXED);
	assert_int_equal(
		baseline_test_judge(b, "uet/rud/ab@target", VERDICT_ERROR, 3),
		BASELINE_OTHER);
	assert_int_equal(
		baseline_test_judge(b, "uet/rud/ab@initiator", VERDICT_FAIL, 9),
		BASELINE_EXPIRED);
	assert_int_equal(
		baseline_test_judge(b, "uet/rud/b@initiator", VERDICT_FAIL, 7),
		BASELINE_KNOWN);
	assert_int_equal(
		baseline_test_judge(b, "uet/rud/b@target", VERDICT_PASS, 7),
		BASELINE_KNOWN);
	assert_int_equal(baseline_test_judge(NULL, "x", VERDICT_FAIL, 0),
			 BASELINE_NONE);
	baseline_free(b);
}

/* An entry is still valid on its last day. */
static void a_date_includes_its_day(void **state)
{
	static const char *const days[] = {"2026-12-30", "2026-12-31",
					   "2027-01-01"};
	static const char one[] = "expect fail x\n because y\n until "
				  "2026-12-31\n";

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct diag diag = {0};
		struct baseline *b;

		assert_int_equal(baseline_parse(&b, "b", one, sizeof(one) - 1,
						days[i], &diag),
				 0);
		assert_int_equal(b->entries[0].expired, i == 2);
		baseline_free(b);
	}
}

static void an_entry_is_said_in_words(void **state)
{
	struct baseline_entry e = {.because = "a\033b",
				   .owner = "ann",
				   .until = "2027-01-31",
				   .link = "https://x"};
	struct text t = {0};

	(void)state;
	baseline_say(&t, BASELINE_KNOWN, &e);
	assert_string_equal(text_cstr(&t), "known: a\\x1bb (ann, until "
					   "2027-01-31, https://x)");
	text_clear(&t);
	e.owner = e.until = e.link = NULL;
	baseline_say(&t, BASELINE_FIXED, &e);
	assert_string_equal(text_cstr(&t), "unexpected pass: a\\x1bb");
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_that_matches_counts),
		cmocka_unit_test(a_date_includes_its_day),
		cmocka_unit_test(an_entry_is_said_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
