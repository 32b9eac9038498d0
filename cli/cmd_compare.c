/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_compare.c -- rung compare: what changed from one run to another.
 */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/file.h"
#include "cli/whole.h"
#include "reports/compare.h"

#define WHO "rung compare"

struct compare_conf {
	const char *a, *b;
	const char *json, *html; /* file, "-" or NULL */
};

static void help(void)
{
	puts("Usage: rung compare [OPTION...] A B\n\n"
	     "Says what changed from one run to another, firmware N and N+1: "
	     "new failures,\nwhat is fixed, and times that changed beyond "
	     "noise.\n\n"
	     "  A, B         folders of 'rung run --out', or results.json "
	     "files\n"
	     "  --json FILE  as JSON; - is standard output, in place of the "
	     "text\n"
	     "  --html FILE  as a page; - is standard output, in place of the "
	     "text\n"
	     "  -h, --help   this text\n\n"
	     "Exit codes: 0 no new failure, 1 new failures, 2 usage, or a file "
	     "that cannot be\nread, 5 a result that could not be written.");
}

/* Results of a folder, or of a file.  Return: 0 or an exit code. */
static int load(const char *name, struct results **ret)
{
	struct arena a = {0};
	struct diag diag = {0};
	struct stat st;
	char path[4096];
	const char *text;
	size_t len;
	int err;

	snprintf(path, sizeof(path), "%s%s", name,
		 stat(name, &st) == 0 && S_ISDIR(st.st_mode) ? "/results.json"
							     : "");
	err = file_read_most(&a, path, FILE_RESULTS, &text, &len);
	if (err == ERR_SYS) {
		cli_sys(WHO, path);
		return EXIT_USAGE;
	}
	if (!err)
		err = results_parse(ret, path, text, len, &diag);
	arena_free(&a);
	return err ? cli_bad_text(WHO, err, &diag) : 0;
}

static int put(const char *name, const struct text *t)
{
	if (text_err(t))
		return cli_nomem(WHO);
	if (whole_write(name, text_cstr(t), t->len))
		return cli_sys(WHO, name);
	return 0;
}

static bool is_stdout(const char *name)
{
	return name && strcmp(name, "-") == 0;
}

static int print(const struct compare_conf *conf, const struct compare *c)
{
	struct text t = {0};
	int code = 0;

	if (conf->json) {
		if (compare_json(&t, c))
			t.failed = true;
		code = put(conf->json, &t);
	}
	text_clear(&t);
	if (!code && conf->html) {
		compare_html(&t, c);
		code = put(conf->html, &t);
	}
	text_clear(&t);
	if (!code && !is_stdout(conf->json) && !is_stdout(conf->html)) {
		compare_text(&t, c);
		code = put("-", &t);
	}
	text_free(&t);
	return code;
}

/* One of the two, read in a thread of its own: large ones take a while. */
struct loading {
	const char *name;
	struct results *results;
	int code;
};

static void *load_one(void *arg)
{
	struct loading *l = arg;

	l->code = load(l->name, &l->results);
	return NULL;
}

/* Return: 0 or the exit code of the first that cannot be read. */
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
	return a.code ? a.code : b.code;
}

static int compare(const struct compare_conf *conf)
{
	struct results *a = NULL, *b = NULL;
	struct compare *c = NULL;
	int code;

	json_object_seed(0); /* before two threads want it */
	code = load_both(conf, &a, &b);
	if (!code && compare_new(&c, a, b))
		code = cli_nomem(WHO);
	if (!code)
		code = print(conf, c);
	if (!code && c->count[COMPARE_BROKEN])
		code = EXIT_FAILED;
	compare_free(c);
	results_free(a);
	results_free(b);
	return code;
}

int cmd_compare(int argc, char **argv)
{
	static const struct option longs[] = {
		{"json", required_argument, NULL, 'j'},
		{"html", required_argument, NULL, 'm'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	struct compare_conf conf = {0};
	int o;

	while ((o = getopt_long(argc, argv, "h", longs, NULL)) != -1)
		switch (o) {
		case 'j':
			conf.json = optarg;
			break;
		case 'm':
			conf.html = optarg;
			break;
		case 'h':
			help();
			return EXIT_PASSED;
		default:
			return cli_try(WHO);
		}
	if (argc - optind != 2)
		return cli_usage(WHO, "two runs are wanted, before and after");
	if (is_stdout(conf.json) && is_stdout(conf.html))
		return cli_usage(WHO, "only one of --json - and --html -");
	conf.a = argv[optind];
	conf.b = argv[optind + 1];
	return compare(&conf);
}
