/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/boundary/boundary_test.c -- the case of each boundary value has
 * every line of its class.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "suite/explore/boundary/boundary.h"
#include "suite/explore/boundary/boundary_classes.h"
#include "suite/explore/draft_make.h"

static unsigned lines_of(const char *s)
{
	unsigned n = 0;

	for (; (s = strchr(s, '\n')) != NULL; s++)
		n++;
	return n;
}

/* Finds the lines of a class by its name. */
static const char *lines_of_class(enum draft_subject s, enum chair chair,
				  const char *name)
{
	const struct boundary_class *c = boundary_classes;

	while (!(c->subjects >> s & 1) || c->chair != chair || c->name != name)
		c++;
	return c->script.lines;
}

/* Drafts value |i|, and counts the lines of its case. */
static unsigned boundary_lines(enum draft_subject s, enum chair chair,
			       unsigned i)
{
	const struct draft_plan plan = {
		.subject = s, .chair = chair, .boundary = true, .value = i};
	struct choices c;
	struct draft d = {.c = &c, .plan = &plan};
	unsigned n;

	choices_draw(&c, 1);
	draft_make(&d, 1u << s, 1u << chair);
	assert_true(d.boundary);
	assert_null(strstr(text_cstr(&d.body), "{v}"));
	assert_null(strstr(text_cstr(&d.body), "{open}"));
	n = lines_of(text_cstr(&d.body));
	draft_free(&d);
	return n;
}

static void test_no_line_is_cut(void **state)
{
	(void)state;
	for (int s = 0; s < DRAFT_SUBJECTS; s++)
		for (int c = 0; c < CHAIR_COUNT; c++) {
			const enum draft_subject subject =
				(enum draft_subject)s;
			const enum chair chair = (enum chair)c;
			const unsigned n = boundary_count(subject, chair);

			for (unsigned i = 0; i < n; i++) {
				char value[BOUNDARY_TEXT];
				const char *class;

				boundary_name(subject, chair, i, &class, value);
				assert_true(boundary_lines(subject, chair, i) >=
					    lines_of(lines_of_class(
						    subject, chair, class)));
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_line_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
