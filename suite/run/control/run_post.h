/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_post.h -- executes the "post" lines of a case.
 */
#ifndef SUITE_RUN_CONTROL_RUN_POST_H
#define SUITE_RUN_CONTROL_RUN_POST_H

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

enum flow_control control_post(struct runner *r, const struct step *step);

#endif
