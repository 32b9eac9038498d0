/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_start.h -- makes a device that cannot be configured begin
 * its PDC at the Start_PSN that the case needs.
 */
#ifndef SUITE_RUN_LINK_RUN_START_H
#define SUITE_RUN_LINK_RUN_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "suite/run/run_state.h"

/* start_want asks for this Start_PSN of the PDC that the DUT opens. */
void start_want(struct runner *r, uint32_t psn);

/*
 * start_refuses answers a SYN of the DUT that begins elsewhere, entry |index|
 * of the record, by NACK NEW_START_PSN.
 * Return: true if no line of the case sees the packet.
 */
bool start_refuses(struct runner *r, size_t index, const struct dgram *d);

/*
 * start_awaited settles the case as "na" if the DUT has not begun at that PSN.
 * Return: true if it settled the case.
 */
bool start_awaited(struct runner *r);

#endif
