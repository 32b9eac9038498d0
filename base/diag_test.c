/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/diag_test.c -- tests the messages that a user sees for bad text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"
#include "base/err.h"

static void check_format(const struct diag *d, const char *want)
{
	char text[1024];

	diag_format(d, text, sizeof(text));
	assert_string_equal(text, want);
}

static void it_points_at_the_place(void **state)
{
	struct diag d = {0};

	(void)state;
	assert_int_equal(diag_set(&d, "a.lad", 3, 9, "<  ack  rck=1\n> next",
				  "no field %s in an %s", "rck", "ack"),
			 ERR_SYNTAX);
	check_format(&d, "a.lad:3:9: no field rck in an ack\n"
			 "  <  ack  rck=1\n"
			 "          ^\n");
}

static void tabs_keep_the_caret_in_place(void **state)
{
	struct diag d = {0};

	(void)state;
	diag_set(&d, "a.lad", 1, 3, "\t\tx", "what");
	check_format(&d, "a.lad:1:3: what\n  \t\tx\n  \t\t^\n");
}

static void the_first_error_stays(void **state)
{
	struct diag d = {0};

	(void)state;
	diag_set(&d, "a.lad", 1, 1, NULL, "first");
	assert_int_equal(diag_set(&d, "b.lad", 2, 2, "line", "second"),
			 ERR_SYNTAX);
	check_format(&d, "a.lad:1:1: first\n");
}

static void parts_may_be_missing(void **state)
{
	struct diag d = {0};

	(void)state;
	diag_set(&d, NULL, 0, 0, NULL, "no memory");
	check_format(&d, "no memory\n");
	d = (struct diag){0};
	diag_set(&d, "a.lad", 0, 0, NULL, "cannot be read");
	check_format(&d, "a.lad: cannot be read\n");
	d = (struct diag){0};
	diag_set(&d, "a.lad", 7, 0, "line", "odd");
	check_format(&d, "a.lad:7:0: odd\n  line\n");
}

static void a_caret_may_stand_behind_the_line(void **state)
{
	struct diag d = {0};

	(void)state;
	diag_set(&d, "a", 1, 4, "abc", "more expected");
	check_format(&d, "a:1:4: more expected\n  abc\n     ^\n");
	d = (struct diag){0};
	diag_set(&d, "a", 1, 5, "abc", "out of the line");
	check_format(&d, "a:1:5: out of the line\n  abc\n");
}

static void long_things_are_cut(void **state)
{
	char line[1000], text[1024];
	struct diag d = {0};

	(void)state;
	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = 0;
	diag_set(&d, line, 1, 2, line, "%s", line);
	assert_int_equal(strlen(d.file), sizeof(d.file) - 1);
	assert_int_equal(strlen(d.text), sizeof(d.text) - 1);
	assert_int_equal(strlen(d.source), sizeof(d.source) - 1);
	memset(text, 'y', sizeof(text));
	diag_format(&d, text, 10);
	assert_int_equal(strlen(text), 9);
	assert_int_equal(text[10], 'y');
}

static void controls_do_not_reach_the_terminal(void **state)
{
	static const char source[] =
		"\t> rud_req \033[31m \302\233 \177x \303\251 \317z \342\202";
	struct diag d = {0};
	char buf[512];

	(void)state;
	diag_set(&d, "a\033b.lad", 1, 2, source, "no \r field");
	diag_format(&d, buf, sizeof(buf));
	assert_non_null(strstr(buf, "a?b.lad:1:2: no ? field\n"));
	assert_non_null(
		strstr(buf, "\t> rud_req ?[31m ?? ?x \303\251 ?z ??\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_points_at_the_place),
		cmocka_unit_test(tabs_keep_the_caret_in_place),
		cmocka_unit_test(the_first_error_stays),
		cmocka_unit_test(parts_may_be_missing),
		cmocka_unit_test(a_caret_may_stand_behind_the_line),
		cmocka_unit_test(long_things_are_cut),
		cmocka_unit_test(controls_do_not_reach_the_terminal),
	};

	return cmocka_run_group_tests_name("base.diag", tests, NULL, NULL);
}
