/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/trial/reduce.h -- reduces a log of choices to a shorter one
 * with the same finding.
 */
#ifndef SUITE_EXPLORE_TRIAL_REDUCE_H
#define SUITE_EXPLORE_TRIAL_REDUCE_H

#include "suite/explore/trial/trial.h"

/*
 * reduce_choices reduces |c|, whose last run was a failure of |f|'s row and
 * role, or ended without the device, and writes choices, text and file of the
 * shortest to |f|.  The file of a failure is written for a reader, and runs
 * once more.
 *
 * First it removes whole moves, then it lowers single choices, until neither
 * succeeds, |most| runs are over, or conf->late says so.  A log counts if its
 * run ends in the same way, by the same row and role, and the reference passes.
 *
 * Return: as explore_run.
 */
int reduce_choices(struct trial *t, const struct choices *c, unsigned most,
		   struct explore_finding *f);

#endif
