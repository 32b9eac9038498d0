/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_nack_test.c -- tests NACKs, correct and not.
 */
#include "judge/core/lab_test.h"
#include "judge/uet/rules/rules_nack.h"

static void psn_that_was_never_sent(void **state)
{
	struct lab *lab = *state;

	established(lab);
	nack(lab, B, .psn = 350, .code = NACK_NO_PKT_BUFFER);
	breaks(lab, UET_ENC_45, DST, B);
	request(lab, A, .psn = 333 + 5000, .clear = 333);
	lab->n = 0; /* ignores findings about the tester's packet */
	nack(lab, B, .psn = 333 + 5000, .code = NACK_PSN_OOR_WINDOW);
	none(lab);
	looked(lab, UET_ENC_45, DST, B);
}

/* A Credit Request has psn 0: so has the NACK that refuses it. */
static void control_packet_without_psn(void **state)
{
	struct lab *lab = *state;
	const uint32_t zero = 0u - lab->start;

	established(lab);
	nack(lab, B, .psn = zero, .code = NACK_NO_PKT_BUFFER);
	breaks(lab, UET_ENC_45, DST, B);
	control(lab, A, .ctl = PDS_CP_CREDIT_REQUEST);
	lab->n = 0; /* ignores findings about the tester's packet */
	nack(lab, B, .psn = zero, .code = NACK_NO_PKT_BUFFER);
	none(lab);
}

/* A target that closes in error refuses a CP that takes no PSN, too. */
static void closing_in_error(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, B, .ctl = PDS_CP_CLOSE_REQUEST, .psn = 333, .ar = 1);
	lab->now += 2 * MS;
	nack(lab, B, .psn = 350, .code = NACK_CLOSING_IN_ERR);
	breaks(lab, UET_ENC_45, DST, B);
	control(lab, A, .ctl = 12, .psn = 350, .ar = 1);
	lab->n = 0; /* ignores findings about the tester's packet */
	nack(lab, B, .psn = 351, .code = NACK_NO_PKT_BUFFER);
	breaks(lab, UET_ENC_45, DST, B);
	nack(lab, B, .psn = 350, .code = NACK_CLOSING_IN_ERR);
	none(lab);
}

/* A NACK may answer any packet with that PSN, not only the first. */
static void several_with_one_psn(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .dpdcid = 0xbeef);
	request(lab, A, .psn = 334, .clear = 333, .spdcid = 0x2222);
	lab->n = 0; /* ignores findings about the tester's packets */
	nack(lab, B, .psn = 334, .code = NACK_INV_DPDCID, .no_spdcid = 1);
	nack(lab, B, .psn = 334, .code = NACK_PDC_HDR_MISMATCH,
	     .dpdcid = 0x2222);
	none(lab);
	nack(lab, B, .psn = 334, .code = NACK_PDC_HDR_MISMATCH,
	     .dpdcid = 0x3333);
	breaks(lab, UET_ENC_45, DST, B);
}

/*
 * There are more of them than slots: the judge cannot know which one the NACK
 * answers.
 */
static void many_with_foreign_pdcids(void **state)
{
	struct lab *lab = *state;

	established(lab);
	for (uint16_t i = 0; i < 6; i++)
		request(lab, A, .psn = 334 + i, .clear = 333,
			.spdcid = (uint16_t)(0x2222 + i));
	lab->n = 0; /* ignores findings about the tester's packets */
	for (uint16_t i = 0; i < 6; i++)
		nack(lab, B, .psn = 334 + i, .code = NACK_PDC_HDR_MISMATCH,
		     .dpdcid = (uint16_t)(0x2222 + i));
	none(lab);
}

/* The packet of another PDC has its own entropy, retx and mark. */
static void echoes_of_another_packet(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 334, .clear = 333, .dpdcid = 0xbeef,
		.entropy = 7, .retx = 1, .ce = 1);
	lab->n = 0; /* ignores findings about the tester's packets */
	nack(lab, B, .psn = 334, .code = NACK_INV_DPDCID, .no_spdcid = 1,
	     .entropy = 7, .retx = 1, .m = 1);
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
}

