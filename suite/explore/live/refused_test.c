/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/live/refused_test.c -- a setting that the device refused is
 * known in the drafts that need it, and in no others.
 */
#include "suite/explore/live/refused.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Makes a draft of one "configure" line and one other. */
static struct draft refused_draft(const char *words)
{
	struct draft d = {.c = NULL};

	draft_line(&d, "configure %s", words);
	draft_line(&d, "< rud_req mpr=1");
	return d;
}

static bool refused_draft_has(const struct refused *r, const char *words)
{
	struct draft d = refused_draft(words);
	const bool has = refused_has(r, &d);

	draft_free(&d);
	return has;
}

static void test_remembers_a_setting(void **state)
{
	static struct refused r;
	struct draft d = refused_draft("version=103 start_psn=0xfffffffd");

	(void)state;
	refused_take(&r, &d, "line 7: it cannot be (start_psn=4294967293)");
	refused_take(&r, &d, "line 7: it cannot be (mpr=1)");
	refused_take(&r, &d, "no setting");
	draft_free(&d);
	assert_int_equal(r.n, 1);
	assert_true(refused_draft_has(&r, "start_psn=0xfffffffd mpr=1"));
	assert_false(refused_draft_has(&r, "start_psn=0xffffffff"));
	assert_false(refused_draft_has(&r, "start_psn=0xfffffffd0"));
	assert_false(refused_draft_has(&r, "mpr=1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_remembers_a_setting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
