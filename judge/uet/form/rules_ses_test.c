/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/form/rules_ses_test.c -- tests messages and reads, correct and not.
 */
#include "judge/core/lab_test.h"

static void response_in_a_request(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	request(lab, B, .psn = 333, .clear = 332, .opcode = SES_RESPONSE,
		.next = PDS_NEXT_RESPONSE);
	breaks(lab, PDS_SVC_2, DST, B);
	request(lab, B, .psn = 334, .clear = 332, .read_mid = 4,
		.next = PDS_NEXT_RESPONSE_DATA);
	none(lab);
	looked(lab, PDS_SVC_2, DST, B);
}

static void target_asks(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	request(lab, B, .psn = 333, .clear = 332, .read_mid = 4,
		.next = PDS_NEXT_RESPONSE_DATA);
	none(lab);
	looked(lab, PDS_IF_11, DST, B);
	looked(lab, UET_ENC_31, DST, B);
	request(lab, B, .psn = 334, .clear = 332);
	breaks(lab, PDS_IF_11, DST, B);
}

static void initiator_returns(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_ENC_30, SRC, A);
	request(lab, A, .psn = 334, .clear = 333, .payload = 333,
		.next = PDS_NEXT_RESPONSE_DATA_SMALL);
	breaks(lab, UET_ENC_30, SRC, A);
}

static void rtr_of_the_target(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, B, .psn = 333, .clear = 332, .opcode = SES_DEFERRABLE_RTR);
	breaks(lab, UET_PDC_11, DST, B);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_DEFERRABLE_RTR);
	none(lab);
}

/* Sends a SUM with these four bytes of extension. */
static void ses_rules_test_atomic(struct lab *lab, uint32_t psn, uint8_t opcode,
				  uint8_t datatype, uint8_t last)
{
	uint8_t *ext = lab->d.data + pds_req_len + ses_std_som_len;

	lab->muted = true;
	request(lab, A, .psn = psn, .clear = 333, .opcode = SES_ATOMIC);
	lab->muted = false;
	ext[0] = opcode;
	ext[1] = datatype;
	ext[2] = 0;
	ext[3] = last;
	lab_push(lab, A);
}

static void atomic_extension(void **state)
{
	struct lab *lab = *state;

	established(lab);
	ses_rules_test_atomic(lab, 334, 0x02, 0x07, 0);
	none(lab);
	looked(lab, UET_SES_14, SRC, A);
	looked(lab, UET_SES_31, SRC, A);
	ses_rules_test_atomic(lab, 335, 0x02, 0x07, 1);
	breaks(lab, UET_SES_14, SRC, A);
	ses_rules_test_atomic(lab, 336, 0x15, 0x07, 0);
	breaks(lab, UET_SES_31, SRC, A);
	ses_rules_test_atomic(lab, 337, 0x02, 0x12, 0);
	breaks(lab, UET_SES_31, SRC, A);
	ses_rules_test_atomic(lab, 338, 0xe0, 0xfe, 0);
	none(lab);
}

static void two_packets(struct lab *lab, uint32_t psn, uint16_t mid)
{
	request(lab, A, .psn = psn, .clear = 333, .mid = mid, .more = 1,
		.length = 16);
	request(lab, A, .psn = psn + 1, .clear = 333, .mid = mid, .rest = 1,
		.last = 1, .length = 16);
}

static void message_begins_elsewhere(void **state)
{
	struct lab *lab = *state;

	established(lab);
	two_packets(lab, 334, 4);
	none(lab);
	looked(lab, RUD_SVC_0m, SRC, A);
	request(lab, A, .psn = 336, .clear = 333, .mid = 5, .rest = 1,
		.last = 1, .length = 16);
	breaks(lab, RUD_SVC_0m, SRC, A);
}

