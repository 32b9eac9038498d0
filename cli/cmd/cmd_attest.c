/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_attest.c -- rung attest: fills a checklist in from a run, with
 * links to the files that show each verdict.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/file/file.h"
#include "cli/file/folder.h"
#include "cli/file/folder_read.h"
#include "cli/file/manifest.h"
#include "cli/option/option_read.h"
#include "cli/pack/evidence.h"
#include "cli/pack/package.h"
#include "cli/run/output.h"
#include "reports/format/checklist.h"
#include "reports/html/html_page.h"
#include "reports/safe.h"
#include "reports/triage/explain.h"

#define WHO "rung attest"

struct attest_options {
	const char *map, *csv, *html, *base;
	const char *out; /* the folder of the run */
};

struct attest {
	const struct attest_options *o;
	int dir; /* the open folder */
	struct manifest run;
	bool packed; /* the folder is a package whose files are unchanged */
	char pack[SHA256_HEX]; /* digest of its pack.json */
	struct arena arena;
	struct summary *summary;
	struct text csv;
	size_t rows[CHECKLIST_VERDICTS];
};

static const struct option_row attest_rows[] = {
	{0, "DIR", NULL,
	 "the folder that 'rung run --out DIR' wrote, or a package of 'rung "
	 "pack'",
	 .kind = OPTION_KIND_OPERAND},
	{0, "map", "FILE",
	 "the checklist: CSV whose column 'requirements' or 'cases' says what "
	 "each item rests on",
	 OPTION_FILE(struct attest_options, map)},
	{0, "csv", "FILE",
	 "write the filled checklist to FILE (default: standard output)",
	 OPTION_FILE(struct attest_options, csv)},
	{0, "html", "FILE",
	 "write the filled checklist as a page with links; - is standard "
	 "output, in place of the CSV",
	 OPTION_FILE(struct attest_options, html)},
	{0, "base", "URL",
	 "what links begin with: where the package will be (default: DIR)",
	 OPTION_TEXT(struct attest_options, base)},
	OPTION_END};

static const struct option_group attest_groups[] = {{NULL, attest_rows, 0},
						    OPTION_GROUPS_END};

/* ---- The run ---- */

/* Takes result |at| into the summary.  A missing result is left out. */
static int attest_take(struct attest *t, size_t at)
{
	uint32_t repeat;
	const char *id = manifest_id(&t->run, at, &repeat);
	char place[FOLDER_NAME], capture[FOLDER_NAME];
	struct record r = {0};
	struct diag diag = {0};
	int err =
		folder_recall(t->dir, t->run.about.run, id, repeat, &r, &diag);
	int code = 0;

	if (err == ERR_SYS) {
		fprintf(stderr, "%s: %s: %s has no result\n", WHO, t->o->out,
			id);
	} else if (err == ERR_SYNTAX || (!err && *diag.text)) {
		fprintf(stderr, "%s: %s/%s: %s\n", WHO, t->o->out, diag.file,
			diag.text);
		code = EXIT_HARNESS;
	} else if (!err) {
		folder_place(id, repeat, place);
		snprintf(capture, sizeof(capture), "%.4000s/capture.pcapng",
			 place);
		err = summary_add(t->summary, &r, capture);
	}
	record_free(&r);
	return err == ERR_NOMEM ? cli_nomem(WHO) : code;
}

static int attest_summarize(struct attest *t)
{
	int code = 0;

	if (summary_new(&t->summary, t->run.about.strict))
		return cli_nomem(WHO);
	for (size_t at = 0; at < t->run.total && !code; at++)
		code = attest_take(t, at);
	if (code)
		return code;
	summary_sort(t->summary);
	return summary_explain(t->summary) ? cli_nomem(WHO) : 0;
}

/* Checks that the files of a package are those of its manifest. */
static int attest_check_package(struct attest *t)
{
	struct package p = {
		.who = WHO, .out = t->o->out, .dir = t->dir, .run = &t->run};
	const char *text;
	size_t len;
	int code, err;

	if (!package_is(t->dir))
		return 0;
	code = package_check_files(&p);
	if (!code && p.faults) {
		fprintf(stderr, "%s: %s: the package has %zu fault%s\n", WHO,
			t->o->out, p.faults, text_plural(p.faults));
		code = EXIT_HARNESS;
	}
	package_free(&p);
	if (code)
		return code;
	err = folder_read(&t->arena, t->dir, PACK_MANIFEST, &text, &len);
	if (err == ERR_SYS)
		return cli_sys(WHO, PACK_MANIFEST);
	if (err || sha256_hex(text, len, t->pack))
		return cli_nomem(WHO);
	t->packed = true;
	return 0;
}

/* ---- The list ---- */

static int attest_fill(struct attest *t)
{
	struct about about = t->run.about;
	struct diag diag = {0};
	const char *text;
	size_t len;
	int err = file_read(&t->arena, t->o->map, &text, &len);

	if (err == ERR_SYS) {
		cli_sys(WHO, t->o->map);
		return EXIT_USAGE;
	}
	about.out = t->o->base ? t->o->base : t->o->out;
	if (!err)
		err = checklist_fill(&t->csv, t->o->map, text, len, t->summary,
				     &about, t->rows, &diag);
	return err ? cli_bad_text(WHO, err, &diag) : 0;
}

/* Returns what a reader may conclude from the run. */
static const char *attest_claim(const struct attest *t)
{
	if (t->packed && evidence_claimed(&t->run))
		return EVIDENCE_SAYS;
	return EVIDENCE_LESS;
}

