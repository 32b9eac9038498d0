/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/arena_test.c -- tests that memory is zeroed, does not overlap, and is
 * freed at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdalign.h>

#include "base/arena.h"
#include "base/rng.h"

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
	struct arena a = {0};
	struct rng r = {1};
	unsigned char *piece[500];
	size_t size[500];

	(void)state;
	for (unsigned i = 0; i < 500; i++) {
		size[i] = rng_below(&r, 100);
		piece[i] = arena_alloc(&a, size[i]);
		assert_non_null(piece[i]);
		assert_int_equal((uintptr_t)piece[i] % alignof(max_align_t), 0);
		for (size_t k = 0; k < size[i]; k++)
			assert_int_equal(piece[i][k], 0);
		memset(piece[i], (int)(i & 0xff), size[i]);
	}
	for (unsigned i = 0; i < 500; i++)
		for (size_t k = 0; k < size[i]; k++)
			assert_int_equal(piece[i][k], i & 0xff);
	arena_free(&a);
}

static void big_pieces_get_a_block_of_their_own(void **state)
{
	struct arena a = {0};
	char *small = arena_alloc(&a, 8), *big = arena_alloc(&a, 100000);
	char *next = arena_alloc(&a, 8);

	(void)state;
	assert_non_null(big);
	memset(big, 1, 100000);
	memset(small, 2, 8);
	memset(next, 3, 8);
	assert_int_equal(big[99999], 1);
	assert_int_equal(small[0], 2);
	assert_int_equal(next[7], 3);
	arena_free(&a);
}

static void impossible_sizes_give_nothing(void **state)
{
	struct arena a = {0};

	(void)state;
	assert_null(arena_alloc(&a, SIZE_MAX));
	assert_null(arena_alloc(&a, SIZE_MAX / 2 + 1));
	arena_free(&a);
}

static void strings_are_copied_and_ended(void **state)
{
	char word[] = "psn=333";
	struct arena a = {0};
	char *copy = arena_strndup(&a, word, 3);

	(void)state;
	word[0] = 'x';
	assert_string_equal(copy, "psn");
	assert_string_equal(arena_strndup(&a, "", 0), "");
	arena_free(&a);
}

static void a_freed_arena_is_an_empty_one(void **state)
{
	struct arena a = {0};

	(void)state;
	arena_free(&a);
	assert_non_null(arena_alloc(&a, 10));
	arena_free(&a);
	assert_null(a.first);
	assert_non_null(arena_alloc(&a, 10));
	arena_free(&a);
}

static void going_back_keeps_what_was_before(void **state)
{
	struct arena a = {0}, then;
	char *first = arena_strndup(&a, "first", 5), *next;

	(void)state;
	then = a;
	for (int i = 0; i < 100; i++)
		memset(arena_alloc(&a, 1000), 0xff, 1000);
	arena_back(&a, then);
	assert_ptr_equal(a.first, then.first);
	next = arena_strndup(&a, "next", 4);
	assert_string_equal(first, "first");
	assert_string_equal(next, "next");
	arena_back(&a, (struct arena){0});
	assert_null(a.first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
		cmocka_unit_test(big_pieces_get_a_block_of_their_own),
		cmocka_unit_test(impossible_sizes_give_nothing),
		cmocka_unit_test(strings_are_copied_and_ended),
		cmocka_unit_test(a_freed_arena_is_an_empty_one),
		cmocka_unit_test(going_back_keeps_what_was_before),
	};

	return cmocka_run_group_tests_name("base.arena", tests, NULL, NULL);
}