static void whose_pdcid(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	nack(lab, B, .psn = 333, .code = NACK_NO_PDC_AVAIL, .no_spdcid = 1);
	none(lab);
	looked(lab, UET_NACK_04, DST, B);
	request(lab, A, .psn = 334, .clear = 332, .syn = 1);
	nack(lab, B, .psn = 334, .code = NACK_NO_BITMAP);
	breaks(lab, UET_NACK_06, DST, B);
	request(lab, A, .psn = 335, .clear = 332, .syn = 1);
	nack(lab, B, .psn = 335, .code = NACK_NO_PKT_BUFFER, .no_spdcid = 1);
	breaks(lab, UET_NACK_07, DST, B);
}

static void reserved_code(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = 0x0c);
	breaks(lab, UET_NACK_0C, DST, B);
	request(lab, A, .psn = 335, .clear = 333);
	nack(lab, B, .psn = 335, .code = NACK_TRIMMED);
	none(lab);
	looked(lab, UET_NACK_0C, DST, B);
}

/* Table 3-59: the PDCID that a NACK carries, and whether it has a payload. */
static const struct {
	uint8_t code;
	char spdcid; /* '0': none, '1': its sender's, '?': either */
	bool payload;
} codes[] = {
	{0x01, '1', true},  {0x02, '1', true},  {0x03, '?', true},
	{0x04, '0', false}, {0x05, '0', false}, {0x06, '0', false},
	{0x07, '1', false}, {0x08, '1', false}, {0x09, '1', false},
	{0x0a, '?', false}, {0x0b, '1', false}, {0x0d, '?', true},
	{0x0e, '0', false}, {0x0f, '0', false}, {0x10, '1', false},
	{0x11, '1', false}, {0x12, '1', true},  {0x13, '1', false},
	{0x14, '1', false}, {0x15, '1', false}, {0x16, '1', false},
	{0x17, '1', true},  {0x18, '1', false}, {0x19, '?', false},
	{0x1a, '1', false},
};

/* Each code with and without a PDCID, with and without a payload. */
static void every_code(void **state)
{
	const struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;
	enum req_id req;

	(void)state;
	told_begin("every_code");
	for (size_t i = 0; i < 4 * sizeof(codes) / sizeof(codes[0]); i++) {
		const bool none = i & 1, payload = i & 2;

		lab_test_lab_open(&lab, &conf);
		established(&lab);
		request(&lab, A, .psn = 334, .clear = 333);
		nack(&lab, B, .psn = 334, .code = codes[i / 4].code,
		     .no_spdcid = none, .payload = payload ? 334 : 0);
		assert_true(nack_req(codes[i / 4].code, &req));
		/* ROD_OOO and others have further findings of their row */
		if (codes[i / 4].spdcid == (none ? '1' : '0'))
			assert_true(lab_found(&lab, req) > 0);
		assert_int_equal(lab_found(&lab, REQ_UET_ENC_47),
				 payload && !codes[i / 4].payload);
		lab_test_lab_close(&lab);
	}
}

/*
 * MP_RANGE is 128.  CACK_PSN of the target is not above the highest PSN, so
 * that a PSN less than 128 below it is certainly in the window.
 */
static void window_that_is_certain(void **state)
{
	static const uint32_t ahead[] = {126, 127, 128};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const struct judge_conf conf = lab_test_lab_conf();
		struct lab lab;

		lab_test_lab_open(&lab, &conf);
		established(&lab);
		answer(&lab, B, .psn = 333, .cack = 333, .type = PDS_ACK_CC,
		       .mpr = 1);
		for (uint32_t n = 0; n <= ahead[i]; n++)
			request(&lab, A, .psn = 334 + n, .clear = 333);
		lab.n = 0;
		nack(&lab, B, .psn = 334, .code = NACK_PSN_OOR_WINDOW);
		assert_int_equal(lab_found(&lab, REQ_UET_NACK_0B), i < 2);
		lab_test_lab_close(&lab);
	}
}

