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

/* Puts another digit at the end of each number behind a '='. */
static void vary(char *text)
{
	for (char *s = text; (s = strchr(s, '='));) {
		size_t n = strspn(++s, "0123456789");

		if (n)
			s[n - 1] = s[n - 1] == '9' ? '0' : (char)(s[n - 1] + 1);
	}
}

/* Parses a text with and without kept lines; the errors are the same as well.
 */
static void check_varied(const char *path, void *ctx)
{
	struct library lib = {.root = "cases"};
	struct cached *cached = ctx;
	struct case_source source = {.id = "test/id", .path = path};
	struct test_case *a = NULL, *b = NULL;
	struct diag alone = {0}, with = {0};
	char *text;
	int err;

	if (strstr(path, "/common/"))
		return;
	source.text = text = slurp(path, &source.len);
	assert_non_null(text);
	vary(text);
	err = case_parse(&a, &source, library_text, &lib, &alone);
	assert_int_equal(case_parse_cached(&b, &source, library_text, &lib,
					   cached->lines, &with),
			 err);
	assert_string_equal(alone.text, with.text);
	assert_string_equal(alone.more, with.more);
	assert_int_equal(alone.line, with.line);
	assert_int_equal(alone.col, with.col);
	if (!err) {
		assert_true(case_same(a, b));
		case_free(a);
		case_free(b);
		cached->n++;
	}
	library_free(&lib);
	free(text);
}

static void a_line_with_other_numbers_parses_the_same(void **state)
{
	struct cached cached = {0};
	struct cached varied = {0};

	(void)state;
	assert_int_equal(line_cache_new(&cached.lines), 0);
	varied.lines = cached.lines;
	each_case("cases", 4, check_cached, &cached);
	each_case("cases", 4, check_varied, &varied);
	assert_true(varied.n >= 36);
	line_cache_free(cached.lines);
}

#define NUMBERS                                                           \
	"  > rud_req psn=%s | std send message_id=%s som eom | data %s\n" \
	"  < ack ack_psn=100 [RUD-SVC-3]\n"

static void a_number_that_is_too_big_is_an_error(void **state)
{
	static const char *const bad[][3] = {{"0x100000000", "1", "64"},
					     {"101", "65536", "64"},
					     {"101", "1", "65536"},
					     {"101", "$q", "64"},
					     {"101", "1x", "64"}};
	struct line_cache *lines;
	char body[256];

	(void)state;
	assert_int_equal(line_cache_new(&lines), 0);
	snprintf(body, sizeof(body), NUMBERS, "100", "65535", "65535");
	assert_int_equal(parse_lines(lines, body, &(struct diag){0}), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct diag alone = {0}, with = {0};

		snprintf(body, sizeof(body), NUMBERS, bad[i][0], bad[i][1],
			 bad[i][2]);
		assert_int_not_equal(parse_lines(NULL, body, &alone), 0);
		assert_int_not_equal(parse_lines(lines, body, &with), 0);
		assert_string_equal(alone.text, with.text);
		assert_int_equal(alone.col, with.col);
	}
	line_cache_free(lines);
}

#define BATCH 256

/* Parses |n| lines, at most BATCH, that are the first with their numbers. */
static void parse_numbers(struct line_cache *lines, unsigned from, unsigned n)
{
	static char text[BATCH * 64];
	struct library lib = {.root = "cases"};
	struct case_source source = {.id = "x", .path = "x.lad", .text = text};
	struct test_case *c = NULL;
	struct diag diag = {0};
	int len = snprintf(text, sizeof(text),
			   "# SPDX-License-Identifier: BSD-2-Clause\n"
			   "title x\ncovers RUD-SVC-3\n\nchair target\n");

	for (unsigned i = 0; i < n; i++)
		len += snprintf(text + len, sizeof(text) - (size_t)len,
				"  < ack ack_psn=%u [RUD-SVC-3]\n", from + i);
	source.len = (size_t)len;
	assert_int_equal(case_parse_cached(&c, &source, library_text, &lib,
					   lines, &diag),
			 0);
	case_free(c);
	library_free(&lib);
}

/* The lines of a fragment take the last place before that of its own line. */
static void a_fragment_fills_the_cache(void **state)
{
	struct line_cache *lines;
	struct diag diag = {0};
	unsigned n = 0;

	(void)state;
	assert_int_equal(line_cache_new(&lines), 0);
	for (; !line_cache_full(lines); n += BATCH)
		parse_numbers(lines, n, BATCH);
	line_cache_clear(lines);
	for (unsigned i = BATCH; i < n; i += BATCH)
		parse_numbers(lines, i, BATCH);
	parse_numbers(lines, 0, BATCH - 1);
	assert_false(line_cache_full(lines));
	assert_int_equal(parse_lines(lines, "  use open\n", &diag), 0);
	assert_true(line_cache_full(lines));
	line_cache_free(lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_case_parses_the_same),
		cmocka_unit_test(
			a_kept_line_still_needs_the_values_of_its_symbols),
		cmocka_unit_test(a_line_with_other_numbers_parses_the_same),
		cmocka_unit_test(a_number_that_is_too_big_is_an_error),
		cmocka_unit_test(a_fragment_fills_the_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
