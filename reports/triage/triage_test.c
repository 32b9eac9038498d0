/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/triage/explain.h"
#include "reports/triage/triage.h"
#include "reports/triage/triage_words.h"

#include "reports/fixture_test.h"
#include "reports/golden_test.h"
#include "suite/verdict/blame.h"

static struct rec_finding triage_test_found(enum req_id id, const char *what,
					    const char *expected,
					    const char *actual)
{
	struct rec_finding f = {
		.req = id,
		.role = REQ_DST,
		.kind = KIND_PROTOCOL,
		.frame = 4,
		.line = 10,
		.text = "frame 4 is not what line 10 expects",
	};

	snprintf(f.what, sizeof(f.what), "%s", what);
	snprintf(f.expected, sizeof(f.expected), "%s", expected);
	snprintf(f.actual, sizeof(f.actual), "%s", actual);
	return f;
}

/* Adds a case with |n| packets that failed with these findings. */
static void triage_test_add(struct summary *s, const char *id, unsigned n,
			    const struct rec_finding *f, size_t nf)
{
	struct record r = {0};

	fixture_begin(&r, id, CHAIR_TARGET);
	r.test_case = NULL;
	for (unsigned i = 0; i < n; i++)
		fixture_req(&r, (struct rec){.at = FIXTURE_US(100 + i)},
			    333 + i, false, NULL);
	for (size_t i = 0; i < nf; i++)
		fixture_finding(&r, f[i]);
	r.verdict = VERDICT_FAIL;
	r.kind = KIND_PROTOCOL;
	snprintf(r.reason, sizeof(r.reason), "reason");
	assert_int_equal(summary_add(s, &r, NULL), 0);
	record_free(&r);
}

static struct triage *triage_of(struct summary *s)
{
	struct triage *t;

	assert_int_equal(triage_new(&t, s), 0);
	return t;
}

static const char ack_333[] = "ack ack_psn=333 cack_psn=333 retx=0";
static const char ack_333_retx[] = "ack ack_psn=333 cack_psn=333 retx=1";
static const char ack_9[] = "ack ack_psn=9 cack_psn=9 retx=0";
static const char ack_9_retx[] = "ack ack_psn=9 cack_psn=9 retx=1";

/* The same item with other PSNs is one cause with one form. */
static void numbers_do_not_part(void **state)
{
	const struct rec_finding one = triage_test_found(
		REQ_UET_ACK_03, "ack.retx", ack_333, ack_333_retx);
	const struct rec_finding two = triage_test_found(
		REQ_UET_ACK_03, "ack.retx", ack_9, ack_9_retx);
	struct summary *s;
	struct triage *t;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	triage_test_add(s, "uet/x/a", 7, &one, 1);
	triage_test_add(s, "uet/x/b", 3, &two, 1);
	t = triage_of(s);
	assert_int_equal(t->n, 1);
	assert_int_equal(t->nfails, 1);
	assert_int_equal(t->nfailed, 2);
	assert_int_equal(t->causes[0].nfound, 2);
	assert_int_equal(t->causes[0].nexplained, 2);
	assert_int_equal(t->causes[0].nforms, 1);
	assert_string_equal(t->causes[0].forms[0].expected, "retx=0");
	assert_string_equal(t->causes[0].forms[0].actual, "retx=1");
	assert_string_equal(t->causes[0].forms[0].state, "body");
	assert_int_equal(t->causes[0].shortest.c, 1);
	triage_free(t);
	summary_free(s);
}

