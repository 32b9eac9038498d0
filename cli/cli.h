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

#include <jansson.h>

#include "base/diag.h"
#include "base/vtime.h"

struct foreign;

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

/*
 * cli_usage prints "WHO: what is wrong" and how to get help.
 * Return: EXIT_USAGE.
 */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *who,
						    const char *fmt, ...);

/* cli_try says how to get help, after getopt_long() printed a message. */
int cli_try(const char *who);

/*
 * cli_bad_text tells why a text or file could not be used.
 * Return: EXIT_USAGE, or EXIT_HARNESS for lack of memory.
 */
int cli_bad_text(const char *who, int err, const struct diag *diag);

/* cli_nomem says so.  Return: EXIT_HARNESS. */
int cli_nomem(const char *who);

/* cli_remark prints "WHO: WHAT: ..." to standard error; |what| may be any
 * bytes.
 */
__attribute__((format(printf, 3, 4))) void
cli_remark(const char *who, const char *what, const char *fmt, ...);

/*
 * cli_put_json prints a document to standard output, and frees it.  NULL is a
 * document for which the memory was short.
 * Return: EXIT_PASSED, or EXIT_HARNESS after a message.
 */
int cli_put_json(const char *who, json_t *root);

/* cli_sys tells what the system refused, and errno.  Return: EXIT_HARNESS. */
int cli_sys(const char *who, const char *what);

/* The argument of --color, as OPTION_ROW_COLOUR stores it. */
enum cli_colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* cli_use_colour says whether |f| gets colour. */
bool cli_use_colour(FILE *f, enum cli_colour_when when);

/*
 * cli_width returns the columns of the terminal that standard output is, or
 * those of COLUMNS in the environment, at most 160; 0: neither is known.
 */
unsigned cli_width(void);

/*
 * cli_sizes reads what "--sizes" says.  Return: 0, or an exit code after a
 * message.
 */
int cli_sizes(const char *who, const char *arg, struct foreign *ret);

/* cli_number reads a whole number, decimal or 0x, up to |max|. */
bool cli_number(const char *s, uint64_t max, uint64_t *ret);

/* cli_span reads "10", "10s", "500ms", "20us"; not 0.  Bare is seconds. */
bool cli_span(const char *s, vspan *ret);

/* Sent to a thread so that it looks at the flag of cli_interrupts. */
#define CLI_WAKE SIGUSR1

/*
 * cli_interrupts catches SIGINT and SIGTERM: the flag that it returns turns
 * true at the first; the second ends the program.  CLI_WAKE does nothing but
 * end a system call that waits.
 */
const volatile bool *cli_interrupts(void);

/* cli_interrupted is that flag, false before cli_interrupts was called. */
bool cli_interrupted(void);

#endif