static void attest_html_line(struct text *page, const char *name,
			     const char *value)
{
	if (!value || !*value)
		return;
	text_printf(page, "<tr><th>%s<td>", name);
	safe_xml(page, value);
	text_puts(page, "\n");
}

/* The run, and what a reader may conclude from it. */
static void attest_html_head(struct text *page, const struct attest *t)
{
	const struct about *a = &t->run.about;

	text_puts(page, "<table>\n");
	attest_html_line(page, "device", about_device(a));
	attest_html_line(page, "release", a->decl ? a->decl->release : NULL);
	attest_html_line(page, "firmware", a->bench.firmware);
	attest_html_line(page, "run", a->run);
	attest_html_line(page, "date", a->date);
	attest_html_line(page, "operator", a->operator);
	attest_html_line(page, "rung", a->version);
	attest_html_line(page, "commit", a->commit);
	attest_html_line(page, "SHA-256 of pack.json", t->pack);
	text_puts(page, "</table>\n<p>");
	safe_xml(page, attest_claim(t));
	text_puts(page, "</p>\n<p>");
	for (int v = 0; v < CHECKLIST_VERDICTS; v++)
		text_printf(page, "%s%zu %s", v ? ", " : "", t->rows[v],
			    checklist_verdict_name((enum checklist_verdict)v));
	text_puts(page, "</p>\n");
}

static int attest_html(struct text *page, const struct attest *t)
{
	html_page_begin(page, "Checklist", "Checklist");
	attest_html_head(page, t);
	if (checklist_html(page, text_cstr(&t->csv), t->csv.len))
		page->failed = true;
	html_page_end(page);
	return text_err(page);
}

static int attest_write(const struct attest *t)
{
	const char *html = t->o->html, *csv = t->o->csv;
	struct text page = {0};
	int code = 0;

	if (!csv && (!html || strcmp(html, "-") != 0))
		csv = "-";
	if (csv)
		code = cli_write(WHO, csv, &t->csv);
	if (!code && html) {
		if (attest_html(&page, t))
			page.failed = true;
		code = cli_write(WHO, html, &page);
	}
	text_free(&page);
	return code;
}

static void attest_say(const struct attest *t)
{
	fprintf(stderr, "%s: ", WHO);
	for (int v = 0; v < CHECKLIST_VERDICTS; v++)
		fprintf(stderr, "%s%zu %s", v ? ", " : "", t->rows[v],
			checklist_verdict_name((enum checklist_verdict)v));
	fprintf(stderr, "\n%s: %s\n", WHO, attest_claim(t));
	if (t->packed)
		fprintf(stderr,
			"%s: 'rung verify %s' computes the verdicts again\n",
			WHO, t->o->out);
}

static int attest_exit(const struct attest *t)
{
	if (t->rows[CHECKLIST_FAIL])
		return EXIT_FAILED;
	if (t->rows[CHECKLIST_PARTIAL] || t->rows[CHECKLIST_UNTESTED])
		return EXIT_INCONCLUSIVE;
	return t->rows[CHECKLIST_PASS] ? EXIT_PASSED : EXIT_NOTHING;
}

static int attest_run(struct attest *t)
{
	int code = attest_check_package(t);

	if (!code)
		code = cli_can_write(WHO, t->o->csv);
	if (!code)
		code = cli_can_write(WHO, t->o->html);
	if (!code)
		code = attest_summarize(t);
	if (!code)
		code = attest_fill(t);
	if (!code)
		code = attest_write(t);
	if (code)
		return code;
	attest_say(t);
	return attest_exit(t);
}

static int attest_folder(struct attest *t)
{
	bool none = false;
	int code;

	if (folder_open(t->o->out, &t->dir)) {
		output_folder_error(WHO, t->o->out);
		return EXIT_USAGE;
	}
	code = manifest_read(WHO, t->dir, t->o->out, &t->run, &none);
	if (!code && none)
		code = cli_usage(
			WHO, "%s: no run has begun here: there is no " MANIFEST,
			t->o->out);
	if (!code)
		code = attest_run(t);
	summary_free(t->summary);
	text_free(&t->csv);
	arena_free(&t->arena);
	manifest_free(&t->run);
	folder_close(t->dir);
	return code;
}

static int cmd_attest(int argc, char **argv)
{
	struct attest_options o = {0};
	struct attest t = {.o = &o, .dir = -1};
	struct operands dirs;
	int code = option_read(&command_attest, argc, argv, &o, &dirs);

	if (code < 0)
		code = operands_folder(WHO, &dirs, &o.out);
	if (code >= 0)
		return code;
	if (!o.map)
		return cli_usage(WHO, "--map FILE is missing");
	if (o.csv && o.html && !strcmp(o.csv, "-") && !strcmp(o.html, "-"))
		return cli_usage(WHO, "only one of --csv - and --html -");
	return attest_folder(&t);
}

const struct command command_attest = {
	.name = "attest",
	.what = "fill a checklist in from a run, with links to the evidence",
	.usage = "--map FILE [OPTION...] DIR",
	.about = "Fills in a checklist of your own or of another party: the "
		 "verdict of each item, by the requirements and cases that the "
		 "item names, and links to the captures that show it. The "
		 "files of a package must be those of its manifest.",
	.groups = attest_groups,
	.exits = "Exit codes: 0 no item failed or stayed open, 1 an item "
		 "failed, 2 usage, or a list that cannot be read, 3 an item is "
		 "partial or untested, 4 no item was decided, 5 the package or "
		 "a result is damaged.",
	.run = cmd_attest,
};
