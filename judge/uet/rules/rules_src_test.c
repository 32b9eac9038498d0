/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_src_test.c -- tests CLEAR_PSN, correct and not.
 */
#include "judge/core/lab_test.h"

static void clear_above_own_psn(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	none(lab);
	looked(lab, RUD_SVC_5, SRC, A);
	looked(lab, UET_ENC_37, SRC, A);
	request(lab, A, .psn = 335, .clear = 336);
	breaks(lab, UET_ENC_37, SRC, A);
	request(lab, A, .psn = 336, .clear = 336);
	breaks(lab, RUD_SVC_5, SRC, A);
}

static void clear_of_what_is_not_acked(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 334);
	breaks(lab, RUD_SVC_5, SRC, A);
	answer(lab, B, .psn = 335, .cack = 335);
	request(lab, A, .psn = 336, .clear = 335);
	none(lab);
	looked(lab, UET_ACK_31, SRC, A);
}

/* Figure 3-77: ACK 334 with CACK 332 clears nothing. */
static void clear_over_a_hole(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 335, .cack = 333);
	request(lab, A, .psn = 336, .clear = 333);
	none(lab);
	request(lab, A, .psn = 337, .clear = 335);
	breaks(lab, RUD_SVC_5, SRC, A);
}

static void clear_by_sack_alone(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 335, .cack = 333, .type = PDS_ACK_CC, .mpr = 8,
	       .sack = 3, .sack_psn = 334);
	none(lab);
	request(lab, A, .psn = 336, .clear = 335);
	breaks(lab, RUD_LOSS_1, SRC, A);
}

static void clear_command_of_what_is_not_acked(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 334);
	none(lab);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 335);
	breaks(lab, UET_ACK_31, SRC, A);
}

static void clear_begins_too_low(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 331, .syn = 1);
	breaks(lab, UET_PDC_21, SRC, A);
}

/* Both directions have the same Start_PSN. */
static void clear_of_the_target_begins_too_low(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	request(lab, B, .psn = 333, .clear = 331, .mid = 9,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 4);
	breaks(lab, UET_PDC_21, SRC, B);
}

static void src_rules_test_clear_goes_back(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	none(lab);
	request(lab, A, .psn = 336, .clear = 332);
	breaks(lab, UET_ACK_32, SRC, A);
}

/* The ACK came long ago: CLEAR_PSN must follow it. */
static void src_rules_test_clear_lags(void **state)
{
	struct lab *lab = *state;

	established(lab);
	/* it was in the send queue */
	request(lab, A, .psn = 334, .clear = 332);
	none(lab);
	lab->now += 2 * MS;
	request(lab, A, .psn = 335, .clear = 332);
	breaks(lab, RUD_SEQ_77, SRC, A);
	/* a source explains it that had no time to read the ACK */
	assert_in_range(lab->found[0].unread, 2 * MS - pkt_grace(&lab->conf),
			2 * MS - 1);
	request(lab, A, .psn = 336, .clear = 333);
	none(lab);
	looked(lab, RUD_SEQ_77, SRC, A);
}

static void repeat_has_old_clear(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	request(lab, A, .psn = 334, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 332, .retx = 1);
	breaks(lab, UET_RTX_17, SRC, A);
}

static void repeat_has_new_clear(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	request(lab, A, .psn = 334, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	looked(lab, UET_RTX_17, SRC, A);
}

static void clear_command_too_early(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 333);
	request(lab, A, .psn = 334, .clear = 333);
	none(lab);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 333);
	breaks(lab, UET_ACK_33, SRC, A);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 333);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 333);
	none(lab);
	looked(lab, RUD_SVC_6, SRC, A);
}

/* No request can carry CLEAR_PSN: the remaining ones are outside the window. */
static void clear_command_opens_the_window(void **state)
{
	struct lab *lab = *state;
	const uint32_t last = 334 + 150;

	established(lab);
	for (uint32_t psn = 334; psn <= last; psn++)
		request(lab, A, .psn = psn, .clear = 333);
	for (uint32_t psn = 334; psn < last; psn++)
		answer(lab, B, .psn = psn, .cack = 333, .type = PDS_ACK_CC,
		       .req = PDS_REQ_CLEAR, .mpr = 1);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = last - 1);
	none(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(clear_above_own_psn),
		BOTH_WAYS(clear_of_what_is_not_acked),
		BOTH_WAYS(clear_over_a_hole),
		BOTH_WAYS(clear_by_sack_alone),
		BOTH_WAYS(clear_command_of_what_is_not_acked),
		BOTH_WAYS(clear_begins_too_low),
		BOTH_WAYS(clear_of_the_target_begins_too_low),
		BOTH_WAYS(src_rules_test_clear_goes_back),
		BOTH_WAYS(src_rules_test_clear_lags),
		BOTH_WAYS(repeat_has_old_clear),
		BOTH_WAYS(repeat_has_new_clear),
		BOTH_WAYS(clear_command_too_early),
		BOTH_WAYS(clear_command_opens_the_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
