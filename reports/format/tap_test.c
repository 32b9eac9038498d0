/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/format/tap.h"

#include "reports/fixture_test.h"
#include "reports/format/json.h"
#include "reports/format/junit.h"
#include "reports/golden_test.h"

static void tap_test_add(struct summary *s, struct record *r, struct text *t)
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
	tap_test_add(s, &r, &t);
	fixture_fail(&r);
	tap_test_add(s, &r, &t);
	fixture_begin(&r, "uet/rod/a#b", CHAIR_TARGET);
	r.verdict = VERDICT_NA;
	snprintf(r.reason, sizeof(r.reason), "no rod");
	tap_test_add(s, &r, &t);
	r.verdict = VERDICT_INCONCLUSIVE;
	snprintf(r.reason, sizeof(r.reason), "say \"x\" \\ \033");
	tap_test_add(s, &r, &t);
	tap_end(&t, s, fixture_about());
	golden_check(&t, "reports/golden/tap.txt");
	text_free(&t);
	record_free(&r);
	summary_free(s);
}

/* Two cases contradict the same claim: the run has one finding. */
static void a_false_claim_is_one_finding(void **state)
{
	struct record r = {0};
	struct text tap = {0}, junit = {0}, json = {0};
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	for (unsigned i = 0; i < 2; i++) {
		fixture_begin(&r, i ? "uet/cc/a" : "uet/cc/b", CHAIR_TARGET);
		r.verdict = VERDICT_NA;
		r.reason_id = REASON_UNDECLARED;
		snprintf(r.claim, sizeof(r.claim), "ack_cc");
		snprintf(r.claim_seen, sizeof(r.claim_seen), "ack");
		tap_test_add(s, &r, &tap);
	}
	assert_int_equal(s->nclaims, 1);
	assert_int_equal(s->claims[0].ncases, 2);
	assert_string_equal(s->claims[0].first, "uet/cc/a@target");
	assert_int_equal(summary_fails(s), 1);
	tap_end(&tap, s, fixture_about());
	assert_non_null(
		strstr(text_cstr(&tap), "not ok 3 - declaration ack_cc\n"));
	assert_non_null(strstr(text_cstr(&tap), "1..3\n"));
	assert_int_equal(junit_report(&junit, s, fixture_about()), 0);
	assert_non_null(
		strstr(text_cstr(&junit), "tests=\"3\" failures=\"1\""));
	assert_int_equal(json_report(&json, s, fixture_about()), 0);
	assert_non_null(strstr(text_cstr(&json), "\"claim\":\"ack_cc\""));
	text_free(&tap);
	text_free(&junit);
	text_free(&json);
	record_free(&r);
	summary_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_reads_so),
		cmocka_unit_test(a_false_claim_is_one_finding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
