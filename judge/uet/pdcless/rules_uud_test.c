/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/rules_uud_test.c -- tests UUD with datagrams that obey the
 * rules and some that violate them.
 */
#include "judge/uet/pdcless/pdcless_lab_test.h"

static void datagram_is_plain(void **state)
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
	none(lab); /* version 1.0.2 */
	lab_version(lab, UET_1_0_3);
	uud(lab, .mid = 8);
	breaks(lab, UET_SES_28, SRC, A);
	uud(lab, .no_eom = 1);
	breaks(lab, UET_SES_34, SRC, A);
	put_pdcless(lab, A,
		    (struct pdcless){
			    .type = PDS_UUD_REQ, .opcode = SES_SEND, .mid = 3});
	breaks(lab, UET_SES_34, SRC, A);
	put_pdcless(lab, A,
		    (struct pdcless){.type = PDS_UUD_REQ,
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		COMPLETE(datagram_is_plain),
		COMPLETE(not_a_datagram),
		COMPLETE(datagram_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
