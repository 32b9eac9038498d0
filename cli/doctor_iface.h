/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/doctor_iface.h -- the checks of Ethernet interfaces in "rung doctor".
 */
#ifndef CLI_DOCTOR_IFACE_H
#define CLI_DOCTOR_IFACE_H

#include "cli/doctor.h"

/*
 * Checks of interfaces: offloads that falsify captures; queueing disciplines
 * that delay packets; the clock that stamps frames; whether AF_XDP works.
 */
void doctor_offloads(struct doctor *d);
void doctor_queues(struct doctor *d);
void doctor_stamps(struct doctor *d);
void doctor_xdp(struct doctor *d);

#endif
