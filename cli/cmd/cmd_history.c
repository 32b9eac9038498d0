/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_history.c -- rung history: keeps the results of many runs and
 * answers questions about them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/history/baseline_file.h"
#include "cli/history/history_print.h"
#include "cli/history/store.h"
#include "cli/history/store_import.h"
#include "cli/option/option_read.h"
#include "reports/html/html_page.h"

#define WHO          "rung history"
#define HISTORY_LAST 20

struct history_options {
	struct store_filter filter;
	bool flakes, vanished, bisect, runs;
	const char *baseline, *html;
};

static const struct option_row history_rows[] = {
	{0, "DB", NULL, "the database; the first import makes it",
	 .kind = OPTION_KIND_OPERAND},
	{0, "DIR", NULL,
	 "folders of 'rung run --out', or results.json files, to import",
	 .kind = OPTION_KIND_OPERAND},
	{0, "flakes", NULL,
	 "list the cases that both passed and failed with the same bench and "
	 "firmware",
	 OPTION_FLAG(struct history_options, flakes)},
	{0, "vanished", NULL,
	 "list the cases that the last run of a bench lacks and the run before "
	 "had; exit code 1 if there are any",
	 OPTION_FLAG(struct history_options, vanished)},
	{0, "baseline", "FILE",
	 "a baseline; its 'expect gone' entries name cases that may vanish",
	 OPTION_FILE(struct history_options, baseline)},
	{0, "case", "ID", "list the results of this case, the latest first",
	 OPTION_TEXT(struct history_options, filter.kase)},
	{0, "bisect", NULL,
	 "find the first firmware with which --case fails; without --case, of "
	 "each case that fails since then",
	 OPTION_FLAG(struct history_options, bisect)},
	{0, "runs", NULL, "list the runs, the latest first",
	 OPTION_FLAG(struct history_options, runs)},
	{0, "bench", "NAME", "count only the runs on this bench (docs/lab.md)",
	 OPTION_TEXT(struct history_options, filter.bench)},
	{0, "last", "N",
	 "count only the last N runs or results (default 20); for --flakes, of "
	 "each bench and firmware",
	 OPTION_NUMBER(struct history_options, filter.last, 1, UINT32_MAX)},
	{0, "html", "FILE",
	 "write a page with runs, flakes, first bad firmware and vanished "
	 "cases; - is standard output",
	 OPTION_FILE(struct history_options, html)},
	OPTION_END};

static const struct option_group history_groups[] = {{NULL, history_rows, 0},
						     OPTION_GROUPS_END};

/* Asks a question and prints the answer. */
static int history_show(struct store *s, const struct history_options *ho,
			store_query_fn *query, const char *title, bool bisect)
{
	struct history_table h = {.n = 0};
	struct text t = {0};
	int code = history_ask(s, query, &ho->filter, &h);

	if (!code) {
		history_text(&t, &h, title);
		if (bisect)
			history_bisection(&t, &h);
		code = cli_write(WHO, "-", &t);
	}
	text_free(&t);
	history_free(&h);
	return code;
}

/* Drops the cases that the baseline lets disappear. */
static int history_ask_vanished(struct store *s,
				const struct history_options *ho,
				struct history_table *ret)
{
	struct baseline *b = NULL;
	int code = baseline_file_read(WHO, ho->baseline, &b);
	size_t kept = 0;

	if (!code)
		code = history_ask(s, store_vanished, &ho->filter, ret);
	for (size_t i = 0; i < ret->n && !code; i++)
		if (!baseline_gone(b, ret->rows[i][0]))
			memmove(ret->rows[kept++], ret->rows[i],
				sizeof(*ret->rows));
	ret->n = kept;
	baseline_free(b);
	return code;
}

static int history_show_vanished(struct store *s,
				 const struct history_options *ho)
{
	struct history_table h = {.n = 0};
	struct text t = {0};
	int code = history_ask_vanished(s, ho, &h);

	if (!code) {
		history_text(&t, &h, "vanished cases");
		code = cli_write(WHO, "-", &t);
	}
	if (!code && h.n)
		code = EXIT_FAILED;
	text_free(&t);
	history_free(&h);
	return code;
}

