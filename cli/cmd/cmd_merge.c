/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_merge.c -- rung merge: joins the shards of a run.
 *
 * First all shards are read and compared: they must be all shards of one run,
 * and each must have all its results.  Then the folders of the results are
 * copied, in the order of the whole run, and the reports are made of their
 * records, as 'rung report' makes them.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/file/folder.h"
#include "cli/file/folder_copy.h"
#include "cli/file/folder_read.h"
#include "cli/file/manifest.h"
#include "cli/file/run_id.h"
#include "cli/option/option_read.h"
#include "cli/option/output_options.h"
#include "cli/run/output.h"
#include "cli/run/rebuild.h"

#define WHO     "rung merge"
#define NO_PART UINT32_MAX

struct merge_options {
	struct output_conf output;
	const char *bench;
};

/* A shard. */
struct merge_part {
	const char *dir; /* as the user named it */
	int fd;          /* the open folder */
	struct manifest manifest;
	json_int_t number, of;
	json_int_t cases; /* of the whole run */
	const char *plan; /* digest of the whole run's cases */
	const json_t *at; /* the place of each of its cases there */
};

/* A case of the whole run. */
struct merge_case {
	uint32_t part; /* the shard that has it, or NO_PART */
	uint32_t at;   /* its place in that shard */
};

struct merge {
	struct merge_part *parts;
	size_t nparts;
	const char *bench; /* only its shards; NULL: all */
	struct merge_case *cases;
	size_t ncases;
	char run[33]; /* id of the joined run */
	struct manifest whole;
	struct output *output;
	int fd; /* the folder of --out */
};

static const struct option_row merge_rows[] = {
	{0, "DIR", NULL, "the folder of a shard, from 'rung run --shard --out'",
	 .kind = OPTION_KIND_OPERAND},
	{0, "out", "DIR", "the folder of the joined run",
	 OPTION_FILE(struct merge_options, output.out)},
	{0, "bench", "NAME",
	 "join the shards that ran on this bench (docs/lab.md), and ignore "
	 "those of others",
	 OPTION_TEXT(struct merge_options, bench)},
	OPTION_END};

static const struct option_group merge_groups[] = {
	{NULL, merge_rows, 0},
	{NULL, output_rows, offsetof(struct merge_options, output)},
	OPTION_GROUPS_END};

/* ---- Reading the shards ---- */

static int merge_open(struct merge_part *p)
{
	bool none;
	int code;

	if (folder_open(p->dir, &p->fd)) {
		p->fd = -1;
		output_folder_error(WHO, p->dir);
		return EXIT_USAGE;
	}
	code = manifest_read(WHO, p->fd, p->dir, &p->manifest, &none);
	if (!code && none) {
		fprintf(stderr,
			"%s: %s: no run has begun here: there is no " MANIFEST
			"\n",
			WHO, p->dir);
		return EXIT_USAGE;
	}
	return code;
}

static int merge_read_shard(struct merge_part *p)
{
	const json_t *s = json_object_get(p->manifest.root, "shard");

	p->number = json_integer_value(json_object_get(s, "number"));
	p->of = json_integer_value(json_object_get(s, "of"));
	p->cases = json_integer_value(json_object_get(s, "cases"));
	p->plan = json_string_value(json_object_get(s, "plan"));
	p->at = json_object_get(s, "at");
	if (p->plan && p->of >= 1 && p->of <= SHARD_MAX && p->number >= 1 &&
	    p->number <= p->of && p->cases >= 0 && p->cases < NO_PART &&
	    json_array_size(p->at) == json_array_size(p->manifest.cases))
		return 0;
	fprintf(stderr, "%s: %s: this run is no shard of another one\n", WHO,
		p->dir);
	return EXIT_USAGE;
}

