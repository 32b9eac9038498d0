/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/triage/explain.h"

#include "reports/fixture_test.h"
#include "reports/format/markdown.h"
#include "reports/golden_test.h"
#include "reports/html/html.h"
#include "reports/text/text.h"
#include "reports/triage/triage.h"
#include "suite/verdict/blame.h"

/* Adds a case that failed with these findings, one packet after the other. */
static void explain_test_add_case(struct summary *s, const char *id,
				  const struct rec_finding *f, size_t n)
{
	struct record r = {0};

	fixture_begin(&r, id, CHAIR_TARGET);
	r.test_case = NULL;
	for (size_t i = 0; i < n; i++) {
		fixture_finding(&r, f[i]);
		fixture_seen(&r, (struct rec_req){.req = f[i].req,
						  .role = f[i].role,
						  .failed = true});
	}
	r.verdict = VERDICT_FAIL;
	r.kind = KIND_PROTOCOL;
	assert_int_equal(summary_add(s, &r, NULL), 0);
	record_free(&r);
}

static void explain_test_add(struct summary *s, const struct rec_finding *f,
			     size_t n)
{
	explain_test_add_case(s, "uet/x/a", f, n);
}

/* Adds |n| cases of another folder that pass and test a row. */
static void explain_test_add_passes(struct summary *s, size_t n, enum req_id id)
{
	for (size_t i = 0; i < n; i++) {
		struct record r = {0};

		fixture_begin(&r, "uet/y/a", CHAIR_TARGET);
		r.test_case = NULL;
		fixture_seen(&r, (struct rec_req){.req = id,
						  .role = REQ_DST,
						  .wire = true});
		r.verdict = VERDICT_PASS;
		assert_int_equal(summary_add(s, &r, NULL), 0);
		record_free(&r);
	}
}

static struct rec_finding explain_test_found(enum req_id id, const char *what,
					     enum blame_by by)
{
	struct rec_finding f = {.req = id,
				.role = REQ_DST,
				.kind = KIND_PROTOCOL,
				.blamed = (uint8_t)by,
				.moment = 8};

	snprintf(f.what, sizeof(f.what), "%s", what);
	snprintf(f.text, sizeof(f.text), "text");
	return f;
}

static struct summary *explain_test_run(const struct rec_finding *f, size_t n)
{
	struct summary *s;

	assert_int_equal(summary_new(&s, false), 0);
	for (size_t i = 0; i < n; i++)
		explain_test_add(s, &f[i], 1);
	assert_int_equal(summary_explain(s), 0);
	return s;
}

static void assert_explained(const struct summary *s, enum req_id id,
			     enum req_id by)
{
	const struct req_ref *ref = summary_explained(s, id, REQ_DST);

	if (by == REQ_NONE) {
		assert_null(ref);
		assert_int_equal(summary_verdict(s, id, REQ_DST),
				 REQ_VERDICT_FAIL);
		return;
	}
	assert_non_null(ref);
	assert_int_equal(ref->id, by);
	assert_int_equal(ref->role, REQ_DST);
	assert_int_equal(summary_verdict(s, id, REQ_DST),
			 REQ_VERDICT_NOT_REACHED);
}

/* A proved row explains an assumed row with the same field. */
static void a_proved_row_explains_an_assumed_one(void **state)
{
	const struct rec_finding f[] = {
		explain_test_found(REQ_UET_ACK_26, "ack.cack_psn",
				   BLAME_BY_GENERAL),
		explain_test_found(REQ_UET_ACK_26, "ack.cack_psn",
				   BLAME_BY_TABLE),
		explain_test_found(REQ_RUD_SEQ_75, "ack.cack_psn",
				   BLAME_BY_MONITOR),
		explain_test_found(REQ_RUD_SEQ_76, "ack.cack_psn",
				   BLAME_BY_LINE),
		explain_test_found(REQ_UET_ACK_03, "ack.retx",
				   BLAME_BY_GENERAL),
	};
	struct summary *s = explain_test_run(f, FIXTURE_COUNT(f));
	struct triage *t;

	(void)state;
	assert_explained(s, REQ_UET_ACK_26, REQ_RUD_SEQ_75);
	assert_explained(s, REQ_RUD_SEQ_75, REQ_NONE);
	assert_explained(s, REQ_RUD_SEQ_76, REQ_NONE);
	assert_explained(s, REQ_UET_ACK_03, REQ_NONE); /* another field */

	assert_int_equal(triage_new(&t, s), 0);
	assert_int_equal(t->n, 3);
	/* the line's row before that of the monitor */
	assert_int_equal(t->causes[0].req, REQ_RUD_SEQ_76);
	assert_int_equal(t->causes[1].req, REQ_RUD_SEQ_75);
	assert_int_equal(t->causes[1].nexplained, 1);
	assert_int_equal(t->causes[1].nbehind, 2);
	triage_free(t);
	summary_free(s);
}

/*
 * A packet that does not come, and another kind in its place, are one
 * observation.
 */