static void ses_rules_test_messages_interleaved(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 4, .more = 1,
		.length = 16);
	request(lab, A, .psn = 335, .clear = 333, .mid = 5);
	breaks(lab, UET_PDC_09, SRC, A);
	request(lab, A, .psn = 336, .clear = 333, .mid = 4, .rest = 1,
		.last = 1, .length = 16);
	two_packets(lab, 337, 6);
	none(lab);
	looked(lab, UET_PDC_09, SRC, A);
}

static void ses_rules_test_message_begins_twice(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 4, .more = 1,
		.length = 16);
	request(lab, A, .psn = 335, .clear = 333, .mid = 4, .length = 16,
		.extra = 8);
	breaks(lab, UET_SES_04, SRC, A);
	two_packets(lab, 336, 5);
	none(lab);
	looked(lab, UET_SES_04, SRC, A);
}

static void header_data_without_hd(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_SES_06, SRC, A);
	request(lab, A, .psn = 334, .clear = 333, .header_data = 1);
	breaks(lab, UET_SES_06, SRC, A);
}

static void return_data_acked_with_data(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, B, .psn = 333, .clear = 332, .read_mid = 4,
		.next = PDS_NEXT_RESPONSE_DATA);
	request(lab, B, .psn = 334, .clear = 332, .read_mid = 4,
		.next = PDS_NEXT_RESPONSE_DATA);
	answer(lab, A, .psn = 333, .cack = 333);
	none(lab);
	looked(lab, UET_ACK_36, SRC, A);
	answer(lab, A, .psn = 334, .cack = 334, .payload = 334,
	       .next = PDS_NEXT_RESPONSE_DATA_SMALL);
	breaks(lab, UET_ACK_36, SRC, A);
}

static void message_id_again(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 4);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, A, .psn = 335, .clear = 334, .mid = 4);
	none(lab);
	looked(lab, RUD_SEQ_79a, SRC, A);
	request(lab, A, .psn = 336, .clear = 334, .mid = 4);
	breaks(lab, RUD_SEQ_79a, SRC, A);
}

/*
 * Sends the last packet again, as the next PSN of a message with the id 0, and
 * expects that this id alone is wrong.
 */
static void next_has_id_0(struct lab *lab)
{
	lab->d.data[7] += 1; /* becomes the next PSN */
	lab->d.data[pds_req_len + 2] = 0;
	lab->d.data[pds_req_len + 3] = 0;
	if (!lab->d.data[7])
		return;      /* this test skips the carry at the wrap */
	lab->d.data[3] -= 1; /* keeps the CLEAR_PSN */
	lab_push(lab, A);
	breaks(lab, UET_SES_05, SRC, A);
}

static void ses_rules_test_message_id_zero(void **state)
{
	struct lab *lab = *state;

	established(lab);
	looked(lab, UET_SES_05, SRC, A);
	memset(&lab->d, 0, sizeof(lab->d));
	request(lab, A, .psn = 334, .clear = 333);
	none(lab);
	next_has_id_0(lab);
}

/* A later packet with that id is of no message, so of none of another PDC. */
static void no_message_has_id_0(void **state)
{
	struct lab *lab = *state;

	established(lab);
	memset(&lab->d, 0, sizeof(lab->d));
	two_packets(lab, 334, 4);
	none(lab);
	next_has_id_0(lab);
}

static void message_length_varies(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 4, .more = 1,
		.length = 16);
	request(lab, A, .psn = 335, .clear = 333, .mid = 4, .rest = 1,
		.last = 1, .length = 17);
	breaks(lab, UET_SES_08, SRC, A);
}

/* The first packet of the second message with this id was lost before. */
static void message_id_comes_back(void **state)
{
	struct lab *lab = *state;

	lab->conf.here = lab->addr[B];
	judge_declare(lab->j, &lab->conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .mid = 4, .length = 16);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, A, .psn = 336, .clear = 334, .mid = 4, .rest = 1,
		.more = 1, .length = 48);
	request(lab, A, .psn = 337, .clear = 334, .mid = 4, .rest = 1,
		.more = 1, .length = 48);
	none(lab);
	request(lab, A, .psn = 338, .clear = 334, .mid = 4, .rest = 1,
		.last = 1, .length = 49);
	breaks(lab, UET_SES_08, SRC, A);
}

