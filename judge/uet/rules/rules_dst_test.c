/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_dst_test.c -- tests that responses are carried, stored,
 * cleared and repeated.
 */
#include "judge/core/lab_test.h"

/* Sends a guaranteed response to |psn|, as in figure 3-76. */
#define stored(lab, number, ...)                              \
	answer(lab, B, .psn = (number), .req = PDS_REQ_CLEAR, \
	       .opcode = SES_RESPONSE, .rc = RC_OK,           \
	       .mid = (uint16_t)(((number)-START + 1) | 0x8000), __VA_ARGS__)

static void ack_without_response(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, RUD_SVC_3, DST, B);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334, .bare = 1);
	breaks(lab, RUD_SVC_3, DST, B);
}

static void cp_ack_with_response(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_NOOP, .ar = 1, .psn = 334);
	answer(lab, B, .psn = 334, .cack = 334, .bare = 1);
	control(lab, A, .ctl = PDS_CP_NOOP, .ar = 1, .psn = 335);
	answer(lab, B, .psn = 335, .cack = 335, .next = PDS_NEXT_CP_ACK);
	none(lab);
	looked(lab, UET_ENC_32, DST, B);
	control(lab, A, .ctl = PDS_CP_NOOP, .ar = 1, .psn = 336);
	answer(lab, B, .psn = 336, .cack = 336);
	breaks(lab, UET_ENC_32, DST, B);
}

static void response_of_another_message(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 5);
	answer(lab, B, .psn = 334, .cack = 334, .opcode = SES_RESPONSE,
	       .rc = RC_OK, .mid = 5);
	none(lab);
	looked(lab, UET_SES_19, DST, B);
	request(lab, A, .psn = 335, .clear = 334, .mid = 6);
	answer(lab, B, .psn = 335, .cack = 335, .opcode = SES_RESPONSE,
	       .rc = RC_OK, .mid = 5);
	breaks(lab, UET_SES_19, DST, B);
}

static void default_response_shape(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 5);
	answer(lab, B, .psn = 334, .cack = 334, .rc = RC_OK, .mid = 5);
	none(lab);
	looked(lab, UET_SES_23, DST, B);
	request(lab, A, .psn = 335, .clear = 334, .mid = 6);
	answer(lab, B, .psn = 335, .cack = 335, .mid = 4);
	breaks(lab, UET_SES_23, DST, B);
}

/* Figure 3-75: the response is not guaranteed, CACK_PSN advances at once. */
static void cack_does_not_move(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, RUD_SEQ_75, DST, B);
	request(lab, A, .psn = 334, .clear = 332);
	answer(lab, B, .psn = 334, .cack = 333);
	breaks(lab, RUD_SEQ_75, DST, B);
}

/*
 * An ACK of its own for the closing packet covers its PSN, whether CACK_PSN
 * advances or not.
 */
static void closing_ack_may_leave_cack(void **state)
{
	static const uint32_t starts[] = {0,      0x7000,  0x8000,
					  0x9000, 0x18000, 0xffff7000};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		struct lab *lab = *state;

		lab->start = starts[i];
		judge_reset(lab->j);
		established(lab);
		control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .ar = 1,
			.psn = 334);
		answer(lab, B, .psn = 334, .cack = 333, .bare = 1);
		none(lab);
	}
}

/* CACK_PSN does not wait for anything of other control packets with a PSN. */
static void cack_does_not_move_over_a_cp(void **state)
{
	static const uint32_t starts[] = {0,      0x7000,  0x8000,
					  0x9000, 0x18000, 0xffff7000};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		struct lab *lab = *state;

		lab->start = starts[i];
		judge_reset(lab->j);
		established(lab);
		request(lab, A, .psn = 334, .clear = 333);
		stored(lab, 334, .cack = 333);
		control(lab, A, .ctl = PDS_CP_NOOP, .ar = 1, .psn = 335);
		answer(lab, B, .psn = 335, .cack = 333, .bare = 1);
		none(lab);
		control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 335);
		control(lab, A, .ctl = PDS_CP_NOOP, .ar = 1, .psn = 336);
		answer(lab, B, .psn = 336, .cack = 335, .bare = 1);
		breaks(lab, RUD_SEQ_75, DST, B);
	}
}

/*
 * "received, semantic result comes later": CACK_PSN may wait for it, and a
 * guaranteed response may follow.
 */
static void response_comes_later(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .opcode = SES_NO_RESPONSE,
	       .rc = RC_OK);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 335, .cack = 333);
	answer(lab, B, .psn = 334, .cack = 333, .opcode = SES_RESPONSE,
	       .list = SES_LIST_OVERFLOW, .rc = RC_OK, .req = PDS_REQ_CLEAR,
	       .mid = (uint16_t)((334 - START + 1) | 0x8000));
	none(lab);
}

