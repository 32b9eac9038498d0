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

/* The next block that the library allocates is part of the reserve. */
static void takes_from_the_reserve(void **state)
{
	const size_t size = 8u << 20, part = 100000;
	const unsigned long before = memory_shortages();
	const uint8_t *reserve = memory_reserve(size);
	uint8_t *p = memory_alloc(part);

	(void)state;
	assert_non_null(p);
	assert_null(memory_reserve(SIZE_MAX / 4));
	assert_int_equal(memory_shortages(), before);
	if (reserve) { /* not with sanitizers */
		assert_true(p >= reserve - 64);
		assert_true(p + part <= reserve + size);
	}
	free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_from_the_reserve),
		cmocka_unit_test(remembers_a_failed_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
