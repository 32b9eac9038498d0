/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_verdict.h -- the verdict of a case at its end.
 */
#ifndef SUITE_RUN_RUN_VERDICT_H
#define SUITE_RUN_RUN_VERDICT_H

#include "suite/run/run_state.h"

/*
 * Absence, now that the case is over: only of a device that spoke and is still
 * there, in a case that ran as long as it meant to: a tester that has stopped
 * at a deviation does not answer any more.
 */
void run_judge_absence(struct runner *r);

/*
 * run_judge_looked accounts for the requirements that the monitors looked
 * at.
 */
void run_judge_looked(struct runner *r);

/*
 * run_verdict settles the verdict at the end of a case and accounts for its
 * requirements.
 */
void run_verdict(struct runner *r);

#endif