/* Each experimental code obliges its receiver by a row of its own. */
static void experimental_codes(void **state)
{
	static const enum req_id reqs[] = {REQ_UET_NACK_FD, REQ_UET_NACK_FE,
					   REQ_UET_NACK_FF};
	const struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;
	enum req_id req;

	(void)state;
	assert_false(nack_req(0xfc, &req));
	for (unsigned i = 0; i < 3; i++) {
		assert_true(nack_req((uint8_t)(0xfd + i), &req));
		assert_int_equal(req, reqs[i]);
	}
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333);
	nack(&lab, B, .psn = 334, .code = NACK_EXP_NACK_NORMAL);
	lab.now += 2 * MS;
	request(&lab, A, .psn = 334, .clear = 333, .retx = 1);
	assert_int_equal(
		judge_seen(lab.j, &lab.addr[A], REQ_UET_NACK_FD, REQ_SRC), 1);
	lab_test_lab_close(&lab);
}

/* Codes that no table has are reserved; three are experimental. */
static void every_other_code(void **state)
{
	const struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	for (unsigned code = 0; code < 256; code++) {
		bool known = code >= 0xfd;

		for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
			known |= codes[i].code == code;
		lab_test_lab_open(&lab, &conf);
		established(&lab);
		request(&lab, A, .psn = 334, .clear = 333);
		nack(&lab, B, .psn = 334, .code = (uint8_t)code);
		assert_int_equal(lab_found(&lab, REQ_UET_NACK_0C), !known);
		lab_test_lab_close(&lab);
	}
}

static void payload_where_none_is_defined(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER, .payload = 1);
	breaks(lab, UET_ENC_47, DST, B);
	request(lab, A, .psn = 335, .clear = 333);
	nack(lab, B, .psn = 335, .code = NACK_TRIMMED, .payload = 334);
	none(lab);
}

static void twice_for_one_packet(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	none(lab);
	looked(lab, UET_RTX_01, DST, B);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	breaks(lab, UET_RTX_01, DST, B);
}

/* B sent the NACK before it had the PDC, and the first ACK overtook it. */
static void overtaken_by_the_first_ack(void **state)
{
	struct lab *lab = *state;

	lab->conf.here = lab->addr[A];
	judge_declare(lab->j, &lab->conf);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	request(lab, A, .psn = 334, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 334, .cack = 332);
	nack(lab, B, .psn = 333, .code = NACK_TRIMMED, .no_spdcid = 1);
	none(lab);
}

/* The first copy was a SYN, the second carries the target's PDCID. */
static void syn_code_for_the_first_copy(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	request(lab, A, .psn = 334, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	nack(lab, B, .psn = 334, .code = NACK_INVALID_SYN);
	none(lab);
}

static void syn_codes_for_others(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PDC_AVAIL, .no_spdcid = 1);
	breaks(lab, UET_NACK_04, DST, B);
}

static void inside_the_window(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333, .type = PDS_ACK_CC, .mpr = 1);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_PSN_OOR_WINDOW);
	breaks(lab, UET_NACK_0B, DST, B);
}

/*
 * "beyond either -> drop or PSN_OOR_WINDOW NACK": this includes PSNs MP_RANGE
 * or more below any possible CACK_PSN of the target.
 */
static void behind_the_window(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333, .type = PDS_ACK_CC, .mpr = 1);
	for (uint32_t psn = 334; psn < 333 + 300; psn++) {
		request(lab, A, .psn = psn, .clear = psn - 1);
		if (psn < 333 + 280)
			answer(lab, B, .psn = psn, .cack = psn);
	}
	lab->n = 0; /* the tester's CLEAR_PSN is too high */
	request(lab, A, .psn = 333 + 100, .clear = 333 + 99, .retx = 1);
	lab->n = 0; /* ignores findings about the tester's packet */
	nack(lab, B, .psn = 333 + 100, .code = NACK_PSN_OOR_WINDOW, .retx = 1);
	none(lab);
	request(lab, A, .psn = 333 + 160, .clear = 333 + 159, .retx = 1);
	lab->n = 0;
	nack(lab, B, .psn = 333 + 160, .code = NACK_PSN_OOR_WINDOW, .retx = 1);
	none(lab);
	/* the highest possible CACK_PSN is 333 + 299, and MP_RANGE is 128 */
	request(lab, A, .psn = 333 + 171, .clear = 333 + 170, .retx = 1);
	lab->n = 0;
	nack(lab, B, .psn = 333 + 171, .code = NACK_PSN_OOR_WINDOW, .retx = 1);
	none(lab);
	request(lab, A, .psn = 333 + 172, .clear = 333 + 171, .retx = 1);
	lab->n = 0;
	nack(lab, B, .psn = 333 + 172, .code = NACK_PSN_OOR_WINDOW, .retx = 1);
	breaks(lab, UET_NACK_0B, DST, B);
}

