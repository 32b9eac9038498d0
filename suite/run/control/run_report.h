/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_report.h -- executes the "report" lines of a case.
 */
#ifndef SUITE_RUN_CONTROL_RUN_REPORT_H
#define SUITE_RUN_CONTROL_RUN_REPORT_H

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

enum flow_control control_report(struct runner *r, const struct step *step);
void control_checks(struct runner *r);

#endif
