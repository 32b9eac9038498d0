/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_wqe.h -- packets that a device of the WQE extension or
 * RoCEv2 may send without a line of the case.
 */
#ifndef SUITE_RUN_LINK_RUN_WQE_H
#define SUITE_RUN_LINK_RUN_WQE_H

#include <stddef.h>

#include "suite/run/run_state.h"

/*
 * wqe_allowance does the same as srd_allowance for the WQE extension and
 * RoCEv2.
 */
const char *wqe_allowance(struct runner *r, size_t index);

#endif