/* Another difference, or another part of the packet, is another form. */
static void forms_part_within_a_cause(void **state)
{
	struct rec_finding f[] = {
		triage_test_found(REQ_RUD_SEQ_76, "ack.cack_psn",
				  "ack cack_psn=332", "ack cack_psn=333"),
		triage_test_found(REQ_RUD_SEQ_76, "ack.cack_psn",
				  "ack cack_psn=17", "ack cack_psn=20"),
		triage_test_found(REQ_RUD_SEQ_76, "ack.cack_psn",
				  "ack cack_psn=332", "ack cack_psn=331"),
		triage_test_found(REQ_RUD_SEQ_76, "ack.cack_psn",
				  "ack cack_psn=332", "ack cack_psn=331"),
	};
	struct summary *s;
	struct triage *t;

	(void)state;
	f[3].phase = PHASE_SETUP;
	assert_int_equal(summary_new(&s, false), 0);
	for (size_t i = 0; i < FIXTURE_COUNT(f); i++)
		triage_test_add(s, "uet/x/a", 3, &f[i], 1);
	t = triage_of(s);
	assert_int_equal(t->n, 1);
	assert_int_equal(t->causes[0].nforms, 3);
	assert_int_equal(t->causes[0].forms[0].ncases, 2);
	assert_string_equal(t->causes[0].forms[0].expected, "cack_psn=N");
	assert_string_equal(t->causes[0].forms[0].actual, "cack_psn>N");
	assert_string_equal(t->causes[0].forms[1].actual, "cack_psn<N");
	assert_string_equal(t->causes[0].forms[1].state, "body");
	assert_string_equal(t->causes[0].forms[2].state, "opening");
	triage_free(t);
	summary_free(s);
}

/* A finding that always follows another one is a consequence. */
static void consequences_are_no_causes(void **state)
{
	struct rec_finding f[] = {
		triage_test_found(REQ_UET_ACK_03, "ack.retx", ack_333,
				  ack_333_retx),
		triage_test_found(REQ_RUD_SVC_7, "ack.missing", ack_333, ""),
	};
	struct summary *s;
	struct triage *t;

	(void)state;
	f[1].line = 11;
	assert_int_equal(summary_new(&s, false), 0);
	triage_test_add(s, "uet/x/a", 3, f, 2);
	triage_test_add(s, "uet/x/b", 3, f, 2);
	t = triage_of(s);
	assert_int_equal(t->n, 1);
	assert_int_equal(t->causes[0].req, REQ_UET_ACK_03);
	triage_free(t);
	summary_free(s);
}

/* Adds passing cases that cover the row. */
static void add_fulfilled(struct summary *s, enum req_id id, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct record r = {0};

		fixture_begin(&r, "uet/x/pass", CHAIR_TARGET);
		fixture_seen(&r, (struct rec_req){
					 .req = id,
					 .role = REQ_DST,
					 .wire = true,
				 });
		assert_int_equal(summary_add(s, &r, NULL), 0);
		record_free(&r);
	}
}

/* A row that passing cases fulfil is less suspect. */
static void a_fulfilled_row_is_less_suspect(void **state)
{
	const struct rec_finding often =
		triage_test_found(REQ_RUD_SVC_7, "ack.missing", ack_333, "");
	const struct rec_finding always = triage_test_found(
		REQ_UET_ACK_03, "ack.retx", ack_333, ack_333_retx);
	const size_t passes[] = {0, 10};
	const enum req_id first[] = {REQ_RUD_SVC_7, REQ_UET_ACK_03};

	(void)state;
	for (size_t i = 0; i < FIXTURE_COUNT(passes); i++) {
		struct summary *s;
		struct triage *t;

		assert_int_equal(summary_new(&s, false), 0);
		for (size_t j = 0; j < 2; j++)
			triage_test_add(s, "uet/x/often", 3, &often, 1);
		for (size_t j = 0; j < 2; j++)
			triage_test_add(s, "uet/x/always", 3, &always, 1);
		add_fulfilled(s, REQ_RUD_SVC_7, passes[i]);
		t = triage_of(s);
		assert_int_equal(t->n, 2);
		assert_int_equal(t->causes[0].req, first[i]);
		triage_free(t);
		summary_free(s);
	}
}

