/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_ack_test.c -- tests the PSNs of an ACK and its echoes.
 */
#include "judge/core/lab_test.h"

static void cack_beyond_what_was_sent(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 335);
	breaks(lab, UET_ACK_26, DST, B);
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
	looked(lab, UET_ACK_26, DST, B);
}

static void cack_over_a_hole(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	/* PSN 334 is lost */
	request(lab, A, .psn = 335, .clear = 332, .syn = 1);
	lab->n = 0; /* at B's link that gap looks like a fault of A */
	answer(lab, B, .psn = 335, .cack = 335);
	breaks(lab, RUD_SEQ_77, DST, B);
	answer(lab, B, .psn = 335, .cack = 333);
	none(lab);
	looked(lab, RUD_SEQ_77, DST, B);
}

/* It is wrong even if other packets overtook the ACK. */
static void cack_below_the_first(void **state)
{
	struct lab *lab = *state;

	lab->conf.remote_vantage = true;
	judge_declare(lab->j, &lab->conf);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 331);
	breaks(lab, UET_ACK_26, DST, B);
	answer(lab, B, .psn = 333, .cack = 332);
	none(lab);
}

static void ack_rules_test_cack_goes_back(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 332);
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
	request(lab, A, .psn = 335, .clear = 332);
	answer(lab, B, .psn = 335, .cack = 333);
	breaks(lab, UET_ACK_26, DST, B);
}

static void ack_psn_never_came(void **state)
{
	struct lab *lab = *state;

	established(lab);
	answer(lab, B, .psn = 334, .cack = 333);
	breaks(lab, UET_ACK_05, DST, B);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
	looked(lab, UET_ACK_05, DST, B);
}

static void foreign_packet_is_acked(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .dpdcid = 0x7777);
	lab->n = 0; /* ignores findings about this packet of the tester */
	answer(lab, B, .psn = 334, .cack = 334);
	breaks(lab, UET_PDC_14, DST, B);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
	looked(lab, UET_PDC_14, DST, B);
}

static void entropy_is_echoed(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_ACK_01, DST, B);
	request(lab, A, .psn = 334, .clear = 333, .entropy = 7);
	answer(lab, B, .psn = 334, .cack = 334, .entropy = 7);
	none(lab);
	request(lab, A, .psn = 335, .clear = 333, .entropy = 8);
	answer(lab, B, .psn = 335, .cack = 335, .entropy = 7);
	breaks(lab, UET_ACK_01, DST, B);
}

static void retx_is_echoed(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	breaks(lab, UET_ACK_03, DST, B);
	request(lab, A, .psn = 335, .clear = 333);
	lab->now += RTO;
	request(lab, A, .psn = 335, .clear = 334, .retx = 1);
	answer(lab, B, .psn = 335, .cack = 335, .retx = 1);
	none(lab);
	looked(lab, UET_ACK_03, DST, B);
}

/* The answer to a duplicate differs from the first answer. */
static void retx_of_duplicate_is_echoed(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	answer(lab, B, .psn = 334, .cack = 334);
	breaks(lab, UET_ACK_03, DST, B);
}

static void mark_is_told(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ce = 1);
	answer(lab, B, .psn = 334, .cack = 334, .m = 1);
	none(lab);
	looked(lab, UET_ACK_02, DST, B);
	request(lab, A, .psn = 335, .clear = 334, .ce = 1);
	answer(lab, B, .psn = 335, .cack = 335);
	breaks(lab, UET_ACK_02, DST, B);
	request(lab, A, .psn = 336, .clear = 335);
	answer(lab, B, .psn = 336, .cack = 336, .m = 1);
	breaks(lab, UET_ACK_02, DST, B);
	/* The answer to an ACK Request may report the mark of either. */
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .ar = 1, .psn = 336,
		.ce = 1);
	answer(lab, B, .psn = 336, .cack = 336, .m = 1);
	answer(lab, B, .psn = 336, .cack = 336);
	none(lab);
	/* Coalesced: the ACK of 338 may report the mark of 337. */
	request(lab, A, .psn = 337, .clear = 336, .ce = 1);
	request(lab, A, .psn = 338, .clear = 336);
	answer(lab, B, .psn = 338, .cack = 338, .m = 1);
	none(lab);
}

