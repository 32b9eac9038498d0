/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests which deviation fails a case, which rows it fails, and after which the
 * case continues: known deviations, remarks, fields, fragments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "suite/run/run.h"
#include "suite/run/run_fake_test.h"
#include "wire/uet/uet_pds.h"

/* Runs "two_sends" with deviations that are known or to be stepped over. */
static void run_over(struct setting *s, enum knob knob, const char *known,
		     bool step_over)
{
	const struct run_conf conf = {.seed = 7, .step_over = step_over};

	prepare_declared(s, two_sends, knob, known);
	assert_int_equal(
		run_case(s->runner, s->test_case, CHAIR_TARGET, &conf, &s->rec),
		0);
}

static size_t count_findings(const struct record *r, enum req_id id,
			     const char *what)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nfindings; i++)
		n += r->findings[i].req == id &&
		     strcmp(r->findings[i].what, what) == 0;
	return n;
}

static const struct rec_finding *run_test_finding_of(const struct record *r,
						     enum req_id id)
{
	for (size_t i = 0; i < r->nfindings; i++)
		if (r->findings[i].req == id)
			return &r->findings[i];
	fail();
	return NULL;
}

static void a_known_deviation_is_told_once(void **state)
{
	const struct rec_finding *f;
	struct setting s;

	(void)state;
	run_over(&s, WRONG_MESSAGE,
		 "deviates UET-SES-19 ses.message_id \"ticket 17\"\n", false);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(
		count_findings(&s.rec, REQ_UET_SES_19, "ses.message_id"), 1);
	f = run_test_finding_of(&s.rec, REQ_UET_SES_19);
	assert_int_equal(f->role, REQ_DST);
	assert_true(f->known);
	assert_int_equal(s.rec.rungs_expected, 3);
	assert_int_equal(s.rec.rungs_matched, 1);
	assert_int_equal(s.rec.rungs_stepped, 2);
	assert_non_null(strstr(s.rec.reason, "known deviation: UET-SES-19"));
	run_test_put_away(&s);

	/* another value of the field is not a known deviation */
	run_over(&s, WRONG_MESSAGE, "deviates UET-SES-19 message_id=9\n",
		 false);
	assert_false(run_test_finding_of(&s.rec, REQ_UET_SES_19)->known);
	assert_int_equal(s.rec.rungs_expected, 1);
	run_test_put_away(&s);
}

static void a_known_deviation_may_change_the_state(void **state)
{
	struct setting s;

	(void)state;
	run_over(&s, WRONG_REQ, "deviates RUD-SEQ-76 ack.req=clear\n", false);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(count_findings(&s.rec, REQ_RUD_SEQ_76, "ack.req"), 1);
	assert_int_equal(s.rec.rungs_expected, 3);
	run_test_put_away(&s);
}

static void stepping_over_goes_on_where_the_state_is_certain(void **state)
{
	static const struct {
		enum knob knob;
		unsigned expected; /* lines that the case reached */
	} rows[] = {
		{WRONG_MESSAGE, 3}, /* only the SES header differs */
		{WRONG_REQ, 3},     /* the line says what is to be cleared */
		{WRONG_CACK, 3},    /* the case continues as far as possible */
		{SHORT_ACK, 1},     /* not a packet */
		{SILENT_SECOND,
		 2}, /* a packet is missing, and later lines depend on it */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct setting s;

		run_over(&s, rows[i].knob, "", true);
		assert_int_equal(s.rec.verdict, VERDICT_FAIL);
		if (s.rec.rungs_expected < rows[i].expected)
			fail_msg("row %zu: %u lines reached", i,
				 s.rec.rungs_expected);
		if (rows[i].expected < 2)
			assert_int_equal(s.rec.rungs_stepped, 0);
		run_test_put_away(&s);
	}
}

