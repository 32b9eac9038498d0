/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/form/rules_wire_test.c -- tests reserved bits and values one at a
 * time.
 */
#include "judge/core/lab_test.h"

/* Changes the last packet, and sends it as the next one. */
static void wire_rules_test_again(struct lab *lab, size_t at, uint8_t value,
				  unsigned from)
{
	lab->d.data[at] = value;
	lab_push(lab, from);
}

static void reserved_flags(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_ENC_34, SRC, A);
	looked(lab, UET_ENC_34, DST, B);
	wire_rules_test_again(lab, 1, lab->d.data[1] | 0x40, B);
	breaks(lab, UET_ENC_34, DST, B);
	wire_rules_test_again(lab, 1, (lab->d.data[1] & 0xbf) | 1, B);
	breaks(lab, UET_ENC_34, DST, B);
}

static void syn_overlay(void **state)
{
	struct lab *lab = *state;

	/* the missing answers of B are not tested here */
	lab->conf.here = lab->addr[A];
	judge_declare(lab->j, &lab->conf);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	none(lab);
	looked(lab, UET_PDC_02, SRC, A);
	lab->d.data[1] |= 0x10; /* retx, so that the PSN may repeat */
	lab->now += RTO;
	wire_rules_test_again(lab, 10, 0x20, A);
	breaks(lab, UET_PDC_02, SRC, A);
	lab->now += 2 * RTO;
	wire_rules_test_again(lab, 10, 0x80,
			      A); /* use_rsv_pdc in one reading */
	lab->now += 4 * RTO;
	/* use_rsv_pdc in the other reading */
	wire_rules_test_again(lab, 10, 0x10, A);
	none(lab);
}

static void ack_cc_values(void **state)
{
	struct lab *lab = *state;

	established(lab);
	answer(lab, B, .psn = 333, .cack = 333, .type = PDS_ACK_CC, .mpr = 1);
	none(lab);
	looked(lab, UET_ENC_40, DST, B);
	wire_rules_test_again(lab, pds_ack_len, 0x20, B);
	breaks(lab, UET_ENC_40, DST, B);
	wire_rules_test_again(lab, pds_ack_len, 0x10, B);
	none(lab);
	looked(lab, UET_ENC_42, DST, B);
	wire_rules_test_again(lab, pds_ack_len + pds_ack_cc_len + 4, 1, B);
	breaks(lab, UET_ENC_42, DST, B);
}

static void nack_next_hdr(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_RCVD_SES_PROCG);
	none(lab);
	looked(lab, UET_ENC_44, DST, B);
	wire_rules_test_again(lab, 0, PDS_NACK << 3 | 2, B);
	breaks(lab, UET_ENC_44, DST, B);
}

static void ses_values_of_a_request(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_SES_02, SRC, A);
	looked(lab, UET_SES_03, SRC, A);
	looked(lab, UET_SES_27, SRC, A);
	request(lab, A, .psn = 334, .clear = 333, .opcode = 0x10);
	breaks(lab, UET_SES_27, SRC, A);
	request(lab, A, .psn = 335, .clear = 333, .opcode = SES_WRITE);
	none(lab);
}

static void wire_rules_test_ses_version(void **state)
{
	struct lab *lab = *state;

	established(lab);
	wire_rules_test_again(lab, pds_ack_len + 1, 0x40, B);
	breaks(lab, UET_SES_02, DST, B);
}

static void ses_values_of_a_response(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_SES_18, DST, B);
	looked(lab, UET_SES_30, DST, B);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334, .opcode = 4);
	assert_string_equal(lab->found[0].actual, "opcode=0x04");
	breaks(lab, UET_SES_18, DST, B);
	request(lab, A, .psn = 335, .clear = 334);
	answer(lab, B, .psn = 335, .cack = 335, .rc = 0x25);
	breaks(lab, UET_SES_30, DST, B);
	request(lab, A, .psn = 336, .clear = 335);
	answer(lab, B, .psn = 336, .cack = 336, .opcode = 0x2f);
	breaks(lab, UET_SES_18, DST, B);
	request(lab, A, .psn = 337, .clear = 336);
	answer(lab, B, .psn = 337, .cack = 337, .opcode = 0x30);
	none(lab);
}

static void payload_above_the_mtu(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .extra = 8184);
	none(lab);
	looked(lab, UET_ENC_18, SRC, A);
	request(lab, A, .psn = 335, .clear = 333, .extra = 8185);
	breaks(lab, UET_ENC_18, SRC, A);
}