static void read_above_the_mtu(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ,
		.length = 8192);
	none(lab);
	looked(lab, PDS_SVC_4, SRC, A);
	request(lab, A, .psn = 335, .clear = 333, .opcode = SES_READ,
		.length = 8193);
	breaks(lab, PDS_SVC_4, SRC, A);
	request(lab, A, .psn = 336, .clear = 333, .opcode = SES_READ,
		.length = 8193, .next = PDS_NEXT_REQUEST_SMALL);
	breaks(lab, PDS_SVC_4, SRC, A);
}

/* Figure 3-79 with a wrong message id. */
static void data_for_no_read(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 1,
		.length = 64);
	answer(lab, B, .psn = 334, .cack = 334, .opcode = SES_RESPONSE,
	       .rc = RC_OK, .mid = 1);
	request(lab, B, .psn = 333, .clear = 332, .mid = 9, .read_mid = 1,
		.next = PDS_NEXT_RESPONSE_DATA);
	answer(lab, A, .psn = 333, .cack = 333, .mid = 9,
	       .opcode = SES_RESPONSE, .rc = RC_OK);
	none(lab);
	looked(lab, RUD_SEQ_79, DST, B);
	looked(lab, RUD_SEQ_79b, SRC, A);
	lab->now += RTO;
	request(lab, B, .psn = 333, .clear = 332, .mid = 9, .read_mid = 1,
		.next = PDS_NEXT_RESPONSE_DATA, .retx = 1);
	lab->n = 0; /* the PSN was acknowledged before */
	answer(lab, A, .psn = 333, .cack = 333, .retx = 1);
	none(lab); /* a default response may carry no id */
	request(lab, B, .psn = 334, .clear = 333, .mid = 9, .read_mid = 2,
		.next = PDS_NEXT_RESPONSE_DATA);
	breaks(lab, RUD_SEQ_79, DST, B);
}

static void response_id_not_echoed(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 1,
		.length = 64);
	request(lab, B, .psn = 333, .clear = 332, .mid = 9, .read_mid = 1,
		.next = PDS_NEXT_RESPONSE_DATA);
	answer(lab, A, .psn = 333, .cack = 333, .mid = 1,
	       .opcode = SES_RESPONSE, .rc = RC_OK);
	breaks(lab, RUD_SEQ_79b, SRC, A);
}

/* Figure 3-80 with a wrong PSN. */
static void data_for_no_psn(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ,
		.length = 64, .next = PDS_NEXT_REQUEST_SMALL);
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, B, .psn = 333, .clear = 332, .payload = 334,
		.next = PDS_NEXT_RESPONSE_DATA_SMALL);
	none(lab);
	looked(lab, RUD_SEQ_80, DST, B);
	request(lab, B, .psn = 334, .clear = 332, .payload = 333,
		.next = PDS_NEXT_RESPONSE_DATA_SMALL);
	breaks(lab, RUD_SEQ_80, DST, B);
}

static void three_reads(struct lab *lab, uint32_t length)
{
	established(lab);
	for (uint32_t i = 0; i < 3; i++)
		request(lab, A, .psn = 334 + i, .clear = 333,
			.opcode = SES_READ, .mid = 88, .more = i == 0,
			.rest = i > 0, .last = i == 2, .length = length);
	answer(lab, B, .psn = 335, .cack = 335);
	request(lab, B, .psn = 333, .clear = 332, .mid = 9, .read_mid = 88,
		.next = PDS_NEXT_RESPONSE_DATA);
}

static void data_both_ways(void **state)
{
	struct lab *lab = *state;

	three_reads(lab, 12);
	none(lab);
	looked(lab, RUD_SVC_8, DST, B);
	answer(lab, B, .psn = 336, .cack = 335, .req = PDS_REQ_CLEAR,
	       .read_mid = 88, .next = PDS_NEXT_RESPONSE_DATA);
	breaks(lab, RUD_SVC_8, DST, B);
}