static void only_the_target_asks(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334, .req = 3);
	breaks(lab, UET_ACK_04, DST, B);
	request(lab, B, .psn = 333, .clear = 332, .mid = 9,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 0x8001);
	lab->n = 0; /* ignores the finding that 333 is no read */
	answer(lab, A, .psn = 333, .cack = 332, .mid = 9, .req = PDS_REQ_CLEAR);
	breaks(lab, UET_ACK_04, SRC, A);
}

static void probe_is_echoed(void **state)
{
	struct lab *lab = *state;

	established(lab);
	answer(lab, B, .cack = 333, .p = 1, .opaque = 0xbeef, .bare = 1);
	breaks(lab, UET_CP_06, DST, B);
	control(lab, A, .ctl = PDS_CP_PROBE, .ar = 1, .opaque = 0xbeef,
		.psn = 333);
	answer(lab, B, .cack = 333, .p = 1, .opaque = 0xbeef, .bare = 1);
	none(lab);
	looked(lab, UET_CP_06, DST, B);
	control(lab, A, .ctl = PDS_CP_PROBE, .ar = 1, .opaque = 0xbeee,
		.psn = 333);
	answer(lab, B, .cack = 333, .p = 1, .opaque = 0xbeef, .bare = 1);
	breaks(lab, UET_CP_06, DST, B);
}

static void sack_of_what_never_came(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 335, .cack = 333, .type = PDS_ACK_CC, .mpr = 8,
	       .sack = 4, .sack_psn = 333);
	none(lab);
	looked(lab, UET_ACK_06, DST, B);
	answer(lab, B, .psn = 335, .cack = 333, .type = PDS_ACK_CC, .mpr = 8,
	       .sack = 0x8000000000000001, .sack_psn = 335);
	breaks(lab, UET_ACK_06, DST, B);
}

/* The bitmap begins at the PSN before the first one, up to CACK_PSN or past it.
 */
static void sack_of_a_psn_before_the_first(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 300, .clear = 333);
	lab->n = 0; /* those of the request */
	answer(lab, B, .psn = 300, .cack = 333, .type = PDS_ACK_CC, .mpr = 8,
	       .sack = 0x3ffffffff, .sack_psn = 300);
	none(lab);
	answer(lab, B, .psn = 300, .cack = 333, .type = PDS_ACK_CC, .mpr = 8,
	       .sack = 0x7ffffffff, .sack_psn = 300);
	breaks(lab, UET_ACK_06, DST, B);
}

/* PSN 334 and its copy come by paths that are not the SYN's. */
static void off_path(struct lab *lab, uint16_t later)
{
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .entropy = 7);
	request(lab, A, .psn = 335, .clear = 333, .ar = 1, .entropy = later);
	answer(lab, B, .psn = 335, .cack = 333, .entropy = later);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1, .entropy = 9);
	lab->now += 3 * RTO;
	lab->n += judge_end(lab->j, lab->now, lab->found + lab->n, 64 - lab->n);
}

static void no_answer_but_on_the_first_path(void **state)
{
	struct lab *lab = *state;

	off_path(lab, 0);
	breaks(lab, UET_PDC_51, DST, B);
}

static void no_answer_though_another_path_has_one(void **state)
{
	struct lab *lab = *state;

	off_path(lab, 8);
	breaks(lab, RUD_SEQ_84b, DST, B);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(cack_beyond_what_was_sent),
		BOTH_WAYS(cack_over_a_hole),
		BOTH_WAYS(ack_rules_test_cack_goes_back),
		BOTH_WAYS(cack_below_the_first),
		BOTH_WAYS(ack_psn_never_came),
		BOTH_WAYS(foreign_packet_is_acked),
		BOTH_WAYS(entropy_is_echoed),
		BOTH_WAYS(retx_is_echoed),
		BOTH_WAYS(retx_of_duplicate_is_echoed),
		BOTH_WAYS(mark_is_told),
		BOTH_WAYS(only_the_target_asks),
		BOTH_WAYS(probe_is_echoed),
		BOTH_WAYS(sack_of_what_never_came),
		BOTH_WAYS(sack_of_a_psn_before_the_first),
		BOTH_WAYS(no_answer_but_on_the_first_path),
		BOTH_WAYS(no_answer_though_another_path_has_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
