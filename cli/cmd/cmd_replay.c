/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_replay.c -- rung replay: repeats one result from its folder.
 *
 * This is a run whose options come from the bundle.  The arguments after the
 * folder are passed to the run as well, and take precedence.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/file/bundle.h"
#include "cli/option/option_read.h"

#define WHO  "rung replay"
#define ARGS 32 /* most options that a bundle makes */

struct args {
	char **v;
	int n;
	struct arena arena;
	bool failed;
};

static const struct option_row replay_rows[] = {
	{0, "DIR", NULL,
	 "the folder out/cases/ID, with replay.json in it; or a .choices or "
	 ".lad file of 'rung explore'",
	 .kind = OPTION_KIND_OPERAND},
	{0, "OPTION", NULL,
	 "as of 'rung run', or of 'rung explore'; --dut, --control and --decl "
	 "replace what the "
	 "folder says, and name the device of a file, which names none "
	 "(default: the reference)",
	 .kind = OPTION_KIND_OPERAND},
	OPTION_END};

static const struct option_group replay_groups[] = {{NULL, replay_rows, 0},
						    OPTION_GROUPS_END};

static void cmd_replay_add(struct args *a, const char *s)
{
	char *copy = arena_strndup(&a->arena, s, strlen(s));

	a->failed |= !copy;
	a->v[a->n++] = copy;
}

static void add_option(struct args *a, const char *name, const char *value)
{
	if (!value)
		return;
	cmd_replay_add(a, name);
	cmd_replay_add(a, value);
}

static void add_number(struct args *a, const char *name, uint64_t n,
		       const char *unit)
{
	char s[32];

	snprintf(s, sizeof(s), "%" PRIu64 "%s", n, unit);
	add_option(a, name, s);
}

static void add_file(struct args *a, const char *option, const char *dir,
		     const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	add_option(a, option, path);
}

/* Returns true if the user gives an option that the bundle has, too. */
static bool given(const struct args *user, const char *name)
{
	const size_t n = strlen(name);

	for (int i = 0; i < user->n; i++)
		if (strncmp(user->v[i], name, n) == 0 &&
		    (user->v[i][n] == 0 || user->v[i][n] == '='))
			return true;
	return false;
}

/* Returns whether the mutant of the bundle goes with what the user gives. */
static bool replay_keeps_mutant(const struct args *user)
{
	const char *dut = NULL;

	for (int i = 0; i < user->n; i++)
		if (strncmp(user->v[i], "--dut=", 6) == 0)
			dut = user->v[i] + 6;
		else if (strcmp(user->v[i], "--dut") == 0 && i + 1 < user->n)
			dut = user->v[i + 1];
	if (given(user, "--mutant") || given(user, "--variant"))
		return false;
	return !dut || strncmp(dut, "ref", 3) == 0 ||
	       strncmp(dut, "virtual", 7) == 0;
}

/* Adds the device, unless the user gives another one. */
static void cmd_replay_add_device(struct args *a, const struct bundle *b,
				  const struct args *user)
{
	if (given(user, "--dut"))
		return;
	add_option(a, "--dut", b->dut);
	if (!given(user, "--control"))
		add_option(a, "--control", b->control);
}

/* Adds the case and its id. */
static void cmd_replay_add_case(struct args *a, const char *dir,
				const struct bundle *b)
{
	char id[256], selector[4096];

	bundle_id(b, id);
	add_option(a, "--as", id);
	cmd_replay_add(a, "--ladders");
	bundle_selector(b, dir, selector, sizeof(selector));
	cmd_replay_add(a, selector);
}

/*
 * Makes the arguments of "rung run": those of the bundle, then those of the
 * user.
 */
static void add_bundle(struct args *a, const char *dir, const struct bundle *b,
		       const struct args *user)
{
	cmd_replay_add_device(a, b, user);
	add_file(a, "--decl", dir, "device.decl");
	if (replay_keeps_mutant(user))
		add_option(a, "--mutant", b->mutant);
	add_number(a, "--seed", b->seed, "");
	add_number(a, "--from", b->repeat + (uint64_t)1, "");
	if (b->timeout)
		add_number(a, "--timeout", (uint64_t)(b->timeout / VSPAN_US),
			   "us");
	if (b->strict)
		cmd_replay_add(a, "--strict");
	if (b->step_over)
		cmd_replay_add(a, "--step-over");
	cmd_replay_add_case(a, dir, b);
}

