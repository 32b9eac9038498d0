/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses_hdr_test.c -- tests that SES headers survive a round trip,
 * that truncated ones are refused, and the pattern of payloads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "oracle/oracle.h"
#include "oracle/uet/ses/ses_buf.h"
#include "oracle/uet/ses/ses_hdr.h"

static const uint8_t requests[] = {
	PDS_NEXT_REQUEST_SMALL, PDS_NEXT_REQUEST_MEDIUM, PDS_NEXT_REQUEST_STD};

static const uint8_t responses[] = {PDS_NEXT_RESPONSE, PDS_NEXT_RESPONSE_DATA,
				    PDS_NEXT_RESPONSE_DATA_SMALL};

static struct ses_req some_request(uint8_t next_hdr, bool som)
{
	const bool std = next_hdr == PDS_NEXT_REQUEST_STD;
	const bool small = next_hdr == PDS_NEXT_REQUEST_SMALL;

	return (struct ses_req){
		.next_hdr = next_hdr,
		.opcode = SES_WRITE,
		.som = som,
		.eom = true,
		.message_id = std ? 0x1234 : 0,
		.ri_generation = 7,
		.job_id = 0xabcdef,
		.pid_on_fep = 0xfed,
		.resource_index = 0xcba,
		.buffer_offset = 0x1122334455667788,
		.memory_key = small ? 0 : 0x8877665544332211,
		.initiator = small ? 0 : 0x99aabbcc,
		.request_length = 0x3eef,
		.message_offset = som ? 0 : 0x1000,
		.slice = som ? 0 : 0x2eef,
	};
}

static void ses_hdr_test_round_trip(uint8_t next_hdr, bool som)
{
	const struct ses_req req = some_request(next_hdr, som);
	uint8_t bytes[SES_HDR_MAX] = {0}, again[SES_HDR_MAX] = {0};
	const size_t len = ses_req_put(&req, bytes);
	struct ses_req back;

	assert_int_equal(len, ses_req_len(next_hdr));
	assert_int_equal(ses_req_get(&back, next_hdr, bytes, len), (int)len);
	assert_int_equal(ses_req_put(&back, again), len);
	assert_memory_equal(bytes, again, len);
	assert_int_equal(back.memory_key, req.memory_key);
	assert_int_equal(back.message_offset, req.message_offset);
	assert_int_equal(back.slice, req.slice);
	for (size_t n = 0; n < len; n++)
		assert_int_equal(ses_req_get(&back, next_hdr, bytes, n),
				 ERR_SHORT);
}

static void requests_survive(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(requests); i++)
		ses_hdr_test_round_trip(requests[i], true);
	ses_hdr_test_round_trip(PDS_NEXT_REQUEST_STD, false);
}

static void responses_survive(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(responses); i++) {
		const struct ses_rsp rsp = {
			.next_hdr = responses[i],
			.opcode = SES_RESPONSE_W_DATA,
			.return_code = RC_TOO_LONG,
			.message_id = 0x4321,
			.ri_generation = 9,
			.job_id = 0x123456,
			.modified_length = 0xdeadbeef,
			.read_request_message_id = 0x7777,
			.original_request_psn = 0xfffffff0,
			.payload_length = 0x3fff,
			.message_offset = 0x80000001,
		};
		uint8_t bytes[SES_HDR_MAX] = {0}, again[SES_HDR_MAX] = {0};
		const size_t len = ses_rsp_put(&rsp, bytes);
		struct ses_rsp back;

		assert_int_equal(ses_rsp_get(&back, responses[i], bytes, len),
				 (int)len);
		assert_int_equal(ses_rsp_put(&back, again), len);
		assert_memory_equal(bytes, again, len);
		assert_int_equal(
			ses_rsp_get(&back, responses[i], bytes, len - 1),
			ERR_SHORT);
	}
}

static void ses_hdr_test_others_are_refused(void **state)
{
	const uint8_t bytes[SES_HDR_MAX] = {0};
	struct ses_req req;
	struct ses_rsp rsp;

	(void)state;
	assert_int_equal(ses_req_get(&req, PDS_NEXT_RESPONSE, bytes, 44),
			 ERR_SUPPORT);
	assert_int_equal(ses_rsp_get(&rsp, PDS_NEXT_NONE, bytes, 44),
			 ERR_SUPPORT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_survive),
		cmocka_unit_test(responses_survive),
		cmocka_unit_test(ses_hdr_test_others_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
