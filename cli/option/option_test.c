/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/option_test.c -- tests correct and wrong command lines, and the
 * help of a table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/cli.h"
#include "cli/option/option_help.h"
#include "cli/option/option_read.h"

#define ARGS 16

struct shared {
	uint16_t port;
	bool whole;
};

struct target {
	struct shared shared;
	bool quiet, judge, counted, first;
	uint64_t seed;
	uint32_t count;
	uint8_t proto;
	unsigned colour;
	bool smoke;
	vspan timeout;
	const char *name, *file, *before;
	char called[32];
	struct operands operands;
};

static int take_called(const char *who, void *target, const char *value)
{
	struct target *t = target;
	size_t len;

	if (strcmp(value, "bad") == 0)
		return cli_usage(who, "--call does not want '%s'", value);
	len = strlen(t->called);
	snprintf(t->called + len, sizeof(t->called) - len, "|%s", value);
	return 0;
}

static const struct option_row shared_rows[] = {
	{0, "port", "N", "the port",
	 OPTION_NUMBER(struct shared, port, 1, 65535)},
	{0, "whole", NULL, "nothing is missing",
	 OPTION_FLAG(struct shared, whole)},
	OPTION_END};

static const struct option_row rows[] = {
	{0, "CASE", NULL, "a case", .kind = OPTION_KIND_CASES},
	{0, "seed", "N", "the seed",
	 OPTION_NUMBER(struct target, seed, 0, UINT64_MAX)},
	{'n', "count", "N", "so many of them (default 1)",
	 OPTION_NUMBER(struct target, count, 1, 64),
	 OPTION_GIVEN(struct target, counted)},
	{0, "proto", "N", "the protocol",
	 OPTION_NUMBER(struct target, proto, 0, 255)},
	{0, "color", "WHEN", "auto, always or never",
	 OPTION_CHOICE(struct target, colour, "auto always never"),
	 .also = "colour"},
	{0, "profile", "NAME", "smoke or full",
	 OPTION_CHOICE(struct target, smoke, "full smoke")},
	{0, "timeout", "T", "stop then", OPTION_TIME(struct target, timeout)},
	{0, "name", "TEXT", "a name", OPTION_TEXT(struct target, name)},
	{'o', "output-of-the-run", "FILE",
	 "a text that is so long that it has to be wrapped into the next line",
	 OPTION_FILE(struct target, file)},
	{0, "failed-first", "FILE", "first what failed",
	 OPTION_FILE(struct target, before), .optional = true,
	 OPTION_GIVEN(struct target, first)},
	{0, "no-judge", NULL, "do not judge",
	 OPTION_CLEAR(struct target, judge)},
	{0, "call", "WORD",
	 "is one of\nred    the first colour\ngreen  another",
	 OPTION_CALL(take_called)},
	{'q', "quiet", NULL, "be quiet", OPTION_FLAG(struct target, quiet)},
	OPTION_END};

static const struct option_group groups[] = {
	{NULL, rows, 0},
	{"Shared", shared_rows, offsetof(struct target, shared)},
	OPTION_GROUPS_END};

static const struct command test_command = {
	.name = "try",
	.usage = "[OPTION...] CASE\n--explain ID",
	.about = "First paragraph, which is long enough to be broken between "
		 "two of its words.\n\nSecond.",
	.groups = groups,
	.exits = "Exit codes: 0.",
};

/* Reads a line of words; |said| holds the text printed on stderr. */
static int try_command(const struct command *c, const char *line,
		       struct target *ret, char *said, size_t size)
{
	static char words[256], who[] = "rung try";
	char *argv[ARGS + 1] = {who}, *save = NULL, *text = NULL;
	FILE *const before = stderr;
	size_t len = 0;
	int argc = 1, code;

