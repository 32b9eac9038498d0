/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests the runner against a small device that is correct unless a flag selects
 * a fault.  Each row of the table names the fault and the expected verdict.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suite/run/run_fake_test.h"
#include "wire/uet/uet_pds.h"

static const char refusal[] =
	"title A refusal\n"
	"covers RUD-SEQ-82\n"
	"needs rud\n"
	"chair initiator\n"
	"<  rud_req syn psn=$p | std send [RUD-SEQ-75]\n"
	"<  rud_req syn psn=$q | std send [RUD-SEQ-75]\n"
	">  nack no_pkt_buffer nack_psn=$q\n"
	"<  rud_req psn=$q retx | same within nack_time [RUD-SEQ-82]\n"
	"never < rud_req psn=$p for 10ms [RUD-SEQ-83]\n";

static const char patience[] =
	"title Two refusals, and patience\n"
	"covers RUD-SEQ-82\n"
	"needs rud\n"
	"chair initiator\n"
	"<  rud_req syn psn=$p | std send [RUD-SEQ-75]\n"
	"<  rud_req syn psn=$q | std send [RUD-SEQ-75]\n"
	">  nack no_pkt_buffer nack_psn=$p\n"
	">  nack no_pkt_buffer nack_psn=$q\n"
	"any {\n"
	"<  rud_req psn=$p retx | same after nack_time within nack_time "
	"[RUD-SEQ-82]\n"
	"<  rud_req psn=$q retx | same after nack_time within nack_time "
	"[RUD-SEQ-82]\n"
	"}\n";

/*
 * Every packet violates a rule, because there is no PDC; "violates" names only
 * one.
 */
static const char crash[] =
	"title A crash behind an opening that nobody answers\n"
	"covers I13\n"
	"needs rud\n"
	"violates UET-ENC-45/src\n"
	"chair target\n"
	">  rud_req syn ar psn=$s spdcid=0 | std send message_id=1 som eom "
	"| data 8\n"
	"<  any optional\n"
	">  rud_req ar psn=$s+9 | std send message_id=2 som eom | data 8\n"
	"<  ack [I13]\n";

static void expect_verdict(const struct setting *s, enum verdict verdict,
			   const char *reason)
{
	if (s->rec.verdict != verdict || !strstr(s->rec.reason, reason))
		fail_msg("%s: %s", verdict_name(s->rec.verdict), s->rec.reason);
}

static const char echo[] =
	"title An answer to the first copy, and to the second\n"
	"covers RUD-SEQ-82\n"
	"needs rud\n"
	"violates UET-SES-19/dst\n"
	"chair initiator\n"
	"<  rud_req syn psn=$p | std send [RUD-SEQ-75]\n"
	"<  rud_req syn psn=$q | std send [RUD-SEQ-75]\n"
	">  nack no_pkt_buffer nack_psn=$q\n"
	"<  rud_req psn=$q retx | same within nack_time [RUD-SEQ-82]\n"
	">  ack ack_psn=$q cack_psn=$p-1 | response\n";