static void arrivals_are_one_observation(void **state)
{
	struct rec_finding f[] = {
		explain_test_found(REQ_RUD_SVC_3, "ack.missing",
				   BLAME_BY_COMMON),
		explain_test_found(REQ_RUD_SEQ_84, "ack.type", BLAME_BY_LINE),
		explain_test_found(REQ_MODE_RUD_1, "delivered.count",
				   BLAME_BY_GENERAL),
	};
	struct summary *s = explain_test_run(f, FIXTURE_COUNT(f));

	(void)state;
	assert_explained(s, REQ_RUD_SVC_3, REQ_RUD_SEQ_84);
	assert_explained(s, REQ_MODE_RUD_1, REQ_NONE);
	summary_free(s);

	f[1].role = REQ_SRC; /* of the other role: it explains nothing */
	s = explain_test_run(f, FIXTURE_COUNT(f));
	assert_explained(s, REQ_RUD_SVC_3, REQ_NONE);
	summary_free(s);
}

/* The assumed row with more cases explains the other one. */
static void the_more_frequent_assumption_stays(void **state)
{
	const struct rec_finding f[] = {
		explain_test_found(REQ_UET_ACK_26, "ack.cack_psn",
				   BLAME_BY_GENERAL),
		explain_test_found(REQ_RUD_SEQ_81, "ack.cack_psn",
				   BLAME_BY_TABLE),
		explain_test_found(REQ_UET_ACK_26, "ack.cack_psn",
				   BLAME_BY_GENERAL),
	};
	struct summary *s = explain_test_run(f, FIXTURE_COUNT(f));

	(void)state;
	assert_explained(s, REQ_RUD_SEQ_81, REQ_UET_ACK_26);
	assert_explained(s, REQ_UET_ACK_26, REQ_NONE);
	summary_free(s);
}

/*
 * A row that fails only behind another one is explained; one that fails on its
 * own, or by proof of its own on the same packet, is not.
 */
static void what_always_follows_is_explained(void **state)
{
	struct rec_finding f[] = {
		explain_test_found(REQ_UET_PDC_15, "req.spdcid",
				   BLAME_BY_MONITOR),
		explain_test_found(REQ_UET_CP_08, "cp.missing",
				   BLAME_BY_MONITOR),
	};
	struct summary *s;

	(void)state;
	f[1].moment = 9;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add(s, f, 1);
	explain_test_add(s, f, 2);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_CP_08, REQ_UET_PDC_15);
	explain_test_add(s, &f[1], 1);
	explain_test_add(s, f, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_CP_08, REQ_NONE);
	summary_free(s);

	f[1].moment = f[0].moment;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add(s, f, 1);
	explain_test_add(s, f, 2);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_CP_08, REQ_NONE);
	summary_free(s);
}

/* An assumed row with far more cases than the proved one stays. */
static void a_wide_assumption_stays(void **state)
{
	const struct rec_finding assumed = explain_test_found(
		REQ_RUD_SEQ_83, "req.resend", BLAME_BY_COMMON);
	const struct rec_finding proved = explain_test_found(
		REQ_UET_NACK_06, "req.resend", BLAME_BY_LINE);
	const struct rec_finding twice[] = {proved, proved};
	struct summary *s;
	struct triage *t;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	/* it is not wrong everywhere */
	explain_test_add_passes(s, 2 * EXPLAIN_TIMES, REQ_RUD_SEQ_83);
	explain_test_add(s, twice, 2); /* a case counts once */
	for (size_t i = 1; i < EXPLAIN_TIMES; i++)
		explain_test_add(s, &assumed, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_RUD_SEQ_83, REQ_UET_NACK_06);
	explain_test_add(s, &assumed, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_RUD_SEQ_83, REQ_NONE);
	assert_int_equal(triage_new(&t, s), 0);
	assert_int_equal(t->causes[0].req, REQ_UET_NACK_06);
	triage_free(t);

	/* the row of a line weighs ten times that of a monitor */
	for (size_t i = 0; i < EXPLAIN_TIMES * EXPLAIN_TIMES; i++)
		explain_test_add(s, &assumed, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_int_equal(triage_new(&t, s), 0);
	assert_int_equal(t->causes[0].req, REQ_RUD_SEQ_83);
	triage_free(t);
	summary_free(s);
}

/*
 * A row that a line names is explained only by one with at least ten times its
 * cases, even if that one always comes first.
 */
static void the_row_of_a_line_stays(void **state)
{
	struct rec_finding f[] = {
		explain_test_found(REQ_RUD_SVC_3b, "ack.next_hdr",
				   BLAME_BY_MONITOR),
		explain_test_found(REQ_UET_CP_01, "ack.missing", BLAME_BY_LINE),
	};
	struct summary *s;

	(void)state;
	f[1].moment = 9;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add(s, f, 2);
	for (size_t i = 2; i < EXPLAIN_TIMES; i++)
		explain_test_add(s, f, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_CP_01, REQ_NONE);
	explain_test_add(s, f, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_CP_01, REQ_RUD_SVC_3b);
	summary_free(s);
}

/*
 * A field that a monitor finds wrong in a hundred times as many cases explains
 * the rows of figures but the surest, if lines name several for the field.
 */
static void figures_of_one_field_are_one(void **state)
{
	const size_t most = EXPLAIN_TIMES * EXPLAIN_TIMES;
	struct rec_finding f[] = {
		explain_test_found(REQ_UET_ACK_26, "ack.cack_psn",
				   BLAME_BY_MONITOR),
		explain_test_found(REQ_RUD_SEQ_80, "ack.cack_psn",
				   BLAME_BY_LINE),
		explain_test_found(REQ_RUD_SEQ_81, "ack.cack_psn",
				   BLAME_BY_LINE),
	};
	struct summary *s;

	(void)state;
	f[1].moment = 8;
	f[2].moment = 6;
	s = explain_test_run(&f[1], 1);
	/* it is not wrong everywhere */
	explain_test_add_passes(s, most, REQ_UET_ACK_26);
	for (size_t i = 0; i < most; i++)
		explain_test_add(s, f, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_RUD_SEQ_80, REQ_NONE);
	explain_test_add(s, &f[2], 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_RUD_SEQ_80, REQ_UET_ACK_26);
	assert_explained(s, REQ_RUD_SEQ_81, REQ_NONE); /* it is named sooner */
	explain_test_add(s, &f[1], 1); /* more cases, but too many */
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_RUD_SEQ_80, REQ_NONE);
	assert_explained(s, REQ_RUD_SEQ_81, REQ_UET_ACK_26);
	summary_free(s);
}