/* Sends the bytes of an ACK or NACK, and |n| more. */
static void wire_rules_test_longer(struct lab *lab, uint8_t type, size_t at,
				   size_t n, uint8_t first)
{
	memmove(lab->d.data + at + n, lab->d.data + at, lab->d.len - at);
	memset(lab->d.data + at, 0, n);
	lab->d.data[0] = (uint8_t)(type << 3 | (lab->d.data[0] & 7));
	lab->d.data[at] = first;
	lab->d.len += n;
	lab_push(lab, B);
}

static void ccx_types(void **state)
{
	struct lab *lab = *state;

	established(lab);
	wire_rules_test_longer(lab, PDS_ACK_CCX, pds_ack_len, pds_ack_ccx_len,
			       0xe0);
	lab->n = 0; /* ignores findings about mpr = 0 */
	looked(lab, UET_ENC_43, DST, B);
	lab->d.data[pds_ack_len + 1] = 8; /* mpr */
	wire_rules_test_again(lab, pds_ack_len, 0xf0, B);
	none(lab);
	wire_rules_test_again(lab, pds_ack_len, 0xd0, B);
	breaks(lab, UET_ENC_43, DST, B);
}

static void nccx_types(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_RCVD_SES_PROCG);
	wire_rules_test_longer(lab, PDS_NACK_CCX, pds_nack_len,
			       pds_nack_ccx_len, 0xe0);
	none(lab);
	looked(lab, UET_ENC_48, DST, B);
	wire_rules_test_again(lab, pds_nack_len, 0x10, B);
	breaks(lab, UET_ENC_48, DST, B);
}

static void reserved_bits_of_a_request(void **state)
{
	static const size_t at[] = {0, 8, 10};
	struct lab *lab = *state;

	established(lab);
	for (uint32_t i = 0; i < 3; i++) {
		lab->muted = true;
		request(lab, A, .psn = 334 + i, .clear = 333);
		lab->muted = false;
		lab->d.data[pds_req_len + at[i]] |= 0x80;
		lab_push(lab, A);
		breaks(lab, UET_SES_03, SRC, A);
	}
}

static void trailer_and_form(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .native = 1,
		.crc = DGRAM_CRC_RIGHT);
	answer(lab, B, .psn = 333, .cack = 333, .native = 1,
	       .crc = DGRAM_CRC_SWAPPED);
	none(lab);
	looked(lab, UET_ENC_20, SRC, A);
	looked(lab, UET_ENC_20, DST, B);
	looked(lab, UET_ENC_08, DST, B);
	request(lab, A, .psn = 334, .clear = 333, .native = 1,
		.crc = DGRAM_CRC_WRONG, .length = 8, .extra = 4);
	breaks(lab, UET_ENC_20, SRC, A);
	request(lab, A, .psn = 335, .clear = 333, .native = 1,
		.crc = DGRAM_CRC_WRONG);
	breaks(lab, UET_ENC_19, SRC, A);
	answer(lab, B, .psn = 334, .cack = 334);
	breaks(lab, UET_ENC_08, DST, B);
}

static void form_of_udp(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_ENC_07, DST, B);
	request(lab, A, .psn = 334, .clear = 333, .native = 1);
	breaks(lab, UET_ENC_07, SRC, A);
}

static void headers_around(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_ENC_02, SRC, A);
	looked(lab, UET_ENC_03, DST, B);
	request(lab, A, .psn = 334, .clear = 333, .checksum = 0xffff);
	breaks(lab, UET_ENC_03, SRC, A);
	answer(lab, B, .psn = 334, .cack = 334, .dport = 51000);
	breaks(lab, UET_ENC_02, DST, B);
	looked(lab, UET_ENC_09, SRC, A);
	request(lab, A, .psn = 335, .clear = 334, .no_df = 1);
	breaks(lab, UET_ENC_09, SRC, A);
}

static void protocol_around(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .native = 1);
	answer(lab, B, .psn = 333, .cack = 333, .native = 1);
	none(lab);
	looked(lab, UET_ENC_05, SRC, A);
	looked(lab, UET_ENC_05, DST, B);
	answer(lab, B, .psn = 333, .cack = 333, .native = 1, .proto = 254);
	breaks(lab, UET_ENC_05, DST, B);
}

static void codepoints(void **state)
{
	struct lab *lab = *state;

	established(lab); /* not declared: not judged */
	lab->conf.dscp_known = true;
	lab->conf.dscp_control = 46;
	judge_declare(lab->j, &lab->conf);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334, .dscp = 46);
	/* a codepoint of another traffic class */
	request(lab, A, .psn = 335, .clear = 334, .dscp = 10);
	nack(lab, B, .psn = 335, .code = NACK_NO_RESOURCE, .dscp = 46);
	none(lab);
	looked(lab, UET_ENC_12, SRC, A);
	looked(lab, UET_ENC_12, DST, B);
	request(lab, A, .psn = 336, .clear = 334, .dscp = 46);
	breaks(lab, UET_ENC_12, SRC, A);
	answer(lab, B, .psn = 336, .cack = 334);
	breaks(lab, UET_ENC_12, DST, B);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 336, .ar = 1);
	breaks(lab, UET_ENC_12, SRC, A);
}

