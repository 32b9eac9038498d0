/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_cc_test.c -- tests the congestion control fields.
 */
#include "judge/core/lab_test.h"
#include "judge/core/state.h"

#define NOMINAL (12 + 44 + 8 + 8 + 40) /* bytes of a lab's request */

/* Sends an ACK_CC of B, with default values for members that are not tested. */
#define told(lab, ...) answer(lab, B, .type = PDS_ACK_CC, .mpr = 8, __VA_ARGS__)

static void cc_rules_test_mpr_zero(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334, .type = PDS_ACK_CC);
	breaks(lab, UET_ACK_14, DST, B);
	told(lab, .psn = 334, .cack = 334);
	none(lab);
}

/* Under version 1.0.3, mpr = 0 stands for a range that both ends agreed on. */
static void mpr_zero_later(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	conf.version = UET_1_0_3;
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	answer(&lab, B, .psn = 333, .cack = 333, .type = PDS_ACK_CC);
	none(&lab);
	lab_test_lab_close(&lab);
}

static void send_many(struct lab *lab, unsigned from, unsigned to)
{
	for (unsigned psn = from; psn <= to; psn++)
		request(lab, A, .psn = psn, .clear = 333, .extra = 1016,
			.length = 1024);
}

static void bytes_follow_what_came(void **state)
{
	struct lab *lab = *state;

	established(lab);
	told(lab, .psn = 333, .cack = 333, .bytes = 0xfffffe);
	send_many(lab, 334, 341);
	told(lab, .psn = 341, .cack = 341,
	     .bytes = (0xfffffe + (8 * (NOMINAL + 1016)) / 256) & 0xffffff);
	none(lab);
	looked(lab, UET_ACK_09, DST, B);
	looked(lab, UET_ACK_37, DST, B);
}

static void bytes_too_many(void **state)
{
	struct lab *lab = *state;

	established(lab);
	told(lab, .psn = 333, .cack = 333, .bytes = 1);
	send_many(lab, 334, 341);
	send_many(lab, 334, 341); /* retransmissions add nothing */
	lab->n = 0;
	told(lab, .psn = 341, .cack = 341,
	     .bytes = 1 + 16 * (NOMINAL + 1016) / 256);
	/* UET-ACK-37 has a finding besides UET-ACK-09 */
	assert_int_equal(lab->n, 2);
	assert_int_equal(lab->found[0].req, REQ_UET_ACK_09);
	assert_int_equal(lab->found[1].req, REQ_UET_ACK_37);
}

static void bytes_too_few(void **state)
{
	struct lab *lab = *state;

	established(lab);
	told(lab, .psn = 333, .cack = 333, .bytes = 1);
	send_many(lab, 334, 341);
	told(lab, .psn = 341, .cack = 341, .bytes = 34);
	none(lab);
	request(lab, A, .psn = 342, .clear = 341);
	told(lab, .psn = 342, .cack = 342, .bytes = 5);
	assert_true(lab->n >= 2); /* rcvd_bytes decreased as well */
	assert_int_equal(lab->found[0].req, REQ_UET_ACK_09);
}

/* Payload bytes alone meet UET-ACK-09; UET-ACK-37 requires nominal sizes. */
static void bytes_not_nominal(void **state)
{
	struct lab *lab = *state;

	established(lab);
	told(lab, .psn = 333, .cack = 333, .bytes = 1);
	send_many(lab, 334, 349);
	told(lab, .psn = 349, .cack = 349, .bytes = 1 + 64);
	none(lab);
	request(lab, A, .psn = 350, .clear = 349);
	told(lab, .psn = 350, .cack = 350, .bytes = 1 + 64);
	breaks(lab, UET_ACK_37, DST, B);
}

/* rcvd_bytes has 24 bits in units of 256 bytes: after 4 GiB it wraps. */
static void bytes_begin_anew(void **state)
{
	const uint64_t most = ((uint64_t)1 << 32) + 7 * 256;
	struct lab *lab = *state;
	struct cc_sums *sums;

	established(lab);
	told(lab, .psn = 333, .cack = 333, .bytes = 5);
	sums = &lab->j->table.flows[0].hot->dir[0].sums;
	sums->sent += most;
	sums->acked += most;
	sums->acked_payload += most;
	request(lab, A, .psn = 334, .clear = 333);
	told(lab, .psn = 334, .cack = 334, .bytes = 5 + 7);
	none(lab);
	request(lab, A, .psn = 335, .clear = 334);
	told(lab, .psn = 335, .cack = 335, .bytes = 5 + 20);
	assert_int_equal(lab->n, 2);
	assert_int_equal(lab->found[0].req, REQ_UET_ACK_09);
	assert_int_equal(lab->found[1].req, REQ_UET_ACK_37);
}

