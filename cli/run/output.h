/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/output.h -- where the results of a run go: standard output, single
 * files, and the folder of --out.
 *
 * If a reader of standard output or of --jsonl stops reading, the output waits
 * for it only at the end, when all files are written (cli/file/sink.h).
 *
 * The functions of reports/ make the texts; this file writes them.  After a
 * failed write the output prints one message, the run goes on, and its exit
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

/* Reports, each in its own file. */
enum output_kind {
	OUTPUT_STREAM, /* written during the run; the others at its end */
	OUTPUT_JSON,
	OUTPUT_JUNIT,
	OUTPUT_MARKDOWN,
	OUTPUT_HTML,
	OUTPUT_CHECKLIST, /* the filled checklist of --map */
	OUTPUT_KTAP,
	OUTPUT_CTRF,
	OUTPUT_OTLP,
	OUTPUT_KCIDB,
	OUTPUT_COUNT,
};

/* The treatment of results that are already in the folder of --out. */
enum output_mode {
	OUTPUT_NEW,     /* they are moved aside */
	OUTPUT_RESUME,  /* they are kept, and new results are added */
	OUTPUT_REBUILD, /* they are complete; only the reports are made again */
};

struct output_conf {
	const char *who; /* prefix of messages */
	enum output_mode mode;
	int dir;          /* the open folder; OUTPUT_NEW opens it itself */
	json_t *manifest; /* run.json of OUTPUT_NEW; owned by the output */
	vspan elapsed;    /* OUTPUT_REBUILD: duration of the run; 0: unknown */
	const char *out;  /* folder, or NULL */
	const char *file[OUTPUT_COUNT]; /* name, "-" or NULL */
	bool tap;                       /* TAP on standard output */
	const char *map;                /* checklist to fill in; or NULL */
	const char *map_text;           /* text of the checklist */
	size_t map_len;
	const char *kcidb_build; /* build that the tests belong to; or NULL */
	const struct baseline *baseline; /* lent; or NULL */
	bool quiet, ladders, verbose, colour;
	uint32_t slowest; /* cases to list at the end, by their time */
	/* argument of --color, which determines |colour| */
	enum cli_colour_when when;
	bool virtual; /* the run's time has no date */
	size_t total; /* results to come, for the progress */
	/*
	 * Once it is true, the output does not wait for a reader that does not
	 * read.
	 */
	const volatile bool *stop; /* set on interruption; may be NULL */
	struct about about;
};

struct output;

/* output_option returns the option of a report: "--json". */
const char *output_option(enum output_kind k);

/* output_on_stdout counts the reports that go to standard output. */
unsigned output_on_stdout(const struct output_conf *conf);

/*
 * output_new opens the files that it can open before the run.  It owns the
 * folder and the manifest of |conf|, also after an error.
 * Return: 0 or an exit code after a message.
 */
int output_new(struct output **ret, const struct output_conf *conf);

/* output_folder_error prints why folder_open failed.  Return: an exit code. */
int output_folder_error(const char *who, const char *out);

/*
 * output_device gives the reports, and run.json, the name that the device has
 * by its hello.  |name| must outlive the output.
 */
void output_device(struct output *o, const char *name);

/* output_waits names the case that runs, while there is no result. */
void output_waits(struct output *o, const char *id);

/*
 * output_case takes a result, in order; |done| counts from 1.  A recalled
 * result is already in the folder; for others it fills in |elapsed|.
 */
void output_case(struct output *o, struct record *r, size_t done);

/* output_spare leaves the reports in the folder of --out as they are. */
void output_spare(struct output *o);

/*
 * output_lose records that a result is lost; the caller has printed the
 * message.
 */
void output_lose(struct output *o);

/*
 * output_end writes the reports of the end, and closes all files.
 * Return: the exit code of the run: from the verdicts, or from a failed write.
 */
int output_end(struct output *o, bool interrupted);

void output_free(struct output *o);

#endif
