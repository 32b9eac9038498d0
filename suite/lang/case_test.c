/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parser of cases: every bad example in tests/bad-cases gets the message of
 * its .err file, and lines parse as docs/case-language.md describes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "suite/lang/case_parse.h"
#include "suite/lang/case_same.h"
#include "suite/lang/library_test.h"

struct bad {
	unsigned n;
	bool bless; /* RUNG_BLESS=1: rewrite the .err files */
};

static void bad_message(const char *path, struct text *t)
{
	struct library lib = {.root = "tests/bad-cases"};
	struct diag d = {0};
	struct case_source source = {.id = "bad", .path = path};
	struct test_case *c = NULL;
	char *text = slurp(path, &source.len);

	assert_non_null(text);
	source.text = text;
	assert_int_equal(case_parse(&c, &source, library_text, &lib, &d),
			 ERR_SYNTAX);
	if (strcmp(d.file, path))
		text_printf(t, "%s:", strrchr(d.file, '/') + 1);
	text_printf(t, "%u:%u: %s\n%s", d.line, d.col, d.text, d.more);
	free(text);
	library_free(&lib);
}

static void check_bad(const char *path, void *ctx)
{
	struct bad *bad = ctx;
	struct text t = {0};
	char err[512];
	size_t len;
	char *want;

	snprintf(err, sizeof(err), "%.*s.err", (int)(strlen(path) - 4), path);
	bad_message(path, &t);
	if (bad->bless) {
		FILE *f = fopen(err, "wb");

		assert_non_null(f);
		fputs(text_cstr(&t), f);
		fclose(f);
	}
	want = slurp(err, &len);
	if (!want || strcmp(want, text_cstr(&t)))
		fail_msg("%s: got\n%sexpected\n%s", path, text_cstr(&t),
			 want ? want : "(no such file)");
	free(want);
	text_free(&t);
	bad->n++;
}

static void every_bad_case_gets_its_message(void **state)
{
	struct bad bad = {.bless = getenv("RUNG_BLESS") != NULL};

	(void)state;
	each_case("tests/bad-cases", 0, check_bad, &bad);
	assert_true(bad.n >= 10);
}

#define HEAD "title t\ncovers MODE-RUD-1\n"

static struct test_case *case_test_parse_text(const char *text)
{
	return case_test_parse_ok("text", text, strlen(text), NULL);
}

static void roles_follow_the_chair_the_row_and_the_suffix(void **state)
{
	struct test_case *c =
		case_test_parse_text(HEAD "chair target\n"
					  "< ack [RUD-SEQ-76]\n"
					  "< ack [RUD-SEQ-83]\n"
					  "< ack [RUD-SEQ-76/src]\n"
					  "< ack [RUD-SEQ-76/both]\n"
					  "chair initiator\n"
					  "< ack [RUD-SEQ-76]\n");
	const struct step *s = c->chairs[CHAIR_TARGET].first;
	static const enum req_role want[] = {REQ_DST, REQ_SRC, REQ_SRC,
					     REQ_BOTH};

	(void)state;
	for (unsigned i = 0; i < 4; i++, s = s->next)
		assert_int_equal(s->reqs[0].role, want[i]);
	assert_int_equal(c->chairs[CHAIR_INITIATOR].first->reqs[0].role,
			 REQ_SRC);
	case_test_check_same(c, NULL);
	case_free(c);
}

static void a_setting_is_a_number_or_a_span(void **state)
{
	struct test_case *c = case_test_parse_text(
		HEAD "chair target\n"
		     "configure rto_init=1.5rto start_psn=0x10\n"
		     "< ack [RUD-SEQ-76]\n");
	const struct step *s = c->chairs[CHAIR_TARGET].first;

	(void)state;
	assert_true(s->params[0].span.set);
	assert_int_equal(s->params[0].span.milli, 1500);
	assert_false(s->params[1].span.set);
	assert_int_equal(s->params[1].number.value, 16);
	case_test_check_same(c, NULL);
	case_free(c);
}

