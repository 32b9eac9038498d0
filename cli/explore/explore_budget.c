/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_budget.c -- when an exploration ends, and the share of
 * each transport.
 */
#include "cli/explore/explore_budget.h"

#include <stdio.h>

#include "cli/explore/explore_print.h"

#define EXPLORE_GONE   5  /* runs in a row without a device */
#define EXPLORE_GRACE  10 /* seconds of a reduction after --budget, at least */
#define EXPLORE_GRACES 4  /* part of --budget that it may go on */

bool explore_goes_on(void *ctx, const struct explore *worker)
{
	struct exploring *e = ctx;
	const struct explore_totals *n = explore_totals(e->explore);
	const double now = exploring_elapsed(e);

	explore_print_progress(e, now);
	if (*e->dut_setup.stop || e->failed || (e->first && e->found))
		return false;
	if (explore_gone_runs(worker) >= EXPLORE_GONE) {
		if (!e->lost)
			fprintf(stderr, "%s: the device does not come back\n",
				e->who);
		e->lost = true;
		return false;
	}
	if (e->runs && n->begun >= e->last_run)
		return false;
	if (e->end > 0 && now >= e->end)
		return false;
	return !e->budget || now * 1e9 < (double)e->budget;
}

bool explore_late(void *ctx)
{
	const struct exploring *e = ctx;
	const double budget = (double)e->budget / 1e9;
	const double grace = budget / EXPLORE_GRACES;

	return e->budget &&
	       exploring_elapsed(e) >
		       budget + (grace > EXPLORE_GRACE ? grace : EXPLORE_GRACE);
}

/* Returns the end of one of |left| shares of what --runs leaves. */
static uint64_t explore_share_runs(const struct exploring *e, unsigned left)
{
	const uint64_t begun = explore_totals(e->explore)->begun;
	const uint64_t more = begun < e->runs ? e->runs - begun : 0;

	return begun + more / left + (more % left != 0);
}

double explore_share_end(const struct exploring *e, unsigned left)
{
	const double now = exploring_elapsed(e);

	return now + ((double)e->budget / 1e9 - now) / left;
}

int explore_shares(struct exploring *e,
		   int (*fn)(struct exploring *e, enum draft_subject s,
			     enum chair chair))
{
	unsigned left = (unsigned)__builtin_popcount(e->conf.subjects) *
			(unsigned)__builtin_popcount(e->conf.chairs);
	int err = 0;

	for (int s = 0; s < DRAFT_SUBJECTS && !err; s++)
		for (int c = 0; c < CHAIR_COUNT && !err; c++) {
			if (!(e->conf.subjects >> s & 1) ||
			    !(e->conf.chairs >> c & 1))
				continue;
			if (e->budget)
				e->end = explore_share_end(e, left);
			e->last_run = explore_share_runs(e, left);
			left--;
			err = fn(e, (enum draft_subject)s, (enum chair)c);
		}
	return err;
}
