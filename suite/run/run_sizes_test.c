/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_sizes_test.c -- a case that exceeds a declared size is found
 * before it runs.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suite/decl/decl_parse.h"
#include "suite/lang/case_parse.h"
#include "suite/run/run_sizes.h"

static struct decl *sizes_decl(const char *lines)
{
	struct diag diag = {0};
	struct decl *d = NULL;
	char text[200];

	snprintf(text, sizeof(text), "name x\n%s\n", lines);
	if (decl_parse(&d, "f", text, strlen(text), &diag))
		fail_msg("%s", diag.text);
	return d;
}

static struct test_case *sizes_case(const char *lines)
{
	struct diag diag = {0};
	struct test_case *c = NULL;
	char text[300];

	snprintf(text, sizeof(text), "title x\nref x\ncovers RUD-SVC-1\n%s\n",
		 lines);
	if (case_parse(&c,
		       &(struct case_source){"t", NULL, "x.lad", text,
					     strlen(text), NULL},
		       NULL, NULL, &diag))
		fail_msg("%u:%u: %s", diag.line, diag.col, diag.text);
	return c;
}

/* Returns the line of the declaration that |lines| exceed, or "". */
static const char *exceeded(const char *decl, enum chair chair,
			    const char *lines, bool violates)
{
	struct decl *d = sizes_decl(decl);
	struct test_case *c = sizes_case(lines);
	struct run_size size = {.line = ""};

	c->nviolates = violates;
	run_sizes_fit(d, c, chair, &size);
	case_free(c);
	decl_free(d);
	return size.line;
}

#define EXPECT "\n  <  rud_req [RUD-SVC-1]"

static void a_message_is_posted_within_max_message(void **state)
{
	(void)state;
	assert_string_equal(
		exceeded("size max_message 4096", CHAIR_INITIATOR,
			 "chair initiator\n  post send len=4mtu" EXPECT, false),
		"");
	assert_string_equal(
		exceeded("size max_message 4095", CHAIR_INITIATOR,
			 "chair initiator\n  post send len=4mtu" EXPECT, false),
		"size max_message");
}

static void a_request_describes_its_message(void **state)
{
	static const char lines[] =
		"chair target\n"
		"  >  rud_req | std send som request_length=2mtu | data mtu\n"
		"  <  ack [RUD-SVC-1]";

	(void)state;
	assert_string_equal(
		exceeded("size max_message 2048", CHAIR_TARGET, lines, false),
		"");
	assert_string_equal(
		exceeded("size max_message 2047", CHAIR_TARGET, lines, false),
		"size max_message");
	assert_string_equal(
		exceeded("size max_message 2047", CHAIR_TARGET, lines, true),
		"");
}

static void packets_of_a_message_fit_together(void **state)
{
	static const char lines[] = "chair target\n"
				    "  each packet of 2mtu {\n"
				    "    >  rud_req | std send | data $piece\n"
				    "    <  ack [RUD-SVC-1]\n"
				    "  }";

	(void)state;
	assert_string_equal(
		exceeded("size max_message 2048", CHAIR_TARGET, lines, false),
		"");
	assert_string_equal(
		exceeded("size max_message 2047", CHAIR_TARGET, lines, false),
		"size max_message");
}

static void an_access_stays_in_the_declared_memory(void **state)
{
	static const char lines[] =
		"chair target\n"
		"  >  rud_req | std read som eom request_length=mtu\n"
		"     ... buffer_offset=$memory_offset+64\n"
		"  <  ack [RUD-SVC-1]";

	(void)state;
	assert_string_equal(exceeded("id memory_offset 0x100\n"
				     "size memory_len 1088",
				     CHAIR_TARGET, lines, false),
			    "");
	assert_string_equal(exceeded("id memory_offset 0x100\n"
				     "size memory_len 1087",
				     CHAIR_TARGET, lines, true),
			    "size memory_len");
}

/* A case about the end of the memory fits into any that holds its access. */
static void an_access_may_pass_the_end(void **state)
{
	static const char line[] =
		"chair target\n"
		"  >  rud_req | std read som eom request_length=8\n"
		"     ... buffer_offset=$memory_end-7\n"
		"  <  ack [RUD-SVC-1]";

	(void)state;
	assert_string_equal(
		exceeded("id memory_offset 0x100\nsize memory_len 8",
			 CHAIR_TARGET, line, false),
		"");
	assert_string_equal(
		exceeded("size memory_len 0", CHAIR_TARGET, line, true),
		"size memory_len");
}

/* A send has a length and accesses no declared memory. */
static void a_send_needs_no_memory(void **state)
{
	(void)state;
	assert_string_equal(
		exceeded("size memory_len 0", CHAIR_TARGET,
			 "chair target\n  >  rud_req | std send som eom | "
			 "data 64\n  <  ack [RUD-SVC-1]",
			 false),
		"");
}

static void lines_of_groups_count(void **state)
{
	(void)state;
	assert_string_equal(
		exceeded("size max_message 64", CHAIR_TARGET,
			 "chair target\n  one {\n    <  ack [RUD-SVC-1]\n"
			 "    >  rud_req | std send som eom | data 65\n"
			 "  or\n    <  nack [RUD-SVC-1]\n  }",
			 false),
		"size max_message");
}

static void a_limit_of_pdcs_rules_out_a_second_one(void **state)
{
	static const char two[] = "chair target\n"
				  "  >  rud_req syn psn=1\n"
				  "  <  ack [RUD-SVC-1]\n"
				  "  >  rud_req syn pdc=b psn=2\n"
				  "  <  ack pdc=b [RUD-SVC-1]";
	static const char configured[] =
		"chair target\n"
		"  configure max_pdcs=1\n"
		"  >  rud_req syn psn=1\n"
		"  >  rud_req syn pdc=b psn=2\n"
		"  <  nack pdc=b no_pdc_avail [RUD-SVC-1]";

	(void)state;
	assert_string_equal(
		exceeded("setting max_pdcs=1", CHAIR_TARGET, two, false),
		"setting max_pdcs");
	assert_string_equal(
		exceeded("setting max_peer_pdcs=1", CHAIR_TARGET, two, false),
		"setting max_peer_pdcs");
	assert_string_equal(
		exceeded("setting max_pdcs=2", CHAIR_TARGET, two, false), "");
	assert_string_equal(
		exceeded("setting max_pdcs=1", CHAIR_TARGET, configured, false),
		"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_of_pdcs_rules_out_a_second_one),
		cmocka_unit_test(a_message_is_posted_within_max_message),
		cmocka_unit_test(a_request_describes_its_message),
		cmocka_unit_test(packets_of_a_message_fit_together),
		cmocka_unit_test(an_access_stays_in_the_declared_memory),
		cmocka_unit_test(an_access_may_pass_the_end),
		cmocka_unit_test(a_send_needs_no_memory),
		cmocka_unit_test(lines_of_groups_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