/* After a wrong CACK_PSN a line that is met counts, and silence does not. */
static void nothing_is_certain_behind_a_wrong_number(void **state)
{
	struct setting s;
	size_t n = 0;

	(void)state;
	run_over(&s, WRONG_CACK, "", true);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	while (n < s.rec.nfindings && !s.rec.findings[n].shaken)
		n++;
	assert_in_range(n, 0, s.rec.nfindings - 1);
	assert_string_equal(s.rec.findings[n].what, "ack.cack_psn");
	assert_true(s.rec.findings[n].stepped);
	for (size_t i = n + 1; i < s.rec.nfindings; i++)
		assert_true(s.rec.findings[i].consequence);
	for (size_t i = 0; i < s.rec.nreqs; i++)
		if (s.rec.reqs[i].req == REQ_RUD_SEQ_82)
			assert_false(s.rec.reqs[i].wire);
	run_test_put_away(&s);
}

/*
 * The second and the third request are not answered.  The lines report that,
 * and the absence of answers fails no further row at the end.
 */
static void silence_is_not_judged_behind_a_missing_answer(void **state)
{
	static const char three_sends[] =
		"title Three sends\n"
		"covers RUD-SEQ-75\n"
		"needs rud\n"
		"chair target\n"
		"base fwd=333\n"
		">  rud_req psn=333 clear_psn=332 syn ar | std send "
		"message_id=1 som eom | data 8\n"
		"<  ack ack_psn=333 cack_psn=333 [RUD-SEQ-75]\n"
		">  rud_req psn=334 clear_psn=333 ar | std send message_id=2 "
		"som eom | data 8\n"
		"<  ack ack_psn=334 [RUD-SEQ-75]\n"
		">  rud_req psn=335 clear_psn=333 ar | std send message_id=3 "
		"som eom | data 8\n"
		"<  ack ack_psn=335 [RUD-SEQ-75]\n";
	const struct run_conf conf = {.seed = 7, .step_over = true};
	struct setting s;

	(void)state;
	prepare_declared(&s, three_sends, SILENT_SECOND, "");
	assert_int_equal(
		run_case(s.runner, s.test_case, CHAIR_TARGET, &conf, &s.rec),
		0);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(s.rec.rungs_expected, 3);
	for (size_t i = 0; i < s.rec.nfindings; i++)
		assert_true(s.rec.findings[i].line || s.rec.findings[i].remark);
	run_test_put_away(&s);
}

static void what_is_stepped_over_still_fails(void **state)
{
	const struct rec_finding *f;
	struct setting s;

	(void)state;
	run_over(&s, WRONG_MESSAGE, "", true);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(
		count_findings(&s.rec, REQ_UET_SES_19, "ses.message_id"), 1);
	f = run_test_finding_of(&s.rec, REQ_UET_SES_19);
	assert_true(f->stepped);
	assert_false(f->known);
	for (size_t i = 0; i < s.rec.nreqs; i++)
		assert_false(s.rec.reqs[i].not_reached);
	run_test_put_away(&s);
}

#define FIRST(acks)                                                            \
	">  rud_req psn=333 clear_psn=332 syn ar | std send message_id=1 som " \
	"eom | data 8\n"                                                       \
	"<  " acks " ack_psn=333 cack_psn=333 req=none | response "            \
	"message_id=1 "

#define SECOND                                                                 \
	">  rud_req psn=334 clear_psn=333 ar | std send message_id=2 som eom " \
	"| data 8\n"                                                           \
	"<  ack ack_psn=334 cack_psn=334 req=none | response message_id=2 "

#define BEGIN                 \
	"title Some sends\n"  \
	"covers RUD-SEQ-75\n" \
	"needs rud\n"         \
	"chair target\n"      \
	"base fwd=333\n"

static const struct rec_req *run_test_account(const struct setting *s,
					      enum req_id id)
{
	for (size_t i = 0; i < s->rec.nreqs; i++)
		if (s->rec.reqs[i].req == id)
			return &s->rec.reqs[i];
	fail_msg("%s is not in the record", req_get(id)->id);
	return NULL;
}