static void replay_tell(const struct bundle *b)
{
	fprintf(stderr, "%s: %s was %s", WHO, b->id, b->verdict);
	if (b->reason && *b->reason)
		fprintf(stderr, ": %s", b->reason);
	fputc('\n', stderr);
}

static int replay_folder(const char *dir, int argc, char **argv)
{
	const struct args user = {.v = argv, .n = argc};
	struct args a = {0};
	struct bundle b;
	int code;

	a.v = memory_calloc((size_t)argc + ARGS, sizeof(*a.v));
	if (a.v)
		code = bundle_read(WHO, dir, &a.arena, &b);
	else
		code = cli_nomem(WHO);
	if (!code) {
		cmd_replay_add(&a, "rung run");
		add_bundle(&a, dir, &b, &user);
		for (int i = 0; i < argc; i++)
			cmd_replay_add(&a, argv[i]);
		replay_tell(&b);
		if (a.failed)
			code = cli_nomem(WHO);
		else
			code = command_run.run(a.n, a.v);
	}
	free(a.v);
	arena_free(&a.arena);
	return code;
}

/* Runs a command with |before| in front of the arguments of "rung replay". */
static int replay_by(const struct command *command, char *const *before,
		     size_t nbefore, int argc, char **argv)
{
	const size_t nargs = (size_t)argc - 1;
	char **v = memory_calloc(nbefore + nargs + 2, sizeof(*v));
	char word[] = WHO;
	int code;

	if (!v)
		return cli_nomem(WHO);
	v[0] = word;
	for (size_t i = 0; i < nbefore; i++)
		v[1 + i] = before[i];
	for (size_t i = 0; i < nargs; i++)
		v[1 + nbefore + i] = argv[1 + i];
	code = command->run((int)(1 + nbefore + nargs), v);
	free(v);
	return code;
}

/* Says that a file runs on the reference, if the user names no device. */
static void replay_tell_device(const char *path, const struct args *user)
{
	if (given(user, "--dut") || given(user, "--mutant") ||
	    given(user, "--variant"))
		return;
	fprintf(stderr,
		"%s: %s names no device, so it runs on the reference; --dut, "
		"--control and --decl name another one\n",
		WHO, path);
}

/*
 * A case that "rung explore" wrote is a file, which names no device: it runs
 * on that of "rung explore", unless the user gives another one.
 */
static int replay_case(int argc, char **argv)
{
	char ladders[] = "--ladders", option[] = "--dut", dut[] = "virtual";
	char *const before[] = {ladders, option, dut};
	const struct args user = {.v = argv, .n = argc};

	replay_tell_device(argv[1], &user);
	return replay_by(&command_run, before, given(&user, option) ? 1 : 3,
			 argc, argv);
}

/* A log of choices of "rung explore" is a file; it names no device. */
static int replay_choices(int argc, char **argv)
{
	char option[] = "--choices";
	char *const before[] = {option};
	const struct args user = {.v = argv, .n = argc};

	replay_tell_device(argv[1], &user);
	return replay_by(&command_explore, before, 1, argc, argv);
}

static bool replay_ends_in(const char *path, const char *ending)
{
	const char *end = strrchr(path, '.');

	return end && strcmp(end, ending) == 0;
}

static int cmd_replay(int argc, char **argv)
{
	struct operands none;

	if (argc < 2)
		return cli_usage(WHO, "a folder is missing");
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)
		return option_read(&command_replay, 2, argv, NULL, &none);
	if (argv[1][0] == '-')
		return cli_usage(WHO, "the folder comes first");
	if (replay_ends_in(argv[1], ".choices"))
		return replay_choices(argc, argv);
	if (replay_ends_in(argv[1], ".lad"))
		return replay_case(argc, argv);
	return replay_folder(argv[1], argc - 2, argv + 2);
}

const struct command command_replay = {
	.name = "replay",
	.what = "repeat one result from its folder",
	.usage = "DIR [OPTION...]",
	.about =
		"Repeats one result from the folder that 'rung run --out' kept "
		"of it: the same case, device, declaration, seed and "
		"repetition.",
	.groups = replay_groups,
	.exits = "Exit codes: as of 'rung run', or of 'rung explore' for a "
		 ".choices file.",
	.run = cmd_replay,
};