/* A row that many cases fulfil comes behind an alternative that none does. */
static void a_narrow_alternative_comes_first(void **state)
{
	struct rec_finding f[] = {
		triage_test_found(REQ_RUD_SVC_7, "ack.resend", ack_333, ""),
		triage_test_found(REQ_UET_PDC_40, "ack.resend", ack_333, ""),
	};
	const size_t passes[] = {9, 10};
	const enum req_id first[] = {REQ_RUD_SVC_7, REQ_UET_PDC_40};

	(void)state;
	f[0].blamed = f[1].blamed = BLAME_BY_LINE;
	for (size_t i = 0; i < FIXTURE_COUNT(passes); i++) {
		struct summary *s;
		struct triage *t;

		assert_int_equal(summary_new(&s, false), 0);
		triage_test_add(s, "uet/x/wide", 3, f, 1);
		triage_test_add(s, "uet/x/both", 3, f, 2);
		add_fulfilled(s, REQ_RUD_SVC_7, passes[i]);
		assert_int_equal(summary_explain(s), 0);
		t = triage_of(s);
		assert_int_equal(t->n, 1 + i);
		assert_int_equal(t->causes[0].req, first[i]);
		triage_free(t);
		summary_free(s);
	}
}

/* Bytes that differ weigh as much as what a monitor found. */
static void other_bytes_are_no_assumption(void **state)
{
	struct rec_finding assumed =
		triage_test_found(REQ_RUD_SVC_7, "ack.missing", ack_333, "");
	struct rec_finding bytes =
		triage_test_found(REQ_I2, "content.data", "", "");
	struct summary *s;
	struct triage *t;

	(void)state;
	assumed.blamed = BLAME_BY_TABLE;
	bytes.blamed = BLAME_BY_CONTENT;
	assert_int_equal(summary_new(&s, false), 0);
	triage_test_add(s, "uet/x/a", 3, &assumed, 1);
	triage_test_add(s, "uet/x/b", 3, &assumed, 1);
	triage_test_add(s, "uet/x/c", 3, &bytes, 1);
	t = triage_of(s);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->causes[0].req, REQ_I2);
	triage_free(t);
	summary_free(s);
}

/* A must comes before a should that explains equally many cases. */
static void a_must_comes_before_a_should(void **state)
{
	const struct rec_finding should = triage_test_found(
		REQ_UET_CP_06, "ack.p", ack_333, ack_333_retx);
	const struct rec_finding must = triage_test_found(
		REQ_UET_ACK_03, "ack.retx", ack_333, ack_333_retx);
	struct summary *s;
	struct triage *t;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	triage_test_add(s, "uet/x/should", 3, &should, 1);
	triage_test_add(s, "uet/x/must", 3, &must, 1);
	add_fulfilled(s, REQ_UET_ACK_03, 10);
	t = triage_of(s);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->causes[0].req, REQ_UET_ACK_03);
	triage_free(t);
	summary_free(s);
}

/* A line that names the item for the row counts more than the tables. */
static void a_line_s_word_is_surer(void **state)
{
	struct rec_finding by_table =
		triage_test_found(REQ_RUD_SVC_7, "ack.missing", ack_333, "");
	struct rec_finding by_line = triage_test_found(
		REQ_UET_ACK_03, "ack.retx", ack_333, ack_333_retx);
	struct summary *s;
	struct triage *t;

	(void)state;
	by_table.blamed = BLAME_BY_TABLE;
	by_line.blamed = BLAME_BY_LINE;
	assert_int_equal(summary_new(&s, false), 0);
	triage_test_add(s, "uet/x/a", 3, &by_table, 1);
	triage_test_add(s, "uet/x/b", 3, &by_table, 1);
	triage_test_add(s, "uet/x/c", 3, &by_line, 1);
	t = triage_of(s);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->causes[0].req, REQ_UET_ACK_03);
	triage_free(t);
	summary_free(s);
}