/*
 * If a line names an item for two rows, the one with ten times the cases
 * explains the other.
 */
static void rows_of_one_line_are_one(void **state)
{
	const struct rec_finding f[] = {
		explain_test_found(REQ_RUD_SEQ_80, "ses.original_request_psn",
				   BLAME_BY_LINE),
		explain_test_found(REQ_UET_SES_22, "ses.original_request_psn",
				   BLAME_BY_LINE),
	};
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add(s, f, 2);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_SES_22, REQ_NONE);
	for (size_t i = 1; i < EXPLAIN_TIMES; i++)
		explain_test_add(s, f, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_SES_22, REQ_RUD_SEQ_80);
	assert_explained(s, REQ_RUD_SEQ_80, REQ_NONE);
	summary_free(s);
}

/* Adds |n| cases of a folder that fail by one finding. */
static void explain_test_add_times(struct summary *s, const char *id, size_t n,
				   const struct rec_finding *f)
{
	for (size_t i = 0; i < n; i++)
		explain_test_add_case(s, id, f, 1);
}

/* Neither of two assumed rows with equally many cases explains the other. */
static void equal_assumptions_stay(void **state)
{
	const struct rec_finding f[] = {
		explain_test_found(REQ_UET_NACK_08, "nack.type",
				   BLAME_BY_TABLE),
		explain_test_found(REQ_RUD_SEQ_82, "nack.missing",
				   BLAME_BY_TABLE),
	};
	struct summary *s = explain_test_run(f, FIXTURE_COUNT(f));

	(void)state;
	assert_explained(s, REQ_UET_NACK_08, REQ_NONE);
	assert_explained(s, REQ_RUD_SEQ_82, REQ_NONE);
	summary_free(s);
}

/*
 * A device that answers in no mode: the row of the mode with few cases is
 * explained, in either role, but not the row of another transport.
 */
static void an_answer_that_never_comes_is_one(void **state)
{
	struct rec_finding many = explain_test_found(
		REQ_RUD_SVC_3, "ack.missing", BLAME_BY_COMMON);
	const struct rec_finding f[] = {
		explain_test_found(REQ_MODE_RUDI_4, "rudi_resp.missing",
				   BLAME_BY_TABLE),
		explain_test_found(REQ_UET_NACK_09, "nack.missing",
				   BLAME_BY_LINE),
		explain_test_found(REQ_SRD_03, "srd_ack.missing",
				   BLAME_BY_TABLE),
	};
	struct summary *s;

	(void)state;
	many.role = REQ_SRC;
	assert_int_equal(summary_new(&s, false), 0);
	for (size_t i = 0; i < FIXTURE_COUNT(f); i++)
		explain_test_add_times(s, "uet/rudi/a", 1, &f[i]);
	explain_test_add_passes(s, 2, REQ_MODE_RUDI_4);
	explain_test_add_passes(s, 9, REQ_SRD_03);
	explain_test_add_times(s, "uet/rud/a", EXPLAIN_STRAY - 1, &many);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_MODE_RUDI_4, REQ_NONE);
	explain_test_add_times(s, "uet/rud/a", 1, &many);
	assert_int_equal(summary_explain(s), 0);
	assert_int_equal(summary_explained(s, REQ_MODE_RUDI_4, REQ_DST)->id,
			 REQ_RUD_SVC_3);
	assert_explained(s, REQ_UET_NACK_09, REQ_NONE); /* a line names it */
	assert_explained(s, REQ_SRD_03, REQ_NONE);
	summary_free(s);
}

/*
 * Another observation in another folder is explained by a row that fails nearly
 * everywhere, or if the device fulfils the assumed row nearly everywhere.
 */
static void what_fails_everywhere_explains_other_folders(void **state)
{
	const struct rec_finding many = explain_test_found(
		REQ_UET_ACK_26, "ack.cack_psn", BLAME_BY_GENERAL);
	const struct rec_finding few = explain_test_found(
		REQ_MODE_UUD_1, "received.missing", BLAME_BY_GENERAL);
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add_times(s, "uet/uud/a", 1, &few);
	explain_test_add_times(s, "uet/rud/a", EXPLAIN_STRAY, &many);
	explain_test_add_passes(s, EXPLAIN_STRAY, REQ_UET_ACK_26);
	explain_test_add_passes(s, EXPLAIN_FULFILLED - 1, REQ_MODE_UUD_1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_MODE_UUD_1, REQ_UET_ACK_26);
	explain_test_add_passes(s, 1, REQ_UET_ACK_26);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_MODE_UUD_1, REQ_NONE);
	explain_test_add_passes(s, 1, REQ_MODE_UUD_1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_MODE_UUD_1, REQ_UET_ACK_26);
	summary_free(s);
}

