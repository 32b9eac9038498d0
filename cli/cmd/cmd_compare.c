/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_compare.c -- rung compare: shows what changed between two runs.
 */
#include <errno.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/file/results_file.h"
#include "cli/history/baseline_file.h"
#include "cli/option/option_read.h"
#include "reports/compare/compare.h"
#include "reports/compare/compare_print.h"
#include "reports/fold.h"

#define WHO "rung compare"

struct compare_conf {
	const char *a, *b;
	const char *json, *html; /* file, "-" or NULL */
	const char *baseline;
};

static const struct option_row compare_rows[] = {
	{0, "A, B", NULL, "folders of 'rung run --out', or results.json files",
	 .kind = OPTION_KIND_OPERAND},
	{0, "json", "FILE",
	 "write JSON to FILE; - is standard output, in place of the text",
	 OPTION_FILE(struct compare_conf, json)},
	{0, "html", "FILE",
	 "write a page to FILE; - is standard output, in place of the text",
	 OPTION_FILE(struct compare_conf, html)},
	{0, "baseline", "FILE",
	 "a baseline; its 'expect gone' entries name cases that B may lack",
	 OPTION_FILE(struct compare_conf, baseline)},
	OPTION_END};

static const struct option_group compare_groups[] = {{NULL, compare_rows, 0},
						     OPTION_GROUPS_END};

static bool cmd_compare_is_stdout(const char *name)
{
	return name && strcmp(name, "-") == 0;
}

/* Prints the text, as wide as the terminal. */
static int cmd_compare_put_text(const struct compare *c)
{
	const unsigned width = cli_width();
	struct text t = {0}, folded = {0};
	int code;

	compare_text(&t, c);
	fold_text(&folded, text_cstr(&t), width ? width : FOLD_WIDTH);
	folded.failed |= t.failed;
	code = cli_write(WHO, "-", &folded);
	text_free(&folded);
	text_free(&t);
	return code;
}

static int cmd_compare_print(const struct compare_conf *conf,
			     const struct compare *c)
{
	struct text t = {0};
	int code = 0;

	if (conf->json) {
		if (compare_json(&t, c))
			t.failed = true;
		code = cli_write(WHO, conf->json, &t);
	}
	text_clear(&t);
	if (!code && conf->html) {
		compare_html(&t, c);
		code = cli_write(WHO, conf->html, &t);
	}
	text_free(&t);
	if (!code && !cmd_compare_is_stdout(conf->json) &&
	    !cmd_compare_is_stdout(conf->html))
		code = cmd_compare_put_text(c);
	return code;
}

/*
 * One of the two results, read in a separate thread, since large ones take
 * long.
 */
struct loading {
	const char *name;
	struct results *results;
	int code;
};

static void *load_one(void *arg)
{
	struct loading *l = arg;

	l->code = results_load(WHO, l->name, &l->results);
	return NULL;
}

/* Return: 0, or the exit code of the first one that cannot be read. */
static int load_both(const struct compare_conf *conf, struct results **ret_a,
		     struct results **ret_b)
{
	struct loading a = {.name = conf->a}, b = {.name = conf->b};
	pthread_t thread;
	const bool alone = pthread_create(&thread, NULL, load_one, &b) != 0;

	load_one(&a);
	if (alone)
		load_one(&b);
	else
		pthread_join(thread, NULL);
	*ret_a = a.results;
	*ret_b = b.results;
	if (a.code)
		return a.code;
	return b.code;
}

/* Names the cases that B lacks, although no entry of the baseline says so. */
static int compare_gone(const struct baseline *b, const struct compare *c)
{
	int code = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct compare_case *k = &c->cases[i];

		if (k->what != COMPARE_REMOVED || baseline_gone(b, k->id))
			continue;
		cli_remark(WHO, k->id,
			   "gone: 'expect gone' in a baseline permits it");
		code = EXIT_FAILED;
	}
	return code;
}

static int compare_results(const struct compare_conf *conf)
{
	struct results *a = NULL, *b = NULL;
	struct compare *c = NULL;
	struct baseline *baseline = NULL;
	int code;

	json_object_seed(0); /* before two threads would do it */
	code = load_both(conf, &a, &b);
	if (!code)
		code = cli_can_write(WHO, conf->json);
	if (!code)
		code = cli_can_write(WHO, conf->html);
	if (!code)
		code = baseline_file_read(WHO, conf->baseline, &baseline);
	if (!code && compare_new(&c, a, b))
		code = cli_nomem(WHO);
	if (!code)
		code = cmd_compare_print(conf, c);
	if (!code)
		code = compare_gone(baseline, c);
	if (!code && c->count[COMPARE_BROKEN])
		code = EXIT_FAILED;
	compare_free(c);
	baseline_free(baseline);
	results_free(a);
	results_free(b);
	return code;
}

static int cmd_compare(int argc, char **argv)
{
	struct compare_conf conf = {0};
	struct operands runs;
	int code = option_read(&command_compare, argc, argv, &conf, &runs);

	if (code >= 0)
		return code;
	if (runs.n != 2)
		return cli_usage(WHO, "two runs are needed, before and after");
	if (cmd_compare_is_stdout(conf.json) &&
	    cmd_compare_is_stdout(conf.html))
		return cli_usage(WHO, "only one of --json - and --html -");
	conf.a = runs.at[0];
	conf.b = runs.at[1];
	return compare_results(&conf);
}

const struct command command_compare = {
	.name = "compare",
	.what = "say what changed from one run to another",
	.usage = "[OPTION...] A B",
	.about = "Says what changed from one run to another, such as from one "
		 "firmware to the next: new failures, fixed failures, and "
		 "times that changed by more than noise.",
	.groups = compare_groups,
	.exits = "Exit codes: 0 no new failure, 1 new failures, or B lacks a "
		 "case and no baseline permits it, 2 usage, or a file that "
		 "cannot be read, 5 a result that could not be written.",
	.run = cmd_compare,
};
