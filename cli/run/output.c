/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/output.c -- writes the results of a run to standard output, to named
 * files and to the folder of --out.
 *
 * A result goes to the folder, the stream (JSON Lines), TAP or text as soon as
 * it arrives.  The summary collects all results, and the reports are made of it
 * at the end.  results.json is the last file of the folder, since it marks the
 * run as complete.  The exit code comes from the summary, unless a write failed
 * or an interrupt ended the run.
 */
#include "cli/run/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/file/atomic_file.h"
#include "cli/file/file.h"
#include "cli/file/folder.h"
#include "cli/file/manifest.h"
#include "cli/file/sink.h"
#include "cli/mutants.h"
#include "cli/run/progress.h"
#include "gen/port/port_clock.h"
#include "reports/export/ctrf.h"
#include "reports/export/kcidb.h"
#include "reports/export/ktap.h"
#include "reports/export/otlp.h"
#include "reports/format/checklist.h"
#include "reports/format/json.h"
#include "reports/format/junit.h"
#include "reports/format/markdown.h"
#include "reports/format/tap.h"
#include "reports/html/html.h"
#include "reports/result/stream.h"
#include "reports/result/summary_fold.h"
#include "reports/text/text.h"
#include "reports/triage/explain.h"

#define STREAM "stream.jsonl" /* in the folder of --out */

#define CAUSES_SCREEN 20 /* most causes at the end of a run */
#define CAUSES_QUIET  8

struct output {
	struct output_conf conf;
	struct text_opts screen; /* standard output */
	struct text_opts plain;  /* report.txt */
	bool text;               /* the text report is on standard output */
	bool failed;             /* a write failed */
	bool spare;              /* the reports in the folder must not change */
	struct sink out;         /* standard output */
	struct sink lines;       /* the file of --jsonl, fd -1: none */
	/* stream.jsonl in the folder of --out; NULL: none */
	FILE *kept;
	struct atomic_file again; /* |kept| of OUTPUT_RESUME until it replaces
			       the stream of the earlier run */
	int dir;                  /* the open folder of --out, or -1 */
	struct summary *summary;
	struct progress progress;
	vtime began;
	vspan before;  /* duration of the run up to the last recalled result */
	struct text t; /* text being written */
	struct text report; /* report.txt so far */
};

/* The option of each report, and its name in the folder of --out. */
static const struct {
	const char *option, *name;
} kinds[OUTPUT_COUNT] = {
	[OUTPUT_STREAM] = {"--jsonl", NULL},
	[OUTPUT_JSON] = {"--json", "results.json"},
	[OUTPUT_JUNIT] = {"--junit", "junit.xml"},
	[OUTPUT_MARKDOWN] = {"--markdown", "summary.md"},
	[OUTPUT_HTML] = {"--html", "report.html"},
	[OUTPUT_CHECKLIST] = {"--map-out", "checklist.csv"},
	[OUTPUT_KTAP] = {"--ktap", NULL},
	[OUTPUT_CTRF] = {"--ctrf", NULL},
	[OUTPUT_OTLP] = {"--otlp", NULL},
	[OUTPUT_KCIDB] = {"--kcidb", NULL},
};

/* Reports the first failed write. */
static void output_lost(struct output *o, const char *what)
{
	if (!o->failed)
		cli_sys(o->conf.who, what);
	o->failed = true;
}

static void lost_memory(struct output *o)
{
	if (!o->failed)
		cli_nomem(o->conf.who);
	o->failed = true;
}

static bool output_is_stdout(const char *name)
{
	return name && strcmp(name, "-") == 0;
}

/* Reports a failed write, but not a reader that closed its end early. */
static void sunk(struct output *o, int err, const char *name)
{
	if (err == ERR_NOMEM)
		lost_memory(o);
	else if (err && errno == EINTR)
		fprintf(stderr,
			"%s: %s: the reader does not read; the "
			"rest is discarded\n",
			o->conf.who, name);
	else if (err && errno != EPIPE)
		output_lost(o, name);
	o->failed |= err != 0;
}

static void output_out(struct output *o, const struct text *t)
{
	if (text_err(t))
		lost_memory(o);
	sunk(o, sink_put(&o->out, text_cstr(t), t->len), "standard output");
}