static void a_chair_may_need_more_than_its_case(void **state)
{
	struct test_case *c =
		case_test_parse_text(HEAD "chair target needs ack_data rod\n"
					  "< ack [RUD-SEQ-76]\n"
					  "chair initiator\n"
					  "< ack [RUD-SEQ-76]\n");
	const struct needs *needs = &c->chairs[CHAIR_TARGET].needs;

	(void)state;
	assert_int_equal(needs->n, 2);
	assert_string_equal(needs->words[0], "ack_data");
	assert_string_equal(needs->words[1], "rod");
	assert_int_equal(c->chairs[CHAIR_INITIATOR].needs.n, 0);
	case_test_check_same(c, NULL);
	case_free(c);
}

static void an_id_may_say_its_items(void **state)
{
	struct test_case *c = case_test_parse_text(
		HEAD "chair target\n"
		     "< ack retx [RUD-SEQ-76 RUD-SVC-3:ack.retx,ack.missing]\n"
		     "< ack [RUD-SEQ-76/src:ses.data]\n");
	const struct step *s = c->chairs[CHAIR_TARGET].first;

	(void)state;
	assert_null(s->reqs[0].items);
	assert_string_equal(s->reqs[1].items, "ack.retx,ack.missing");
	assert_string_equal(s->next->reqs[0].items, "ses.data");
	assert_int_equal(s->next->reqs[0].role, REQ_SRC);
	case_test_check_same(c, NULL);
	case_free(c);
}

static void literals_are_figure_numbers_unless_absolute(void **state)
{
	struct test_case *c =
		case_test_parse_text(HEAD "chair target\n"
					  "> rud_req psn=333 clear_psn==5\n"
					  "> rud_req psn=$x\n"
					  "< ack ack_psn=$x [RUD-SEQ-76]\n");
	const struct step *s = c->chairs[CHAIR_TARGET].first;
	const struct term *t = s->rung.pds;

	(void)state;
	assert_false(t[0].ranges[0].lo.absolute);
	assert_int_equal(t[0].ranges[0].lo.value, 333);
	assert_non_null(t[0].field);
	assert_true(t[1].ranges[0].lo.absolute);
	assert_null(t[1].field);
	assert_string_equal(s->next->rung.pds[0].ranges[0].lo.symbol, "x");
	case_free(c);
}

static void fragments_keep_their_own_places(void **state)
{
	static const char text[] = HEAD "chair target\n use open\n"
					" < ack [MODE-RUD-1]\n";
	struct library lib = {.root = "cases"};
	struct test_case *c =
		case_test_parse_ok("text", text, strlen(text), &lib);
	const struct step *s = c->chairs[CHAIR_TARGET].first;

	(void)state;
	assert_string_equal(s->file, "cases/common/open.lad");
	while (s->next)
		s = s->next;
	assert_string_equal(s->file, "text");
	assert_int_equal(s->line, 5);
	case_free(c);
	library_free(&lib);
}

static void groups_nest_and_print(void **state)
{
	struct test_case *c =
		case_test_parse_text(HEAD "chair target\n"
					  "one {\n"
					  "< ack [MODE-RUD-1]\n"
					  "> cp noop ar\n"
					  "any {\n"
					  "< ack [MODE-RUD-1]\n"
					  "< nack optional [MODE-RUD-1]\n"
					  "}\n"
					  "or\n"
					  "< nack [MODE-RUD-1]\n"
					  "}\n");
	const struct step *s = c->chairs[CHAIR_TARGET].first;

	(void)state;
	assert_int_equal(s->kind, STEP_ONE_OF);
	assert_int_equal(s->ngroups, 2);
	assert_int_equal(s->groups[0]->next->next->kind, STEP_ANY_ORDER);
	assert_true(s->groups[0]->next->next->groups[1]->optional);
	case_test_check_same(c, NULL);
	case_free(c);
}

