/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/file.h"
#include "cli/folder.h"
#include "cli/mutants.h"
#include "gen/port.h"
#include "reports/html.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/tap.h"
#include "reports/text.h"

#define WHO "rung run"

struct output {
	struct output_conf conf;
	struct text_opts screen;   /* standard output */
	struct text_opts plain;    /* report.txt */
	bool text;                 /* the text report is on standard output */
	bool failed;               /* a write was lost */
	FILE *json, *junit, *html; /* open since the start; or NULL */
	struct summary *summary;
	vtime began;
	struct text t;      /* of the moment */
	struct text report; /* report.txt so far */
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

static int open_one(const char *name, FILE **ret)
{
	if (!name)
		return 0;
	*ret = strcmp(name, "-") == 0 ? stdout : fopen(name, "we");
	return *ret ? 0 : cli_sys(WHO, name);
}

static bool is_stdout(const char *name)
{
	return name && strcmp(name, "-") == 0;
}

static void begin(struct output *o)
{
	const struct output_conf *c = &o->conf;

	text_begin(&o->report, &c->about, &o->plain);
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

static int folders(const struct output_conf *c)
{
	if (!c->out)
		return 0;
	if (folder_make(c->out) || folder_probe(c->out))
		return cli_sys(WHO, c->out);
	return 0;
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
	o->began = port_now();
	o->text = !conf->tap && !is_stdout(conf->json) &&
		  !is_stdout(conf->junit) && !is_stdout(conf->html);
	if (conf->out || conf->html)
		summary_draw(o->summary);
	o->screen = (struct text_opts){
		.ladder = {.color = conf->colour, .verbose = conf->verbose},
		.ladders = conf->ladders || conf->verbose,
		.quiet = conf->quiet,
		.out = conf->out,
	};
	o->plain = (struct text_opts){.out = conf->out};
	code = folders(conf);
	if (!code)
		code = open_one(conf->json, &o->json);
	if (!code)
		code = open_one(conf->junit, &o->junit);
	if (!code)
		code = open_one(conf->html, &o->html);
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
	if (o->json && o->json != stdout)
		fclose(o->json);
	if (o->junit && o->junit != stdout)
		fclose(o->junit);
	if (o->html && o->html != stdout)
		fclose(o->html);
	summary_free(o->summary);
	text_free(&o->t);
	text_free(&o->report);
	free(o);
}

/* One line that is written over; gone when |r| is NULL. */
static void progress(const struct output *o, const struct record *r,
		     size_t done)
{
	if (!o->conf.progress)
		return;
	if (r)
		fprintf(stderr, "\r\033[K[%zu/%zu] %.60s", done, o->conf.total,
			r->id);
	else
		fputs("\r\033[K", stderr);
	fflush(stderr);
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
	err = folder_case(c->out, r, &c->about, c->virtual ? 0 : epoch(),
			  ret_capture);
	if (err == ERR_SYS)
		lost(o, c->out);
	else if (err)
		lost_memory(o);
}

void output_case(struct output *o, const struct record *r, size_t done)
{
	char capture[FOLDER_NAME];

	progress(o, NULL, done);
	keep(o, r, capture);
	if (summary_add(o->summary, r, *capture ? capture : NULL))
		lost_memory(o);
	text_case(&o->report, r, &o->plain);
	text_clear(&o->t);
	if (o->conf.tap)
		tap_case(&o->t, r, done);
	else if (o->text)
		text_case(&o->t, r, &o->screen);
	out(o, &o->t);
	progress(o, r, done);
}

/* Writes o->t to a file that is open, and closes it. */
static void put(struct output *o, const char *name, FILE **f)
{
	if (!*f)
		return;
	if (text_err(&o->t))
		lost_memory(o);
	errno = 0;
	fwrite(text_cstr(&o->t), 1, o->t.len, *f);
	if (file_close(*f))
		lost(o, *f == stdout ? "standard output" : name);
	*f = NULL;
}

static void put_new(struct output *o, const char *name)
{
	char path[FOLDER_NAME];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", o->conf.out, name);
	f = fopen(path, "we");
	if (f)
		put(o, path, &f);
	else
		lost(o, path);
}

/* Without the matrix the page says so. */
static void end_html(struct output *o)
{
	struct kills *kills = NULL;

	if (!o->summary->draw)
		return;
	if (kills_load(WHO, &kills))
		o->failed = true;
	text_clear(&o->t);
	if (html_report(&o->t, o->summary, &o->conf.about, kills))
		lost_memory(o);
	kills_free(kills);
	put(o, o->conf.html, &o->html);
	if (o->conf.out)
		put_new(o, "report.html");
}

static void end_reports(struct output *o)
{
	const struct output_conf *c = &o->conf;

	text_clear(&o->t);
	if (json_report(&o->t, o->summary, &c->about))
		lost_memory(o);
	put(o, c->json, &o->json);
	if (c->out)
		put_new(o, "results.json");
	text_clear(&o->t);
	if (junit_report(&o->t, o->summary, &c->about))
		lost_memory(o);
	put(o, c->junit, &o->junit);
	if (c->out)
		put_new(o, "junit.xml");
	end_html(o);
	text_clear(&o->t);
	text_end(&o->report, o->summary, &c->about, &o->plain);
	text_add(&o->t, text_cstr(&o->report), o->report.len);
	if (c->out)
		put_new(o, "report.txt");
}

static int exit_of(const struct summary *s)
{
	size_t ran = s->ncases - s->totals[VERDICT_NA];

	if (s->totals[VERDICT_ERROR])
		return EXIT_HARNESS;
	if (s->totals[VERDICT_FAIL])
		return EXIT_FAILED;
	if (s->totals[VERDICT_INCONCLUSIVE])
		return EXIT_INCONCLUSIVE;
	return ran ? EXIT_PASSED : EXIT_NOTHING;
}

int output_end(struct output *o, bool interrupted)
{
	progress(o, NULL, 0);
	o->conf.about.elapsed = port_now() - o->began;
	o->conf.about.interrupted = interrupted;
	o->conf.about.planned = o->conf.total;
	summary_sort(o->summary);
	end_reports(o);
	text_clear(&o->t);
	if (o->conf.tap)
		tap_end(&o->t, o->summary->ncases);
	else if (o->text)
		text_end(&o->t, o->summary, &o->conf.about, &o->screen);
	out(o, &o->t);
	if (interrupted)
		return EXIT_INTERRUPTED;
	return o->failed ? EXIT_HARNESS : exit_of(o->summary);
}
