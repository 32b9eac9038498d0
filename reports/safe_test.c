/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/safe.h"

#include "reports/golden_test.h"

static void safe_test_is(const char *in, size_t len, const char *want)
{
	struct text t = {0};

	safe_add(&t, in, len);
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
}

static void controls_are_spelt(void **state)
{
	(void)state;
	safe_test_is("a\033[31mb", 7, "a\\x1b[31mb");
	safe_test_is("a\nb\tc", 5, "a\\x0ab\\x09c");
	safe_test_is("a\0b", 3, "a\\x00b");
	safe_test_is("\x7f", 1, "\\x7f");
	safe_test_is("\xc2\x9b", 2, "\\xc2\\x9b");          /* CSI of 8 bits */
	safe_test_is("\xe2\x80\xae", 3, "\\xe2\\x80\\xae"); /* right to left */
}

static void utf8_is_kept_and_the_rest_is_not(void **state)
{
	(void)state;
	safe_test_is("caf\xc3\xa9 \xe2\x86\x92 \xf0\x9f\x98\x80", 14,
		     "caf\xc3\xa9 \xe2\x86\x92 \xf0\x9f\x98\x80");
	safe_test_is("\xc3", 1, "\\xc3");
	safe_test_is("\xc0\xaf", 2, "\\xc0\\xaf");
	safe_test_is("\xe0\x80\x80", 3, "\\xe0\\x80\\x80");
	safe_test_is("\xed\xa0\x80", 3, "\\xed\\xa0\\x80"); /* a surrogate */
	safe_test_is("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80");
	safe_test_is("\xff"
		     "a",
		     2, "\\xffa");
	safe_test_is("\xef\xbf\xbf", 3,
		     "\\xef\\xbf\\xbf"); /* no character of XML */
}

static void lines_break_after_words(void **state)
{
	const char *next;

	(void)state;
	assert_int_equal(safe_wrap("one two three", 8, &next), 7);
	assert_string_equal(next, "three");
	assert_int_equal(safe_wrap("one two", 7, &next), 7);
	assert_string_equal(next, "");
	assert_int_equal(safe_wrap("one two", 3, &next), 3);
	assert_string_equal(next, "two");
	assert_int_equal(safe_wrap("abcdef", 4, &next), 4);
	assert_string_equal(next, "ef");
	assert_int_equal(safe_wrap("\xc3\xa9\xc3\xa9\xc3\xa9", 2, &next), 4);
	assert_int_equal(safe_wrap("abc", 0, &next), 1);
	assert_int_equal(safe_wrap("", 5, &next), 0);
	assert_int_equal(safe_columns("\xc3\xa9"
				      "a",
				      3),
			 2);
}

static void xml_is_escaped(void **state)
{
	struct text t = {0};

	(void)state;
	safe_xml(&t, "a<b> & \"c\" 'd'\n\x01");
	assert_string_equal(text_cstr(&t),
			    "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;"
			    "&#10;\\x01");
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(controls_are_spelt),
		cmocka_unit_test(utf8_is_kept_and_the_rest_is_not),
		cmocka_unit_test(lines_break_after_words),
		cmocka_unit_test(xml_is_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
