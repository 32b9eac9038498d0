/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_print_test.c -- tests packets printed in the words of a case
 * file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/packet_lab_test.h"
#include "wire/uet/uet_packet.h"

#define PSN(v) PDS("psn", v)
#define RUNG(...)                                  \
	(const struct field_value[]){__VA_ARGS__}, \
		ROWS(((const struct field_value[]){__VA_ARGS__}))

/* clang-format off */
static const struct {
	const char *type, *ses;
	const struct field_value *set;
	size_t nset, payload;
	const char *full, *brief;
} texts[] = {
	{"rud_req", "std",
	 RUNG(PSN(333), PDS("clear_psn", 332), PDS("ar", 1), PDS("spdcid", 7),
	      SES("opcode", 5), SES("som", 1), SES("eom", 1),
	      SES("message_id", 1), SES("request_length", 64)), 64,
	 "rud_req psn=333 clear_psn=332 ar spdcid=0x7 | std send eom som "
	 "message_id=1 request_length=64 | data 64",
	 "rud_req psn=333 clear_psn=332 ar | std send eom som message_id=1"
	 " | data 64"},
	{"rod_req", NULL,
	 RUNG(PSN(0), PDS("syn", 1), PDS("start_psn", 0xffffffff),
	      PDS("rsvd_9", 1), PDS("pdc_info", 8)), 0,
	 "rod_req psn=0 clear_psn=0 start_psn=4294967295 rsvd_9=1 syn "
	 "pdc_info=0x8",
	 "rod_req psn=0 clear_psn=0 start_psn=4294967295 rsvd_9=1 syn"},
	{"ack_cc", "response",
	 RUNG(PDS("cack_psn", 336), PDS("ack_psn", 338), PDS("req", 1),
	      PDS("sack_psn", 337), PDS("sack_bitmap", 3), PDS("mpr", 8),
	      PDS("rcvd_bytes", 9), SES("opcode", 1), SES("return_code", 1),
	      SES("message_id", 2), SES("job_id", 3)), 0,
	 "ack_cc ack_psn=338 cack_psn=336 sack_psn=337 req=clear mpr=8 "
	 "sack_bitmap=0x3 rcvd_bytes=9 | response response return_code=ok "
	 "message_id=2 job_id=0x3",
	 "ack_cc ack_psn=338 cack_psn=336 sack_psn=337 req=clear mpr=8 "
	 "sack_bitmap=0x3 | response message_id=2"},
	{"ack", "response", RUNG(SES("return_code", 0x22), SES("list", 1)), 0,
	 "ack ack_psn=0 cack_psn=0 | response default_response list=overflow "
	 "return_code=too_long",
	 "ack ack_psn=0 cack_psn=0 | response default_response list=overflow "
	 "return_code=too_long"},
	{"ack", "response_data_small",
	 RUNG(SES("opcode", 2), SES("payload_length", 8),
	      SES("original_request_psn", 5), SES("return_code", 0x25)), 8,
	 "ack ack_psn=0 cack_psn=0 | response_data_small response_w_data "
	 "return_code=37 payload_length=8 original_request_psn=5 | data 8",
	 "ack ack_psn=0 cack_psn=0 | response_data_small return_code=37 "
	 "original_request_psn=5 | data 8"},
	{"ack", NULL, RUNG(PDS("p", 1), PDS("cack_psn", 9), PDS("m", 1),
	      PDS("next_hdr", 9), PDS("probe_opaque", 0xc0f1)), 0,
	 "ack cack_psn=9 next_hdr=cp_ack m p probe_opaque=0xc0f1",
	 "ack cack_psn=9 next_hdr=cp_ack m p probe_opaque=0xc0f1"},
	{"nack", NULL, RUNG(PDS("nack_code", 7), PDS("nack_psn", 333)), 0,
	 "nack no_pkt_buffer nack_psn=333", "nack no_pkt_buffer nack_psn=333"},
	{"nack", NULL, RUNG(PDS("nack_code", 0xc), PDS("nt", 1),
	      PDS("nack_pkt_id", 0xab), PDS("next_hdr", 4)), 0,
	 "nack nack_code=0x0c nack_pkt_id=0xab next_hdr=response nt ! next_hdr",
	 "nack nack_code=0x0c nack_pkt_id=0xab next_hdr=response nt "
	 "! next_hdr"},
	{"cp", NULL, RUNG(PDS("ctl_type", 2), PDS("clear_psn", 333)), 0,
	 "cp clear_command clear_psn=333", "cp clear_command clear_psn=333"},
	{"cp", NULL, RUNG(PDS("ctl_type", 4), PSN(340), PDS("ar", 1)), 0,
	 "cp close_command psn=340 ar", "cp close_command psn=340 ar"},
	{"cp", NULL, RUNG(PDS("ctl_type", 10), PDS("payload", 255)), 0,
	 "cp ctl_type=0x0a payload=0xff", "cp ctl_type=0x0a payload=0xff"},
	{"cp", NULL, RUNG(PDS("ctl_type", 9), PDS("feature_mask", 1),
	      PDS("neg_type", 1), PDS("neg_length", 2)), 0,
	 "cp negotiation neg_type=0x1 neg_length=2 feature_mask=0x1",
	 "cp negotiation neg_type=0x1 neg_length=2 feature_mask=0x1"},
	{"rud_req", "small", RUNG(SES("opcode", 4), SES("amo_opcode", 0xd),
	      SES("datatype", 0x20), SES("swap_value_lo", 1)), 0,
	 "rud_req psn=0 clear_psn=0 | small fetching_atomic amo_opcode=cswap "
	 "datatype=32 swap_value_lo=0x1",
	 "rud_req psn=0 clear_psn=0 | small fetching_atomic amo_opcode=cswap "
	 "datatype=32"},
	{"rud_req", "std", RUNG(SES("opcode", 0x2a), SES("rsvd_0", 3)), 0,
	 "rud_req psn=0 clear_psn=0 | std opcode=0x2a rsvd_0=3",
	 "rud_req psn=0 clear_psn=0 | std opcode=0x2a rsvd_0=3"},
	{"rudi_resp", "response", RUNG(PDS("pkt_id", 0xd4), SES("opcode", 1)),
	 0, "rudi_resp pkt_id=0xd4 | response response",
	 "rudi_resp pkt_id=0xd4 | response"},
	{"uud_req", "medium", RUNG(SES("opcode", 7), SES("hd", 1),
	      SES("header_data", 5)), 4,
	 "uud_req | medium datagram_send hd header_data=0x5 | data 4",
	 "uud_req | medium datagram_send hd | data 4"},
	{"rud_req", NULL, RUNG(PDS("next_hdr", 3)), 4,
	 "rud_req psn=0 clear_psn=0 next_hdr=request_std | data 4 ! short std",
	 "rud_req psn=0 clear_psn=0 next_hdr=request_std | data 4 "
	 "! short std"},
	{"rud_req", NULL, RUNG(PDS("next_hdr", 7)), 0,
	 "rud_req psn=0 clear_psn=0 next_hdr=7 ! next_hdr",
	 "rud_req psn=0 clear_psn=0 next_hdr=7 ! next_hdr"},
	{"tss", NULL, RUNG(PDS("sdi", 0xe5d21), PDS("counter", 9)), 20,
	 "tss sdi=0xe5d21 counter=9 | data 20 ! encrypted",
	 "tss sdi=0xe5d21 counter=9 | data 20 ! encrypted"},
};
/* clang-format on */

