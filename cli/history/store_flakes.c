/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/history/store_flakes.c -- finds cases that both passed and failed in the
 * last runs with the same bench and firmware.
 *
 * SQL would sort all results.  This reads the verdicts in the order of an index
 * and counts those of one case at a time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/history/store_query.h"
#include "suite/verdict/verdict.h"

/* A run that counts. */
struct flake_run {
	sqlite3_int64 n;
	size_t group;
	const char *began;
};

/* A bench with a firmware, and the results of one case there. */
struct flake_group {
	const char *bench, *firmware;
	size_t passes, fails;
	const char *failed; /* when the latest failed run began */
};

struct flakes {
	struct arena arena;
	struct flake_run *runs; /* in the order of |n| */
	size_t nruns;
	struct flake_group *groups;
	size_t ngroups;
};

static int flakes_nomem(struct store *s, sqlite3_stmt *q)
{
	sqlite3_finalize(q);
	return cli_nomem(s->who);
}

static const char *flakes_text(struct flakes *f, sqlite3_stmt *q, int column)
{
	const char *s = (const char *)sqlite3_column_text(q, column);

	return arena_strndup(&f->arena, s ? s : "", s ? strlen(s) : 0);
}

/* Makes room for one more element at the powers of two. */
static void *flakes_grow(void *p, size_t n, size_t size)
{
	if (n & (n - 1))
		return p;
	return memory_realloc(p, (n ? 2 * n : 1) * size);
}

/* Adds the run of a row; rows of a group are adjacent. */
static bool flakes_add(struct flakes *f, sqlite3_stmt *q)
{
	const char *bench = flakes_text(f, q, 1);
	const char *firmware = flakes_text(f, q, 2);
	const char *began = flakes_text(f, q, 3);
	struct flake_group *last =
		f->ngroups ? &f->groups[f->ngroups - 1] : NULL;
	void *p;

	if (!bench || !firmware || !began)
		return false;
	if (!last || strcmp(last->bench, bench) != 0 ||
	    strcmp(last->firmware, firmware) != 0) {
		p = flakes_grow(f->groups, f->ngroups, sizeof(*f->groups));
		if (!p)
			return false;
		f->groups = p;
		f->groups[f->ngroups++] = (struct flake_group){
			.bench = bench, .firmware = firmware};
	}
	p = flakes_grow(f->runs, f->nruns, sizeof(*f->runs));
	if (!p)
		return false;
	f->runs = p;
	f->runs[f->nruns++] =
		(struct flake_run){.n = sqlite3_column_int64(q, 0),
				   .group = f->ngroups - 1,
				   .began = began};
	return true;
}

static int flake_run_order(const void *a, const void *b)
{
	const struct flake_run *x = a, *y = b;

	return (x->n > y->n) - (x->n < y->n);
}

/* Reads the last runs of each group. */
static int flakes_read_runs(struct store *s, const struct store_filter *filter,
			    struct flakes *f)
{
	sqlite3_stmt *q = NULL;
	int code = store_prepare(
		s,
		"SELECT n, bench, firmware, began FROM (SELECT *, row_number()"
		"  OVER (PARTITION BY bench, firmware ORDER BY began DESC,"
		"  n DESC) AS place FROM run WHERE ?1 IS NULL OR bench = ?1)"
		" WHERE place <= ?2 ORDER BY bench, firmware",
		&q);
	int step = SQLITE_DONE;

	if (code)
		return code;
	sqlite3_bind_text(q, 1, filter->bench, -1, SQLITE_STATIC);
	sqlite3_bind_int64(q, 2, filter->last);
	while ((step = sqlite3_step(q)) == SQLITE_ROW)
		if (!flakes_add(f, q))
			return flakes_nomem(s, q);
	if (step != SQLITE_DONE)
		code = store_error(s);
	sqlite3_finalize(q);
	if (f->nruns)
		qsort(f->runs, f->nruns, sizeof(*f->runs), flake_run_order);
	return code;
}

/* Counts a verdict of the present case. */
static void flakes_count(struct flakes *f, sqlite3_int64 run, int verdict)
{
	const struct flake_run key = {.n = run};
	const struct flake_run *r = NULL;
	struct flake_group *g;

	if (f->nruns)
		r = bsearch(&key, f->runs, f->nruns, sizeof(*f->runs),
			    flake_run_order);
	if (!r)
		return;
	g = &f->groups[r->group];
	if (verdict == VERDICT_PASS)
		g->passes++;
	if (verdict != VERDICT_FAIL)
		return;
	g->fails++;
	if (!g->failed || strcmp(g->failed, r->began) < 0)
		g->failed = r->began;
}

/* Finds the id of a case, and gives its flakes. */
static int flakes_give(struct store *s, struct flakes *f, sqlite3_int64 kase,
		       struct store_answer *a)
{
	sqlite3_stmt *q = NULL;
	int code = 0;

	for (size_t i = 0; i < f->ngroups && !code; i++) {
		struct flake_group *g = &f->groups[i];
		char passes[24], fails[24];

		if (g->passes && g->fails && !q) {
			code = store_prepare(
				s, "SELECT id FROM kase WHERE n = ?", &q);
			if (code)
				break;
			sqlite3_bind_int64(q, 1, kase);
			sqlite3_step(q);
		}
		if (g->passes && g->fails) {
			const char *id =
				(const char *)sqlite3_column_text(q, 0);
			const char *values[STORE_COLUMNS] = {
				id ? id : "", g->bench, g->firmware,
				passes,       fails,    g->failed};

			snprintf(passes, sizeof(passes), "%zu", g->passes);
			snprintf(fails, sizeof(fails), "%zu", g->fails);
			code = a->row(a->ctx, values);
		}
		g->passes = g->fails = 0;
		g->failed = NULL;
	}
	sqlite3_finalize(q);
	return code;
}

static int flakes_read_results(struct store *s,
			       const struct store_filter *filter,
			       struct flakes *f, struct store_answer *a)
{
	sqlite3_int64 kase = 0;
	sqlite3_stmt *q = NULL;
	int step = SQLITE_DONE;
	int code = store_prepare(
		s,
		filter->kase ? "SELECT kase, run, verdict FROM result WHERE"
			       " kase = (SELECT n FROM kase WHERE id = ?1)"
			     : "SELECT kase, run, verdict FROM result"
			       " ORDER BY kase, run",
		&q);

	if (!code && filter->kase)
		sqlite3_bind_text(q, 1, filter->kase, -1, SQLITE_STATIC);
	while (!code && (step = sqlite3_step(q)) == SQLITE_ROW) {
		const sqlite3_int64 next = sqlite3_column_int64(q, 0);

		if (next != kase)
			code = flakes_give(s, f, kase, a);
		kase = next;
		flakes_count(f, sqlite3_column_int64(q, 1),
			     sqlite3_column_int(q, 2));
	}
	if (!code && step != SQLITE_DONE)
		code = store_error(s);
	if (!code)
		code = flakes_give(s, f, kase, a);
	sqlite3_finalize(q);
	return code;
}

int store_flakes(struct store *s, const struct store_filter *filter,
		 struct store_answer *a)
{
	static const char *const heads[] = {"case",   "bench", "firmware",
					    "passes", "fails", "last fail",
					    NULL};
	struct flakes f = {.nruns = 0};
	int code = flakes_read_runs(s, filter, &f);

	a->heads = heads;
	if (!code)
		code = flakes_read_results(s, filter, &f, a);
	free(f.runs);
	free(f.groups);
	arena_free(&f.arena);
	return code;
}
