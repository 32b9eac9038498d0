/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/judge_test.c -- tests of the whole judge: the figures of the
 * specification, vantage points, limits, and malformed packets.
 */
#include <stdalign.h>

#include "base/rng.h"
#include "judge/core/lab_test.h"
#include "judge/core/state.h"
#include "wire/uet/uet_packet.h"

static void judge_test_end(struct lab *lab)
{
	lab->n += judge_end(lab->j, lab->now + VSPAN_S, lab->found + lab->n,
			    64 - lab->n);
}

/*
 * The figures begin on an established PDC.  Here PSN 333 establishes it, so
 * that their PSNs are one higher.
 */
static void begun(struct lab *lab)
{
	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .mid = 99);
	answer(lab, B, .psn = 333, .cack = 333);
}

static void judge_test_figure_3_77(void **state)
{
	struct lab *lab = *state;

	begun(lab);
	for (uint32_t psn = 334; psn < 338; psn++)
		request(lab, A, .psn = psn, .clear = 333, .mid = 1,
			.length = 32, .more = psn == 334, .rest = psn > 334,
			.last = psn == 337);
	/*
	 * The packets arrive at B in another order; A's link does not show it.
	 */
	answer(lab, B, .psn = 335, .cack = 333, .rc = RC_OK);
	answer(lab, B, .psn = 337, .cack = 335, .rc = RC_OK);
	request(lab, A, .psn = 338, .clear = 333, .mid = 2, .length = 16,
		.more = 1);
	request(lab, A, .psn = 339, .clear = 335, .mid = 2, .length = 16,
		.rest = 1, .last = 1);
	answer(lab, B, .psn = 338, .cack = 338, .rc = RC_OK);
	answer(lab, B, .psn = 339, .cack = 339, .rc = RC_OK);
	judge_test_end(lab);
	none(lab);
	looked(lab, RUD_SEQ_77, DST, B);
}

static void judge_test_figure_3_81(void **state)
{
	struct lab *lab = *state;

	begun(lab);
	for (uint32_t i = 0; i < 3; i++)
		request(lab, A, .psn = 334 + i, .clear = 333, .mid = 88,
			.opcode = SES_READ, .length = 2056, .more = !i,
			.rest = i > 0, .last = i == 2);
	answer(lab, B, .psn = 335, .cack = 335, .mid = 88);
	answer(lab, B, .psn = 336, .cack = 336, .opcode = SES_RESPONSE,
	       .rc = RC_OK, .mid = 88);
	request(lab, B, .psn = 333, .clear = 332, .mid = 9, .read_mid = 88,
		.next = PDS_NEXT_RESPONSE_DATA);
	request(lab, A, .psn = 337, .clear = 336, .mid = 879,
		.opcode = SES_WRITE);
	request(lab, B, .psn = 334, .clear = 332, .mid = 9, .read_mid = 88,
		.next = PDS_NEXT_RESPONSE_DATA);
	answer(lab, B, .psn = 337, .cack = 337, .opcode = SES_RESPONSE,
	       .rc = RC_OK, .mid = 879);
	request(lab, B, .psn = 335, .clear = 332, .mid = 9, .read_mid = 88,
		.next = PDS_NEXT_RESPONSE_DATA);
	answer(lab, A, .psn = 334, .cack = 334, .opcode = SES_RESPONSE,
	       .rc = RC_OK, .mid = 9);
	answer(lab, A, .psn = 335, .cack = 335, .opcode = SES_RESPONSE,
	       .rc = RC_OK, .mid = 9);
	judge_test_end(lab);
	none(lab);
	looked(lab, RUD_SEQ_81, DST, B);
	looked(lab, RUD_SEQ_75b, DST, B);
	looked(lab, RUD_SEQ_79, SRC, A);
}

static void judge_test_figure_3_82(void **state)
{
	struct lab *lab = *state;

	begun(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 14);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	lab->now += 2 * MS;
	request(lab, A, .psn = 334, .clear = 333, .mid = 14, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 334, .opcode = SES_RESPONSE,
	       .rc = RC_OK, .mid = 14, .retx = 1);
	judge_test_end(lab);
	none(lab);
	looked(lab, RUD_SEQ_82, SRC, A);
	looked(lab, RUD_SEQ_82, DST, B);
}

static void judge_test_figure_3_84(void **state)
{
	struct lab *lab = *state;

	begun(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 85);
	lab->muted = true; /* the judge at A's link does not see the lost ACK */
	answer(lab, B, .psn = 334, .cack = 334);
	lab->muted = false;
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .mid = 85, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 334, .mid = 85, .retx = 1);
	judge_test_end(lab);
	none(lab);
	looked(lab, RUD_SEQ_84, SRC, A);
}