const char *output_option(enum output_kind k)
{
	return kinds[k].option;
}

unsigned output_on_stdout(const struct output_conf *conf)
{
	unsigned n = conf->tap;

	for (int k = 0; k < OUTPUT_COUNT; k++)
		n += output_is_stdout(conf->file[k]);
	return n;
}

/*
 * Writes a line of a stream.  If it does not fit on the disk, it is removed
 * again, so that readers find only complete lines.
 */
static void output_put_line(struct output *o, FILE *f, const char *name)
{
	off_t at;
	int kept;

	if (!f)
		return;
	at = ftello(f);
	errno = 0;
	if (fwrite(text_cstr(&o->t), 1, o->t.len, f) == o->t.len && !fflush(f))
		return;
	kept = errno;
	if (at >= 0) {
		__fpurge(f);
		if (!ftruncate(fileno(f), at))
			fseeko(f, at, SEEK_SET);
	}
	errno = kept;
	output_lost(o, name);
}

static void put_stream(struct output *o)
{
	const char *name = o->conf.file[OUTPUT_STREAM];

	if (text_err(&o->t))
		lost_memory(o);
	if (output_is_stdout(name))
		output_out(o, &o->t);
	else if (name)
		sunk(o, sink_put(&o->lines, text_cstr(&o->t), o->t.len), name);
	output_put_line(o, o->kept, STREAM);
}

static void output_begin(struct output *o)
{
	const struct output_conf *c = &o->conf;

	text_begin(&o->report, &c->about, &o->plain);
	text_clear(&o->t);
	stream_begin(&o->t, &c->about, c->total);
	put_stream(o);
	text_clear(&o->t);
	if (c->tap)
		tap_begin(&o->t, &c->about);
	else if (o->text)
		text_begin(&o->t, &c->about, &o->screen);
	output_out(o, &o->t);
	if (!o->text && !c->quiet)
		fprintf(stderr, "%s: seed %llu\n", c->who,
			(unsigned long long)c->about.seed);
}

/* Opens the folder of --out, which belongs to this run until it ends. */
static int output_open_folder(struct output *o)
{
	const char *out = o->conf.out;

	if (!out || o->dir >= 0)
		return 0;
	if (!folder_make(out) && !folder_open(out, &o->dir))
		return folder_begin(o->dir) ? cli_sys(o->conf.who, out) : 0;
	o->dir = -1;
	return output_folder_error(o->conf.who, out);
}

int output_folder_error(const char *who, const char *out)
{
	if (errno != EWOULDBLOCK)
		return cli_sys(who, out);
	fprintf(stderr, "%s: %s: another run writes there\n", who, out);
	return EXIT_USAGE;
}

/*
 * Writes run.json before the run starts, and again when the device has said its
 * name.
 */
static int write_manifest(struct output *o)
{
	json_t *manifest = o->conf.manifest;

	if (!manifest || o->dir < 0)
		return 0;
	return manifest_write(o->conf.who, o->dir, o->conf.out,
			      json_incref(manifest));
}

