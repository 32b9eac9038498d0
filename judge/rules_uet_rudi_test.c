/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/rules_uet_rudi_test.c -- RUDI and UUD: a sequence that obeys each rule
 * and one that breaks it, in whole captures and in those with gaps.
 */
#include "judge/lab_test.h"
#include "judge/rudi.h"

#define ID 0x89abcdefu

/* A packet to be; 0 is the usual value of everything. */
struct loose {
	uint32_t id;
	uint8_t type; /* PDS_RUDI_REQ */
	uint8_t next; /* a standard write; a response */
	uint8_t opcode, rc, retx, m, ce, flags;
	uint8_t amo, no_som, no_eom;
	uint16_t rsvd, mid, entropy;
	uint32_t length;
	uint8_t data; /* payload byte */
	uint8_t code, nt0;
	uint16_t spdcid, dpdcid;
	uint32_t payload;
};

static size_t put_ses(const struct loose *s, uint8_t next, uint8_t *p)
{
	struct ses_std_som std = {
		.opcode = s->opcode ? s->opcode : SES_WRITE,
		.message_id = s->mid,
		.som = !s->no_som,
		.eom = !s->no_eom,
		.job_id = 7,
		.request_length = s->length ? s->length : 8,
	};
	struct ses_medium medium = {
		.opcode = std.opcode, .som = 1, .eom = 1, .request_length = 8};
	struct ses_response rsp = {.opcode = SES_RESPONSE,
				   .return_code = s->rc ? s->rc : RC_OK,
				   .message_id = s->mid,
				   .job_id = 7};
	struct ses_response_data data = {.opcode = SES_RESPONSE_W_DATA,
					 .return_code = RC_OK,
					 .read_request_message_id = s->mid,
					 .payload_length = 8};

	switch (next) {
	case PDS_NEXT_REQUEST_STD:
		ses_std_som_put(&std, p);
		p[ses_std_som_len] = s->amo; /* the extension, if it is one */
		return ses_std_som_len;
	case PDS_NEXT_REQUEST_MEDIUM:
		ses_medium_put(&medium, p);
		return ses_medium_len;
	case PDS_NEXT_RESPONSE:
		ses_response_put(&rsp, p);
		return ses_response_len;
	case PDS_NEXT_RESPONSE_DATA:
		ses_response_data_put(&data, p);
		return ses_response_data_len;
	}
	return 0;
}

static void send_off(struct lab *lab, unsigned from, const struct loose *s,
		     size_t len)
{
	lab->d.len = len;
	lab->d.entropy = s->entropy ? s->entropy : 0x1234;
	lab->d.ecn = s->ce ? ECN_CE : ECN_ECT0;
	lab_push(lab, from);
}

static void put_loose(struct lab *lab, unsigned from, struct loose s)
{
	const uint8_t type = s.type ? s.type : PDS_RUDI_REQ;
	const uint8_t usual = type == PDS_RUDI_RESP ? PDS_NEXT_RESPONSE
						    : PDS_NEXT_REQUEST_STD;
	const uint8_t next = s.next ? s.next : usual;
	struct rudi_resp h = {.type = type,
			      .next_hdr = next,
			      .m = s.m,
			      .retx = s.retx,
			      .rsvd_16 = s.rsvd,
			      .pkt_id = s.id ? s.id : ID};
	uint8_t *p = lab->d.data;
	size_t at = type == PDS_UUD_REQ ? uud_req_len : rudi_resp_len;
	const bool atomic =
		s.opcode == SES_ATOMIC || s.opcode == SES_FETCHING_ATOMIC;

	if (!s.mid && type != PDS_UUD_REQ)
		s.mid = 5;
	memset(p, 0, 128);
	rudi_resp_put(&h, p);
	if (type == PDS_UUD_REQ)
		memset(p + uud_req_len, 0, 4);
	p[1] |= s.flags;
	at += put_ses(&s, next, p + at) + (atomic ? ses_atomic_len : 0);
	if (atomic && s.amo >= 0x0d && s.amo <= 0x12)
		at += ses_cswap_len;
	memset(p + at, 0x55 + s.data, 8);
	send_off(lab, from, &s, next == PDS_NEXT_RESPONSE ? at : at + 8);
}

static void put_nack(struct lab *lab, unsigned from, struct loose s)
{
	const struct pds_nack h = {.type = PDS_NACK,
				   .m = s.m,
				   .retx = s.retx,
				   .nt = !s.nt0,
				   .nack_code =
					   s.code ? s.code : NACK_NO_PKT_BUFFER,
				   .nack_psn = s.id ? s.id : ID,
				   .spdcid = s.spdcid,
				   .dpdcid = s.dpdcid,
				   .payload = s.payload};

	pds_nack_put(&h, lab->d.data);
	send_off(lab, from, &s, pds_nack_len);
}

