/* SPDX-License-Identifier: BSD-2-Clause */
/* Round trip of the declared comment. */
#include "reports/format/declared.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/frame/capture.h"

static const struct declared full = {
	.judge = {.rto_init = 5 * VSPAN_MS,
		  .rto_tolerance = 1,
		  .grace = 13,
		  .max_rto_retx = 2,
		  .nack_retx_time = 3,
		  .nack_tolerance = 4,
		  .max_nack_retx = 5,
		  .max_ack_data = 6,
		  .mp_range = 7,
		  .mtu = 8,
		  .version = UET_1_0_3,
		  .dscp_trimmed = 9,
		  .dscp_trimmed_lasthop = 10},
	.crc = true,
	.crc_order = CRC_BE,
	.end = 11,
	.frames = 12,
};

static void declared_test_same(const struct declared *d)
{
	struct text t = {0};
	struct declared back;

	memset(&back, 0, sizeof(back));
	declared_print(&t, d);
	declared_parse(&back, text_cstr(&t));
	assert_memory_equal(&back, d, sizeof(back));
	text_free(&t);
}

static void declared_test_there_and_back(void **state)
{
	struct declared d = full;

	(void)state;
	declared_test_same(&d);
	d.crc_order = CRC_LE;
	declared_test_same(&d);
	d.crc = false;
	declared_test_same(&d);
}

/* A reader of captures ignores a longer line, and with it the declaration. */
static void the_longest_line_is_read(void **state)
{
	struct declared d = full;
	struct text t = {0};

	(void)state;
	d.judge.rto_init = d.judge.rto_tolerance = d.judge.rto_max = INT64_MAX;
	d.judge.grace = d.judge.nack_retx_time = INT64_MAX;
	d.judge.nack_tolerance = d.end = INT64_MAX;
	d.judge.max_rto_retx = d.judge.max_nack_retx = UINT_MAX;
	d.judge.max_ack_data = d.judge.mp_range = UINT32_MAX;
	d.judge.mtu = d.frames = UINT32_MAX;
	declared_test_same(&d);
	declared_print(&t, &d);
	assert_true(t.len < CAPTURE_DECLARED);
	text_free(&t);
}

/* Missing values keep what the caller set. */
static void an_older_line_is_read(void **state)
{
	struct declared d = full;

	(void)state;
	declared_parse(&d, "declared rto=1 tolerance=2 max_rto_retx=3");
	assert_int_equal(d.judge.rto_init, 1);
	assert_int_equal(d.judge.max_rto_retx, 3);
	assert_int_equal(d.judge.mtu, 8);
	assert_int_equal(d.judge.version, UET_1_0_3);
	assert_int_equal(d.frames, 12);
	assert_false(d.crc);
	declared_parse(&d, "something else");
	assert_int_equal(d.judge.rto_init, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(declared_test_there_and_back),
		cmocka_unit_test(the_longest_line_is_read),
		cmocka_unit_test(an_older_line_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
