/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/file.h"
#include "cli/folder.h"
#include "cli/mutants.h"
#include "cli/progress.h"
#include "cli/whole.h"
#include "gen/port.h"
#include "reports/checklist.h"
#include "reports/html.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/stream.h"
#include "reports/tap.h"
#include "reports/text.h"

#define WHO    "rung run"
#define STREAM "stream.jsonl" /* in the folder of --out */

#define CAUSES_SCREEN 20 /* that the end of a run names */
#define CAUSES_QUIET  8

struct output {
	struct output_conf conf;
	struct text_opts screen; /* standard output */
	struct text_opts plain;  /* report.txt */
	bool text;               /* the text report is on standard output */
	bool failed;             /* a write was lost */
	FILE *stream;            /* of --jsonl, open since the start; or NULL */
	FILE *kept;              /* the same in the folder of --out; or NULL */
	int dir;                 /* the folder of --out, or -1 */
	struct summary *summary;
	struct progress progress;
	struct arena arena; /* of the checklist */
	const char *map;    /* its text */
	size_t map_len;
	vtime began;
	struct text t;      /* of the moment */
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
};

/* Tells a lost write, the first time. */
static void lost(struct output *o, const char *what)
{
	if (!o->failed)
		cli_sys(WHO, what);
	o->failed = true;
}

static void lost_memory(struct output *o)
{
	if (!o->failed)
		cli_nomem(WHO);
	o->failed = true;
}

/*
 * Once standard output takes no more nothing else is tried.  A reader that
 * closed its end early is no news to anybody.
 */
static void out(struct output *o, const struct text *t)
{
	if (text_err(t))
		lost_memory(o);
	fwrite(text_cstr(t), 1, t->len, stdout);
	if (!fflush(stdout))
		return;
	if (errno != EPIPE)
		lost(o, "standard output");
	o->failed = true;
	if (!freopen("/dev/null", "w", stdout))
		clearerr(stdout);
}

static bool is_stdout(const char *name)
{
	return name && strcmp(name, "-") == 0;
}

const char *output_option(enum output_kind k)
{
	return kinds[k].option;
}

unsigned output_on_stdout(const struct output_conf *conf)
{
	unsigned n = conf->tap;

	for (int k = 0; k < OUTPUT_COUNT; k++)
		n += is_stdout(conf->file[k]);
	return n;
}

static void put_line(struct output *o, FILE *f, const char *name)
{
	if (!f)
		return;
	errno = 0;
	fwrite(text_cstr(&o->t), 1, o->t.len, f);
	if (fflush(f) && !o->failed)
		lost(o, name);
}

static void put_stream(struct output *o)
{
	if (text_err(&o->t))
		lost_memory(o);
	put_line(o, o->stream, o->conf.file[OUTPUT_STREAM]);
	put_line(o, o->kept, STREAM);
}

static void begin(struct output *o)
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
	out(o, &o->t);
	if (!o->text && !c->quiet)
		fprintf(stderr, "%s: seed %llu\n", WHO,
			(unsigned long long)c->about.seed);
}

/* Reads the checklist, and whether it can be filled in. */
static int open_map(struct output *o)
{
	const char *path = o->conf.map;
	struct diag diag = {0};
	int err;

	if (!path)
		return 0;
	err = file_read(&o->arena, path, &o->map, &o->map_len);
	if (err == ERR_SYS)
		return cli_sys(WHO, path), EXIT_USAGE;
	if (!err)
		err = checklist_check(path, o->map, o->map_len, &diag);
	return err ? cli_bad_text(WHO, err, &diag) : 0;
}