static void service_time(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += 9 * MS;
	told(lab, .psn = 334, .cack = 334, .service = 0xffff);
	none(lab);
	looked(lab, UET_ACK_08, DST, B);
	request(lab, A, .psn = 335, .clear = 334);
	lab->now += 2 * MS;
	told(lab, .psn = 335, .cack = 335, .service = 0xffff);
	assert_string_equal(lab->found[0].actual, "service_time=65535");
	breaks(lab, UET_ACK_08, DST, B);
}

/* Sends a request twice; an ACK follows the copy in 100 us. */
static void cc_rules_test_told_of_copy(struct lab *lab, uint32_t psn,
				       uint8_t retx, vspan service)
{
	request(lab, A, .psn = psn, .clear = psn - 1);
	lab->now += RTO;
	request(lab, A, .psn = psn, .clear = psn - 1, .retx = 1);
	lab->now += 100 * US;
	told(lab, .psn = psn, .cack = psn, .retx = retx,
	     .service = (uint16_t)(service / 128));
}

/*
 * "m, retx, EV and service_time belong to [the packet that triggered the ACK]"
 */
static void service_time_of_the_copy(void **state)
{
	struct lab *lab = *state;

	established(lab);
	cc_rules_test_told_of_copy(lab, 334, 1, 100 * US);
	cc_rules_test_told_of_copy(lab, 335, 0, 5 * MS);
	none(lab);
	cc_rules_test_told_of_copy(lab, 336, 1, 5 * MS);
	breaks(lab, UET_ACK_08, DST, B);
}

static void service_time_left_out(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	conf.answer_time = 2 * MS;
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333);
	lab.now += 6 * MS;
	answer(&lab, B, .psn = 334, .cack = 334, .type = PDS_ACK_CC, .mpr = 8,
	       .service = 5 * MS / 128);
	none(&lab);
	looked(&lab, UET_ACK_08, DST, B);
	request(&lab, A, .psn = 335, .clear = 334);
	lab.now += 6 * MS;
	answer(&lab, B, .psn = 335, .cack = 335, .type = PDS_ACK_CC, .mpr = 8,
	       .service = 1);
	breaks(&lab, UET_ACK_08, DST, B);
	/*
	 * "0xFFFF = >= 8.38848 ms": the time may be longer; 0: no time is given
	 */
	request(&lab, A, .psn = 336, .clear = 335);
	lab.now += 500 * MS;
	answer(&lab, B, .psn = 336, .cack = 336, .type = PDS_ACK_CC, .mpr = 8,
	       .service = 0xffff);
	request(&lab, A, .psn = 337, .clear = 336);
	lab.now += 500 * MS;
	answer(&lab, B, .psn = 337, .cack = 337, .type = PDS_ACK_CC, .mpr = 8);
	none(&lab);
	request(&lab, A, .psn = 338, .clear = 337);
	lab.now += 500 * MS;
	answer(&lab, B, .psn = 338, .cack = 338, .type = PDS_ACK_CC, .mpr = 8,
	       .service = 0xfffe);
	breaks(&lab, UET_ACK_08, DST, B);
	lab_test_lab_close(&lab);
}

static void cc_rules_test_ooo_count(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	told(lab, .psn = 333, .cack = 333, .ooo = 1);
	none(lab);
	looked(lab, UET_ACK_10, DST, B);
	told(lab, .psn = 333, .cack = 333, .ooo = 2);
	breaks(lab, UET_ACK_10, DST, B);
	request(lab, A, .psn = 335, .clear = 332); /* PSN 334 is lost */
	lab->n = 0;
	told(lab, .psn = 335, .cack = 333, .ooo = 2);
	none(lab);
	told(lab, .psn = 335, .cack = 333, .ooo = 1);
	breaks(lab, UET_ACK_10, DST, B);
	told(lab, .psn = 335, .cack = 333); /* not provided */
	none(lab);
	told(lab, .psn = 335, .cack = 333, .ooo = 9);
	breaks(lab, UET_ACK_10, DST, B);
}

