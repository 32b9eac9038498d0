/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_steps.h -- executes a list of steps.
 */
#ifndef SUITE_RUN_RUN_STEPS_H
#define SUITE_RUN_RUN_STEPS_H

#include <stdbool.h>

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

/*
 * run_is_own returns whether a line belongs to the case itself, not to a
 * fragment.
 */
bool run_is_own(const struct runner *r, const struct step *s);

/* run_steps runs a list of steps. */
enum flow_control run_steps(struct runner *r, const struct step *first);

enum flow_control expect_one(struct runner *r, const struct step *step);

/*
 * run_each runs the lines of "each packet of N" once for each packet that the
 * message has at the declared MTU; a message of no bytes has one.
 */
enum flow_control run_each(struct runner *r, const struct step *step);

#endif
