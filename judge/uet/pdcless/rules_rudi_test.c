/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/rules_rudi_test.c -- tests RUDI with sequences that obey
 * each rule and sequences that violate it, in complete captures and in those
 * with gaps.
 */
#include "judge/uet/pdcless/pdcless_lab_test.h"
#include "judge/uet/pdcless/rudi.h"

static void rudi_rules_test_answered(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = 7);
	resp(lab, .id = 7);
	rudi(lab, .id = 3, .opcode = SES_READ);
	resp(lab, .id = 3, .next = PDS_NEXT_RESPONSE_DATA);
	none(lab);
	looked(lab, UET_ACK_12, DST, B);
	looked(lab, UET_ACK_01, DST, B);
	looked(lab, UET_ACK_02, DST, B);
	looked(lab, UET_ACK_03, DST, B);
	looked(lab, UET_ENC_50, SRC, A);
	looked(lab, UET_ENC_50, DST, B);
	looked(lab, UET_ENC_34, SRC, A);
	looked(lab, UET_ENC_32, DST, B);
	looked(lab, MODE_RUDI_2, SRC, A);
	looked(lab, MODE_RUDI_4, DST, B);
	looked(lab, MODE_RUDI_6, SRC, A);
	looked(lab, UET_SES_19, DST, B);
	looked(lab, UET_SES_21, DST, B);
}

static void reserved_bits(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .rsvd = 1);
	breaks(lab, UET_ENC_50, SRC, A);
	resp(lab, .rsvd = 0x8000);
	breaks(lab, UET_ENC_50, DST, B);
	rudi(lab, .id = 9, .flags = 0x20); /* sets m in a request */
	breaks(lab, UET_ENC_34, SRC, A);
	resp(lab, .id = 9, .flags = 0x40);
	breaks(lab, UET_ENC_34, DST, B);
	uud(lab, .rsvd = 1);
	breaks(lab, UET_ENC_51, SRC, A);
	uud(lab, .flags = 0x10); /* sets retx in a datagram */
	breaks(lab, UET_ENC_34, SRC, A);
}

/* Bulk RUDI keeps away from the class of RUD, if a class is declared for it. */
static void bulk_has_its_class(void **state)
{
	struct lab *lab = *state;
	struct judge_conf conf = lab->conf;

	rudi(lab, .id = 1, .no_eom = 1, .length = 2048);
	none(lab);
	conf.dscp_bulk = 10;
	judge_declare(lab->j, &conf);
	rudi(lab, .id = 2);
	none(lab);
	rudi(lab, .id = 3, .no_eom = 1, .length = 2048);
	breaks(lab, MODE_TC_1, SRC, A);
	lab->d.dscp = 10;
	rudi(lab, .id = 4, .no_eom = 1, .length = 2048);
	none(lab);
	lab->d.dscp = 0;
}

static void not_idempotent(void **state)
{
	struct lab *lab = *state;
	const struct {
		uint8_t opcode, amo;
		bool wrong;
	} ops[] = {
		{SES_WRITE, 0, false},
		{SES_ATOMIC, 0x01, false}, /* MAX */
		{SES_ATOMIC, 0x0d, false}, /* CSWAP: may be idempotent */
		{SES_ATOMIC, 0xe0, false}, /* a vendor's */
		{SES_FETCHING_ATOMIC, 0x0b, false},
		{SES_SEND, 0, true},
		{SES_DATAGRAM_SEND, 0, true},
		{SES_TAGGED_SEND, 0, true},
		{SES_DEFERRABLE_SEND, 0, true},
		{SES_DEFERRABLE_TSEND, 0, true},
		{SES_DEFERRABLE_RTR, 0, false},
		{SES_READ, 0, false},
		{SES_NO_OP, 0, false},
		{SES_MSG_ERROR, 0, false},
		{SES_ATOMIC, 0x02, true}, /* SUM */
		{SES_FETCHING_ATOMIC, 0x0a, true},
	};

	for (uint32_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		rudi(lab, .id = 100 + i, .opcode = ops[i].opcode,
		     .amo = ops[i].amo);
		if (ops[i].wrong)
			breaks(lab, MODE_RUDI_6, SRC, A);
		none(lab);
	}
}

static void rudi_rules_test_id_taken(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	rudi(lab, .data = 1);
	breaks(lab, MODE_RUDI_2, SRC, A);
}

/* After its response, or after the source may have given up, an id is free. */
static void id_free_again(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	resp(lab, .id = ID);
	rudi(lab, .data = 1);
	resp(lab, .id = ID);
	rudi(lab, .data = 1); /* the same id, another request */
	resp(lab, .id = ID);
	rudi(lab, .data = 2);
	nt(lab, .code = NACK_EXP_NACK_FATAL);
	rudi(lab, .data = 3);
	lab->now += RTO;
	rudi(lab, .data = 4);
	none(lab);
}

