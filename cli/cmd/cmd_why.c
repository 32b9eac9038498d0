/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_why.c -- rung why: from which rung on one failure is inevitable,
 * and which packet decides it.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/endpoint.h"
#include "cli/file/atomic_file.h"
#include "cli/file/bundle.h"
#include "cli/file/file.h"
#include "cli/option/dut_options.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/privilege.h"
#include "cli/run/dut_setup.h"
#include "cli/variants.h"
#include "reports/ladder/ladder.h"
#include "reports/ladder/ladder_svg.h"
#include "reports/safe.h"
#include "suite/explore/why/branch.h"
#include "suite/lang/case_parse.h"
#include "suite/run/run.h"

#define WHO       "rung why"
#define WHY_TRIES 3 /* runs of a branch, at most, until one decides */

struct why {
	const char *html;
	enum cli_colour_when colour;

	const char *dir;
	struct arena arena;
	struct bundle bundle;
	const char *file; /* the text of case.lad */
	enum chair chair;
	char id[160]; /* without chair */

	struct dut_setup_conf dut_setup;
	struct variants variants;
	struct decl *decl;
	struct dut *dut;
	struct runner *runner;
	struct record record; /* of the run that failed */
	struct record branch; /* of the last branch */
	struct branches branches;
	bool cut; /* interrupted before all branches were made */
};

static const struct option_row why_rows[] = {
	{0, "DIR", NULL,
	 "the folder out/cases/ID of a failed case, with replay.json in it",
	 .kind = OPTION_KIND_OPERAND},
	{0, "html", "FILE", "write the ladder and the table as a page",
	 OPTION_FILE(struct why, html)},
	OPTION_ROW_COLOUR(struct why, colour),
	OPTION_END};

static const struct option_group why_groups[] = {
	{NULL, why_rows, 0},
	{"The device", dut_rows, offsetof(struct why, dut_setup)},
	OPTION_GROUPS_END};

/* ---- The case and its device ---- */

/* The fragments that the bundle kept; else those of the program. */
static const char *why_fragment(void *ctx, const char *name,
				const char **ret_path)
{
	struct why *w = ctx;
	const char *text, *kept;
	char path[4096];
	size_t len;

	snprintf(path, sizeof(path), "%s/common/%s.lad", w->dir, name);
	if (file_read(&w->arena, path, &text, &len))
		return cases_builtin(NULL, name, ret_path);
	kept = arena_strndup(&w->arena, path, strlen(path));
	if (!kept)
		return NULL;
	*ret_path = kept;
	return text;
}

static int why_path(const struct why *w, const char *name, char ret[4096])
{
	const int n = snprintf(ret, 4096, "%s/%s", w->dir, name);

	if (n < 0 || n >= 4096)
		return cli_usage(WHO, "%s: the path is too long", w->dir);
	return 0;
}

/* Takes the plain case's id, without its section, and the chair. */
static bool why_id(struct why *w)
{
	const char *at = strrchr(w->bundle.id, '@');
	size_t len = at ? (size_t)(at - w->bundle.id) : 0;
	const size_t more =
		w->bundle.section ? strlen(w->bundle.section) + 1 : 0;

	if (!at)
		return false;
	if (more < len)
		len -= more;
	snprintf(w->id, sizeof(w->id), "%.*s", (int)len, w->bundle.id);
	for (int c = 0; c < CHAIR_COUNT; c++)
		if (strcmp(chair_name((enum chair)c), at + 1) == 0) {
			w->chair = (enum chair)c;
			return true;
		}
	return false;
}

/* Takes the device of the folder, where the user names no other one. */
static int why_takes(struct why *w)
{
	struct dut_setup_conf *conf = &w->dut_setup;
	const bool given = conf->dut.text[0];
	int code = 0;

	if (!given)
		code = dut_options_take_dut(WHO, conf,
					    text_or(w->bundle.dut, "virtual"));
	if (!code && !given && !conf->control_text && w->bundle.control)
		code = dut_options_take_control(WHO, conf, w->bundle.control);
	if (!conf->mutant && dut_options_own(conf))
		conf->mutant = w->bundle.mutant;
	return code;
}

static int why_read(struct why *w)
{
	char path[4096];
	size_t len;
	int code = bundle_read(WHO, w->dir, &w->arena, &w->bundle);

	if (code)
		return code;
	if (!why_id(w))
		return cli_usage(WHO, "%s: no chair in the id %s", w->dir,
				 w->bundle.id);
	code = why_path(w, "case.lad", path);
	if (code)
		return code;
	if (file_read(&w->arena, path, &w->file, &len)) {
		cli_sys(WHO, path);
		return EXIT_USAGE;
	}
	return why_takes(w);
}

