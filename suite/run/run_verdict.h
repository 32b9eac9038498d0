/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_verdict.h -- the verdict of a case at its end.
 */
#ifndef SUITE_RUN_RUN_VERDICT_H
#define SUITE_RUN_RUN_VERDICT_H

#include "suite/run/run_state.h"

/*
 * run_judge_absence records missing reports at the end of the case.  It ignores
 * a device that sent nothing or has ended, and a case that stopped at a
 * deviation, after which the tester no longer answers.
 */
void run_judge_absence(struct runner *r);

/* run_judge_looked accounts for the requirements that the monitors tested. */
void run_judge_looked(struct runner *r);

/*
 * run_verdict sets the verdict at the end of a case and accounts for its
 * requirements.
 */
void run_verdict(struct runner *r);

#endif