/* A row that fails in both roles is one row, and its cases add up. */
static void both_roles_of_a_row_add_up(void **state)
{
	const struct rec_finding one =
		triage_test_found(REQ_RUD_SVC_7, "ack.cack_psn", ack_333, "");
	struct rec_finding both = triage_test_found(REQ_UET_ACK_03, "ack.retx",
						    ack_333, ack_333_retx);
	struct summary *s;
	struct triage *t;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	triage_test_add(s, "uet/x/a", 3, &one, 1);
	triage_test_add(s, "uet/x/b", 3, &one, 1);
	triage_test_add(s, "uet/x/c", 3, &one, 1);
	triage_test_add(s, "uet/x/d", 3, &both, 1);
	triage_test_add(s, "uet/x/e", 3, &both, 1);
	both.role = REQ_SRC;
	triage_test_add(s, "uet/x/f", 3, &both, 1);
	triage_test_add(s, "uet/x/g", 3, &both, 1);
	t = triage_of(s);
	assert_int_equal(t->n, 3);
	assert_int_equal(t->causes[0].req, REQ_UET_ACK_03);
	triage_free(t);
	summary_free(s);
}

/*
 * A line that tests the item makes its row a cause behind another finding; the
 * tables do not.
 */
static void a_line_makes_a_cause_behind_another(void **state)
{
	static const enum blame_by by[] = {BLAME_BY_LINE, BLAME_BY_TABLE};
	struct rec_finding f[] = {
		triage_test_found(REQ_UET_PDC_43, "cp.forbidden", "",
				  "cp close_command"),
		triage_test_found(REQ_UET_NACK_08, "req.type", ack_333, ""),
	};

	(void)state;
	f[0].blamed = BLAME_BY_MONITOR;
	f[1].line = 30;
	for (size_t i = 0; i < 2; i++) {
		struct summary *s;
		struct triage *t;

		f[1].blamed = (uint8_t)by[i];
		assert_int_equal(summary_new(&s, false), 0);
		triage_test_add(s, "uet/x/a", 3, f, 2);
		t = triage_of(s);
		assert_int_equal(t->n, 1);
		assert_int_equal(t->causes[0].req, f[1 - i].req);
		triage_free(t);
		summary_free(s);
	}
}

/* One line does not make the other cases of its row surer. */
static void each_case_counts_by_its_own_evidence(void **state)
{
	struct rec_finding of_line =
		triage_test_found(REQ_UET_ACK_18, "ack.resend", ack_333, "");
	struct rec_finding of_monitor = triage_test_found(
		REQ_UET_ACK_03, "ack.retx", ack_333, ack_333_retx);
	struct summary *s;
	struct triage *t;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	of_monitor.blamed = BLAME_BY_MONITOR;
	for (size_t i = 0; i < 11; i++)
		triage_test_add(s, "uet/x/a", 3, &of_monitor, 1);
	of_line.blamed = BLAME_BY_LINE;
	triage_test_add(s, "uet/x/b", 3, &of_line, 1);
	of_line.blamed = BLAME_BY_COMMON;
	for (size_t i = 0; i < 5; i++)
		triage_test_add(s, "uet/x/c", 3, &of_line, 1);
	t = triage_of(s);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->causes[0].req, REQ_UET_ACK_03); /* 110 of 215 */
	triage_free(t);
	summary_free(s);
}

/* The cases of a sweep have the same lines, so they count as one. */
static void a_sweep_counts_once(void **state)
{
	static const char *const ids[] = {
		"uet/x/a[len=1]@target", "uet/x/a[len=2]@initiator",
		"uet/x/a[len=2]@target", "uet/x/a[len=3]@target",
		"uet/x/b@target",        "uet/x/c@target"};
	struct rec_finding f[] = {
		triage_test_found(REQ_UET_ACK_03, "ack.retx", ack_333,
				  ack_333_retx),
		triage_test_found(REQ_RUD_SVC_7, "ack.missing", ack_333, ""),
	};
	struct summary *s;
	struct triage *t;

	(void)state;
	f[0].blamed = f[1].blamed = BLAME_BY_LINE;
	assert_int_equal(summary_new(&s, false), 0);
	for (size_t i = 0; i < FIXTURE_COUNT(ids); i++)
		triage_test_add(s, ids[i], 3, &f[i > 3], 1);
	t = triage_of(s);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->causes[0].req, REQ_RUD_SVC_7);
	assert_int_equal(t->causes[0].nexplained, 2);
	assert_int_equal(t->causes[1].nexplained, 4);
	triage_free(t);
	summary_free(s);
}