	snprintf(words, sizeof(words), "%s", line);
	for (char *w = strtok_r(words, " ", &save); w;
	     w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	assert_true(argc <= ARGS);
	*ret = (struct target){.judge = true};
	stderr = open_memstream(&text, &len);
	assert_non_null(stderr);
	code = option_read(c, argc, argv, ret, &ret->operands);
	fclose(stderr);
	stderr = before;
	snprintf(said, size, "%s", text);
	free(text);
	return code;
}

static void option_reads(const char *line, struct target *ret)
{
	char said[512];

	assert_int_equal(
		try_command(&test_command, line, ret, said, sizeof(said)), -1);
	assert_string_equal(said, "");
}

static void option_refuses(const char *line, const char *why)
{
	struct target t;
	char said[512];

	assert_int_equal(
		try_command(&test_command, line, &t, said, sizeof(said)),
		EXIT_USAGE);
	if (!strstr(said, why))
		fail_msg("'%s' says %s, not %s", line, said, why);
	assert_non_null(strstr(said, "Try 'rung try --help'."));
}

static void each_kind_is_read(void **state)
{
	struct target t;

	(void)state;
	option_reads(
		"--seed 0xffffffffffffffff -n 64 --proto 255 --color never "
		"--profile smoke",
		&t);
	assert_true(t.seed == UINT64_MAX);
	assert_int_equal(t.count, 64);
	assert_true(t.counted);
	assert_int_equal(t.proto, 255);
	assert_int_equal(t.colour, COLOUR_NEVER);
	assert_true(t.smoke);
	option_reads("--timeout 500ms --name x -of --no-judge -q --call a", &t);
	assert_true(t.timeout == 500 * VSPAN_MS);
	assert_string_equal(t.name, "x");
	assert_string_equal(t.file, "f");
	assert_false(t.judge);
	assert_true(t.quiet);
	assert_string_equal(t.called, "|a");
	option_reads("", &t);
	assert_true(t.judge && !t.counted && !t.quiet && !t.name);
	assert_int_equal(t.operands.n, 0);
}

static void shared_rows_have_a_base(void **state)
{
	struct target t;

	(void)state;
	option_reads("--port 4793 --whole", &t);
	assert_int_equal(t.shared.port, 4793);
	assert_true(t.shared.whole);
	assert_false(t.quiet);
}

static void limits_are_held(void **state)
{
	(void)state;
	option_refuses("-n 0",
		       "rung try: --count is a number from 1 to 64, not '0'");
	option_refuses("--count 65",
		       "--count is a number from 1 to 64, not '65'");
	option_refuses("--count -1", "--count is a number");
	option_refuses("--count 1x", "--count is a number");
	option_refuses("--proto 256",
		       "--proto is a number from 0 to 255, not '256'");
	option_refuses("--port 65536", "--port is a number from 1 to 65535");
	option_refuses("--seed 18446744073709551616",
		       "--seed is a number, not '184");
	option_refuses("--seed=", "--seed is a number, not ''");
	option_refuses("--timeout soon", "--timeout is a time such as 10, 10s");
	option_refuses("--timeout 0", "--timeout is a time");
	option_refuses("--color blue",
		       "--color is auto, always or never, not 'blue'");
	option_refuses("--profile smok",
		       "--profile is full or smoke, not 'smok'");
	option_refuses("--call bad", "--call does not want 'bad'");
}

static void unknown_and_incomplete(void **state)
{
	(void)state;
	option_refuses("--frobnicate", "unrecognized option '--frobnicate'");
	option_refuses("-x", "invalid option -- 'x'");
	option_refuses("--seed", "option '--seed' requires an argument");
	option_refuses("-n", "option requires an argument -- 'n'");
	option_refuses("--quiet=1",
		       "option '--quiet' doesn't allow an argument");
}

static void names_may_be_abbreviated(void **state)
{
	struct target t;

	(void)state;
	option_reads("--se 7 --qui --colo always --colour=never", &t);
	assert_true(t.seed == 7);
	assert_true(t.quiet);
	assert_int_equal(t.colour, COLOUR_NEVER);
	option_refuses("--p 7", "is ambiguous");
}

static void hyphens_end_the_options(void **state)
{
	struct target t;

	(void)state;
	option_reads("a -q b -- --seed c", &t);
	assert_true(t.quiet);
	assert_int_equal(t.operands.n, 4);
	assert_string_equal(t.operands.at[0], "a");
	assert_string_equal(t.operands.at[2], "--seed");
	assert_true(t.seed == 0);
}

static void the_last_one_counts(void **state)
{
	struct target t;

	(void)state;
	option_reads("--seed 1 --seed 2 --name a --name b --call a --call b",
		     &t);
	assert_true(t.seed == 2);
	assert_string_equal(t.name, "b");
	assert_string_equal(t.called, "|a|b");
}

static void an_argument_may_be_optional(void **state)
{
	struct target t;

	(void)state;
	option_reads("--failed-first file", &t);
	assert_true(t.first);
	assert_null(t.before);
	assert_int_equal(t.operands.n, 1);
	option_reads("--failed-first=file", &t);
	assert_string_equal(t.before, "file");
}

static void operands_may_be_refused(void **state)
{
	struct command alone = test_command;
	struct target t;
	char said[512];

	(void)state;
	alone.no_operands = true;
	assert_int_equal(try_command(&alone, "-q x", &t, said, sizeof(said)),
			 EXIT_USAGE);
	assert_string_equal(said, "rung try: unexpected argument 'x'\n"
				  "Try 'rung try --help'.\n");
	assert_int_equal(try_command(&alone, "-q", &t, said, sizeof(said)), -1);
}

static void help_is_drawn(void **state)
{
	static const char expected[] =
		"Usage: rung try [OPTION...] CASE\n"
		"       rung try --explain ID\n"
		"\n"
		"First paragraph, which is long enough to be broken between "
		"two of its words.\n"
		"\n"
		"Second.\n"
		"\n"
		"  CASE                a case\n"
		"      --seed N        the seed\n"
		"  -n, --count N       so many of them (default 1)\n"
		"      --proto N       the protocol\n"
		"      --color WHEN    auto, always or never\n"
		"      --profile NAME  smoke or full\n"
		"      --timeout T     stop then\n"
		"      --name TEXT     a name\n"
		"  -o, --output-of-the-run FILE\n"
		"                      a text that is so long that it has to "
		"be wrapped into the\n"
		"                      next line\n"
		"      --failed-first[=FILE]\n"
		"                      first what failed\n"
		"      --no-judge      do not judge\n"
		"      --call WORD     is one of\n"
		"                      red    the first colour\n"
		"                      green  another\n"
		"  -q, --quiet         be quiet\n"
		"\n"
		"Shared:\n"
		"      --port N        the port\n"
		"      --whole         nothing is missing\n"
		"  -h, --help          print this text\n"
		"\n"
		"Exit codes: 0.\n";
	struct text t = {0};

	(void)state;
	option_help(&t, &test_command);
	assert_string_equal(text_cstr(&t), expected);
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_is_read),
		cmocka_unit_test(shared_rows_have_a_base),
		cmocka_unit_test(limits_are_held),
		cmocka_unit_test(unknown_and_incomplete),
		cmocka_unit_test(names_may_be_abbreviated),
		cmocka_unit_test(hyphens_end_the_options),
		cmocka_unit_test(the_last_one_counts),
		cmocka_unit_test(an_argument_may_be_optional),
		cmocka_unit_test(operands_may_be_refused),
		cmocka_unit_test(help_is_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