/* Answers the read of PSN 334 in an ACK. */
static void read_is_answered(struct lab *lab)
{
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR,
	       .read_mid = 88, .next = PDS_NEXT_RESPONSE_DATA);
}

static void data_in_an_ack_first(void **state)
{
	struct lab *lab = *state;

	established(lab);
	for (uint32_t i = 0; i < 2; i++)
		request(lab, A, .psn = 334 + i, .clear = 333,
			.opcode = SES_READ, .mid = 88, .more = i == 0,
			.rest = i > 0, .last = i == 1, .length = 12);
	read_is_answered(lab);
	none(lab);
	request(lab, B, .psn = 333, .clear = 332, .mid = 9, .read_mid = 88,
		.next = PDS_NEXT_RESPONSE_DATA);
	breaks(lab, RUD_SVC_8, DST, B);
}

/* The id of a complete read is used again, then the first ACK comes again. */
static void data_of_an_earlier_read(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 88,
		.length = 12);
	read_is_answered(lab);
	request(lab, A, .psn = 335, .clear = 333, .opcode = SES_READ, .mid = 88,
		.length = 1000);
	request(lab, B, .psn = 333, .clear = 332, .mid = 9, .read_mid = 88,
		.next = PDS_NEXT_RESPONSE_DATA);
	read_is_answered(lab);
	none(lab);
}

/* The id of a complete read is used by a send, then the ACK comes again. */
static void data_of_a_read_before_a_send(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 88,
		.length = 12);
	read_is_answered(lab);
	request(lab, A, .psn = 335, .clear = 333, .opcode = SES_SEND, .mid = 88,
		.length = 8);
	read_is_answered(lab);
	none(lab);
}

static void long_message_in_an_ack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4,
		.length = 17);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR,
	       .read_mid = 4, .next = PDS_NEXT_RESPONSE_DATA);
	breaks(lab, RUD_SVC_8, DST, B);
}

/* A device that declares nothing has an unknown Max_ACK_Data_Size. */
static void any_length_in_an_ack(void **state)
{
	struct lab *lab = *state;
	struct judge_conf conf = lab_test_lab_conf(), unknown;

	judge_conf_default(&unknown);
	conf.max_ack_data = unknown.max_ack_data;
	judge_declare(lab->j, &conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4,
		.length = 1000);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR,
	       .read_mid = 4, .next = PDS_NEXT_RESPONSE_DATA);
	none(lab);
}

/* A device that declares 0 carries no read data in its ACKs. */
static void no_data_in_an_ack(void **state)
{
	struct lab *lab = *state;
	struct judge_conf conf = lab_test_lab_conf();

	conf.max_ack_data = 0;
	judge_declare(lab->j, &conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4,
		.length = 1);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR,
	       .read_mid = 4, .next = PDS_NEXT_RESPONSE_DATA);
	breaks(lab, RUD_SVC_8, DST, B);
}

static void small_read_in_an_ack(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4,
		.length = 16);
	answer(lab, B, .psn = 334, .cack = 333, .req = PDS_REQ_CLEAR,
	       .read_mid = 4, .next = PDS_NEXT_RESPONSE_DATA);
	none(lab);
}

static void small_request_of_two_packets(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333,
		.next = PDS_NEXT_REQUEST_SMALL);
	none(lab);
	looked(lab, UET_SES_11, SRC, A);
	lab->d.data[pds_req_len + 1] &= 0xfe; /* som */
	lab->d.data[pds_req_len - 5] += 1;
	lab->d.data[3] -= 1;
	if (!lab->d.data[pds_req_len - 5])
		return;
	lab_push(lab, A);
	breaks(lab, UET_SES_11, SRC, A);
}