/*
 * In an answer, only read data in an ACK may have a codepoint that switches
 * trim.
 */
static void codepoint_of_read_data(void **state)
{
	struct lab *lab = *state;

	lab->conf.dscp_known = true;
	lab->conf.dscp_data = 10;
	lab->conf.dscp_control = 46;
	judge_declare(lab->j, &lab->conf);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .dscp = 10);
	answer(lab, B, .psn = 333, .cack = 333, .dscp = 46);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4,
		.dscp = 10);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR,
	       .next = PDS_NEXT_RESPONSE_DATA, .read_mid = 4, .dscp = 10);
	request(lab, A, .psn = 335, .clear = 334, .opcode = SES_READ,
		.dscp = 10, .next = PDS_NEXT_REQUEST_SMALL);
	answer(lab, B, .psn = 335, .cack = 334, .req = PDS_REQ_CLEAR,
	       .next = PDS_NEXT_RESPONSE_DATA_SMALL, .payload = 335,
	       .dscp = 10);
	none(lab);
	request(lab, A, .psn = 336, .clear = 335, .opcode = SES_READ, .mid = 6,
		.dscp = 10);
	answer(lab, B, .psn = 336, .cack = 335, .req = PDS_REQ_CLEAR,
	       .next = PDS_NEXT_RESPONSE_DATA, .read_mid = 6, .dscp = 11);
	breaks(lab, UET_ENC_12, DST, B);
	request(lab, A, .psn = 337, .clear = 336, .dscp = 10);
	answer(lab, B, .psn = 337, .cack = 337, .dscp = 10);
	breaks(lab, UET_ENC_12, DST, B);
	nack(lab, B, .psn = 337, .code = NACK_TRIMMED, .dscp = 10);
	breaks(lab, UET_ENC_12, DST, B);
}

static void wire_rules_test_ecn_capable(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_ENC_11, SRC, A);
	answer(lab, B, .psn = 333, .cack = 333, .no_ect = 1);
	none(lab);
	request(lab, A, .psn = 334, .clear = 333, .no_ect = 1);
	breaks(lab, UET_ENC_11, SRC, A);
}

/* Under version 1.0.2 TRIMMED_ACK is a defined code. */
static void trimmed_ack_by_version(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	for (unsigned v = UET_1_0_1; v <= UET_1_0_3; v++) {
		conf.version = (enum uet_version)v;
		lab_test_lab_open(&lab, &conf);
		established(&lab);
		nack(&lab, B, .psn = 333, .code = NACK_TRIMMED_ACK);
		if (v == UET_1_0_3)
			breaks(&lab, UET_NACK_03, DST, B);
		else
			none(&lab);
		lab_test_lab_close(&lab);
	}
}

/* A network may have cleared the ECN field, also for packets without a PDC. */
static void ecn_is_not_known_afar(void **state)
{
	(void)state;
	for (unsigned remote_vantage = 0; remote_vantage < 2;
	     remote_vantage++) {
		struct judge_conf conf = lab_test_lab_conf();
		struct lab lab;

		conf.remote_vantage = remote_vantage;
		lab_test_lab_open(&lab, &conf);
		request(&lab, A, .psn = 333, .clear = 332, .no_dpdcid = 1);
		breaks(&lab, UET_PDC_15, SRC, A);
		request(&lab, A, .psn = 333, .clear = 332, .no_dpdcid = 1,
			.no_ect = 1);
		assert_int_equal(lab.n, remote_vantage ? 1 : 2);
		lab_test_lab_close(&lab);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ecn_is_not_known_afar),
		BOTH_WAYS(reserved_flags),
		BOTH_WAYS(syn_overlay),
		BOTH_WAYS(ack_cc_values),
		BOTH_WAYS(nack_next_hdr),
		BOTH_WAYS(ccx_types),
		BOTH_WAYS(nccx_types),
		BOTH_WAYS(reserved_bits_of_a_request),
		BOTH_WAYS(ses_values_of_a_request),
		BOTH_WAYS(wire_rules_test_ses_version),
		BOTH_WAYS(ses_values_of_a_response),
		BOTH_WAYS(payload_above_the_mtu),
		BOTH_WAYS(trailer_and_form),
		BOTH_WAYS(form_of_udp),
		BOTH_WAYS(codepoints),
		BOTH_WAYS(codepoint_of_read_data),
		BOTH_WAYS(wire_rules_test_ecn_capable),
		BOTH_WAYS(headers_around),
		BOTH_WAYS(protocol_around),
		cmocka_unit_test(trimmed_ack_by_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
