/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/golden_test.h -- cmocka and golden files, for the tests of this
 * floor.
 *
 * With RUNG_BLESS=1 in the environment a golden file that differs is rewritten
 * and the test passes; a person then reviews the difference.
 */
#ifndef REPORTS_GOLDEN_TEST_H
#define REPORTS_GOLDEN_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

/* Reads a whole file.  Return: false if that fails. */
static inline bool golden_test_golden_load(struct text *t, const char *path)
{
	FILE *f = fopen(path, "rb");
	char buf[4096];
	size_t n;

	if (!f)
		return false;
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		text_add(t, buf, n);
	fclose(f);
	return true;
}

static inline void golden_save(const struct text *t, const char *path)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(t->s, 1, t->len, f), t->len);
	assert_int_equal(fclose(f), 0);
}

static inline void golden_check(const struct text *t, const char *path)
{
	struct text want = {0};
	const char *bless = getenv("RUNG_BLESS");
	bool there = golden_test_golden_load(&want, path);

	if (bless && !strcmp(bless, "1") &&
	    (!there || strcmp(text_cstr(&want), text_cstr(t)) != 0))
		golden_save(t, path);
	else
		assert_string_equal(text_cstr(t), text_cstr(&want));
	text_free(&want);
}

#endif
