/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/facts_test.c -- tests the facts that the judge reports about a
 * packet besides findings.
 */
#include "judge/core/lab_test.h"

static const struct judge_facts *facts_test_facts(const struct lab *lab)
{
	return judge_facts(lab->j);
}

static void new_and_answered(void **state)
{
	struct lab *lab = *state;
	const struct judge_facts *x = facts_test_facts(lab);

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	assert_int_equal(x->flow, 0);
	assert_int_equal(x->from, 0);
	assert_int_equal(x->initiator, 0);
	assert_true(x->takes_psn && x->about && !x->foreign);
	assert_int_equal(x->psn, lab->start + 333);
	assert_int_equal(x->frame, 0);
	answer(lab, B, .psn = 333, .cack = 333);
	assert_int_equal(x->from, 1);
	assert_true(x->about && !x->takes_psn);
	assert_int_equal(x->frame, 1);
	assert_int_equal(x->copies, 1);
	assert_int_equal(x->sent_at, lab->now - US);
	assert_true(x->acks);
	assert_int_equal(x->acks_from, lab->start + 332);
	assert_int_equal(x->acks_to, lab->start + 333);
	assert_int_equal(judge_frame(lab->j, false, lab->start + 333), 1);
	assert_int_equal(judge_frame(lab->j, true, lab->start + 333), 0);
}

static void facts_test_sent_again(void **state)
{
	struct lab *lab = *state;
	const struct judge_facts *x = facts_test_facts(lab);

	established(lab);
	request(lab, A, .psn = 334, .clear = 333); /* frame 3 */
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	assert_int_equal(x->frame, 3);
	assert_int_equal(x->cause, CAUSE_TIMER);
	assert_false(x->acked);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	assert_int_equal(x->frame, 4);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	assert_int_equal(x->frame, 4);
	assert_int_equal(x->copies, 2);
	assert_int_equal(x->cause, CAUSE_NACK);
	answer(lab, B, .psn = 334, .cack = 334);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	assert_true(x->acked);
}

static void facts_test_order(void **state)
{
	struct lab *lab = *state;
	const struct judge_facts *x = facts_test_facts(lab);

	established(lab);
	request(lab, A, .psn = 336, .clear = 333);
	assert_int_equal(x->skipped, 2);
	assert_false(x->late);
	request(lab, A, .psn = 335, .clear = 333);
	assert_int_equal(x->skipped, 0);
	assert_true(x->late);
}

static void cleared(void **state)
{
	struct lab *lab = *state;
	const struct judge_facts *x = facts_test_facts(lab);

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	assert_true(x->clears);
	assert_int_equal(x->clears_from, lab->start + 332);
	assert_int_equal(x->clears_to, lab->start + 333);
	request(lab, A, .psn = 335, .clear = 333);
	assert_false(x->clears);
}

static void reads(void **state)
{
	struct lab *lab = *state;
	const struct judge_facts *x = facts_test_facts(lab);

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 88, .opcode = SES_READ,
		.length = 2056);
	answer(lab, B, .psn = 334, .cack = 334, .opcode = SES_RESPONSE,
	       .rc = RC_OK, .mid = 88);
	request(lab, B, .psn = 333, .clear = 332, .mid = 9, .read_mid = 88,
		.next = PDS_NEXT_RESPONSE_DATA);
	assert_int_equal(x->read_frame, 3);
	request(lab, A, .psn = 335, .clear = 334, .opcode = SES_READ,
		.length = 2056, .next = PDS_NEXT_REQUEST_SMALL); /* frame 6 */
	request(lab, B, .psn = 334, .clear = 332, .payload = 335,
		.next = PDS_NEXT_RESPONSE_DATA_SMALL);
	assert_int_equal(x->read_frame, 6);
}

static void of_no_flow(void **state)
{
	struct lab *lab = *state;
	const struct judge_facts *x = facts_test_facts(lab);

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .dpdcid = 0x7777);
	assert_true(x->foreign);
	assert_int_equal(x->flow, 0);
	request(lab, A, .psn = 334, .clear = 333, .type = PDS_UUD_REQ);
	assert_int_equal(x->flow, JUDGE_NO_FLOW);
	assert_int_equal(judge_frame(lab->j, true, lab->start + 333), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(new_and_answered),
		BOTH_WAYS(facts_test_sent_again),
		BOTH_WAYS(facts_test_order),
		BOTH_WAYS(cleared),
		BOTH_WAYS(reads),
		BOTH_WAYS(of_no_flow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
