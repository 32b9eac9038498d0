/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_life_test.c -- tests what both ends learn about a PDC,
 * and the range of its PSNs.
 */
#include "judge/core/lab_test.h"

static void a_nack_tells_the_pdcid(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	nack(lab, B, .psn = 333, .code = NACK_NO_PKT_BUFFER);
	lab->now += 2 * MS;
	request(lab, A, .psn = 333, .clear = 332, .retx = 1);
	none(lab);
	looked(lab, UET_PDC_06, SRC, A);
	looked(lab, UET_NACK_07, SRC, A);
	looked(lab, UET_RTX_03, SRC, A);
}

static void a_syn_after_such_a_nack(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	nack(lab, B, .psn = 333, .code = NACK_NO_PKT_BUFFER);
	lab->now += 2 * MS;
	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .retx = 1);
	breaks(lab, UET_PDC_06, SRC, A);
}

/* After NEW_START_PSN packets are SYNs even if the target's PDCID is known. */
static void renumbered_packets_are_syns(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	nack(lab, B, .psn = 333, .code = NACK_NEW_START_PSN, .payload = 5000);
	lab->now += 2 * MS;
	request(lab, A, .psn = 5000, .clear = 4999, .syn = 1, .retx = 1,
		.offset = (uint16_t)(START - 5000));
	request(lab, A, .psn = 5001, .clear = 4999, .syn = 1,
		.offset = (uint16_t)(START - 5000));
	none(lab);
}

static void another_start_is_refused(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .syn = 1, .offset = 1);
	lab->n = 0;
	nack(lab, B, .psn = 334, .code = NACK_INVALID_SYN);
	looked(lab, UET_PDC_30, DST, B);
}

static void another_start_is_taken(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .syn = 1, .offset = 1);
	lab->n = 0;
	answer(lab, B, .psn = 334, .cack = 334);
	breaks(lab, UET_PDC_30, DST, B);
}

/* The target may accept the second copy, which is no SYN. */
static void another_start_is_mended(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .syn = 1, .offset = 1);
	lab->n = 0;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	lab->n = 0;
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
}

static void a_lost_response_of_what_is_settled(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	lab->n = 0;
	nack(lab, B, .psn = 334, .code = NACK_GTD_RESP_UNAVAIL, .retx = 1);
	breaks(lab, UET_NACK_13, DST, B);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(a_nack_tells_the_pdcid),
		BOTH_WAYS(a_syn_after_such_a_nack),
		BOTH_WAYS(renumbered_packets_are_syns),
		BOTH_WAYS(another_start_is_refused),
		BOTH_WAYS(another_start_is_taken),
		BOTH_WAYS(another_start_is_mended),
		BOTH_WAYS(a_lost_response_of_what_is_settled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
