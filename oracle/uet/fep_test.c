/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/fep_test.c -- tests that addresses which differ in one bit are
 * those of different peers.
 */
#include "oracle/uet/fep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { FEP_TEST_BITS = 128 };

/* Adds an address and those that differ from it in one bit. */
static void fep_test_differ(struct ip_addr base)
{
	const uint32_t bits = base.len * 8u;
	struct ip_addr addrs[FEP_TEST_BITS + 1];
	struct feps feps = {0};
	struct mem mem = {0};
	uint32_t number;

	for (uint32_t i = 0; i <= bits; i++) {
		addrs[i] = base;
		if (i)
			addrs[i].b[(i - 1) / 8] ^= (uint8_t)(1 << (i - 1) % 8);
		assert_false(feps_find(&feps, &addrs[i], &number));
		assert_int_equal(feps_add(&feps, &mem, &addrs[i], &number), 0);
		assert_int_equal(number, i);
	}
	for (uint32_t i = 0; i <= bits; i++) {
		assert_true(feps_find(&feps, &addrs[i], &number));
		assert_int_equal(number, i);
	}
	feps_free(&feps);
	mem_free(&mem);
}

static void peers_differ_in_one_bit(void **state)
{
	struct ip_addr v6 = {.len = 16};

	(void)state;
	memset(v6.b, 0x5a, v6.len);
	fep_test_differ(v6);
	fep_test_differ(ip_addr_v4(0x0a000001));
	fep_test_differ(ip_addr_v4(0xffffffff));
}

static void a_cleared_table_knows_nobody(void **state)
{
	const struct ip_addr addr = ip_addr_v4(1);
	struct feps feps = {0};
	struct mem mem = {0};
	uint32_t number;

	(void)state;
	assert_int_equal(feps_add(&feps, &mem, &addr, &number), 0);
	feps_clear(&feps);
	assert_false(feps_find(&feps, &addr, &number));
	assert_int_equal(feps_add(&feps, &mem, &addr, &number), 0);
	assert_int_equal(number, 0);
	feps_free(&feps);
	mem_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(peers_differ_in_one_bit),
		cmocka_unit_test(a_cleared_table_knows_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
