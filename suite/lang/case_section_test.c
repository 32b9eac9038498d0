/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_section_test.c -- a file with a plain case and sections.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "suite/lang/case.h"
#include "suite/lang/case_parse.h"
#include "suite/lang/case_section.h"

static const char sections_text[] = "title Plain\n"
				    "ref UET 3.5.20\n"
				    "covers RUD-SVC-2\n"
				    "needs rud send\n"
				    "profile smoke\n"
				    "chair target\n"
				    "  <  ack [RUD-SVC-3]\n"
				    "\n"
				    "impaired drop    # once\n"
				    "title Dropped\n"
				    "covers RUD-SVC-3\n"
				    "violates RUD-SVC-5/src\n"
				    "chair target\n"
				    "  <  ack lost [RUD-SVC-3]\n"
				    "  <  ack retx [RUD-SVC-3]\n"
				    "chair initiator\n"
				    "  <  rud_req [RUD-SVC-1]\n"
				    "impaired late\n"
				    "title Late\n"
				    "covers RUD-SVC-3\n"
				    "needs rod\n"
				    "chair target\n"
				    "  <  nack [RUD-SVC-3]\n";

static struct test_case *case_section_test_parse(const char *section)
{
	const struct case_source source = {"test/id",
					   section,
					   "x.lad",
					   sections_text,
					   strlen(sections_text),
					   NULL};
	struct diag d = {0};
	struct test_case *c;

	if (case_parse(&c, &source, NULL, NULL, &d))
		fail_msg("%u:%u: %s", d.line, d.col, d.text);
	return c;
}

static void the_plain_case_ends_at_the_first_section(void **state)
{
	struct test_case *c = case_section_test_parse(NULL);

	(void)state;
	assert_string_equal(c->id, "test/id");
	assert_null(c->section);
	assert_string_equal(c->title, "Plain");
	assert_null(c->chairs[CHAIR_TARGET].first->next);
	assert_false(c->chairs[CHAIR_INITIATOR].present);
	assert_int_equal(c->nviolates, 0);
	case_free(c);
}

static void a_section_has_its_own_title_and_chairs(void **state)
{
	struct test_case *c = case_section_test_parse("drop");

	(void)state;
	assert_string_equal(c->id, "test/id-drop");
	assert_string_equal(c->section, "drop");
	assert_string_equal(c->title, "Dropped");
	assert_int_equal(c->ncovers, 1);
	assert_int_equal(c->nviolates, 1);
	assert_false(c->smoke);
	assert_int_equal(c->chairs[CHAIR_TARGET].first->line, 14);
	assert_true(c->chairs[CHAIR_TARGET].first->lost);
	assert_true(c->chairs[CHAIR_INITIATOR].present);
	case_free(c);
}

static void a_section_takes_over_what_its_head_leaves_out(void **state)
{
	struct test_case *drop = case_section_test_parse("drop");
	struct test_case *late = case_section_test_parse("late");

	(void)state;
	assert_string_equal(drop->ref, "UET 3.5.20");
	assert_int_equal(drop->needs.n, 2);
	assert_string_equal(drop->needs.words[1], "send");
	assert_int_equal(late->needs.n, 1);
	assert_string_equal(late->needs.words[0], "rod");
	assert_int_equal(late->nviolates, 0);
	case_free(drop);
	case_free(late);
}

static void sections_are_listed_and_cut_out(void **state)
{
	struct test_case *late = case_section_test_parse("late");
	struct case_sections list;
	struct text t = {0};

	(void)state;
	case_sections(&list, sections_text, strlen(sections_text));
	assert_int_equal(list.n, 2);
	assert_string_equal(list.names[0], "drop");
	assert_string_equal(list.names[1], "late");
	case_section_text(&t, late);
	assert_null(strstr(text_cstr(&t), "Dropped"));
	assert_null(strstr(text_cstr(&t), "chair initiator"));
	assert_non_null(strstr(text_cstr(&t), "needs rud send\n"));
	assert_non_null(strstr(text_cstr(&t), "impaired late\ntitle Late\n"));
	text_free(&t);
	case_free(late);
}

static void a_section_that_is_not_there_is_an_error(void **state)
{
	const struct case_source source = {
		"x", "none", "s.lad", sections_text, strlen(sections_text),
		NULL};
	struct diag d = {0};
	struct test_case *c;

	(void)state;
	assert_int_equal(case_parse(&c, &source, NULL, NULL, &d), ERR_SYNTAX);
	assert_string_equal(d.text, "there is no 'impaired none'");
}

static void values_are_listed(void **state)
{
	static const char text[] = "title x\nfor len in 0 $ack_data+1 # two\n"
				   "  ... mtu\nchair target\n"
				   "impaired drop\nfor n in 7\nchair target\n"
				   "impaired late\nchair target\nfor x in 1\n";
	struct case_values list;

	(void)state;
	case_values(&list, text, strlen(text), NULL);
	assert_string_equal(list.name, "len");
	assert_int_equal(list.n, 3);
	assert_string_equal(list.words[0], "0");
	assert_string_equal(list.words[1], "ack_data+1");
	assert_string_equal(list.words[2], "mtu");
	case_values(&list, text, strlen(text), "drop");
	assert_string_equal(list.name, "n");
	assert_int_equal(list.n, 1);
	assert_string_equal(list.words[0], "7");
	case_values(&list, text, strlen(text), "late");
	assert_int_equal(list.n, 0);
}

static void a_value_makes_a_case(void **state)
{
	static const char text[] =
		"title x\ncovers MODE-RUD-1\nfor len in 1 mtu+2\n"
		"chair target\n < ack [MODE-RUD-1]\n > rud_req | data $len\n";
	struct case_source source = {.id = "x",
				     .path = "s.lad",
				     .text = text,
				     .len = sizeof(text) - 1};
	struct diag d = {0};
	struct test_case *c;

	(void)state;
	assert_int_equal(case_parse(&c, &source, NULL, NULL, &d), 0);
	assert_string_equal(c->id, "x[len=1]");
	assert_int_equal(c->param.value.value, 1);
	case_free(c);
	source.value = "mtu+2";
	assert_int_equal(case_parse(&c, &source, NULL, NULL, &d), 0);
	assert_string_equal(c->id, "x[len=mtu+2]");
	assert_int_equal(c->param.value.mtus, 1);
	case_free(c);
	source.value = "3";
	assert_int_equal(case_parse(&c, &source, NULL, NULL, &d), ERR_SYNTAX);
	assert_string_equal(d.text, "there is no value 3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_plain_case_ends_at_the_first_section),
		cmocka_unit_test(a_section_has_its_own_title_and_chairs),
		cmocka_unit_test(a_section_takes_over_what_its_head_leaves_out),
		cmocka_unit_test(sections_are_listed_and_cut_out),
		cmocka_unit_test(a_section_that_is_not_there_is_an_error),
		cmocka_unit_test(values_are_listed),
		cmocka_unit_test(a_value_makes_a_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
