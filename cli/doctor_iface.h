/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/doctor_iface.h -- the checks of Ethernet interfaces in "rung doctor".
 */
#ifndef CLI_DOCTOR_IFACE_H
#define CLI_DOCTOR_IFACE_H

#include "cli/doctor.h"

/*
 * Checks of interfaces: offloads that make a capture differ from what was on
 * the wire; queues that delay what is sent; who stamps frames with the time;
 * whether AF_XDP works.
 */
void doctor_offloads(struct doctor *d);
void doctor_queues(struct doctor *d);
void doctor_stamps(struct doctor *d);
void doctor_xdp(struct doctor *d);

#endif