/* A cause also explains the cases in which it follows another finding. */
static void the_first_cause_explains_most(void **state)
{
	struct rec_finding both[] = {
		triage_test_found(REQ_RUD_SVC_7, "ack.missing", ack_333, ""),
		triage_test_found(REQ_UET_ACK_03, "ack.retx", ack_333,
				  ack_333_retx),
	};
	struct summary *s;
	struct triage *t;

	(void)state;
	both[1].line = 12;
	assert_int_equal(summary_new(&s, false), 0);
	triage_test_add(s, "uet/x/a", 3, &both[0], 1);
	triage_test_add(s, "uet/x/b", 3, both, 2);
	triage_test_add(s, "uet/x/c", 3, &both[1], 1);
	triage_test_add(s, "uet/x/d", 3, &both[1], 1);
	t = triage_of(s);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->causes[0].req, REQ_UET_ACK_03);
	assert_int_equal(t->causes[0].nfound, 3);
	assert_int_equal(t->causes[0].nfirst, 2);
	assert_int_equal(t->causes[0].nexplained, 3);
	assert_int_equal(t->causes[1].nfound, 2);
	assert_int_equal(t->causes[1].nexplained, 1);
	triage_free(t);
	summary_free(s);
}

static void remarks_come_last_and_doubts_not_at_all(void **state)
{
	struct rec_finding f[] = {
		triage_test_found(REQ_RUD_SVC_3b, "ack.ecn", "ack", "ack"),
		triage_test_found(REQ_UET_ACK_03, "ack.retx", ack_333,
				  ack_333_retx),
		triage_test_found(REQ_RUD_SVC_7, "ack.missing", ack_333, ""),
	};
	struct summary *s;
	struct triage *t;

	(void)state;
	f[0].remark = true;
	f[2].doubtful = true;
	assert_int_equal(summary_new(&s, false), 0);
	triage_test_add(s, "uet/x/a", 3, f, 3);
	t = triage_of(s);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->nfails, 1);
	assert_int_equal(t->causes[0].req, REQ_UET_ACK_03);
	assert_true(t->causes[1].remark);
	triage_free(t);
	summary_free(s);
}

/* Without an item the first field that differs is the item. */
static void the_item_is_found_where_none_is_named(void **state)
{
	const struct rec_finding f[] = {
		triage_test_found(REQ_RUD_SEQ_76, "", "ack_cc cack_psn=332",
				  "ack_cc cack_psn=333"),
		triage_test_found(REQ_RUD_SEQ_76, "", "ack cack_psn=332", ""),
		triage_test_found(REQ_RUD_SEQ_76, "", "ack cack_psn=332",
				  "nack nack_psn=332"),
		triage_test_found(REQ_RUD_SEQ_76, "", "", "rod_req psn=3"),
		triage_test_found(REQ_RUD_SEQ_76, "", "", "psn=3"),
		triage_test_found(REQ_RUD_SEQ_76, "", "", ""),
	};
	static const char *const want[] = {"ack.cack_psn", "ack.missing",
					   "ack.type",     "req.forbidden",
					   "psn",          ""};
	struct summary *s;
	struct triage *t;

	(void)state;
	for (size_t i = 0; i < FIXTURE_COUNT(f); i++) {
		assert_int_equal(summary_new(&s, false), 0);
		triage_test_add(s, "uet/x/a", 3, &f[i], 1);
		t = triage_of(s);
		assert_string_equal(t->causes[0].what, want[i]);
		triage_free(t);
		summary_free(s);
	}
}

