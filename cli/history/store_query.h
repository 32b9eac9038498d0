/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/history/store_query.h -- the questions that 'rung history' answers.
 *
 * Each function calls |row| for each answer, in order.  A row is a table of
 * texts, which are lent for the call.
 */
#ifndef CLI_HISTORY_STORE_QUERY_H
#define CLI_HISTORY_STORE_QUERY_H

#include "cli/history/store.h"

#define STORE_COLUMNS 8 /* most columns of an answer */

/* The bench, the case and the runs that a question is about. */
struct store_filter {
	const char *bench; /* NULL: all benches */
	const char *kase;  /* the id of a case */
	unsigned last;     /* runs that count */
};

struct store_answer {
	/* headings of the columns; NULL behind the last one */
	const char *const *heads;
	int (*row)(void *ctx, const char *const values[STORE_COLUMNS]);
	void *ctx;
};

/*
 * store_flakes gives the cases that both passed and failed in the last runs
 * with the same bench and firmware.  store_case gives the results of a case,
 * the latest first.  store_vanished gives the cases that the last run of a
 * bench lacks and the run before it had.  store_runs gives the last runs.
 * store_bisect gives the firmware versions in order, with the results of a
 * case: "good", "bad", "flaky" or "untested".  store_regressions gives each
 * case that failed since the last firmware in which it passed only, with the
 * first of these versions and that last one.
 *
 * Return: 0; what |row| returned; an exit code after a message.
 */
typedef int store_query_fn(struct store *s, const struct store_filter *f,
			   struct store_answer *a);

store_query_fn store_flakes, store_case, store_vanished, store_runs,
	store_bisect, store_regressions;

#endif