/* Sets the path of the folder's declaration, unless the user names one. */
static int why_decl(struct why *w)
{
	char path[4096];
	int code;

	if (w->dut_setup.decl_path)
		return 0;
	code = why_path(w, "device.decl", path);
	if (code)
		return code;
	w->dut_setup.decl_path = arena_strndup(&w->arena, path, strlen(path));
	return w->dut_setup.decl_path ? 0 : cli_nomem(WHO);
}

static int why_device(struct why *w)
{
	int code = why_decl(w);

	if (!code)
		code = variants_load(WHO, w->dut_setup.mutant, &w->variants);
	if (!code)
		code = endpoint_decl(WHO, w->dut_setup.decl_path, &w->variants,
				     !w->dut_setup.dut.virtual, &w->decl);
	w->dut_setup.variants = &w->variants;
	w->dut_setup.decl = w->decl;
	return code;
}

/* Runs a text of the case, and makes the device for its family first. */
static int why_run(struct why *w, const char *text, size_t len,
		   struct test_case **ret_case, struct record *ret)
{
	const struct case_source source = {.id = w->id,
					   .path = "case.lad",
					   .text = text,
					   .len = len,
					   .section = w->bundle.section};
	const struct run_conf conf = {.decl = w->decl,
				      .seed = w->bundle.seed,
				      .repeat = w->bundle.repeat,
				      .timeout = w->bundle.timeout,
				      .strict = w->bundle.strict,
				      .step_over = w->bundle.step_over,
				      .interrupted = w->dut_setup.stop};
	struct diag diag = {0};
	int code = 0, err;

	err = case_parse(ret_case, &source, why_fragment, w, &diag);
	if (err)
		return cli_bad_text(WHO, err, &diag);
	if (!w->runner) {
		code = dut_setup_new(&w->dut_setup, 0,
				     dut_setup_family(w->decl, *ret_case),
				     &w->dut);
		if (!code && runner_new(&w->runner, w->dut, w->decl))
			code = cli_nomem(WHO);
	}
	if (!code && run_case(w->runner, *ret_case, w->chair, &conf, ret))
		code = cli_nomem(WHO);
	return code;
}

static void why_drop_device(struct why *w)
{
	runner_free(w->runner);
	w->runner = NULL;
	dut_setup_free(w->dut);
	w->dut = NULL;
}

/* ---- The branches ---- */

/* Runs the case of a branch, on a new device after one that is gone. */
static int why_branch_run(struct why *w, const struct text *file,
			  enum branch_outcome *ret)
{
	struct test_case *k = NULL;
	int code = why_run(w, text_cstr(file), file->len, &k, &w->branch);

	if (!code)
		*ret = branch_judge(&w->branches, &w->branch);
	if (!code && record_lost(&w->branch))
		why_drop_device(w);
	w->branches.runs++;
	w->branch.test_case = NULL;
	case_free(k);
	return code;
}

static int why_branch(struct why *w, struct branch_rung *rung,
		      enum branch_change change)
{
	enum branch_outcome *ret = &rung->outcome[change];
	struct text line = {0}, file = {0};
	int code = 0;

	branch_line(rung, change, &line);
	if (branch_case(w->file, w->bundle.section, w->chair, text_cstr(&line),
			&file))
		for (int i = 0; i < WHY_TRIES && !code && !*w->dut_setup.stop &&
				*ret == BRANCH_UNDECIDED;
		     i++)
			code = why_branch_run(w, &file, ret);
	text_free(&line);
	text_free(&file);
	return code;
}

static int why_branches(struct why *w)
{
	for (size_t i = 0; i < w->branches.n; i++)
		for (int c = 0; c < BRANCH_CHANGES; c++) {
			const int code = why_branch(w, &w->branches.rungs[i],
						    (enum branch_change)c);

			if (code)
				return code;
			if (*w->dut_setup.stop)
				return EXIT_INTERRUPTED;
		}
	return 0;
}

/* ---- Text and page ---- */

/* The outcomes of a rung as one note: "lost: escapes, doubled: same". */
static void why_note(const struct branch_rung *rung, struct text *t)
{
	for (int c = 0; c < BRANCH_CHANGES; c++)
		text_printf(t, "%s%s: %s", c ? ", " : "",
			    branch_word((enum branch_change)c),
			    branch_outcome_word(rung->outcome[c]));
}