static void rod_code_on_rud(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_ROD_OOO, .payload = 334);
	breaks(lab, UET_NACK_0D, DST, B);
}

static void received_after_all(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 333, .ar = 1);
	nack(lab, B, .psn = 333, .code = NACK_PKT_NOT_RCVD);
	breaks(lab, UET_NACK_12, DST, B);
}

static void not_received(void **state)
{
	struct lab *lab = *state;

	established(lab);
	/* 334 was lost before it reached B */
	request(lab, A, .psn = 335, .clear = 333);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 334, .ar = 1);
	lab->n = 0;
	nack(lab, B, .psn = 334, .code = NACK_PKT_NOT_RCVD, .payload = 334);
	none(lab);
}

static void stored_response_is_gone(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR,
	       .opcode = SES_RESPONSE, .rc = RC_OK,
	       .mid = (uint16_t)((334 - START + 1) | 0x8000));
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	nack(lab, B, .psn = 334, .code = NACK_GTD_RESP_UNAVAIL, .retx = 1);
	breaks(lab, RUD_SVC_3b, DST, B);
}

static void known_pdc_is_denied(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_INV_DPDCID, .no_spdcid = 1);
	breaks(lab, UET_NACK_0E, DST, B);
}

static void unknown_pdc_is_denied(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .dpdcid = 0x7777);
	lab->n = 0; /* ignores findings about the tester's packet */
	nack(lab, B, .psn = 334, .code = NACK_INV_DPDCID, .no_spdcid = 1);
	none(lab);
	request(lab, A, .psn = 334, .clear = 333, .dpdcid = 0);
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
}

static void nack_echoes(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .entropy = 7, .ce = 1);
	nack(lab, B, .psn = 334, .code = NACK_TRIMMED, .entropy = 7, .m = 1);
	none(lab);
	looked(lab, UET_ACK_01, DST, B);
	request(lab, A, .psn = 335, .clear = 333, .entropy = 7);
	nack(lab, B, .psn = 335, .code = NACK_TRIMMED);
	breaks(lab, UET_ACK_01, DST, B);
	request(lab, A, .psn = 336, .clear = 333);
	nack(lab, B, .psn = 336, .code = NACK_TRIMMED, .retx = 1);
	breaks(lab, UET_ACK_03, DST, B);
}

static void goes_on_after_fatal(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_UNEXP_EVENT);
	/* it was already in the send queue */
	request(lab, A, .psn = 335, .clear = 333);
	none(lab);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	breaks(lab, UET_PDC_48, SRC, A);
}

/*
 * Rules that do not depend on the PDC's state still apply after a fatal NACK.
 */
static void the_rest_is_judged_after_fatal(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	nack(lab, B, .psn = 335, .code = NACK_UNEXP_EVENT);
	none(lab);
	answer(lab, B, .psn = 334, .cack = 336);
	breaks(lab, UET_ACK_26, DST, B);
	answer(lab, B, .psn = 334, .cack = 334, .dpdcid = 0x7777);
	breaks(lab, UET_PDC_17, DST, B);
	request(lab, A, .psn = 336, .clear = 333, .retx = 1);
	breaks(lab, RUD_SEQ_84b, SRC, A);
}

static void stops_after_fatal(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	nack(lab, B, .psn = 334, .code = NACK_UNEXP_EVENT);
	lab->now += RTO;
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	lab->n += judge_end(lab->j, lab->now + 100 * RTO, lab->found, 64);
	none(lab);
	looked(lab, UET_PDC_48, SRC, A);
}

