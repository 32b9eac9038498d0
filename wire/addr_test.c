/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/addr_test.c -- tests addresses and their text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "wire/addr.h"

static void text_and_back(void **state)
{
	static const char *const texts[] = {
		"0.0.0.0",
		"192.0.2.17",
		"255.255.255.255",
		"::",
		"::1",
		"2001:db8:a::a1",
		"fe80::1:2:3:4",
		"2001:db8:1111:2222:3333:4444:5555:6666",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[IP_ADDR_TEXT];
		struct ip_addr a;

		assert_int_equal(ip_addr_parse(&a, texts[i], strlen(texts[i])),
				 0);
		assert_int_equal(a.len, strchr(texts[i], ':') ? 16 : 4);
		ip_addr_print(&a, text);
		assert_string_equal(text, texts[i]);
	}
}

static void bad_text_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"1.2.3",
		"1.2.3.4.5",
		"1.2.3.256",
		"1.2.3.4 ",
		"host",
		"1::2::3",
		"12345::",
		"2001:db8",
		"1.2.3.4\n",
		"0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000",
	};
	struct ip_addr a = {9, {7}};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(ip_addr_parse(&a, texts[i], strlen(texts[i])),
				 ERR_SYNTAX);
	assert_int_equal(ip_addr_parse(&a, "1.2.3.4\0", 8), ERR_SYNTAX);
	assert_int_equal(a.len, 9);
	assert_int_equal(a.b[0], 7);
}

static void only_the_length_given_counts(void **state)
{
	struct ip_addr a;

	(void)state;
	assert_int_equal(ip_addr_parse(&a, "1.2.3.45", 7), 0);
	assert_int_equal(a.b[3], 4);
}

static void equal_is_family_and_bytes(void **state)
{
	struct ip_addr a = ip_addr_v4(0x01020304), b = a, c;

	(void)state;
	assert_memory_equal(a.b, "\1\2\3\4\0\0\0\0\0\0\0\0\0\0\0\0", 16);
	assert_true(ip_addr_equal(&a, &b));
	b.b[3] = 5;
	assert_false(ip_addr_equal(&a, &b));
	assert_int_equal(ip_addr_parse(&c, "102:304::", 9), 0);
	assert_memory_equal(a.b, c.b, 4);
	assert_false(ip_addr_equal(&a, &c));
}

static void no_address_prints_as_none(void **state)
{
	const struct ip_addr a = {0};
	char text[IP_ADDR_TEXT];

	(void)state;
	ip_addr_print(&a, text);
	assert_string_equal(text, "none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_and_back),
		cmocka_unit_test(bad_text_is_refused),
		cmocka_unit_test(only_the_length_given_counts),
		cmocka_unit_test(equal_is_family_and_bytes),
		cmocka_unit_test(no_address_prints_as_none),
	};

	return cmocka_run_group_tests_name("wire.addr", tests, NULL, NULL);
}
