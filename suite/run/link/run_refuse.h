/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_refuse.h -- makes a device without ses_policy refuse a
 * request by a NACK.
 */
#ifndef SUITE_RUN_LINK_RUN_REFUSE_H
#define SUITE_RUN_LINK_RUN_REFUSE_H

#include <stddef.h>

#include "gen/impair.h"
#include "suite/run/run_state.h"

/*
 * refuse_trim trims a request that leaves for the device, if a "respond nack"
 * line is in force for it.  |index| is the packet's entry of the record.  A
 * target may drop a trimmed SYN of a PDC that it does not know, so the case is
 * settled as not applicable there.  Return: whether the packet was trimmed.
 */
bool refuse_trim(struct runner *r, size_t index, struct imp_out *out);

#endif
