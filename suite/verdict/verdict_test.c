/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/verdict_test.c -- the table of reasons, and its list in the
 * documents.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "suite/verdict/verdict.h"

#define DOC   "docs/reports.md"
#define BEGIN "<!-- reasons: suite/verdict/verdict.def -->\n"
#define END   "<!-- end of reasons -->\n"

static void ids_are_words_and_differ(void **state)
{
	(void)state;
	for (int i = 1; i < REASON_COUNT; i++) {
		const char *id = reason_id((enum reason)i);

		assert_int_equal(strspn(id, "abcdefghijklmnopqrstuvwxyz-"),
				 strlen(id));
		for (int j = 0; j < i; j++)
			assert_string_not_equal(id, reason_id((enum reason)j));
	}
	assert_string_equal(reason_id(REASON_NONE), "");
}

static void texts_are_sentences(void **state)
{
	(void)state;
	for (int i = 0; i < REASON_COUNT; i++) {
		const char *text = reason_text((enum reason)i);

		assert_int_equal(text[strlen(text) - 1], '.');
	}
}

static void only_no_reason_passes(void **state)
{
	(void)state;
	for (int i = 0; i < REASON_COUNT; i++)
		assert_int_equal(reason_verdict((enum reason)i) == VERDICT_PASS,
				 i == REASON_NONE);
}

/* The list as the document must contain it. */
static void verdict_test_list(struct text *t)
{
	for (int i = 1; i < REASON_COUNT; i++)
		text_printf(t, "* `%s` (`%s`): %s\n", reason_id((enum reason)i),
			    verdict_name(reason_verdict((enum reason)i)),
			    reason_text((enum reason)i));
}

static char *file_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *s = calloc(1, 1u << 20);

	assert_non_null(f);
	assert_non_null(s);
	assert_true(fread(s, 1, (1u << 20) - 1, f) > 0);
	fclose(f);
	return s;
}

/* Joins the wrapped lines of a list item. */
static void join_items(char *list)
{
	char *to = list;

	for (const char *s = list; *s; s++)
		if (s[0] == '\n' && s[1] == ' ' && s[2] == ' ')
			s++;
		else
			*to++ = *s;
	*to = 0;
}

/* With REASONS set in the environment, prints the list for the document. */
static void the_document_lists_them(void **state)
{
	char *doc = file_text(DOC), *begin = strstr(doc, BEGIN), *end;
	struct text t = {0};

	(void)state;
	verdict_test_list(&t);
	if (getenv("REASONS"))
		printf("%s%s%s", BEGIN, text_cstr(&t), END);
	assert_non_null(begin);
	begin += strlen(BEGIN);
	end = strstr(begin, END);
	assert_non_null(end);
	*end = 0;
	join_items(begin);
	assert_string_equal(begin, text_cstr(&t));
	text_free(&t);
	free(doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_words_and_differ),
		cmocka_unit_test(texts_are_sentences),
		cmocka_unit_test(only_no_reason_passes),
		cmocka_unit_test(the_document_lists_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