/* Opens the folder of --out, which belongs to this run until it ends. */
static int open_folder(struct output *o)
{
	const char *out = o->conf.out;
	int fd;

	if (!out)
		return 0;
	if (folder_open(out, &o->dir)) {
		o->dir = -1;
		if (errno != EWOULDBLOCK)
			return cli_sys(WHO, out);
		fprintf(stderr, "%s: %s: another run writes there\n", WHO, out);
		return EXIT_USAGE;
	}
	fd = openat(o->dir, STREAM,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	o->kept = fd < 0 ? NULL : fdopen(fd, "w");
	return o->kept ? 0 : cli_sys(WHO, out);
}

static int open_stream(struct output *o)
{
	const char *name = o->conf.file[OUTPUT_STREAM];

	if (!name)
		return 0;
	o->stream = is_stdout(name) ? stdout : fopen(name, "we");
	return o->stream ? 0 : cli_sys(WHO, name);
}

/* Finds out before the run whether its reports can be written. */
static int probe_files(const struct output *o)
{
	for (int k = 0; k < OUTPUT_COUNT; k++) {
		const char *name = o->conf.file[k];

		if (k != OUTPUT_STREAM && name && !is_stdout(name) &&
		    whole_probe(name))
			return cli_sys(WHO, name);
	}
	return 0;
}

static int open_all(struct output *o)
{
	int code = open_folder(o);

	if (!code)
		code = open_map(o);
	if (!code)
		code = probe_files(o);
	return code ? code : open_stream(o);
}

static void set_up(struct output *o)
{
	const struct output_conf *conf = &o->conf;

	o->began = port_now();
	o->text = !output_on_stdout(conf);
	o->summary->baseline = conf->baseline;
	if (conf->out || conf->file[OUTPUT_HTML])
		summary_draw(o->summary, conf->total);
	o->screen = (struct text_opts){
		.ladder = {.color = conf->colour, .verbose = conf->verbose},
		.ladders = conf->ladders || conf->verbose,
		.baseline = conf->baseline,
		.quiet = conf->quiet,
		.causes = conf->quiet ? CAUSES_QUIET : CAUSES_SCREEN,
		.out = conf->out,
	};
	o->plain = (struct text_opts){.out = conf->out,
				      .baseline = conf->baseline};
	progress_begin(&o->progress, conf->total, conf->quiet, conf->colour,
		       o->began);
}

int output_new(struct output **ret, const struct output_conf *conf)
{
	struct output *o = calloc(1, sizeof(*o));
	int code;

	if (!o || summary_new(&o->summary, conf->about.strict)) {
		free(o);
		return cli_nomem(WHO);
	}
	o->conf = *conf;
	o->dir = -1;
	set_up(o);
	code = open_all(o);
	if (code) {
		output_free(o);
		return code;
	}
	begin(o);
	*ret = o;
	return 0;
}

void output_free(struct output *o)
{
	if (!o)
		return;
	if (o->stream && o->stream != stdout)
		fclose(o->stream);
	if (o->kept)
		fclose(o->kept);
	folder_close(o->dir);
	summary_free(o->summary);
	arena_free(&o->arena);
	text_free(&o->t);
	text_free(&o->report);
	free(o);
}

void output_waits(struct output *o, const char *id)
{
	o->progress.now = id;
	progress_show(&o->progress, o->summary, port_now());
}

/* When the time 0 of a real port was; virtual time has no date. */
static uint64_t epoch(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)(ts.tv_sec * VSPAN_S + ts.tv_nsec - port_now());
}

/* Writes the case's folder; the capture's name is "" if there is none. */
static void keep(struct output *o, const struct record *r, char *ret_capture)
{
	const struct output_conf *c = &o->conf;
	int err;

	*ret_capture = 0;
	if (!c->out)
		return;
	err = folder_case(o->dir, r, &c->about, c->virtual ? 0 : epoch(),
			  ret_capture);
	if (err == ERR_SYS)
		lost(o, c->out);
	else if (err)
		lost_memory(o);
}

void output_case(struct output *o, const struct record *r, size_t done)
{
	char capture[FOLDER_NAME];
	const struct summary_case *c;

	keep(o, r, capture);
	if (summary_add(o->summary, r, *capture ? capture : NULL)) {
		lost_memory(o);
		return;
	}
	c = &o->summary->cases[o->summary->ncases - 1];
	text_clear(&o->t);
	if (o->stream || o->kept)
		stream_case(&o->t, c, done);
	put_stream(o);
	text_case(&o->report, r, &o->plain);
	text_clear(&o->t);
	if (o->conf.tap)
		tap_case(&o->t, c, done);
	else if (o->text)
		text_case(&o->t, r, &o->screen);
	if (o->t.len) {
		progress_hide(&o->progress);
		out(o, &o->t);
	}
	progress_show(&o->progress, o->summary, port_now());
}

