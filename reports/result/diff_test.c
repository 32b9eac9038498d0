/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/result/diff.h"

#include "reports/golden_test.h"

static void diff_test_check(const char *e, const char *a, unsigned n,
			    const char *want_e, const char *want_a,
			    const char *want_marks)
{
	struct text t[3] = {{0}, {0}, {0}};

	assert_int_equal(rung_diff(&t[0], &t[1], &t[2], e, a), n);
	if (want_e) {
		assert_string_equal(text_cstr(&t[0]), want_e);
		assert_string_equal(text_cstr(&t[1]), want_a);
		assert_string_equal(text_cstr(&t[2]), want_marks);
	}
	for (int i = 0; i < 3; i++)
		text_free(&t[i]);
}

static void words(const char *e, const char *a, const char *want)
{
	struct text t = {0};

	rung_diff_words(&t, e, a);
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
}

static void every_difference_is_marked(void **state)
{
	(void)state;
	diff_test_check("ack ack_psn=333 cack_psn=332 req=clear | response "
			"message_id=1",
			"ack ack_psn=333 cack_psn=333 | response message_id=2",
			3,
			"ack ack_psn=333 cack_psn=332 req=clear | response "
			"message_id=1",
			"ack ack_psn=333 cack_psn=333           | response "
			"message_id=2",
			"                ^^^^^^^^^^^^ ^^^^^^^^^            "
			"^^^^^^^^^^^^");
}

static void lengths_are_padded(void **state)
{
	(void)state;
	diff_test_check("ack ack_psn=9 m", "ack ack_psn=1000",
			2, /* clang-format off */
	      "ack ack_psn=9    m",
	      "ack ack_psn=1000",
	      "    ^^^^^^^^^^^^ ^"); /* clang-format on */
}

static void order_does_not_matter(void **state)
{
	(void)state;
	diff_test_check("ack cack_psn=1 ack_psn=2", "ack ack_psn=2 cack_psn=1",
			0, "ack cack_psn=1 ack_psn=2",
			"ack cack_psn=1 ack_psn=2", "");
}

static void a_whole_part_may_be_missing(void **state)
{
	(void)state;
	diff_test_check("rud_req psn=1 | std send | data 64",
			"rud_req psn=1 | data 64", 2, /* clang-format off */
	      "rud_req psn=1 | std send | data 64",
	      "rud_req psn=1            | data 64",
	      "                ^^^ ^^^^"); /* clang-format on */
	diff_test_check("ack", "ack | response", 1, "ack", "ack | response",
			"      ^^^^^^^^");
}

static void types_and_codes_are_pairs(void **state)
{
	(void)state;
	diff_test_check("nack rcvr_infer_loss nack_psn=335",
			"nack trimmed nack_psn=335", 1, /* clang-format off */
	      "nack rcvr_infer_loss nack_psn=335",
	      "nack trimmed         nack_psn=335",
	      "     ^^^^^^^^^^^^^^^"); /* clang-format on */
	diff_test_check("ack ack_psn=1", "nack trimmed nack_psn=1", 2, NULL,
			NULL, NULL);
}

static void expectations_are_understood(void **state)
{
	static const char *const same[][2] = {
		{"ack ack_psn=333..336", "ack ack_psn=334"},
		{"ack ack_psn=4294967295..2", "ack ack_psn=0"},
		{"ack ack_psn=333|335", "ack ack_psn=335"},
		{"ack ack_psn>=333", "ack ack_psn=400"},
		{"ack ack_psn<=333", "ack ack_psn=4294967295"},
		{"ack ack_psn!=333", "ack ack_psn=334"},
		{"ack ack_psn=*", "ack ack_psn=334"},
		{"ack ack_psn==0x14d", "ack ack_psn=333"},
		{"ack req=none", "ack"},
		{"ack req=1", "ack req=clear"},
		{"ack m=0 | response return_code=ok", "ack | response"},
		{"rud_req retx=1", "rud_req retx"},
		{"rud_req retx", "rud_req retx=1"},
		{"rud_req | std | same", "rud_req | std | data 64"},
	};
	static const char *const differ[][2] = {
		{"ack ack_psn=333..336", "ack ack_psn=337"},
		{"ack ack_psn=333|335", "ack ack_psn=334"},
		{"ack ack_psn>=333", "ack ack_psn=332"},
		{"ack ack_psn!=333", "ack ack_psn=333"},
		{"ack req=clear", "ack"},
		{"ack retx", "ack"},
		{"ack m=1", "ack"},
		{"rud_req | data 64", "rud_req | data 63"},
		{"rud_req | std | same", "rud_req | std | different"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		diff_test_check(same[i][0], same[i][1], 0, NULL, NULL, NULL);
	for (size_t i = 0; i < sizeof(differ) / sizeof(differ[0]); i++)
		diff_test_check(differ[i][0], differ[i][1], 1, NULL, NULL,
				NULL);
}

static void the_unasked_is_blamed_last(void **state)
{
	(void)state;
	diff_test_check("ack ack_psn=1", "ack ack_psn=2 retx m",
			1, /* clang-format off */
	      "ack ack_psn=1",
	      "ack ack_psn=2 retx m",
	      "    ^^^^^^^^^"); /* clang-format on */
	diff_test_check("ack ack_psn=1", "ack ack_psn=1 retx m",
			2, /* clang-format off */
	      "ack ack_psn=1",
	      "ack ack_psn=1 retx m",
	      "              ^^^^ ^"); /* clang-format on */
	diff_test_check("ack", "ack ! short ack", 1, "ack", "ack   ! short ack",
			"      ^^^^^^^^^^^");
}

static void differences_are_told(void **state)
{
	(void)state;
	words("ack cack_psn=332 req=clear", "ack cack_psn=333",
	      "expected cack_psn=332, got 333; expected req=clear, got none");
	words("ack", "ack m", "not expected: m");
	words("ack", "nack trimmed", "expected ack, got nack");
	words("rud_req retx", "rud_req", "expected retx, got it not");
	words("ack", "ack", "");
}

static void long_rungs_do_no_harm(void **state)
{
	struct text t = {0};

	(void)state;
	text_puts(&t, "ack");
	for (int i = 0; i < 300; i++)
		text_printf(&t, " f%d=%d", i, i);
	diff_test_check(text_cstr(&t), text_cstr(&t), 0, NULL, NULL, NULL);
	diff_test_check("", text_cstr(&t), 96, NULL, NULL, NULL);
	diff_test_check(text_cstr(&t), "", 95, NULL, NULL, NULL);
	diff_test_check(" |  | = == !== |", " ! | !", 4, NULL, NULL, NULL);
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_difference_is_marked),
		cmocka_unit_test(lengths_are_padded),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(a_whole_part_may_be_missing),
		cmocka_unit_test(types_and_codes_are_pairs),
		cmocka_unit_test(expectations_are_understood),
		cmocka_unit_test(the_unasked_is_blamed_last),
		cmocka_unit_test(differences_are_told),
		cmocka_unit_test(long_rungs_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
