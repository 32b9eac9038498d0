/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_xdp_program.h -- the program that the kernel runs for each
 * frame of an interface with AF_XDP: it writes the time before the frame, and
 * gives the frame to the socket of its queue.
 *
 * Frames of a queue without a socket go on to the operating system.  When the
 * process ends, the kernel removes the program.
 */
#ifndef GEN_PORT_PORT_XDP_PROGRAM_H
#define GEN_PORT_PORT_XDP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

struct xsk_socket;
struct port_xdp_program;

/*
 * port_xdp_program_new puts the program into an interface for |queues| queues:
 * into the driver, or, if |generic|, before the stack.
 *
 * Errors:
 * - ERR_NOMEM
 * - ERR_SYS with errno: EBUSY or EEXIST the interface has another program,
 *   EPERM no privilege, EOPNOTSUPP not supported
 */
int port_xdp_program_new(int ifindex, uint32_t queues, bool generic,
			 struct port_xdp_program **ret);
void port_xdp_program_free(struct port_xdp_program *p);

bool port_xdp_program_is_generic(const struct port_xdp_program *p);

/*
 * port_xdp_is_final returns true for an errno after which there is no use in
 * trying the program at the other place: something is in use, or there is no
 * privilege.
 */
bool port_xdp_is_final(int error);

/* port_xdp_program_join gives the frames of a queue to |xsk|.  Errors: ERR_SYS.
 */
int port_xdp_program_join(const struct port_xdp_program *p,
			  struct xsk_socket *xsk);

/*
 * port_xdp_program_time takes the time out of the PORT_XDP_ROOM bytes before a
 * frame.
 *
 * Return: CLOCK_MONOTONIC in ns; -1: the driver has no room for it.
 */
#define PORT_XDP_ROOM 16
int64_t port_xdp_program_time(uint8_t *frame);

#endif
