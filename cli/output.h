/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/output.h -- where the results of a run go: standard output, single
 * files, and the folder of --out.
 *
 * The reports themselves are texts (reports/); here they meet files.  A write
 * that fails is told once and remembered: the run goes on, its exit code is
 * EXIT_HARNESS.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/about.h"
#include "reports/summary.h"

/* Reports that go to a file each. */
enum output_kind {
	OUTPUT_STREAM, /* while the run goes on; the others at its end */
	OUTPUT_JSON,
	OUTPUT_JUNIT,
	OUTPUT_MARKDOWN,
	OUTPUT_HTML,
	OUTPUT_CHECKLIST, /* the one of --map, filled in */
	OUTPUT_COUNT,
};

struct output_conf {
	const char *out;                 /* folder, or NULL */
	const char *file[OUTPUT_COUNT];  /* name, "-" or NULL */
	bool tap;                        /* on standard output */
	const char *map;                 /* checklist to fill in; or NULL */
	const struct baseline *baseline; /* lent; or NULL */
	bool quiet, ladders, verbose, colour;
	bool virtual; /* the run's time has no date */
	size_t total; /* results to come, for the progress */
	struct about about;
};

struct output;

/* output_option is the option of a report: "--json". */
const char *output_option(enum output_kind k);

/* output_on_stdout counts the reports that go to standard output. */
unsigned output_on_stdout(const struct output_conf *conf);

/*
 * output_new opens what can be opened before the run begins.
 * Return: 0 or an exit code after a message.
 */
int output_new(struct output **ret, const struct output_conf *conf);

/* output_waits says which case runs, while there is no result. */
void output_waits(struct output *o, const char *id);

/* output_case takes a result, in order; |done| counts from 1. */
void output_case(struct output *o, const struct record *r, size_t done);

/*
 * output_end writes what is written at the end, and closes.
 * Return: the exit code of the run: of the verdicts, or of a lost write.
 */
int output_end(struct output *o, bool interrupted);

void output_free(struct output *o);

#endif
