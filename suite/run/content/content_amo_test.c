/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "suite/run/content/content_amo.h"
#include "wire/uet/uet_ses.h"

struct row {
	uint8_t op, type, size;
	uint64_t memory, operand, result;
};

static void operations(void **state)
{
	static const struct row rows[] = {
		{CONTENT_SUM, CONTENT_UINT8, 1, 0xff, 2, 1},
		{CONTENT_SUM, CONTENT_INT64, 8, 0x1ffffffff, 1, 0x200000000},
		{CONTENT_SUM, CONTENT_FLOAT, 4, 0x3fc00000, 0x40200000,
		 0x40800000},
		{CONTENT_DIFF, CONTENT_INT16, 2, 1, 0x102, 0xfeff},
		{CONTENT_PROD, CONTENT_UINT32, 4, 0x10001, 0x10001, 0x20001},
		{CONTENT_MIN, CONTENT_INT8, 1, 1, 0xff, 0xff},
		{CONTENT_MIN, CONTENT_UINT8, 1, 1, 0xff, 1},
		{CONTENT_MAX, CONTENT_INT32, 4, 0x80000000, 5, 5},
		{CONTENT_MAX, CONTENT_UINT32, 4, 0x80000000, 5, 0x80000000},
		{CONTENT_MAX, CONTENT_DOUBLE, 8, 0xbff0000000000000,
		 0x3fe0000000000000, 0x3fe0000000000000},
		{CONTENT_LOR, CONTENT_UINT16, 2, 0x100, 0x200, 1},
		{CONTENT_LAND, CONTENT_UINT16, 2, 0x100, 0x200, 1},
		{CONTENT_LXOR, CONTENT_UINT16, 2, 0x100, 0x200, 0},
		{CONTENT_LXOR, CONTENT_FLOAT, 4, 0, 0x40000000, 0x3f800000},
		{CONTENT_BOR, CONTENT_UINT16, 2, 0x101, 0x203, 0x303},
		{CONTENT_BAND, CONTENT_UINT16, 2, 0x301, 0x203, 0x201},
		{CONTENT_BXOR, CONTENT_UINT16, 2, 0x301, 0x203, 0x102},
		{CONTENT_WRITE, CONTENT_UINT16, 2, 0x301, 0x203, 0x203},
		{CONTENT_READ, CONTENT_UINT16, 2, 0x301, 0x203, 0x301},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		const struct content_amo amo = {.opcode = r->op,
						.datatype = r->type};
		uint64_t got = r->memory;

		assert_true(content_amo(&amo, (uint8_t *)&got, r->size,
					(const uint8_t *)&r->operand, r->size));
		assert_int_equal(got, r->result);
	}
}

/* Swaps 5 for 9, for compare values below, equal to and above 5. */
static void each_swap(void **state)
{
	static const bool want[][3] = {
		/* compare value 4, 5, 6 */
		{false, true, false}, {true, false, true}, {true, true, false},
		{true, false, false}, {false, true, true}, {false, false, true},
	};

	(void)state;
	for (uint8_t op = AMO_CSWAP; op <= AMO_CSWAP_GT; op++)
		for (uint64_t c = 4; c <= 6; c++) {
			const struct content_amo amo = {op, CONTENT_UINT32, c,
							9};
			uint32_t got = 5;

			assert_true(
				content_amo(&amo, (uint8_t *)&got, 4, NULL, 0));
			assert_int_equal(got,
					 want[op - AMO_CSWAP][c - 4] ? 9 : 5);
		}
}

static void unknown(void **state)
{
	const struct content_amo wide = {.opcode = CONTENT_SUM, .datatype = 8},
				 bits = {.opcode = CONTENT_BOR,
					 .datatype = CONTENT_FLOAT},
				 nan = {.opcode = CONTENT_SUM,
					.datatype = CONTENT_FLOAT};
	uint8_t mem[16] = {0}, operand[16] = {0, 0, 0xc0, 0x7f};

	(void)state;
	assert_false(content_amo(&wide, mem, 16, operand, 16));
	assert_false(content_amo(&bits, mem, 4, operand, 4));
	assert_false(content_amo(&nan, mem, 4, operand, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations),
		cmocka_unit_test(each_swap),
		cmocka_unit_test(unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