/* Figure 3-76, correct. */
static void stored_and_cleared(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	stored(lab, 334, .cack = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	lab->n = 0; /* its ACK had arrived; only B is tested here */
	stored(lab, 334, .cack = 333, .retx = 1);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 334);
	request(lab, A, .psn = 335, .clear = 334, .ar = 1);
	answer(lab, B, .psn = 335, .cack = 335);
	none(lab);
	looked(lab, RUD_SEQ_76, DST, B);
	looked(lab, RUD_SEQ_76, SRC, A);
	looked(lab, RUD_SVC_3b, DST, B);
	looked(lab, RUD_SVC_3d, DST, B);
	looked(lab, RUD_SVC_7, DST, B);
}

static void cack_moves_in_the_asking_ack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	stored(lab, 334, .cack = 334);
	breaks(lab, RUD_SEQ_76, DST, B);
}

static void cack_moves_before_the_clear(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	stored(lab, 334, .cack = 333);
	none(lab);
	answer(lab, B, .psn = 335, .cack = 335);
	breaks(lab, RUD_SVC_3d, DST, B);
	request(lab, A, .psn = 336, .clear = 335);
	answer(lab, B, .psn = 336, .cack = 336);
	none(lab);
}

/* Some targets request a clear in every ACK while any response is stored. */
static void asks_in_every_ack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	stored(lab, 334, .cack = 333);
	stored(lab, 335, .cack = 333);
	control(lab, A, .ctl = PDS_CP_CLEAR_COMMAND, .payload = 334);
	request(lab, A, .psn = 336, .clear = 335);
	answer(lab, B, .psn = 336, .cack = 336);
	none(lab);
}

/*
 * The same before the ACK of the stored response: a default response is not
 * guaranteed.
 */
static void asks_with_a_default_response(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR,
	       .opcode = SES_DEFAULT_RESPONSE);
	answer(lab, B, .psn = 335, .cack = 334, .req = PDS_REQ_CLEAR);
	none(lab);
}

/* Figure 3-78: four guaranteed responses, and two that are not. */
static void four_stored(void **state)
{
	struct lab *lab = *state;

	established(lab);
	for (uint32_t psn = 334; psn < 338; psn++)
		request(lab, A, .psn = psn, .clear = 333);
	stored(lab, 335, .cack = 333);
	stored(lab, 334, .cack = 333);
	stored(lab, 337, .cack = 333);
	stored(lab, 336, .cack = 333);
	request(lab, A, .psn = 338, .clear = 335);
	request(lab, A, .psn = 339, .clear = 337);
	answer(lab, B, .psn = 339, .cack = 339);
	none(lab);
	looked(lab, RUD_SEQ_78, DST, B);
}

static void clear_is_ignored(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	stored(lab, 334, .cack = 333);
	request(lab, A, .psn = 335, .clear = 334);
	answer(lab, B, .psn = 335, .cack = 333);
	breaks(lab, RUD_SVC_7, DST, B);
}

static void dst_rules_test_data_in_the_ack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR,
	       .next = PDS_NEXT_RESPONSE_DATA, .read_mid = 4);
	request(lab, A, .psn = 335, .clear = 334, .opcode = SES_READ, .mid = 5);
	none(lab);
	looked(lab, RUD_SEQ_80o, DST, B);
	answer(lab, B, .psn = 335, .cack = 335, .next = PDS_NEXT_RESPONSE_DATA,
	       .read_mid = 5);
	breaks(lab, RUD_SEQ_80o, DST, B);
}

static void other_answer_to_a_duplicate(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	stored(lab, 334, .cack = 333);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 333, .retx = 1,
	       .req = PDS_REQ_CLEAR);
	breaks(lab, RUD_SVC_3b, DST, B);
}

static void error_to_a_duplicate(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 3);
	answer(lab, B, .psn = 334, .cack = 334, .opcode = SES_RESPONSE,
	       .rc = RC_OK, .mid = 3);
	request(lab, A, .psn = 334, .clear = 333, .mid = 3, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	none(lab);
	looked(lab, RUD_SVC_3c, DST, B);
	request(lab, A, .psn = 334, .clear = 334, .mid = 3, .retx = 1);
	lab->n = 0;
	answer(lab, B, .psn = 334, .cack = 334, .opcode = SES_RESPONSE,
	       .rc = RC_NO_MATCH, .mid = 3, .retx = 1);
	breaks(lab, RUD_SVC_3c, DST, B);
}