static void misbehaviour_gets_its_verdict(void **state)
{
	static const struct {
		const char *what;
		enum knob knob;
		enum verdict verdict;
		enum fail_kind kind;
		const char *id;     /* id of a finding; NULL: none */
		const char *reason; /* part of the reason */
	} rows[] = {
		{"lawful", LAWFUL, VERDICT_PASS, KIND_NONE, NULL, ""},
		{"silent", SILENT, VERDICT_INCONCLUSIVE, KIND_NONE, NULL,
		 "never answered"},
		{"silent at the second", SILENT_SECOND, VERDICT_FAIL,
		 KIND_PROTOCOL, "RUD-SVC-3",
		 "nothing came after \">  rud_req psn=334"},
		{"late", LATE, VERDICT_FAIL, KIND_TIMING, "UET-ACK-15", "late"},
		{"hungry", LATE_HUNGRY, VERDICT_FAIL, KIND_TIMING, "UET-ACK-15",
		 "late"},
		{"starved", LATE_STARVED, VERDICT_INCONCLUSIVE, KIND_NONE,
		 "UET-ACK-15", "without a processor for longer"},
		{"late, stopped", LATE_STOPPED, VERDICT_INCONCLUSIVE, KIND_NONE,
		 "UET-ACK-15", "a signal stopped the device"},
		{"silent, stopped", SILENT_STOPPED, VERDICT_INCONCLUSIVE,
		 KIND_NONE, NULL, "a signal stopped the device"},
		{"stopped at the second", STOPPED_SECOND, VERDICT_INCONCLUSIVE,
		 KIND_NONE, "RUD-SVC-3", "a signal stopped the device"},
		{"wrong cack, stopped", STOPPED_WRONG, VERDICT_FAIL,
		 KIND_PROTOCOL, "RUD-SEQ-75", "CACK_PSN does not advance"},
		{"wrong cack", WRONG_CACK, VERDICT_FAIL, KIND_PROTOCOL,
		 "RUD-SEQ-75", "CACK_PSN does not advance"},
		{"wrong message", WRONG_MESSAGE, VERDICT_FAIL, KIND_PROTOCOL,
		 "UET-SES-19", "message id"},
		{"short ack", SHORT_ACK, VERDICT_FAIL, KIND_PROTOCOL,
		 "UET-ENC-39", "ends inside its ack header"},
		{"forbidden", FORBIDDEN, VERDICT_FAIL, KIND_PROTOCOL,
		 "RUD-SVC-3", "frame 4"},
		{"dies", DIES, VERDICT_FAIL, KIND_PROTOCOL, "RUD-SVC-3",
		 "it exited with status 1"},
		{"repeats acks", REPEATS_ACK, VERDICT_PASS, KIND_NONE, NULL,
		 ""},
		{"clear request", CLEAR_REQUEST, VERDICT_PASS, KIND_NONE, NULL,
		 ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct setting s;
		bool found = rows[i].id == NULL;

		run_text(&s, two_sends, rows[i].knob);
		for (size_t n = 0; n < s.rec.nfindings; n++)
			found |= rows[i].id &&
				 strcmp(req_get(s.rec.findings[n].req)->id,
					rows[i].id) == 0;
		if (s.rec.verdict != rows[i].verdict ||
		    s.rec.kind != rows[i].kind || !found ||
		    !strstr(s.rec.reason, rows[i].reason))
			fail_msg("%s: %s %s, \"%s\"", rows[i].what,
				 verdict_name(s.rec.verdict),
				 fail_kind_name(s.rec.kind), s.rec.reason);
		run_test_put_away(&s);
	}
}

static void expected_and_actual_have_the_same_fields(void **state)
{
	struct setting s;

	(void)state;
	run_text(&s, two_sends, WRONG_REQ);
	assert_true(s.rec.nfindings > 0);
	for (size_t i = 0; i < s.rec.nfindings; i++) {
		const struct rec_finding *f = &s.rec.findings[i];

		if (!f->line)
			continue;
		assert_string_equal(f->expected,
				    "ack ack_psn=333 cack_psn=333 req=none | "
				    "response message_id=1");
		assert_string_equal(f->actual,
				    "ack ack_psn=333 cack_psn=333 req=clear | "
				    "response message_id=1");
		run_test_put_away(&s);
		return;
	}
	fail_msg("no finding of a line");
}

/*
 * A timer that the case does not wait for expires before the deviation is
 * known.
 */
static void a_late_device_is_not_blamed_for_its_other_timer(void **state)
{
	struct setting s;

	(void)state;
	run_text(&s, refusal, ASKS);
	expect_verdict(&s, VERDICT_FAIL, "must not come");
	run_test_put_away(&s);
	run_text(&s, refusal, ASKS_LATE);
	expect_verdict(&s, VERDICT_INCONCLUSIVE, "the device was 4.0 ms late");
	run_test_put_away(&s);
}

/*
 * The device repeats a packet 1 ms after its NACK.  The lower limit counts from
 * the NACK, whether the packet comes during the wait of the "never" line or
 * after it.
 */
static void the_wait_of_a_never_line_is_part_of_after(void **state)
{
	static const char opening[] =
		"title A refusal that is not answered\n"
		"covers RUD-SEQ-82\n"
		"needs rud\n"
		"chair initiator\n"
		"<  rud_req syn psn=$p | std send [RUD-SEQ-75]\n"
		"<  rud_req syn psn=$q | std send [RUD-SEQ-75]\n"
		">  nack no_pkt_buffer nack_psn=$p\n";
	static const struct {
		const char *wait, *after;
		enum verdict verdict;
		const char *reason;
	} rows[] = {
		{"600us", "900us", VERDICT_PASS, ""},
		{"600us", "1500us", VERDICT_FAIL, "too early"},
		{"2ms", "900us", VERDICT_PASS, ""},
		{"2ms", "1500us", VERDICT_FAIL, "too early"},
	};
	struct setting s;
	char text[1000];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text),
			 "%snever < ack for %s [UET-RTX-01]\n"
			 "<  rud_req psn=$p retx | same after %s within 9ms "
			 "[RUD-SEQ-82]\n",
			 opening, rows[i].wait, rows[i].after);
		run_text(&s, text, ASKS_AGAIN);
		expect_verdict(&s, rows[i].verdict, rows[i].reason);
		run_test_put_away(&s);
	}
}

/*
 * A NACK is delayed, and released when the wait of a "never" line of the case
 * before was over, since the clock begins anew.  The lower limit counts from
 * the release.
 */
