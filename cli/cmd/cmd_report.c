/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_report.c -- rung report: makes the reports of a run again from
 * the records in the folder of --out.
 *
 * run.json describes the run, the folder of each case has its record, and the
 * last line of the stream describes how the run ended.  The records are
 * processed like the results of a run.
 */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/file/folder.h"
#include "cli/file/folder_read.h"
#include "cli/file/manifest.h"
#include "cli/option/option_read.h"
#include "cli/option/output_options.h"
#include "cli/run/output.h"
#include "cli/run/rebuild.h"

#define WHO    "rung report"
#define STREAM "stream.jsonl"
#define TOLD   10 /* most folders that are named in messages */

enum {
	BEHIND = 1000,    /* most results that the stream may lack */
	UNTOLD = 1000000, /* most results that may exist without a stream */
};

struct report_options {
	const char *dir;
	struct output_conf output;
};

enum result_state {
	RESULT_NONE,
	RESULT_READ,
	RESULT_TOLD, /* it cannot be read; a message was printed */
};

struct rebuild {
	const char *dir; /* as the user named it */
	int fd;          /* the open folder */
	struct manifest manifest;
	struct output *output;
	struct arena arena;
	const char *stream; /* its text, or NULL */
	size_t stream_len;
	uint8_t *state;   /* enum result_state of each result of the plan */
	size_t n;         /* results that were read */
	size_t damaged;   /* results that exist but cannot be used */
	json_int_t told;  /* the highest number of a result in it */
	size_t limit;     /* most results that may exist */
	bool ended;       /* the stream reports the end of the run */
	bool interrupted; /* the run was interrupted */
	vspan elapsed;    /* time limit of the run; 0: none */
};

static const struct option_row report_rows[] = {
	{0, "DIR", NULL, "the folder that 'rung run --out' wrote",
	 .kind = OPTION_KIND_OPERAND},
	OPTION_END};

static const struct option_group report_groups[] = {
	{NULL, report_rows, 0},
	{NULL, output_rows, offsetof(struct report_options, output)},
	OPTION_GROUPS_END};

/* Return: -1: continue; else an exit code. */
static int report_options(int argc, char **argv, struct report_options *ro)
{
	struct operands dirs;
	int code = option_read(&command_report, argc, argv, ro, &dirs);

	if (code < 0)
		code = operands_folder(WHO, &dirs, &ro->dir);
	if (code >= 0)
		return code;
	return output_options_check(WHO, &ro->output);
}

/* ---- How the run ended ---- */

static void report_complain(const struct rebuild *b, const char *file,
			    unsigned line, const char *what)
{
	if (line)
		fprintf(stderr, "%s: %s/%s:%u: %s\n", WHO, b->dir, file, line,
			what);
	else
		fprintf(stderr, "%s: %s/%s: %s\n", WHO, b->dir, file, what);
}

static void report_read_end(struct rebuild *b, const json_t *o)
{
	const json_t *interrupted = json_object_get(o, "interrupted");

	b->ended = true;
	b->interrupted = json_is_true(interrupted);
	b->elapsed = json_integer_value(json_object_get(o, "elapsed_ns"));
	if (b->elapsed < 0)
		b->elapsed = 0;
}

/* Return: true if the following lines belong to this run. */
static bool report_read_line(struct rebuild *b, const char *s, size_t len,
			     unsigned number)
{
	json_t *o = json_loadb(s, len, 0, NULL);
	const char *type = json_string_value(json_object_get(o, "type"));
	const char *run = json_string_value(json_object_get(o, "run"));
	bool ours = true;

	if (!type) {
		report_complain(b, STREAM, number,
				"no line of a stream; left out");
	} else if (number == 1) {
		ours = run && strcmp(run, b->manifest.about.run) == 0;
		if (!ours)
			report_complain(
				b, STREAM, 1,
				"the stream is of another run; left out");
	} else if (strcmp(type, "end") == 0) {
		report_read_end(b, o);
	} else if (json_integer_value(json_object_get(o, "number")) > b->told) {
		b->told = json_integer_value(json_object_get(o, "number"));
	}
	json_decref(o);
	return ours;
}

/*
 * A run that repeats its cases may have billions of results still to come.
 * Results get their folders one by one, in the order of the stream.
 */
static void set_limit(struct rebuild *b)
{
	const size_t most = b->stream ? (size_t)b->told + BEHIND : UNTOLD;

	if (b->manifest.total < most)
		b->limit = b->manifest.total;
	else
		b->limit = most;
}

