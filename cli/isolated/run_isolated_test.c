/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A command that goes on in a process of its own ends with its exit code; a
 * crash fails, and a signal to the parent interrupts it.
 */
#include "cli/isolated/run_isolated.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/cli.h"

static void the_exit_code_is_passed_on(void **state)
{
	int code = run_isolated("test", "m");

	(void)state;
	if (code == RUN_ISOLATED_GOES_ON)
		_exit(EXIT_INCONCLUSIVE);
	assert_int_equal(code, EXIT_INCONCLUSIVE);
}

static void a_crash_fails(void **state)
{
	int code = run_isolated("test", "m");

	(void)state;
	if (code == RUN_ISOLATED_GOES_ON) {
		signal(SIGSEGV, SIG_DFL);
		raise(SIGSEGV);
	}
	assert_int_equal(code, EXIT_FAILED);
}

/* The parent gets the signal while it waits; the child waits for it. */
static void a_signal_to_the_parent_interrupts(void **state)
{
	int code = run_isolated("test", "m");

	(void)state;
	if (code == RUN_ISOLATED_GOES_ON) {
		kill(getppid(), SIGTERM);
		for (;;)
			pause();
	}
	assert_int_equal(code, EXIT_INTERRUPTED);
}

static void an_end_is_described(void **state)
{
	char why[RUN_ISOLATED_WHY];

	(void)state;
	run_isolated_why(SIGSEGV, why);
	assert_string_equal(why, "was killed by signal 11 (SIGSEGV)");
	run_isolated_why(3 << 8, why);
	assert_string_equal(why, "exited with status 3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_exit_code_is_passed_on),
		cmocka_unit_test(a_crash_fails),
		cmocka_unit_test(a_signal_to_the_parent_interrupts),
		cmocka_unit_test(an_end_is_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
