/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_kept.h -- checks packets of the device against its declared
 * MTU.
 */
#ifndef SUITE_RUN_RUN_KEPT_H
#define SUITE_RUN_RUN_KEPT_H

#include <stdint.h>

#include "suite/decl/decl.h"
#include "wire/packet.h"

/*
 * run_kept_mtu returns the MTU that a packet of the device shows if it differs
 * from the declared one, otherwise 0.  A packet that does not end its message
 * carries one MTU, and no packet carries more.  A length that is no MTU of UET
 * or RoCEv2 shows nothing.
 */
uint32_t run_kept_mtu(const struct decl *d, const struct packet *pkt);

#endif