static void gaps_hide_reuse(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	rudi(lab, .data = 1);
	rudi(lab, .id = 8, .retx = 1);
	rudi(lab, .id = 9);
	rudi(lab, .id = 9);
	resp(lab, .id = 77);
	resp(lab, .id = 9, .entropy = 5);
	nt(lab, .id = 78);
	none(lab);
}

static void rudi_rules_test_repeat(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	lab->now += RTO;
	rudi(lab, .retx = 1, .entropy = 9);
	lab->now += 2 * RTO;
	rudi(lab, .retx = 1);
	resp(lab, .retx = 1, .entropy = 9);
	none(lab);
	looked(lab, UET_RTX_07, SRC, A);
	looked(lab, UET_RTX_08, SRC, A);
}

static void rudi_rules_test_repeat_unmarked(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	lab->now += RTO;
	rudi(lab, .id = ID);
	breaks(lab, UET_RTX_07, SRC, A);
}

static void network_copy(void **state)
{
	/* captured at the target, after the network */
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	rudi(lab, .id = ID);
	resp(lab, .id = ID);
	resp(lab, .id = ID);
	none(lab);
	resp(lab, .id = ID);
	breaks(lab, PDS_SVC_5, DST, B);
}

static void rudi_rules_test_first_marked(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .retx = 1);
	breaks(lab, UET_RTX_07, SRC, A);
}

static void rudi_rules_test_repeat_changed(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	lab->now += RTO;
	rudi(lab, .retx = 1, .data = 1);
	breaks(lab, UET_RTX_07, SRC, A);
}

/*
 * At the target, other bytes under an id are a changed repeat only while the
 * source may still wait for the answer: then it may use the id anew.
 */
static void repeat_changed_in_time(void **state)
{
	struct lab *lab = *state;
	const vspan wait = pkt_rto(&lab->conf, 0);

	for (unsigned i = 0; i < 2; i++) {
		rudi(lab, .id = ID + i);
		lab->now += wait - US - !i;
		rudi(lab, .id = ID + i, .retx = 1, .data = 1);
		if (!i)
			breaks(lab, UET_RTX_07, SRC, A);
		none(lab);
	}
}

static void rudi_rules_test_repeat_answered(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	resp(lab, .id = ID);
	lab->now += RTO;
	rudi(lab, .retx = 1);
	breaks(lab, UET_RTX_08, SRC, A);
}

static void rudi_rules_test_repeat_early(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	lab->now += RTO / 2;
	rudi(lab, .retx = 1);
	assert_true(lab->found[0].timing);
	breaks(lab, UET_RTX_08, SRC, A);
	lab->now += RTO; /* the RTO doubles */
	rudi(lab, .retx = 1);
	breaks(lab, UET_RTX_08, SRC, A);
}

static void rudi_rules_test_repeat_too_often(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	for (unsigned i = 0; i < 5; i++) {
		lab->now += RTO << i;
		rudi(lab, .retx = 1);
	}
	none(lab);
	lab->now += RTO << 5;
	rudi(lab, .retx = 1);
	breaks(lab, UET_RTX_08, SRC, A);
}

static void rudi_rules_test_nacked(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	nt(lab, .id = ID);
	lab->now += 2 * MS;
	rudi(lab, .retx = 1);
	nt(lab, .retx = 1, .code = NACK_TRIMMED);
	rudi(lab, .retx = 1);
	resp(lab, .retx = 1);
	none(lab);
	looked(lab, UET_ENC_45, DST, B);
	looked(lab, UET_NACK_07, SRC, A);
	looked(lab, UET_RTX_01, DST, B);
	looked(lab, UET_RTX_10, DST, B);
}

static void rudi_rules_test_nack_too_soon(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	nt(lab, .id = ID);
	rudi(lab, .retx = 1);
	breaks(lab, UET_RTX_03, SRC, A);
	nt(lab, .retx = 1, .code = NACK_NO_RESOURCE);
	rudi(lab, .retx = 1);
	breaks(lab, UET_RTX_03, SRC, A);
}

static void rudi_rules_test_nack_too_often(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	for (unsigned i = 0; i < 5; i++) {
		nt(lab, .retx = i > 0, .code = NACK_TRIMMED);
		rudi(lab, .retx = 1);
	}
	none(lab);
	nt(lab, .retx = 1, .code = NACK_TRIMMED);
	rudi(lab, .retx = 1);
	breaks(lab, UET_RTX_08, SRC, A);
}