/* The stream of an earlier run stays until the new one has as many results. */
static int open_kept(struct output *o)
{
	int fd;

	if (o->dir < 0 || o->conf.mode == OUTPUT_REBUILD)
		return 0;
	if (o->conf.mode == OUTPUT_RESUME) {
		if (atomic_open_at(&o->again, o->dir, STREAM))
			return cli_sys(o->conf.who, o->conf.out);
		o->kept = o->again.f;
		return 0;
	}
	fd = openat(o->dir, STREAM,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		o->kept = NULL;
	else
		o->kept = fdopen(fd, "w");
	if (o->kept)
		return 0;
	return cli_sys(o->conf.who, o->conf.out);
}

static int output_open_stream(struct output *o)
{
	const char *name = o->conf.file[OUTPUT_STREAM];

	if (!name || output_is_stdout(name))
		return 0;
	o->lines.fd = file_create(name);
	if (o->lines.fd < 0)
		return cli_sys(o->conf.who, name);
	return 0;
}

/* Checks before the run whether its reports can be written. */
static int probe_files(const struct output *o)
{
	for (int k = 0; k < OUTPUT_COUNT; k++) {
		const char *name = o->conf.file[k];

		if (k != OUTPUT_STREAM && name && !output_is_stdout(name) &&
		    atomic_probe(name))
			return cli_sys(o->conf.who, name);
	}
	return 0;
}

static int output_open_all(struct output *o)
{
	int code = output_open_folder(o);

	if (!code)
		code = write_manifest(o);
	if (!code)
		code = open_kept(o);
	if (!code)
		code = probe_files(o);
	if (code)
		return code;
	return output_open_stream(o);
}

/* Rows of a ladder on the screen; a case of 1 MiB has thousands. */
#define SCREEN_ROWS 200

static void output_set_up(struct output *o)
{
	const struct output_conf *conf = &o->conf;

	o->began = port_now();
	o->text = !output_on_stdout(conf);
	o->summary->baseline = conf->baseline;
	if (conf->out || conf->file[OUTPUT_HTML])
		summary_draw(o->summary, conf->total);
	o->screen = (struct text_opts){
		.ladder = {.color = conf->colour,
			   .verbose = conf->verbose,
			   .most = conf->verbose ? 0 : SCREEN_ROWS,
			   .width = cli_width()},
		.slowest = conf->slowest,
		.ladders = conf->ladders || conf->verbose,
		.baseline = conf->baseline,
		.quiet = conf->quiet,
		.causes = conf->quiet ? CAUSES_QUIET : CAUSES_SCREEN,
		.out = conf->about.out,
	};
	if (conf->quiet)
		summary_show(o->summary, &o->screen.ladder, TEXT_LADDERS);
	o->plain = (struct text_opts){.out = conf->about.out,
				      .baseline = conf->baseline};
	progress_begin(&o->progress, conf->total, conf->quiet, conf->colour,
		       o->began);
}

int output_new(struct output **ret, const struct output_conf *conf)
{
	struct output *o = memory_calloc(1, sizeof(*o));
	int code;

	if (!o) {
		folder_close(conf->mode == OUTPUT_NEW ? -1 : conf->dir);
		json_decref(conf->manifest);
		return cli_nomem(conf->who);
	}
	o->conf = *conf;
	if (conf->mode == OUTPUT_NEW)
		o->dir = -1;
	else
		o->dir = conf->dir;
	o->again.dir = -1;
	o->out = (struct sink){.fd = STDOUT_FILENO, .stop = conf->stop};
	o->lines = (struct sink){.fd = -1, .stop = conf->stop};
	if (summary_new(&o->summary, conf->about.strict)) {
		output_free(o);
		return cli_nomem(conf->who);
	}
	output_set_up(o);
	code = output_open_all(o);
	if (code) {
		output_free(o);
		return code;
	}
	output_begin(o);
	*ret = o;
	return 0;
}

void output_free(struct output *o)
{
	if (!o)
		return;
	text_free(&o->out.pending);
	text_free(&o->lines.pending);
	if (o->lines.fd >= 0)
		close(o->lines.fd);
	if (o->again.f)
		atomic_drop(&o->again);
	else if (o->kept)
		fclose(o->kept);
	folder_close(o->dir);
	json_decref(o->conf.manifest);
	summary_free(o->summary);
	text_free(&o->t);
	text_free(&o->report);
	free(o);
}

void output_device(struct output *o, const char *name)
{
	json_t *about = json_object_get(o->conf.manifest, "about");

	o->conf.about.name = name;
	if (!about)
		return;
	if (json_object_set_new(about, "device", json_any_string(name)))
		lost_memory(o);
	o->failed |= write_manifest(o) != 0;
}

void output_waits(struct output *o, const char *id)
{
	o->progress.now = id;
	progress_show(&o->progress, o->summary, port_now());
}

/*
 * Returns the wall-clock time of time 0 of a real port; virtual time has no
 * date.
 */
static uint64_t output_epoch(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)(ts.tv_sec * VSPAN_S + ts.tv_nsec - port_now());
}

/* Returns the current duration of the run. */
static vspan elapsed(const struct output *o)
{
	if (o->conf.mode == OUTPUT_REBUILD)
		return o->conf.elapsed ? o->conf.elapsed : o->before;
	return o->before + port_now() - o->began;
}

