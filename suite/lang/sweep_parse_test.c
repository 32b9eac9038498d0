/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "suite/lang/sweep_parse.h"
#include "wire/uet/uet_pds.h"

static struct sweep sweep_parse_test_parse(const char *text)
{
	struct sweep w;
	struct diag d = {0};

	assert_int_equal(sweep_parse(&w, "--set", text, &d), 0);
	return w;
}

static void every_form_is_read(void **state)
{
	struct sweep w = sweep_parse_test_parse("psn=+1");

	(void)state;
	assert_string_equal(w.name, "psn");
	assert_int_equal(w.kind, SWEEP_STEP);
	assert_int_equal(w.step, 1);
	assert_int_equal((int64_t)sweep_parse_test_parse("clear_psn=+-2").step,
			 -2);
	w = sweep_parse_test_parse("clear_psn_offset=-32768..0");
	assert_int_equal(w.kind, SWEEP_RANGE);
	assert_int_equal((int64_t)w.values[0], -32768);
	assert_int_equal(w.values[1], 0);
	assert_int_equal(w.step, 1);
	assert_int_equal(sweep_parse_test_parse("psn=0..0x20/16").step, 16);
	w = sweep_parse_test_parse("nack_code=no_pkt_buffer|0x4");
	assert_int_equal(w.kind, SWEEP_VALUES_OF);
	assert_int_equal(w.n, 2);
	assert_int_equal(w.values[0], NACK_NO_PKT_BUFFER);
	assert_int_equal(w.values[1], 4);
	assert_int_equal(sweep_parse_test_parse("dpdcid=rand").kind,
			 SWEEP_RANDOM);
	assert_int_equal(sweep_parse_test_parse("entropy=7").values[0], 7);
	assert_int_equal(sweep_parse_test_parse(" dscp=63 ").n, 1);
}

static void sweep_parse_test_mistakes_have_their_place(void **state)
{
	static const struct {
		const char *text;
		unsigned col;
		const char *why;
	} bad[] = {
		{"", 1, "expected FIELD=VALUE"},
		{"psn", 4, "expected '='"},
		{"psn=", 4, "expected '='"},
		{"pns=1", 1, "did you mean 'psn'"},
		{"=1", 1, "no header has a field"},
		{"psn=one", 5, "is no number"},
		{"psn=+", 6, "is no number"},
		{"psn=1..", 8, "is no number"},
		{"psn=1..5/0", 10, "a step above 0"},
		{"psn=1|", 7, "is no number"},
		{"nack_code=no_such", 11, "no name of a value"},
		{"psn=1 2", 7, "2"},
		{"psn=99999999999999999999", 5, "is no number"},
		{"psn=0|1|2|3|4|5|6|7|8|9|0|1|2|3|4|5|6|7|8|9|0|1|2|3|4|5|6|7|"
		 "8|9|0|1|2",
		 69, "more than 32 values"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct diag d = {0};
		struct sweep w;

		assert_int_equal(sweep_parse(&w, "--set", bad[i].text, &d),
				 ERR_SYNTAX);
		if (d.col != bad[i].col || !strstr(d.text, bad[i].why))
			fail_msg("'%s': %u: %s", bad[i].text, d.col, d.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_is_read),
		cmocka_unit_test(sweep_parse_test_mistakes_have_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
