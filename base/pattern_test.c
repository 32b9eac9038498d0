/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/pattern.h"

#define BYTES 4096

static void fill_is_byte_by_byte(void **state)
{
	uint8_t p[200]; /* several blocks of words, and a rest */

	(void)state;
	for (uint64_t offset = 0; offset < 40; offset++) {
		pattern_fill(p, 5, 7, offset, sizeof(p));
		for (size_t i = 0; i < sizeof(p); i++)
			assert_int_equal(p[i], pattern_byte(5, 7, offset + i));
	}
}

/* One wrong byte is noticed wherever it is, at each offset and length. */
static void is_compares_every_byte(void **state)
{
	uint8_t p[30];

	(void)state;
	for (uint64_t offset = 0; offset < 17; offset++)
		for (size_t len = 0; len <= sizeof(p); len++) {
			pattern_fill(p, 5, 7, offset, len);
			assert_true(pattern_is(p, 5, 7, offset, len));
			for (size_t i = 0; i < len; i++) {
				p[i] ^= 0x40;
				assert_false(pattern_is(p, 5, 7, offset, len));
				p[i] ^= 0x40;
			}
		}
}

/* The example of docs/dut-control.md. */
static void bytes_of_the_page(void **state)
{
	static const uint8_t want[] = {0x7d, 0x8f, 0x94, 0x6f,
				       0xe4, 0xb3, 0x43, 0x3a};
	uint8_t p[sizeof(want)];

	(void)state;
	pattern_fill(p, 1, 2, 0, sizeof(p));
	assert_memory_equal(p, want, sizeof(want));
}

/* No eight bytes occur twice, in two messages, two seeds and memory. */
static void no_two_places_alike(void **state)
{
	static uint8_t all[4][BYTES];

	(void)state;
	pattern_fill(all[0], 1, 1, 0, BYTES);
	pattern_fill(all[1], 1, 2, 0, BYTES);
	pattern_fill(all[2], 2, 1, 0, BYTES);
	pattern_fill(all[3], 1, pattern_memory(1), 0, BYTES);
	for (unsigned a = 0; a < 4; a++)
		for (size_t i = 0; i + 8 <= BYTES; i += 8)
			for (size_t k = 0; k + 8 <= BYTES; k++)
				assert_true((a == 0 && i == k) ||
					    memcmp(all[0] + k, all[a] + i, 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fill_is_byte_by_byte),
		cmocka_unit_test(is_compares_every_byte),
		cmocka_unit_test(bytes_of_the_page),
		cmocka_unit_test(no_two_places_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