static void why_sentence(const struct why *w, struct text *t)
{
	const struct branches *b = &w->branches;
	const size_t last = branch_deciding(b);
	const char *id = req_get(b->req)->id, *role = req_role_name(b->role);

	if (w->cut) {
		text_puts(t, "Interrupted: the packet that decides is not "
			     "known.");
		return;
	}
	if (last == b->n) {
		text_printf(t,
			    "%s/%s fails in every branch: it is inevitable "
			    "from the beginning.",
			    id, role);
		return;
	}
	text_printf(t, "#%u decides it: a branch at this packet avoids %s/%s. ",
		    b->rungs[last].frame, id, role);
	if (last + 1 < b->n)
		text_printf(t, "From #%u on it is inevitable.",
			    b->rungs[last + 1].frame);
	else
		text_puts(t, "Behind it nothing can be changed any more.");
}

/* Sets the outcomes beside the rungs of the ladder. */
static void why_notes(struct why *w)
{
	for (size_t i = 0; i < w->branches.n; i++) {
		struct text t = {0};

		why_note(&w->branches.rungs[i], &t);
		record_note(&w->record, w->branches.rungs[i].entry,
			    text_cstr(&t));
		text_free(&t);
	}
}

/* Column |c| of the table; the last one has no blanks behind it. */
static void why_cell(struct text *t, int c, const char *word)
{
	text_printf(t, c == BRANCH_CHANGES - 1 ? " %s\n" : " %-9s", word);
}

static void why_table(const struct why *w, struct text *t)
{
	const struct branches *b = &w->branches;

	text_printf(t, "\n%-6s", "rung");
	for (int c = 0; c < BRANCH_CHANGES; c++)
		why_cell(t, c, branch_word((enum branch_change)c));
	for (size_t i = 0; i < b->n; i++) {
		text_printf(t, "#%-5u", b->rungs[i].frame);
		for (int c = 0; c < BRANCH_CHANGES; c++)
			why_cell(t, c,
				 branch_outcome_word(b->rungs[i].outcome[c]));
	}
}

/* Says how many branches have no outcome, which the sentence leaves out. */
static void why_undecided(const struct why *w, struct text *t)
{
	const unsigned n = branch_undecided(&w->branches);

	if (n && !w->cut)
		text_printf(t,
			    "-: undecided, %u branch%s; the machine was busy, "
			    "or the device was gone: run it again\n",
			    n, n == 1 ? "" : "es");
}

static void why_print(struct why *w)
{
	const struct ladder_opts opts = {
		.width = cli_width(),
		.color = cli_use_colour(stdout, w->colour)};
	struct text t = {0};

	ladder_print(&t, &w->record, &opts);
	why_table(w, &t);
	text_printf(&t,
		    "\nsame: %s/%s fails as well; other: another requirement "
		    "fails; escapes: none\n",
		    req_get(w->branches.req)->id,
		    req_role_name(w->branches.role));
	why_undecided(w, &t);
	why_sentence(w, &t);
	text_printf(&t, "\n%u runs\n", w->branches.runs);
	fputs(text_cstr(&t), stdout);
	text_free(&t);
}

static void why_html_table(const struct why *w, struct text *t)
{
	const struct branches *b = &w->branches;

	text_puts(t, "<table><tr><th>rung</th>");
	for (int c = 0; c < BRANCH_CHANGES; c++)
		text_printf(t, "<th>%s</th>",
			    branch_word((enum branch_change)c));
	text_puts(t, "</tr>\n");
	for (size_t i = 0; i < b->n; i++) {
		text_printf(t, "<tr><td><a href=\"#f%u\">#%u</a></td>",
			    b->rungs[i].frame, b->rungs[i].frame);
		for (int c = 0; c < BRANCH_CHANGES; c++) {
			const char *word =
				branch_outcome_word(b->rungs[i].outcome[c]);

			text_printf(t, "<td class=\"%s\">%s</td>", word, word);
		}
		text_puts(t, "</tr>\n");
	}
	text_puts(t, "</table>\n");
}

