/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_run.c -- rung run: runs cases against a device, and prints the
 * verdict.
 *
 * It reads options, the declaration and the cases, sets up a device for each
 * worker and runs them.  Results arrive in the order of the cases and go to the
 * reports.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/endpoint.h"
#include "cli/file/file.h"
#include "cli/file/run_id.h"
#include "cli/lab/bench_run.h"
#include "cli/mutants.h"
#include "cli/option/dut_options.h"
#include "cli/plan/each_variant.h"
#include "cli/privilege.h"
#include "cli/run/dut_setup.h"
#include "cli/run/output.h"
#include "cli/run/resume.h"
#include "cli/run/run_options.h"
#include "cli/run/worker_pool.h"
#include "cli/select.h"
#include "reports/format/checklist.h"
#include "reports/result/baseline.h"
#include "reports/result/results.h"
#include "suite/dut/transcript.h"
#include "suite/verdict/starts.h"

#define WHO RUN_WHO

/* The data that handling a result needs. */
struct run_ctx {
	const struct dut_setup_conf *dut_setup;
	const struct worker_pool_conf *worker_pool;
	const struct resume *resume;
	int dir; /* folder of a resumed run */
	struct starts *starts;
	struct output *output;
	pthread_mutex_t lock; /* of |name| */
	char name[64]; /* the name in the hello of a device of another maker */
	bool named;    /* the output knows it */
	struct lease *lease; /* of the bench, or NULL */
	bool fail_fast;
	bool transcript; /* record the calls to the device */
};

static int run_dut_setup(void *ctx, unsigned worker, enum family family,
			 struct dut **ret)
{
	struct run_ctx *c = ctx;
	int code = dut_setup_new(c->dut_setup, worker, family, ret);

	if (code)
		return code;
	pthread_mutex_lock(&c->lock);
	if (!*c->name && !dut_options_own(c->dut_setup))
		memcpy(c->name, (*ret)->name, sizeof(c->name));
	pthread_mutex_unlock(&c->lock);
	if (!c->transcript || !transcript_begin(*ret))
		return 0;
	dut_setup_free(*ret);
	*ret = NULL;
	return cli_nomem(WHO);
}

/* Tells the output once what the first device that said hello is called. */
static void run_tell_name(struct run_ctx *c)
{
	pthread_mutex_lock(&c->lock);
	if (*c->name && !c->named) {
		c->named = true;
		output_device(c->output, c->name);
	}
	pthread_mutex_unlock(&c->lock);
}

/*
 * Makes an error of a result for which a lost bench may be the cause.  The
 * lease is confirmed before a result counts against the device.
 */
static void run_check_lease(const struct run_ctx *c, struct record *r)
{
	if (!c->lease || r->recalled || r->verdict == VERDICT_PASS ||
	    r->verdict == VERDICT_NA || lease_confirm(c->lease))
		return;
	r->verdict = VERDICT_ERROR;
	r->kind = KIND_NONE;
	r->reason_id = REASON_LEASE;
	snprintf(r->reason, sizeof(r->reason),
		 "the lease of the bench was lost");
	for (size_t i = 0; i < r->nfindings; i++)
		r->findings[i].doubtful = true;
}

static bool run_arrived(void *ctx, struct record *r, size_t done)
{
	struct run_ctx *c = ctx;

	run_tell_name(c);
	run_check_lease(c, r);
	if (r->recalled)
		starts_recall(
			c->starts, r,
			worker_pool_pick(c->worker_pool, done - 1)->test_case);
	else if (starts_take(c->starts, r))
		return false;
	output_case(c->output, r, done);
	return !c->fail_fast || r->verdict != VERDICT_FAIL;
}

/* Recalls a result that an earlier, killed run had. */
static bool run_recalls(void *ctx, const struct pick *p, uint32_t repeat,
			struct record *r)
{
	const struct run_ctx *c = ctx;
	char id[320];