/* A device that stops fails cases without violating a row. */
static void failures_without_a_row_go_by_their_reason(void **state)
{
	struct summary *s;
	struct triage *t;
	struct text name = {0}, words = {0};

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	triage_test_add(s, "uet/x/a", 3, NULL, 0);
	triage_test_add(s, "uet/x/b", 3, NULL, 0);
	t = triage_of(s);
	assert_int_equal(t->n, 1);
	assert_int_equal(t->causes[0].nexplained, 2);
	triage_name(&name, &t->causes[0]);
	triage_words(&words, s, &t->causes[0].shortest);
	assert_string_equal(text_cstr(&name), "no requirement");
	assert_string_equal(text_cstr(&words), "reason");
	text_free(&name);
	text_free(&words);
	triage_free(t);
	summary_free(s);
}

static void the_command_repeats_the_run(void **state)
{
	const struct summary_case c = {.id = "uet/x/a@target", .repeat = 4};
	const struct about a = {
		.seed = 9, .strict = true, .rerun = "--dut virtual"};
	struct text t = {0};

	(void)state;
	triage_command(&t, &a, &c);
	assert_string_equal(text_cstr(&t), "rung run --dut virtual --seed 9 "
					   "--strict --from 5 -v "
					   "uet/x/a@target");
	text_free(&t);
}

static void is_selected_by(const char *id, const char *path, bool chair,
			   const char *wanted)
{
	const struct summary_case c = {.id = id, .path = path};
	struct text t = {0};

	triage_selector(&t, &c, chair);
	assert_string_equal(text_cstr(&t), wanted);
	text_free(&t);
}

static void a_case_of_a_file_is_selected_by_its_path(void **state)
{
	(void)state;
	is_selected_by("uet/x/a@target", "cases/uet/x/a.lad", true,
		       "uet/x/a@target");
	is_selected_by("uet/x/a[len=1]@target", "cases/uet/x/a.lad", false,
		       "'uet/x/a[len=1]'");
	is_selected_by("a@target", "a.lad", true, "a.lad@target");
	is_selected_by("a@target", "/tmp/a.lad", false, "/tmp/a.lad");
	is_selected_by("a-drop@target", "a.lad", true, "a.lad:drop@target");
	is_selected_by("a-drop[len=1]@target", "a.lad", true,
		       "'a.lad:drop[len=1]@target'");
	is_selected_by("a[len=1]@target", "a.lad", true,
		       "'a.lad:plain[len=1]@target'");
	is_selected_by("it's 1@target", "my/it's 1.lad", true,
		       "'my/it'\\''s 1.lad@target'");
	/* under another id, or from an unknown place */
	is_selected_by("b@target", "a.lad", true, "b@target");
	is_selected_by("b@target", "", true, "b@target");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_do_not_part),
		cmocka_unit_test(forms_part_within_a_cause),
		cmocka_unit_test(consequences_are_no_causes),
		cmocka_unit_test(a_fulfilled_row_is_less_suspect),
		cmocka_unit_test(a_narrow_alternative_comes_first),
		cmocka_unit_test(other_bytes_are_no_assumption),
		cmocka_unit_test(a_must_comes_before_a_should),
		cmocka_unit_test(a_line_s_word_is_surer),
		cmocka_unit_test(both_roles_of_a_row_add_up),
		cmocka_unit_test(a_line_makes_a_cause_behind_another),
		cmocka_unit_test(each_case_counts_by_its_own_evidence),
		cmocka_unit_test(a_sweep_counts_once),
		cmocka_unit_test(the_first_cause_explains_most),
		cmocka_unit_test(remarks_come_last_and_doubts_not_at_all),
		cmocka_unit_test(the_item_is_found_where_none_is_named),
		cmocka_unit_test(failures_without_a_row_go_by_their_reason),
		cmocka_unit_test(the_command_repeats_the_run),
		cmocka_unit_test(a_case_of_a_file_is_selected_by_its_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
