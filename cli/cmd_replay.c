/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_replay.c -- rung replay: one result again, from its folder.
 *
 * It is a run whose options come from the bundle; what follows the folder goes
 * to the run as well and wins.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bundle.h"
#include "cli/cli.h"

#define WHO  "rung replay"
#define ARGS 32 /* that a bundle makes, at most */

struct args {
	char **v;
	int n;
	struct arena arena;
	bool failed;
};

static void help(void)
{
	puts("Usage: rung replay DIR [OPTION...]\n\n"
	     "Repeats one result from the folder that 'rung run --out' kept of "
	     "it: the same\ncase, device, declaration, seed and repetition.\n\n"
	     "  DIR         out/cases/ID, with replay.json in it\n"
	     "  OPTION      as of 'rung run'; --dut, --control and --decl take "
	     "the place of\n"
	     "              what the bundle says\n"
	     "  -h, --help  this text\n\n"
	     "Exit codes: as of 'rung run'.");
}

static void add(struct args *a, const char *s)
{
	char *copy = arena_strndup(&a->arena, s, strlen(s));

	a->failed |= !copy;
	a->v[a->n++] = copy;
}

static void add_option(struct args *a, const char *name, const char *value)
{
	if (!value)
		return;
	add(a, name);
	add(a, value);
}

static void add_number(struct args *a, const char *name, uint64_t n,
		       const char *unit)
{
	char s[32];

	snprintf(s, sizeof(s), "%" PRIu64 "%s", n, unit);
	add_option(a, name, s);
}

static void add_file(struct args *a, const char *option, const char *dir,
		     const char *name, const char *more)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s%s", dir, name, more);
	if (option)
		add_option(a, option, path);
	else
		add(a, path);
}

/* Whether the user's own options take the place of one of the bundle. */
static bool given(const struct args *user, const char *name)
{
	const size_t n = strlen(name);

	for (int i = 0; i < user->n; i++)
		if (strncmp(user->v[i], name, n) == 0 &&
		    (user->v[i][n] == 0 || user->v[i][n] == '='))
			return true;
	return false;
}

/* The device, unless another one is meant. */
static void add_device(struct args *a, const struct bundle *b,
		       const struct args *user)
{
	if (given(user, "--dut"))
		return;
	add_option(a, "--dut", b->dut);
	if (!given(user, "--control"))
		add_option(a, "--control", b->control);
}

/* "rung run" with what the bundle says, then what the user says. */
static void add_bundle(struct args *a, const char *dir, const struct bundle *b,
		       const struct args *user)
{
	const char *at = strrchr(b->id, '@');
	char id[256];

	snprintf(id, sizeof(id), "%.*s", at ? (int)(at - b->id) : -1, b->id);
	add_device(a, b, user);
	add_file(a, "--decl", dir, "device.decl", "");
	add_option(a, "--mutant", b->mutant);
	add_number(a, "--seed", b->seed, "");
	add_number(a, "--from", b->repeat + (uint64_t)1, "");
	if (b->timeout)
		add_number(a, "--timeout", (uint64_t)(b->timeout / VSPAN_US),
			   "us");
	if (b->strict)
		add(a, "--strict");
	if (b->step_over)
		add(a, "--step-over");
	add_option(a, "--as", id);
	add(a, "--ladders");
	add_file(a, NULL, dir, "case.lad", at ? at : "");
}

static int replay(const char *dir, int argc, char **argv)
{
	const struct args user = {.v = argv, .n = argc};
	struct args a = {0};
	struct bundle b;
	int code;

	a.v = calloc((size_t)argc + ARGS, sizeof(*a.v));
	code = a.v ? bundle_read(WHO, dir, &a.arena, &b) : cli_nomem(WHO);
	if (!code) {
		add(&a, "rung run");
		add_bundle(&a, dir, &b, &user);
		for (int i = 0; i < argc; i++)
			add(&a, argv[i]);
		fprintf(stderr, "%s: %s was %s%s%s\n", WHO, b.id, b.verdict,
			b.reason && *b.reason ? ": " : "",
			b.reason ? b.reason : "");
		code = a.failed ? cli_nomem(WHO) : cmd_run(a.n, a.v);
	}
	free(a.v);
	arena_free(&a.arena);
	return code;
}

int cmd_replay(int argc, char **argv)
{
	if (argc < 2)
		return cli_usage(WHO, "a folder is missing");
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
		help();
		return EXIT_PASSED;
	}
	if (argv[1][0] == '-')
		return cli_usage(WHO, "the folder comes first");
	return replay(argv[1], argc - 2, argv + 2);
}
