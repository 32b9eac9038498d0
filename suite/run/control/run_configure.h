/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_configure.h -- executes the "configure" lines of a
 * case.
 */
#ifndef SUITE_RUN_CONTROL_RUN_CONFIGURE_H
#define SUITE_RUN_CONTROL_RUN_CONFIGURE_H

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

enum flow_control control_configure(struct runner *r, const struct step *step);

#endif
