/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/why/branch_test.c -- the branches of a run, and what their
 * outcomes say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "suite/explore/why/branch.h"

static const char file[] = "title x\n\nchair target   # the DUT\n  > a\n\n"
			   "chair initiator\n  > b\n\nimpaired drop\n\n"
			   "chair target\n  > c\n";

static const char *case_of(struct text *t, const char *section,
			   enum chair chair)
{
	text_clear(t);
	assert_true(branch_case(file, section, chair, "drop > any", t));
	return text_cstr(t);
}

static void test_case_text(void **state)
{
	struct text t = {0};

	(void)state;
	assert_non_null(strstr(case_of(&t, NULL, CHAIR_TARGET),
			       "# the DUT\n  drop > any\n  > a\n"));
	assert_non_null(strstr(case_of(&t, NULL, CHAIR_INITIATOR),
			       "chair initiator\n  drop > any\n  > b\n"));
	assert_non_null(strstr(case_of(&t, "drop", CHAIR_TARGET),
			       "chair target\n  drop > any\n  > c\n"));
	assert_false(branch_case(file, "drop", CHAIR_INITIATOR, "x", &t));
	assert_false(branch_case(file, "loss", CHAIR_TARGET, "x", &t));
	text_free(&t);
}

static void test_lines(void **state)
{
	const struct branch_rung tx = {.tester = true, .nth = 2, .sent = 2};
	const struct branch_rung rx = {.nth = 1, .sent = 2};
	static const char want[] = "drop > any nth=2;duplicate < any nth=1;"
				   "delay 2ms < any nth=1;"
				   "drop > any nth=3..1000000";
	struct text t = {0};

	(void)state;
	branch_line(&tx, BRANCH_LOST, &t);
	text_puts(&t, ";");
	branch_line(&rx, BRANCH_DOUBLED, &t);
	text_puts(&t, ";");
	branch_line(&rx, BRANCH_DELAYED, &t);
	text_puts(&t, ";");
	branch_line(&rx, BRANCH_SILENT, &t);
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
}

/* Packets behind the failure, and those of an impairment, are no rungs. */
static void test_rungs(void **state)
{
	struct rec recs[] = {
		{.kind = REC_TX, .frame = 1},
		{.kind = REC_EVENT},
		{.kind = REC_TX, .frame = 2, .fate = FATE_DUPLICATE},
		{.kind = REC_RX, .frame = 3},
		{.kind = REC_TX, .frame = 4},
		{.kind = REC_RX, .frame = 5},
	};
	struct rec_finding findings[] = {
		{.req = REQ_I2, .role = REQ_DST, .remark = true, .frame = 1},
		{.req = REQ_I13, .role = REQ_DST, .frame = 4},
	};
	static struct record r;
	static struct branches b;

	(void)state;
	r.recs = recs;
	r.nrecs = 6;
	assert_false(branch_begin(&b, &r));
	r.findings = findings;
	r.nfindings = 2;
	assert_true(branch_begin(&b, &r));
	assert_int_equal(b.req, REQ_I13);
	assert_int_equal(b.n, 3);
	assert_int_equal(b.rungs[1].frame, 3);
	assert_false(b.rungs[1].tester);
	assert_int_equal(b.rungs[1].nth, 1);
	assert_int_equal(b.rungs[2].nth, 2);
	assert_int_equal(b.rungs[2].sent, 2);

	/* The last rung with a branch that escapes decides it. */
	assert_int_equal(branch_deciding(&b), 3);
	b.rungs[0].outcome[BRANCH_LOST] = BRANCH_ESCAPES;
	b.rungs[1].outcome[BRANCH_SILENT] = BRANCH_OTHER;
	b.rungs[2].outcome[BRANCH_LOST] = BRANCH_SAME;
	assert_int_equal(branch_deciding(&b), 1);

	r.verdict = VERDICT_FAIL;
	assert_int_equal(branch_judge(&b, &r), BRANCH_SAME);
	r.nfindings = 1;
	assert_int_equal(branch_judge(&b, &r), BRANCH_OTHER);
	r.verdict = VERDICT_PASS;
	assert_int_equal(branch_judge(&b, &r), BRANCH_ESCAPES);
	r.verdict = VERDICT_ERROR;
	assert_int_equal(branch_judge(&b, &r), BRANCH_UNDECIDED);
	r.verdict = VERDICT_INCONCLUSIVE;
	r.reason_id = REASON_STARVED;
	assert_int_equal(branch_judge(&b, &r), BRANCH_UNDECIDED);
	r.reason_id = REASON_NO_ANSWER;
	assert_int_equal(branch_judge(&b, &r), BRANCH_ESCAPES);
	assert_int_equal(branch_undecided(&b), 3 * BRANCH_CHANGES - 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_case_text),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_rungs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
