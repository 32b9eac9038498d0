/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_trim_test.c -- tests trimmed packets and their NACKs.
 */
#include "judge/core/lab_test.h"

#define TRIMMED  26
#define LAST_HOP 28

static int trim_rules_test_setup(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();

	conf.dscp_trimmed = TRIMMED;
	conf.dscp_trimmed_lasthop = LAST_HOP;
	*state = malloc(sizeof(struct lab));
	assert_non_null(*state);
	lab_test_lab_open(*state, &conf);
	return 0;
}

static int setup_wrap(void **state)
{
	trim_rules_test_setup(state);
	((struct lab *)*state)->start = 0u - START - 2;
	return 0;
}

static void nacked_and_repaired(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .dscp = TRIMMED,
		.cut = 16);
	nack(lab, B, .psn = 334, .code = NACK_TRIMMED);
	none(lab);
	looked(lab, UET_NACK_01, DST, B);
	looked(lab, UET_ENC_15, DST, B);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 335, .cack = 333);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 335, .retx = 1);
	none(lab);
	looked(lab, UET_NACK_01, DST, B);
}

static void wrong_hop(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .dscp = LAST_HOP, .cut = 16);
	nack(lab, B, .psn = 334, .code = NACK_TRIMMED);
	breaks(lab, UET_NACK_01, DST, B);
	request(lab, A, .psn = 335, .clear = 333, .dscp = LAST_HOP, .cut = 16);
	nack(lab, B, .psn = 335, .code = NACK_TRIMMED_LASTHOP);
	none(lab);
	looked(lab, UET_NACK_02, DST, B);
}

static void nobody_trimmed(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_TRIMMED_LASTHOP);
	breaks(lab, UET_NACK_02, DST, B);
}

/* One copy came whole, the other trimmed: either answer is correct. */
static void trimmed_duplicate(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1, .dscp = TRIMMED,
		.cut = 16);
	nack(lab, B, .psn = 334, .code = NACK_TRIMMED, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
}

static void acked_though_trimmed(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .dscp = TRIMMED, .cut = 16);
	answer(lab, B, .psn = 334, .cack = 333);
	assert_true(lab->n > 0); /* and CACK_PSN is wrong */
	assert_int_equal(lab->found[0].req, REQ_UET_ACK_05);
	lab->n = 0;
	answer(lab, B, .psn = 333, .cack = 334);
	breaks(lab, RUD_SEQ_77, DST, B);
	answer(lab, B, .psn = 333, .cack = 333, .type = PDS_ACK_CC, .mpr = 8,
	       .sack = 1, .sack_psn = 334);
	breaks(lab, UET_ACK_06, DST, B);
}

/*
 * The count of copies ends at 255: the judge does not know any more whether a
 * NACK refused each one.
 */
static void trimmed_very_often(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab *lab = *state;

	conf.dscp_trimmed = TRIMMED;
	conf.dscp_trimmed_lasthop = LAST_HOP;
	conf.max_nack_retx = 0;
	judge_declare(lab->j, &conf);
	established(lab);
	for (unsigned i = 0; i < 300; i++) {
		request(lab, A, .psn = 334, .clear = 333, .ar = 1,
			.retx = i > 0, .dscp = TRIMMED, .cut = 16);
		nack(lab, B, .psn = 334, .code = NACK_TRIMMED, .retx = i > 0);
	}
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 334, .type = PDS_ACK_CC, .mpr = 8,
	       .sack = 1, .sack_psn = 334, .retx = 1);
	none(lab);
}

/* A copy that comes after the close meets no PDC. */
static void trimmed_after_the_close(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	answer(lab, B, .psn = 335, .cack = 335, .bare = 1);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1, .dscp = TRIMMED,
		.cut = 16);
	lab->n = 0; /* a correct source does not send it so late */
	nack(lab, B, .psn = 334, .code = NACK_TRIMMED, .retx = 1,
	     .no_spdcid = 1);
	none(lab);
}

/* A late copy of the SYN opens a PDC again; another one comes trimmed. */
static void trimmed_after_another_open(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1);
	answer(lab, B, .psn = 334, .cack = 334, .bare = 1);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .retx = 1);
	answer(lab, B, .psn = 333, .cack = 333, .retx = 1, .spdcid = 0x5151);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .retx = 1,
		.dscp = TRIMMED, .cut = 16);
	lab->n = 0; /* a correct source does not send it so late */
	nack(lab, B, .psn = 333, .code = NACK_TRIMMED, .retx = 1,
	     .spdcid = 0x5151);
	none(lab);
}

static void trim_rules_test_end(struct lab *lab, vspan later)
{
	lab->n += judge_end(lab->j, lab->now + later, lab->found + lab->n,
			    64 - lab->n);
}

static void not_answered(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .dscp = TRIMMED, .cut = 16);
	trim_rules_test_end(lab, MS);
	none(lab);
	trim_rules_test_end(lab, 2 * RTO + MS);
	breaks(lab, UET_NACK_01, DST, B);
}