/* Returns the finding that fails a row if there is exactly one. */
static const struct rec_finding *only_failure(const struct setting *s)
{
	const struct rec_finding *ret = NULL;

	for (size_t i = 0; i < s->rec.nfindings; i++) {
		const struct rec_finding *f = &s->rec.findings[i];

		if (f->remark || f->consequence)
			continue;
		assert_null(ret);
		ret = f;
	}
	return ret;
}

/*
 * A field fails its row; the line's other ids are settled by their own fields.
 */
static void one_field_fails_one_row(void **state)
{
	static const char text[] = BEGIN FIRST(
		"ack") "[RUD-SEQ-75:ack.cack_psn RUD-SVC-3:ack.missing "
		       "UET-ACK-04:ack.req UET-ACK-02:ack.m]\n" SECOND
		       "[RUD-NACK-1]\n";
	const struct rec_finding *f;
	struct setting s;

	(void)state;
	run_text(&s, text, WRONG_REQ);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(s.rec.reason_id, REASON_FINDING);
	f = only_failure(&s);
	assert_int_equal(f->req, REQ_UET_ACK_04);
	assert_string_equal(f->what, "ack.req");
	assert_true(run_test_account(&s, REQ_UET_ACK_04)->failed);
	assert_true(run_test_account(&s, REQ_RUD_SEQ_75)->wire);
	assert_true(run_test_account(&s, REQ_RUD_SVC_3)->wire);
	assert_false(run_test_account(&s, REQ_RUD_SVC_3)->failed);
	assert_false(run_test_account(&s, REQ_RUD_NACK_1)->wire);
	assert_true(run_test_account(&s, REQ_RUD_NACK_1)->not_reached);
	run_test_put_away(&s);
}

/* A remark (level S) does not end the case. */
static void a_remark_does_not_end_the_case(void **state)
{
	static const char text[] =
		BEGIN ">  rud_req psn=333 clear_psn=332 syn ar | std send "
		      "message_id=1 som eom | data 8\n"
		      "<  ack ack_psn=333 | response modified_length=9 "
		      "[UET-ACK-32:ses.modified_length RUD-SEQ-75]\n" SECOND
		      "[RUD-SEQ-75]\n";
	struct setting s;

	(void)state;
	assert_int_equal(req_get(REQ_UET_ACK_32)->level, REQ_S);
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	assert_null(only_failure(&s));
	assert_int_equal(s.rec.rungs_expected, 2);
	assert_int_equal(s.rec.rungs_matched, 1);
	run_test_put_away(&s);
}

/*
 * A retransmission with an old CLEAR_PSN violates one row, which is a remark.
 */
static void a_stale_clear_psn_is_a_remark(void **state)
{
	static const char text[] =
		"title A refusal\n"
		"covers RUD-SEQ-82\n"
		"needs rud\n"
		"chair initiator\n"
		"<  rud_req syn psn=$p | std send [RUD-SEQ-75]\n"
		"<  rud_req syn psn=$q | std send [RUD-SEQ-75]\n"
		">  nack no_pkt_buffer nack_psn=$q\n"
		"<  rud_req psn=$q retx clear_psn==333 | same within nack_time "
		"[RUD-SEQ-82]\n";
	bool told = false;
	struct setting s;

	(void)state;
	run_text(&s, text, ASKS);
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	for (size_t i = 0; i < s.rec.nfindings; i++)
		told |= strcmp(s.rec.findings[i].what, "req.stale") == 0 &&
			s.rec.findings[i].req == REQ_UET_RTX_17 &&
			s.rec.findings[i].remark;
	assert_true(told);
	run_test_put_away(&s);
}

/* A finding after the first deviation proves nothing. */
static void the_first_deviation_fails_the_case(void **state)
{
	struct setting s;
	size_t proved = 0;

	(void)state;
	run_text(&s, two_sends, WRONG_CACK);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	for (size_t i = 0; i < s.rec.nreqs; i++)
		proved += s.rec.reqs[i].failed;
	assert_int_equal(proved, 1);
	run_test_put_away(&s);
}

