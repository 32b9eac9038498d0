/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/core/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void blocks_are_zeroes_and_apart(void **state)
{
	static uint8_t *b[3000];
	struct pool p = {0};

	(void)state;
	for (int i = 0; i < 3000; i++) {
		b[i] = pool_take(&p, 1000);
		assert_non_null(b[i]);
		assert_int_equal((uintptr_t)b[i] % 64, 0);
		for (int k = 0; k < 1000; k++)
			assert_int_equal(b[i][k], 0);
		memset(b[i], i & 0xff, 1000);
	}
	for (int i = 0; i < 3000; i++)
		assert_int_equal(b[i][i % 1000], i & 0xff);
	assert_int_equal(p.used, 3000 * 1024);
	pool_free(&p);
}

static void what_is_given_back_serves_again(void **state)
{
	struct pool p = {0};
	uint8_t *a = pool_take(&p, 512), *b;

	(void)state;
	memset(a, 0xff, 512);
	pool_give(&p, a, 512);
	assert_int_equal(p.used, 0);
	b = pool_take(&p, 450);
	assert_ptr_equal(a, b);
	for (int k = 0; k < 512; k++)
		assert_int_equal(b[k], 0);
	pool_give(&p, NULL, 512);
	pool_free(&p);
}

static void too_much_is_refused(void **state)
{
	struct pool p = {0};

	(void)state;
	assert_non_null(pool_take(&p, 65536));
	assert_null(pool_take(&p, 65537));
	pool_free(&p);
}

static size_t taken, given;

static void *pool_test_take(size_t size)
{
	taken += size;
	return calloc(1, size);
}

static void pool_test_give(void *block, size_t size)
{
	given += size;
	free(block);
}

static void what_grows_large_comes_from_the_source(void **state)
{
	const struct pool_source source = {pool_test_take, pool_test_give};
	struct pool p = {.source = &source};
	void *block;

	(void)state;
	assert_non_null(pool_take(&p, 65536));
	assert_int_equal(taken, 0);
	for (int i = 0; i < 200; i++)
		assert_non_null(pool_take(&p, 65536));
	assert_true(taken > 0);
	pool_free(&p);
	assert_int_equal(given, taken);
	assert_ptr_equal(p.source, &source);
	block = pool_large(&source, 100);
	assert_non_null(block);
	pool_large_free(&source, block, 100);
	assert_int_equal(given, taken);
}

/* The next block is one that was given back, or follows the last one. */
static void next_block_is_known(void **state)
{
	struct pool p = {0};
	void *block;

	(void)state;
	assert_null(pool_next(&p, 64));
	assert_null(pool_next(&p, 65537));
	block = pool_take(&p, 64);
	assert_ptr_equal(pool_next(&p, 128), (char *)block + 64);
	pool_give(&p, block, 64);
	assert_ptr_equal(pool_next(&p, 64), block);
	assert_ptr_equal(pool_take(&p, 64), block);
	pool_free(&p);
}

static void small_ones_lose_little(void **state)
{
	struct pool p = {0};

	(void)state;
	assert_non_null(pool_take(&p, 65));
	assert_int_equal(p.used, 128);
	assert_non_null(pool_take(&p, 1025));
	assert_int_equal(p.used, 128 + 1088);
	assert_non_null(pool_take(&p, 2049));
	assert_int_equal(p.used, 128 + 1088 + 4096);
	pool_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_zeroes_and_apart),
		cmocka_unit_test(what_is_given_back_serves_again),
		cmocka_unit_test(too_much_is_refused),
		cmocka_unit_test(next_block_is_known),
		cmocka_unit_test(small_ones_lose_little),
		cmocka_unit_test(what_grows_large_comes_from_the_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
