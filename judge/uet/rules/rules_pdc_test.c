/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_pdc_test.c -- tests identities, SYN, PSN spaces, window
 * and close.
 */
#include "judge/core/lab_test.h"

static void no_syn_before_the_target_is_known(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	none(lab);
	looked(lab, UET_PDC_24, SRC, A);
	request(lab, A, .psn = 334, .clear = 332, .dpdcid = 1);
	breaks(lab, UET_PDC_24, SRC, A);
}

static void syn_start_varies(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	request(lab, A, .psn = 334, .clear = 332, .syn = 1, .offset = 0xfff);
	breaks(lab, UET_PDC_24, SRC, A);
}

static void syn_goes_on_too_long(void **state)
{
	struct lab *lab = *state;

	established(lab);
	/* sent before the ACK arrived */
	request(lab, A, .psn = 334, .clear = 333, .syn = 1);
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
	lab->now += 2 * MS;
	request(lab, A, .psn = 335, .clear = 334, .syn = 1);
	breaks(lab, UET_PDC_25, SRC, A);
	request(lab, A, .psn = 336, .clear = 334);
	none(lab);
	looked(lab, UET_PDC_25, SRC, A);
}

static void syn_in_a_late_repeat(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	request(lab, A, .psn = 334, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .syn = 1, .retx = 1);
	breaks(lab, UET_RTX_05, SRC, A);
	lab->now += 2 * RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	none(lab);
	looked(lab, UET_RTX_05, SRC, A);
}

static void pdc_rules_test_wrong_dpdcid(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .dpdcid = 0x7777);
	breaks(lab, UET_PDC_25, SRC, A);
	request(lab, A, .psn = 334, .clear = 333, .spdcid = 0x7777);
	breaks(lab, UET_PDC_17, SRC, A);
	request(lab, A, .psn = 334, .clear = 333);
	none(lab);
	looked(lab, UET_PDC_17, SRC, A);
}

/* The ACK repeats both PDCIDs of the request instead of exchanging them. */
static void pdcids_of_an_ack_are_not_exchanged(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334, .spdcid = ID_A, .dpdcid = ID_B);
	breaks(lab, UET_PDC_17, DST, B);
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
	request(lab, A, .psn = 335, .clear = 334);
	none(lab);
}

static void wrong_pdcid_of_an_ack(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333, .dpdcid = 0x7777);
	breaks(lab, UET_PDC_17, DST, B);
	answer(lab, B, .psn = 333, .cack = 333);
	none(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334, .spdcid = 0x7777);
	breaks(lab, UET_PDC_17, DST, B);
	answer(lab, B, .psn = 334, .cack = 334, .dpdcid = 0x7777);
	breaks(lab, UET_PDC_17, DST, B);
	nack(lab, B, .psn = 334, .code = NACK_TRIMMED, .dpdcid = 0x7777);
	breaks(lab, UET_ENC_45, DST, B);
}

static void second_pdc_for_a_syn(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .retx = 1);
	answer(lab, B, .psn = 333, .cack = 333, .retx = 1);
	none(lab);
	looked(lab, UET_PDC_29, DST, B);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .retx = 1);
	answer(lab, B, .psn = 333, .cack = 333, .retx = 1, .spdcid = 0x7777);
	breaks(lab, UET_PDC_29, DST, B);
}

static void pdc_rules_test_pdcid_zero(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_PDC_15, SRC, A);
	request(lab, A, .psn = 334, .clear = 333, .no_dpdcid = 1);
	breaks(lab, UET_PDC_15, SRC, A);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334, .no_spdcid = 1);
	breaks(lab, UET_PDC_15, DST, B);
	request(lab, A, .psn = 334, .clear = 333, .syn = 1, .no_spdcid = 1);
	breaks(lab, UET_PDC_15, SRC, A);
}

static void syn_of_the_target(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	request(lab, B, .psn = 333, .clear = 332, .syn = 1,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 4);
	breaks(lab, UET_PDC_49, DST, B);
	request(lab, B, .psn = 334, .clear = 332,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 4);
	none(lab);
	looked(lab, UET_PDC_49, DST, B);
}

/*
 * A target that gave up its return data has no PDC any more, and a late SYN
 * opens it again under another PDCID.
 */
