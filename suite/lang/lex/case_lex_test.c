/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/lex/case_lex_test.c -- lines that are continued, and the places of
 * errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "suite/lang/case.h"
#include "suite/lang/case_parse.h"
#include "suite/lang/lex/case_lex.h"

static const char joined_text[] = "title Joined\n"
				  "ref UET 3.5\n"
				  "  ... \n"
				  "covers RUD-SVC-2\n"
				  "chair target\n"
				  "  >  rud_req syn psn=7    # the first\n"
				  "     | std send som\n"
				  "     ... eom\n"
				  "     | data 8\n"
				  "  <  ack\n"
				  "     [RUD-SVC-3]\n"
				  "  <  nack                 [RUD-SVC-3]\n";

static struct test_case *case_lex_test_parse(const char *text)
{
	const struct case_source source = {"test/id", NULL,         "x.lad",
					   text,      strlen(text), NULL};
	struct diag d = {0};
	struct test_case *c;

	if (case_parse(&c, &source, NULL, NULL, &d))
		fail_msg("%u:%u: %s", d.line, d.col, d.text);
	return c;
}

static void a_line_goes_on_behind_a_bar_a_bracket_or_dots(void **state)
{
	struct test_case *c = case_lex_test_parse(joined_text);
	const struct step *s = c->chairs[CHAIR_TARGET].first;

	(void)state;
	assert_string_equal(c->ref, "UET 3.5");
	assert_int_equal(s->line, 6);
	assert_string_equal(s->source,
			    ">  rud_req syn psn=7 | std send som eom "
			    "| data 8");
	assert_int_equal(s->rung.data_len.value, 8);
	s = s->next;
	assert_int_equal(s->line, 10);
	assert_int_equal(s->nreqs, 1);
	s = s->next;
	assert_int_equal(s->line, 12);
	case_free(c);
}

/* Parses a faulty line of a chair and returns the error. */
static struct diag line_error(const char *lines)
{
	struct case_source source = {.id = "x", .path = "x.lad"};
	struct diag d = {0};
	struct test_case *c;
	char text[512];

	snprintf(text, sizeof(text),
		 "title x\ncovers RUD-SVC-2\nchair target\n%s", lines);
	source.text = text;
	source.len = strlen(text);
	assert_int_equal(case_parse(&c, &source, NULL, NULL, &d), ERR_SYNTAX);
	return d;
}

static void errors_name_the_line_of_the_file(void **state)
{
	struct diag d;

	(void)state;
	d = line_error(
		"  >  rud_req syn # x\n    | std sned som\n    | data 8\n");
	assert_int_equal(d.line, 5);
	assert_int_equal(d.col, 11);
	assert_string_equal(d.source, "    | std sned som");
	d = line_error("  >  rud_rqe syn\n    | std send som\n");
	assert_int_equal(d.line, 4);
	assert_int_equal(d.col, 6);
	d = line_error("  <  ack\n    | response\n    [RUD-SVC-999]\n");
	assert_int_equal(d.line, 6);
	assert_int_equal(d.col, 6);
	d = line_error("  <  ack\n    | resp\001onse\n");
	assert_int_equal(d.line, 5);
	d = line_error("> ack\n|\n|\n|\n|\n|\n|\n|\n|\n|\n");
	assert_int_equal(d.line, 12);
	assert_string_equal(d.text, "a line is at most 8 lines long");
	d = line_error("\n  [RUD-SVC-3]\n");
	assert_int_equal(d.line, 5);
}

static void windows_lines_and_a_missing_newline_are_fine(void **state)
{
	struct test_case *c =
		case_lex_test_parse("title t\r\ncovers MODE-RUD-1\r\n\r\n"
				    "chair target\r\n\t<  ack  [MODE-RUD-1]");

	(void)state;
	assert_string_equal(c->title, "t");
	assert_string_equal(c->chairs[CHAIR_TARGET].first->source,
			    "<  ack  [MODE-RUD-1]");
	case_free(c);
}

static void span_line(const char *span, const char *want)
{
	struct arena arena = {0};
	struct diag d = {0};
	struct text t = {0};
	struct lex l;
	struct span s;

	lex_open(&l, &arena, &d, "x", span, strlen(span));
	assert_int_equal(lex_line(&l), 1);
	assert_int_equal(lex_span(&l, &s), 0);
	assert_int_equal(lex_done(&l), 0);
	span_print(&t, &s);
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
	arena_free(&arena);
}

static void spans_are_read_in_time_and_in_protocol_units(void **state)
{
	(void)state;
	span_line("10ms", "10ms");
	span_line("0.5ms", "500us");
	span_line("1.5 s", "1500ms");
	span_line("3000ns", "3us");
	span_line("0s", "0s");
	span_line("rto", "rto");
	span_line("1 rto", "rto");
	span_line("3rto", "3 rto");
	span_line("1.5 nack_time", "1.5 nack_time");
	span_line("2rto  +  clear_time", "2 rto + clear_time");
	span_line("2rto+clear_time", "2 rto + clear_time");
	span_line("6ms + 2 ack_time", "6ms + 2 ack_time");
	span_line("rto_total", "rto_total");
	span_line("tail_time + 4 rto", "tail_time + 4 rto");
	span_line("0.25 ack_time", "0.25 ack_time");
	span_line("0.125 rto", "0.125 rto");
	span_line("2.05 rto", "2.05 rto");
}

/* A word that begins like a span but is not one is refused. */
static void two_times_are_not_added(void **state)
{
	static const char *const bad[] = {"rto+2ms", "1ms+1ms", "rto+", "+rto"};
	struct span s;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(
			word_span((struct word){bad[i], strlen(bad[i])}, &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_goes_on_behind_a_bar_a_bracket_or_dots),
		cmocka_unit_test(errors_name_the_line_of_the_file),
		cmocka_unit_test(spans_are_read_in_time_and_in_protocol_units),
		cmocka_unit_test(two_times_are_not_added),
		cmocka_unit_test(windows_lines_and_a_missing_newline_are_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
