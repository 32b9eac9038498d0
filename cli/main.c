/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/main.c -- rung: one program, sub-commands.
 *
 * It finds the sub-command, and after it has run makes sure that what went to
 * standard output really arrived.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "rung_version.h"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
};

static const struct command commands[] = {
	{"run", cmd_run, "run cases against a device"},
	{"list", cmd_list, "list cases, or requirements and who covers them"},
	{"show", cmd_show, "show a case and the reference's own ladder of it"},
	{"serve", cmd_serve, "be the reference endpoint, as a process"},
	{"probe", cmd_probe, "try a device out and draft its declaration"},
	{"check", cmd_check, "judge captures, of anybody's devices"},
	{"ladder", cmd_ladder, "draw a flow of a capture"},
	{"gen", cmd_gen, "write the packets of a case as a capture"},
	{"send", cmd_send, "put the packets of a case on a link"},
	{"bridge", cmd_bridge, "stand between two endpoints, by rule"},
	{"cover", cmd_cover, "say which requirements are tested, and by what"},
	{"doctor", cmd_doctor, "say what this machine allows and lacks"},
	{"compare", cmd_compare, "say what changed from one run to another"},
	{"replay", cmd_replay, "repeat one result from its folder"},
};

#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

static void help(void)
{
	printf("rung -- plays the other end of a reliable datagram transport "
	       "against a device\nand says, requirement by requirement, "
	       "whether the device behaved.\n\n"
	       "Usage: rung COMMAND [OPTION...] [ARGUMENT...]\n\n"
	       "Commands:\n");
	for (size_t i = 0; i < NCOMMANDS; i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].what);
	printf("\n"
	       "  -h, --help     this text; 'rung COMMAND --help' for a "
	       "command\n"
	       "  -V, --version  version and commit\n\n"
	       "Exit codes: 0 passed, 1 at least one fail, 2 usage or "
	       "configuration,\n"
	       "3 something inconclusive, 4 nothing selected or run, 5 harness "
	       "error,\n"
	       "130 interrupted.\n\n"
	       "Begin with:\n"
	       "  rung run                          against the built-in "
	       "reference\n"
	       "  rung show uet/rud/send-gtd@target one case, and its "
	       "ladder\n");
}

static int unknown(const char *name)
{
	fprintf(stderr, "rung: there is no command '%s'; there are", name);
	for (size_t i = 0; i < NCOMMANDS; i++)
		fprintf(stderr, "%s %s", i ? "," : "", commands[i].name);
	fprintf(stderr, "\nTry 'rung --help'.\n");
	return EXIT_USAGE;
}

/* getopt's messages begin with argv[0]: "rung run: ...". */
static int command(const struct command *c, int argc, char **argv)
{
	char who[32];

	snprintf(who, sizeof(who), "rung %s", c->name);
	argv[0] = who;
	return c->run(argc, argv);
}

static int dispatch(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0 ||
	    strcmp(name, "help") == 0) {
		help();
		return EXIT_PASSED;
	}
	if (strcmp(name, "-V") == 0 || strcmp(name, "--version") == 0) {
		printf("rung %s (%s)\n", RUNG_VERSION, RUNG_COMMIT);
		return EXIT_PASSED;
	}
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strcmp(name, commands[i].name) == 0)
			return command(&commands[i], argc - 1, argv + 1);
	if (*name)
		return unknown(name);
	return cli_usage("rung", "a command is missing");
}

/* Whether all that went to standard output has arrived there. */
static bool written(void)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return true;
	/* A reader that closed its end early has what it wanted. */
	if (errno != EPIPE)
		fprintf(stderr, "rung: standard output: %s\n",
			errno ? strerror(errno) : "not all could be written");
	return false;
}

int main(int argc, char **argv)
{
	int code;

	signal(SIGPIPE, SIG_IGN);
	code = dispatch(argc, argv);
	if (code != EXIT_INTERRUPTED && code != EXIT_USAGE && !written())
		code = EXIT_HARNESS;
	return code;
}