static void the_wait_of_an_earlier_case_does_not_count(void **state)
{
#define REFUSED                                           \
	"<  rud_req syn psn=$p | std send [RUD-SEQ-75]\n" \
	"<  rud_req syn psn=$q | std send [RUD-SEQ-75]\n" \
	">  nack no_pkt_buffer nack_psn=$p\n"
	static const char waits[] = "title A wait\n"
				    "covers UET-RTX-01\n"
				    "needs rud\n"
				    "chair initiator\n" REFUSED
				    "never < ack for 600us [UET-RTX-01]\n";
	static const char delayed[] =
		"title A delayed refusal\n"
		"covers RUD-SEQ-82\n"
		"needs rud\n"
		"chair initiator\n"
		"delay 600us > nack nth=1\n" REFUSED
		"<  rud_req psn=$p retx | same after 1500us within 9ms "
		"[RUD-SEQ-82]\n";
#undef REFUSED
	const struct run_conf conf = {.seed = 7};
	struct setting before, s;

	(void)state;
	run_text(&before, waits, ASKS_AGAIN);
	run_test_prepare(&s, delayed, ASKS_AGAIN);
	before.fake = s.fake;
	assert_int_equal(run_case(before.runner, s.test_case, CHAIR_INITIATOR,
				  &conf, &s.rec),
			 0);
	expect_verdict(&s, VERDICT_FAIL, "too early");
	run_test_put_away(&before);
	run_test_put_away(&s);
}

static const char held[] =
	"title An answer is held until a packet that was sent before it\n"
	"covers RUD-SEQ-75\n"
	"needs rud\n"
	"chair target\n"
	"base fwd=333\n"
	"hold < ack ack_psn=333 nth=1 until > rud_req psn=334\n"
	">  rud_req psn=333 clear_psn=332 syn ar | std send message_id=1 som "
	"eom | data 8\n"
	">  rud_req psn=334 clear_psn=332 syn ar | std send message_id=2 som "
	"eom | data 8\n"
	"<  ack ack_psn=333 | response message_id=1 [RUD-SEQ-75]\n"
	"<  ack ack_psn=334 | response message_id=2 [RUD-SEQ-75]\n";

/* A slow device answers when the packet that ends the hold was sent. */
static void a_hold_that_is_over_keeps_nothing(void **state)
{
	struct setting s;

	(void)state;
	run_text(&s, held, LAWFUL);
	assert_string_equal(s.rec.reason, "");
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	run_test_put_away(&s);
}

static const char each[] =
	"title Two packets of a message\n"
	"covers RUD-SVC-1\n"
	"needs rud\n"
	"chair initiator\n"
	"each packet of 2mtu {\n"
	"  <  rud_req syn psn=$p | std send som eom within 20ms [RUD-SVC-1]\n"
	"}\n";

static const char at_once[] =
	"title Two packets at once\n"
	"covers RUD-SVC-1\n"
	"needs rud\n"
	"chair initiator\n"
	"  <  rud_req syn psn=333 retx=0 | std send [RUD-SVC-1]\n"
	"  <  rud_req syn psn=334 retx=0 | std send [RUD-SVC-1]\n";

static const char no_second[] =
	"title One packet and no other\n"
	"covers RUD-SVC-1\n"
	"needs rud\n"
	"chair initiator\n"
	"  <  rud_req syn psn=333 retx=0 | std send [RUD-SVC-1]\n"
	"  never < rud_req psn=334 for 8ms [RUD-SVC-1]\n";

static const char other_id[] =
	"title A second packet with another message id\n"
	"covers RUD-SVC-1\n"
	"needs rud\n"
	"chair initiator\n"
	"  <  rud_req syn psn=333 retx=0 | std send [RUD-SVC-1]\n"
	"  <  rud_req syn psn=334 | std send message_id=8 within 20ms "
	"[RUD-SVC-1]\n";

static const char no_third[] =
	"title Two packets and a third\n"
	"covers RUD-SVC-1\n"
	"needs rud\n"
	"chair initiator\n"
	"  <  rud_req syn psn=333 | std send [RUD-SVC-1]\n"
	"  <  rud_req syn psn=334 | std send within 20ms [RUD-SVC-1]\n"
	"  <  rud_req syn psn=335 | std send within 20ms [RUD-SVC-1]\n";

/*
 * A device may send a message so slowly that its timer ends in the middle.
 * Another message that comes too late is a finding, and so is a packet that
 * must not come at all, or that differs in more than its turn.
 */
