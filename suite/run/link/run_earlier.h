/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_earlier.h -- sets aside the packets that a device sends on
 * PDCs of earlier cases.
 */
#ifndef SUITE_RUN_LINK_RUN_EARLIER_H
#define SUITE_RUN_LINK_RUN_EARLIER_H

#include <stdbool.h>
#include <stddef.h>

#include "suite/run/run_state.h"

/*
 * earlier_refuses sets aside the DUT's packet, entry |index| of the record, if
 * its PDC is one of an earlier case; it answers a request by NACK INV_DPDCID.
 * Return: true if neither lines of the case nor monitors see the packet.
 */
bool earlier_refuses(struct runner *r, size_t index);

/*
 * earlier_explains returns how earlier cases may explain a finding, as text:
 * the missing packet came on one of their PDCs, or the device lacks a resource
 * that PDCs which it did not close may hold.  NULL: they do not.
 */
const char *earlier_explains(const struct runner *r,
			     const struct rec_finding *f);

#endif
