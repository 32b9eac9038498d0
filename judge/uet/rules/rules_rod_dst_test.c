/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_rod_dst_test.c -- tests the order of a destination of
 * ROD, correct and not.
 */
#include "judge/core/lab_test.h"

#define absent(lab, name)                                          \
	for (size_t absent_i = 0; absent_i < (lab)->n; absent_i++) \
	assert_int_not_equal((lab)->found[absent_i].req, REQ_##name)

static void drops_and_tells(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333);
	lab->muted = true;
	ordered(lab, A, .psn = 335, .clear = 333);
	lab->muted = false;
	ordered(lab, A, .psn = 336, .clear = 333);
	lab->n = 0; /* ignores the finding that the source skipped 335 */
	nack(lab, B, .psn = 336, .code = NACK_ROD_OOO, .payload = 335);
	ordered(lab, A, .psn = 335, .clear = 333);
	lab->n = 0;
	ordered(lab, A, .psn = 336, .clear = 333, .retx = 1);
	answer(lab, B, .psn = 336, .cack = 336, .retx = 1);
	none(lab);
	looked(lab, MODE_ROD_3d, DST, B);
	looked(lab, UET_NACK_0D, DST, B);
}

/*
 * 334 comes twice out of order, and once in order, when the destination refuses
 * it. The destination drops the packets after it and the Close Command without
 * a NACK.
 */
static void refused_in_its_turn(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	lab->muted = true;
	ordered(lab, A, .psn = 334, .clear = 333);
	lab->muted = false;
	ordered(lab, A, .psn = 335, .clear = 333);
	lab->n = 0; /* ignores the finding that the source skipped 334 */
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO);
	ordered(lab, A, .psn = 335, .clear = 333);
	lab->n = 0;
	ordered(lab, A, .psn = 334, .clear = 333, .retx = 1, .ar = 1);
	ordered_again(lab, 335);
	nack(lab, B, .psn = 335, .retx = 1, .code = NACK_NO_PKT_BUFFER);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 336, .ar = 1);
	lab->n = 0;
	lab->n += judge_end(lab->j, lab->now + 100 * RTO, lab->found, 64);
	absent(lab, UET_ACK_20);
	absent(lab, UET_NACK_0D);
}

/* A packet that ends inside its SES header may be taken, or be refused. */
static void takes_a_cut_packet(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333, .ar = 1, .cut = 16);
	lab->n = 0; /* ignores the findings about the packet */
	answer(lab, B, .psn = 334, .cack = 334);
	ordered(lab, A, .psn = 335, .clear = 334, .ar = 1);
	answer(lab, B, .psn = 335, .cack = 335);
	absent(lab, MODE_ROD_3d);
	absent(lab, UET_NACK_0D);
}

/* The judge is at the target: 334 is lost before the capture. */
static void arrive_with_gap(struct lab *lab)
{
	established_rod(lab);
	ordered(lab, A, .psn = 335, .clear = 333, .ar = 1);
	ordered(lab, A, .psn = 336, .clear = 333, .ar = 1);
	lab->n = 0;
}

static void takes_early(void **state)
{
	struct lab *lab = *state;

	arrive_with_gap(lab);
	answer(lab, B, .psn = 335, .cack = 333);
	breaks(lab, MODE_ROD_3d, DST, B);
}

static void keeps_early(void **state)
{
	struct lab *lab = *state;

	arrive_with_gap(lab);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO, .payload = 334);
	ordered(lab, A, .psn = 334, .clear = 333, .ar = 1);
	lab->n = 0;
	answer(lab, B, .psn = 334, .cack = 336);
	breaks(lab, MODE_ROD_3d, DST, B);
	assert_non_null(strstr(lab->found[0].text, "was not sent again"));
}

/* The NACK of the first 336 and the repair of the gap cross on the way. */
static void a_nack_crosses_the_repair(void **state)
{
	struct lab *lab = *state;

	arrive_with_gap(lab);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO, .payload = 334);
	ordered(lab, A, .psn = 334, .clear = 333, .retx = 1, .ar = 1);
	ordered_again(lab, 335);
	ordered_again(lab, 336);
	lab->n = 0;
	nack(lab, B, .psn = 336, .code = NACK_ROD_OOO, .payload = 334);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	answer(lab, B, .psn = 335, .cack = 335, .retx = 1);
	absent(lab, MODE_ROD_3d);
}

static void sacks_early(void **state)
{
	struct lab *lab = *state;

	arrive_with_gap(lab);
	answer(lab, B, .psn = 333, .cack = 333, .type = PDS_ACK_CC, .mpr = 8,
	       .sack = 1, .sack_psn = 335);
	breaks(lab, MODE_ROD_3d, DST, B);
}

/*
 * The destination may send one NACK for each packet or one for the gap, with
 * payload or without.
 */
static void nacks_as_often_as_it_likes(void **state)
{
	struct lab *lab = *state;

	arrive_with_gap(lab);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO);
	nack(lab, B, .psn = 336, .code = NACK_ROD_OOO, .payload = 334);
	none(lab);
	ordered(lab, A, .psn = 337, .clear = 333, .ar = 1);
	lab->n = judge_end(lab->j, lab->now + 3 * RTO, lab->found, 64);
	for (size_t i = 0; i < lab->n; i++)
		assert_int_equal(lab->found[i].role, REQ_SRC);
}

static void says_nothing(void **state)
{
	struct lab *lab = *state;
	unsigned n = 0;

	arrive_with_gap(lab);
	lab->n = judge_end(lab->j, lab->now + 3 * RTO, lab->found, 64);
	for (size_t i = 0; i < lab->n; i++)
		n += lab->found[i].req == REQ_UET_NACK_0D &&
		     lab->found[i].role == REQ_DST;
	assert_int_equal(n, 1);
	/* the gap was told */
	lab->n = judge_end(lab->j, lab->now + 4 * RTO, lab->found, 64);
	absent(lab, UET_NACK_0D);
}

