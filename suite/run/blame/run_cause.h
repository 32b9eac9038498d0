/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_cause.h -- which finding came first, and which findings
 * are its consequences.
 */
#ifndef SUITE_RUN_BLAME_RUN_CAUSE_H
#define SUITE_RUN_BLAME_RUN_CAUSE_H

#include "suite/run/run_state.h"

/* run_causes marks the findings that follow from an earlier one. */
void run_causes(struct runner *r);

#endif
