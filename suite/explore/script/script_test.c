/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/script/script_test.c -- the places of a script, and that every
 * script fills all of its places.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suite/explore/script/script.h"

/* Writes a script into a draft; the choices are those of a list. */
static const char *write_of(struct draft *d, const struct draft_script *s,
			    struct choices *c, const char *list)
{
	assert_int_equal(choices_parse(c, list), 0);
	d->c = c;
	script_write(d, s);
	return text_cstr(&d->body);
}

static void test_places(void **state)
{
	static const struct draft_script s = {
		.ids = "RUD-SVC-3",
		.needs = "read multi",
		.violates = "UET-PDC-15/src",
		.lines = "> {q} psn={p} clear={p-1} id={m+1}{mode}\n"
			 "< ack {1:a/b/c} {1=x/y/z} {:7..9} {2:3..5} {2+2}\n"
			 "never < any  [I13]\n"
			 "?first {s}\n"
			 "any {",
		.psns = 2,
		.mids = 1,
		.flags = SCRIPT_OVER};
	struct draft d = {.psn = 100, .mid = 5};
	struct choices c;

	(void)state;
	assert_string_equal(write_of(&d, &s, &c, "1,2,1"),
			    "  > rud_req psn=100 clear=99 id=6\n"
			    "  < ack b y 9 4 6  [RUD-SVC-3]\n"
			    "  never < any  [I13]\n"
			    "  first 0\n"
			    "  any {\n");
	assert_int_equal(d.psn, 102);
	assert_int_equal(d.mid, 6);
	assert_int_equal(d.sym, 1);
	assert_int_equal(d.nneeds, 2);
	assert_string_equal(d.violates[0], "UET-PDC-15/src");
	assert_true(d.over && d.no_close);
	draft_free(&d);
}

/* Numbers of a connection wrap at 24 bits; a later move is not the first. */
static void test_connection(void **state)
{
	static const struct draft_script s = {
		.ids = "WQE-01", .lines = "{p} {p+1} {b+1}\n?no\n"};
	struct draft d = {.subject = DRAFT_WQE, .psn = 0xffffff, .nmoves = 2};
	struct choices c;

	(void)state;
	assert_string_equal(write_of(&d, &s, &c, "0"),
			    "  16777215 0 00 00 00 00\n");
	draft_free(&d);
}

/* A line that takes either of two CACK_PSNs takes those of its own packets. */
static void accepts_near(const char *text)
{
	for (const char *s = strstr(text, "cack_psn="); s;
	     s = strstr(s + 1, "cack_psn=")) {
		unsigned one, other;

		if (sscanf(s, "cack_psn=%u|%u", &one, &other) == 2)
			assert_in_range(other - one, 0, 16);
	}
}

static void fills(const struct draft_script *table)
{
	for (const struct draft_script *s = table; s->weight; s++) {
		assert_non_null(s->ids);
		for (unsigned n = 0; n < 12; n++) {
			struct draft d = {.psn = 100, .mid = 1};
			const char *text, *open;
			struct choices c;
			char list[64];

			snprintf(list, sizeof(list), "%u,%u,%u,%u", n, n, n, n);
			text = write_of(&d, s, &c, list);
			for (open = strchr(text, '{'); open;
			     open = strchr(open + 1, '{'))
				if (open[1] != '\n')
					fail_msg("not filled: %s", text);
			accepts_near(text);
			draft_free(&d);
		}
	}
}

static void test_tables(void **state)
{
	(void)state;
	fills(script_uet_target);
	fills(script_uet_target_first);
	fills(script_uet_initiator);
	fills(script_uet_initiator_first);
	fills(script_rudi_target);
	fills(script_rudi_target_first);
	fills(script_rudi_initiator);
	fills(script_rudi_initiator_first);
	fills(script_uud_target);
	fills(script_uud_target_first);
	fills(script_uud_initiator);
	fills(script_uud_initiator_first);
	fills(script_srd_target);
	fills(script_srd_target_first);
	fills(script_srd_initiator);
	fills(script_srd_initiator_first);
	fills(script_wqe_target);
	fills(script_wqe_target_first);
	fills(script_wqe_initiator);
	fills(script_wqe_initiator_first);
	fills(script_roce_target);
	fills(script_roce_target_first);
	fills(script_roce_initiator);
	fills(script_roce_initiator_first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_connection),
		cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