/* Rejects a shard that is not of the same run as the first one. */
static int merge_compare(const struct merge_part *first,
			 const struct merge_part *p)
{
	struct text t = {0};

	if (p->of != first->of)
		text_printf(&t, "there were %lld shards and are %lld",
			    (long long)first->of, (long long)p->of);
	else if (!manifest_unlike(&t, &first->manifest, &p->manifest) &&
		 (p->cases != first->cases || strcmp(p->plan, first->plan)))
		text_puts(&t, "the selection, or the text of a case, differs");
	if (!t.len)
		return 0;
	fprintf(stderr, "%s: %s is not of the same run as %s: %s\n", WHO,
		p->dir, first->dir, text_cstr(&t));
	text_free(&t);
	return EXIT_USAGE;
}

/* Enters the cases of a shard in the list of the whole run. */
static int merge_place(struct merge *m, uint32_t part)
{
	const struct merge_part *p = &m->parts[part];
	const json_t *v;
	size_t i;

	json_array_foreach(p->at, i, v)
	{
		const json_int_t at = json_integer_value(v);

		if (at < 0 || at >= p->cases) {
			fprintf(stderr,
				"%s: %s/" MANIFEST ": shard.at[%zu] "
				"is out of range\n",
				WHO, p->dir, i);
			return EXIT_USAGE;
		}
		if (m->cases[at].part != NO_PART) {
			fprintf(stderr, "%s: %s and %s both have the case %s\n",
				WHO, m->parts[m->cases[at].part].dir, p->dir,
				json_string_value(json_array_get(
					json_array_get(p->manifest.cases, i),
					0)));
			return EXIT_USAGE;
		}
		m->cases[at] = (struct merge_case){part, (uint32_t)i};
	}
	return 0;
}

/* Names the shards that are missing or given twice. */
static int merge_check_numbers(const struct merge *m)
{
	const size_t of = (size_t)m->parts[0].of;
	struct text t = {0};
	size_t missing = 0;
	int code = 0;

	for (size_t n = 1; n <= of; n++) {
		const struct merge_part *had = NULL;

		for (size_t i = 0; i < m->nparts; i++) {
			const struct merge_part *p = &m->parts[i];

			if ((size_t)p->number != n)
				continue;
			if (had) {
				fprintf(stderr,
					"%s: %s and %s are both shard %zu\n",
					WHO, had->dir, p->dir, n);
				code = EXIT_USAGE;
			}
			had = p;
		}
		if (!had && missing++ < 20)
			text_printf(&t, "%s%zu", text_between(t.len, ", "), n);
	}
	if (missing) {
		fprintf(stderr, "%s: %zu of %zu shards are missing: %s%s\n",
			WHO, missing, of, text_cstr(&t),
			missing > 20 ? ", ..." : "");
		code = EXIT_USAGE;
	}
	text_free(&t);
	return code;
}