/* The state of credits counts them in a field of its own. */
static void ooo_count_with_credit(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	told(lab, .psn = 333, .cack = 333, .granted = 1, .credit = 7, .ooo = 1);
	none(lab);
	told(lab, .psn = 333, .cack = 333, .granted = 1, .credit = 7, .ooo = 2);
	assert_string_equal(lab->found[0].actual, "ooo_count=1");
	breaks(lab, UET_ACK_10, DST, B);
	request(lab, A, .psn = 335, .clear = 332); /* PSN 334 is lost */
	lab->n = 0;
	told(lab, .psn = 335, .cack = 333, .granted = 1, .credit = 7, .ooo = 2);
	none(lab);
	told(lab, .psn = 335, .cack = 333, .granted = 1, .credit = 7, .ooo = 4);
	assert_string_equal(lab->found[0].actual, "ooo_count=3");
	assert_string_equal(lab->found[0].expected, "ooo_count=1..2");
	breaks(lab, UET_ACK_10, DST, B);
}

/* An answer that was sent when the gap closed may still count the gap. */
static void ooo_count_crosses(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	request(lab, A, .psn = 335, .clear = 332, .syn = 1);
	request(lab, A, .psn = 334, .clear = 332, .syn = 1);
	lab->n = 0;
	told(lab, .psn = 335, .cack = 333, .ooo = 2);
	none(lab);
	told(lab, .psn = 334, .cack = 335, .ooo = 1);
	none(lab);
	told(lab, .psn = 334, .cack = 335, .ooo = 2);
	breaks(lab, UET_ACK_10, DST, B);
}

/* The ACK was composed before 334 came, whose gap was the lowest. */
static void ooo_count_from_cack(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	request(lab, A, .psn = 335, .clear = 332, .syn = 1);
	request(lab, A, .psn = 336, .clear = 332, .syn = 1);
	request(lab, A, .psn = 338, .clear = 332, .syn = 1);
	request(lab, A, .psn = 334, .clear = 332, .syn = 1);
	lab->n = 0;
	told(lab, .psn = 338, .cack = 333, .ooo = 4);
	none(lab);
	told(lab, .psn = 338, .cack = 336, .ooo = 4);
	breaks(lab, UET_ACK_10, DST, B);
}

/* The answer to a packet that came at the same time may count the gap, too. */
static void ooo_count_at_one_time(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	request(lab, A, .psn = 335, .clear = 332, .syn = 1);
	lab->now -= US;
	request(lab, A, .psn = 334, .clear = 332, .syn = 1);
	lab->n = 0;
	told(lab, .psn = 335, .cack = 333, .ooo = 2);
	none(lab);
	told(lab, .psn = 334, .cack = 335, .ooo = 2);
	breaks(lab, UET_ACK_10, DST, B);
}

/* A PSN too far away for a slot leaves a gap below it. */
static void ooo_count_below_far(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333 + 1023, .clear = 332, .syn = 1);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	lab->n = 0;
	told(lab, .psn = 333, .cack = 333, .ooo = 2);
	none(lab);
}

/* A refused packet leaves a gap that only its target knows. */
static void ooo_count_over_refused(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	request(lab, A, .psn = 335, .clear = 333);
	told(lab, .psn = 335, .cack = 333, .ooo = 2);
	none(lab);
}

static void credit_goes_back(void **state)
{
	struct lab *lab = *state;

	established(lab);
	told(lab, .psn = 333, .cack = 333, .granted = 1, .credit = 0xfffff0);
	told(lab, .psn = 333, .cack = 333, .granted = 1, .credit = 5);
	none(lab);
	looked(lab, UET_ACK_38, DST, B);
	told(lab, .psn = 333, .cack = 333, .granted = 1, .credit = 4);
	breaks(lab, UET_ACK_38, DST, B);
}

/* lab_control adds lab.start to a payload; a Credit must have the raw value. */
static void credit(struct lab *lab, uint32_t payload)
{
	const struct sent s = {.psn = 0};
	struct pds_cp h = {.type = PDS_CP, .ctl_type = PDS_CP_CREDIT};
	struct cp_payload tail = {.payload = payload};

	lab_ids(lab, B, &s, &h.spdcid, &h.dpdcid);
	pds_cp_put(&h, lab->d.data);
	cp_payload_put(&tail, lab->d.data + pds_cp_len);
	lab->d.len = pds_cp_len + cp_payload_len;
	lab_link(lab, &s);
	lab_push(lab, B);
}