/*
 * A row that fails nearly everywhere explains the rows of its role that fail
 * in a tenth of its cases, unless a line names for one what the device did.
 */
static void a_row_that_fails_everywhere_explains(void **state)
{
	const struct rec_finding everywhere = explain_test_found(
		REQ_RUD_SVC_3, "ack.missing", BLAME_BY_COMMON);
	const struct rec_finding few[] = {
		explain_test_found(REQ_UET_ACK_15, "req.missing",
				   BLAME_BY_LINE),
		explain_test_found(REQ_UET_PDC_17, "ack.spdcid",
				   BLAME_BY_MONITOR),
		explain_test_found(REQ_UET_ACK_25, "ses.opcode", BLAME_BY_LINE),
		explain_test_found(REQ_I2, "content.data", BLAME_BY_CONTENT),
	};
	struct rec_finding source =
		explain_test_found(REQ_UET_CP_05, "cp.missing", BLAME_BY_LINE);
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	source.role = REQ_SRC;
	explain_test_add_case(s, "uet/amo/a", &source, 1);
	for (size_t i = 0; i < FIXTURE_COUNT(few); i++)
		explain_test_add_case(s, "uet/amo/a", &few[i], 1);
	explain_test_add_times(s, "uet/rud/a", EXPLAIN_TIMES, &everywhere);
	explain_test_add_passes(s, 1, REQ_RUD_SVC_3);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_ACK_15, REQ_RUD_SVC_3);
	assert_explained(s, REQ_UET_PDC_17, REQ_RUD_SVC_3);
	assert_explained(s, REQ_UET_ACK_25, REQ_NONE);
	assert_explained(s, REQ_I2, REQ_NONE);
	assert_non_null(summary_explained(s, REQ_UET_CP_05, REQ_SRC));

	explain_test_add_passes(s, 1, REQ_RUD_SVC_3); /* it is fulfilled */
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_ACK_15, REQ_NONE);
	assert_explained(s, REQ_UET_PDC_17, REQ_NONE);
	summary_free(s);
}

/*
 * A field that is wrong nearly everywhere explains the rows for which single
 * lines name this field, but not the one that lines name in most cases.
 */
static void a_field_that_is_wrong_everywhere_explains(void **state)
{
	const struct rec_finding everywhere = explain_test_found(
		REQ_SRD_37, "srd_ack.syndrome", BLAME_BY_GENERAL);
	const struct rec_finding field = explain_test_found(
		REQ_SRD_50, "srd_ack.syndrome", BLAME_BY_LINE);
	const struct rec_finding other = explain_test_found(
		REQ_SRD_17, "srd_ack.syndrome", BLAME_BY_LINE);
	const struct rec_finding report = explain_test_found(
		REQ_SRD_35, "completed.count", BLAME_BY_LINE);
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add_case(s, "srd/a/a", &field, 1);
	explain_test_add_case(s, "srd/a/a", &report, 1);
	explain_test_add_times(s, "srd/b/a", 2 * EXPLAIN_TIMES, &everywhere);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_SRD_50, REQ_NONE); /* no line names another */
	explain_test_add_times(s, "srd/a/b", 2, &other);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_SRD_50, REQ_SRD_37);
	assert_explained(s, REQ_SRD_17, REQ_NONE);
	assert_explained(s, REQ_SRD_35, REQ_NONE);
	summary_free(s);
}

/* A device that ends is one cause for the lines of all cases. */
static void the_end_of_the_device_is_one_cause(void **state)
{
	struct rec_finding sure = explain_test_found(
		REQ_RUD_SVC_3, "ack.missing", BLAME_BY_COMMON);
	struct rec_finding nack = explain_test_found(
		REQ_UET_NACK_04, "nack.missing", BLAME_BY_TABLE);
	const struct rec_finding missing =
		explain_test_found(REQ_UET_CP_01, "cp.missing", BLAME_BY_TABLE);
	struct rec_finding other = explain_test_found(
		REQ_SRD_03, "srd_ack.missing", BLAME_BY_TABLE);
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add_case(s, "uet/a/a", &sure, 1);
	explain_test_add_case(s, "uet/b/a", &nack, 1);
	explain_test_add_case(s, "uet/c/a", &missing, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_NACK_04, REQ_NONE);
	summary_free(s);

	sure.ended = nack.ended = other.ended = true;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add_case(s, "srd/a/a", &other, 1);
	explain_test_add_case(s, "uet/a/a", &sure, 1);
	explain_test_add_case(s, "uet/b/a", &nack, 1);
	explain_test_add_case(s, "uet/c/a", &missing, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_RUD_SVC_3, REQ_NONE);
	assert_explained(s, REQ_UET_NACK_04, REQ_RUD_SVC_3);
	assert_explained(s, REQ_SRD_03, REQ_RUD_SVC_3);
	assert_explained(s, REQ_UET_CP_01, REQ_NONE);

	/* it also fails where the device did not end */
	nack.ended = false;
	explain_test_add_case(s, "uet/d/a", &nack, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_NACK_04, REQ_NONE);
	summary_free(s);
}

