/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/main.c -- the program: it runs a sub-command.
 *
 * After the sub-command it checks that everything written to standard output
 * has arrived.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/json_memory.h"
#include "rung_version.h"

static void main_help(void)
{
	printf("rung tests a device that speaks a reliable datagram transport. "
	       "It plays the\nother endpoint, and reports for each requirement "
	       "whether the device meets it.\n\n"
	       "Usage: rung COMMAND [OPTION...] [ARGUMENT...]\n\n"
	       "Commands:\n");
	for (const struct command *const *c = commands; *c; c++)
		if ((*c)->what)
			printf("  %-13s %s\n", (*c)->name, (*c)->what);
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

static int main_unknown(const char *name)
{
	const char *comma = "";

	fprintf(stderr, "rung: there is no command '%s'; there are", name);
	for (const struct command *const *c = commands; *c; c++) {
		if ((*c)->what)
			fprintf(stderr, "%s %s", comma, (*c)->name);
		comma = ",";
	}
	fprintf(stderr, "\nTry 'rung --help'.\n");
	return EXIT_USAGE;
}

/* getopt's messages begin with argv[0]: "rung run: ...". */
static int main_run(const struct command *c, int argc, char **argv)
{
	char who[32];

	snprintf(who, sizeof(who), "rung %s", c->name);
	argv[0] = who;
	return c->run(argc, argv);
}

static int main_dispatch(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0 ||
	    strcmp(name, "help") == 0) {
		main_help();
		return EXIT_PASSED;
	}
	if (strcmp(name, "-V") == 0 || strcmp(name, "--version") == 0) {
		printf("rung %s (%s)\n", RUNG_VERSION, RUNG_COMMIT);
		return EXIT_PASSED;
	}
	for (const struct command *const *c = commands; *c; c++)
		if (strcmp(name, (*c)->name) == 0)
			return main_run(*c, argc - 1, argv + 1);
	if (*name)
		return main_unknown(name);
	return cli_usage("rung", "a command is missing");
}

/* Returns true if everything written to standard output has arrived. */
static bool written(void)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return true;
	/* A reader that closed its end early needs no message. */
	if (!cli_reader_left())
		fprintf(stderr, "rung: standard output: %s\n",
			errno ? strerror(errno) : "not all could be written");
	return false;
}

/*
 * Changes the exit code if memory ran out, since any output may be incomplete.
 */
static int remembered(int code)
{
	if (!memory_shortages() || code == EXIT_HARNESS ||
	    code == EXIT_INTERRUPTED)
		return code;
	fprintf(stderr, "rung: out of memory: the output is not complete\n");
	return EXIT_HARNESS;
}

int main(int argc, char **argv)
{
	int code;

	signal(SIGPIPE, SIG_IGN);
	json_memory_use();
	code = remembered(main_dispatch(argc, argv));
	if (code != EXIT_INTERRUPTED && code != EXIT_USAGE && !written())
		code = EXIT_HARNESS;
	return code;
}