static void packet_print_test_packets_print_as_rungs(void **state)
{
	uint8_t bytes[SIZE];

	(void)state;
	for (size_t i = 0; i < ROWS(texts); i++) {
		const struct packet_spec spec = {
			.type = texts[i].type,
			.ses = texts[i].ses,
			.set = texts[i].set,
			.nset = texts[i].nset,
			.payload_len = texts[i].payload,
		};
		int n = packet_build(bytes, SIZE, &spec, NULL);
		struct packet pkt;

		assert_true(n > 0);
		uet_packet_parse(&pkt, bytes, (size_t)n);
		check_text(&pkt, PACKET_FULL, NULL, texts[i].full);
		check_text(&pkt, PACKET_BRIEF, NULL, texts[i].brief);
	}
}

static void what_is_no_packet_prints_as_bytes(void **state)
{
	static const uint8_t bytes[18] = {0xf9, 0x80, 0xff};
	static const uint8_t cut[5] = {0x11, 0x80};
	struct packet pkt;

	(void)state;
	uet_packet_parse(&pkt, bytes, 3);
	check_text(&pkt, PACKET_FULL, NULL, "unknown | bytes f9 80 ff ! type");
	uet_packet_parse(&pkt, bytes, sizeof(bytes));
	check_text(&pkt, PACKET_BRIEF, NULL,
		   "unknown | bytes f9 80 ff 00 00 00 00 00 00 00 00 00 00 00 "
		   "00 00 ... ! type");
	uet_packet_parse(&pkt, bytes, 17);
	check_text(&pkt, PACKET_FULL, NULL,
		   "unknown | bytes f9 80 ff 00 00 00 00 00 00 00 00 00 00 00 "
		   "00 00 00 ! type");
	uet_packet_parse(&pkt, cut, sizeof(cut));
	check_text(&pkt, PACKET_FULL, NULL,
		   "rud_req | bytes 11 80 00 00 00 ! short req");
	uet_packet_parse(&pkt, cut, 1);
	check_text(&pkt, PACKET_FULL, NULL, "unknown | bytes 11 ! short pds");
	uet_packet_parse(&pkt, NULL, 0);
	check_text(&pkt, PACKET_FULL, NULL, "unknown ! short pds");
}

/* Maps PSNs on the wire to the figure's numbers. */
static uint32_t packet_print_test_show(const void *ctx,
				       const struct packet *pkt,
				       const char *field, uint32_t psn)
{
	assert_non_null(pkt);
	assert_non_null(strstr(field, "psn"));
	return psn - *(const uint32_t *)ctx;
}

static void psns_print_by_their_names(void **state)
{
	const uint32_t base = 1000;
	const struct packet_psn_names names = {packet_print_test_show, &base};
	const struct field_value set[] = {
		PDS("cack_psn", 1333), PDS("ack_psn", 1334),
		PDS("sack_psn", 1334), PDS("sack_bitmap", 1)};
	const struct packet_spec spec = {"ack_cc", .set = set, .nset = 4};
	uint8_t bytes[SIZE];
	struct packet pkt;

	(void)state;
	uet_packet_parse(&pkt, bytes,
			 (size_t)packet_build(bytes, SIZE, &spec, NULL));
	check_text(&pkt, PACKET_FULL, &names,
		   "ack_cc ack_psn=334 cack_psn=333 sack_psn=334 "
		   "sack_bitmap=0x1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packet_print_test_packets_print_as_rungs),
		cmocka_unit_test(what_is_no_packet_prints_as_bytes),
		cmocka_unit_test(psns_print_by_their_names),
	};

	return cmocka_run_group_tests_name("wire.packet_print", tests, NULL,
					   NULL);
}
