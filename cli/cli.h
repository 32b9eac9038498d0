/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cli.h -- shared by the sub-commands: exit codes, messages, streams.
 *
 * Data goes to standard output, everything else to standard error.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/diag.h"
#include "base/text.h"
#include "base/vtime.h"

struct foreign;

/* If several apply, the first one in this list is used. */
enum cli_exit {
	EXIT_INTERRUPTED = 130,
	EXIT_USAGE = 2,        /* usage or configuration */
	EXIT_HARNESS = 5,      /* an error of rung or of the machine */
	EXIT_FAILED = 1,       /* at least one fail */
	EXIT_INCONCLUSIVE = 3, /* no fail, but some result is inconclusive */
	EXIT_NOTHING = 4,      /* nothing was selected or run, or all is n/a */
	EXIT_PASSED = 0,
};

/*
 * cli_usage prints "WHO: message", and how to get help.
 * Return: EXIT_USAGE.
 */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *who,
						    const char *fmt, ...);

/* cli_try prints how to get help, after getopt_long() printed a message. */
int cli_try(const char *who);

/*
 * cli_bad_text prints why a text or file could not be used.
 * Return: EXIT_USAGE, or EXIT_HARNESS if memory ran out.
 */
int cli_bad_text(const char *who, int err, const struct diag *diag);

/* cli_nomem reports that memory ran out.  Return: EXIT_HARNESS. */
int cli_nomem(const char *who);

/* cli_remark prints "WHO: WHAT: ..." to standard error; |what| may be any
 * bytes.
 */
__attribute__((format(printf, 3, 4))) void
cli_remark(const char *who, const char *what, const char *fmt, ...);

/*
 * cli_put_json prints a document to standard output, and frees it.  NULL:
 * memory for the document ran out.
 * Return: EXIT_PASSED, or EXIT_HARNESS after a message.
 */
int cli_put_json(const char *who, json_t *root);

/*
 * cli_put_text prints a text to standard output, and frees it.
 * Return: EXIT_PASSED, or EXIT_HARNESS after a message that memory ran out.
 */
int cli_put_text(const char *who, struct text *t);

/* cli_sys reports a failed system call, with errno.  Return: EXIT_HARNESS. */
int cli_sys(const char *who, const char *what);

struct text;

/*
 * cli_write writes |t| to the file |name|, which the user named; "-" is
 * standard output.
 *
 * Return: 0, or EXIT_HARNESS after a message: the text ran out of memory, or
 *         the file cannot be written.
 */
int cli_write(const char *who, const char *name, const struct text *t);

/*
 * cli_can_write checks whether cli_write can write the file |name|, which may
 * be NULL.  A command calls it before work that takes long or that sends
 * packets.
 *
 * Return: 0, or EXIT_HARNESS after a message.
 */
int cli_can_write(const char *who, const char *name);

/* The argument of --color, as OPTION_ROW_COLOUR stores it. */
enum cli_colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* cli_use_colour returns true if |f| gets colours. */
bool cli_use_colour(FILE *f, enum cli_colour_when when);

/*
 * cli_reader_left returns true if standard output is a pipe or a socket whose
 * reader has closed it.
 */
bool cli_reader_left(void);

/*
 * cli_width returns the columns of the terminal that standard output is, or
 * those of COLUMNS in the environment, at most 160; 0: neither is known.
 */
unsigned cli_width(void);

/*
 * cli_sizes parses the argument of "--sizes".  Return: 0, or an exit code after
 * a message.
 */
int cli_sizes(const char *who, const char *arg, struct foreign *ret);

/* cli_number parses a whole number, decimal or 0x, up to |max|. */
bool cli_number(const char *s, uint64_t max, uint64_t *ret);

/*
 * cli_span parses "10", "10s", "500ms", "20us", "10m", "2h"; without a unit,
 * seconds.  0 and more than 292 years are rejected.
 */
bool cli_span(const char *s, vspan *ret);

/* Sent to a thread so that it checks the flag of cli_interrupts. */
#define CLI_WAKE SIGUSR1

/*
 * cli_await_change waits until |changed| is signalled, at most 50 ms, so that
 * its caller checks the flag of cli_interrupts.  The caller holds |lock|.
 */
void cli_await_change(pthread_cond_t *changed, pthread_mutex_t *lock);

/*
 * cli_interrupts catches SIGINT and SIGTERM.  The first one sets the flag that
 * it returns; the second one ends the program.  CLI_WAKE only interrupts a
 * system call that waits.
 */
const volatile bool *cli_interrupts(void);

/*
 * cli_interrupts_within is cli_interrupts for a command that calls foreign code
 * which may not return: the program ends so many seconds after the signal, with
 * EXIT_INTERRUPTED.
 */
const volatile bool *cli_interrupts_within(unsigned seconds);

/* cli_interrupted returns that flag; false before cli_interrupts was called. */
bool cli_interrupted(void);

#endif
