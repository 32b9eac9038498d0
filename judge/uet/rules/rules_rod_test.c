/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_rod_test.c -- tests the order and Go-Back-N of the
 * source, and packets of two modes.
 */
#include "judge/core/lab_test.h"

/* A sends 334 to 337; 334 does not arrive, and B reports it with ROD_OOO. */
static void gap_at_source(struct lab *lab)
{
	established_rod(lab);
	for (uint32_t psn = 334; psn <= 337; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO, .payload = 334);
}

/* ---- The source ---- */

static void goes_back_and_on(void **state)
{
	struct lab *lab = *state;

	gap_at_source(lab);
	nack(lab, B, .psn = 336, .code = NACK_ROD_OOO, .payload = 334);
	for (uint32_t psn = 334; psn <= 337; psn++)
		ordered_again(lab, psn);
	ordered(lab, A, .psn = 338, .clear = 333);
	none(lab);
	looked(lab, MODE_ROD_3s, SRC, A);
	looked(lab, MODE_ROD_2, SRC, A);
	looked(lab, UET_NACK_0D, SRC, A);
}

/* A source may stop at an ACK that comes meanwhile, or continue. */
static void told_on_the_way(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	for (uint32_t psn = 334; psn <= 337; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	lab->now += RTO;
	ordered_again(lab, 334);
	answer(lab, B, .psn = 334, .cack = 336, .retx = 1);
	ordered_again(lab, 337);
	none(lab);
	answer(lab, B, .psn = 337, .cack = 337);
	ordered(lab, A, .psn = 338, .clear = 337);
	none(lab);
}

static void told_and_goes_on(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	for (uint32_t psn = 334; psn <= 337; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	lab->now += RTO;
	ordered_again(lab, 334);
	answer(lab, B, .psn = 334, .cack = 336, .retx = 1);
	for (uint32_t psn = 335; psn <= 337; psn++)
		ordered_again(lab, psn); /* they were in its send queue */
	ordered(lab, A, .psn = 338, .clear = 336);
	none(lab);
}

/*
 * Expected_PSN is 335; across the wrap it is 0, which also means that none is
 * given.
 */
static void goes_back_to_zero(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	for (uint32_t psn = 334; psn <= 337; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	nack(lab, B, .psn = 336, .code = NACK_ROD_OOO, .payload = 335);
	for (uint32_t psn = 335; psn <= 337; psn++)
		ordered_again(lab, psn);
	none(lab);
}

static void selective_repeat(void **state)
{
	struct lab *lab = *state;

	gap_at_source(lab);
	ordered_again(lab, 334);
	ordered(lab, A, .psn = 338, .clear = 333);
	breaks(lab, MODE_ROD_3s, SRC, A);
}

static void one_is_left_out(void **state)
{
	struct lab *lab = *state;

	gap_at_source(lab);
	ordered_again(lab, 334);
	ordered_again(lab, 336);
	breaks(lab, MODE_ROD_3s, SRC, A);
}

static void tail_never_comes(void **state)
{
	struct lab *lab = *state;
	struct finding *f = lab->found;

	gap_at_source(lab);
	ordered_again(lab, 334);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	none(lab);
	lab->n = judge_end(lab->j, lab->now + 2 * RTO + MS, f, 64);
	assert_int_equal(lab->n, 3); /* findings about 335, 336 and 337 */
	assert_int_equal(f[0].req, REQ_MODE_ROD_3s);
	assert_int_equal(f[0].role, REQ_SRC);
}

static void goes_back_too_short(void **state)
{
	struct lab *lab = *state;

	gap_at_source(lab);
	ordered_again(lab, 335);
	breaks(lab, MODE_ROD_3s, SRC, A);
}

static void goes_back_too_far(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333);
	ordered(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	lab->now += RTO;
	ordered_again(lab, 334);
	assert_int_equal(lab->n, 2); /* and its CLEAR_PSN lags */
	assert_int_equal(lab->found[1].req, REQ_MODE_ROD_3s);
}

/* B reports more PSNs as received while a retransmission leaves A. */
static void goes_back_before_it_is_told(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	for (uint32_t psn = 334; psn <= 339; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	nack(lab, B, .psn = 338, .code = NACK_ROD_OOO, .payload = 337);
	ordered_again(lab, 334);
	none(lab);
	looked(lab, UET_NACK_0D, SRC, A);
}

/* All PSNs below Expected_PSN arrived, acknowledged or not. */
static void goes_back_below_expected(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	for (uint32_t psn = 334; psn <= 339; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	nack(lab, B, .psn = 338, .code = NACK_ROD_OOO, .payload = 337);
	lab->now += 2 * MS;
	ordered_again(lab, 334);
	breaks(lab, UET_NACK_0D, SRC, A);
}

static void no_payload_means_cack(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	for (uint32_t psn = 334; psn <= 337; psn++)
		ordered(lab, A, .psn = psn, .clear = 333);
	nack(lab, B, .psn = 336, .code = NACK_ROD_OOO);
	for (uint32_t psn = 334; psn <= 337; psn++)
		ordered_again(lab, psn);
	none(lab);
}

/*
 * The first PSN waits for its RTO, and the others follow it; they count no
 * time-outs.
 */
static void only_the_head_is_timed(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO / 2;
	ordered(lab, A, .psn = 335, .clear = 333);
	for (unsigned n = 0; n < 5; n++) {
		lab->now += RTO << n;
		ordered_again(lab, 334);
		ordered_again(lab, 335);
	}
	none(lab);
	looked(lab, RUD_SEQ_83, SRC, A);
	lab->now += RTO << 5;
	ordered_again(lab, 334);
	breaks(lab, RUD_SVC_1, SRC, A);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	lab->now += RTO;
	ordered(lab, A, .psn = 335, .clear = 334, .retx = 1);
	none(lab);
}

static void head_is_early(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO / 2;
	ordered_again(lab, 334);
	breaks(lab, UET_RTX_12, SRC, A);
}

/* NO_PKT_BUFFER requires a wait; a later ROD_OOO does not. */
static void refused_and_missed(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333);
	ordered(lab, A, .psn = 335, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO, .payload = 334);
	ordered_again(lab, 334);
	ordered_again(lab, 335);
	none(lab);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER, .retx = 1);
	ordered_again(lab, 334);
	breaks(lab, RUD_SEQ_82, SRC, A);
}

static void other_path(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	/* the PDC is idle */
	ordered(lab, A, .psn = 334, .clear = 333, .entropy = 0x4321);
	none(lab);
	looked(lab, UET_PDC_50, SRC, A);
	ordered(lab, A, .psn = 335, .clear = 333);
	breaks(lab, MODE_ROD_2, SRC, A);
}

static void sent_late(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 335, .clear = 333);
	breaks(lab, UET_PDC_23, SRC, A);
	ordered(lab, A, .psn = 334, .clear = 333);
	breaks(lab, MODE_ROD_2, SRC, A);
}

/*
 * If the answer to a packet carries data, or is not ready, the packet is
 * retransmitted alone.
 */
static void asked_for_alone(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	for (uint32_t psn = 334; psn <= 337; psn++)
		ordered(lab, A, .psn = psn, .clear = 333, .opcode = SES_READ);
	nack(lab, B, .psn = 335, .code = NACK_ACK_WITH_DATA);
	ordered(lab, A, .psn = 335, .clear = 333, .opcode = SES_READ,
		.retx = 1);
	ordered(lab, A, .psn = 338, .clear = 333);
	none(lab);
}

/* ---- Two modes ---- */

static void mismatch_is_refused(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	request(lab, A, .psn = 334, .clear = 333);
	breaks(lab, UET_PDC_07, SRC, A);
	nack(lab, B, .psn = 334, .code = NACK_PDC_MODE_MISMATCH);
	none(lab);
	looked(lab, UET_NACK_16, DST, B);
}

static void mismatch_is_taken(void **state)
{
	struct lab *lab = *state;

	established(lab);
	ordered(lab, A, .psn = 334, .clear = 333);
	breaks(lab, UET_PDC_07, SRC, A);
	answer(lab, B, .psn = 334, .cack = 334);
	breaks(lab, UET_NACK_16, DST, B);
}

static void mismatch_is_wrong(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_PDC_MODE_MISMATCH);
	breaks(lab, UET_NACK_16, DST, B);
}

/* A CP whose isrod differs from the PDC's mode may be refused or ignored. */
static void isrod_is_either(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	control(lab, A, .psn = 334, .ctl = PDS_CP_NOOP, .ar = 1);
	lab->n = 0;
	answer(lab, B, .psn = 334, .cack = 334, .bare = 1);
	control(lab, A, .psn = 335, .ctl = PDS_CP_NOOP, .ar = 1);
	lab->n = 0;
	nack(lab, B, .psn = 335, .code = NACK_PDC_MODE_MISMATCH);
	none(lab);
}

/*
 * After an error the Close Command follows packets that are not acknowledged.
 */
static void error_close_is_repeated(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333);
	ordered(lab, A, .psn = 335, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_UNEXP_EVENT);
	control(lab, A, .psn = 336, .ctl = PDS_CP_CLOSE_COMMAND, .ar = 1);
	lab->now += RTO;
	control(lab, A, .psn = 336, .ctl = PDS_CP_CLOSE_COMMAND, .ar = 1,
		.retx = 1);
	none(lab);
}