/* A killed run leaves a last line without a newline, which needs no message. */
static int read_stream(struct rebuild *b)
{
	const char *text, *stop;
	unsigned number = 0;
	size_t len;
	int err = folder_read(&b->arena, b->fd, STREAM, &b->stream,
			      &b->stream_len);

	if (err == ERR_SYS && errno != ENOENT)
		report_complain(b, STREAM, 0, strerror(errno));
	if (err == ERR_NOMEM)
		return cli_nomem(WHO);
	if (err) {
		b->stream = NULL;
		return 0;
	}
	text = b->stream;
	len = b->stream_len;
	while ((stop = memchr(text, '\n', len))) {
		const size_t n = (size_t)(stop - text);

		if (!report_read_line(b, text, n, ++number)) {
			b->stream = NULL;
			return 0;
		}
		text += n + 1;
		len -= n + 1;
	}
	return 0;
}

/* ---- Results ---- */

/* Reports a damaged result. */
static void tell_damaged(struct rebuild *b, const struct diag *diag,
			 const char *so)
{
	fprintf(stderr, "%s: %s/%s", WHO, b->dir, diag->file);
	if (diag->line)
		fprintf(stderr, ":%u", diag->line);
	fprintf(stderr, ": %s; %s\n", diag->text, so);
}

/* Reads result |at| of the plan.  Return: an exit code after a message. */
static int take_result(struct rebuild *b, size_t at)
{
	const char *run = b->manifest.about.run, *id;
	struct diag diag = {0};
	struct record r = {0};
	uint32_t repeat;
	int err;

	id = manifest_id(&b->manifest, at, &repeat);
	err = folder_recall(b->fd, run, id, repeat, &r, &diag);
	if (err == ERR_NOMEM) {
		record_free(&r);
		return cli_nomem(WHO);
	}
	if (!err && *diag.text)
		tell_damaged(b, &diag, "the result is taken from its record");
	if (err == ERR_SYNTAX) {
		b->damaged++;
		b->state[at] = RESULT_TOLD;
		tell_damaged(b, &diag, "the result is left out");
	}
	if (!err) {
		b->state[at] = RESULT_READ;
		output_case(b->output, &r, ++b->n);
	}
	record_free(&r);
	return 0;
}

static int take_results(struct rebuild *b)
{
	int code = 0;

	for (size_t at = 0; at < b->limit && !code; at++)
		code = take_result(b, at);
	return code;
}

/* Reports a result of the stream whose folder is missing. */
static void check_case(struct rebuild *b, const json_t *o, unsigned line)
{
	const json_int_t number =
		json_integer_value(json_object_get(o, "number"));
	const char *id = json_string_value(json_object_get(o, "id"));
	char place[FOLDER_NAME], say[FOLDER_NAME + 80];
	uint32_t repeat;
	size_t at;

	if (!id || number < 1 || (uint64_t)number > b->limit)
		return;
	at = (size_t)number - 1;
	if (b->state[at] != RESULT_NONE ||
	    strcmp(id, manifest_id(&b->manifest, at, &repeat)) != 0)
		return;
	b->state[at] = RESULT_TOLD;
	b->damaged++;
	folder_place(id, repeat, place);
	snprintf(say, sizeof(say),
		 "the folder %s of this result is gone; it is left out", place);
	report_complain(b, STREAM, line, say);
}

static void check_stream(struct rebuild *b)
{
	const char *text = b->stream, *stop;
	size_t len = b->stream_len;
	unsigned line = 0;

	while (text && (stop = memchr(text, '\n', len))) {
		const size_t n = (size_t)(stop - text);
		json_t *o = json_loadb(text, n, 0, NULL);

		check_case(b, o, ++line);
		json_decref(o);
		text += n + 1;
		len -= n + 1;
	}
}

/* ---- Folders of other runs ---- */