/* A row that says "should" explains no row that says "must" in this way. */
static void a_should_explains_no_must_everywhere(void **state)
{
	const struct rec_finding everywhere = explain_test_found(
		REQ_UET_ACK_22, "ack.missing", BLAME_BY_COMMON);
	const struct rec_finding few = explain_test_found(
		REQ_UET_ACK_15, "req.missing", BLAME_BY_LINE);
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add_case(s, "uet/amo/a", &few, 1);
	explain_test_add_times(s, "uet/rud/a", EXPLAIN_TIMES, &everywhere);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_ACK_15, REQ_NONE);
	summary_free(s);
}

/* Other bytes of another folder keep their row. */
static void other_bytes_stay(void **state)
{
	const struct rec_finding many = explain_test_found(
		REQ_UET_ACK_26, "ack.cack_psn", BLAME_BY_GENERAL);
	const struct rec_finding few =
		explain_test_found(REQ_I2, "content.data", BLAME_BY_CONTENT);
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add_times(s, "uet/amo/a", 1, &few);
	explain_test_add_passes(s, EXPLAIN_FULFILLED, REQ_I2);
	explain_test_add_times(s, "uet/rud/a", EXPLAIN_TIMES, &many);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_I2, REQ_NONE);
	explain_test_add_times(s, "uet/amo/a", EXPLAIN_STRAY, &many);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_I2, REQ_UET_ACK_26);
	summary_free(s);
}

/* A field that differs from what the device was told to send is proof. */
static void a_field_of_the_content_is_proof(void **state)
{
	struct rec_finding f[] = {
		explain_test_found(REQ_UET_SES_35, "ses.request_length",
				   BLAME_BY_CONTENT),
		explain_test_found(REQ_UET_SES_08, "ses.request_length",
				   BLAME_BY_MONITOR),
	};
	struct summary *s = explain_test_run(f, FIXTURE_COUNT(f));

	(void)state;
	assert_explained(s, REQ_UET_SES_35, REQ_NONE);
	summary_free(s);

	for (size_t i = 0; i < FIXTURE_COUNT(f); i++)
		snprintf(f[i].what, sizeof(f[i].what), "content.data");
	s = explain_test_run(f, FIXTURE_COUNT(f));
	assert_explained(s, REQ_UET_SES_35, REQ_UET_SES_08);
	summary_free(s);
}

/*
 * An assumed row is explained by any row with five times its cases; a proved
 * one is not.
 */
static void a_stray_assumption_is_explained(void **state)
{
	const struct rec_finding f[] = {
		explain_test_found(REQ_UET_RTX_01, "nack.nack_psn",
				   BLAME_BY_MONITOR),
		explain_test_found(REQ_UET_NACK_02, "nack.nack_code",
				   BLAME_BY_TABLE),
		explain_test_found(REQ_UET_NACK_0F, "nack.spdcid",
				   BLAME_BY_LINE),
	};
	struct summary *s = explain_test_run(f, FIXTURE_COUNT(f));

	(void)state;
	for (size_t i = 2; i < EXPLAIN_STRAY; i++)
		explain_test_add(s, f, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_NACK_02, REQ_NONE);
	explain_test_add(s, f, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_NACK_02, REQ_UET_RTX_01);
	assert_explained(s, REQ_UET_NACK_0F, REQ_NONE);
	/* the other row fails in no case of that folder */
	explain_test_add_case(s, "uet/y/deep/a", &f[1], 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_NACK_02, REQ_NONE);
	for (size_t i = 0; i < EXPLAIN_STRAY; i++)
		explain_test_add_case(s, "uet/y/b", f, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_NACK_02, REQ_UET_RTX_01);
	summary_free(s);
}

/*
 * A row of either role explains one that no line names if it is proved in five
 * times the cases, in any folder.  A row that a line names keeps its failure,
 * and so does a must beside a should.
 */
static void a_stray_row_is_explained(void **state)
{
	struct rec_finding few[] = {
		explain_test_found(REQ_UET_SES_07, "data.payload",
				   BLAME_BY_MONITOR),
		explain_test_found(REQ_UET_NACK_0F, "nack.spdcid",
				   BLAME_BY_LINE),
	};
	struct rec_finding many = explain_test_found(
		REQ_UET_SES_05, "ses.message_id", BLAME_BY_MONITOR);
	struct rec_finding should = explain_test_found(
		REQ_UET_RTX_17, "req.clear_psn", BLAME_BY_MONITOR);
	struct summary *s;

	(void)state;
	many.role = REQ_SRC;
	assert_int_equal(summary_new(&s, true), 0);
	explain_test_add_times(s, "uet/rudi/a", 1, &few[0]);
	explain_test_add_times(s, "uet/rudi/a", 1, &few[1]);
	explain_test_add_times(s, "uet/rud/a", EXPLAIN_STRAY, &should);
	explain_test_add_times(s, "uet/rud/a", EXPLAIN_STRAY - 1, &many);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_SES_07, REQ_NONE);
	explain_test_add_times(s, "uet/rud/a", 1, &many);
	assert_int_equal(summary_explain(s), 0);
	assert_int_equal(summary_explained(s, REQ_UET_SES_07, REQ_DST)->id,
			 REQ_UET_SES_05);
	assert_explained(s, REQ_UET_NACK_0F, REQ_NONE);
	summary_free(s);
}