static void each_packet_is_a_group(void **state)
{
	struct test_case *c = case_test_parse_text(
		HEAD "for len in 2mtu\n"
		     "chair target\n"
		     "each packet of $len {\n"
		     "> rud_req psn=$p | std send message_id=1 | data $piece\n"
		     "one {\n"
		     "< ack ack_psn=$p [MODE-RUD-1]\n"
		     "or\n"
		     "< nack [MODE-RUD-1]\n"
		     "}\n"
		     "}\n");
	const struct step *s = c->chairs[CHAIR_TARGET].first;

	(void)state;
	assert_int_equal(s->kind, STEP_EACH);
	assert_string_equal(s->value.symbol, "len");
	assert_int_equal(s->ngroups, 1);
	assert_int_equal(s->groups[0]->next->kind, STEP_ONE_OF);
	case_test_check_same(c, NULL);
	case_free(c);
}

/* A flight, its answers and a check are printed as they were written. */
static void flights(void **state)
{
	struct test_case *c = case_test_parse_text(
		HEAD "chair initiator\n"
		     "< rud_req retx=0 flight $a for 0.3 rto [MODE-RUD-3]\n"
		     "> nack trimmed nack_psn=$psn each on path\n"
		     "> ack ack_psn=$psn cack_psn=$last each off path\n"
		     "< rud_req flight $b for 1 rto within 2 rto [MODE-RUD-3]\n"
		     "check $b+1 <= $a [MODE-RUD-3]\n"
		     "check $on_path = 0 [MODE-RUD-3]\n"
		     "check $a < 64 else na\n");
	const struct step *s = c->chairs[CHAIR_INITIATOR].first;

	(void)state;
	assert_string_equal(s->symbol, "a");
	assert_int_equal(s->max, UINT32_MAX);
	assert_int_equal(s->next->flight, FLIGHT_ON_PATH);
	assert_int_equal(s->next->next->flight, FLIGHT_OFF_PATH);
	assert_int_equal(s->next->next->next->next->kind, STEP_CHECK);
	assert_int_equal(s->next->next->next->next->check, CHECK_LE);
	case_test_check_same(c, NULL);
	case_free(c);
}

/*
 * Every prefix of a case is parsed or refused without an overrun.  The second
 * impaired section and those after it have the same lines as the first.
 */
static void any_cut_of_a_case_is_harmless(void **state)
{
	struct library lib = {.root = "cases"};
	size_t len;
	char *text = slurp("cases/uet/rud/send-gtd.lad", &len), *second;

	(void)state;
	assert_non_null(text);
	second = strstr(text, "\nimpaired");
	assert_non_null(second);
	second = strstr(second + 1, "\nimpaired");
	assert_non_null(second);
	len = (size_t)(second - text);
	for (size_t n = 0; n < len; n++) {
		const struct case_source source = {"cut", NULL, "cut",
						   text,  n,    NULL};
		struct diag d = {0};
		struct test_case *c = NULL;
		char keep = text[n];

		text[n] = 0;
		if (!case_parse(&c, &source, library_text, &lib, &d))
			case_free(c);
		else
			assert_true(d.line && d.text[0]);
		text[n] = keep;
		library_free(&lib);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_bad_case_gets_its_message),
		cmocka_unit_test(roles_follow_the_chair_the_row_and_the_suffix),
		cmocka_unit_test(a_setting_is_a_number_or_a_span),
		cmocka_unit_test(a_chair_may_need_more_than_its_case),
		cmocka_unit_test(an_id_may_say_its_items),
		cmocka_unit_test(literals_are_figure_numbers_unless_absolute),
		cmocka_unit_test(fragments_keep_their_own_places),
		cmocka_unit_test(groups_nest_and_print),
		cmocka_unit_test(each_packet_is_a_group),
		cmocka_unit_test(flights),
		cmocka_unit_test(any_cut_of_a_case_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