/*
 * A midstream capture: an ACK does not show the mode, and of two packets that
 * contradict each other either may be wrong.
 */
static void learns_the_mode(void **state)
{
	struct lab *lab = *state;

	answer(lab, B, .psn = 333, .cack = 333);
	ordered(lab, A, .psn = 334, .clear = 333);
	none(lab);
	request(lab, A, .psn = 335, .clear = 333);
	none(lab);
}

/*
 * One of several copies of 335 was refused, so 336 and 337 may have come in
 * order or not.  A later acknowledgement of 335 does not decide it.
 */
static void behind_one_in_doubt(struct lab *lab)
{
	lab->conf.here = lab->addr[B];
	judge_declare(lab->j, &lab->conf);
	established_rod(lab);
	ordered(lab, A, .psn = 335, .clear = 333, .ar = 1);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO);
	/* dropped: the destination reported the gap before */
	ordered_again(lab, 335);
	ordered(lab, A, .psn = 334, .clear = 333, .ar = 1);
	answer(lab, B, .psn = 334, .cack = 334);
	ordered_again(lab, 335);
	nack(lab, B, .psn = 335, .code = NACK_NO_GTD_DEL_AVAIL, .retx = 1);
	ordered(lab, A, .psn = 336, .clear = 333, .ar = 1);
	ordered(lab, A, .psn = 337, .clear = 333, .ar = 1);
	ordered_again(lab, 335);
	answer(lab, B, .psn = 335, .cack = 335, .retx = 1);
	ordered_again(lab, 337);
}