static void late_syn_after_the_target_gave_up(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	request(lab, B, .psn = 333, .clear = 332, .mid = 9,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 4);
	request(lab, B, .psn = 333, .clear = 332, .spdcid = 0x7777,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 4);
	breaks(lab, UET_PDC_17, SRC, B);
	for (unsigned i = 0; i < lab->conf.max_nack_retx; i++)
		nack(lab, A, .psn = 333, .code = NACK_NO_PKT_BUFFER);
	lab->n = 0; /* one NACK for each copy is enough */
	request(lab, B, .psn = 333, .clear = 332, .spdcid = 0x7777,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 4);
	none(lab);
	request(lab, A, .psn = 335, .clear = 333, .spdcid = 0x7777);
	breaks(lab, UET_PDC_17, SRC, A);
}

static void probe_opens_a_pdc(void **state)
{
	struct lab *lab = *state;

	control(lab, A, .ctl = PDS_CP_PROBE, .ar = 1, .psn = 333, .syn = 1);
	breaks(lab, UET_PDC_05, SRC, A);
}

static void probe_after_the_first_ack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_PROBE, .ar = 1, .psn = 333);
	none(lab);
	looked(lab, UET_PDC_05, SRC, A);
}

static void modes_mixed(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_PDC_07, SRC, A);
	request(lab, A, .psn = 334, .clear = 333, .type = PDS_ROD_REQ);
	breaks(lab, UET_PDC_07, SRC, A);
}

static void return_starts_elsewhere(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	request(lab, B, .psn = 48, .clear = 47, .mid = 9,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 4);
	breaks(lab, UET_PDC_20, DST, B);
}

static void return_takes_forward_number(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	request(lab, A, .psn = 335, .clear = 333, .opcode = SES_READ, .mid = 5);
	request(lab, B, .psn = 333, .clear = 332, .mid = 9,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 4);
	none(lab);
	request(lab, B, .psn = 336, .clear = 332, .mid = 9,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 5);
	breaks(lab, MODE_PSN_1, SRC, B);
	request(lab, B, .psn = 337, .clear = 332, .mid = 9,
		.next = PDS_NEXT_RESPONSE_DATA, .read_mid = 5);
	none(lab);
	looked(lab, MODE_PSN_1, SRC, B);
}

static void psn_left_out(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 335, .clear = 333);
	breaks(lab, UET_PDC_23, SRC, A);
	request(lab, A, .psn = 336, .clear = 333);
	none(lab);
	looked(lab, UET_PDC_23, SRC, A);
}

static void pdc_rules_test_first_is_not_start(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 334, .clear = 332, .syn = 1);
	breaks(lab, UET_PDC_23, SRC, A);
}

static void psn_for_two_packets(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 334, .clear = 333, .data = 9);
	breaks(lab, UET_PDC_23, SRC, A);
}

/* The row of the Close Command says which PSN it takes. */
static void psn_of_a_close(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	breaks(lab, UET_CP_04, SRC, A);
}

/* A Close Command out of order has one finding, also beyond the window. */
static void psn_of_a_close_far_ahead(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333, .type = PDS_ACK_CC, .mpr = 1);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334 + 128, .ar = 1);
	breaks(lab, UET_CP_04, SRC, A);
}

static void beyond_the_window(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333, .type = PDS_ACK_CC, .mpr = 1);
	for (uint32_t psn = 334; psn <= 333 + 128; psn++)
		request(lab, A, .psn = psn, .clear = 333);
	none(lab);
	looked(lab, UET_PDC_37, SRC, A);
	request(lab, A, .psn = 333 + 129, .clear = 333);
	breaks(lab, UET_PDC_37, SRC, A);
}

static void too_many_syns(void **state)
{
	struct lab *lab = *state;
	struct judge_conf conf = lab_test_lab_conf();

	lab_test_lab_close(lab);
	conf.mp_range = 0;
	lab_test_lab_open(lab, &conf);
	for (uint32_t psn = 333; psn < 333 + 4096; psn++)
		request(lab, A, .psn = psn, .clear = 332, .syn = 1);
	none(lab);
	looked(lab, UET_PDC_04, SRC, A);
	request(lab, A, .psn = 333 + 4096, .clear = 332, .syn = 1);
	breaks(lab, UET_PDC_04, SRC, A);
}

static void closed(struct lab *lab)
{
	established(lab);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1);
	answer(lab, B, .psn = 334, .cack = 334, .bare = 1);
}

static void close_and_again(void **state)
{
	struct lab *lab = *state;

	closed(lab);
	none(lab);
	looked(lab, UET_PDC_43, SRC, A);
	lab->now += RTO;
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1,
		.retx = 1);
	breaks(lab, UET_PDC_46, SRC, A);
}

