/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/schedule_draw.h -- schedules that are drawn at random, in a
 * scope that is too large to run whole, and the reduction of a wrong one.
 */
#ifndef SUITE_EXPLORE_SCHEDULE_DRAW_H
#define SUITE_EXPLORE_SCHEDULE_DRAW_H

#include "base/rng.h"
#include "suite/explore/schedule.h"

/*
 * schedule_draw makes a run whose decisions are drawn.  The odometer keeps
 * them.
 */
void schedule_draw(struct schedule *p, struct rng *rng,
		   struct schedule_totals *totals);

/*
 * schedule_again makes the run of the odometer's decisions once more.
 */
void schedule_again(struct schedule *p, struct schedule_totals *totals);

/*
 * schedule_reduce removes requests and faults from the wrong run of the
 * odometer, as long as the same is wrong: the same requirement and role, or the
 * same kind of end.  The odometer and |p->requests| keep what remains.
 * Return: the number of runs.
 */
unsigned schedule_reduce(struct schedule *p, struct schedule_totals *totals);

#endif