/* The row of a known deviation fails, and explains no other. */
static void known_rows_stay(void **state)
{
	struct rec_finding f[] = {
		explain_test_found(REQ_UET_ACK_26, "ack.cack_psn",
				   BLAME_BY_GENERAL),
		explain_test_found(REQ_RUD_SEQ_75, "ack.cack_psn",
				   BLAME_BY_MONITOR),
	};

	(void)state;
	for (size_t i = 0; i < FIXTURE_COUNT(f); i++) {
		struct summary *s;

		f[0].known = i == 0;
		f[1].known = i == 1;
		s = explain_test_run(f, FIXTURE_COUNT(f));
		assert_explained(s, REQ_UET_ACK_26, REQ_NONE);
		assert_explained(s, REQ_RUD_SEQ_75, REQ_NONE);
		summary_free(s);
	}
}

/* The text, summary.md and report.html list the explained rows of a cause. */
static void reports_list_explained_rows(void **state)
{
	const struct rec_finding f[] = {
		explain_test_found(REQ_UET_ACK_26, "ack.cack_psn",
				   BLAME_BY_GENERAL),
		explain_test_found(REQ_RUD_SEQ_75, "ack.cack_psn",
				   BLAME_BY_MONITOR),
	};
	struct summary *s = explain_test_run(f, FIXTURE_COUNT(f));
	const struct text_opts o = {0};
	struct text t = {0};

	(void)state;
	text_end(&t, s, fixture_about(), &o);
	assert_non_null(strstr(text_cstr(&t), "explains UET-ACK-26/dst, in 1 "
					      "further case\n"));
	text_clear(&t);
	assert_int_equal(markdown_report(&t, s, fixture_about()), 0);
	assert_non_null(strstr(text_cstr(&t), "<br>explains UET-ACK-26/dst, in "
					      "1 further case<br>"));
	text_clear(&t);
	assert_int_equal(html_report(&t, s, fixture_about(), NULL, NULL), 0);
	assert_non_null(strstr(text_cstr(&t),
			       "explains <a href=\"#UET-ACK-26\">UET-ACK-26/"
			       "dst</a>, in 1 further case</p>"));
	text_free(&t);
	summary_free(s);
}

static void assert_alternatives(const struct summary *s, enum req_id id,
				const enum req_id *others, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct req_ref *ref =
			summary_alternative(s, id, REQ_DST, i);

		assert_non_null(ref);
		assert_int_equal(ref->id, others[i]);
		assert_int_equal(ref->role, REQ_DST);
	}
	assert_null(summary_alternative(s, id, REQ_DST, n));
	assert_null(summary_alternative(s, id, REQ_SRC, 0));
}

/* Rows that are proved for one field are alternatives to each other. */
static void rows_of_one_field_are_alternatives(void **state)
{
	const struct rec_finding f[] = {
		explain_test_found(REQ_RUD_SEQ_76, "ack.cack_psn",
				   BLAME_BY_LINE),
		explain_test_found(REQ_RUD_SEQ_75, "ack.cack_psn",
				   BLAME_BY_MONITOR),
		explain_test_found(REQ_UET_ACK_03, "ack.retx", BLAME_BY_LINE),
		/* assumed, and explained by those above */
		explain_test_found(REQ_UET_ACK_26, "ack.cack_psn",
				   BLAME_BY_GENERAL),
	};
	struct summary *s = explain_test_run(f, FIXTURE_COUNT(f));
	const struct text_opts o = {0};
	struct text t = {0};

	(void)state;
	assert_alternatives(s, REQ_RUD_SEQ_75, (enum req_id[]){REQ_RUD_SEQ_76},
			    1);
	assert_alternatives(s, REQ_RUD_SEQ_76, (enum req_id[]){REQ_RUD_SEQ_75},
			    1);
	assert_alternatives(s, REQ_UET_ACK_03, NULL, 0);
	assert_alternatives(s, REQ_UET_ACK_26, NULL, 0);

	text_end(&t, s, fixture_about(), &o);
	assert_non_null(strstr(text_cstr(&t), "or RUD-SEQ-75/dst, which fails "
					      "by the same difference\n"));
	/* once */
	assert_null(strstr(text_cstr(&t), "or RUD-SEQ-76/dst"));
	text_clear(&t);
	assert_int_equal(markdown_report(&t, s, fixture_about()), 0);
	assert_non_null(strstr(text_cstr(&t), "<br>or RUD-SEQ-75/dst, which "
					      "fails by the same "
					      "difference<br>"));
	text_clear(&t);
	assert_int_equal(html_report(&t, s, fixture_about(), NULL, NULL), 0);
	assert_non_null(strstr(text_cstr(&t),
			       "or <a href=\"#RUD-SEQ-75\">RUD-SEQ-75/dst</a>"
			       ", which fails by the same difference</p>"));
	text_free(&t);
	summary_free(s);
}

/*
 * A row of a line that fails only where another one fails at the same packet is
 * an alternative to that; the reverse is not true.
 */
