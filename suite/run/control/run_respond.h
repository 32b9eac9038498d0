/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_respond.h -- executes the "respond" lines of a case.
 */
#ifndef SUITE_RUN_CONTROL_RUN_RESPOND_H
#define SUITE_RUN_CONTROL_RUN_RESPOND_H

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

enum flow_control control_respond(struct runner *r, const struct step *step);

#endif