/*
 * The judge captures at one side's link.  Packets to the other side may be lost
 * after the capture, and the order in which the other side sent is unknown.
 */
static void its_place(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	conf.here = ip_addr_v4(0x0a000002);
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .ar = 1);
	answer(&lab, B, .psn = 334, .cack = 334); /* lost after the capture */
	lab.now += RTO;
	request(&lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	answer(&lab, B, .psn = 334, .cack = 334, .retx = 1);
	request(&lab, A, .psn = 336, .clear = 334);
	request(&lab, A, .psn = 335, .clear = 334);
	none(&lab);
	answer(&lab, B, .psn = 336, .cack = 333);
	breaks(&lab, UET_ACK_26, DST, B);
	lab_test_lab_close(&lab);
}

/*
 * Only one side is judged: for what it sends, and for the answers that it owes
 * to the packets of the other side.
 */
static void one_side_alone(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	conf.here = ip_addr_v4(0x0a000002);
	conf.here_only = true;
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 335, .ar = 1);
	none(&lab);
	for (unsigned i = 0; i < 5; i++) {
		lab.now += RTO << i;
		request(&lab, A, .psn = 334, .clear = 333, .retx = 1);
	}
	breaks(&lab, RUD_SVC_3, DST, B);
	answer(&lab, B, .psn = 334, .cack = 334, .retx = 1);
	none(&lab);
	answer(&lab, B, .psn = 336, .cack = 336);
	breaks(&lab, UET_ACK_26, DST, B);
	lab_test_lab_close(&lab);
}

/* The capture starts midstream, without a notice of missing packets. */
static void from_the_middle(void **state)
{
	struct lab *lab = *state;

	answer(lab, B, .psn = 350, .cack = 348, .req = PDS_REQ_CLEAR);
	request(lab, A, .psn = 360, .clear = 351);
	request(lab, A, .psn = 355, .clear = 349, .retx = 1);
	answer(lab, B, .psn = 360, .cack = 360, .retx = 1, .entropy = 9);
	request(lab, B, .psn = 48, .clear = 47, .read_mid = 7,
		.next = PDS_NEXT_RESPONSE_DATA);
	answer(lab, A, .psn = 48, .cack = 48);
	request(lab, A, .psn = 5000, .clear = 4990);
	answer(lab, B, .psn = 4999, .cack = 4990);
	judge_test_end(lab);
	none(lab);
	looked(lab, RUD_SVC_5, SRC, A);
}

/*
 * A violation that one packet proves is a finding in any capture.  A number
 * that decreases is not a finding: the higher number may have been the wrong
 * one, and the packet that would show it may be missing.
 */
static void seen_is_seen(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	conf.complete = false;
	lab_test_lab_open(&lab, &conf);
	request(&lab, A, .psn = 360, .clear = 361);
	breaks(&lab, UET_ENC_37, SRC, A);
	request(&lab, A, .psn = 361, .clear = 351);
	none(&lab);
	request(&lab, A, .psn = 362, .clear = 350);
	answer(&lab, B, .psn = 361, .cack = 361);
	answer(&lab, B, .psn = 362, .cack = 360);
	none(&lab);
	answer(&lab, B, .psn = 362, .cack = 362, .req = 3);
	breaks(&lab, UET_ACK_04, DST, B);
	lab_test_lab_close(&lab);
}

/* Return data shows by its SES header that a target sent it. */
static void target_in_the_middle(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	conf.midstream = true;
	lab_test_lab_open(&lab, &conf);
	request(&lab, B, .psn = 48, .clear = 47, .read_mid = 7,
		.next = PDS_NEXT_RESPONSE_DATA, .dport = 51000);
	breaks(&lab, UET_ENC_02, DST, B);
	lab_test_lab_close(&lab);
}

/* A finding names the flow with both ends. */
static void finding_names_both_ends(void **state)
{
	struct lab *lab = *state;
	const struct finding *f = lab->found;

	established(lab);
	request(lab, A, .psn = 335, .clear = 333);
	assert_int_equal(f->pdcid[A], ID_A);
	assert_int_equal(f->pdcid[B], ID_B);
	assert_true(ip_addr_equal(&f->ends[A], &lab->addr[A]));
	assert_true(ip_addr_equal(&f->ends[B], &lab->addr[B]));
	assert_int_equal(f->frame, lab->frame);
	breaks(lab, UET_PDC_23, SRC, A);
}

/*
 * With more PDCs than room, the judge forgets the one that was silent longest.
 */
