/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that the cases before do not fail a case on a device that is never
 * reset.
 */
#include "suite/run/run_fake_test.h"

/* Runs two cases in sequence, with other seeds; the record is of the second. */
static void run_twice(struct setting *s, enum knob knob, const char *claims)
{
	struct run_conf conf = {.decl = NULL, .seed = 7};

	prepare_declared(s, two_sends, knob, claims);
	s->fake.dut.virtual = false;
	assert_int_equal(
		run_case(s->runner, s->test_case, CHAIR_TARGET, &conf, &s->rec),
		0);
	assert_int_equal(s->rec.verdict, VERDICT_PASS);
	record_free(&s->rec);
	conf.seed = 8;
	assert_int_equal(
		run_case(s->runner, s->test_case, CHAIR_TARGET, &conf, &s->rec),
		0);
}

static void a_packet_on_an_earlier_pdc_is_set_aside(void **state)
{
	struct setting s;

	(void)state;
	run_twice(&s, USES_OLD_PDC, "");
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	assert_int_equal(s.fake.refusals, 1);
	run_test_put_away(&s);
}

static void a_missing_packet_may_be_on_an_earlier_pdc(void **state)
{
	struct setting s;

	(void)state;
	run_twice(&s, USES_OLD_PDC_ONLY, "");
	assert_int_equal(s.rec.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(s.rec.reason_id, REASON_EARLIER);
	run_test_put_away(&s);
}

static void a_case_leaves_nothing_behind(void **state)
{
	struct setting s;

	(void)state;
	run_twice(&s, LAWFUL, "claims close.target\n");
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	assert_int_equal(s.fake.clears, 2);
	assert_int_equal(s.fake.closes, 2);
	run_test_put_away(&s);
	run_twice(&s, LAWFUL, "");
	assert_int_equal(s.fake.clears, 2);
	assert_int_equal(s.fake.closes, 0);
	run_test_put_away(&s);
	run_text(&s, two_sends, LAWFUL); /* a virtual device is new each time */
	assert_int_equal(s.fake.clears, 0);
	run_test_put_away(&s);
}

/* A device may keep resources for a PDC that it did not close. */
static void a_shortage_may_come_from_earlier_cases(void **state)
{
	struct setting s;

	(void)state;
	run_twice(&s, LACKS_PDC, "");
	assert_int_equal(s.rec.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(s.rec.reason_id, REASON_EARLIER);
	run_test_put_away(&s);
	/* two of four PDCs are no reason */
	run_twice(&s, LACKS_PDC, "setting max_pdcs=4\n");
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	run_test_put_away(&s);
	run_twice(&s, LACKS_PDC, "setting max_pdcs=4 max_peer_pdcs=1\n");
	assert_int_equal(s.rec.verdict, VERDICT_INCONCLUSIVE);
	run_test_put_away(&s);
	run_twice(&s, LACKS_PDC, "setting max_pdcs=1\n");
	assert_int_equal(s.rec.verdict, VERDICT_INCONCLUSIVE);
	run_test_put_away(&s);
	/* each request of the first case was acknowledged */
	run_twice(&s, LACKS_STORAGE, "");
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	run_test_put_away(&s);
	run_twice(&s, LACKS_PDC, "claims close.target\n");
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	run_test_put_away(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_packet_on_an_earlier_pdc_is_set_aside),
		cmocka_unit_test(a_missing_packet_may_be_on_an_earlier_pdc),
		cmocka_unit_test(a_case_leaves_nothing_behind),
		cmocka_unit_test(a_shortage_may_come_from_earlier_cases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