	pick_id(p, id, sizeof(id));
	return resume_recall(c->resume, c->dir, id, repeat, r);
}

static void run_waits(void *ctx, const struct pick *p)
{
	const struct run_ctx *c = ctx;

	output_waits(c->output, p->test_case->id);
}

/* Appends the options that repeat this run, for the hints of the report. */
static void run_rerun(const struct run_options *ro, struct text *t)
{
	dut_options_again(&ro->dut_setup, "ref", t);
	if (ro->dut_setup.bridged)
		dut_options_word(t, "--bridge", ro->bridge);
	if (ro->cases)
		dut_options_word(t, "--cases", ro->cases);
	if (ro->run.step_over)
		dut_options_word(t, "--step-over", NULL);
}

/* The workers open the ports, so that the main thread can drop capabilities. */
static void run_started(void *ctx)
{
	(void)ctx;
	privilege_settle(0, PRIVILEGE_FILES);
}

/* Returns true if the device keeps its state between two cases. */
static bool stays_up(const struct dut_setup_conf *dut_setup)
{
	return dut_setup->dut.linked && !dut_setup->dut.command &&
	       !dut_setup->control.kind;
}

/* Writes the description of this run to run.json. */
static void run_describe(struct run_options *ro,
			 const struct selection *selection)
{
	struct manifest_conf *m = &ro->manifest;

	m->about = &ro->output.about;
	m->trigger = ro->dut_setup.trigger;
	m->without = ro->dut_setup.without;
	m->bridge = ro->bridge;
	m->sizes = ro->dut_setup.sizes;
	m->selection = selection;
	if (ro->shard.of)
		m->shard = &ro->shard;
	m->repeat = ro->repeat;
	m->from = ro->from;
	m->rounds = ro->rounds;
	m->fail_fast = ro->fail_fast;
	m->evidence = ro->evidence;
	m->virtual = ro->output.virtual;
}

/* Continues the run in the folder, with its id and its seed. */
static int run_go_on(struct run_options *ro, const struct selection *selection)
{
	const struct about *then = &ro->resume.manifest.about;
	struct about *a = &ro->output.about;
	int code;

	if (!ro->seeded)
		ro->run.seed = a->seed = then->seed;
	run_describe(ro, selection);
	code = resume_check(&ro->resume, &ro->manifest);
	a->run = then->run;
	a->date = then->date;
	a->host = then->host;
	a->operator= then->operator;
	a->out = then->out;
	a->rerun = then->rerun;
	ro->output.mode = OUTPUT_RESUME;
	return code;
}

/* Begins a new run, or continues one. */
static int run_begin(struct run_options *ro, const struct selection *selection,
		     struct output **ret)
{
	int code;

	if (ro->resume.on) {
		code = run_go_on(ro, selection);
		if (code)
			return code;
		ro->output.dir = ro->resume.dir;
		ro->resume.dir = -1;
	} else if (ro->output.out) {
		run_describe(ro, selection);
		ro->output.manifest = manifest_json(&ro->manifest);
		if (!ro->output.manifest)
			return cli_nomem(WHO);
	}
	return output_new(ret, &ro->output);
}

