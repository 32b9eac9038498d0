/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/toy/toy_test.c -- the transport of toy_families.c is built, parsed,
 * printed and judged by the functions that serve all transports.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "judge/judge.h"
#include "wire/packet.h"

static size_t push_toy(struct judge *j, const char *type, uint32_t psn,
		       const char *want, struct finding *ret)
{
	const struct field_value set = {.name = "psn", .value = psn};
	const struct packet_spec spec = {.type = type, .set = &set, .nset = 1};
	struct dgram d = {.len = 0};
	struct packet pkt;
	struct judge_packet in = {.pkt = &pkt, .d = &d, .frame = psn};
	struct text t = {0};
	enum family family;

	assert_int_equal(family_find("toy", 3, &family), 0);
	d.family = (uint8_t)family;
	d.len = (size_t)packet_build(d.data, DGRAM_MAX, &spec, NULL);
	packet_parse(family, &pkt, d.data, d.len);
	packet_print(&t, &pkt, PACKET_FULL, NULL);
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
	return judge_push(j, &in, ret, 1);
}

static void is_built_printed_and_judged(void **unused)
{
	struct judge_conf conf = {0};
	struct finding f = {0};
	struct judge *j;

	(void)unused;
	assert_int_equal(judge_new(&j, &conf, 4), 0);
	assert_int_equal(push_toy(j, "toy_req", 7, "toy_req psn=7", &f), 0);
	assert_int_equal(push_toy(j, "toy_answer", 7, "toy_answer psn=7", &f),
			 0);
	assert_int_equal(push_toy(j, "toy_answer", 8, "toy_answer psn=8", &f),
			 1);
	assert_int_equal(f.req, REQ_I5);
	judge_free(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_built_printed_and_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
