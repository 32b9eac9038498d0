/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_other.h -- devices for which a line was not written.
 */
#ifndef SUITE_RUN_BLAME_RUN_OTHER_H
#define SUITE_RUN_BLAME_RUN_OTHER_H

#include <stdbool.h>

#include "suite/lang/case.h"
#include "suite/run/run_state.h"
#include "suite/verdict/blame.h"

/*
 * run_is_other returns whether the line was not written for this device, and
 * settles the case as na.  |what| lists how the packet of |frame| differs from
 * the line, or is NULL.
 *
 * The line expects a new request, and the device:
 * - has as many requests without an ACK as it declares by "size in_flight" or
 *   "setting cwnd";
 * - declares "setting cc=1", and the tester grants no credit.  A report is
 *   such a line too, if the device asked for credit.  A request that came in
 *   time and differs from the line did not wait for credit; a request that
 *   the network delayed is not the one that the line expects.
 *
 * The line expects a packet on a PDC, and the device:
 * - closed or replaced a PDC when it had used half of "setting psn_range";
 * - closed a PDC that was idle for "timer close_idle", or asked for the close
 *   of one that was idle for "setting ask_close_idle";
 * - spread its messages over several PDCs.
 */
bool run_is_other(struct runner *r, const struct step *step,
		  const struct blame *what, uint32_t frame, const char *text);

#endif
