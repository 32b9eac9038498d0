/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_build_test.c -- tests names of fields in packets and layouts,
 * packets that are built, with and without plans, and packets that are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "wire/packet_lab_test.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

/* ---- Names ---- */

static void values_are_found_in_their_part(void **state)
{
	const struct field_value set[] = {PDS("ctl_type", 6),
					  PDS("sack_psn", 0x144)};
	const struct packet_spec spec = {"cp", .set = set, .nset = 2};
	uint8_t bytes[SIZE];
	struct packet_ref ref;
	struct packet pkt;
	uint64_t v;

	(void)state;
	uet_packet_parse(&pkt, bytes,
			 (size_t)packet_build(bytes, SIZE, &spec, NULL));
	assert_true(packet_value(&pkt, "sack_psn", &v));
	assert_int_equal(v, 0x144);
	assert_false(packet_value(&pkt, "cack_psn", &v));
	assert_false(packet_value(&pkt, "ctl_typ", &v));
	assert_true(packet_find(&pkt, 0, 1, "ctl_type", 8, &ref));
	assert_int_equal(packet_get(&pkt, &ref), 6);
	assert_false(packet_find(&pkt, 1, pkt.nsec, "ctl_type", 8, &ref));
}

static bool packet_build_test_has(const char *type, const char *ses, bool side,
				  const char *name)
{
	return packet_layout_has(type, ses, side, name, strlen(name), NULL);
}

static void layouts_have_all_variants(void **state)
{
	const struct field *f = NULL;

	(void)state;
	assert_true(packet_build_test_has("rud_req", NULL, false, "dpdcid"));
	assert_true(packet_build_test_has("rud_req", NULL, false, "start_psn"));
	assert_true(packet_build_test_has("rud_req", NULL, false, "clear_psn"));
	assert_false(packet_build_test_has("rud_req", NULL, false, "ccc_id"));
	assert_true(packet_build_test_has("rud_cc_req", NULL, false, "ccc_id"));
	assert_true(packet_build_test_has("ack_cc", NULL, false, "sack_psn"));
	assert_true(packet_build_test_has("ack_ccx", NULL, false, "sack_psn"));
	assert_false(packet_build_test_has("ack", NULL, false, "sack_psn"));
	assert_true(packet_build_test_has("ack_cc", NULL, false, "rcvd_bytes"));
	assert_true(packet_build_test_has("ack_cc", NULL, false, "credit"));
	assert_true(packet_build_test_has("cp", NULL, false, "feature_mask"));
	assert_false(packet_build_test_has("cp", NULL, false, "next_hdr"));
	assert_false(packet_build_test_has("rud_req", NULL, true, "opcode"));
	assert_true(
		packet_build_test_has("rud_req", "std", true, "target_token"));
	assert_true(
		packet_build_test_has("rud_req", "std", true, "amo_opcode"));
	assert_true(
		packet_build_test_has("rud_req", "small", true, "read_offset"));
	assert_false(
		packet_build_test_has("ack", "response", true, "amo_opcode"));
	assert_true(packet_build_test_has("ack", "response_data", true,
					  "message_offset"));
	assert_false(packet_build_test_has("rud_req", "std", false, "opcode"));
	assert_false(
		packet_build_test_has("rud_req", "standard", true, "opcode"));
	assert_false(packet_build_test_has("req", NULL, false, "psn"));
	assert_false(packet_build_test_has(NULL, NULL, false, "psn"));
	assert_true(packet_layout_has("rud_req", NULL, false, "psn", 3, &f));
	assert_int_equal(f->kind, FIELD_SEQ);
	assert_true(packet_layout_has("ack", NULL, false, "ack_psn", 7, &f));
	assert_null(f);
}

/* ---- Errors ---- */

static void check_refused(const struct packet_spec *spec, size_t size, int err,
			  int blame)
{
	uint8_t bytes[SIZE], before[SIZE];
	int bad = 77;

	memset(bytes, 0xa5, sizeof(bytes));
	memset(before, 0xa5, sizeof(before));
	assert_int_equal(packet_build(bytes, size, spec, &bad), err);
	assert_int_equal(bad, blame);
	assert_int_equal(packet_build(bytes, size, spec, NULL), err);
	assert_memory_equal(bytes, before, sizeof(bytes));
}