static void a_timer_may_end_within_a_message(void **state)
{
	struct setting s;

	(void)state;
	run_text(&s, at_once, ASKS_SLOWLY);
	assert_int_equal(s.rec.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(s.rec.reason_id, REASON_TIMER_RAN);
	run_test_put_away(&s);
	run_text(&s, at_once, ASKS_BETWEEN);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	run_test_put_away(&s);
	run_text(&s, no_second, ASKS_SLOWLY);
	expect_verdict(&s, VERDICT_FAIL, "must not come");
	run_test_put_away(&s);
	run_text(&s, no_third, ASKS_SLOWLY);
	assert_int_equal(s.rec.reason_id, REASON_TIMER_RAN);
	run_test_put_away(&s);
	run_text(&s, no_third, ASKS_BETWEEN);
	expect_verdict(&s, VERDICT_FAIL, "nothing came");
	run_test_put_away(&s);
	run_text(&s, other_id, ASKS_SLOWLY);
	expect_verdict(&s, VERDICT_FAIL, "is not what line 6 expects");
	run_test_put_away(&s);
}

static const char swapped[] = "title The third message before the second\n"
			      "covers RUD-SVC-1\n"
			      "needs rud\n"
			      "chair initiator\n"
			      "reorder < rud_req psn=334 nth=1\n"
			      "<  rud_req syn psn=333 | std send [RUD-SVC-1]\n"
			      "<  rud_req syn psn=335 | std send [RUD-SVC-1]\n"
			      "<  rud_req syn psn=334 | std send [RUD-SVC-1]\n";

/*
 * The third message is late, since the line waits for the second one as well.
 * That is no fault if it came behind it as the second came behind the first.
 */
static void a_slow_source_keeps_its_pace(void **state)
{
	struct setting s;

	(void)state;
	run_text(&s, swapped, ASKS_PACED);
	expect_verdict(&s, VERDICT_INCONCLUSIVE, "late");
	assert_int_equal(s.rec.reason_id, REASON_TIMER_RAN);
	run_test_put_away(&s);
	run_text(&s, swapped, ASKS_PAUSES);
	expect_verdict(&s, VERDICT_FAIL, "late");
	run_test_put_away(&s);
}

/* A repeat that the timer permits is not the next packet of the message. */
static void a_repeat_is_no_other_packet(void **state)
{
	struct setting s;
	unsigned lines = 0;

	(void)state;
	run_text(&s, each, ASKS_BETWEEN);
	assert_string_equal(s.rec.reason, "");
	for (size_t i = 0; i < s.rec.nrecs; i++) {
		const struct rec *rec = &s.rec.recs[i];

		if (rec->kind != REC_RX)
			continue;
		assert_int_equal(rec->line != 0, !rec->allowed);
		lines += rec->line != 0;
	}
	assert_int_equal(lines, 2);
	run_test_put_away(&s);
}

/* The Clear Request of the device names the PSN below. */
static const char asks[] =
	"title An ACK and a Clear Request\n"
	"covers RUD-SVC-7\n"
	"needs rud\n"
	"chair target\n"
	">  rud_req syn ar psn=$s | std send message_id=1 som eom | data 8\n"
	"any {\n"
	"<  ack ack_psn=$s [RUD-SVC-7]\n"
	"<  cp clear_request clear_psn=$s [RUD-SVC-7]\n"
	"}\n";

/*
 * A control packet that needs no line came, and it is not said to be missing.
 */
static void what_came_is_not_missing(void **state)
{
	struct setting s;
	unsigned found = 0;

	(void)state;
	run_text(&s, asks, CLEAR_REQUEST);
	for (size_t i = 0; i < s.rec.nfindings; i++) {
		const struct rec_finding *f = &s.rec.findings[i];

		assert_string_not_equal(f->what, "cp.missing");
		found += f->line && f->frame &&
			 strcmp(f->what, "cp.clear_psn") == 0;
	}
	assert_int_equal(found, 1);
	run_test_put_away(&s);
}

/* Returns the first finding of a line. */
static const struct rec_finding *of_a_line(const struct setting *s)
{
	for (size_t i = 0; i < s->rec.nfindings; i++)
		if (s->rec.findings[i].line)
			return &s->rec.findings[i];
	fail_msg("no finding of a line");
	return NULL;
}

/*
 * An exact line for a control packet passes over one of another kind that may
 * come unasked, and over nothing else.
 */
static void an_exact_line_awaits_its_kind(void **state)
{
	static const char text[] =
		"title A control packet behind a request\n"
		"covers UET-CP-03\n"
		"needs rud\n"
		"chair target\n"
		"base fwd=333\n"
		">  rud_req psn=333 clear_psn=332 syn ar | std send "
		"message_id=1 som eom | data 8\n"
		"<  cp %s exact [UET-CP-03]\n";
	static const char *const rows[][2] = {
		{"clear_command psn==0", "ack "},
		{"clear_request clear_psn=7", "cp "},
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char one[sizeof(text) + 32];
		struct setting s;

		snprintf(one, sizeof(one), text, rows[i][0]);
		run_text(&s, one, CLEAR_REQUEST);
		assert_int_equal(s.rec.verdict, VERDICT_FAIL);
		assert_memory_equal(of_a_line(&s)->actual, rows[i][1],
				    strlen(rows[i][1]));
		run_test_put_away(&s);
	}
}

/* A device that had no processor is excused, as for a missing packet. */
static void what_came_instead_excuses_as_silence_does(void **state)
{
	const vspan starved[] = {0, 2 * VSPAN_MS};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct setting s;

		run_test_prepare(&s, asks, CLEAR_REQUEST);
		s.fake.dut.virtual = false;
		s.fake.starved_most = starved[i];
		run_test_run(&s);
		expect_verdict(&s, i ? VERDICT_INCONCLUSIVE : VERDICT_FAIL, "");
		run_test_put_away(&s);
	}
}

static const char answered[] =
	"title A request that is acknowledged\n"
	"covers MODE-RUD-3\n"
	"needs rud\n"
	"chair initiator\n"
	"<  rud_req syn psn=$p | std send som eom [RUD-SVC-1]\n"
	">  ack ack_psn=$p cack_psn=$p | response message_id=$p\n"
	"never < nack for 8ms [RUD-SEQ-82]\n";

/* Runs a case against a device on this machine, and checks the verdict. */
static void check_on_this_machine(const char *text, enum knob knob,
				  enum verdict verdict, const char *reason)
{
	struct setting s;