static int cmd_run_selection(struct run_options *ro,
			     const struct selection *selection)
{
	struct run_ctx ctx = {.dut_setup = &ro->dut_setup,
			      .resume = &ro->resume,
			      .lease = ro->bench.lease,
			      .fail_fast = ro->fail_fast,
			      .lock = PTHREAD_MUTEX_INITIALIZER,
			      .transcript = ro->transcript};
	struct worker_pool_conf worker_pool = {
		.selection = selection,
		.repeat = ro->repeat,
		.from = ro->from,
		.rounds = ro->rounds,
		.workers = ro->workers,
		.dut_setup = run_dut_setup,
		.reseat = ro->dut_setup.dut.ref || ro->dut_setup.dut.command,
		.started = run_started,
		.arrived = run_arrived,
		.waits = run_waits,
		.ctx = &ctx,
	};
	struct text options = {0};
	int code, verdict;
	char id[33];

	if (!ro->dut_setup.privileged)
		privilege_confine();
	code = run_id_draw(WHO, id);
	if (code)
		return code;
	ctx.starts = memory_calloc(1, sizeof(*ctx.starts));
	if (!ctx.starts)
		return cli_nomem(WHO);
	ctx.worker_pool = &worker_pool;
	ctx.dir = ro->resume.dir;
	ctx.starts->decl = ro->dut_setup.decl;
	ctx.starts->lasting = stays_up(&ro->dut_setup);
	ro->output.about.run = id;
	run_rerun(ro, &options);
	ro->output.about.rerun = text_cstr(&options);
	ro->output.total = selection->n * ro->repeat;
	ro->dut_setup.stop = ro->output.stop = cli_interrupts();
	code = run_begin(ro, selection, &ctx.output);
	if (!code) {
		if (ro->resume.on)
			worker_pool.recall = run_recalls;
		else
			worker_pool.recall = NULL;
		worker_pool.run = ro->run;
		worker_pool.run.interrupted = ro->dut_setup.stop;
		code = 0;
		if (selection->n)
			code = worker_pool_run(&worker_pool);
		verdict = output_end(ctx.output, *worker_pool.run.interrupted);
		if (!code || verdict == EXIT_INTERRUPTED)
			code = verdict;
		output_free(ctx.output);
	}
	text_free(&options);
	free(ctx.starts);
	return code;
}

/* When and where the run is made. */
struct run_where {
	char began[32]; /* "2026-12-01T08:00:00Z" */
	char day[16];   /* "2026-12-01" */
	char host[256];
};

static void run_where(struct run_where *w)
{
	time_t now = time(NULL);
	struct tm tm;

	*w = (struct run_where){.host = ""};
	gmtime_r(&now, &tm);
	strftime(w->began, sizeof(w->began), "%Y-%m-%dT%H:%M:%SZ", &tm);
	strftime(w->day, sizeof(w->day), "%Y-%m-%d", &tm);
	gethostname(w->host, sizeof(w->host) - 1);
}

/* A text that is not empty, or NULL. */
static const char *run_some(const char *s)
{
	if (*s)
		return s;
	return NULL;
}

/* Reads a file that an option names, if the option is given. */
static int read_option(struct arena *a, const char *path,
		       struct manifest_file *ret)
{
	struct diag diag = {0};
	int err;

	if (!path)
		return 0;
	ret->path = path;
	err = file_read(a, path, &ret->text, &ret->len);
	if (err == ERR_SYS) {
		cli_sys(WHO, path);
		return EXIT_USAGE;
	}
	if (err)
		return cli_bad_text(WHO, err, &diag);
	return 0;
}

/* Reads the known failures and the checklist. */
static int read_options(struct run_options *ro, struct arena *a,
			struct baseline **ret)
{
	struct manifest_file *base = &ro->manifest.baseline;
	struct manifest_file *map = &ro->manifest.map;
	struct diag diag = {0};
	int err = 0, code = read_option(a, ro->baseline, base);

	if (!code)
		code = read_option(a, ro->output.map, map);
	if (code)
		return code;
	ro->output.map_text = map->text;
	ro->output.map_len = map->len;
	if (base->text)
		err = baseline_parse(ret, base->path, base->text, base->len,
				     ro->manifest.date, &diag);
	if (!err && *ret)
		(*ret)->strict = ro->run.strict;
	if (!err && map->text)
		err = checklist_check(map->path, map->text, map->len, &diag);
	if (err)
		return cli_bad_text(WHO, err, &diag);
	return 0;
}

