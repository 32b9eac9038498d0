/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_memory.h -- computes the expected memory of the device.
 */
#ifndef SUITE_RUN_CONTROL_RUN_MEMORY_H
#define SUITE_RUN_CONTROL_RUN_MEMORY_H

#include <stdint.h>

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

/*
 * memory_digest computes the expected CRC-32C of the memory that a mem_digest
 * line names: region |r->ctl.key|, or with key 0 the last message or read data.
 * Expected are the payloads of the tester's packets with PSNs from "first" to
 * "last", or without these keys the initial bytes.
 * Errors: ERR_NOMEM, ERR_VALUE (the range is longer than the record).
 */
int memory_digest(struct runner *r, const struct step *step, uint32_t *ret);

#endif