#define rudi(lab, ...) put_loose(lab, A, (struct loose){__VA_ARGS__})
#define resp(lab, ...) \
	put_loose(lab, B, (struct loose){.type = PDS_RUDI_RESP, __VA_ARGS__})
#define nt(lab, ...) put_nack(lab, B, (struct loose){__VA_ARGS__})
#define uud(lab, ...)                                         \
	put_loose(lab, A,                                     \
		  (struct loose){.type = PDS_UUD_REQ,         \
				 .opcode = SES_DATAGRAM_SEND, \
				 __VA_ARGS__})

static int setup_gaps(void **state)
{
	struct judge_conf conf = lab_conf();

	conf.whole = false;
	*state = malloc(sizeof(struct lab));
	assert_non_null(*state);
	lab_open(*state, &conf);
	return 0;
}

static int setup_at(void **state, uint32_t here)
{
	struct judge_conf conf = lab_conf();

	conf.here = ip_addr_v4(here);
	*state = malloc(sizeof(struct lab));
	assert_non_null(*state);
	lab_open(*state, &conf);
	return 0;
}

static int setup_at_target(void **state)
{
	return setup_at(state, 0x0a000002);
}

static void answered(void **state)
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
	rudi(lab, .id = 9, .flags = 0x20); /* m, in a request */
	breaks(lab, UET_ENC_34, SRC, A);
	resp(lab, .id = 9, .flags = 0x40);
	breaks(lab, UET_ENC_34, DST, B);
	uud(lab, .rsvd = 1);
	breaks(lab, UET_ENC_51, SRC, A);
	uud(lab, .flags = 0x10); /* retx, in a datagram */
	breaks(lab, UET_ENC_34, SRC, A);
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
		{SES_ATOMIC, 0x0d, false}, /* CSWAP: who knows */
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

static void id_taken(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	rudi(lab, .data = 1);
	breaks(lab, MODE_RUDI_2, SRC, A);
}

/* After its response, or after it may have been given up, an id is free. */
static void id_free_again(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	resp(lab, .id = ID);
	rudi(lab, .data = 1);
	resp(lab, .id = ID);
	rudi(lab, .data = 1); /* the same bytes, another request */
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

static void repeat(void **state)
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

static void repeat_unmarked(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	lab->now += RTO;
	rudi(lab, .id = ID);
	breaks(lab, UET_RTX_07, SRC, A);
}

static void network_copy(void **state)
{
	struct lab *lab = *state; /* at the target: the network may copy */

	rudi(lab, .id = ID);
	rudi(lab, .id = ID);
	resp(lab, .id = ID);
	resp(lab, .id = ID);
	none(lab);
	resp(lab, .id = ID);
	breaks(lab, PDS_SVC_5, DST, B);
}

static void first_marked(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .retx = 1);
	breaks(lab, UET_RTX_07, SRC, A);
}

static void repeat_changed(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	lab->now += RTO;
	rudi(lab, .retx = 1, .data = 1);
	breaks(lab, UET_RTX_07, SRC, A);
}

static void repeat_answered(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	resp(lab, .id = ID);
	lab->now += RTO;
	rudi(lab, .retx = 1);
	breaks(lab, UET_RTX_08, SRC, A);
}

static void repeat_early(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	lab->now += RTO / 2;
	rudi(lab, .retx = 1);
	assert_true(lab->found[0].timing);
	breaks(lab, UET_RTX_08, SRC, A);
	lab->now += RTO; /* it doubles */
	rudi(lab, .retx = 1);
	breaks(lab, UET_RTX_08, SRC, A);
}

static void repeat_too_often(void **state)
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

static void nacked(void **state)
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

static void nack_too_soon(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	nt(lab, .id = ID);
	rudi(lab, .retx = 1);
	breaks(lab, UET_NACK_07, SRC, A);
	nt(lab, .retx = 1, .code = NACK_NO_RESOURCE);
	rudi(lab, .retx = 1);
	breaks(lab, UET_NACK_0A, SRC, A);
}

static void nack_too_often(void **state)
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

static void nack_names(void **state)
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