/* Looks for a run to resume, reads the files of options, and runs. */
static int run_baseline(struct run_options *ro,
			const struct selection *selection)
{
	struct baseline *b = NULL;
	struct arena a = {0};
	struct about *about = &ro->output.about;
	struct run_where where;
	int code = 0;

	run_where(&where);
	ro->manifest.date = where.day;
	about->date = where.began;
	about->host = run_some(where.host);
	about->operator= ro->operator;
	if (!about->operator)
		about->operator= getenv("LOGNAME");
	ro->resume.dir = -1;
	if (ro->go_on)
		code = resume_open(&ro->resume, WHO, ro->output.out);
	if (ro->resume.on)
		ro->manifest.date = ro->resume.manifest.date;
	if (!code)
		code = read_options(ro, &a, &b);
	ro->output.baseline = b;
	if (!code)
		code = cmd_run_selection(ro, selection);
	baseline_free(b);
	resume_free(&ro->resume);
	arena_free(&a);
	return code;
}

/* Drops the cases for which the budget has no time. */
static int run_budget(struct run_options *ro, struct selection *selection)
{
	const struct dut_setup_conf *dut = &ro->dut_setup;
	struct budget *b = &ro->budget;

	if (!b->most || !selection->n)
		return 0;
	b->guess = ro->output.virtual ? BUDGET_GUESS_VIRTUAL : BUDGET_GUESS;
	b->workers = ro->workers;
	b->repeat = ro->repeat;
	b->decl = dut->decl;
	b->control =
		dut_options_own(dut) || dut->control_text || dut->dut.command;
	b->verbose = ro->output.verbose;
	return budget_select(WHO, b, selection);
}

static int run_decl(struct run_options *ro, struct selection *selection)
{
	struct decl *decl;
	int code = endpoint_decl(WHO, ro->dut_setup.decl_path, &ro->variants,
				 !ro->dut_setup.dut.virtual, &decl);

	if (code)
		return code;
	if (!ro->dut_setup.decl_path && ro->dut_setup.dut.virtual)
		endpoint_fill_ids(decl);
	if (ro->evidence && decl->deviations) {
		code = cli_usage(WHO, "--evidence: the declaration excuses "
				      "deviations ('deviates')");
		decl_free(decl);
		return code;
	}
	ro->dut_setup.decl = ro->run.decl = ro->output.about.decl = decl;
	/* The default declaration names the reference, not a stranger. */
	if (dut_options_own(&ro->dut_setup) || ro->dut_setup.decl_path)
		ro->output.about.name = decl->name;
	code = run_budget(ro, selection);
	if (!code)
		code = run_baseline(ro, selection);
	decl_free(decl);
	return code;
}

/* Runs with the bench, if there is one. */
static int run_on_bench(struct run_options *ro, struct selection *selection)
{
	int code;

	if (!ro->bench.name)
		return run_decl(ro, selection);
	cli_interrupts();
	code = bench_run_begin(WHO, &ro->bench);
	if (code)
		return code;
	ro->output.about.bench = ro->bench.facts;
	code = run_decl(ro, selection);
	return bench_run_end(WHO, &ro->bench, code);
}

static int run_mutant(struct run_options *ro)
{
	ro->dut_setup.variants = &ro->variants;
	return variants_load(WHO, ro->dut_setup.mutant, &ro->variants);
}

/* Moves the cases that failed in the results of |r| to the front. */
static int cmd_run_reorder(struct selection *selection, const struct results *r)
{
	struct pick *rest = memory_calloc(selection->n + 1, sizeof(*rest));
	size_t first = 0, n = 0;

	if (!rest)
		return cli_nomem(WHO);
	for (size_t i = 0; i < selection->n; i++) {
		char id[320];

		pick_id(&selection->at[i], id, sizeof(id));
		if (results_failed(r, id))
			selection->at[first++] = selection->at[i];
		else
			rest[n++] = selection->at[i];
	}
	memcpy(selection->at + first, rest, n * sizeof(*rest));
	free(rest);
	fprintf(stderr, "%s: %zu that failed before come first\n", WHO, first);
	return 0;
}

