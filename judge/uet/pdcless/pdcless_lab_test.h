/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/pdcless_lab_test.h -- packets without a PDC for the tests
 * of this folder.
 */
#ifndef JUDGE_PDCLESS_LAB_TEST_H
#define JUDGE_PDCLESS_LAB_TEST_H

#include "judge/core/lab_test.h"

#define ID 0x89abcdefu

/* A packet to send; 0 means the usual value of each member. */
struct pdcless {
	uint32_t id;
	uint8_t type; /* 0: PDS_RUDI_REQ */
	uint8_t next; /* 0: a standard write, or a response */
	uint8_t opcode, rc, retx, m, ce, flags;
	uint8_t amo, no_som, no_eom;
	uint16_t rsvd, mid, entropy;
	uint32_t length;
	uint8_t data; /* value of the payload bytes */
	uint8_t code, nt0;
	uint16_t spdcid, dpdcid;
	uint32_t payload;
};

static inline size_t put_ses(const struct pdcless *s, uint8_t next, uint8_t *p)
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
		/* the extension, if the request is atomic */
		p[ses_std_som_len] = s->amo;
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

static inline void send_off(struct lab *lab, unsigned from,
			    const struct pdcless *s, size_t len)
{
	lab->d.len = len;
	lab->d.entropy = s->entropy ? s->entropy : 0x1234;
	lab->d.ecn = s->ce ? ECN_CE : ECN_ECT0;
	lab_push(lab, from);
}

static inline void put_pdcless(struct lab *lab, unsigned from, struct pdcless s)
{
	const uint8_t type = s.type ? s.type : PDS_RUDI_REQ;
	const uint8_t predicted = type == PDS_RUDI_RESP ? PDS_NEXT_RESPONSE
							: PDS_NEXT_REQUEST_STD;
	const uint8_t next = s.next ? s.next : predicted;
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

static inline void put_pdcless_nack(struct lab *lab, unsigned from,
				    struct pdcless s)
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

#define rudi(lab, ...) put_pdcless(lab, A, (struct pdcless){__VA_ARGS__})
#define resp(lab, ...)      \
	put_pdcless(lab, B, \
		    (struct pdcless){.type = PDS_RUDI_RESP, __VA_ARGS__})
#define nt(lab, ...) put_pdcless_nack(lab, B, (struct pdcless){__VA_ARGS__})
#define uud(lab, ...)                                             \
	put_pdcless(lab, A,                                       \
		    (struct pdcless){.type = PDS_UUD_REQ,         \
				     .opcode = SES_DATAGRAM_SEND, \
				     __VA_ARGS__})

static inline int setup_gaps(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();

	conf.complete = false;
	*state = malloc(sizeof(struct lab));
	assert_non_null(*state);
	lab_test_lab_open(*state, &conf);
	return 0;
}

static inline int setup_at(void **state, uint32_t here)
{
	struct judge_conf conf = lab_test_lab_conf();

	conf.here = ip_addr_v4(here);
	*state = malloc(sizeof(struct lab));
	assert_non_null(*state);
	lab_test_lab_open(*state, &conf);
	return 0;
}

static inline int setup_at_target(void **state)
{
	return setup_at(state, 0x0a000002);
}

#define COMPLETE(f) TOLD(f)
#define GAPS(f)     cmocka_unit_test_setup_teardown(f, setup_gaps, lab_teardown)
#define AT_B(f) \
	cmocka_unit_test_setup_teardown(f, setup_at_target, lab_teardown)

#endif