static struct judge_conf of_credit(void)
{
	struct judge_conf conf = lab_test_lab_conf();

	conf.credit = true;
	conf.credit_unit = 12 + 44 + 8 + 1016; /* a request of send_many() */
	conf.credit_init = 3;
	conf.credit_init_known = true;
	return conf;
}

/* 333 and the two requests behind it spend what the PDC began with. */
static void credit_is_enough(void **state)
{
	const struct judge_conf conf = of_credit();
	struct lab lab;

	(void)state;
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	send_many(&lab, 334, 335);
	none(&lab);
	looked(&lab, PDS_SVC_6, SRC, A);
	credit(&lab, 5 << 8);
	send_many(&lab, 336, 337);
	none(&lab);
	credit(&lab, 4 << 8); /* overtaken: it takes nothing back */
	lab.n = 0;
	told(&lab, .psn = 337, .cack = 337, .granted = 1, .credit = 6);
	send_many(&lab, 338, 338);
	none(&lab);
	lab_test_lab_close(&lab);
}

static void credit_is_exceeded(void **state)
{
	const struct judge_conf conf = of_credit();
	struct lab lab;

	(void)state;
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	send_many(&lab, 334, 335);
	none(&lab);
	send_many(&lab, 336, 336);
	breaks(&lab, PDS_SVC_6, SRC, A);
	credit(&lab, 5 << 8);
	send_many(&lab, 337, 337);
	none(&lab);
	send_many(&lab, 338, 338);
	breaks(&lab, PDS_SVC_6, SRC, A);
	lab_test_lab_close(&lab);
}

static void cc_rules_test_credit_of_cp(void **state)
{
	struct lab *lab = *state;

	established(lab);
	credit(lab, 100 << 8);
	credit(lab, 101 << 8);
	none(lab);
	looked(lab, UET_CP_07, DST, B);
	credit(lab, 99 << 8);
	breaks(lab, UET_ACK_38, DST, B);
	credit(lab, 102 << 8 | 1);
	breaks(lab, UET_CP_07, DST, B);
}

static void sacked_is_not_asked_for(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	told(lab, .psn = 335, .cack = 333, .sack = 3, .sack_psn = 334);
	none(lab);
	nack(lab, B, .psn = 334, .code = NACK_RCVR_INFER_LOSS);
	breaks(lab, UET_NACK_1A, DST, B);
}

static void sack_of_what_was_refused(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	nack(lab, B, .psn = 334, .code = NACK_NO_PKT_BUFFER);
	request(lab, A, .psn = 335, .clear = 333);
	told(lab, .psn = 335, .cack = 333, .sack = 2, .sack_psn = 334);
	none(lab);
	told(lab, .psn = 335, .cack = 333, .sack = 3, .sack_psn = 334);
	breaks(lab, UET_ACK_06, DST, B);
}

static void sack_below_the_start(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	told(lab, .psn = 333, .cack = 333, .sack = 2, .sack_psn = 332);
	none(lab);
	told(lab, .psn = 333, .cack = 333, .sack = 3, .sack_psn = 332);
	breaks(lab, UET_ACK_06, DST, B);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(cc_rules_test_mpr_zero),
		cmocka_unit_test(mpr_zero_later),
		BOTH_WAYS(bytes_follow_what_came),
		BOTH_WAYS(bytes_too_many),
		BOTH_WAYS(bytes_too_few),
		BOTH_WAYS(bytes_not_nominal),
		BOTH_WAYS(bytes_begin_anew),
		BOTH_WAYS(service_time),
		BOTH_WAYS(service_time_of_the_copy),
		cmocka_unit_test(service_time_left_out),
		BOTH_WAYS(cc_rules_test_ooo_count),
		BOTH_WAYS(ooo_count_with_credit),
		BOTH_WAYS(ooo_count_crosses),
		BOTH_WAYS(ooo_count_from_cack),
		BOTH_WAYS(ooo_count_at_one_time),
		BOTH_WAYS(ooo_count_below_far),
		BOTH_WAYS(ooo_count_over_refused),
		BOTH_WAYS(credit_goes_back),
		BOTH_WAYS(cc_rules_test_credit_of_cp),
		cmocka_unit_test(credit_is_enough),
		cmocka_unit_test(credit_is_exceeded),
		BOTH_WAYS(sacked_is_not_asked_for),
		BOTH_WAYS(sack_of_what_was_refused),
		BOTH_WAYS(sack_below_the_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