static void bad_orders_are_refused(void **state)
{
	struct field_value set[] = {PDS("ar", 1), PDS("psn", 5), SES("eom", 1)};
	struct packet_spec spec = {"rud_req", "std", .set = set, .nset = 3};

	(void)state;
	spec.type = "rud";
	check_refused(&spec, SIZE, ERR_SUPPORT, -1);
	spec.type = "rud_req";
	spec.ses = "stdd";
	check_refused(&spec, SIZE, ERR_SUPPORT, -1);
	spec.ses = "std";
	spec.ext[0] = "extra";
	check_refused(&spec, SIZE, ERR_SUPPORT, -1);
	spec.ext[0] = NULL;
	check_refused(&spec, 55, ERR_SPACE, -1);
	spec.payload_len = SIZE - 55;
	check_refused(&spec, SIZE, ERR_SPACE, -1);
	spec.payload_len = 0;
	set[0].value = 2;
	check_refused(&spec, SIZE, ERR_VALUE, 0);
	set[0].value = 1;
	set[2].ses = false;
	check_refused(&spec, SIZE, ERR_VALUE, 2);
	set[2] = (struct field_value)PDS("clear_psn", 5 - 32769u);
	check_refused(&spec, SIZE, ERR_VALUE, 2);
	set[2] = (struct field_value)PDS("clear_psn", (uint64_t)1 << 32);
	check_refused(&spec, SIZE, ERR_VALUE, 2);
	/* start_psn needs syn */
	set[2] = (struct field_value)PDS("start_psn", 5);
	check_refused(&spec, SIZE, ERR_VALUE, 2);
}

static void words_can_be_overruled(void **state)
{
	const struct field_value set[] = {PDS("type", 31), PDS("next_hdr", 7)};
	const struct packet_spec spec = {"rud_req", "std", .set = set,
					 .nset = 2};
	uint8_t bytes[SIZE];

	(void)state;
	assert_int_equal(packet_build(bytes, SIZE, &spec, NULL), 56);
	assert_int_equal(bytes[0], 0xfb);
	assert_int_equal(bytes[1], 0x80);
}

/* A CP has no next_hdr, so its text does not restore an SES header after it. */
static void anything_may_follow_anything(void **state)
{
	const struct packet_spec spec = {.type = "cp", .ses = "std"};
	uint8_t bytes[SIZE];
	struct packet pkt;

	(void)state;
	assert_int_equal(packet_build(bytes, SIZE, &spec, NULL), 16 + 44);
	uet_packet_parse(&pkt, bytes, 16 + 44);
	check_text(&pkt, PACKET_FULL, NULL, "cp noop | data 44");
}

static void extensions_can_be_forced(void **state)
{
	const struct field_value set[] = {SES("opcode", SES_ATOMIC),
					  SES("swap_value_lo", 7),
					  SES("eager_length", 9)};
	struct packet_spec spec = {"rud_req",
				   "small",
				   {"cswap", "rendezvous"},
				   .set = set,
				   .nset = 3};
	uint8_t bytes[SIZE];

	(void)state;
	assert_int_equal(packet_build(bytes, SIZE, &spec, NULL),
			 12 + 20 + 4 + 32 + 24);
	assert_int_equal(bytes[12 + 20 + 4 + 31], 7);
	assert_int_equal(bytes[12 + 20 + 4 + 32 + 3], 9);
	spec.ext[0] = "atomic"; /* the opcode requires it already */
	spec.ext[1] = NULL;
	spec.nset = 1;
	assert_int_equal(packet_build(bytes, SIZE, &spec, NULL), 12 + 20 + 4);
}

static void payload_is_copied_or_zero(void **state)
{
	static const uint8_t data[3] = {1, 2, 3};
	struct packet_spec spec = {"uud_req", .payload_len = 3};
	uint8_t bytes[SIZE];

	(void)state;
	memset(bytes, 0xa5, sizeof(bytes));
	assert_int_equal(packet_build(bytes, SIZE, &spec, NULL), 7);
	assert_memory_equal(bytes, "\x30\0\0\0\0\0\0\xa5", 8);
	spec.payload = data;
	assert_int_equal(packet_build(bytes, 7, &spec, NULL), 7);
	assert_memory_equal(bytes, "\x30\0\0\0\1\2\3\xa5", 8);
}

