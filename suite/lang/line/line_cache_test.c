/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cache of lines: with it, every case of the tree parses as without it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/lang/case_parse.h"
#include "suite/lang/case_same.h"
#include "suite/lang/library_test.h"

struct cached {
	struct line_cache *lines;
	unsigned n;
};

/* Compares the places of steps, which case_same() ignores. */
static void check_places(const struct step *a, const struct step *b)
{
	for (; a; a = a->next, b = b->next) {
		assert_string_equal(a->file, b->file);
		assert_int_equal(a->line, b->line);
		assert_string_equal(a->source, b->source);
		assert_true(text_same(a->need, b->need));
	}
}

static void check_cached(const char *path, void *ctx)
{
	struct library lib = {.root = "cases"}, again = {.root = "cases"};
	struct cached *cached = ctx;
	struct test_case *a, *b = NULL;
	struct case_source source = {.id = "test/id", .path = path};
	struct diag diag = {0};
	char *text;

	if (strstr(path, "/common/"))
		return;
	source.text = text = slurp(path, &source.len);
	assert_non_null(text);
	a = case_test_parse_ok(path, text, source.len, &lib);
	assert_int_equal(case_parse_cached(&b, &source, library_text, &again,
					   cached->lines, &diag),
			 0);
	assert_true(case_same(a, b));
	case_test_check_same(b, &again);
	for (unsigned i = 0; i < CHAIR_COUNT; i++)
		check_places(a->chairs[i].first, b->chairs[i].first);
	case_free(a);
	case_free(b);
	library_free(&lib);
	library_free(&again);
	free(text);
	cached->n++;
}

static void every_case_parses_the_same(void **state)
{
	struct cached cached = {0};

	(void)state;
	assert_int_equal(line_cache_new(&cached.lines), 0);
	each_case("cases", 4, check_cached, &cached);
	each_case("cases", 4, check_cached, &cached); /* all lines are kept */
	assert_false(line_cache_full(cached.lines));
	line_cache_clear(cached.lines);
	each_case("cases", 4, check_cached, &cached);
	assert_true(cached.n >= 36);
	line_cache_free(cached.lines);
}

/* Parses the lines of a target that stand below an opening. */
static int parse_lines(struct line_cache *lines, const char *body,
		       struct diag *diag)
{
	struct library lib = {.root = "cases"};
	char text[512];
	struct case_source source = {.id = "x", .path = "x.lad", .text = text};
	struct test_case *c = NULL;
	int err;

	snprintf(text, sizeof(text),
		 "# SPDX-License-Identifier: BSD-2-Clause\n"
		 "title x\ncovers RUD-SVC-3\n\nchair target\n%s",
		 body);
	source.len = strlen(text);
	err = case_parse_cached(&c, &source, library_text, &lib, lines, diag);
	if (!err)
		case_free(c);
	library_free(&lib);
	return err;
}

static void a_kept_line_still_needs_the_values_of_its_symbols(void **state)
{
	static const char uses[] = "  > rud_req psn=100 clear_psn=$q | same\n"
				   "  < ack ack_psn=100 [RUD-SVC-3]\n";
	char binds[256];
	struct line_cache *lines;
	struct diag diag = {0};

	(void)state;
	snprintf(binds, sizeof(binds), "  < ack ack_psn=$q [RUD-SVC-3]\n%s",
		 uses);
	assert_int_equal(line_cache_new(&lines), 0);
	assert_int_equal(parse_lines(lines, binds, &diag), 0);
	assert_int_equal(parse_lines(lines, binds, &diag), 0);
	assert_int_not_equal(parse_lines(lines, uses, &diag), 0);
	line_cache_free(lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_case_parses_the_same),
		cmocka_unit_test(
			a_kept_line_still_needs_the_values_of_its_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