	prepare_declared(&s, text, knob, "claims nscc\n");
	s.fake.dut.virtual = false;
	run_test_run(&s);
	expect_verdict(&s, verdict, reason);
	run_test_put_away(&s);
}

/* It may not have read an answer before its timer ran out. */
static void a_starved_device_may_repeat(void **state)
{
	(void)state;
	check_on_this_machine(answered, ASKS_BETWEEN, VERDICT_FAIL,
			      "although its ACK had arrived");
	check_on_this_machine(answered, ASKS_STARVED, VERDICT_INCONCLUSIVE,
			      "for want of a processor");
}

static const char served[] =
	"title A request whose service_time is told\n"
	"covers UET-ACK-08\n"
	"needs rud\n"
	"chair target\n"
	">  rud_req psn=333 clear_psn=332 syn ar | std send message_id=1 som "
	"eom | data 8\n"
	"<  ack_cc | response message_id=1 within 9ms [UET-ACK-15]\n";

/*
 * A request that lay unread for 4 ms more than an answer may take is not part
 * of its service_time.
 */
static void a_starved_device_may_read_late(void **state)
{
	(void)state;
	check_on_this_machine(served, READS_LATE, VERDICT_FAIL,
			      "UET-ACK-08/dst: service_time");
	check_on_this_machine(served, READS_STARVED, VERDICT_INCONCLUSIVE,
			      "for want of a processor");
}

/* The device had no processor for |starved| in one wait. */
static void check_starved(const char *text, enum knob knob, vspan starved,
			  enum verdict verdict)
{
	struct setting s;

	run_test_prepare(&s, text, knob);
	s.fake.dut.virtual = false;
	s.fake.starved_most = starved;
	run_test_run(&s);
	expect_verdict(&s, verdict, "");
	run_test_put_away(&s);
}

static const char delayed[] =
	"title Two sends, the first of which is late\n"
	"covers RUD-SVC-3 RUD-SEQ-75\n"
	"needs rud\n"
	"chair target\n"
	"delay 1us > rud_req psn=333 nth=1\n"
	">  rud_req psn=333 clear_psn=332 syn ar | std send message_id=1 som "
	"eom | data 8\n"
	"<  ack ack_psn=333 cack_psn=333 | response message_id=1 "
	"[RUD-SEQ-75]\n";

/*
 * A packet may be missing, or be another in a case that holds one back; but
 * want of a processor ends no device.
 */
static void a_starved_device_may_miss_its_turn(void **state)
{
	const vspan ack_time = 2 * VSPAN_MS;

	(void)state;
	check_starved(two_sends, SILENT_SECOND, ack_time - 1, VERDICT_FAIL);
	check_starved(two_sends, SILENT_SECOND, ack_time, VERDICT_INCONCLUSIVE);
	check_starved(two_sends, WRONG_CACK, ack_time, VERDICT_FAIL);
	check_starved(delayed, WRONG_CACK, ack_time - 1, VERDICT_FAIL);
	check_starved(delayed, WRONG_CACK, ack_time, VERDICT_INCONCLUSIVE);
	check_starved(two_sends, DIES, ack_time, VERDICT_FAIL);
}

#define TOLD(report)                                                       \
	"title A message that is reported\n"                               \
	"covers RUD-SVC-2\n"                                               \
	"needs rud\n"                                                      \
	"chair target\n"                                                   \
	">  rud_req psn=333 clear_psn=332 syn ar | std send message_id=1 " \
	"som eom | data 8\n"                                               \
	"<  ack ack_psn=333 | response message_id=1 [RUD-SVC-3]\n" report  \
	" [RUD-SVC-2]\n"

/* A report comes 12 ms after the request. */
static void check_report(const char *text, enum knob knob, enum verdict verdict,
			 const char *reason)
{
	struct setting s;

	run_test_prepare(&s, text, knob);
	s.fake.dut.virtual = false;
	s.fake.dut.control = true;
	run_test_run(&s);
	expect_verdict(&s, verdict, reason);
	run_test_put_away(&s);
}

/* A report is not late while the device answers what came before. */
static void a_device_at_work_may_report_later(void **state)
{
	static const char told[] = TOLD("received message_id=1 len=8 once");

	(void)state;
	check_report(told, WORKS, VERDICT_PASS, "");
	check_report(told, RESTS, VERDICT_FAIL, "ms late");
}

/* The time at which a device gives up is that of its timers. */
static void a_device_at_work_gives_up_in_time(void **state)
{
	(void)state;
	check_report(TOLD("failed op=1 once"), GIVES_UP, VERDICT_PASS, "");
	check_report(TOLD("failed op=1 once within 3ms"), GIVES_UP,
		     VERDICT_FAIL, "ms late");
}

/* "delay 2 rto" ends 11 ms after the packet, with the tolerance. */
static const char overtaken[] =
	"title A request that its retransmission overtakes\n"
	"covers RUD-SEQ-83\n"
	"needs rud\n"
	"chair initiator\n"
	"delay 2 rto < rud_req psn=333 nth=1 until < rud_req psn=333 retx\n"
	"<  rud_req syn psn=333 retx | std send som eom within 2 rto "
	"[RUD-SEQ-83]\n"
	"<  rud_req syn psn=333 retx=0 [UET-RTX-16]\n";

