/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_clock.h -- the clock of all ports, and a wait for their
 * descriptors.
 */
#ifndef GEN_PORT_CLOCK_H
#define GEN_PORT_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"

/*
 * port_now returns the monotonic clock, in ns since the first call in the
 * process.
 */
vtime port_now(void);

/*
 * port_instant converts a time of CLOCK_MONOTONIC, in ns, to an instant; one
 * before the first call of port_now is 0.
 */
vtime port_instant(int64_t monotonic);

/*
 * port_hurry requests punctual timers and, if permitted, a higher priority for
 * the calling thread, since load on the machine would look like a slow device.
 * Programs that it starts keep the normal priority.  Opening a port calls it.
 */
void port_hurry(void);

/*
 * port_stamp converts a wall-clock time that the kernel stamped just now, in ns
 * since 1970, to an instant.
 */
vtime port_stamp(int64_t wall);

/*
 * port_wait waits until one of |n| descriptors is readable or |until| is
 * reached; *ret_ready is its index.  Others may be readable as well.
 *
 * Shape:  |n| is PORT_WAIT_MAX at most; negative descriptors are skipped.
 *
 * Return: 1 ready, 0 time-out or signal; ERR_SYS; ERR_VALUE.
 */
#define PORT_WAIT_MAX 64
int port_wait(const int *fds, size_t n, vtime until, size_t *ret_ready);

#endif