static void rudi_rules_test_nack_names(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	nt(lab, .spdcid = 1);
	breaks(lab, UET_ENC_45, DST, B);
	nt(lab, .id = 1);
	breaks(lab, UET_ENC_45, DST, B);
}

static void nack_again(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	nt(lab, .id = ID);
	nt(lab, .id = ID);
	breaks(lab, UET_RTX_01, DST, B);
}

static void rudi_rules_test_nack_of_a_pdc(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	nt(lab, .code = NACK_CLOSING);
	assert_string_equal(lab->found[0].actual, "nack_code=0x10 nt=1");
	breaks(lab, UET_NACK_10, DST, B);
	rudi(lab, .id = 2);
	nt(lab, .id = 2, .code = NACK_NO_PDC_AVAIL);
	breaks(lab, UET_NACK_04, DST, B);
}

static void nack_as_of_a_psn(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	nt(lab, .nt0 = 1);
	breaks(lab, UET_ENC_45, DST, B);
}

static void response_of_nothing(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	resp(lab, .id = ID + 1);
	breaks(lab, UET_ACK_12, DST, B);
}

static void rudi_rules_test_echoes(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .ce = 1);
	resp(lab, .id = ID);
	breaks(lab, UET_ACK_02, DST, B);
	rudi(lab, .id = 2);
	resp(lab, .id = 2, .m = 1);
	breaks(lab, UET_ACK_02, DST, B);
	rudi(lab, .id = 3);
	resp(lab, .id = 3, .retx = 1);
	breaks(lab, UET_ACK_03, DST, B);
	rudi(lab, .id = 4);
	resp(lab, .id = 4, .entropy = 0x4321);
	breaks(lab, UET_ACK_01, DST, B);
	rudi(lab, .id = 5);
	resp(lab, .id = 5, .mid = 6);
	breaks(lab, UET_SES_19, DST, B);
	rudi(lab, .id = 6);
	nt(lab, .id = 6, .m = 1);
	breaks(lab, UET_ACK_02, DST, B);
}

/* If a request has more paths than are stored, any path is accepted. */
static void many_paths(void **state)
{
	struct lab *lab = *state; /* captured at the target */

	for (uint16_t i = 0; i < 6; i++)
		rudi(lab, .entropy = (uint16_t)(100 + i));
	resp(lab, .entropy = 105);
	none(lab);
}

static void response_header(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	resp(lab, .next = PDS_NEXT_REQUEST_STD);
	breaks(lab, UET_ENC_32, DST, B);
	rudi(lab, .id = 2, .next = PDS_NEXT_RESPONSE);
	breaks(lab, UET_ENC_30, SRC, A);
}

/* An ACK whose PSN is the pkt_id, with any PDCIDs. */
static void answered_by_ack(void **state)
{
	struct lab *lab = *state;
	const uint16_t pdcids[] = {0, 0x0b0b};

	for (unsigned i = 0; i < 2; i++) {
		struct sent ack = {.psn = ID + i,
				   .cack = ID + i,
				   .spdcid = pdcids[i],
				   .dpdcid = pdcids[i],
				   .no_spdcid = !i,
				   .no_dpdcid = !i};

		lab->n = 0;
		rudi(lab, .id = ID + i);
		lab_answer(lab, B, ack);
		assert_true(lab->n >= 1);
		assert_int_equal(lab->found[lab->n - 1].req, REQ_MODE_RUDI_4);
	}
}

static void rudi_rules_test_end(struct lab *lab)
{
	lab->n += judge_end(lab->j, lab->now, lab->found, 64);
}

static void rudi_rules_test_never_answered(void **state)
{
	struct lab *lab = *state; /* captured at the target */

	rudi(lab, .id = ID);
	resp(lab, .id = ID);
	rudi(lab, .id = 2);
	nt(lab, .id = 2);
	rudi(lab, .id = 3);
	lab->now += RTO;
	rudi_rules_test_end(lab);
	none(lab);
	lab->now += 2 * RTO;
	rudi_rules_test_end(lab);
	breaks(lab, MODE_RUDI_4, DST, B);
	rudi_rules_test_end(lab);
	none(lab);
}

static void never_repeated(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab *lab = *state;

	judge_free(lab->j);
	conf.here = ip_addr_v4(0x0a000001);
	lab_test_lab_open(lab, &conf);
	rudi(lab, .id = ID);
	resp(lab, .id = ID);
	rudi(lab, .id = 2);
	lab->now += 5 * RTO;
	rudi_rules_test_end(lab);
	breaks(lab, UET_RTX_08, SRC, A);
}