/*
 * The network holds a packet back until the device has repeated it, so that a
 * repeat that is late is late, and no other packet came in its place.
 */
static void a_delayed_packet_awaits_its_repeat(void **state)
{
	(void)state;
	check_on_this_machine(overtaken, ASKS_TARDY, VERDICT_FAIL, "ms late");
	check_on_this_machine(overtaken, TARDY_STARVED, VERDICT_INCONCLUSIVE,
			      "without a processor");
}

/* The tester waits for the exit status of a device that ended. */
static void an_end_is_no_delay_of_the_tester(void **state)
{
	struct setting s;

	(void)state;
	run_test_prepare(&s, two_sends, DIES);
	s.fake.dut.virtual = false;
	s.fake.farewell = 200 * VSPAN_MS;
	run_test_run(&s);
	if (s.rec.verdict != VERDICT_FAIL || s.rec.late ||
	    !strstr(s.rec.reason, "the device ended after"))
		fail_msg("%s: %s", verdict_name(s.rec.verdict), s.rec.reason);
	/* the finding before it is that of a packet */
	assert_int_equal(s.rec.nfindings, 2);
	assert_false(s.rec.findings[0].ended);
	assert_true(s.rec.findings[1].ended);
	run_test_put_away(&s);
}

/*
 * Runs a case whose tester loses the processor at the n-th reading of the
 * clock; false if there were fewer readings.
 */
static bool doze(struct setting *s, const char *text, enum knob knob,
		 unsigned look, vspan nap)
{
	run_test_prepare(s, text, knob);
	s->fake.dut.virtual = false;
	s->fake.dozes = look;
	s->fake.nap = nap;
	run_test_run(s);
	return s->fake.dozed;
}

/*
 * Wherever the tester loses the processor, the result is not the device's
 * fault: the tester may have been late to read, to continue or to send.
 */
static void a_tester_that_dozes_blames_nobody(void **state)
{
	unsigned hurt = 0, look = 0;
	struct setting s;

	(void)state;
	while (doze(&s, two_sends, FORBIDDEN, ++look, 3 * VSPAN_MS)) {
		hurt += s.fake.hurt;
		if (s.fake.hurt && (s.rec.verdict != VERDICT_INCONCLUSIVE ||
				    !strstr(s.rec.reason, "the tester was 3")))
			fail_msg("look %u: %s %s", look,
				 verdict_name(s.rec.verdict), s.rec.reason);
		run_test_put_away(&s);
	}
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_true(hurt > 3);
	run_test_put_away(&s);
}

static void a_tester_that_sleeps_misses_nothing(void **state)
{
	unsigned in_doubt = 0, look = 0;
	struct setting s;

	(void)state;
	while (doze(&s, two_sends, LAWFUL, ++look, 600 * VSPAN_MS)) {
		in_doubt += s.rec.verdict == VERDICT_INCONCLUSIVE;
		if (s.rec.verdict == VERDICT_FAIL)
			fail_msg("look %u: %s", look, s.rec.reason);
		run_test_put_away(&s);
	}
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	assert_true(in_doubt > 0);
	run_test_put_away(&s);
}

/* The device answered in time a packet that left late. */
static void a_nap_makes_no_answer_too_early(void **state)
{
	unsigned look = 0;
	struct setting s;

	(void)state;
	while (doze(&s, patience, ASKS_AGAIN, ++look, 300 * VSPAN_US)) {
		if (s.rec.verdict != VERDICT_PASS)
			fail_msg("look %u: %s %s", look,
				 verdict_name(s.rec.verdict), s.rec.reason);
		run_test_put_away(&s);
	}
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	run_test_put_away(&s);
}

/*
 * The lines make the tester violate a rule.  With the reference as the device
 * that is the case's mistake; with another device it is no error.
 */