static int why_page(const struct why *w)
{
	const struct svg_opts svg = {
		.form = SVG_INLINE, .prefix = "", .ladder = {.verbose = true}};
	struct text t = {0};
	int code = 0;

	text_printf(&t,
		    "<!doctype html>\n<meta charset=\"utf-8\">\n"
		    "<title>rung why %s</title>\n<style>\n",
		    w->record.id);
	ladder_svg_style(&t);
	text_puts(&t, "body{font-family:sans-serif;max-width:70em;"
		      "margin:1em auto}td,th{padding:.2em 1em;text-align:left}"
		      "td.same{background:#f6d0d0}td.escapes{background:#d0f0d0"
		      "}\n</style>\n");
	text_printf(&t, "<h1>%s</h1>\n<p>", w->record.id);
	why_sentence(w, &t);
	text_printf(&t, " %u runs.</p>\n", w->branches.runs);
	ladder_svg(&t, &w->record, &svg);
	why_html_table(w, &t);
	if (text_err(&t))
		code = cli_nomem(WHO);
	else if (atomic_write(w->html, text_cstr(&t), t.len))
		code = cli_sys(WHO, w->html);
	text_free(&t);
	return code;
}

/* ---- The run ---- */

/* Runs the case until a run decides. */
static int why_fails(struct why *w, struct test_case **ret)
{
	int code = 0;

	for (int i = 0; i < WHY_TRIES && !code; i++) {
		w->record.test_case = NULL;
		case_free(*ret);
		*ret = NULL;
		code = why_run(w, w->file, strlen(w->file), ret, &w->record);
		if (!code && record_lost(&w->record))
			why_drop_device(w);
		if (!code && *w->dut_setup.stop)
			return EXIT_INTERRUPTED;
		if (w->record.verdict != VERDICT_INCONCLUSIVE)
			break;
	}
	return code;
}

static int why_answer(struct why *w)
{
	struct test_case *k = NULL;
	int code = why_fails(w, &k);

	if (!code && !branch_begin(&w->branches, &w->record)) {
		fprintf(stderr,
			"%s: %s is %s now, so there is nothing to "
			"explain\n",
			WHO, w->bundle.id, verdict_name(w->record.verdict));
		code = EXIT_NOTHING;
	} else if (!code) {
		code = why_branches(w);
		w->cut = code == EXIT_INTERRUPTED;
	}
	if (!code || w->cut) {
		why_notes(w);
		why_print(w);
		if (w->html && why_page(w) && !w->cut)
			code = EXIT_HARNESS;
	}
	w->record.test_case = NULL;
	case_free(k);
	return code;
}

static void why_free(struct why *w)
{
	runner_free(w->runner);
	dut_setup_free(w->dut);
	record_free(&w->record);
	record_free(&w->branch);
	decl_free(w->decl);
	arena_free(&w->arena);
	free(w);
}

static int cmd_why(int argc, char **argv)
{
	struct why *w = memory_calloc(1, sizeof(*w));
	struct operands dirs;
	int code;

	if (!w)
		return cli_nomem(WHO);
	w->dut_setup.who = WHO;
	w->dut_setup.keeps = PRIVILEGE_FILES | PRIVILEGE_AGAIN;
	w->dut_setup.stop = cli_interrupts();
	code = option_read(&command_why, argc, argv, w, &dirs);
	if (code < 0 && dirs.n != 1)
		code = cli_usage(WHO, "one folder of a failed case is needed");
	if (code < 0) {
		w->dir = dirs.at[0];
		code = why_read(w);
		if (!code)
			code = dut_options_check(WHO, &w->dut_setup);
		if (code < 0)
			code = cli_can_write(WHO, w->html);
		if (!code)
			code = why_device(w);
		if (!code) {
			if (!w->dut_setup.privileged)
				privilege_confine();
			code = why_answer(w);
		}
	}
	why_free(w);
	return code;
}

const struct command command_why = {
	.name = "why",
	.what = "find the packet after which a case must fail",
	.usage = "[OPTION...] DIR",
	.about =
		"Repeats a failed case from the folder that 'rung run --out' "
		"kept of it, and makes branches from every rung: the packet is "
		"lost, doubled or delayed, or the tester falls silent behind "
		"it. Prints the ladder with the outcome of each branch beside "
		"its rung, the last packet at which a branch avoids the "
		"failure, and from which rung on it is inevitable. The device "
		"is that of the folder, with its declaration; options of the "
		"device replace it.",
	.groups = why_groups,
	.exits = "Exit codes: 0 the branches were made, 2 usage or "
		 "configuration, 4 the case does not fail any more, 5 harness "
		 "error, 130 interrupted.",
	.run = cmd_why,
};