static void oldest_goes(void **state)
{
	struct lab *lab = *state;

	for (uint16_t i = 1; i <= 20; i++) {
		lab->ids[A] = i;
		lab->ids[B] = (uint16_t)(100 + i);
		established(lab);
	}
	none(lab);
	lab->ids[A] = 20;
	lab->ids[B] = 120;
	request(lab, A, .psn = 335, .clear = 333);
	breaks(lab, UET_PDC_23, SRC, A);
	assert_int_equal(lab->found[0].flow, 19);
	lab->ids[A] = 1;
	lab->ids[B] = 101;
	request(lab, A, .psn = 335, .clear = 333);
	none(lab);
}

static void judge_test_reset_forgets(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, RUD_SVC_5, SRC, A);
	judge_reset(lab->j);
	assert_int_equal(
		judge_seen(lab->j, &lab->addr[A], REQ_RUD_SVC_5, REQ_BOTH), 0);
	request(lab, A, .psn = 340, .clear = 333);
	established(lab);
	none(lab);
}

static void more_findings_than_room(void **state)
{
	struct lab *lab = *state;
	struct packet pkt;
	struct judge_packet in = {.pkt = &pkt, .d = &lab->d, .at = VSPAN_S};

	established(lab);
	request(lab, A, .psn = 340, .clear = 345, .retx = 1);
	assert_true(lab->n >= 3);
	judge_reset(lab->j);
	established(lab);
	lab->muted = true;
	request(lab, A, .psn = 340, .clear = 345, .retx = 1);
	lab->d.src = lab->addr[A];
	lab->d.dst = lab->addr[B];
	uet_packet_parse(&pkt, lab->d.data, lab->d.len);
	assert_true(judge_push(lab->j, &in, lab->found, 1) >= 3);
}

/* Returns the findings about an unanswered packet, after |answers| of B. */
static size_t silence_of_b(bool midstream, unsigned answers)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	conf.midstream = midstream;
	lab_test_lab_open(&lab, &conf);
	request(&lab, A, .psn = 333, .clear = 332, .syn = 1, .ar = 1);
	if (answers) {
		answer(&lab, B, .psn = 333, .cack = 333);
		request(&lab, A, .psn = 334, .clear = 333, .ar = 1);
	}
	none(&lab);
	judge_test_end(&lab);
	lab_test_lab_close(&lab);
	return lab.n;
}

/* A capture that may begin midstream may lack what one end sends. */
static void who_never_spoke_may_be_missing(void **state)
{
	(void)state;
	assert_int_equal(silence_of_b(true, 0), 0);
	assert_true(silence_of_b(true, 1) > 0);
	assert_true(silence_of_b(false, 0) > 0);
	assert_true(silence_of_b(false, 1) > 0);
}

/*
 * The judge survives truncated, damaged and random packets, and keeps the flow.
 */
static void judge_test_noise(void **state)
{
	struct lab *lab = *state;
	struct rng rng = {7};

	established(lab);
	for (unsigned i = 0; i < 20000; i++) {
		const unsigned from = rng_below(&rng, 2);

		lab->muted = true;
		if (rng_below(&rng, 2))
			request(lab, from, .psn = 334, .clear = 333);
		else
			answer(lab, from, .psn = 334, .cack = 333,
			       .type = PDS_ACK_CC);
		lab->muted = false;
		lab->d.len = rng_below(&rng, (uint32_t)lab->d.len + 1);
		for (unsigned k = rng_below(&rng, 6); k && lab->d.len; k--)
			lab->d.data[rng_below(&rng, (uint32_t)lab->d.len)] =
				(uint8_t)rng_next(&rng);
		lab_push(lab, from);
		lab->n = 0;
	}
	judge_test_end(lab);
}

/*
 * A judge has parts that begin with a cache line.  Compilers write such parts
 * with instructions that fail at another address.
 */
static void judge_test_begins_with_a_line(void **state)
{
	const struct judge_conf conf = lab_test_lab_conf();
	struct judge *judges[8];

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(judge_new(&judges[i], &conf, 1), 0);
		assert_int_equal((uintptr_t)judges[i] % alignof(struct judge),
				 0);
	}
	for (size_t i = 0; i < 8; i++)
		judge_free(judges[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(judge_test_figure_3_77),
		BOTH_WAYS(judge_test_figure_3_81),
		BOTH_WAYS(judge_test_figure_3_82),
		BOTH_WAYS(judge_test_figure_3_84),
		cmocka_unit_test(its_place),
		cmocka_unit_test(who_never_spoke_may_be_missing),
		cmocka_unit_test(one_side_alone),
		BOTH_WAYS(from_the_middle),
		cmocka_unit_test(seen_is_seen),
		cmocka_unit_test(target_in_the_middle),
		BOTH_WAYS(finding_names_both_ends),
		BOTH_WAYS(oldest_goes),
		BOTH_WAYS(judge_test_reset_forgets),
		BOTH_WAYS(more_findings_than_room),
		BOTH_WAYS(judge_test_noise),
		cmocka_unit_test(judge_test_begins_with_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
