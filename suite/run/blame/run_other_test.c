/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests which lines count on a choice that the device has made otherwise. */
#include "suite/run/run_fake_test.h"

#define OPENING                                                    \
	"title Two requests, and repeats\n"                        \
	"covers RUD-SEQ-83\n"                                      \
	"needs rud\n"                                              \
	"violates RUD-SVC-3/dst UET-SES-19/dst\n"                  \
	"chair initiator\n"                                        \
	"<  rud_req syn psn=$p | std send [RUD-SVC-1]\n"           \
	"<  rud_req psn=$p retx | same within 20ms [RUD-SEQ-83]\n" \
	"<  rud_req syn psn=$q | std send [RUD-SVC-1]\n"

static void run_repeats(struct setting *s, const char *text, const char *decl)
{
	const struct run_conf conf = {.seed = 7};

	prepare_declared(s, text, ASKS_BETWEEN, decl);
	assert_int_equal(run_case(s->runner, s->test_case, CHAIR_INITIATOR,
				  &conf, &s->rec),
			 0);
}

struct other_row {
	const char *text, *decl;
	enum verdict verdict;
};

static void verdicts_are(const struct other_row *rows, size_t n)
{
	struct setting s;

	for (size_t i = 0; i < n; i++) {
		run_repeats(&s, rows[i].text, rows[i].decl);
		if (s.rec.verdict != rows[i].verdict)
			fail_msg("row %zu: %s: %s", i,
				 verdict_name(s.rec.verdict), s.rec.reason);
		run_test_put_away(&s);
	}
}

/*
 * The device repeats the first request, and not the second.  A window that
 * moves may have room for one packet after a loss, until that is acknowledged.
 */
static void a_small_window_repeats_one_packet(void **state)
{
	static const char both[] =
		OPENING "<  rud_req psn=$q retx | same within 20ms "
			"[RUD-SEQ-83]\n";
	static const char alone[] =
		OPENING ">  ack ack_psn=$p cack_psn=$p | response\n"
			"<  rud_req psn=$q retx | same within 20ms "
			"[RUD-SEQ-83]\n";
	static const struct other_row rows[] = {
		{both, "setting cc_policy=0\n", VERDICT_FAIL},
		{both, "setting cc_policy=1\n", VERDICT_NA},
		{alone, "setting cc_policy=1\n", VERDICT_FAIL},
	};
	struct setting s;

	(void)state;
	run_text(&s, both, ASKS_BETWEEN);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	run_test_put_away(&s);
	verdicts_are(rows, sizeof(rows) / sizeof(rows[0]));
}

/*
 * The first message is for the PDC alone.  The third comes between the packets
 * of the second.  That is correct on another PDC than the second's, and the
 * lines count on one.
 */
static void a_message_on_an_older_pdc_need_not_wait(void **state)
{
	static const char in_turn[] =
		"title Three messages, one after the other\n"
		"covers RUD-SVC-1\n"
		"needs rud\n"
		"chair initiator\n"
		"use first\n"
		"base fwd=333\n"
		"<  rud_req psn=333 | std send message_id=$m som eom=0 "
		"[RUD-SVC-1]\n"
		"<  rud_req psn=334 | std send message_id=$m som=0 eom "
		"[RUD-SVC-1]\n";
	struct setting s;

	(void)state;
	run_text(&s, in_turn, ASKS_IN_TURN);
	if (s.rec.verdict != VERDICT_NA)
		fail_msg("%s: %s", verdict_name(s.rec.verdict), s.rec.reason);
	run_test_put_away(&s);
	run_text(&s, in_turn, ASKS_INTERLEAVED);
	if (s.rec.verdict != VERDICT_FAIL)
		fail_msg("%s: %s", verdict_name(s.rec.verdict), s.rec.reason);
	run_test_put_away(&s);
}

/*
 * The device declares that it needs credit, and the tester grants none.  A
 * request that never comes may wait for it.  One that came with a wrong field
 * did not.
 */
static void a_request_that_came_needs_no_credit(void **state)
{
	static const char wrong[] =
		"title A request with another opcode\n"
		"covers RUD-SVC-1\n"
		"needs rud\n"
		"chair initiator\n"
		"<  rud_req syn psn=$p | std write [UET-SES-19]\n";
	static const char more[] =
		"title Three requests\n"
		"covers RUD-SVC-1\n"
		"needs rud\n"
		"chair initiator\n"
		"<  rud_req syn psn=$p | std send [RUD-SVC-1]\n"
		"<  rud_req psn=$p retx | same within 20ms [RUD-SVC-1]\n"
		"<  rud_req syn psn=$q | std send [RUD-SVC-1]\n"
		"<  rud_req syn psn=$r | std send within 20ms [RUD-SVC-1]\n";
	static const struct other_row rows[] = {
		{wrong, "setting cc=0\n", VERDICT_FAIL},
		{wrong, "setting cc=1\n", VERDICT_FAIL},
		{more, "setting cc=0\n", VERDICT_FAIL},
		{more, "setting cc=1\n", VERDICT_NA},
	};

	(void)state;
	verdicts_are(rows, sizeof(rows) / sizeof(rows[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_window_repeats_one_packet),
		cmocka_unit_test(a_message_on_an_older_pdc_need_not_wait),
		cmocka_unit_test(a_request_that_came_needs_no_credit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
