/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/text/text.h"

#include "reports/fixture_test.h"
#include "reports/golden_test.h"
#include "reports/safe.h"

static void text_report_test_whole_run(struct text *t,
				       const struct text_opts *o)
{
	struct record r = {0};
	struct summary *s;

	assert_int_equal(summary_new(&s, false), 0);
	text_begin(t, fixture_about(), o);
	fixture_pass(&r);
	text_case(t, &r, o);
	assert_int_equal(summary_add(s, &r, NULL), 0);
	fixture_fail(&r);
	text_case(t, &r, o);
	assert_int_equal(summary_add(s, &r, NULL), 0);
	fixture_begin(&r, "uet/rod/go-back", CHAIR_INITIATOR);
	r.verdict = VERDICT_NA;
	snprintf(r.reason, sizeof(r.reason), "the device does not claim rod");
	text_case(t, &r, o);
	assert_int_equal(summary_add(s, &r, NULL), 0);
	fixture_begin(&r, "uet/rud/probe", CHAIR_TARGET);
	r.verdict = VERDICT_INCONCLUSIVE;
	snprintf(r.reason, sizeof(r.reason),
		 "the device never answered the opening, so that nothing can "
		 "be said");
	text_case(t, &r, o);
	assert_int_equal(summary_add(s, &r, NULL), 0);
	text_end(t, s, fixture_about(), o);
	summary_free(s);
	record_free(&r);
}

/* Removes the statements of requirements, which may be reworded. */
static void drop_statements(struct text *t)
{
	static const char blank[] = "\n      "; /* no trailing blank */
	char *s = t->s;

	while ((s = strstr(s, blank))) {
		size_t n = 1 + strcspn(s + 1, "\n");

		if (s[sizeof(blank) - 1] == ' ')
			s++;
		else
			memmove(s, s + n, strlen(s + n) + 1);
	}
	t->len = strlen(t->s);
}

static void a_run_looks_so(void **state)
{
	const struct text_opts o = {.out = "out"};
	struct text t = {0};

	(void)state;
	text_report_test_whole_run(&t, &o);
	drop_statements(&t);
	golden_check(&t, "reports/golden/run.txt");
	text_free(&t);
}

static void quiet_tells_what_failed(void **state)
{
	const struct text_opts o = {.quiet = true};
	struct text t = {0};

	(void)state;
	text_report_test_whole_run(&t, &o);
	assert_null(strstr(t.s, "pass   "));
	assert_null(strstr(t.s, "go-back"));
	assert_non_null(strstr(t.s, "   1  RUD-SEQ-76/dst"));
	assert_non_null(strstr(t.s, "! FAIL RUD-SEQ-76/dst"));
	assert_non_null(strstr(t.s, "inconclusive  uet/rud/probe@target"));
	text_free(&t);
}

static void no_line_is_too_wide(void **state)
{
	const struct text_opts o = {.ladder = {.width = 80}, .ladders = true};
	struct text t = {0};
	const char *s;
	size_t n;

	(void)state;
	text_report_test_whole_run(&t, &o);
	for (s = t.s; *s; s += n + (s[n] != 0)) {
		n = strcspn(s, "\n");
		if (!strncmp(s + strspn(s, " "), "rung ", 5))
			continue; /* a command is not wrapped */
		assert_true(safe_columns(s, n) <= 80);
	}
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_looks_so),
		cmocka_unit_test(quiet_tells_what_failed),
		cmocka_unit_test(no_line_is_too_wide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