/* Returns true if both paths name the same existing folder. */
static bool merge_same(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* Rejects a folder that is named twice. */
static int merge_check_dirs(const struct merge *m, const char *out)
{
	for (size_t i = 0; i < m->nparts; i++) {
		const char *dir = m->parts[i].dir;

		if (merge_same(dir, out))
			return cli_usage(WHO, "--out %s: this is a shard", out);
		for (size_t k = 0; k < i; k++)
			if (merge_same(dir, m->parts[k].dir))
				return cli_usage(WHO, "%s is given twice", dir);
	}
	return 0;
}

/* Opens all folders, and keeps those of the bench |m->bench|, if given. */
static int merge_open_all(struct merge *m)
{
	int code = 0;
	size_t kept = 0;

	for (size_t i = 0; i < m->nparts && !code; i++) {
		struct merge_part *p = &m->parts[i], other;
		const char *name;

		code = merge_open(p);
		name = p->manifest.about.bench.name;
		if (code || (m->bench && (!name || strcmp(name, m->bench))))
			continue;
		other = m->parts[kept];
		m->parts[kept++] = *p;
		m->parts[i] = other;
	}
	if (code || !m->bench)
		return code;
	if (!kept) {
		fprintf(stderr, "%s: no shard ran on bench %s\n", WHO,
			m->bench);
		return EXIT_USAGE;
	}
	m->nparts = kept;
	return 0;
}

static int merge_read(struct merge *m, const char *out)
{
	int code = merge_check_dirs(m, out);

	if (!code)
		code = merge_open_all(m);
	for (size_t i = 0; i < m->nparts && !code; i++) {
		code = merge_read_shard(&m->parts[i]);
		if (!code)
			code = merge_compare(&m->parts[0], &m->parts[i]);
	}
	if (!code)
		code = merge_check_numbers(m);
	if (code)
		return code;
	m->ncases = (size_t)m->parts[0].cases;
	m->cases = memory_calloc(m->ncases + 1, sizeof(*m->cases));
	if (!m->cases)
		return cli_nomem(WHO);
	for (size_t i = 0; i < m->ncases; i++)
		m->cases[i].part = NO_PART;
	for (size_t i = 0; i < m->nparts && !code; i++)
		code = merge_place(m, (uint32_t)i);
	return code;
}

/* ---- Results ---- */

/*
 * Reads a result of a shard.  Return: 0 or an exit code after a message, unless
 * the result is missing: EXIT_NOTHING.
 */
static int merge_recall(const struct merge_part *p, size_t at, struct record *r)
{
	struct diag diag = {0};
	uint32_t repeat;
	const char *id = manifest_id(&p->manifest, at, &repeat);
	int err = folder_recall(p->fd, p->manifest.about.run, id, repeat, r,
				&diag);

	if (err == ERR_NOMEM)
		return cli_nomem(WHO);
	if (err == ERR_SYS || (!err && reason_unfinished(r->reason_id)))
		return EXIT_NOTHING;
	if (!err && !*diag.text)
		return 0;
	fprintf(stderr, "%s: %s/%s: %s\n", WHO, p->dir, diag.file, diag.text);
	return EXIT_HARNESS;
}

/* Checks that a shard has all its results. */
static int merge_check_part(const struct merge_part *p)
{
	const char *first = NULL;
	size_t missing = 0;
	uint32_t repeat;
	int code;

	for (size_t at = 0; at < p->manifest.total; at++) {
		struct record r = {0};

		code = merge_recall(p, at, &r);
		record_free(&r);
		if (code == EXIT_NOTHING && !missing++)
			first = manifest_id(&p->manifest, at, &repeat);
		else if (code && code != EXIT_NOTHING)
			return code;
	}
	if (!missing)
		return 0;
	fprintf(stderr,
		"%s: %s lacks %zu of %zu results, the first is %s; 'rung run "
		"--resume' completes the shard\n",
		WHO, p->dir, missing, p->manifest.total, first);
	return EXIT_USAGE;
}

/* Returns the description of the whole run, or NULL without memory. */
static json_t *merge_manifest(const struct merge *m, const char *out)
{
	json_t *o = json_copy(m->parts[0].manifest.root), *cases = json_array();
	const char *date = "";
	bool bad = !o || !cases;

	for (size_t i = 0; i < m->ncases && !bad; i++) {
		const struct merge_case *c = &m->cases[i];

		bad = json_array_append(
			cases, json_array_get(m->parts[c->part].manifest.cases,
					      c->at));
	}
	for (size_t i = 0; i < m->nparts; i++)
		if (strcmp(m->parts[i].manifest.date, date) > 0)
			date = m->parts[i].manifest.date;
	json_object_del(o, "shard");
	if (!bad)
		bad = json_object_set_new(o, "run", json_string(m->run)) ||
		      json_object_set_new(o, "out", json_string(out)) ||
		      json_object_set_new(o, "date", json_string(date)) ||
		      json_object_set(o, "cases", cases);
	json_decref(cases);
	if (!bad)
		return o;
	json_decref(o);
	return NULL;
}

/* Copies result |at| of the whole run and reports it. */
static int merge_take(struct merge *m, size_t at)
{
	const size_t repeats = m->whole.repeat;
	const struct merge_case *c = &m->cases[at / repeats];
	const struct merge_part *p = &m->parts[c->part];
	const size_t there = (size_t)c->at * repeats + at % repeats;
	struct record r = {0};
	int code = merge_recall(p, there, &r), err;

	if (code) {
		record_free(&r);
		return code == EXIT_NOTHING ? EXIT_HARNESS : code;
	}
	err = folder_copy(p->fd, m->fd, r.id, r.repeat, p->manifest.about.run,
			  m->run);
	if (err == ERR_SYS)
		code = cli_sys(WHO, m->whole.about.out);
	else if (err)
		code = cli_nomem(WHO);
	else
		output_case(m->output, &r, at + 1);
	record_free(&r);
	return code;
}

static int merge_write(struct merge *m, struct output_conf *conf)
{
	struct baseline *baseline = NULL;
	int code = rebuild_configure(WHO, &m->whole, conf, &baseline);

	conf->mode = OUTPUT_RESUME;
	conf->out = m->whole.about.out;
	conf->dir = -1;
	if (!code) {
		conf->dir = fcntl(m->fd, F_DUPFD_CLOEXEC, 0);
		if (conf->dir < 0)
			code = cli_sys(WHO, conf->out);
	}
	if (!code)
		code = output_new(&m->output, conf);
	for (size_t i = 0; i < m->whole.total && !code; i++)
		code = merge_take(m, i);
	if (m->output && code)
		output_lose(m->output);
	if (m->output) {
		const int verdict = output_end(m->output, code != 0);

		code = code ? code : verdict;
	}
	baseline_free(baseline);
	return code;
}

/* Makes the folder of the joined run, with its run.json. */
static int merge_begin(struct merge *m, struct output_conf *conf)
{
	const char *out = conf->out;
	bool none;
	int code;

	if (folder_make(out) || folder_open(out, &m->fd)) {
		m->fd = -1;
		return output_folder_error(WHO, out);
	}
	if (folder_begin(m->fd))
		return cli_sys(WHO, out);
	conf->manifest = merge_manifest(m, out);
	if (!conf->manifest)
		return cli_nomem(WHO);
	code = manifest_write(WHO, m->fd, out, conf->manifest);
	conf->manifest = NULL;
	if (code)
		return code;
	return manifest_read(WHO, m->fd, out, &m->whole, &none);
}

static int merge_all(struct merge *m, struct output_conf *conf)
{
	int code = merge_read(m, conf->out);

	for (size_t i = 0; i < m->nparts && !code; i++)
		code = merge_check_part(&m->parts[i]);
	if (!code)
		code = run_id_draw(WHO, m->run);
	if (!code)
		code = merge_begin(m, conf);
	if (!code)
		code = merge_write(m, conf);
	return code;
}

static int cmd_merge(int argc, char **argv)
{
	struct merge_options mo = {0};
	struct merge m = {.fd = -1};
	struct operands dirs;
	int code = option_read(&command_merge, argc, argv, &mo, &dirs);

	if (code >= 0)
		return code;
	if (!dirs.n)
		return cli_usage(WHO, "the folders of the shards are missing");
	if (!mo.output.out)
		return cli_usage(WHO, "--out is missing");
	code = output_options_check(WHO, &mo.output);
	if (code >= 0)
		return code;
	m.parts = memory_calloc(dirs.n, sizeof(*m.parts));
	if (!m.parts)
		return cli_nomem(WHO);
	m.nparts = dirs.n;
	for (size_t i = 0; i < dirs.n; i++)
		m.parts[i] = (struct merge_part){.dir = dirs.at[i], .fd = -1};
	m.bench = mo.bench;
	code = merge_all(&m, &mo.output);
	for (size_t i = 0; i < dirs.n; i++) {
		manifest_free(&m.parts[i].manifest);
		folder_close(m.parts[i].fd);
	}
	output_free(m.output);
	folder_close(m.fd);
	manifest_free(&m.whole);
	free(m.parts);
	free(m.cases);
	return code;
}

const struct command command_merge = {
	.name = "merge",
	.what = "join the shards of a run",
	.usage = "[OPTION...] DIR... --out DIR",
	.about =
		"Joins the results of all shards of a run ('rung run --shard') "
		"to the folder that one run would have written. A shard that "
		"is missing, given twice, incomplete or of another run is an "
		"error, and nothing is written.",
	.groups = merge_groups,
	.exits = "Exit codes: as the run's; 2 if the shards do not belong "
		 "together or lack results, 5 if a result cannot be read.",
	.run = cmd_merge,
};
