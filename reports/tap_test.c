/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/tap.h"

#include "reports/fixture_test.h"
#include "reports/golden_test.h"

static void add(struct summary *s, struct record *r, struct text *t)
{
	assert_int_equal(summary_add(s, r, NULL), 0);
	tap_case(t, &s->cases[s->ncases - 1], s->ncases);
}

static void a_run_reads_so(void **state)
{
	struct record r = {0};
	struct text t = {0};
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	tap_begin(&t, fixture_about());
	fixture_pass(&r);
	add(s, &r, &t);
	fixture_fail(&r);
	add(s, &r, &t);
	fixture_begin(&r, "uet/rod/a#b", CHAIR_TARGET);
	r.verdict = VERDICT_NA;
	snprintf(r.reason, sizeof(r.reason), "no rod");
	add(s, &r, &t);
	r.verdict = VERDICT_INCONCLUSIVE;
	snprintf(r.reason, sizeof(r.reason), "say \"x\" \\ \033");
	add(s, &r, &t);
	tap_end(&t, 4, fixture_about());
	golden_check(&t, "reports/golden/tap.txt");
	text_free(&t);
	record_free(&r);
	summary_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_reads_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
