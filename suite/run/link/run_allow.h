/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_allow.h -- packets that a device may send without a line
 * of the case.
 */
#ifndef SUITE_RUN_LINK_RUN_ALLOW_H
#define SUITE_RUN_LINK_RUN_ALLOW_H

#include <stddef.h>

#include "suite/run/run_state.h"

/*
 * The reason why a NACK RCVD_SES_PROCG needs no line: it answers a copy of a
 * request that the SES has not answered yet.
 */
extern const char run_copy_in_work[];

/*
 * The reason why an ACK Request, a Clear, a Probe or a Credit packet needs no
 * line: a device may send one at any time.
 */
extern const char run_unasked_control[];

/*
 * run_timer_permits returns whether a packet sent at |at| came late enough
 * after the last copy of its PSN, |p|, for a timer to repeat it.
 */
bool run_timer_permits(const struct runner *r, vtime at,
		       const struct scope_psn *p);

/*
 * run_allowance returns the clause that permits an unexpected packet (11.3), or
 * NULL.
 */
const char *run_allowance(struct runner *r, size_t index);

#endif