static void close_too_early(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	breaks(lab, UET_PDC_43, SRC, A);
}

/*
 * A source that has given up may close; its declaration sets the retry limit.
 */
static void close_after_giving_up(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	lab->now += 2 * RTO;
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	breaks(lab, UET_PDC_43, SRC, A);
	judge_reset(lab->j);
	lab->conf.max_rto_retx = 1;
	judge_declare(lab->j, &lab->conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += RTO;
	request(lab, A, .psn = 334, .clear = 333, .retx = 1);
	lab->now += 2 * RTO;
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	none(lab);
}

/*
 * A source that requested the ACK of the oldest request may have given up.  A
 * request for the ACK of a later one says nothing about the oldest.
 */
static void close_after_an_ack_request(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 334, .ar = 1);
	lab->now += 2 * RTO;
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 336, .ar = 1);
	none(lab);
}

static void close_after_a_later_ack_request(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	request(lab, A, .psn = 335, .clear = 333);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 335, .ar = 1);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 336, .ar = 1);
	breaks(lab, UET_PDC_43, SRC, A);
}

static void closing_ack_too_early(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, B, .psn = 333, .clear = 332, .read_mid = 4,
		.next = PDS_NEXT_RESPONSE_DATA);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	answer(lab, B, .psn = 335, .cack = 335, .bare = 1);
	breaks(lab, UET_PDC_45, DST, B);
}

/* An ACK of another PSN does not end the PDC. */
static void another_ack_before_the_closing_one(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, B, .psn = 333, .clear = 332, .read_mid = 4,
		.next = PDS_NEXT_RESPONSE_DATA);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	answer(lab, B, .psn = 334, .cack = 334);
	none(lab);
	answer(lab, A, .psn = 333, .cack = 333);
	answer(lab, B, .psn = 335, .cack = 335, .bare = 1);
	none(lab);
	looked(lab, UET_PDC_45, DST, B);
}

static void closing_ack_in_time(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, B, .psn = 333, .clear = 332, .read_mid = 4,
		.next = PDS_NEXT_RESPONSE_DATA);
	answer(lab, A, .psn = 333, .cack = 333);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 335, .ar = 1);
	answer(lab, B, .psn = 335, .cack = 335, .bare = 1);
	none(lab);
	looked(lab, UET_PDC_45, DST, B);
}

/* A restarted device uses the same PDCID and Start_PSN again. */
static void restarted(void **state)
{
	struct lab *lab = *state;

	established(lab);
	lab->ids[B] = 0x0c0c;
	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .data = 5);
	breaks(lab, UET_PDC_19, SRC, A);
	answer(lab, B, .psn = 333, .cack = 333);
	none(lab);
}

static void request_after_close(void **state)
{
	struct lab *lab = *state;

	closed(lab);
	request(lab, A, .psn = 335, .clear = 334);
	breaks(lab, UET_PDC_42, SRC, A);
}

static void pdcid_serves_again(void **state)
{
	struct lab *lab = *state;

	closed(lab);
	lab->ids[B] = 0x0c0c;
	lab->start += 100000;
	established(lab);
	none(lab);
	looked(lab, UET_PDC_19, SRC, A);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1);
	answer(lab, B, .psn = 334, .cack = 334, .bare = 1);
	lab->ids[B] = 0x0d0d;
	lab->start += 1000;
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	breaks(lab, UET_PDC_19, SRC, A);
}

/*
 * The PDCID of a closed PDC is the target's of the next one, which asks for its
 * close before its first ACK.
 */
static void pdcid_serves_the_target(void **state)
{
	struct lab *lab = *state;

	closed(lab);
	lab->ids[B] = 0x0c0c;
	lab->start += 100000;
	request(lab, B, .psn = 333, .clear = 332, .syn = 1);
	control(lab, A, .ctl = PDS_CP_CLOSE_REQUEST, .psn = 333, .ar = 1);
	answer(lab, A, .psn = 333, .cack = 333);
	none(lab);
	control(lab, A, .ctl = PDS_CP_CLOSE_REQUEST, .psn = 333, .ar = 1,
		.retx = 1, .dpdcid = ID_B);
	breaks(lab, UET_PDC_17, SRC, A);
}

/*
 * After a Close Command the target begins a PDC of its own under its PDCID, as
 * if the closing ACK were lost.  The initiator has none: it repeats the
 * command, and refuses the SYN.
 */