/* Writes o->t to a file that the user named. */
static void put(struct output *o, const char *name)
{
	if (text_err(&o->t))
		lost_memory(o);
	else if (whole_write(name, text_cstr(&o->t), o->t.len))
		lost(o, is_stdout(name) ? "standard output" : name);
}

/* Writes o->t to a file in the folder of --out. */
static void put_in_folder(struct output *o, const char *name)
{
	char path[FOLDER_NAME];

	if (text_err(&o->t)) {
		lost_memory(o);
		return;
	}
	if (!whole_write_at(o->dir, name, text_cstr(&o->t), o->t.len))
		return;
	snprintf(path, sizeof(path), "%s/%s", o->conf.out, name);
	lost(o, path);
}

static void end_line(struct output *o, FILE **f, const char *name)
{
	if (file_close(*f))
		lost(o, name);
	*f = NULL;
}

static void end_stream(struct output *o)
{
	text_clear(&o->t);
	if (stream_end(&o->t, o->summary, &o->conf.about))
		lost_memory(o);
	put_stream(o);
	end_line(o, &o->stream, o->conf.file[OUTPUT_STREAM]);
	end_line(o, &o->kept, STREAM);
}

/* Without the matrix the page says so. */
static int write_html(struct output *o)
{
	struct kills *kills = NULL;
	int err;

	if (kills_load(WHO, &kills))
		o->failed = true;
	err = html_report(&o->t, o->summary, &o->conf.about, kills);
	kills_free(kills);
	return err;
}

static int write_checklist(struct output *o)
{
	struct diag diag = {0};

	if (!o->conf.map)
		return 0;
	return checklist_fill(&o->t, o->conf.map, o->map, o->map_len,
			      o->summary, &o->conf.about, &diag);
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
	case OUTPUT_STREAM:
	case OUTPUT_COUNT:
		break;
	}
	return 0;
}

static void end_kind(struct output *o, enum output_kind k)
{
	const char *kept = o->conf.out ? kinds[k].name : NULL;
	const char *named = o->conf.file[k];

	if (k == OUTPUT_CHECKLIST && !o->conf.map)
		return;
	if (!kept && !named)
		return;
	if (write_kind(o, k))
		lost_memory(o);
	if (named)
		put(o, named);
	if (kept)
		put_in_folder(o, kept);
}

/* results.json comes last: it says that the run ended. */
static void end_reports(struct output *o)
{
	end_stream(o);
	text_clear(&o->t);
	text_end(&o->report, o->summary, &o->conf.about, &o->plain);
	text_add(&o->t, text_cstr(&o->report), o->report.len);
	if (o->conf.out)
		put_in_folder(o, "report.txt");
	for (int k = OUTPUT_COUNT; k-- > 0;)
		if (k != OUTPUT_STREAM)
			end_kind(o, (enum output_kind)k);
}

/* Whether a result with this verdict is not one that everybody knows. */
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
	size_t ran = s->ncases - s->totals[VERDICT_NA];

	if (left(s, VERDICT_ERROR))
		return EXIT_HARNESS;
	if (summary_fails(s))
		return EXIT_FAILED;
	if (left(s, VERDICT_INCONCLUSIVE))
		return EXIT_INCONCLUSIVE;
	return ran ? EXIT_PASSED : EXIT_NOTHING;
}

int output_end(struct output *o, bool interrupted)
{
	progress_hide(&o->progress);
	o->conf.about.elapsed = port_now() - o->began;
	o->conf.about.interrupted = interrupted;
	o->conf.about.planned = o->conf.total;
	summary_sort(o->summary);
	end_reports(o);
	text_clear(&o->t);
	if (o->conf.tap)
		tap_end(&o->t, o->summary->ncases, &o->conf.about);
	else if (o->text)
		text_end(&o->t, o->summary, &o->conf.about, &o->screen);
	out(o, &o->t);
	if (interrupted)
		return EXIT_INTERRUPTED;
	return o->failed ? EXIT_HARNESS : exit_of(o->summary);
}
