/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_test.c -- what runs is what the text of a draft says:
 * with lines of earlier drafts, every draft parses as it does alone, and so
 * does its text for a reader.
 */
#include "suite/explore/draft.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "suite/explore/draft_make.h"
#include "suite/lang/builtin.h"
#include "suite/lang/case_parse.h"
#include "suite/lang/case_same.h"

#define DRAFTS 250 /* of each transport */

static struct test_case *draft_parsed(const struct text *t,
				      struct line_cache *lines)
{
	const struct case_source source = {.id = "x",
					   .path = "x.lad",
					   .text = text_cstr(t),
					   .len = t->len};
	struct test_case *c = NULL;
	struct diag diag = {0};

	if (case_parse_cached(&c, &source, cases_builtin, NULL, lines, &diag))
		fail_msg("%u: %s: %s", diag.line, diag.text, diag.source);
	return c;
}

/* Compares the places of steps, which case_same() ignores. */
static void draft_places(const struct step *a, const struct step *b)
{
	for (; a; a = a->next, b = b->next) {
		assert_string_equal(a->file, b->file);
		assert_int_equal(a->line, b->line);
		assert_string_equal(a->source, b->source);
		assert_true(text_same(a->need, b->need));
		for (size_t i = 0; i < a->ngroups; i++)
			draft_places(a->groups[i], b->groups[i]);
	}
}

/* No line that could be broken is longer than 100 columns. */
static void draft_columns(const char *text)
{
	while (*text) {
		const size_t len = strcspn(text, "\n");

		if (len > 100 && memchr(text + 40, ' ', 60))
			fail_msg("%zu columns: %.*s", len, (int)len, text);
		text += len + 1;
	}
}

/* Counts the comments, without the line of the licence. */
static size_t draft_comments(const char *text)
{
	size_t n = 0;

	for (text = strchr(text, '\n'); text; text = strchr(text + 1, '\n'))
		n += strncmp(text + 1, "  # ", 4) == 0;
	return n;
}

/* The text for a reader is the same case, with the title of each move. */
static void draft_checks_read(const struct draft *d,
			      const struct draft_head *head,
			      const struct test_case *c)
{
	struct text t = {0};
	struct test_case *read;

	draft_text_read(d, head, &t);
	read = draft_parsed(&t, NULL);
	assert_true(case_same(read, c));
	draft_columns(text_cstr(&t));
	assert_int_equal(draft_comments(text_cstr(&t)),
			 d->nmoves + (d->open_option > 0));
	case_free(read);
	text_free(&t);
}

static void draft_checks(enum draft_subject s, uint64_t seed,
			 struct line_cache *lines)
{
	const struct draft_head head = {.title = "A draft", .covers = REQ_NONE};
	struct choices c;
	struct draft d = {.c = &c};
	struct text t = {0};
	struct test_case *alone, *with;

	choices_draw(&c, seed);
	draft_make(&d, 1u << s, (1u << CHAIR_COUNT) - 1);
	draft_text(&d, &head, &t);
	alone = draft_parsed(&t, NULL);
	with = draft_parsed(&t, lines);
	assert_true(case_same(alone, with));
	for (unsigned i = 0; i < CHAIR_COUNT; i++)
		draft_places(alone->chairs[i].first, with->chairs[i].first);
	draft_checks_read(&d, &head, alone);
	case_free(alone);
	case_free(with);
	text_free(&t);
	draft_free(&d);
}

static void a_draft_parses_the_same_with_kept_lines(void **state)
{
	struct line_cache *lines;

	(void)state;
	assert_int_equal(line_cache_new(&lines), 0);
	for (int s = 0; s < DRAFT_SUBJECTS; s++)
		for (uint64_t seed = 1; seed <= DRAFTS; seed++)
			draft_checks((enum draft_subject)s, seed, lines);
	line_cache_free(lines);
}

/* A log is the same sequence with any compiler: a line draws rsvd_96 first. */
static void test_fields_are_drawn_in_order(void **state)
{
	static const struct {
		unsigned place;
		const char *line;
	} drawn[] = {{0, "rsvd_34=0 rsvd_6=0 rsvd_65=0 rsvd_24=0 rsvd_96=255"},
		     {1, "rsvd_34=0 rsvd_6=0 rsvd_65=0 rsvd_24=255 rsvd_96=0"},
		     {2, "rsvd_34=0 rsvd_6=0 rsvd_65=127 rsvd_24=0 rsvd_96=0"},
		     {3, "rsvd_34=0 rsvd_6=3 rsvd_65=0 rsvd_24=0 rsvd_96=0"},
		     {4, "rsvd_34=63 rsvd_6=0 rsvd_65=0 rsvd_24=0 rsvd_96=0"}};

	(void)state;
	for (size_t i = 0; i < sizeof(drawn) / sizeof(drawn[0]); i++) {
		const struct draft_plan plan = {
			.subject = DRAFT_SRD,
			.chair = CHAIR_TARGET,
			.n = 1,
			.moves = {6},
			/* of four numbers the last one, else the greatest */
			.wants = {{.slot = 1,
				   .place = (uint8_t)drawn[i].place,
				   .class = i == 3 ? 3 : 2}},
			.nwants = 1};
		struct choices c;
		struct draft d = {.c = &c, .plan = &plan};

		choices_simplest(&c);
		draft_make(&d, 1u << DRAFT_SRD, 1u << CHAIR_TARGET);
		assert_non_null(strstr(text_cstr(&d.body), drawn[i].line));
		draft_free(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_draft_parses_the_same_with_kept_lines),
		cmocka_unit_test(test_fields_are_drawn_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
