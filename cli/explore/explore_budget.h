/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_budget.h -- when an exploration ends, and which share of
 * --budget and --runs each transport has.
 */
#ifndef CLI_EXPLORE_EXPLORE_BUDGET_H
#define CLI_EXPLORE_EXPLORE_BUDGET_H

#include "cli/explore/exploring.h"

/*
 * explore_goes_on returns true if a worker makes another run, and shows the
 * progress.  It is the |goes_on| of struct explore_pool_conf; |ctx| is the
 * struct exploring.
 */
bool explore_goes_on(void *ctx, const struct explore *worker);

/*
 * explore_late returns true if --budget ended so long ago that a reduction
 * ends as well.  It is the |late| of struct explore_conf; |ctx| is the struct
 * exploring.
 */
bool explore_late(void *ctx);

/*
 * explore_share_end returns the end of one of |left| shares of the time of
 * --budget from now.
 */
double explore_share_end(const struct exploring *e, unsigned left);

/*
 * explore_shares calls |fn| with each transport and chair, until one fails.
 * They share the time of --budget and the sequences of --runs: what one leaves,
 * the later ones have.
 * Return: what |fn| returned last; 0: there was nothing to call.
 */
int explore_shares(struct exploring *e,
		   int (*fn)(struct exploring *e, enum draft_subject s,
			     enum chair chair));

#endif
