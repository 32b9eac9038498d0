/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/text.h"

static void remembers_a_failed_text(void **state)
{
	struct text t = {0};

	(void)state;
	text_puts(&t, "fits");
	assert_int_equal(memory_shortages(), 0);
	/*
	 * More memory than any machine has.  ASan would end the program
	 * instead.
	 */
#ifndef __SANITIZE_ADDRESS__
	text_fill(&t, ' ', SIZE_MAX / 4);
	assert_int_not_equal(text_err(&t), 0);
#else
	memory_note_short();
#endif
	assert_int_equal(memory_shortages(), 1);
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(remembers_a_failed_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