static void outside_is_acked(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 333 + 5000, .clear = 333, .retx = 1);
	lab->n = 0; /* ignores findings about the tester's packet */
	answer(lab, B, .psn = 333 + 5000, .cack = 333, .retx = 1);
	breaks(lab, RUD_SEQ_84a, DST, B);
}

static void inside_is_acked(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	none(lab);
	looked(lab, RUD_SEQ_84a, DST, B);
}

/* Sends requests and ACKs up to CACK_PSN |cack|; mpr = 1: MP_RANGE is 128. */
static void acknowledge_to(struct lab *lab, uint32_t cack)
{
	established(lab);
	answer(lab, B, .psn = 333, .cack = 333, .type = PDS_ACK_CC, .mpr = 1);
	for (uint32_t psn = 334; psn <= cack; psn++) {
		request(lab, A, .psn = psn, .clear = psn - 1);
		answer(lab, B, .psn = psn, .cack = psn);
	}
	none(lab);
}

/*
 * "psn in (CACK_PSN, CACK_PSN + MP_RANGE] is the expected window; up to
 * MP_RANGE behind is 'previous window'."  Each edge is judged to one PSN.
 */
static void edges_of_the_windows(void **state)
{
	static const struct {
		int32_t off; /* from CACK_PSN */
		bool outside;
	} edges[] = {{-129, true}, {-128, false}, {128, false}, {129, true}};
	const struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
		const uint32_t psn = 600 + (uint32_t)edges[i].off;

		lab_test_lab_open(&lab, &conf);
		acknowledge_to(&lab, 600);
		request(&lab, A, .psn = psn, .clear = 599, .retx = 1);
		lab.n = 0; /* ignores findings about the source */
		answer(&lab, B, .psn = psn, .cack = 600, .retx = 1);
		assert_int_equal(lab_found(&lab, REQ_RUD_SEQ_84a),
				 edges[i].outside);
		lab_test_lab_close(&lab);
	}
}

static void dropped_is_acked(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	answer(lab, B, .psn = 334, .cack = 334);
	breaks(lab, RUD_SEQ_82, DST, B);
}

static void dropped_comes_again(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	lab->now += 2 * MS;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	answer(lab, B, .psn = 335, .cack = 335);
	none(lab);
	looked(lab, RUD_SEQ_82, DST, B);
}

static void dropped_is_covered(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	answer(lab, B, .psn = 335, .cack = 335);
	breaks(lab, RUD_SEQ_82, DST, B);
}

/* A CACK_PSN half of all PSNs away is not ahead, and covers nothing. */
static void dropped_is_not_covered_from_below(void **state)
{
	static const uint32_t below[] = {0x7fffffff, 0x80000000};
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	for (unsigned i = 0; i < 2; i++)
		answer(lab, B, .psn = 333, .cack = 333 - below[i]);
	assert_int_equal(lab_found(lab, REQ_RUD_SEQ_82), 0);
	lab->n = 0;
}

/* A target may forget that an acknowledged PSN was a CP. */
static void ack_request_for_an_old_cp(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_NOOP, .ar = 1, .psn = 334);
	answer(lab, B, .psn = 334, .cack = 334, .bare = 1);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .ar = 1, .psn = 334);
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(ack_without_response),
		BOTH_WAYS(cp_ack_with_response),
		BOTH_WAYS(ack_request_for_an_old_cp),
		BOTH_WAYS(response_of_another_message),
		BOTH_WAYS(default_response_shape),
		BOTH_WAYS(cack_does_not_move),
		BOTH_WAYS(closing_ack_may_leave_cack),
		BOTH_WAYS(cack_does_not_move_over_a_cp),
		BOTH_WAYS(response_comes_later),
		BOTH_WAYS(stored_and_cleared),
		BOTH_WAYS(cack_moves_in_the_asking_ack),
		BOTH_WAYS(cack_moves_before_the_clear),
		BOTH_WAYS(asks_in_every_ack),
		BOTH_WAYS(asks_with_a_default_response),
		BOTH_WAYS(four_stored),
		BOTH_WAYS(clear_is_ignored),
		BOTH_WAYS(dst_rules_test_data_in_the_ack),
		BOTH_WAYS(other_answer_to_a_duplicate),
		BOTH_WAYS(error_to_a_duplicate),
		BOTH_WAYS(outside_is_acked),
		BOTH_WAYS(inside_is_acked),
		cmocka_unit_test(edges_of_the_windows),
		BOTH_WAYS(dropped_is_acked),
		BOTH_WAYS(dropped_comes_again),
		BOTH_WAYS(dropped_is_covered),
		BOTH_WAYS(dropped_is_not_covered_from_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
