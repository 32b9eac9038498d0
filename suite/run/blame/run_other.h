/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_other.h -- devices for which a line was not written.
 */
#ifndef SUITE_RUN_BLAME_RUN_OTHER_H
#define SUITE_RUN_BLAME_RUN_OTHER_H

#include <stdbool.h>

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

/*
 * run_split returns whether the DUT spread its messages over several PDCs.  The
 * line was not written for that; the case is then na.
 */
bool run_split(struct runner *r, unsigned line, const char *text);

/*
 * run_closed_idle returns whether the DUT closed a PDC that had been idle for
 * the declared "timer close_idle".  The line was not written for that; the case
 * is then na.
 */
bool run_closed_idle(struct runner *r, unsigned line, const char *text);

/*
 * run_waits_for_acks returns whether the line expects a new request while the
 * DUT has as many without an ACK as it declares by "size in_flight".  The case
 * is then na.
 */
bool run_waits_for_acks(struct runner *r, const struct step *step,
			const char *text);

#endif