static int history_page(struct store *s, const struct history_options *ho)
{
	struct history_table runs = {.n = 0}, flakes = {.n = 0};
	struct history_table vanished = {.n = 0}, since = {.n = 0};
	struct text t = {0};
	int code = history_ask(s, store_runs, &ho->filter, &runs);

	if (!code)
		code = history_ask(s, store_flakes, &ho->filter, &flakes);
	if (!code)
		code = history_ask(s, store_regressions, &ho->filter, &since);
	if (!code)
		code = history_ask_vanished(s, ho, &vanished);
	if (!code) {
		html_page_begin(&t, "rung history", "History");
		history_html(&t, &vanished, "Vanished cases");
		history_html(&t, &since, "Failing since a firmware");
		history_html(&t, &flakes, "Flakes");
		history_html(&t, &runs, "Runs");
		html_page_end(&t);
		code = cli_write(WHO, ho->html, &t);
	}
	text_free(&t);
	history_free(&runs);
	history_free(&flakes);
	history_free(&vanished);
	history_free(&since);
	return code;
}

/* Imports the folders.  Nothing more is imported after an error. */
static int history_import(struct store *s, char **dirs, size_t n)
{
	size_t results = 0, runs = 0;
	int code = 0;

	for (size_t i = 0; i < n && !code; i++) {
		size_t got;

		code = store_import(s, dirs[i], &got);
		results += got;
		runs += got > 0;
	}
	if (n)
		fprintf(stderr, "%s: %zu new result%s of %zu run%s\n", WHO,
			results, text_plural(results), runs, text_plural(runs));
	return code;
}

static int history_answer(struct store *s, const struct history_options *ho,
			  bool imported)
{
	int code = 0, vanished = 0;

	if (ho->filter.kase && !ho->bisect && !ho->flakes)
		code = history_show(s, ho, store_case, ho->filter.kase, false);
	if (!code && ho->bisect && ho->filter.kase)
		code = history_show(s, ho, store_bisect, ho->filter.kase, true);
	if (!code && ho->bisect && !ho->filter.kase)
		code = history_show(s, ho, store_regressions,
				    "failing since a firmware", false);
	if (!code && ho->flakes)
		code = history_show(s, ho, store_flakes, "flakes", false);
	if (!code &&
	    (ho->runs || (!imported && !ho->filter.kase && !ho->bisect &&
			  !ho->flakes && !ho->vanished && !ho->html)))
		code = history_show(s, ho, store_runs, "runs", false);
	if (!code && ho->html)
		code = history_page(s, ho);
	if (!code && ho->vanished)
		vanished = history_show_vanished(s, ho);
	return code ? code : vanished;
}

static int cmd_history(int argc, char **argv)
{
	struct history_options ho = {.filter.last = HISTORY_LAST};
	struct store s = {.who = WHO};
	struct operands names;
	int code = option_read(&command_history, argc, argv, &ho, &names);

	if (code >= 0)
		return code;
	if (!names.n)
		return cli_usage(WHO, "the database is missing");
	if (ho.baseline && !ho.vanished && !ho.html)
		return cli_usage(WHO, "--baseline needs --vanished or --html");
	s.path = names.at[0];
	if (names.n == 1 && access(s.path, F_OK)) {
		cli_remark(WHO, s.path, "%s%s", strerror(errno),
			   errno == ENOENT ? "; 'rung history DB DIR' makes it"
					   : "");
		return EXIT_USAGE;
	}
	code = cli_can_write(WHO, ho.html);
	if (!code)
		code = store_open(&s);
	if (!code)
		code = history_import(&s, names.at + 1, names.n - 1);
	if (!code)
		code = history_answer(&s, &ho, names.n > 1);
	store_close(&s);
	return code;
}

const struct command command_history = {
	.name = "history",
	.what = "keep the results of many runs and find what changed",
	.usage = "[OPTION...] DB [DIR...]",
	.about = "Imports runs into a database, which is one file of SQLite, "
		 "and answers questions about all of them: which cases are "
		 "unsteady, since which firmware a case fails, and which cases "
		 "vanished.",
	.groups = history_groups,
	.exits = "Exit codes: 0 done, 1 --vanished found a case, 2 a file is "
		 "no run or no database, 5 the database cannot be read or "
		 "written.",
	.run = cmd_history,
};
