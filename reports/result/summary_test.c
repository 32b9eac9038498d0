/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/result/summary.h"

#include "reports/fixture_test.h"
#include "reports/golden_test.h"
#include "reports/result/summary_fold.h"

/* A record with one observation or finding, and the expected verdict. */
struct summary_test_trial {
	enum req_id id;
	bool wire, control, failed, finding, remark, strict;
	enum req_verdict want;
};

static enum req_id summary_test_row(enum req_seen seen, bool remark)
{
	for (int i = 0; i < REQ_COUNT; i++) {
		const struct req *q = req_get((enum req_id)i);
		bool is_remark = q->level == REQ_S || q->level == REQ_N ||
				 q->level == REQ_I;

		if (q->seen == seen && is_remark == remark)
			return (enum req_id)i;
	}
	fail();
	return REQ_NONE;
}

static void try_one(const struct summary_test_trial *x)
{
	struct record r = {0};
	struct summary *s;
	enum req_role role = req_get(x->id)->role & REQ_DST ? REQ_DST : REQ_SRC;

	assert_int_equal(summary_new(&s, x->strict), 0);
	fixture_begin(&r, "uet/x/y", CHAIR_TARGET);
	r.test_case = NULL;
	fixture_seen(&r, (struct rec_req){.req = x->id,
					  .role = role,
					  .wire = x->wire,
					  .control = x->control,
					  .failed = x->failed});
	if (x->finding)
		fixture_finding(&r, (struct rec_finding){.req = x->id,
							 .role = role,
							 .remark = x->remark});
	assert_int_equal(summary_add(s, &r, NULL), 0);
	assert_true(summary_listed(s, x->id, role));
	assert_true(summary_has(&s->cases[0], x->id, role));
	assert_int_equal(summary_verdict(s, x->id, role), x->want);
	summary_free(s);
	record_free(&r);
}