static void medium_request_of_two_packets(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333,
		.next = PDS_NEXT_REQUEST_MEDIUM);
	none(lab);
	looked(lab, UET_SES_12, SRC, A);
	lab->muted = true;
	request(lab, A, .psn = 335, .clear = 333,
		.next = PDS_NEXT_REQUEST_MEDIUM);
	lab->muted = false;
	lab->d.data[pds_req_len + 1] &= (uint8_t)~2; /* eom */
	lab_push(lab, A);
	breaks(lab, UET_SES_12, SRC, A);
}

/* The return data carries a new TPDCID, and the PDC continues with it. */
static void data_before_the_first_ack(void **state)
{
	struct lab *lab = *state;

	request(lab, A, .psn = 333, .clear = 332, .syn = 1, .opcode = SES_READ,
		.mid = 4);
	request(lab, A, .psn = 334, .clear = 332, .syn = 1, .mid = 5, .more = 1,
		.length = 16);
	request(lab, B, .psn = 333, .clear = 332, .read_mid = 4, .mid = 9,
		.next = PDS_NEXT_RESPONSE_DATA);
	answer(lab, A, .psn = 333, .cack = 333, .opcode = SES_RESPONSE,
	       .rc = RC_OK, .mid = 9);
	request(lab, A, .psn = 335, .clear = 332, .mid = 5, .rest = 1,
		.last = 1, .length = 16);
	answer(lab, B, .psn = 335, .cack = 335);
	none(lab);
	looked(lab, RUD_SEQ_79, DST, B);
	looked(lab, RUD_SEQ_79, SRC, A);
	request(lab, A, .psn = 337, .clear = 335);
	breaks(lab, UET_PDC_23, SRC, A);
}

/* The answer to an ACK Request may carry less state. */
static void response_id_not_asked_for(void **state)
{
	struct lab *lab = *state;

	established(lab);
	request(lab, A, .psn = 334, .clear = 333, .opcode = SES_READ, .mid = 4);
	request(lab, B, .psn = 333, .clear = 332, .read_mid = 4, .mid = 9,
		.next = PDS_NEXT_RESPONSE_DATA);
	control(lab, B, .ctl = PDS_CP_ACK_REQUEST, .psn = 333, .ar = 1);
	answer(lab, A, .psn = 333, .cack = 333);
	none(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(response_in_a_request),
		BOTH_WAYS(target_asks),
		BOTH_WAYS(initiator_returns),
		BOTH_WAYS(rtr_of_the_target),
		BOTH_WAYS(atomic_extension),
		BOTH_WAYS(message_begins_elsewhere),
		BOTH_WAYS(no_message_has_id_0),
		BOTH_WAYS(ses_rules_test_messages_interleaved),
		BOTH_WAYS(ses_rules_test_message_begins_twice),
		BOTH_WAYS(header_data_without_hd),
		BOTH_WAYS(return_data_acked_with_data),
		BOTH_WAYS(message_id_again),
		BOTH_WAYS(ses_rules_test_message_id_zero),
		BOTH_WAYS(message_length_varies),
		BOTH_WAYS(message_id_comes_back),
		BOTH_WAYS(read_above_the_mtu),
		BOTH_WAYS(data_for_no_read),
		BOTH_WAYS(response_id_not_echoed),
		BOTH_WAYS(response_id_not_asked_for),
		BOTH_WAYS(data_for_no_psn),
		BOTH_WAYS(data_both_ways),
		BOTH_WAYS(data_in_an_ack_first),
		BOTH_WAYS(data_of_an_earlier_read),
		BOTH_WAYS(data_of_a_read_before_a_send),
		BOTH_WAYS(long_message_in_an_ack),
		BOTH_WAYS(any_length_in_an_ack),
		BOTH_WAYS(no_data_in_an_ack),
		BOTH_WAYS(small_read_in_an_ack),
		BOTH_WAYS(small_request_of_two_packets),
		BOTH_WAYS(medium_request_of_two_packets),
		BOTH_WAYS(data_before_the_first_ack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
