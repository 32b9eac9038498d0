/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/fold_test.c -- tests that folded texts fit and keep their meaning.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/fold.h"

static void fold_test_check(struct text *t, const char *want)
{
	assert_int_equal(text_err(t), 0);
	assert_string_equal(text_cstr(t), want);
	text_free(t);
}

static void a_text_is_cut_after_words(void **state)
{
	struct text t = {0};

	(void)state;
	fold_text(&t, "short\n  one two three four\n\nend", 12);
	fold_test_check(&t,
			"short\n  one two\n      three\n      four\n\nend\n");
}

static void a_command_works_when_it_is_pasted(void **state)
{
	struct text t = {0};

	(void)state;
	fold_command(&t, "rung run -v uet/a", 2, 30);
	fold_test_check(&t, "  rung run -v uet/a\n");
	fold_command(&t, "rung run --dut 'exec:a b c d e f g' -v uet/a", 2, 30);
	fold_test_check(&t, "  rung run --dut \\\n"
			    "      'exec:a b c d e f g' \\\n"
			    "      -v uet/a\n");
	fold_command(&t, "rung show 'it'\\''s a long name.lad' -v", 2, 20);
	fold_test_check(&t, "  rung show \\\n"
			    "      'it'\\''s a long name.lad' \\\n"
			    "      -v\n");
	fold_command(&t, "rung uet/a/word/wider/than/the/room x", 0, 12);
	fold_test_check(&t, "rung \\\n"
			    "    uet/a/word/wider/than/the/room \\\n"
			    "    x\n");
}

static void a_line_of_a_case_is_continued(void **state)
{
	struct text t = {0};

	(void)state;
	fold_case(
		&t,
		"  <  ack psn=1 cack_psn=2 | response x=1     [A-1 A-2]\n"
		"  <  ack psn=1 cack_psn=2 flag | response x=1   [A-1]  # why\n"
		"  <  ack psn=1 cack_psn=2 flag one two three four five\n"
		"# a comment of more columns than there are in a line\n",
		50);
	fold_test_check(&t,
			"  <  ack psn=1 cack_psn=2 | response x=1\n"
			"      [A-1 A-2]\n"
			"  # why\n"
			"  <  ack psn=1 cack_psn=2 flag | response x=1\n"
			"      [A-1]\n"
			"  <  ack psn=1 cack_psn=2 flag one two three four\n"
			"      ... five\n"
			"# a comment of more columns than there are in a\n"
			"# line\n");
	fold_case(&t, "  <  ack psn=1          [A-1 A-2]\n", 28);
	fold_test_check(&t, "  <  ack psn=1  [A-1 A-2]\n");
	fold_case(&t, "     ... a_word_wider_than_the_line b\n", 20);
	fold_test_check(&t, "     ... a_word_wider_than_the_line\n"
			    "         ... b\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_cut_after_words),
		cmocka_unit_test(a_command_works_when_it_is_pasted),
		cmocka_unit_test(a_line_of_a_case_is_continued),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
