/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/excerpt.h"

#include "reports/golden_test.h"

static void check_excerpt(const char *s, size_t most, const char *want)
{
	struct text t = {0};

	excerpt_add(&t, s, most, "see x");
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
}

static void a_short_text_is_whole(void **state)
{
	(void)state;
	check_excerpt("", 0, "");
	check_excerpt("one\ntwo\n", 8, "one\ntwo\n");
}

static void a_long_text_keeps_both_ends(void **state)
{
	(void)state;
	check_excerpt("1\n2\n3\n4\n5\n6\n7\n8\n9\n", 16,
		      "1\n2\n[rung left out 2 of 18 bytes here; see x]\n"
		      "4\n5\n6\n7\n8\n9\n");
}

/* A line that does not fit is left out as a whole, not in the middle. */
static void lines_stay_whole(void **state)
{
	(void)state;
	check_excerpt("aaaaaaaa\nbbbbbbbb\ncccccccc\n", 12,
		      "[rung left out 18 of 27 bytes here; see x]\n"
		      "cccccccc\n");
	check_excerpt("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", 8,
		      "[rung left out 28 of 28 bytes here; see x]\n");
	check_excerpt("a\nb\n", 0,
		      "[rung left out 4 of 4 bytes here; see x]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_short_text_is_whole),
		cmocka_unit_test(a_long_text_keeps_both_ends),
		cmocka_unit_test(lines_stay_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