static void silent_behind_a_gap(void **state)
{
	struct lab *lab = *state;

	behind_one_in_doubt(lab);
	lab->now += 100 * MS;
	lab->n += judge_end(lab->j, lab->now, lab->found, 64);
	none(lab);
}

static void silent_in_order(void **state)
{
	struct lab *lab = *state;

	behind_one_in_doubt(lab);
	ordered_again(lab, 336);
	lab->now += 100 * MS;
	lab->n += judge_end(lab->j, lab->now, lab->found, 64);
	breaks(lab, RUD_SEQ_84b, DST, B);
}

/* The gap is closed when the capture ends; the packet behind it is missing. */
static void trimmed_behind_a_gap(void **state)
{
	struct lab *lab = *state;

	lab->conf.here = lab->addr[B];
	lab_trims(lab);
	established_rod(lab);
	ordered(lab, A, .psn = 335, .clear = 333, .ar = 1);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO);
	ordered(lab, A, .psn = 336, .clear = 333, .ar = 1, .dscp = 26,
		.cut = 16);
	lab->now += MS;
	ordered(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 334, .retx = 1);
	ordered(lab, A, .psn = 335, .clear = 333, .ar = 1, .retx = 1);
	answer(lab, B, .psn = 335, .cack = 335, .retx = 1);
	lab->n += judge_end(lab->j, lab->now + 100 * MS, lab->found, 64);
	none(lab);
}