static void syn_of_the_target_at_a_close(void **state)
{
	struct lab *lab = *state;

	established(lab);
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1);
	request(lab, B, .psn = 500, .clear = 499, .syn = 1,
		.offset = (uint16_t)(START - 500));
	request(lab, B, .psn = 501, .clear = 499, .syn = 1,
		.offset = (uint16_t)(START - 500));
	none(lab);
	lab->now += RTO;
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1,
		.retx = 1);
	nack(lab, A, .psn = 500, .code = NACK_INVALID_SYN);
	lab->now += 2 * RTO;
	control(lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .psn = 334, .ar = 1,
		.retx = 1);
	answer(lab, B, .psn = 334, .cack = 334, .bare = 1, .retx = 1);
	none(lab);
	request(lab, A, .psn = 335, .clear = 334);
	breaks(lab, UET_PDC_42, SRC, A);
}

/* A network may deliver the packet with the largest psn_offset first. */
static void largest_psn_offset(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = START + 4095, .clear = 332, .syn = 1);
	lab->n = 0; /* at A's link it skipped 4095 PSNs */
	nack(lab, B, .psn = START + 4095, .code = NACK_PSN_OOR_WINDOW);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333);
	none(lab);
	looked(lab, UET_ACK_16, DST, B);
	answer(lab, B, .psn = START + 4095, .cack = 333, .type = PDS_ACK_CC,
	       .mpr = 32);
	none(lab);
	answer(lab, B, .psn = START + 4095, .cack = 333, .type = PDS_ACK_CC,
	       .mpr = 31);
	breaks(lab, RUD_SEQ_84a, DST, B);
}

/* An ACK that another one overtook carries older values. */
static void window_of_an_old_ack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	for (unsigned i = 0; i < 2; i++)
		answer(lab, B, .psn = 334, .cack = 334, .type = PDS_ACK_CC,
		       .mpr = 1);
	lab->now += 2 * MS;
	answer(lab, B, .psn = 333, .cack = 333, .type = PDS_ACK_CC, .mpr = 8);
	lab->n = 0; /* at B's link CACK_PSN decreased */
	for (uint32_t psn = 335; psn <= 334 + 128; psn++)
		request(lab, A, .psn = psn, .clear = 334);
	none(lab);
	request(lab, A, .psn = 335 + 128, .clear = 334);
	breaks(lab, UET_PDC_37, SRC, A);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(no_syn_before_the_target_is_known),
		BOTH_WAYS(syn_start_varies),
		BOTH_WAYS(syn_goes_on_too_long),
		BOTH_WAYS(syn_in_a_late_repeat),
		BOTH_WAYS(pdc_rules_test_wrong_dpdcid),
		BOTH_WAYS(pdcids_of_an_ack_are_not_exchanged),
		BOTH_WAYS(wrong_pdcid_of_an_ack),
		BOTH_WAYS(second_pdc_for_a_syn),
		BOTH_WAYS(pdc_rules_test_pdcid_zero),
		BOTH_WAYS(syn_of_the_target),
		BOTH_WAYS(late_syn_after_the_target_gave_up),
		BOTH_WAYS(probe_opens_a_pdc),
		BOTH_WAYS(probe_after_the_first_ack),
		BOTH_WAYS(modes_mixed),
		BOTH_WAYS(return_starts_elsewhere),
		BOTH_WAYS(return_takes_forward_number),
		BOTH_WAYS(psn_left_out),
		BOTH_WAYS(pdc_rules_test_first_is_not_start),
		BOTH_WAYS(psn_for_two_packets),
		BOTH_WAYS(psn_of_a_close),
		BOTH_WAYS(psn_of_a_close_far_ahead),
		BOTH_WAYS(beyond_the_window),
		BOTH_WAYS(window_of_an_old_ack),
		BOTH_WAYS(too_many_syns),
		BOTH_WAYS(largest_psn_offset),
		BOTH_WAYS(close_and_again),
		BOTH_WAYS(close_too_early),
		BOTH_WAYS(close_after_giving_up),
		BOTH_WAYS(close_after_an_ack_request),
		BOTH_WAYS(close_after_a_later_ack_request),
		BOTH_WAYS(closing_ack_too_early),
		BOTH_WAYS(another_ack_before_the_closing_one),
		BOTH_WAYS(closing_ack_in_time),
		BOTH_WAYS(restarted),
		BOTH_WAYS(request_after_close),
		BOTH_WAYS(pdcid_serves_again),
		BOTH_WAYS(pdcid_serves_the_target),
		BOTH_WAYS(syn_of_the_target_at_a_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