static void a_row_at_the_same_packets_is_an_alternative(void **state)
{
	struct rec_finding f[] = {
		explain_test_found(REQ_UET_PDC_48, "req.psn", BLAME_BY_MONITOR),
		explain_test_found(REQ_UET_NACK_19, "req.forbidden",
				   BLAME_BY_LINE),
	};
	struct summary *s;

	(void)state;
	for (size_t apart = 0; apart < 2; apart++) {
		f[1].moment = f[0].moment + (uint32_t)apart;
		assert_int_equal(summary_new(&s, false), 0);
		explain_test_add(s, f, 2);
		explain_test_add(s, f, 1);
		assert_int_equal(summary_explain(s), 0);
		assert_explained(s, REQ_UET_NACK_19, REQ_NONE);
		assert_alternatives(s, REQ_UET_PDC_48,
				    (enum req_id[]){REQ_UET_NACK_19}, !apart);
		assert_alternatives(s, REQ_UET_NACK_19, NULL, 0);
		summary_free(s);
	}
}

/*
 * In a device that nearly never answers, a line that awaits an answer for a row
 * of its own shows no second bug: not a missing answer, nor another kind in its
 * place.  A packet that came, and a must beside a should, keep their failure.
 */
static void a_silent_device_is_one_cause(void **state)
{
	static const struct {
		const char *item;
		enum req_id silent, by;
		size_t cases;
		enum blame_by blamed;
	} rows[] = {
		{"ack.missing", REQ_UET_CP_04, REQ_UET_CP_04, 50,
		 BLAME_BY_LINE},
		{"nack.type", REQ_UET_CP_04, REQ_UET_CP_04, 50, BLAME_BY_LINE},
		{"ack.missing", REQ_UET_CP_04, REQ_NONE, 49, BLAME_BY_LINE},
		{"ack.missing", REQ_UET_CP_04, REQ_NONE, 50, BLAME_BY_COMMON},
		{"ack.forbidden", REQ_UET_CP_04, REQ_NONE, 50, BLAME_BY_LINE},
		{"cp.missing", REQ_UET_CP_04, REQ_NONE, 50, BLAME_BY_LINE},
		{"ack.missing", REQ_UET_ACK_36, REQ_NONE, 50, /* a should */
		 BLAME_BY_LINE},
	};

	(void)state;
	for (size_t i = 0; i < FIXTURE_COUNT(rows); i++) {
		const struct rec_finding f = explain_test_found(
			rows[i].silent, "ack.missing", rows[i].blamed);
		const struct rec_finding own = explain_test_found(
			REQ_UET_PDC_51, rows[i].item, BLAME_BY_LINE);
		struct summary *s;

		assert_int_equal(summary_new(&s, true), 0);
		explain_test_add_passes(s, 50, rows[i].silent);
		for (size_t j = 0; j < rows[i].cases; j++)
			explain_test_add(s, &f, 1);
		explain_test_add(s, &own, 1);
		assert_int_equal(summary_explain(s), 0);
		assert_explained(s, REQ_UET_PDC_51, rows[i].by);
		summary_free(s);
	}
}

/* A finding of a line that expects one syndrome and gets another. */
static struct rec_finding explain_test_sent(enum req_id id, enum blame_by by,
					    const char *expected,
					    const char *actual)
{
	struct rec_finding f = explain_test_found(id, "srd_ack.syndrome", by);

	snprintf(f.expected, sizeof(f.expected), "srd_ack syndrome=%s",
		 expected);
	snprintf(f.actual, sizeof(f.actual), "srd_ack syndrome=%s", actual);
	return f;
}

/*
 * A device that sends one wrong syndrome everywhere fails the lines that expect
 * another one for a row of their own; one that sends another wrong syndrome
 * there has a second bug, and numbers prove nothing.
 */
static void one_wrong_name_is_one_cause(void **state)
{
	struct rec_finding all = explain_test_sent(REQ_SRD_37, BLAME_BY_GENERAL,
						   "ack", "ctx_reset");
	struct rec_finding rnr = explain_test_sent(REQ_SRD_51, BLAME_BY_LINE,
						   "rnr", "ctx_reset");
	const struct rec_finding other = explain_test_sent(
		REQ_SRD_50, BLAME_BY_LINE, "bad_dest_qp", "ack");
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add_times(s, "srd/x/a", EXPLAIN_TIMES - 1, &all);
	explain_test_add_passes(s, 2, REQ_SRD_37); /* not wrong everywhere */
	explain_test_add(s, &rnr, 1);
	explain_test_add(s, &other, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_SRD_51, REQ_NONE);
	explain_test_add_times(s, "srd/x/a", 1, &all);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_SRD_51, REQ_SRD_37);
	assert_explained(s, REQ_SRD_50, REQ_NONE);
	assert_explained(s, REQ_SRD_37, REQ_NONE);
	summary_free(s);

	snprintf(all.actual, sizeof(all.actual), "srd_ack syndrome=0x7f");
	snprintf(rnr.actual, sizeof(rnr.actual), "srd_ack syndrome=0x7f");
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add_times(s, "srd/x/a", EXPLAIN_TIMES, &all);
	explain_test_add_passes(s, 2, REQ_SRD_37);
	explain_test_add(s, &rnr, 1);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_SRD_51, REQ_NONE);
	summary_free(s);
}