/* The folder of --out may hold no earlier run: then no case failed. */
static int run_first(const struct run_options *ro, struct selection *selection)
{
	struct arena a = {0};
	struct diag diag = {0};
	struct results *r = NULL;
	char path[4096];
	const char *text;
	size_t len;
	int err, code = 0;

	if (!ro->failed_first || !selection->n)
		return 0;
	if (ro->before)
		snprintf(path, sizeof(path), "%s", ro->before);
	else
		snprintf(path, sizeof(path), "%s/results.json", ro->output.out);
	err = file_read_most(&a, path, FILE_RESULTS, &text, &len);
	if (err == ERR_SYS && errno == ENOENT && !ro->before)
		return 0;
	if (err == ERR_SYS) {
		cli_sys(WHO, path);
		return EXIT_USAGE;
	}
	if (!err)
		err = results_parse(&r, path, text, len, &diag);
	if (err)
		code = cli_bad_text(WHO, err, &diag);
	else
		code = cmd_run_reorder(selection, r);
	results_free(r);
	arena_free(&a);
	return code;
}

/* Reports are written even without cases if the user asked for files. */
static bool run_writes_files(const struct run_options *ro)
{
	for (int k = 0; k < OUTPUT_COUNT; k++)
		if (ro->output.file[k])
			return true;
	return ro->output.out || ro->output.tap;
}

/*
 * Forks for the lines of --each-variant.  Return: -1 in a child, which goes on;
 * else an exit code.
 */
static int run_each_variant(struct run_options *ro, struct arena *a)
{
	const char *names;
	const int code = each_variant_run(WHO, ro->each, a, &names);

	if (code < 0)
		ro->dut_setup.mutant = ro->output.about.mutant = names;
	return code;
}

/* Runs the cases on the device of the options. */
static int run_device(struct run_options *ro, struct selection *selection)
{
	const int code = run_mutant(ro);

	if (code)
		return code;
	return run_on_bench(ro, selection);
}

static int cmd_run(int argc, char **argv)
{
	struct run_options ro = {
		.workers = 1,
		.repeat = 1,
		.first = 1,
	};
	static struct corpus *corpus; /* a child of --each-variant keeps it */
	struct selection selection = {0};
	struct diag diag = {0};
	struct arena names = {0};
	struct corpus_want want;
	int code, err;

	code = run_options_read(&command_run, argc, argv, &ro);
	if (code >= 0) {
		bench_run_free(&ro.bench);
		return code;
	}
	memory_keep();
	want = (struct corpus_want){.selectors = ro.select.selectors,
				    .n = ro.select.n,
				    .runs = select_keeps,
				    .ctx = &ro.select};
	err = corpus_new(&corpus, ro.cases, &want, &diag);
	if (err)
		return cli_bad_text(WHO, err, &diag);
	code = select_cases(WHO, corpus, &ro.select, &selection);
	if (!code && ro.shard.of) {
		ro.shard.plan = manifest_plan(&selection);
		code = shard_select(WHO, &ro.shard, &selection);
	}
	if (!code || (code == EXIT_NOTHING && run_writes_files(&ro)))
		code = run_first(&ro, &selection);
	if (!code)
		code = ro.each ? run_each_variant(&ro, &names) : -1;
	if (code < 0)
		code = run_device(&ro, &selection);
	arena_free(&names);
	bench_run_free(&ro.bench);
	shard_free(&ro.shard);
	selection_free(&selection);
	/* a child that frees the cases copies all pages of its parent first */
	if (!ro.each)
		corpus_free(corpus);
	return code;
}

const struct command command_run = {
	.name = "run",
	.what = "run cases against a device",
	.usage = "[OPTION...] [SELECTOR...]",
	.about = "Runs cases against a device; without a selector all that "
		 "apply.",
	.groups = run_option_groups,
	.exits = "Exit codes: 0 passed, 1 fail, 2 usage or configuration, 3 "
		 "inconclusive, 4 nothing run, 5 harness error, 130 "
		 "interrupted.",
	.run = cmd_run,
};