/* Recalls a result whose folder exists already. */
static void recall(struct output *o, const struct record *r, char *ret_capture)
{
	char place[FOLDER_NAME];

	folder_place(r->id, r->repeat, place);
	snprintf(ret_capture, FOLDER_NAME, "%.300s/capture.pcapng", place);
	if (o->before < r->elapsed)
		o->before = r->elapsed;
}

/* Replaces the earlier run's stream once the new one has all its results. */
static void publish_stream(struct output *o)
{
	if (o->again.f && atomic_publish(&o->again, &o->kept))
		output_lost(o, STREAM);
}

/* Writes the case's folder; the capture's name is "" if there is none. */
static void output_keep(struct output *o, struct record *r, char *ret_capture)
{
	const struct output_conf *c = &o->conf;
	int err;

	*ret_capture = 0;
	if (o->dir < 0)
		return;
	if (r->recalled) {
		recall(o, r, ret_capture);
		return;
	}
	publish_stream(o);
	err = folder_case(o->dir, r, &c->about, c->virtual ? 0 : output_epoch(),
			  ret_capture);
	if (err == ERR_SYS)
		output_lost(o, c->out);
	else if (err)
		lost_memory(o);
}

void output_spare(struct output *o)
{
	o->spare = true;
}

void output_lose(struct output *o)
{
	o->failed = true;
}

void output_case(struct output *o, struct record *r, size_t done)
{
	char capture[FOLDER_NAME];
	const struct summary_case *c;

	if (!r->recalled)
		r->elapsed = elapsed(o);
	output_keep(o, r, capture);
	if (summary_add(o->summary, r, *capture ? capture : NULL)) {
		lost_memory(o);
		return;
	}
	c = &o->summary->cases[o->summary->ncases - 1];
	text_clear(&o->t);
	if (o->conf.file[OUTPUT_STREAM] || o->kept)
		stream_case(&o->t, c, done);
	put_stream(o);
	text_clear(&o->t);
	if (o->conf.tap)
		tap_case(&o->t, c, done);
	else if (o->text)
		text_case(&o->t, r, &o->screen);
	if (o->t.len) {
		progress_hide(&o->progress);
		output_out(o, &o->t);
	}
	if (!summary_fold(o->summary))
		text_case(&o->report, r, &o->plain);
	progress_show(&o->progress, o->summary, port_now());
}

/* Writes o->t to a file that the user named. */
static void output_put(struct output *o, const char *name)
{
	if (text_err(&o->t))
		lost_memory(o);
	else if (output_is_stdout(name))
		output_out(o, &o->t);
	else if (atomic_write(name, text_cstr(&o->t), o->t.len))
		output_lost(o, name);
}

/* Writes o->t to a file in the folder of --out. */
static void put_in_folder(struct output *o, const char *name)
{
	char path[FOLDER_NAME];

	if (text_err(&o->t)) {
		lost_memory(o);
		return;
	}
	if (!atomic_write_at(o->dir, name, text_cstr(&o->t), o->t.len))
		return;
	snprintf(path, sizeof(path), "%s/%s", o->conf.out, name);
	output_lost(o, path);
}

static void end_line(struct output *o, FILE **f, const char *name)
{
	if (file_close(*f))
		output_lost(o, name);
	*f = NULL;
}

static void end_stream(struct output *o)
{
	text_clear(&o->t);
	if (stream_end(&o->t, o->summary, &o->conf.about))
		lost_memory(o);
	put_stream(o);
	publish_stream(o);
	if (!o->again.f)
		end_line(o, &o->kept, STREAM);
}

/* Writes the HTML report; without a matrix, the report says so. */
static int write_html(struct output *o)
{
	struct kills *kills = NULL;
	struct passes *passes = NULL;
	int err;

	if (kills_load(o->conf.who, &kills) ||
	    passes_load(o->conf.who, &passes))
		o->failed = true;
	err = html_report(&o->t, o->summary, &o->conf.about, kills, passes);
	kills_free(kills);
	passes_free(passes);
	return err;
}

static int write_checklist(struct output *o)
{
	struct diag diag = {0};

	if (!o->conf.map)
		return 0;
	return checklist_fill(&o->t, o->conf.map, o->conf.map_text,
			      o->conf.map_len, o->summary, &o->conf.about, NULL,
			      &diag);
}

