/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_leave.h -- closes the PDCs that a case leaves open.
 */
#ifndef SUITE_RUN_LINK_RUN_LEAVE_H
#define SUITE_RUN_LINK_RUN_LEAVE_H

#include "suite/run/run_state.h"

/*
 * leave_pdcs closes the PDCs of a case that is over, if the device is never
 * reset, and waits for its answers.  The packets belong to no case: they are
 * neither recorded nor judged.
 */
void leave_pdcs(struct runner *r);

#endif