/* The NACK is overdue one nanosecond after two RTOs, and told once. */
static void not_answered_for_two_rtos(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .dscp = TRIMMED, .cut = 16);
	trim_rules_test_end(lab, 2 * RTO);
	assert_int_equal(lab_found(lab, REQ_UET_NACK_01), 0);
	for (unsigned i = 0; i < 3; i++) {
		trim_rules_test_end(lab, 2 * RTO + 1);
		assert_int_equal(lab_found(lab, REQ_UET_NACK_01), 1);
	}
}

/* ROD: a packet behind a gap is out of order, trimmed or not. */
static void not_answered_behind_a_gap(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 335, .clear = 333, .dscp = TRIMMED, .cut = 16);
	trim_rules_test_end(lab, 2 * RTO + MS);
	assert_int_equal(lab_found(lab, REQ_UET_NACK_01), 0);
	lab->n = 0;
	ordered(lab, A, .psn = 334, .clear = 333, .dscp = TRIMMED, .cut = 16);
	trim_rules_test_end(lab, 2 * RTO + MS);
	assert_int_equal(lab_found(lab, REQ_UET_NACK_01), 1);
}

/* ROD: the NACK of the next packet names it as expected: it was in order. */
static void not_answered_though_expected(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333, .dscp = TRIMMED, .cut = 16);
	ordered(lab, A, .psn = 335, .clear = 333);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO, .payload = 334);
	none(lab);
	trim_rules_test_end(lab, 2 * RTO + MS);
	assert_int_equal(lab_found(lab, REQ_UET_NACK_01), 1);
}

/*
 * ROD: the packet before it came at the same time, so that nothing was missing.
 * A later repeat of that packet may have filled a gap.
 */
static void not_answered_behind_the_packet_before(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333);
	lab->now -= US;
	ordered(lab, A, .psn = 335, .clear = 333, .dscp = TRIMMED, .cut = 16);
	trim_rules_test_end(lab, 2 * RTO + MS);
	assert_int_equal(lab_found(lab, REQ_UET_NACK_01), 1);
	lab->n = 0;
	ordered(lab, A, .psn = 336, .clear = 333);
	ordered(lab, A, .psn = 337, .clear = 333, .dscp = TRIMMED, .cut = 16);
	ordered(lab, A, .psn = 336, .clear = 333, .retx = 1);
	trim_rules_test_end(lab, 2 * RTO + MS);
	assert_int_equal(lab_found(lab, REQ_UET_NACK_01), 0);
}

/* "NACK TRIMMED with spdcid 0, or dropped" */
static void syn_not_answered(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .dscp = TRIMMED,
		.cut = 16);
	trim_rules_test_end(lab, 2 * RTO + MS);
	none(lab);
}

/* A trimmed first copy shows nothing about the message; the whole copy does. */
static void told_by_the_whole_copy(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 9, .dscp = TRIMMED,
		.cut = 16);
	nack(lab, B, .psn = 334, .code = NACK_TRIMMED);
	request(lab, A, .psn = 334, .clear = 333, .mid = 9, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 334, .mid = 9, .retx = 1);
	none(lab);
	request(lab, A, .psn = 335, .clear = 334, .retx = 0);
	lab->now += RTO;
	request(lab, A, .psn = 335, .clear = 334, .retx = 1, .data = 1);
	breaks(lab, UET_RTX_15, SRC, A);
}

#define TRIM(f)                                                          \
	cmocka_unit_test_setup_teardown(f, trim_rules_test_setup,        \
					lab_teardown),                   \
	{                                                                \
#f " across the wrap", f, setup_wrap, lab_teardown, NULL \
	}

/* "A trimmed NACK or CP is dropped without any answer"; so is an ACK. */
static void trimmed_answer_is_none(void **state)
{
	struct lab *lab = *state;

	lab_trims(lab);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334, .dscp = 26);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .ar = 1, .psn = 334,
		.dscp = 26);
	lab->n += judge_end(lab->j, lab->now + 20 * RTO, lab->found, 64);
	for (size_t i = 0; i < lab->n; i++)
		assert_int_not_equal(lab->found[i].req, REQ_UET_CP_01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(trimmed_answer_is_none),
		TRIM(nacked_and_repaired),
		TRIM(wrong_hop),
		TRIM(nobody_trimmed),
		TRIM(trimmed_duplicate),
		TRIM(acked_though_trimmed),
		TRIM(trimmed_very_often),
		TRIM(trimmed_after_the_close),
		TRIM(trimmed_after_another_open),
		TRIM(not_answered),
		TRIM(not_answered_for_two_rtos),
		TRIM(not_answered_behind_a_gap),
		TRIM(not_answered_though_expected),
		TRIM(not_answered_behind_the_packet_before),
		TRIM(syn_not_answered),
		TRIM(told_by_the_whole_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
