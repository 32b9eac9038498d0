/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_kept.h -- whether packets of the device keep the numbers that
 * it declares.
 */
#ifndef SUITE_RUN_RUN_KEPT_H
#define SUITE_RUN_RUN_KEPT_H

#include <stdint.h>

#include "suite/decl/decl.h"
#include "wire/packet.h"

/*
 * run_kept_mtu returns the MTU that a packet of the device shows, if that is
 * not the declared one; 0 if nothing contradicts the declaration.  A packet
 * that does not end its message carries one MTU, and no packet carries more.
 * A length that is no MTU of UET or RoCEv2 shows nothing.
 */
uint32_t run_kept_mtu(const struct decl *d, const struct packet *pkt);

#endif
