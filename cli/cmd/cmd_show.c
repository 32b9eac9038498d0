/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_show.c -- rung show: prints a case, its requirements, and the
 * ladder of a run against the reference in virtual time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/endpoint.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/privilege.h"
#include "cli/run/dut_setup.h"
#include "cli/select.h"
#include "reports/fold.h"
#include "reports/ladder/ladder.h"
#include "reports/safe.h"
#include "suite/lang/case_section.h"
#include "suite/lang/chair.h"
#include "suite/run/run.h"
#include "suite/run/run_conf.h"
#include "suite/run/run_state.h"

#define WHO "rung show"

struct show {
	const char *cases;
	enum cli_colour_when colour;
	struct dut_setup_conf dut_setup;
	struct variants variants;
	struct run_conf run;
	struct ladder_opts ladder;
	enum family family; /* family of the device */
	struct dut *dut;
	struct runner *runner;
	struct record record;
};

static const struct option_row show_rows[] = {
	{0, "CASE", NULL,
	 "an id, a pattern of ids or a .lad file, as for 'rung run'",
	 .kind = OPTION_KIND_CASES},
	OPTION_ROW_MUTANT(struct show, dut_setup.mutant),
	{0, "decl", "FILE", "configure the reference by this declaration",
	 OPTION_FILE(struct show, dut_setup.decl_path)},
	OPTION_ROW_SEED(struct show, run.seed),
	OPTION_ROW_CASES(struct show, cases),
	{'v', "verbose", NULL, "draw the whole ladder, every field included",
	 OPTION_FLAG(struct show, ladder.verbose)},
	OPTION_ROW_COLOUR(struct show, colour),
	OPTION_END};

static const struct option_group show_groups[] = {{NULL, show_rows, 0},
						  OPTION_GROUPS_END};

#define SHOW_WIDTH 74

static void show_req(const struct req_ref *ref)
{
	const struct req *q = req_get(ref->id);
	const char *at = q->statement;

	printf("  %s/%s (%s)\n", q->id, req_role_name(ref->role),
	       req_level_name(q->level));
	while (*at) {
		const char *next;
		size_t len = safe_wrap(at, SHOW_WIDTH, &next);

		printf("      %.*s\n", (int)len, at);
		at = next;
	}
}

static void show_case(const struct test_case *k, unsigned width)
{
	struct text t = {0}, folded = {0};

	if (!width)
		width = FOLD_WIDTH;
	text_printf(&t, "== %s  (%s)", k->id, k->path);
	fold_text(&folded, text_cstr(&t), width);
	text_clear(&t);
	text_puts(&folded, "\n");
	case_section_text(&t, k);
	fold_case(&folded, text_cstr(&t), width);
	printf("%s\n== Requirements of the head\n\n", text_cstr(&folded));
	text_free(&t);
	text_free(&folded);
	for (size_t i = 0; i < k->ncovers; i++)
		show_req(&k->covers[i]);
}

static int show_ladder(struct show *s, const struct pick *p)
{
	struct text t = {0};

	if (run_case(s->runner, p->test_case, p->chair, &s->run, &s->record))
		return cli_nomem(WHO);
	printf("\n== The reference as %s\n\n", chair_name(p->chair));
	ladder_print(&t, &s->record, &s->ladder);
	fputs(text_cstr(&t), stdout);
	text_free(&t);
	return EXIT_PASSED;
}

static void cmd_show_unseat(struct show *s)
{
	runner_free(s->runner);
	dut_setup_free(s->dut);
	s->runner = NULL;
	s->dut = NULL;
}

/* Makes a reference of the case's family. */
static int cmd_show_dut_setup(struct show *s, const struct test_case *test_case)
{
	const enum family family =
		dut_setup_family(s->dut_setup.decl, test_case);
	int code;

	if (s->dut && s->family == family)
		return 0;
	cmd_show_unseat(s);
	s->family = family;
	code = dut_setup_new(&s->dut_setup, 0, family, &s->dut);
	if (code)
		return code;
	if (runner_new(&s->runner, s->dut, s->dut_setup.decl))
		return cli_nomem(WHO);
	return 0;
}

static int show_selection(struct show *s, const struct selection *selection)
{
	const struct test_case *last = NULL;
	int code = 0;

	for (size_t i = 0; i < selection->n && !code; i++) {
		if (selection->at[i].test_case != last)
			show_case(selection->at[i].test_case, s->ladder.width);
		last = selection->at[i].test_case;
		code = cmd_show_dut_setup(s, last);
		if (!code)
			code = show_ladder(s, &selection->at[i]);
	}
	return code;
}

static int show_seated(struct show *s, const struct selection *selection)
{
	int code = show_selection(s, selection);

	cmd_show_unseat(s);
	record_free(&s->record);
	return code;
}

static int show_with_decl(struct show *s, const struct selection *selection)
{
	struct decl *decl;
	int code;

	code = variants_load(WHO, s->dut_setup.mutant, &s->variants);
	if (code)
		return code;
	s->dut_setup.variants = &s->variants;
	code = endpoint_decl(WHO, s->dut_setup.decl_path, &s->variants, false,
			     &decl);
	if (code)
		return code;
	if (!s->dut_setup.decl_path)
		endpoint_fill_ids(decl);
	s->dut_setup.decl = s->run.decl = decl;
	code = show_seated(s, selection);
	decl_free(decl);
	return code;
}

static int cmd_show(int argc, char **argv)
{
	struct show *s = memory_calloc(1, sizeof(*s));
	struct select_conf select = {0};
	struct corpus *corpus = NULL;
	struct selection selection = {0};
	struct diag diag = {0};
	struct corpus_want want;
	struct operands cases;
	int code, err;

	if (!s)
		return cli_nomem(WHO);
	s->dut_setup.keeps = PRIVILEGE_ALL;
	s->dut_setup.who = WHO;
	s->dut_setup.dut.virtual = true;
	s->run.seed = 1;
	code = option_read(&command_show, argc, argv, s, &cases);
	if (code < 0 && !cases.n)
		code = cli_usage(WHO, "a case is missing");
	if (code < 0) {
		s->ladder.width = cli_width();
		s->ladder.color = cli_use_colour(stdout, s->colour);
		select.selectors = cases.at;
		select.n = cases.n;
		want = (struct corpus_want){.selectors = select.selectors,
					    .n = select.n};
		err = corpus_new(&corpus, s->cases, &want, &diag);
		if (err)
			code = cli_bad_text(WHO, err, &diag);
		else
			code = select_cases(WHO, corpus, &select, &selection);
		if (!code)
			code = show_with_decl(s, &selection);
	}
	selection_free(&selection);
	corpus_free(corpus);
	free(s);
	return code;
}

const struct command command_show = {
	.name = "show",
	.what = "show a case and its packets against the reference",
	.usage = "[OPTION...] CASE...",
	.about = "Shows a case as text, its requirements, and the ladder of a "
		 "run against the reference in virtual time.",
	.groups = show_groups,
	.exits = "Exit codes: 0 shown, also a case that fails, 2 usage or "
		 "configuration, 4 nothing is selected, 5 harness error.",
	.run = cmd_show,
};
