/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/tap.h"

#include "reports/fixture_test.h"
#include "reports/golden_test.h"

static void a_run_reads_so(void **state)
{
	struct record r = {0};
	struct text t = {0};

	(void)state;
	tap_begin(&t, fixture_about());
	fixture_pass(&r);
	tap_case(&t, &r, 1);
	fixture_fail(&r);
	tap_case(&t, &r, 2);
	fixture_begin(&r, "uet/rod/a#b", CHAIR_TARGET);
	r.verdict = VERDICT_NA;
	snprintf(r.reason, sizeof(r.reason), "no rod");
	tap_case(&t, &r, 3);
	r.verdict = VERDICT_INCONCLUSIVE;
	snprintf(r.reason, sizeof(r.reason), "say \"x\" \\ \033");
	tap_case(&t, &r, 4);
	tap_end(&t, 4);
	golden_check(&t, "reports/golden/tap.txt");
	text_free(&t);
	record_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_reads_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
