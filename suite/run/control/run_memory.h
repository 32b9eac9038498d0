/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_memory.h -- what memory of the device has to hold.
 */
#ifndef SUITE_RUN_CONTROL_RUN_MEMORY_H
#define SUITE_RUN_CONTROL_RUN_MEMORY_H

#include <stdint.h>

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

/*
 * memory_digest computes the CRC-32C of what the memory that a mem_digest line
 * names has to hold: region |r->ctl.key|, or with key 0 the last message or the
 * last data read.  It holds the payload of the packets that the tester sent
 * with PSNs from "first" to "last"; without them, what it held at first.
 * Errors: ERR_NOMEM.
 */
int memory_digest(struct runner *r, const struct step *step, uint32_t *ret);

#endif