/* Then it came in order, and its NACK is due. */
static void trimmed_in_order(void **state)
{
	struct lab *lab = *state;

	lab->conf.here = lab->addr[B];
	lab_trims(lab);
	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333, .ar = 1);
	answer(lab, B, .psn = 334, .cack = 334);
	ordered(lab, A, .psn = 335, .clear = 333, .ar = 1, .dscp = 26,
		.cut = 16);
	lab->n += judge_end(lab->j, lab->now + 100 * MS, lab->found, 64);
	breaks(lab, UET_NACK_01, DST, B);
}

/* A reordered ROD_OOO does not cancel the request of a later NACK. */
static void asked_for_before_a_late_nack(void **state)
{
	struct lab *lab = *state;

	established_rod(lab);
	ordered(lab, A, .psn = 334, .clear = 333);
	ordered(lab, A, .psn = 335, .clear = 333);
	nack(lab, B, .psn = 335, .code = NACK_NO_RESOURCE);
	nack(lab, B, .psn = 335, .code = NACK_ROD_OOO);
	lab->n = 0; /* ignores effects of the link */
	lab->now += 2 * MS;
	ordered_again(lab, 335);
	none(lab);
}

/* RUD may do what ROD must not: no order, no Go-Back-N. */
static void rud_is_free(void **state)
{
	struct lab *lab = *state;

	established(lab);
	for (uint32_t psn = 334; psn <= 337; psn++)
		request(lab, A, .psn = psn, .clear = 333,
			.entropy = (uint16_t)psn);
	answer(lab, B, .psn = 337, .cack = 333, .entropy = 337);
	answer(lab, B, .psn = 336, .cack = 333, .entropy = 336);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	request(lab, A, .psn = 338, .clear = 333);
	none(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(goes_back_and_on),
		BOTH_WAYS(told_on_the_way),
		BOTH_WAYS(told_and_goes_on),
		BOTH_WAYS(goes_back_to_zero),
		BOTH_WAYS(selective_repeat),
		BOTH_WAYS(one_is_left_out),
		BOTH_WAYS(tail_never_comes),
		BOTH_WAYS(goes_back_too_short),
		BOTH_WAYS(goes_back_too_far),
		BOTH_WAYS(goes_back_before_it_is_told),
		BOTH_WAYS(goes_back_below_expected),
		BOTH_WAYS(no_payload_means_cack),
		BOTH_WAYS(only_the_head_is_timed),
		BOTH_WAYS(head_is_early),
		BOTH_WAYS(refused_and_missed),
		BOTH_WAYS(other_path),
		BOTH_WAYS(sent_late),
		BOTH_WAYS(asked_for_alone),
		BOTH_WAYS(mismatch_is_refused),
		BOTH_WAYS(mismatch_is_taken),
		BOTH_WAYS(mismatch_is_wrong),
		BOTH_WAYS(isrod_is_either),
		BOTH_WAYS(error_close_is_repeated),
		BOTH_WAYS(asked_for_before_a_late_nack),
		BOTH_WAYS(silent_behind_a_gap),
		BOTH_WAYS(silent_in_order),
		BOTH_WAYS(trimmed_behind_a_gap),
		BOTH_WAYS(trimmed_in_order),
		BOTH_WAYS(learns_the_mode),
		BOTH_WAYS(rud_is_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