static void gaps_hide_absence(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	lab->now += VSPAN_S;
	rudi_rules_test_end(lab);
	none(lab);
}

/*
 * The table is small: the judge does not report answers to replaced requests.
 */
static void rudi_rules_test_forgotten(void **state)
{
	struct lab *lab = *state;

	for (uint32_t i = 1; i < 5000; i++) {
		rudi(lab, .id = i);
		resp(lab, .id = i);
	}
	resp(lab, .id = 1);
	nt(lab, .id = 2);
	lab->now += RTO;
	rudi(lab, .id = 3, .retx = 1);
	none(lab);
	judge_reset(lab->j);
	resp(lab, .id = 4999);
	breaks(lab, UET_ACK_12, DST, B);
}

/* A judge that follows two requests does not judge what answers others. */
static void follows_as_many_as_declared(void **state)
{
	struct lab lab = {0};
	struct judge_conf conf;

	(void)state;
	told_begin("follows_as_many_as_declared");
	judge_conf_default(&conf);
	conf.complete = true;
	conf.rudi_max = 2;
	lab_test_lab_open(&lab, &conf);
	resp(&lab, .id = 9);
	breaks(&lab, UET_ACK_12, DST, B);
	for (uint32_t i = 1; i < 4; i++)
		rudi(&lab, .id = i);
	resp(&lab, .id = 1);
	none(&lab);
	lab_test_lab_close(&lab);
}

/* A request that the capture shows changed is known by its id. */
static void sent_otherwise(void **state)
{
	struct lab *lab = *state;

	lab->copy = true;
	rudi(lab, .id = ID, .data = 1);
	lab->copy = false;
	resp(lab, .id = ID);
	none(lab);
	resp(lab, .id = ID + 1);
	breaks(lab, UET_ACK_12, DST, B);
}

/*
 * The repeat counts as the packet that was sent, even if the capture showed the
 * first one changed.
 */
static void repeat_of_sent_otherwise(void **state)
{
	struct lab *lab = *state;

	lab->copy = true;
	rudi(lab, .id = ID, .data = 1);
	lab->copy = false;
	lab->now += RTO;
	rudi(lab, .id = ID, .retx = 1);
	resp(lab, .id = ID);
	none(lab);
}

static void rudi_rules_test_beside_a_pdc(void **state)
{
	struct lab *lab = *state;

	established(lab);
	rudi(lab, .id = START + 1);
	request(lab, A, .psn = 334, .clear = 333, .ar = 1);
	resp(lab, .id = START + 1);
	answer(lab, B, .psn = 334, .cack = 334);
	uud(lab, .data = 0);
	request(lab, A, .psn = 335, .clear = 334, .ar = 1);
	answer(lab, B, .psn = 335, .cack = 335);
	none(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		COMPLETE(rudi_rules_test_answered),
		COMPLETE(reserved_bits),
		COMPLETE(bulk_has_its_class),
		COMPLETE(not_idempotent),
		COMPLETE(rudi_rules_test_id_taken),
		COMPLETE(id_free_again),
		GAPS(gaps_hide_reuse),
		COMPLETE(rudi_rules_test_repeat),
		COMPLETE(rudi_rules_test_repeat_unmarked),
		AT_B(network_copy),
		COMPLETE(rudi_rules_test_first_marked),
		COMPLETE(rudi_rules_test_repeat_changed),
		AT_B(repeat_changed_in_time),
		COMPLETE(rudi_rules_test_repeat_answered),
		COMPLETE(rudi_rules_test_repeat_early),
		COMPLETE(rudi_rules_test_repeat_too_often),
		COMPLETE(rudi_rules_test_nacked),
		COMPLETE(rudi_rules_test_nack_too_soon),
		COMPLETE(rudi_rules_test_nack_too_often),
		COMPLETE(rudi_rules_test_nack_names),
		COMPLETE(nack_again),
		COMPLETE(rudi_rules_test_nack_of_a_pdc),
		COMPLETE(nack_as_of_a_psn),
		COMPLETE(response_of_nothing),
		COMPLETE(rudi_rules_test_echoes),
		AT_B(many_paths),
		COMPLETE(response_header),
		COMPLETE(answered_by_ack),
		AT_B(rudi_rules_test_never_answered),
		COMPLETE(never_repeated),
		GAPS(gaps_hide_absence),
		COMPLETE(rudi_rules_test_forgotten),
		cmocka_unit_test(follows_as_many_as_declared),
		COMPLETE(sent_otherwise),
		COMPLETE(repeat_of_sent_otherwise),
		COMPLETE(rudi_rules_test_beside_a_pdc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