/* Adds a case each of the two suspects that a line names. */
static void explain_test_add_suspects(struct summary *s,
				      const struct rec_finding *f)
{
	explain_test_add(s, &f[0], 1);
	explain_test_add(s, &f[2], 1);
}

/*
 * Behind three more suspect rows of its role and transport a fourth one is
 * stray if it fails in a fiftieth of the cases of one of them.
 */
static void few_suspects_are_named(void **state)
{
	const size_t times = EXPLAIN_STRAY * EXPLAIN_TIMES;
	struct rec_finding f[] = {
		explain_test_found(REQ_UET_NACK_0D, "nack.type", BLAME_BY_LINE),
		explain_test_found(REQ_UET_ACK_26, "ack.cack_psn",
				   BLAME_BY_MONITOR),
		explain_test_found(REQ_UET_PDC_27, "cp.missing", BLAME_BY_LINE),
		explain_test_found(REQ_UET_PDC_21, "delivered.count",
				   BLAME_BY_LINE),
	};
	struct summary *s = explain_test_run(f, FIXTURE_COUNT(f));

	(void)state;
	explain_test_add_suspects(s, f);
	explain_test_add_passes(s, times, REQ_UET_ACK_26);
	explain_test_add_times(s, "uet/x/a", times - 2, &f[1]);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_PDC_21, REQ_NONE);
	explain_test_add_times(s, "uet/x/a", 1, &f[1]);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_PDC_21, REQ_UET_ACK_26);
	assert_explained(s, REQ_UET_PDC_27, REQ_NONE);
	assert_explained(s, REQ_UET_NACK_0D, REQ_NONE);
	summary_free(s);

	f[3].blamed = BLAME_BY_CONTENT; /* other bytes were seen */
	snprintf(f[3].what, sizeof(f[3].what), "ses.buffer_offset");
	s = explain_test_run(f, FIXTURE_COUNT(f));
	explain_test_add_suspects(s, f);
	explain_test_add_passes(s, times, REQ_UET_ACK_26);
	explain_test_add_times(s, "uet/x/a", times, &f[1]);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_PDC_21, REQ_NONE);
	summary_free(s);

	f[3] = explain_test_found(REQ_UET_PDC_21, "delivered.count",
				  BLAME_BY_LINE);
	f[2].role = REQ_SRC; /* a suspect of the other role */
	s = explain_test_run(f, FIXTURE_COUNT(f));
	explain_test_add_suspects(s, f);
	explain_test_add_passes(s, times, REQ_UET_ACK_26);
	explain_test_add_times(s, "uet/x/a", times, &f[1]);
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_UET_PDC_21, REQ_NONE);
	summary_free(s);
}

/* Passing cases of UET do not excuse a device that fails all those of RoCE. */
static void an_invariant_is_counted_by_transport(void **state)
{
	const struct rec_finding all = explain_test_found(
		REQ_I2, "completed.missing", BLAME_BY_GENERAL);
	const struct rec_finding few = explain_test_found(
		REQ_ROCE_10, "rc_req.early", BLAME_BY_MONITOR);
	struct summary *s;

	(void)state;
	assert_int_equal(summary_new(&s, false), 0);
	explain_test_add_times(s, "roce/x/a", EXPLAIN_TIMES, &all);
	explain_test_add_times(s, "roce/y/a", 1, &few);
	explain_test_add_passes(s, 2 * EXPLAIN_TIMES, REQ_I2); /* of UET */
	assert_int_equal(summary_explain(s), 0);
	assert_explained(s, REQ_ROCE_10, REQ_I2);
	summary_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_proved_row_explains_an_assumed_one),
		cmocka_unit_test(arrivals_are_one_observation),
		cmocka_unit_test(the_more_frequent_assumption_stays),
		cmocka_unit_test(what_always_follows_is_explained),
		cmocka_unit_test(a_wide_assumption_stays),
		cmocka_unit_test(the_row_of_a_line_stays),
		cmocka_unit_test(figures_of_one_field_are_one),
		cmocka_unit_test(rows_of_one_line_are_one),
		cmocka_unit_test(equal_assumptions_stay),
		cmocka_unit_test(an_answer_that_never_comes_is_one),
		cmocka_unit_test(what_fails_everywhere_explains_other_folders),
		cmocka_unit_test(a_row_that_fails_everywhere_explains),
		cmocka_unit_test(a_field_that_is_wrong_everywhere_explains),
		cmocka_unit_test(the_end_of_the_device_is_one_cause),
		cmocka_unit_test(a_silent_device_is_one_cause),
		cmocka_unit_test(a_should_explains_no_must_everywhere),
		cmocka_unit_test(other_bytes_stay),
		cmocka_unit_test(a_field_of_the_content_is_proof),
		cmocka_unit_test(a_stray_assumption_is_explained),
		cmocka_unit_test(a_stray_row_is_explained),
		cmocka_unit_test(known_rows_stay),
		cmocka_unit_test(reports_list_explained_rows),
		cmocka_unit_test(rows_of_one_field_are_alternatives),
		cmocka_unit_test(a_row_at_the_same_packets_is_an_alternative),
		cmocka_unit_test(one_wrong_name_is_one_cause),
		cmocka_unit_test(few_suspects_are_named),
		cmocka_unit_test(an_invariant_is_counted_by_transport),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
