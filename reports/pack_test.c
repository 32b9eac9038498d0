/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/pack_test.c -- tests that packed drawings unpack to the same bytes.
 */
#include "reports/pack.h"

#include <isa-l/igzip_lib.h>

#include "reports/golden_test.h"

static int digit(char c)
{
	const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
			     "uvwxyz0123456789+/";
	const char *at = strchr(digits, c);

	if (c && at)
		return (int)(at - digits);
	return -1;
}

/* Decodes |len| base64 characters. */
static size_t pack_test_decode(const char *s, size_t len, uint8_t *ret)
{
	size_t n = 0;
	uint32_t bits = 0;
	int have = 0;

	for (size_t i = 0; i < len && s[i] != '='; i++) {
		assert_true(digit(s[i]) >= 0);
		bits = bits << 6 | (uint32_t)digit(s[i]);
		have += 6;
		if (have >= 8) {
			have -= 8;
			ret[n++] = (uint8_t)(bits >> have);
		}
	}
	return n;
}

static size_t unpack(const char *line, size_t len, uint8_t *ret, size_t size)
{
	static uint8_t packed[1 << 20];
	struct inflate_state z;

	isal_inflate_init(&z);
	z.next_in = packed;
	z.avail_in = (uint32_t)pack_test_decode(line, len, packed);
	z.next_out = ret;
	z.avail_out = (uint32_t)size;
	assert_int_equal(isal_inflate_stateless(&z), ISAL_DECOMP_OK);
	return z.total_out;
}

static void pack_test_name(char *buf, size_t size, size_t i)
{
	snprintf(buf, size, "<svg>drawing %zu: %0*zu</svg>", i, (int)(i % 50),
		 i * 7919);
}

static void everything_comes_out_again(void **state)
{
	static uint8_t out[1 << 20];
	struct pack p = {0};
	char want[128];
	const char *line;
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < 3 * PACK_BLOCK + 5; i++) {
		pack_test_name(want, sizeof(want), i);
		assert_int_equal(pack_add(&p, want), i + 1);
	}
	line = pack_close(&p);
	assert_int_equal(text_err(&p.closed), 0);
	for (; *line; line += strcspn(line, "\n") + 1) {
		size_t n = unpack(line, strcspn(line, "\n"), out, sizeof(out));

		for (size_t i = 0; i < n; i += strlen((char *)out + i) + 1) {
			pack_test_name(want, sizeof(want), at++);
			assert_string_equal((char *)out + i, want);
		}
	}
	assert_int_equal(at, 3 * PACK_BLOCK + 5);
	pack_free(&p);
}

/* Random bytes still fit. */
static void noise_is_stored(void **state)
{
	static uint8_t out[1 << 20];
	static char noise[200000];
	struct pack p = {0};
	uint32_t x = 1;
	const char *line;

	(void)state;
	for (size_t i = 0; i + 1 < sizeof(noise); i++) {
		x = x * 1664525 + 1013904223;
		noise[i] = (char)((x >> 24) | 1);
	}
	assert_int_equal(pack_add(&p, noise), 1);
	line = pack_close(&p);
	assert_int_equal(unpack(line, strcspn(line, "\n"), out, sizeof(out)),
			 sizeof(noise));
	assert_memory_equal(out, noise, sizeof(noise));
	pack_free(&p);
}

static void nothing_is_nothing(void **state)
{
	struct pack p = {0};

	(void)state;
	assert_string_equal(pack_close(&p), "");
	pack_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_comes_out_again),
		cmocka_unit_test(noise_is_stored),
		cmocka_unit_test(nothing_is_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
