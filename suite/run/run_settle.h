/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_settle.h -- settles the verdict of a case while it runs.
 */
#ifndef SUITE_RUN_RUN_SETTLE_H
#define SUITE_RUN_RUN_SETTLE_H

#include <stdbool.h>

#include "suite/run/run_state.h"
#include "suite/verdict/record.h"

/* run_is_guilty returns whether a line or a monitor found a must violated. */
bool run_is_guilty(const struct record *rec);

/* run_stimulus names the last stimulus, for messages. */
const char *run_stimulus(struct runner *r);

/*
 * run_settle sets the verdict of a reason; the first one that is not a pass
 * stays.  In a closing fragment it applies to the fragment only, unless rung
 * itself is at fault.
 */
__attribute__((format(printf, 3, 4))) void
run_settle(struct runner *r, enum reason reason, const char *fmt, ...);

/*
 * run_diverged ends a case whose next line no longer applies.  The findings
 * against the device decide the verdict.  Without a finding |reason| decides
 * for the reference, and REASON_LED_ASTRAY for any other device.
 */
__attribute__((format(printf, 3, 4))) void
run_diverged(struct runner *r, enum reason reason, const char *fmt, ...);

#endif