static void nack_of_a_pdc(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	nt(lab, .code = NACK_CLOSING);
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

static void echoes(void **state)
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

/* With more paths than are remembered, any may be the right one. */
static void many_paths(void **state)
{
	struct lab *lab = *state; /* at the target */

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

/* An ACK that has the pkt_id for a PSN, whatever its PDCIDs say. */
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

static void datagram(void **state)
{
	struct lab *lab = *state;

	lab_version(lab, UET_1_0_3);
	uud(lab, .data = 0);
	uud(lab, .data = 0);
	uud(lab, .next = PDS_NEXT_REQUEST_MEDIUM);
	none(lab);
	looked(lab, UET_ENC_51, SRC, A);
	looked(lab, UET_SES_28, SRC, A);
	looked(lab, UET_SES_34, SRC, A);
	looked(lab, MODE_UUD_1, SRC, A);
}

static void not_a_datagram(void **state)
{
	struct lab *lab = *state;

	uud(lab, .mid = 7);
	none(lab); /* before 1.0.3 */
	lab_version(lab, UET_1_0_3);
	uud(lab, .mid = 8);
	breaks(lab, UET_SES_28, SRC, A);
	uud(lab, .no_eom = 1);
	breaks(lab, UET_SES_34, SRC, A);
	put_loose(lab, A,
		  (struct loose){
			  .type = PDS_UUD_REQ, .opcode = SES_SEND, .mid = 3});
	breaks(lab, UET_SES_34, SRC, A);
	put_loose(lab, A,
		  (struct loose){.type = PDS_UUD_REQ,
				 .opcode = SES_MSG_ERROR,
				 .mid = 3});
	breaks(lab, UET_SES_28, SRC, A);
}

static void datagram_answered(void **state)
{
	struct lab *lab = *state;

	uud(lab, .data = 0);
	resp(lab, .id = 0x1000);
	breaks(lab, MODE_UUD_1, DST, B);
	nt(lab, .id = 0x1000);
	breaks(lab, MODE_UUD_1, DST, B);
	resp(lab, .id = 0x1000, .entropy = 7);
	breaks(lab, UET_ACK_12, DST, B);
}

static void end(struct lab *lab)
{
	lab->n += judge_end(lab->j, lab->now, lab->found, 64);
}

static void never_answered(void **state)
{
	struct lab *lab = *state; /* at the target */

	rudi(lab, .id = ID);
	resp(lab, .id = ID);
	rudi(lab, .id = 2);
	nt(lab, .id = 2);
	rudi(lab, .id = 3);
	lab->now += RTO;
	end(lab);
	none(lab);
	lab->now += 2 * RTO;
	end(lab);
	breaks(lab, MODE_RUDI_4, DST, B);
	end(lab);
	none(lab);
}

static void never_repeated(void **state)
{
	struct judge_conf conf = lab_conf();
	struct lab *lab = *state;

	judge_free(lab->j);
	conf.here = ip_addr_v4(0x0a000001);
	lab_open(lab, &conf);
	rudi(lab, .id = ID);
	resp(lab, .id = ID);
	rudi(lab, .id = 2);
	lab->now += 5 * RTO;
	end(lab);
	breaks(lab, UET_RTX_08, SRC, A);
}

static void gaps_hide_absence(void **state)
{
	struct lab *lab = *state;

	rudi(lab, .id = ID);
	lab->now += VSPAN_S;
	end(lab);
	none(lab);
}

/* The table is small: what gave way is not missed. */
static void forgotten(void **state)
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

/* A request that was captured otherwise than it was sent is known by its id. */
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

/* Its repeat is the packet that was sent, whatever the capture showed. */
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

static void beside_a_pdc(void **state)
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
#define WHOLE(f) cmocka_unit_test_setup_teardown(f, lab_setup, lab_teardown)
#define GAPS(f)  cmocka_unit_test_setup_teardown(f, setup_gaps, lab_teardown)
#define AT_B(f) \
	cmocka_unit_test_setup_teardown(f, setup_at_target, lab_teardown)
	const struct CMUnitTest tests[] = {
		WHOLE(answered),
		WHOLE(reserved_bits),
		WHOLE(not_idempotent),
		WHOLE(id_taken),
		WHOLE(id_free_again),
		GAPS(gaps_hide_reuse),
		WHOLE(repeat),
		WHOLE(repeat_unmarked),
		AT_B(network_copy),
		WHOLE(first_marked),
		WHOLE(repeat_changed),
		WHOLE(repeat_answered),
		WHOLE(repeat_early),
		WHOLE(repeat_too_often),
		WHOLE(nacked),
		WHOLE(nack_too_soon),
		WHOLE(nack_too_often),
		WHOLE(nack_names),
		WHOLE(nack_again),
		WHOLE(nack_of_a_pdc),
		WHOLE(nack_as_of_a_psn),
		WHOLE(response_of_nothing),
		WHOLE(echoes),
		AT_B(many_paths),
		WHOLE(response_header),
		WHOLE(answered_by_ack),
		WHOLE(datagram),
		WHOLE(not_a_datagram),
		WHOLE(datagram_answered),
		AT_B(never_answered),
		WHOLE(never_repeated),
		GAPS(gaps_hide_absence),
		WHOLE(forgotten),
		WHOLE(sent_otherwise),
		WHOLE(repeat_of_sent_otherwise),
		WHOLE(beside_a_pdc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