static void a_noop_is_expected(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	control(lab, A, .ctl = PDS_CP_NOOP, .psn = 335, .ar = 1);
	nack(lab, B, .psn = 335, .code = NACK_UNEXP_EVENT);
	breaks(lab, UET_NACK_19, DST, B);
}

/* Only a correct NOOP is expected: each of its fields may be wrong. */
static void a_wrong_noop_may_be_refused(void **state)
{
	static const struct sent noops[] = {
		{.ar = 1},
		{.ar = 0},
		{.ar = 1, .payload = START + 5},
		{.ar = 1, .isrod = 1},
		{.ar = 1, .isrod = 1, .payload = START + 5},
	};
	struct lab *lab = *state;

	for (size_t i = 0; i < sizeof(noops) / sizeof(*noops); i++) {
		struct sent s = noops[i];

		judge_reset(lab->j);
		established(lab);
		s.ctl = PDS_CP_NOOP;
		s.psn = 334;
		lab_control(lab, A, s);
		lab->n = 0; /* what the NOOP violates is tested elsewhere */
		nack(lab, B, .psn = 334, .code = NACK_UNEXP_EVENT);
		assert_int_equal(lab_found(lab, REQ_UET_NACK_19), i == 0);
		lab->n = 0;
	}
}

/*
 * After a NACK that may have ended the PDC, refusing a NOOP is no finding yet:
 * later packets show whether the PDC still exists.
 */
static void a_noop_on_a_pdc_that_goes_on(void **state)
{
	for (unsigned goes_on = 0; goes_on < 2; goes_on++) {
		struct lab *lab = *state;

		judge_reset(lab->j);
		established(lab);
		request(lab, A, .psn = 334, .clear = 333);
		answer(lab, B, .psn = 334, .cack = 334);
		control(lab, A, .ctl = PDS_CP_PROBE, .psn = 334, .opaque = 7,
			.ar = 1);
		nack(lab, B, .psn = 334, .code = NACK_UNEXP_EVENT);
		control(lab, A, .ctl = PDS_CP_NOOP, .psn = 335, .ar = 1);
		nack(lab, B, .psn = 335, .code = NACK_UNEXP_EVENT);
		none(lab);
		if (goes_on) {
			answer(lab, B, .psn = 334, .cack = 334);
			breaks(lab, UET_NACK_19, DST, B);
		}
		lab->n += judge_end(lab->j, lab->now + VSPAN_S, lab->found, 64);
		if (goes_on)
			lab->n = 0;
		none(lab);
	}
}

static void a_clear_request_is_expected(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 334);
	nack(lab, A, .psn = -lab->start, .code = NACK_UNEXP_EVENT);
	breaks(lab, UET_CP_03, SRC, A);
}

/* The Credit may be the unexpected event. */
static void another_cp_may_be_unexpected(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR);
	control(lab, B, .ctl = PDS_CP_CREDIT);
	control(lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = 334);
	nack(lab, A, .psn = -lab->start, .code = NACK_UNEXP_EVENT);
	none(lab);
}

static void causes_that_cannot_be(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_CCC_AVAIL, .no_spdcid = 1);
	breaks(lab, UET_NACK_05, DST, B);
	request(lab, A, .psn = 335, .clear = 333);
	answer(lab, B, .psn = 335, .cack = 333);
	nack(lab, B, .psn = 335, .code = NACK_RCVR_INFER_LOSS);
	breaks(lab, UET_NACK_1A, DST, B);
	nack(lab, B, .psn = 334, .code = NACK_PDC_HDR_MISMATCH, .no_spdcid = 1);
	breaks(lab, UET_NACK_0F, DST, B);
}

static void invalid_syn_without_a_syn(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	nack(lab, B, .psn = 333, .code = NACK_INVALID_SYN);
	none(lab);
	looked(lab, UET_NACK_15, DST, B);
	request(lab, A, .psn = 334, .clear = 332);
	nack(lab, B, .psn = 334, .code = NACK_INVALID_SYN);
	breaks(lab, UET_NACK_15, DST, B);
}

static void ack_request_with_another_dpdcid(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 333, .ar = 1,
		.dpdcid = 0x7777);
	lab->n = 0; /* ignores findings about the tester's packet */
	nack(lab, B, .psn = 333, .code = NACK_INV_DPDCID, .no_spdcid = 1);
	none(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_INV_DPDCID, .no_spdcid = 1);
	breaks(lab, UET_NACK_0E, DST, B);
}

