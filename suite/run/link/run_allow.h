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
 * run_allowance returns the clause that permits an unexpected packet (11.3), or
 * NULL.
 */
const char *run_allowance(struct runner *r, size_t index);

#endif