static void closing_is_judged_by_itself(void **state)
{
	static const char text[] = BEGIN FIRST("ack") "[RUD-SEQ-75]\n"
						      "use close\n";
	struct setting s;

	(void)state;
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	assert_int_equal(s.rec.teardown, VERDICT_FAIL);
	assert_int_equal(only_failure(&s)->phase, PHASE_TEARDOWN);
	run_test_put_away(&s);
}

static void opening_fails_the_case_once(void **state)
{
	static const char text[] =
		BEGIN "use open\n" FIRST("ack") "[RUD-NACK-1]\n";
	struct setting s;

	(void)state;
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(s.rec.reason_id, REASON_SETUP);
	assert_int_equal(only_failure(&s)->phase, PHASE_SETUP);
	assert_true(run_test_account(&s, REQ_RUD_NACK_1)->not_reached);
	run_test_put_away(&s);
}

/* Returns true if the row of the last line fails behind a late opening. */
static bool fails_behind_late(const char *opening)
{
	char text[1024];
	struct setting s;
	bool ret;

	snprintf(text, sizeof(text),
		 BEGIN "use %s\n" SECOND "[RUD-SEQ-75]\n"
		       "<  nack no_resource [RUD-NACK-1]\n",
		 opening);
	run_text(&s, text, LATE);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(run_test_finding_of(&s.rec, REQ_UET_ACK_15)->phase,
			 PHASE_SETUP);
	ret = !run_test_finding_of(&s.rec, REQ_RUD_NACK_1)->consequence;
	run_test_put_away(&s);
	return ret;
}

/* A packet that comes late hides nothing, unless the opening is about that. */
static void a_late_opening_hides_what_builds_on_it(void **state)
{
	(void)state;
	assert_true(fails_behind_late("answered"));
	assert_false(fails_behind_late("in-time"));
}

static void a_fragment_may_need_a_claim(void **state)
{
	static const char text[] = BEGIN FIRST("ack") "[RUD-SEQ-75]\n"
						      "use unclaimed\n";
	struct setting s;

	(void)state;
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	assert_int_equal(s.rec.teardown, VERDICT_PASS);
	run_test_put_away(&s);
}

/* The device claims ack_cc and sends plain ACKs. */
static void a_claim_that_is_not_kept_fails_no_row(void **state)
{
	static const char text[] = BEGIN FIRST("ack_cc") "[RUD-NACK-1]\n";
	struct setting s;

	(void)state;
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_NA);
	assert_int_equal(s.rec.reason_id, REASON_UNDECLARED);
	assert_string_equal(s.rec.claim, "ack_cc");
	assert_string_equal(s.rec.claim_seen, "ack");
	assert_null(only_failure(&s));
	assert_true(run_test_account(&s, REQ_RUD_NACK_1)->not_reached);
	run_test_put_away(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_deviation_is_told_once),
		cmocka_unit_test(a_known_deviation_may_change_the_state),
		cmocka_unit_test(
			stepping_over_goes_on_where_the_state_is_certain),
		cmocka_unit_test(nothing_is_certain_behind_a_wrong_number),
		cmocka_unit_test(silence_is_not_judged_behind_a_missing_answer),
		cmocka_unit_test(what_is_stepped_over_still_fails),
		cmocka_unit_test(one_field_fails_one_row),
		cmocka_unit_test(a_remark_does_not_end_the_case),
		cmocka_unit_test(a_stale_clear_psn_is_a_remark),
		cmocka_unit_test(the_first_deviation_fails_the_case),
		cmocka_unit_test(closing_is_judged_by_itself),
		cmocka_unit_test(opening_fails_the_case_once),
		cmocka_unit_test(a_late_opening_hides_what_builds_on_it),
		cmocka_unit_test(a_fragment_may_need_a_claim),
		cmocka_unit_test(a_claim_that_is_not_kept_fails_no_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