static void a_device_never_ends_a_case_as_error(void **state)
{
	static const char slip[] =
		"title The second request clears what was not acknowledged\n"
		"covers RUD-SEQ-75\n"
		"needs rud\n"
		"chair target\n"
		"base fwd=333\n"
		">  rud_req psn=333 clear_psn=332 syn ar | std send "
		"message_id=1 som eom | data 8\n"
		"<  ack ack_psn=333 cack_psn=333 [RUD-SEQ-75]\n"
		">  rud_req psn=334 clear_psn=334 ar | std send message_id=2 "
		"som eom | data 8\n"
		"<  ack ack_psn=334 [RUD-SEQ-75]\n";
	struct setting s = {0};

	(void)state;
	run_test_prepare(&s, slip, LAWFUL);
	s.fake.dut.reference = true;
	run_test_run(&s);
	assert_int_equal(s.rec.verdict, VERDICT_ERROR);
	assert_int_equal(s.rec.reason_id, REASON_TESTER_BROKE);
	run_test_put_away(&s);

	s = (struct setting){0};
	run_text(&s, slip, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(s.rec.reason_id, REASON_LED_ASTRAY);
	run_test_put_away(&s);
}

static void a_crash_needs_no_opening(void **state)
{
	struct setting s;

	(void)state;
	run_text(&s, crash, DIES_SILENT);
	expect_verdict(&s, VERDICT_FAIL,
		       "the device ended after \">  rud_req ar");
	run_test_put_away(&s);
	run_text(&s, crash, SILENT);
	expect_verdict(&s, VERDICT_INCONCLUSIVE, "");
	run_test_put_away(&s);
}

/* The line behind the post fails under its row. */
static void a_crash_at_a_post_has_a_row(void **state)
{
	static const char text[] =
		"title A device that ends when it is asked to post\n"
		"covers RUD-SVC-3\n"
		"needs rud\n"
		"chair target\n"
		">  rud_req psn=$p syn ar | std send message_id=1 som eom "
		"| data 8\n"
		"<  ack ack_psn=$p [RUD-SVC-3]\n"
		"post post_recv len=8 count=1\n"
		"<  rud_req syn pdc=b | std deferrable_rtr "
		"[RUD-SVC-1/src:req.missing]\n";
	struct setting s = {0};

	(void)state;
	run_test_prepare(&s, text, DIES_AT_POST);
	s.fake.dut.control = true;
	run_test_run(&s);
	expect_verdict(&s, VERDICT_FAIL,
		       "RUD-SVC-1/src: the device ended after "
		       "\"post post_recv");
	run_test_put_away(&s);
}

/* If a line omits fields, the answer echoes those of the last copy. */
static void an_answer_echoes_retx(void **state)
{
	static const uint8_t want[] = {0, 1}; /* of the NACK and of the ACK */
	struct setting s;
	size_t sent = 0;

	(void)state;
	run_text(&s, echo, ASKS);
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	for (size_t i = 0; i < s.rec.nrecs; i++) {
		struct packet pkt;
		uint64_t retx = 0;

		if (s.rec.recs[i].kind != REC_TX)
			continue;
		record_packet(&s.rec, &s.rec.recs[i], &pkt);
		assert_true(packet_value(&pkt, "retx", &retx));
		assert_true(sent < 2);
		assert_int_equal(retx, want[sent++]);
	}
	assert_int_equal(sent, 2);
	run_test_put_away(&s);
}

/* A case may await any number of reports, and each is counted at its end. */
static void a_case_awaits_any_number_of_reports(void **state)
{
	struct text text = {0};
	struct setting s;

	(void)state;
	text_printf(&text, "title One send, and many reports of it\n"
			   "covers RUD-SVC-2\n"
			   "needs rud send\n"
			   "chair target\n"
			   "base fwd=333\n"
			   ">  rud_req psn=333 clear_psn=332 syn ar | std send "
			   "message_id=1 som eom | data 8\n"
			   "<  ack ack_psn=333 [RUD-SVC-3]\n");
	for (unsigned i = 0; i < 100; i++)
		text_printf(&text, "received message_id=1 once within 20ms "
				   "[RUD-SVC-2]\n");
	run_test_prepare(&s, text_cstr(&text), RESTS);
	s.fake.dut.control = true;
	run_test_run(&s);
	expect_verdict(&s, VERDICT_PASS, "");
	assert_int_equal(s.rec.rungs_expected, 101);
	assert_int_equal(s.rec.rungs_matched, 101);
	run_test_put_away(&s);
	text_free(&text);
}

static void what_is_not_claimed_is_not_applicable(void **state)
{
	static const char text[] = "title Needs more\n"
				   "covers RUD-SEQ-75\n"
				   "needs rod\n"
				   "chair target\n"
				   "<  ack [RUD-SEQ-75]\n";
	struct setting s;

	(void)state;
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_NA);
	assert_non_null(strstr(s.rec.reason, "rod"));
	run_test_put_away(&s);
}

static void an_impairment_that_never_fired_is_inconclusive(void **state)
{
	char text[1024];
	struct setting s;

	(void)state;
	snprintf(text, sizeof(text), "%s%s", two_sends,
		 "drop > rud_req psn=999 nth=1\n");
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_INCONCLUSIVE);
	assert_non_null(strstr(s.rec.reason, "never fired"));
	run_test_put_away(&s);
}

/*
 * Returns true for a doubt that explains the finding: the device did not
 * receive what the case sends, or the network duplicated its packets.
 */
static bool run_test_explains(enum dut_doubt d)
{
	return d == DOUBT_UNSEEN || d == DOUBT_UNSENT || d == DOUBT_HELD ||
	       d == DOUBT_DOUBLED || d == DOUBT_TOO_LONG ||
	       d == DOUBT_UNREACHABLE;
}

/*
 * If the tester may have missed packets, only packets that arrived prove
 * anything.
 */