static void expects_too_much(void **state)
{
	struct lab *lab = *state;

	arrive_with_gap(lab);
	nack(lab, B, .psn = 336, .code = NACK_ROD_OOO, .payload = 335);
	if (lab->start) /* a payload of 0 would give no PSN */
		none(lab);
	else
		breaks(lab, UET_NACK_0D, DST, B);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO, .payload = 333);
	breaks(lab, UET_NACK_0D, DST, B);
}

static void refuses_what_is_in_order(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_ROD_OOO);
	breaks(lab, UET_NACK_0D, DST, B);
}

/* A refused packet makes the packets after it out of order. */
static void refused_holds_up(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333, .ar = 1);
	ordered(lab, A, .psn = 335, .clear = 333, .ar = 1);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO, .payload = 334);
	none(lab);
	answer(lab, B, .psn = 335, .cack = 333);
	assert_int_equal(lab->n, 0); /* no finding: another rule judges 334 */
}

static void first_is_not_start(void **state)
{
	struct lab *lab = *state;

	ordered(lab, A, .psn = 334, .clear = 332, .syn = 1);
	lab->n = 0;
	nack(lab, B, .psn = 334, .code = NACK_ROD_OOO, .no_spdcid = 1);
	none(lab);
	looked(lab, UET_PDC_28, DST, B);
	nack(lab, B, .psn = 334, .code = NACK_ROD_OOO);
	assert_int_equal(lab->n, 2); /* it was answered before */
	assert_true(lab->found[0].req == REQ_UET_PDC_28 ||
		    lab->found[1].req == REQ_UET_PDC_28);
	lab->n = 0;
	answer(lab, B, .psn = 334, .cack = 332);
	breaks(lab, UET_PDC_28, DST, B);
}

static void acks_in_order(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	for (uint32_t psn = 334; psn <= 336; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	answer(lab, B, .psn = 336, .cack = 336);
	none(lab);
	looked(lab, MODE_ROD_4, DST, B);
	answer(lab, B, .psn = 335, .cack = 336);
	breaks(lab, MODE_ROD_4, DST, B);
}

/* The response to PSN 334 is not ready yet; the response to PSN 337 is. */
static void acks_before_another(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	for (uint32_t psn = 334; psn <= 337; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	answer(lab, B, .psn = 335, .cack = 333);
	breaks(lab, MODE_ROD_4, DST, B);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	lab->n = 0;
	answer(lab, B, .psn = 337, .cack = 333);
	/* 334 waits for its clear, and so CACK_PSN cannot cover 336 */
	none(lab);
}

static void asked_for_out_of_order(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	for (uint32_t psn = 334; psn <= 336; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	answer(lab, B, .psn = 336, .cack = 336);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 335, .ar = 1);
	answer(lab, B, .psn = 335, .cack = 336);
	none(lab);
	looked(lab, MODE_ROD_7, DST, B);
}

static void reads_in_order(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 1,
		.length = 2000);
	ordered(lab, A, .psn = 335, .clear = 333, .opcode = SES_READ, .mid = 2,
		.length = 2000);
	ordered(lab, B, .psn = 333, .clear = 332, .mid = 9, .read_mid = 1,
		.next = PDS_NEXT_RESPONSE_DATA);
	ordered(lab, B, .psn = 334, .clear = 332, .mid = 10, .read_mid = 2,
		.next = PDS_NEXT_RESPONSE_DATA);
	none(lab);
	looked(lab, MODE_ROD_5, DST, B);
	looked(lab, MODE_ROD_6, DST, B);
	ordered(lab, B, .psn = 335, .clear = 332, .mid = 9, .read_mid = 1,
		.next = PDS_NEXT_RESPONSE_DATA);
	breaks(lab, MODE_ROD_5, DST, B);
}

static void small_reads_in_order(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ,
		.next = PDS_NEXT_REQUEST_SMALL);
	ordered(lab, A, .psn = 335, .clear = 333, .opcode = SES_READ,
		.next = PDS_NEXT_REQUEST_SMALL);
	ordered(lab, B, .psn = 333, .clear = 332, .payload = 335,
		.next = PDS_NEXT_RESPONSE_DATA_SMALL);
	none(lab);
	ordered(lab, B, .psn = 334, .clear = 332, .payload = 334,
		.next = PDS_NEXT_RESPONSE_DATA_SMALL);
	breaks(lab, MODE_ROD_5, DST, B);
}

static void a_send_is_no_read_data(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, B, .psn = 333, .clear = 332, .mid = 9);
	assert_int_equal(
		judge_seen(lab->j, &lab->addr[B], REQ_MODE_ROD_6, REQ_DST), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(drops_and_tells),
		BOTH_WAYS(refused_in_its_turn),
		BOTH_WAYS(takes_a_cut_packet),
		BOTH_WAYS(takes_early),
		BOTH_WAYS(keeps_early),
		BOTH_WAYS(a_nack_crosses_the_repair),
		BOTH_WAYS(sacks_early),
		BOTH_WAYS(nacks_as_often_as_it_likes),
		BOTH_WAYS(says_nothing),
		BOTH_WAYS(expects_too_much),
		BOTH_WAYS(refuses_what_is_in_order),
		BOTH_WAYS(refused_holds_up),
		BOTH_WAYS(first_is_not_start),
		BOTH_WAYS(acks_in_order),
		BOTH_WAYS(acks_before_another),
		BOTH_WAYS(asked_for_out_of_order),
		BOTH_WAYS(reads_in_order),
		BOTH_WAYS(small_reads_in_order),
		BOTH_WAYS(a_send_is_no_read_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
