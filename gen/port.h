/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port.h -- an end of a real link.
 *
 * A port owns descriptors and the clock; everything above gets datagrams with
 * times.  gen/port_udp.c is the first of the kind.
 */
#ifndef GEN_PORT_H
#define GEN_PORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "wire/dgram.h"

struct port;

struct port_conf {
	struct ip_addr addr; /* to bind; not the wildcard */
	uint16_t udp_port;   /* 0: UET_UDP_PORT; where everybody listens */
};

struct port_ops {
	const char *name;
	/*
	 * send puts one datagram on the link.  Nobody listening at the other
	 * end is not an error.  Errors: ERR_SYS; ERR_SUPPORT native form.
	 */
	int (*send)(struct port *, const struct dgram *d);
	/*
	 * recv takes one that is there; *ret_at is when the kernel got it.
	 * Return: 1, 0 none; ERR_SYS.
	 */
	int (*recv)(struct port *, struct dgram *ret, vtime *ret_at);
	/*
	 * strays counts datagrams that came back to a source port that we sent
	 * from instead of the UET port, since the last call: a usual mistake
	 * of a new peer, which would otherwise look like silence.
	 */
	uint64_t (*strays)(struct port *);
	/*
	 * drops counts what the kernel received and had no room to keep, since
	 * the port was opened.
	 */
	uint64_t (*drops)(struct port *);
	void (*free)(struct port *);
};

struct port {
	const struct port_ops *ops;
	int fd;                /* readable when recv would find something */
	uint64_t entropy_lost; /* sent from another source port than wanted */
	uint64_t oversize;     /* received, longer than DGRAM_MAX and dropped */
};

/*
 * port_udp_new opens a UDP port: bound to addr and the UET port, IPv4 or IPv6.
 *
 * Replies go to the UET port with the echoed entropy as source port, so sending
 * with an entropy value means a socket bound to that source port; they are kept
 * in a small cache.  Where the kernel refuses such a bind the datagram leaves
 * from the UET port and is counted in entropy_lost.
 *
 * Errors: ERR_SYS with errno (EADDRINUSE: somebody else has the address).
 */
int port_udp_new(struct port **ret, const struct port_conf *conf);

/* port_now is the monotonic clock, ns since the first call in the process. */
vtime port_now(void);

/*
 * port_wait waits until one of |n| descriptors is readable or |until| is
 * reached; *ret_ready is its index.  Others may be readable as well.
 *
 * Shape:  |n| is PORT_WAIT_MAX at most; a negative descriptor is passed over.
 * Return: 1 ready, 0 time is up (or a signal arrived); ERR_SYS; ERR_VALUE.
 */
#define PORT_WAIT_MAX 16
int port_wait(const int *fds, size_t n, vtime until, size_t *ret_ready);

#endif
