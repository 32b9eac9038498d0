/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers with an AETH that say the same in another form, and those that do
 * not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/diag.h"
#include "suite/lang/case_parse.h"
#include "suite/run/match/match.h"
#include "wire/ib/ib.h"
#include "wire/packet.h"

#define HEADS 24 /* BTH, AETH and RIETH */

/* Returns whether a packet of |len| bytes meets the line |text|. */
static bool meets(const uint8_t *p, size_t len, enum family family,
		  const char *text)
{
	struct arena arena = {0};
	struct diag diag = {0};
	struct packet pkt;
	struct rung rung;
	bool met;

	assert_int_equal(rung_parse(&arena, &rung, text, true, &diag), 0);
	packet_parse(family, &pkt, p, len);
	assert_int_equal(pkt.fault, PACKET_OK);
	met = match_packet(&rung, &pkt, 1024);
	arena_free(&arena);
	return met;
}

static bool ack_meets(uint8_t syndrome, const char *text)
{
	const struct bth bth = {.opcode = IB_WQE_ACK, .pkey = 0xffff};
	const struct aeth aeth = {.syndrome = syndrome, .msn = 1};
	uint8_t p[HEADS] = {0};

	bth_put(&bth, p);
	aeth_put(&aeth, p + bth_len);
	return meets(p, bth_len + aeth_len, FAMILY_WQE, text);
}

static void credits_and_timer_codes_are_free(void **state)
{
	(void)state;
	assert_true(ack_meets(0x1f, "wqe_ack syndrome=ack"));
	assert_true(ack_meets(0x00, "wqe_ack syndrome=ack"));
	assert_true(ack_meets(0x0a, "wqe_ack syndrome=ack"));
	assert_false(ack_meets(0x20, "wqe_ack syndrome=ack"));
	assert_false(ack_meets(0x9f, "wqe_ack syndrome=ack"));
	assert_false(ack_meets(0x1f, "wqe_ack syndrome=0x0a"));
	assert_true(ack_meets(0x27, "wqe_ack syndrome=rnr"));
	assert_false(ack_meets(0x1f, "wqe_ack syndrome=rnr"));
	assert_false(ack_meets(0x61, "wqe_ack syndrome=psn_seq_err"));
}

/* The PSNs 0xffffff and 1 are missing. */
static bool bitmap_meets(const char *text)
{
	const struct bth bth = {.opcode = IB_WQE_RTX_IND, .pkey = 0xffff};
	const struct aeth aeth = {.syndrome = IB_SYNDROME_PSN_SEQ};
	const struct rieth ri = {.fmt = RIETH_BITMAP, .k = 1, .count = 1};
	static const uint8_t map[] = {0, 0xff, 0xff, 0xff, 0xa0, 0, 0, 0};
	uint8_t p[HEADS + sizeof(map)] = {0};

	bth_put(&bth, p);
	aeth_put(&aeth, p + bth_len);
	rieth_put(&ri, p + bth_len + aeth_len);
	memcpy(p + HEADS, map, sizeof(map));
	return meets(p, sizeof(p), FAMILY_WQE, text);
}

static void a_bitmap_is_its_list(void **state)
{
	(void)state;
	assert_true(bitmap_meets("wqe_rtx_ind count=2 "
				 "| bytes 00 ff ff ff 00 00 00 01"));
	assert_false(bitmap_meets("wqe_rtx_ind count=3"));
	assert_false(bitmap_meets("wqe_rtx_ind | bytes 00 ff ff ff"));
	assert_false(bitmap_meets("wqe_rtx_ind "
				  "| bytes 00 ff ff ff 00 00 00 02"));
	assert_false(bitmap_meets("wqe_rtx_ind | bytes 00 ff ff ff "
				  "00 00 00 01 00 00 00 03"));
	assert_false(bitmap_meets("wqe_rtx_ind fmt=bitmap "
				  "| bytes 00 ff ff ff 00 00 00 01"));
	assert_true(bitmap_meets("wqe_rtx_ind fmt=bitmap count=1 "
				 "| bytes 00 ff ff ff a0 00 00 00"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(credits_and_timer_codes_are_free),
		cmocka_unit_test(a_bitmap_is_its_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
