/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that the embedded cases are the files of cases/.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suite/lang/builtin.h"

/* The working directory is the source tree. */
static void each_text_is_that_of_its_file(void **state)
{
	static char text[1 << 20];
	size_t n = 0;

	(void)state;
	for (const struct case_file *f = builtin_files(); f->name; f++, n++) {
		char path[512];
		FILE *file;

		snprintf(path, sizeof(path), "cases/%s", f->name);
		file = fopen(path, "r");
		assert_non_null(file);
		assert_int_equal(fread(text, 1, sizeof(text), file), f->len);
		assert_int_equal(fclose(file), 0);
		assert_memory_equal(f->text, text, f->len);
		assert_int_equal(f->text[f->len], 0);
		assert_ptr_equal(builtin_find(f->name), f);
	}
	assert_true(n > 1000);
}

static void an_unknown_fragment_names_the_nearest(void **state)
{
	const char *path;

	(void)state;
	assert_null(builtin_find("common/opem.lad"));
	assert_null(cases_builtin(NULL, "opem", &path));
	assert_string_equal(path, "common/open.lad");
	assert_non_null(cases_builtin(NULL, "open", &path));
	assert_string_equal(path, "common/open.lad");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_text_is_that_of_its_file),
		cmocka_unit_test(an_unknown_fragment_names_the_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
