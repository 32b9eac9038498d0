/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/library_test.h -- the files of a folder of cases, for tests.
 */
#ifndef SUITE_LANG_LIBRARY_TEST_H
#define SUITE_LANG_LIBRARY_TEST_H

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/lang/case.h"
#include "suite/lang/case_parse.h"
#include "suite/lang/case_print.h"
#include "suite/lang/case_same.h"

static char *slurp(const char *path, size_t *ret_len)
{
	FILE *f = fopen(path, "rb");
	const size_t size = 1 << 20;
	char *s;

	if (!f)
		return NULL;
	s = malloc(size);
	assert_non_null(s);
	*ret_len = fread(s, 1, size - 1, f);
	s[*ret_len] = 0;
	fclose(f);
	return s;
}

/* The fragments of a folder; freeing the library frees their texts. */
struct library {
	const char *root; /* "cases" */
	char *texts[64];
	char paths[64][160];
	unsigned n;
};

static const char *library_text(void *ctx, const char *name,
				const char **ret_path)
{
	struct library *lib = ctx;
	size_t len;

	assert_true(lib->n < 64);
	snprintf(lib->paths[lib->n], sizeof(lib->paths[0]), "%s/common/%s.lad",
		 lib->root, name);
	*ret_path = lib->paths[lib->n];
	lib->texts[lib->n] = slurp(*ret_path, &len);
	if (lib->texts[lib->n])
		return lib->texts[lib->n++];
	*ret_path = NULL;
	return NULL;
}

static void library_free(struct library *lib)
{
	while (lib->n)
		free(lib->texts[--lib->n]);
}

static void path_join(char *ret, size_t size, const char *a, const char *b)
{
	int n = snprintf(ret, size, "%s/%s", a, b);

	assert_true(n > 0 && (size_t)n < size);
}

static bool case_test_ends_with(const char *s, const char *tail)
{
	const size_t n = strlen(s), m = strlen(tail);

	return n > m && !strcmp(s + n - m, tail);
}

typedef void each_fn(const char *path, void *ctx);

/* Calls |fn| for every .lad file at most |depth| folders below |dir|. */
static void each_case(const char *dir, int depth, each_fn *fn, void *ctx)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	assert_non_null(d);
	while ((e = readdir(d)) != NULL) {
		char path[512];

		path_join(path, sizeof(path), dir, e->d_name);
		if (case_test_ends_with(path, ".lad"))
			fn(path, ctx);
		else if (depth && e->d_name[0] != '.' &&
			 !strchr(e->d_name, '.'))
			each_case(path, depth - 1, fn, ctx);
	}
	closedir(d);
}

/* |section| NULL: the plain case. */
static struct test_case *case_test_parse_section(const char *section,
						 const char *path,
						 const char *text, size_t len,
						 struct library *lib)
{
	const struct case_source source = {"test/id", section, path,
					   text,      len,     NULL};
	struct diag diag = {0};
	struct test_case *c = NULL;

	if (case_parse(&c, &source, library_text, lib, &diag)) {
		char buf[1024];

		diag_format(&diag, buf, sizeof(buf));
		fail_msg("%s", buf);
	}
	return c;
}

static struct test_case *case_test_parse_ok(const char *path, const char *text,
					    size_t len, struct library *lib)
{
	return case_test_parse_section(NULL, path, text, len, lib);
}

static void case_test_check_same(const struct test_case *c, struct library *lib)
{
	struct text t = {0}, again = {0};
	struct test_case *copy;

	case_print(&t, c);
	assert_int_equal(text_err(&t), 0);
	copy = case_test_parse_ok("printed", text_cstr(&t), t.len, lib);
	assert_true(case_same(c, copy));
	case_print(&again, copy);
	assert_string_equal(text_cstr(&t), text_cstr(&again));
	case_free(copy);
	text_free(&t);
	text_free(&again);
}

#endif
