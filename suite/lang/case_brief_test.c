/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the brief form of a case. */
#include "suite/lang/case.h"
#include "suite/lang/case_brief.h"
#include "suite/lang/case_parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char lad[] = "title   One send\n"
			  "ref     UET 3.5.20.2.2\n"
			  "covers  RUD-SVC-2\n"
			  "needs   rud send\n"
			  "profile smoke\n"
			  "chair target\n"
			  "  >  rud_req syn psn=100 clear_psn=99 ar | std send "
			  "message_id=7 som eom | data 32\n"
			  "  any {\n"
			  "    <  ack ack_psn=100 | response    [RUD-SVC-3]\n"
			  "    <  ack ack_psn=101 | response    [RUD-SVC-3c]\n"
			  "  }\n";

static struct test_case *case_brief_test_parse(void)
{
	const struct case_source source = {.id = "x/one",
					   .path = "one.lad",
					   .text = lad,
					   .len = strlen(lad)};
	struct diag d = {0};
	struct test_case *c;

	if (case_parse(&c, &source, NULL, NULL, &d))
		fail_msg("%u: %s", d.line, d.text);
	return c;
}

static bool case_brief_test_names(const struct step *s, const char *id)
{
	enum req_role role;

	for (size_t i = 0; i < s->nreqs; i++)
		if (s->reqs[i].id == req_find(id, strlen(id), &role))
			return true;
	return false;
}

/* The brief form does not depend on the original case. */
static void keeps_the_head_and_what_the_lines_name(void **state)
{
	struct test_case *c = case_brief_test_parse();
	struct arena a = {0};
	struct test_case *b = case_brief(&a, c);

	(void)state;
	case_free(c);
	assert_string_equal(b->id, "x/one");
	assert_string_equal(b->title, "One send");
	assert_string_equal(b->path, "one.lad");
	assert_string_equal(b->ref, "UET 3.5.20.2.2");
	assert_int_equal(b->ncovers, 1);
	assert_int_equal(b->needs.n, 2);
	assert_string_equal(b->needs.words[1], "send");
	assert_true(b->smoke);
	assert_true(b->chairs[CHAIR_TARGET].present);
	assert_false(b->chairs[CHAIR_INITIATOR].present);
	assert_null(b->chairs[CHAIR_TARGET].first->next);
	assert_true(case_brief_test_names(b->chairs[CHAIR_TARGET].first,
					  "RUD-SVC-3"));
	assert_true(case_brief_test_names(b->chairs[CHAIR_TARGET].first,
					  "RUD-SVC-3c"));
	case_free(b);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_head_and_what_the_lines_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
