/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests patterns and selectors over ids of cases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/lang/glob.h"

static void patterns_match(void **state)
{
	(void)state;
	assert_true(glob_match("uet/*/ack-lost", "uet/rud/edge/ack-lost"));
	assert_true(glob_match("*", ""));
	assert_true(glob_match("a?c", "abc"));
	assert_false(glob_match("a?c", "ac"));
	assert_false(glob_match("abc", "abcd"));
}

static void selectors_mean_ids_and_folders(void **state)
{
	static const struct {
		const char *selector, *id, *chair;
		bool selects;
	} rows[] = {
		{"uet/rud/send", "uet/rud/send", "target", true},
		{"uet/rud/send", "uet/rud/send-gtd", "target", false},
		{"uet/rud/send@target", "uet/rud/send", "target", true},
		{"uet/rud/send@target", "uet/rud/send", "initiator", false},
		{"uet/rud", "uet/rud/edge/send", "target", true},
		{"uet/rud/", "uet/rud/send", "target", true},
		{"uet/rud", "uet/rudi/send", "target", false},
		{"uet/rud@initiator", "uet/rud/send", "target", false},
		{"uet/rud@initiator", "uet/rud/send", "initiator", true},
		{"/", "uet/rud/send", "target", false},
		{"", "uet/rud/send", "target", false},
		{"*@initiator", "uet/rud/send", "initiator", true},
		{"uet/*", "uet/rud/send", NULL, true},
		{"uet/send", "uet/send[len=1]", "target", true},
		{"uet/send@target", "uet/send[len=1]", "target", true},
		{"uet/send@target", "uet/send[len=1]", "initiator", false},
		{"uet/send[len=1]", "uet/send[len=1]", "target", true},
		{"uet/send[len=1]", "uet/send[len=11]", "target", false},
		{"uet/send[len=*", "uet/send[len=11]", "target", true},
		{"uet", "uet/send[len=1]", "target", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(glob_selects(rows[i].selector, rows[i].id,
					      rows[i].chair),
				 rows[i].selects);
}

/* A file is read if one of its sections may be selected. */
static void beginnings_may_be_selected(void **state)
{
	(void)state;
	assert_true(glob_may_select("uet/rud/send-drop", "uet/rud/send-"));
	assert_true(glob_may_select("*drop", "uet/rud/send-"));
	assert_true(glob_may_select("uet/rud@target", "uet/rud/send-"));
	assert_false(glob_may_select("uet/rod", "uet/rud/send-"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_match),
		cmocka_unit_test(selectors_mean_ids_and_folders),
		cmocka_unit_test(beginnings_may_be_selected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
