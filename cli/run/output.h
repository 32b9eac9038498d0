/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/output.h -- where the results of a run go: standard output, single
 * files, and the folder of --out.
 *
 * A reader of standard output or of --jsonl that takes nothing is waited for at
 * the end, when all files are written (cli/file/sink.h).
 *
 * The reports themselves are texts (reports/); here they meet files.  After
 * a failed write the output prints one message, the run goes on, and its exit
 * code is EXIT_HARNESS.
 */
#ifndef CLI_RUN_OUTPUT_H
#define CLI_RUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

#include "cli/cli.h"
#include "reports/about.h"
#include "reports/result/summary.h"

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

/* The treatment of results that are already in the folder of --out. */
enum output_mode {
	OUTPUT_NEW,     /* they are moved aside */
	OUTPUT_RESUME,  /* they are taken, and others join them */
	OUTPUT_REBUILD, /* they are all that there is */
};

struct output_conf {
	const char *who; /* whose messages these are */
	enum output_mode mode;
	int dir;          /* the open folder; OUTPUT_NEW opens it itself */
	json_t *manifest; /* run.json of OUTPUT_NEW; taken */
	vspan elapsed;    /* OUTPUT_REBUILD: of the run; 0: not known */
	const char *out;  /* folder, or NULL */
	const char *file[OUTPUT_COUNT]; /* name, "-" or NULL */
	bool tap;                       /* on standard output */
	const char *map;                /* checklist to fill in; or NULL */
	const char *map_text;           /* what is in it */
	size_t map_len;
	const struct baseline *baseline; /* lent; or NULL */
	bool quiet, ladders, verbose, colour;
	uint32_t slowest;          /* cases to list at the end, by their time */
	enum cli_colour_when when; /* of --color, which decides |colour| */
	bool virtual;              /* the run's time has no date */
	size_t total;              /* results to come, for the progress */
	/* A reader that takes nothing is not waited for once it is true. */
	const volatile bool *stop; /* set on interruption; may be NULL */
	struct about about;
};

struct output;

/* output_option is the option of a report: "--json". */
const char *output_option(enum output_kind k);

/* output_on_stdout counts the reports that go to standard output. */
unsigned output_on_stdout(const struct output_conf *conf);

/*
 * output_new opens what can be opened before the run begins.  It takes the
 * folder and the manifest of |conf|, also after an error.
 * Return: 0 or an exit code after a message.
 */
int output_new(struct output **ret, const struct output_conf *conf);

/* output_folder_error tells why folder_open failed.  Return: an exit code. */
int output_folder_error(const char *who, const char *out);

/* output_waits says which case runs, while there is no result. */
void output_waits(struct output *o, const char *id);

/*
 * output_case takes a result, in order; |done| counts from 1.  One that was
 * recalled is in the folder already; else its |elapsed| is filled in.
 */
void output_case(struct output *o, struct record *r, size_t done);

/* output_spare leaves the reports in the folder of --out as they are. */
void output_spare(struct output *o);

/* output_lose notes that a result is lost; the caller has told it. */
void output_lose(struct output *o);

/*
 * output_end writes what is written at the end, and closes.
 * Return: the exit code of the run: of the verdicts, or of a lost write.
 */
int output_end(struct output *o, bool interrupted);

void output_free(struct output *o);

#endif
