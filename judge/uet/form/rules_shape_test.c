/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/form/rules_shape_test.c -- tests packets that are too short or too
 * long, and packets that do not parse.
 */
#include "judge/core/lab_test.h"

/* Sends the last packet again with |len| of its bytes. */
static void cut_to(struct lab *lab, size_t len, unsigned from)
{
	lab->d.len = len;
	lab_push(lab, from);
}

/* Sends the last packet again with |n| more bytes. */
static void shape_rules_test_longer(struct lab *lab, size_t n, unsigned from)
{
	memset(lab->d.data + lab->d.len, 0, n);
	lab->d.len += n;
	lab_push(lab, from);
}

static void header_is_complete(void **state)
{
	struct lab *lab = *state;

	lab_trims(lab);
	established(lab);
	none(lab);
	looked(lab, UET_ENC_01, SRC, A);
	looked(lab, UET_ENC_01, DST, B);
	cut_to(lab, pds_ack_len + 5, B);
	breaks(lab, UET_ENC_01, DST, B);
	cut_to(lab, pds_ack_len - 1, B);
	breaks(lab, UET_ENC_39, DST, B);
	request(lab, A, .psn = 334, .clear = 333);
	cut_to(lab, pds_req_len - 2, A);
	breaks(lab, UET_ENC_36, SRC, A);
}

static void answer_ends_with_its_header(void **state)
{
	struct lab *lab = *state;

	established(lab);
	shape_rules_test_longer(lab, 1, B);
	breaks(lab, UET_SES_18, DST, B);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_RCVD_SES_PROCG);
	none(lab);
	looked(lab, UET_ENC_44, DST, B);
	shape_rules_test_longer(lab, 1, B);
	breaks(lab, UET_ENC_44, DST, B);
	control(lab, A, .ctl = PDS_CP_PROBE, .ar = 1, .psn = 333);
	none(lab);
	looked(lab, UET_ENC_49, SRC, A);
	shape_rules_test_longer(lab, 2, A);
	breaks(lab, UET_ENC_49, SRC, A);
}

/* Sends 8 bytes of payload with different lengths in the headers. */
static void payload_is_as_told(void **state)
{
	struct lab *lab = *state;

	lab_trims(lab);
	established(lab);
	looked(lab, UET_SES_08, SRC, A);
	request(lab, A, .psn = 334, .clear = 333, .length = 9);
	breaks(lab, UET_SES_08, SRC, A);
	request(lab, A, .psn = 335, .clear = 333, .mid = 9, .more = 1,
		.length = 24);
	request(lab, A, .psn = 336, .clear = 333, .mid = 9, .rest = 1,
		.more = 1, .length = 24);
	none(lab);
	looked(lab, UET_SES_07, SRC, A);
	request(lab, A, .psn = 337, .clear = 333, .mid = 9, .rest = 1,
		.last = 1, .length = 24);
	cut_to(lab, lab->d.len - 1, A);
	assert_int_equal(lab->n, 2); /* and the same PSN has other bytes */
	lab->n = 0;
	request(lab, A, .psn = 338, .clear = 333,
		.next = PDS_NEXT_REQUEST_SMALL, .length = 7);
	breaks(lab, UET_SES_11, SRC, A);
	request(lab, A, .psn = 339, .clear = 333, .opcode = SES_READ,
		.length = 700);
	none(lab);
}

static void trailer_nobody_declared(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	for (unsigned off = 0; off < 2; off++) {
		conf.no_crc = off;
		lab_test_lab_open(&lab, &conf);
		established(&lab);
		shape_rules_test_longer(&lab, 4, B);
		if (off)
			breaks(&lab, UET_ENC_19, DST, B);
		none(&lab);
		lab_test_lab_close(&lab);
	}
}

static void type_is_not_reserved(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_ENC_29, SRC, A);
	lab->d.data[0] = 15 << 3;
	lab_push(lab, B);
	breaks(lab, UET_ENC_29, DST, B);
	lab->d.data[0] = 0;
	lab_push(lab, A);
	breaks(lab, UET_ENC_29, SRC, A);
	lab->d.data[0] = PDS_TSS << 3;
	lab_push(lab, A);
	none(lab);
}

/* A switch may trim a packet to any length. */
static void trimmed_is_no_fault(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	conf.dscp_trimmed = 26;
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .dscp = 26, .cut = 16);
	request(&lab, A, .psn = 335, .clear = 333, .dscp = 26, .cut = 8);
	none(&lab);
	lab_test_lab_close(&lab);
	conf.dscp_trimmed = 0; /* now any codepoint may mean trimmed */
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333, .dscp = 26, .cut = 16);
	none(&lab);
	lab_test_lab_close(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(header_is_complete),
		BOTH_WAYS(answer_ends_with_its_header),
		BOTH_WAYS(payload_is_as_told),
		BOTH_WAYS(type_is_not_reserved),
		cmocka_unit_test(trailer_nobody_declared),
		cmocka_unit_test(trimmed_is_no_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
