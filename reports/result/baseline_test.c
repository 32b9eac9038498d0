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
	struct record r = {.verdict = v};
	enum baseline_state s;

	snprintf(r.id, sizeof(r.id), "%s", id);
	s = baseline_judge(b, &r, &e);

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

/* ---- Expected under certain rows ---- */

#define FOUND(row, of_role)                                                    \
	{                                                                      \
		.req = REQ_##row, .role = REQ_##of_role, .kind = KIND_PROTOCOL \
	}

static const char rows[] = "expect fail uet/rud/a*\n"
			   "  because one bug\n"
			   "  under   RUD-SEQ-76/dst  RUD-SVC-3b\n"
			   "expect fail uet/rud/ab@target\n"
			   "  because another bug\n"
			   "  under\tRUD-SVC-7/dst\n"
			   "expect flaky uet/rud/f\n"
			   "  because a race\n"
			   "  under RUD-SEQ-76/dst\n"
			   "expect fail *\n"
			   "  because old\n";

struct rows_case {
	const char *id;
	enum verdict verdict;
	size_t n;
	struct rec_finding found[2];
	enum baseline_state state;
	unsigned line;
};

static void rows_check(struct baseline *b, const struct rows_case *c)
{
	struct rec_finding found[2] = {c->found[0], c->found[1]};
	struct record r = {
		.verdict = c->verdict, .findings = found, .nfindings = c->n};
	const struct baseline_entry *e;

	snprintf(r.id, sizeof(r.id), "%s", c->id);
	assert_int_equal(baseline_judge(b, &r, &e), c->state);
	assert_int_equal(e->line, c->line);
}

static void another_fault_does_not_hide(void **state)
{
	static const struct rows_case cases[] = {
		{"uet/rud/aa@target",
		 VERDICT_FAIL,
		 1,
		 {FOUND(RUD_SEQ_76, DST)},
		 BASELINE_KNOWN,
		 1},
		{"uet/rud/aa@target",
		 VERDICT_FAIL,
		 2,
		 {FOUND(RUD_SEQ_76, DST), FOUND(RUD_SVC_3b, DST)},
		 BASELINE_KNOWN,
		 1},
		/* another row, another role, and another row beside it */
		{"uet/rud/aa@target",
		 VERDICT_FAIL,
		 1,
		 {FOUND(RUD_SVC_7, DST)},
		 BASELINE_OTHER,
		 1},
		{"uet/rud/aa@target",
		 VERDICT_FAIL,
		 1,
		 {FOUND(RUD_SEQ_76, SRC)},
		 BASELINE_OTHER,
		 1},
		{"uet/rud/aa@target",
		 VERDICT_FAIL,
		 2,
		 {FOUND(RUD_SEQ_76, DST), FOUND(RUD_SVC_7, DST)},
		 BASELINE_OTHER,
		 1},
		/* no row at all */
		{"uet/rud/aa@target",
		 VERDICT_FAIL,
		 0,
		 {{0}},
		 BASELINE_OTHER,
		 1},
		{"uet/rud/aa@target",
		 VERDICT_PASS,
		 0,
		 {{0}},
		 BASELINE_FIXED,
		 1},
		/* two bugs of one case have an entry each */
		{"uet/rud/ab@target",
		 VERDICT_FAIL,
		 2,
		 {FOUND(RUD_SVC_7, DST), FOUND(RUD_SEQ_76, DST)},
		 BASELINE_KNOWN,
		 4},
		{"uet/rud/f@target", VERDICT_PASS, 0, {{0}}, BASELINE_KNOWN, 7},
		{"uet/rud/f@target",
		 VERDICT_FAIL,
		 1,
		 {FOUND(RUD_SEQ_76, DST)},
		 BASELINE_KNOWN,
		 7},
		{"uet/rud/f@target",
		 VERDICT_FAIL,
		 1,
		 {FOUND(RUD_SVC_7, DST)},
		 BASELINE_OTHER,
		 7},
		/* an entry without rows takes any, as before */
		{"uet/rud/z@target",
		 VERDICT_FAIL,
		 1,
		 {FOUND(RUD_SVC_7, DST)},
		 BASELINE_KNOWN,
		 10},
	};
	struct diag diag = {0};
	struct baseline *b;

	(void)state;
	assert_int_equal(baseline_parse(&b, "b", rows, sizeof(rows) - 1,
					"2026-12-01", &diag),
			 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		rows_check(b, &cases[i]);
	baseline_free(b);
}

/* Consequences and remarks do not fail a case; with --strict remarks do. */
static void only_what_fails_counts(void **state)
{
	struct rows_case c = {"uet/rud/aa@target",
			      VERDICT_FAIL,
			      2,
			      {FOUND(RUD_SEQ_76, DST), FOUND(RUD_SVC_7, DST)},
			      BASELINE_KNOWN,
			      1};
	struct diag diag = {0};
	struct baseline *b;

	(void)state;
	assert_int_equal(baseline_parse(&b, "b", rows, sizeof(rows) - 1,
					"2026-12-01", &diag),
			 0);
	c.found[1].consequence = true;
	rows_check(b, &c);
	c.found[1].consequence = false;
	c.found[1].remark = true;
	rows_check(b, &c);
	b->strict = true;
	c.state = BASELINE_OTHER;
	rows_check(b, &c);
	baseline_free(b);
}

static void rows_are_read_with_care(void **state)
{
	static const struct {
		const char *text, *says;
		unsigned column;
	} bad[] = {
		{"expect fail x\n because y\n under\n", "missing", 7},
		{"expect fail x\n because y\n under RUD-NONE-1\n", "no req", 8},
		{"expect fail x\n because y\n under RUD-SVC-2 x\n", "no req",
		 18},
		{"expect fail x\n under RUD-SVC-2\n under RUD-SVC-3\n", "twice",
		 2},
		{"expect gone x\n because y\n under RUD-SVC-2\n", "only", 2},
		{"expect na x\n because y\n under RUD-SVC-2\n", "only", 2},
		{"expect error x\n because y\n under RUD-SVC-2\n", "only", 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct diag diag = {0};
		struct baseline *b = NULL;

		assert_int_equal(baseline_parse(&b, "b", bad[i].text,
						strlen(bad[i].text),
						"2026-12-01", &diag),
				 ERR_SYNTAX);
		assert_non_null(strstr(diag.text, bad[i].says));
		assert_int_equal(diag.line, 3);
		assert_int_equal(diag.col, bad[i].column);
	}
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

static const struct req_ref fixture_rows[] = {
	{.id = REQ_RUD_SEQ_76, .role = REQ_DST},
	{.id = REQ_RUD_SVC_7, .role = REQ_SRC},
};

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
	text_clear(&t);
	e.under = fixture_rows;
	e.nunder = 2;
	baseline_say(&t, BASELINE_OTHER, &e);
	assert_string_equal(text_cstr(&t),
			    "not the expected failure: a\\x1bb (under "
			    "RUD-SEQ-76/dst RUD-SVC-7/src)");
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_that_matches_counts),
		cmocka_unit_test(another_fault_does_not_hide),
		cmocka_unit_test(only_what_fails_counts),
		cmocka_unit_test(rows_are_read_with_care),
		cmocka_unit_test(a_date_includes_its_day),
		cmocka_unit_test(an_entry_is_said_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