static int by_string(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lists the results of this run in order, on the arena. */
static char **list_places(struct rebuild *b)
{
	char **places =
		arena_alloc(&b->arena, (b->limit + 1) * sizeof(*places));

	for (size_t i = 0; places && i < b->limit; i++) {
		char place[FOLDER_NAME];
		uint32_t repeat;
		const char *id = manifest_id(&b->manifest, i, &repeat);

		folder_place(id, repeat, place);
		places[i] = arena_strndup(&b->arena, place, strlen(place));
		if (!places[i])
			return NULL;
	}
	if (places)
		qsort(places, b->limit, sizeof(*places), by_string);
	return places;
}

/* Names the folders of results that do not belong to this run. */
static void tell_strays(struct rebuild *b, FTS *fts, size_t skip,
			char *const *places)
{
	size_t n = 0;
	FTSENT *e;

	while ((e = fts_read(fts))) {
		const char *place = e->fts_path + skip;

		if (e->fts_info != FTS_D || !strchr(e->fts_name, '@'))
			continue;
		fts_set(fts, e, FTS_SKIP);
		if (bsearch(&place, places, b->limit, sizeof(*places),
			    by_string))
			continue;
		if (n++ < TOLD)
			report_complain(b, place, 0,
					"no result of this run; left out");
	}
	if (n > TOLD)
		fprintf(stderr, "%s: and %zu more\n", WHO, n - TOLD);
}

static int check_strays(struct rebuild *b)
{
	char **places = list_places(b);
	char top[64];
	char *const tops[] = {top, NULL};
	FTS *fts;
	int skip;

	if (!places)
		return cli_nomem(WHO);
	skip = snprintf(top, sizeof(top), "/proc/self/fd/%d/", b->fd);
	snprintf(top + skip, sizeof(top) - (size_t)skip, "cases");
	fts = fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	if (!fts)
		return cli_sys(WHO, b->dir);
	tell_strays(b, fts, (size_t)skip, places);
	fts_close(fts);
	return 0;
}

/* ---- The command ---- */

/*
 * Returns true if results.json of the same run lists results that are missing
 * now.
 */
static bool report_has_more(const struct rebuild *b)
{
	struct arena a = {0};
	const char *text, *run;
	json_t *o = NULL;
	size_t len;
	bool more;

	if (!folder_read(&a, b->fd, "results.json", &text, &len))
		o = json_loadb(text, len, 0, NULL);
	run = json_string_value(json_object_get(o, "run"));
	more = run && strcmp(run, b->manifest.about.run) == 0 &&
	       json_array_size(json_object_get(o, "cases")) > b->n;
	json_decref(o);
	arena_free(&a);
	if (more)
		report_complain(b, "results.json", 0,
				"it has more results than can be read now; the "
				"reports in the folder stay as they are");
	return more;
}

static bool stopped_early(const struct rebuild *b)
{
	const json_t *options = json_object_get(b->manifest.root, "options");

	return json_is_true(json_object_get(options, "fail_fast"));
}

/* Writes the reports.  Return: the exit code of the run. */
static int report_end(struct rebuild *b)
{
	const bool all = b->n == b->manifest.total;
	const bool killed = b->ended ? b->interrupted : !all;
	int code;

	if (report_has_more(b))
		output_spare(b->output);
	if (b->damaged)
		output_lose(b->output);
	code = output_end(b->output, killed || b->damaged);
	if (killed)
		return EXIT_INTERRUPTED;
	if (b->damaged)
		return EXIT_HARNESS;
	/* The device disappeared, or could not be started. */
	if (!all && !stopped_early(b))
		return EXIT_HARNESS;
	return code;
}

static int report_rebuild(struct rebuild *b, struct report_options *ro)
{
	struct output_conf *conf = &ro->output;
	int code;

	code = read_stream(b);
	if (code)
		return code;
	set_limit(b);
	b->state = memory_calloc(b->limit + 1, 1);
	if (!b->state)
		return cli_nomem(WHO);
	conf->mode = OUTPUT_REBUILD;
	conf->out = ro->dir;
	conf->elapsed = b->elapsed;
	conf->dir = fcntl(b->fd, F_DUPFD_CLOEXEC, 0);
	if (conf->dir < 0)
		return cli_sys(WHO, b->dir);
	code = output_new(&b->output, conf);
	if (code)
		return code;
	code = take_results(b);
	if (!code) {
		check_stream(b);
		code = check_strays(b);
	}
	if (!code)
		code = report_end(b);
	output_free(b->output);
	return code;
}

static int report_no_run(const struct rebuild *b)
{
	fprintf(stderr, "%s: %s: no run has begun here: there is no " MANIFEST,
		WHO, b->dir);
	if (!faccessat(b->fd, "earlier/" MANIFEST, F_OK, AT_SYMLINK_NOFOLLOW))
		fprintf(stderr, "; the run before is in %s/earlier", b->dir);
	fprintf(stderr, "\n");
	return EXIT_USAGE;
}

static int report_run(struct report_options *ro)
{
	struct rebuild b = {.dir = ro->dir};
	struct baseline *baseline = NULL;
	bool none;
	int code;

	if (folder_open(ro->dir, &b.fd)) {
		code = output_folder_error(WHO, ro->dir);
		if (errno == EACCES)
			return code;
		return EXIT_USAGE;
	}
	code = manifest_read(WHO, b.fd, ro->dir, &b.manifest, &none);
	if (!code && none)
		code = report_no_run(&b);
	if (!code)
		code = rebuild_configure(WHO, &b.manifest, &ro->output,
					 &baseline);
	if (!code)
		code = report_rebuild(&b, ro);
	baseline_free(baseline);
	manifest_free(&b.manifest);
	arena_free(&b.arena);
	free(b.state);
	folder_close(b.fd);
	return code;
}

static int cmd_report(int argc, char **argv)
{
	struct report_options ro = {0};
	int code = report_options(argc, argv, &ro);

	if (code < 0)
		return report_run(&ro);
	return code;
}

const struct command command_report = {
	.name = "report",
	.what = "make the reports of a run again",
	.usage = "[OPTION...] DIR",
	.about = "Makes the reports of a run again from the records in its "
		 "folder, also of a run that was killed, as far as it came.",
	.groups = report_groups,
	.exits = "Exit codes: as the run's; 130 if it did not end, 5 if a "
		 "result cannot be read.",
	.run = cmd_report,
};