static void what_is_in_doubt_is_inconclusive(void **state)
{
	static const char one_send[] =
		"title One send\n"
		"covers RUD-SEQ-75\n"
		"needs rud\n"
		"chair target\n"
		"base fwd=333\n"
		">  rud_req psn=333 clear_psn=332 syn ar | std send "
		"message_id=1 som eom | data 8\n"
		"never < nack for 10ms [RUD-SEQ-82]\n";
	static const struct {
		const char *text;
		enum knob knob;
		enum verdict verdict;
	} rows[] = {
		{two_sends, LAWFUL, VERDICT_INCONCLUSIVE},
		{two_sends, SILENT_SECOND, VERDICT_INCONCLUSIVE},
		{two_sends, WRONG_CACK, VERDICT_INCONCLUSIVE},
		{one_send, FORBIDDEN, VERDICT_FAIL},
	};

	(void)state;
	for (size_t i = 0; i < 4 * DOUBT_COUNT; i++) {
		const size_t row = i % 4;
		const enum dut_doubt doubt = (enum dut_doubt)(i / 4);
		const bool sure = rows[row].verdict == VERDICT_FAIL &&
				  !run_test_explains(doubt);
		struct setting s;

		run_lossy(&s, rows[row].text, rows[row].knob, doubt, 3);
		assert_int_equal(s.rec.verdict,
				 sure ? VERDICT_FAIL : VERDICT_INCONCLUSIVE);
		assert_int_equal(s.rec.doubts[doubt].n, 3);
		assert_int_not_equal(s.rec.doubts[doubt].frame, 0);
		assert_int_equal(strstr(s.rec.reason, dut_doubt_text(doubt)) ==
					 NULL,
				 sure);
		for (size_t n = 0; n < s.rec.nfindings; n++)
			assert_int_equal(s.rec.findings[n].doubtful, !sure);
		for (size_t n = 0; n < s.rec.nreqs && !sure; n++)
			assert_false(s.rec.reqs[n].wire ||
				     s.rec.reqs[n].failed);
		run_test_put_away(&s);
	}
}

/* The kernel may have dropped the captures of the departures. */
static void both_doubts_about_departures_are_named(void **state)
{
	struct setting s;

	(void)state;
	run_test_prepare(&s, two_sends, LAWFUL);
	s.fake.doubt = DOUBT_UNSEEN;
	s.fake.doubts = 3;
	s.fake.drops = 4;
	run_test_run(&s);
	assert_int_equal(s.rec.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(s.rec.reason_id, REASON_NOT_SENT);
	assert_non_null(strstr(s.rec.reason,
			       "; 4 packets found no room in the tester's "
			       "kernel"));
	run_test_put_away(&s);
}

static void the_same_seed_gives_the_same_packets(void **state)
{
	struct setting a, b;

	(void)state;
	run_text(&a, two_sends, LAWFUL);
	run_text(&b, two_sends, LAWFUL);
	assert_int_equal(a.rec.nrecs, b.rec.nrecs);
	assert_int_equal(a.rec.nbytes, b.rec.nbytes);
	assert_memory_equal(a.rec.bytes, b.rec.bytes, a.rec.nbytes);
	run_test_put_away(&a);
	run_test_put_away(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(misbehaviour_gets_its_verdict),
		cmocka_unit_test(expected_and_actual_have_the_same_fields),
		cmocka_unit_test(
			a_late_device_is_not_blamed_for_its_other_timer),
		cmocka_unit_test(a_hold_that_is_over_keeps_nothing),
		cmocka_unit_test(a_repeat_is_no_other_packet),
		cmocka_unit_test(what_came_is_not_missing),
		cmocka_unit_test(an_exact_line_awaits_its_kind),
		cmocka_unit_test(what_came_instead_excuses_as_silence_does),
		cmocka_unit_test(a_timer_may_end_within_a_message),
		cmocka_unit_test(a_slow_source_keeps_its_pace),
		cmocka_unit_test(a_starved_device_may_repeat),
		cmocka_unit_test(a_starved_device_may_read_late),
		cmocka_unit_test(a_device_at_work_may_report_later),
		cmocka_unit_test(a_device_at_work_gives_up_in_time),
		cmocka_unit_test(a_delayed_packet_awaits_its_repeat),
		cmocka_unit_test(a_starved_device_may_miss_its_turn),
		cmocka_unit_test(an_end_is_no_delay_of_the_tester),
		cmocka_unit_test(a_tester_that_dozes_blames_nobody),
		cmocka_unit_test(a_tester_that_sleeps_misses_nothing),
		cmocka_unit_test(a_nap_makes_no_answer_too_early),
		cmocka_unit_test(a_device_never_ends_a_case_as_error),
		cmocka_unit_test(a_crash_needs_no_opening),
		cmocka_unit_test(a_crash_at_a_post_has_a_row),
		cmocka_unit_test(an_answer_echoes_retx),
		cmocka_unit_test(a_case_awaits_any_number_of_reports),
		cmocka_unit_test(what_is_not_claimed_is_not_applicable),
		cmocka_unit_test(
			an_impairment_that_never_fired_is_inconclusive),
		cmocka_unit_test(what_is_in_doubt_is_inconclusive),
		cmocka_unit_test(the_wait_of_a_never_line_is_part_of_after),
		cmocka_unit_test(the_wait_of_an_earlier_case_does_not_count),
		cmocka_unit_test(both_doubts_about_departures_are_named),
		cmocka_unit_test(the_same_seed_gives_the_same_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
