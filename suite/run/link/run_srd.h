/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_srd.h -- packets that an SRD device may send without a
 * line of the case.
 */
#ifndef SUITE_RUN_LINK_RUN_SRD_H
#define SUITE_RUN_LINK_RUN_SRD_H

#include <stddef.h>

#include "suite/run/run_state.h"

/* srd_allowance returns why a packet (record entry) needs no line, or NULL. */
const char *srd_allowance(struct runner *r, size_t index);

/*
 * srd_crossed_repeat returns true for a retransmission that the device may have
 * sent between two answers of the tester: within |span| of both, the first one
 * accepted another PSN, and the second one answers the repeated PSN.  The round
 * trip that the first answer shows may tell the device that a packet is lost.
 */
bool srd_crossed_repeat(const struct runner *r, size_t index, vspan span);

#endif