static int write_kind(struct output *o, enum output_kind k)
{
	const struct about *a = &o->conf.about;

	text_clear(&o->t);
	switch (k) {
	case OUTPUT_JSON:
		return json_report(&o->t, o->summary, a);
	case OUTPUT_JUNIT:
		return junit_report(&o->t, o->summary, a);
	case OUTPUT_MARKDOWN:
		return markdown_report(&o->t, o->summary, a);
	case OUTPUT_HTML:
		return write_html(o);
	case OUTPUT_CHECKLIST:
		return write_checklist(o);
	case OUTPUT_KTAP:
		return ktap_report(&o->t, o->summary, a);
	case OUTPUT_CTRF:
		return ctrf_report(&o->t, o->summary, a);
	case OUTPUT_OTLP:
		return otlp_report(&o->t, o->summary, a);
	case OUTPUT_KCIDB:
		return kcidb_report(&o->t, o->summary, a, o->conf.kcidb_build);
	case OUTPUT_STREAM:
	case OUTPUT_COUNT:
		break;
	}
	return 0;
}

static bool folder_reports(const struct output *o)
{
	return o->dir >= 0 && !o->spare;
}

static void end_kind(struct output *o, enum output_kind k)
{
	const char *kept = folder_reports(o) ? kinds[k].name : NULL;
	const char *named = o->conf.file[k];
	const unsigned long before = memory_shortages();

	if (k == OUTPUT_CHECKLIST && !o->conf.map)
		return;
	if (!kept && !named)
		return;
	if (write_kind(o, k) || memory_shortages() != before) {
		lost_memory(o);
		return;
	}
	if (named)
		output_put(o, named);
	if (kept)
		put_in_folder(o, kept);
}

/* results.json comes last, because it marks the end of the run. */
static void end_reports(struct output *o)
{
	end_stream(o);
	text_clear(&o->t);
	text_end(&o->report, o->summary, &o->conf.about, &o->plain);
	text_add(&o->t, text_cstr(&o->report), o->report.len);
	if (folder_reports(o))
		put_in_folder(o, "report.txt");
	for (int k = OUTPUT_COUNT; k-- > 0;)
		if (k != OUTPUT_STREAM)
			end_kind(o, (enum output_kind)k);
}

/* Returns true for a result that is not a known failure. */
static bool left(const struct summary *s, enum verdict v)
{
	for (size_t i = 0; i < s->ncases; i++)
		if (s->cases[i].verdict == v &&
		    s->cases[i].state != BASELINE_KNOWN)
			return true;
	return false;
}

static int exit_of(const struct summary *s)
{
	size_t ran = summary_results(s) - s->totals[VERDICT_NA];

	if (left(s, VERDICT_ERROR))
		return EXIT_HARNESS;
	if (summary_fails(s))
		return EXIT_FAILED;
	if (left(s, VERDICT_INCONCLUSIVE))
		return EXIT_INCONCLUSIVE;
	if (ran)
		return EXIT_PASSED;
	return EXIT_NOTHING;
}

int output_end(struct output *o, bool interrupted)
{
	progress_end(&o->progress);
	o->conf.about.elapsed = elapsed(o);
	o->conf.about.interrupted = interrupted;
	o->conf.about.planned = o->conf.total;
	summary_sort(o->summary);
	if (summary_explain(o->summary))
		lost_memory(o);
	end_reports(o);
	text_clear(&o->t);
	if (o->conf.tap)
		tap_end(&o->t, o->summary, &o->conf.about);
	else if (o->text && (interrupted || summary_results(o->summary)))
		text_end(&o->t, o->summary, &o->conf.about, &o->screen);
	output_out(o, &o->t);
	/* All files are written: now the output waits for readers. */
	sunk(o, sink_end(&o->lines), o->conf.file[OUTPUT_STREAM]);
	sunk(o, sink_end(&o->out), "standard output");
	if (interrupted || (o->conf.stop && *o->conf.stop))
		return EXIT_INTERRUPTED;
	if (o->failed)
		return EXIT_HARNESS;
	return exit_of(o->summary);
}
