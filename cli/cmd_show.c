/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_show.c -- rung show: a case as text, the requirements it is about,
 * and the ladder that the reference gives, from a run in virtual time.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/mutants.h"
#include "cli/seat.h"
#include "cli/select.h"
#include "reports/ladder.h"
#include "reports/safe.h"
#include "suite/run.h"

#define WHO "rung show"

struct show {
	struct seat_conf seat;
	struct run_conf run;
	struct ladder_opts ladder;
	enum family family; /* of the device */
	struct dut *dut;
	struct runner *runner;
	struct record record;
};

static void help(void)
{
	puts("Usage: rung show [OPTION...] CASE...\n\n"
	     "Shows a case as text, its requirements, and the ladder that the "
	     "reference\n"
	     "gives in virtual time.  CASE is as for 'rung run'.\n\n"
	     "      --mutant NAME  the ladder of a mutant of the reference\n"
	     "      --decl FILE    the reference as this declaration describes "
	     "it\n"
	     "      --seed N       of all that is drawn by chance (default 1)\n"
	     "      --cases DIR    read the cases below DIR, not the built-in "
	     "ones\n"
	     "  -v, --verbose      nothing left out of the ladder\n"
	     "      --color WHEN   auto (default), always or never\n"
	     "  -h, --help         this text");
}

#define SHOW_WIDTH 76

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

static void show_case(const struct kase *k)
{
	printf("== %s  (%s)\n\n%s\n== Requirements of the head\n\n", k->id,
	       k->path, k->text);
	for (size_t i = 0; i < k->ncovers; i++)
		show_req(&k->covers[i]);
}

static int show_ladder(struct show *s, const struct pick *p)
{
	struct text t = {0};

	if (run_case(s->runner, p->kase, p->chair, &s->run, &s->record))
		return cli_nomem(WHO);
	printf("\n== The reference as %s\n\n", chair_name(p->chair));
	ladder_print(&t, &s->record, &s->ladder);
	fputs(text_cstr(&t), stdout);
	text_free(&t);
	return EXIT_PASSED;
}

static void unseat(struct show *s)
{
	runner_free(s->runner);
	if (s->dut)
		s->dut->ops->free(s->dut);
	s->runner = NULL;
	s->dut = NULL;
}

/* A reference of the case's family. */
static int seat(struct show *s, const struct kase *kase)
{
	const enum family family = seat_family(s->seat.decl, kase);
	int code;

	if (s->dut && s->family == family)
		return 0;
	unseat(s);
	s->family = family;
	code = seat_new(&s->seat, 0, family, &s->dut);
	if (code)
		return code;
	return runner_new(&s->runner, s->dut, s->seat.decl) ? cli_nomem(WHO)
							    : 0;
}

static int show_picks(struct show *s, const struct picks *picks)
{
	const struct kase *last = NULL;
	int code = 0;

	for (size_t i = 0; i < picks->n && !code; i++) {
		if (picks->at[i].kase != last)
			show_case(picks->at[i].kase);
		last = picks->at[i].kase;
		code = seat(s, last);
		if (!code)
			code = show_ladder(s, &picks->at[i]);
	}
	return code;
}

static int show_seated(struct show *s, const struct picks *picks)
{
	int code = show_picks(s, picks);

	unseat(s);
	record_free(&s->record);
	return code;
}

static int show(struct show *s, const struct picks *picks)
{
	struct decl *decl;
	int code;

	s->seat.api = &orc_reference;
	if (s->seat.mutant) {
		code = mutant_load(WHO, s->seat.mutant, &s->seat.api);
		if (code)
			return code;
	}
	code = endpoint_decl(WHO, s->seat.decl_path, false, &decl);
	if (code)
		return code;
	s->seat.decl = s->run.decl = decl;
	code = show_seated(s, picks);
	decl_free(decl);
	return code;
}

enum {
	OPT_MUTANT = 256,
	OPT_DECL,
	OPT_SEED,
	OPT_CASES,
	OPT_COLOR,
};

static const struct option longs[] = {
	{"mutant", required_argument, NULL, OPT_MUTANT},
	{"variant", required_argument, NULL, OPT_MUTANT},
	{"decl", required_argument, NULL, OPT_DECL},
	{"seed", required_argument, NULL, OPT_SEED},
	{"cases", required_argument, NULL, OPT_CASES},
	{"verbose", no_argument, NULL, 'v'},
	{"color", required_argument, NULL, OPT_COLOR},
	{"colour", required_argument, NULL, OPT_COLOR},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* Return: -1 go on, else an exit code. */
static int options(int argc, char **argv, struct show *s, const char **cases)
{
	const char *colour = "auto";
	int o;

	while ((o = getopt_long(argc, argv, "hv", longs, NULL)) != -1)
		switch (o) {
		case OPT_MUTANT:
			s->seat.mutant = optarg;
			break;
		case OPT_DECL:
			s->seat.decl_path = optarg;
			break;
		case OPT_SEED:
			if (!cli_number(optarg, UINT64_MAX, &s->run.seed))
				return cli_usage(WHO, "--seed is a number");
			break;
		case OPT_CASES:
			*cases = optarg;
			break;
		case 'v':
			s->ladder.verbose = true;
			break;
		case OPT_COLOR:
			colour = optarg;
			break;
		case 'h':
			help();
			return EXIT_PASSED;
		default:
			return cli_try(WHO);
		}
	if (!cli_colour_word(colour))
		return cli_usage(WHO, "--color is auto, always or never");
	if (optind == argc)
		return cli_usage(WHO, "a case is missing");
	s->ladder.color = cli_colour(stdout, colour);
	return -1;
}

int cmd_show(int argc, char **argv)
{
	struct show *s = calloc(1, sizeof(*s));
	struct select_conf select = {0};
	struct corpus *corpus = NULL;
	struct picks picks = {0};
	struct diag diag = {0};
	const char *cases = NULL;
	struct corpus_want want;
	int code, err;

	if (!s)
		return cli_nomem(WHO);
	s->seat.who = WHO;
	s->seat.dut.virtual = true;
	s->run.seed = 1;
	code = options(argc, argv, s, &cases);
	if (code < 0) {
		select.selectors = argv + optind;
		select.n = (size_t)(argc - optind);
		want = (struct corpus_want){select.selectors, select.n};
		err = corpus_new(&corpus, cases, &want, &diag);
		code = err ? cli_bad_text(WHO, err, &diag)
			   : select_cases(WHO, corpus, &select, &picks);
		if (!code)
			code = show(s, &picks);
	}
	picks_free(&picks);
	corpus_free(corpus);
	free(s);
	return code;
}