/*
 * After a close the target refuses the Probe; the NACK echoes the mark of the
 * Probe, not that of PSN 334.
 */
static void nack_of_a_probe(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ce = 1);
	answer(lab, B, .psn = 334, .cack = 334, .m = 1);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	answer(lab, B, .psn = 335, .cack = 335, .bare = 1);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 334, .ar = 1, .opaque = 4);
	lab->n = 0; /* the network delayed it */
	nack(lab, B, .psn = 334, .code = NACK_INV_DPDCID, .no_spdcid = 1);
	none(lab);
	control(lab, A, .ctl = PDS_CP_PROBE, .psn = 333, .ar = 1, .opaque = 5);
	lab->n = 0;
	nack(lab, B, .psn = 334, .code = NACK_INV_DPDCID, .no_spdcid = 1);
	breaks(lab, UET_ACK_02, DST, B);
}

/* A response that was already sent cannot be in progress. */
static void processed_already(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	answer(lab, B, .psn = 334, .cack = 334);
	lab->n = 0; /* ignores the time of the retransmission */
	nack(lab, B, .psn = 334, .code = NACK_RCVD_SES_PROCG, .retx = 1);
	none(lab);
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	lab->n = 0;
	nack(lab, B, .psn = 334, .code = NACK_RCVD_SES_PROCG, .retx = 1);
	breaks(lab, RUD_SVC_3c, DST, B);
}

/*
 * The highest PSN is in the window even if everything up to it is acknowledged.
 */
static void newest_is_in_window(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1, .retx = 1);
	lab->n = 0;
	nack(lab, B, .psn = 334, .code = NACK_PSN_OOR_WINDOW, .retx = 1);
	breaks(lab, UET_NACK_0B, DST, B);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(psn_that_was_never_sent),
		BOTH_WAYS(control_packet_without_psn),
		BOTH_WAYS(several_with_one_psn),
		BOTH_WAYS(closing_in_error),
		BOTH_WAYS(many_with_foreign_pdcids),
		BOTH_WAYS(echoes_of_another_packet),
		BOTH_WAYS(whose_pdcid),
		BOTH_WAYS(reserved_code),
		cmocka_unit_test(every_code),
		cmocka_unit_test(every_other_code),
		cmocka_unit_test(experimental_codes),
		cmocka_unit_test(window_that_is_certain),
		BOTH_WAYS(payload_where_none_is_defined),
		BOTH_WAYS(twice_for_one_packet),
		BOTH_WAYS(overtaken_by_the_first_ack),
		BOTH_WAYS(syn_code_for_the_first_copy),
		BOTH_WAYS(syn_codes_for_others),
		BOTH_WAYS(causes_that_cannot_be),
		BOTH_WAYS(a_noop_is_expected),
		BOTH_WAYS(a_wrong_noop_may_be_refused),
		BOTH_WAYS(a_noop_on_a_pdc_that_goes_on),
		BOTH_WAYS(a_clear_request_is_expected),
		BOTH_WAYS(another_cp_may_be_unexpected),
		BOTH_WAYS(invalid_syn_without_a_syn),
		BOTH_WAYS(ack_request_with_another_dpdcid),
		BOTH_WAYS(inside_the_window),
		BOTH_WAYS(behind_the_window),
		BOTH_WAYS(rod_code_on_rud),
		BOTH_WAYS(received_after_all),
		BOTH_WAYS(not_received),
		BOTH_WAYS(stored_response_is_gone),
		BOTH_WAYS(known_pdc_is_denied),
		BOTH_WAYS(unknown_pdc_is_denied),
		BOTH_WAYS(nack_echoes),
		BOTH_WAYS(nack_of_a_probe),
		BOTH_WAYS(goes_on_after_fatal),
		BOTH_WAYS(the_rest_is_judged_after_fatal),
		BOTH_WAYS(stops_after_fatal),
		BOTH_WAYS(processed_already),
		BOTH_WAYS(newest_is_in_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
