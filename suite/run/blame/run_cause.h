/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_cause.h -- finds the first deviation of a case, and its
 * consequences.
 */
#ifndef SUITE_RUN_BLAME_RUN_CAUSE_H
#define SUITE_RUN_BLAME_RUN_CAUSE_H

#include "suite/run/run_state.h"

/* run_causes marks the findings that follow from an earlier one. */
void run_causes(struct runner *r);

#endif