static void verdicts_follow_the_halves(void **state)
{
	const enum req_id wire = summary_test_row(REQ_WIRE, false);
	const enum req_id control = summary_test_row(REQ_CONTROL, false);
	const enum req_id halves = summary_test_row(REQ_HALVES, false);
	const enum req_id soft = summary_test_row(REQ_WIRE, true);
	const struct summary_test_trial t[] = {
		{.id = wire, .wire = true, .want = REQ_VERDICT_PASS},
		{.id = wire, .want = REQ_VERDICT_NA},
		{.id = wire, .control = true, .want = REQ_VERDICT_PARTIAL},
		{.id = control, .control = true, .want = REQ_VERDICT_PASS},
		{.id = control, .wire = true, .want = REQ_VERDICT_PARTIAL},
		{.id = halves, .wire = true, .want = REQ_VERDICT_PARTIAL},
		{.id = halves, .control = true, .want = REQ_VERDICT_PARTIAL},
		{.id = halves,
		 .wire = true,
		 .control = true,
		 .want = REQ_VERDICT_PASS},
		{.id = wire,
		 .wire = true,
		 .finding = true,
		 .want = REQ_VERDICT_FAIL},
		{.id = wire,
		 .wire = true,
		 .failed = true,
		 .want = REQ_VERDICT_FAIL},
		{.id = soft,
		 .wire = true,
		 .failed = true,
		 .finding = true,
		 .remark = true,
		 .want = REQ_VERDICT_PASS},
		{.id = soft,
		 .wire = true,
		 .finding = true,
		 .remark = true,
		 .strict = true,
		 .want = REQ_VERDICT_FAIL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		try_one(&t[i]);
}

static void halves_add_up_over_cases(void **state)
{
	const enum req_id id = summary_test_row(REQ_HALVES, false);
	struct record r = {0};
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	fixture_begin(&r, "uet/x/a", CHAIR_TARGET);
	fixture_seen(&r, (struct rec_req){
				 .req = id, .role = REQ_BOTH, .wire = true});
	assert_int_equal(summary_add(s, &r, NULL), 0);
	fixture_begin(&r, "uet/x/b", CHAIR_TARGET);
	fixture_seen(&r, (struct rec_req){
				 .req = id, .role = REQ_DST, .control = true});
	assert_int_equal(summary_add(s, &r, NULL), 0);
	assert_int_equal(summary_verdict(s, id, REQ_DST), REQ_VERDICT_PASS);
	assert_int_equal(summary_verdict(s, id, REQ_SRC), REQ_VERDICT_PARTIAL);
	summary_free(s);
	record_free(&r);
}

/* A requirement that one case did not reach can be observed by another case. */
static void not_reached_gives_way_to_what_was_seen(void **state)
{
	const enum req_id id = summary_test_row(REQ_WIRE, false);
	struct record r = {0};
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	fixture_begin(&r, "uet/x/a", CHAIR_TARGET);
	fixture_seen(&r, (struct rec_req){.req = id,
					  .role = REQ_DST,
					  .not_reached = true});
	assert_int_equal(summary_add(s, &r, NULL), 0);
	assert_int_equal(summary_verdict(s, id, REQ_DST),
			 REQ_VERDICT_NOT_REACHED);
	assert_int_equal(s->cases[0].nnot_reached, 1);
	assert_int_equal(s->cases[0].not_reached[0].id, id);
	fixture_begin(&r, "uet/x/b", CHAIR_TARGET);
	fixture_seen(
		&r, (struct rec_req){.req = id, .role = REQ_DST, .wire = true});
	assert_int_equal(summary_add(s, &r, NULL), 0);
	assert_int_equal(summary_verdict(s, id, REQ_DST), REQ_VERDICT_PASS);
	assert_int_equal(s->cases[1].nnot_reached, 0);
	summary_free(s);
	record_free(&r);
}

/* A finding that is a consequence of another one fails no requirement. */
static void a_consequence_fails_nothing(void **state)
{
	const enum req_id id = summary_test_row(REQ_WIRE, false);
	struct record r = {0};
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	fixture_begin(&r, "uet/x/a", CHAIR_TARGET);
	fixture_finding(&r, (struct rec_finding){.req = id,
						 .role = REQ_DST,
						 .kind = KIND_PROTOCOL,
						 .consequence = true});
	fixture_seen(&r, (struct rec_req){.req = id,
					  .role = REQ_DST,
					  .not_reached = true});
	assert_int_equal(summary_add(s, &r, NULL), 0);
	assert_int_equal(summary_verdict(s, id, REQ_DST),
			 REQ_VERDICT_NOT_REACHED);
	summary_free(s);
	record_free(&r);
}

static void records_may_be_reused(void **state)
{
	struct record r = {0};
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	fixture_fail(&r);
	r.repeat = 1;
	assert_int_equal(summary_add(s, &r, "x.pcapng"), 0);
	r.repeat = 0;
	r.verdict = VERDICT_PASS;
	assert_int_equal(summary_add(s, &r, NULL), 0);
	memset(r.findings, 0xff, r.nfindings * sizeof(*r.findings));
	memset(r.reason, 0xff, sizeof(r.reason));
	record_free(&r);
	summary_sort(s);
	assert_int_equal(s->ncases, 2);
	assert_null(s->cases[0].ladder);
	assert_non_null(strstr(s->cases[1].ladder, "figure 3-76"));
	assert_int_equal(s->cases[1].nfindings, 3);
	assert_string_equal(s->cases[1].findings[1].text,
			    "nothing came within 10.000 ms");
	assert_string_equal(s->cases[1].capture, "x.pcapng");
	assert_int_equal(s->totals[VERDICT_FAIL], 1);
	assert_int_equal(s->totals[VERDICT_PASS], 1);
	summary_free(s);
	summary_free(NULL);
}

/* A head covers both chairs; each chair counts the requirements of its role. */
static void covers_go_by_chair(void **state)
{
	static const struct req_ref covers[] = {
		{.id = REQ_RUD_SEQ_76, .role = REQ_BOTH},
		{.id = REQ_RUD_SVC_3b, .role = REQ_DST}};
	struct test_case k = {
		.path = "",
		.title = "",
		.ref = "",
		.covers = covers,
		.ncovers = 2,
		.chairs = {{.present = true}, {.present = true}},
	};
	struct record r = {0};
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	fixture_begin(&r, "uet/x/y", CHAIR_INITIATOR);
	r.test_case = &k;
	assert_int_equal(summary_add(s, &r, NULL), 0);
	assert_int_equal(s->cases[0].nreqs, 1);
	assert_true(summary_has(&s->cases[0], REQ_RUD_SEQ_76, REQ_SRC));
	k.chairs[CHAIR_TARGET].present = false;
	assert_int_equal(summary_add(s, &r, NULL), 0);
	assert_true(summary_has(&s->cases[1], REQ_RUD_SVC_3b, REQ_DST));
	summary_free(s);
	record_free(&r);
}

/* Fails and passes alternate: each verdict has rows of its own. */
static void later_results_are_folded(void **state)
{
	enum { MANY = 3 * SUMMARY_SAME };
	struct record r = {.id = "x/one@target", .test_case = NULL};
	struct summary *s;
	size_t rows = 0;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	for (uint32_t i = 0; i < MANY; i++) {
		r.repeat = i;
		if (i % 1000 == 7)
			r.verdict = VERDICT_FAIL;
		else
			r.verdict = VERDICT_PASS;
		assert_int_equal(summary_add(s, &r, NULL), 0);
		rows += !summary_fold(s);
	}
	summary_sort(s);
	assert_int_equal(rows, SUMMARY_SAME + 3);
	assert_int_equal(s->ncases, rows);
	assert_int_equal(summary_results(s), MANY);
	assert_int_equal(s->totals[VERDICT_FAIL], 3);
	assert_int_equal(summary_fails(s), 3);
	assert_int_equal(summary_flake(s, 0).runs, MANY);
	assert_int_equal(summary_flake(s, 0).of[VERDICT_FAIL], 3);
	for (size_t i = 0; i < s->ncases; i++)
		assert_string_equal(s->cases[i].id, "x/one@target");
	summary_free(s);
}

static void equal_reasons_are_equal_texts(void **state)
{
	const struct summary_case line = {.reason = "line 12: no key",
					  .reason_id = REASON_NOT_CLAIMED};
	struct summary_case c = {.reason = "line 3 counts on an open PDC: x",
				 .reason_id = REASON_CLOSED_IDLE};

	(void)state;
	assert_string_equal(summary_na_reason(&line), "no key");
	assert_string_equal(summary_na_reason(&c),
			    reason_text(REASON_CLOSED_IDLE));
	c.reason_id = REASON_SEVERAL_PDCS;
	assert_string_equal(summary_na_reason(&c),
			    reason_text(REASON_SEVERAL_PDCS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_follow_the_halves),
		cmocka_unit_test(halves_add_up_over_cases),
		cmocka_unit_test(not_reached_gives_way_to_what_was_seen),
		cmocka_unit_test(a_consequence_fails_nothing),
		cmocka_unit_test(records_may_be_reused),
		cmocka_unit_test(covers_go_by_chair),
		cmocka_unit_test(later_results_are_folded),
		cmocka_unit_test(equal_reasons_are_equal_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