/* ---- Plans ---- */

/* A packet is built in the same way with plans and without. */
static void plans_change_nothing(struct packet_plans *plans,
				 struct packet_spec spec)
{
	uint8_t plain[SIZE], planned[SIZE];
	int bad_plain, bad_planned, len;

	memset(plain, 0xa5, sizeof(plain));
	memset(planned, 0xa5, sizeof(planned));
	len = packet_build(plain, SIZE, &spec, &bad_plain);
	spec.plans = plans;
	assert_int_equal(packet_build(planned, SIZE, &spec, &bad_planned), len);
	assert_int_equal(bad_planned, bad_plain);
	assert_memory_equal(planned, plain, SIZE);
}

/* Values that select headers, and some that do not fit their fields. */
static void plans_of_requests(void **state)
{
	struct packet_plans *plans = calloc(1, sizeof(*plans));
	struct rng rng = {3};

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		const uint32_t psn = (uint32_t)rng_next(&rng);
		const uint32_t far = rng_below(&rng, 50) ? 9 : 99999;
		const struct field_value set[] = {
			PDS("clear_psn", (uint32_t)(psn - far)),
			PDS("psn", psn),
			PDS("syn", rng_below(&rng, 2)),
			SES("som", rng_below(&rng, 3)),
			SES("opcode", rng_below(&rng, 64)),
			SES("request_length", rng_next(&rng) >> 40),
			SES("amo_opcode", rng_below(&rng, 32))};
		const struct packet_spec spec = {
			rng_below(&rng, 2) ? "rud_req" : "rod_cc_req", "std",
			.set = set + rng_below(&rng, 3),
			.nset = 2 + rng_below(&rng, 4)};

		plans_change_nothing(plans, spec);
	}
	free(plans);
}

static void plans_of_answers(void **state)
{
	struct packet_plans *plans = calloc(1, sizeof(*plans));
	struct rng rng = {4};

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		const uint32_t cack = (uint32_t)rng_next(&rng);
		const struct field_value set[] = {
			PDS("cack_psn", cack),
			PDS("ack_psn", cack + rng_below(&rng, 9)),
			PDS("p", rng_below(&rng, 8) == 0),
			PDS("sack_psn", cack + rng_below(&rng, 40000)),
			PDS("cc_type", rng_below(&rng, 3)),
			PDS("credit", rng_below(&rng, 4))};
		const struct packet_spec spec = {
			rng_below(&rng, 2) ? "ack_cc" : "ack", .set = set,
			.nset = 1 + rng_below(&rng, 6)};

		plans_change_nothing(plans, spec);
	}
	free(plans);
}

/* The names of a line may be where those of another one were. */
static void plans_read_names(void **state)
{
	struct packet_plans *plans = calloc(1, sizeof(*plans));
	char name[16] = "spdcid";
	const struct field_value set[] = {PDS(name, 7)};
	const struct packet_spec spec = {"rud_req", .set = set, .nset = 1};

	(void)state;
	plans_change_nothing(plans, spec);
	memcpy(name, "dpdcid", 7);
	plans_change_nothing(plans, spec);
	memcpy(name, "nothing", 8);
	plans_change_nothing(plans, spec);
	free(plans);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_found_in_their_part),
		cmocka_unit_test(layouts_have_all_variants),
		cmocka_unit_test(bad_orders_are_refused),
		cmocka_unit_test(words_can_be_overruled),
		cmocka_unit_test(anything_may_follow_anything),
		cmocka_unit_test(extensions_can_be_forced),
		cmocka_unit_test(payload_is_copied_or_zero),
		cmocka_unit_test(plans_of_requests),
		cmocka_unit_test(plans_of_answers),
		cmocka_unit_test(plans_read_names),
	};

	return cmocka_run_group_tests_name("wire.packet_build", tests, NULL,
					   NULL);
}
