/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cli.h -- what the sub-commands share: exit codes, messages, streams.
 *
 * Data goes to standard output, everything else to standard error.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/vtime.h"

/* Highest first where several apply. */
enum cli_exit {
	EXIT_INTERRUPTED = 130,
	EXIT_USAGE = 2,        /* or configuration */
	EXIT_HARNESS = 5,      /* our fault, or the machine's */
	EXIT_FAILED = 1,       /* at least one fail */
	EXIT_INCONCLUSIVE = 3, /* no fail, but something stays open */
	EXIT_NOTHING = 4,      /* nothing was selected or run, or all n/a */
	EXIT_PASSED = 0,
};

/* The sub-commands; argv[0] is their name.  They return an exit code. */
int cmd_run(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_cover(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_ladder(int argc, char **argv);
int cmd_probe(int argc, char **argv);
int cmd_gen(int argc, char **argv);
int cmd_send(int argc, char **argv);
int cmd_bridge(int argc, char **argv);

/*
 * cli_usage prints "WHO: what is wrong" and how to get help.
 * Return: EXIT_USAGE.
 */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *who,
						    const char *fmt, ...);

/* cli_try says how to get help, after getopt has complained. */
int cli_try(const char *who);

/*
 * cli_bad_text tells why a text or file could not be used.
 * Return: EXIT_USAGE, or EXIT_HARNESS for lack of memory.
 */
int cli_bad_text(const char *who, int err, const struct diag *diag);

/* cli_nomem says so.  Return: EXIT_HARNESS. */
int cli_nomem(const char *who);

/* cli_sys tells what the system refused, and errno.  Return: EXIT_HARNESS. */
int cli_sys(const char *who, const char *what);

/* cli_colour says whether |f| gets colour: |when| is auto, always or never. */
bool cli_colour(FILE *f, const char *when);

/* cli_colour_word says whether |when| is one of those. */
bool cli_colour_word(const char *when);

/* cli_number reads a whole number, decimal or 0x, up to |max|. */
bool cli_number(const char *s, uint64_t max, uint64_t *ret);

/* cli_span reads "10", "10s", "500ms", "20us"; not 0.  Bare is seconds. */
bool cli_span(const char *s, vspan *ret);

/* cli_profile reads "smoke" or "full". */
bool cli_profile(const char *s, bool *ret_smoke);

/* Sent to a thread so that it looks at the flag of cli_interrupts. */
#define CLI_WAKE SIGUSR1

/*
 * cli_interrupts catches SIGINT and SIGTERM: the flag that it returns turns
 * true at the first; the second ends the program.  CLI_WAKE does nothing but
 * end a system call that waits.
 */
const volatile bool *cli_interrupts(void);

#endif
