/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_sequences.c -- explores with many sequences, or with the
 * one of a log of choices.
 */
#include "cli/explore/explore_sequences.h"

#include <stdio.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/explore/choices_file.h"
#include "cli/explore/explore_boundary.h"
#include "cli/explore/explore_budget.h"
#include "cli/explore/explore_found.h"
#include "cli/explore/explore_json.h"
#include "cli/explore/explore_pool.h"
#include "cli/explore/explore_print.h"
#include "cli/explore/explore_tuples.h"

static int explore_verdict(const struct exploring *e)
{
	const struct explore_totals *n = explore_totals(e->explore);

	if (*e->dut_setup.stop)
		return EXIT_INTERRUPTED;
	if (e->failed)
		return e->failed;
	if (e->lost && !(e->first && e->found))
		return EXIT_HARNESS;
	if (e->found)
		return EXIT_FAILED;
	if (!n->runs || n->runs == n->not_applicable)
		return EXIT_NOTHING;
	return n->passed ? EXIT_PASSED : EXIT_INCONCLUSIVE;
}

static int explore_draw_all(struct exploring *e)
{
	const struct explore_pool_conf pool = {.explore = e->explore,
					       .workers = e->jobs,
					       .goes_on = explore_goes_on,
					       .ctx = e,
					       .stop = e->dut_setup.stop};
	int err = 0;

	if (e->jobs > 1)
		return explore_pool_run(&pool);
	while (!err && explore_goes_on(e, e->explore)) {
		explore_claim(e->explore);
		err = explore_run(e->explore);
	}
	return err;
}

static int explore_reached_json(const struct exploring *e)
{
	const struct explore_json conf = {.seed = e->seed,
					  .device = e->dut_setup.dut.text,
					  .findings = e->found,
					  .subjects = e->conf.subjects,
					  .chairs = e->conf.chairs,
					  .boundary = e->json_boundary};

	return exploring_write_json(e, explore_json(e->explore, &conf));
}

/* Remembers the first failure to write a result. */
static void explore_note(struct exploring *e, int code)
{
	if (!e->failed)
		e->failed = code;
}

int explore_many(struct exploring *e)
{
	const struct text *unsound = &explore_totals(e->explore)->unsound_file;
	int err;

	e->json_boundary = e->json ? json_array() : NULL;
	e->last_run = e->runs;
	err = e->boundary   ? explore_shares(e, explore_boundary_one)
	      : e->strength ? explore_shares(e, explore_cover_one)
			    : explore_draw_all(e);

	if (err == ERR_NOMEM)
		return cli_nomem(e->who);
	if (!err || explore_totals(e->explore)->runs)
		explore_print_summary(e);
	if (explore_totals(e->explore)->unsound && e->out)
		explore_note(e,
			     explore_put_file(e, "discarded", ".lad", unsound));
	if (e->json)
		explore_note(e, explore_reached_json(e));
	return err && !*e->dut_setup.stop ? err : explore_verdict(e);
}

/* Prints the sequence of a log, as a case, and its verdict. */
static void explore_print_one(const struct text *file, enum verdict v,
			      const char *text)
{
	static const char *const words[] = {
		[VERDICT_PASS] = "no failure",
		[VERDICT_FAIL] = "fail",
		[VERDICT_INCONCLUSIVE] = "inconclusive",
		[VERDICT_NA] = "not applicable",
		[VERDICT_ERROR] = "error",
	};

	fputs(text_cstr(file), stdout);
	printf("\n# %s%s%s\n", words[v], *text ? ": " : "", text);
}

static int explore_one_code(const struct exploring *e, enum verdict v)
{
	if (*e->dut_setup.stop)
		return EXIT_INTERRUPTED;
	switch (v) {
	case VERDICT_PASS:
		return EXIT_PASSED;
	case VERDICT_FAIL:
		return EXIT_FAILED;
	case VERDICT_INCONCLUSIVE:
		return EXIT_INCONCLUSIVE;
	case VERDICT_NA:
		return EXIT_NOTHING;
	default:
		return EXIT_HARNESS;
	}
}

int explore_one(struct exploring *e)
{
	enum verdict v = VERDICT_ERROR;
	struct text file = {0};
	char text[300] = "";
	struct choices c;
	int err, code = choices_file_read(e->who, e->replay, &c);

	if (code)
		return code;
	err = explore_replay(e->explore, &c, &file, &v, text);
	if (!err || v == VERDICT_FAIL)
		explore_print_one(&file, v, text);
	text_free(&file);
	if (err)
		return err == ERR_NOMEM ? cli_nomem(e->who) : err;
	return explore_one_code(e, v);
}
