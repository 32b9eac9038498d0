/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_witness.h -- the IP identification of datagrams that a UDP
 * socket receives, for gen/port/port_udp.c only.
 *
 * A UDP socket hides the identification.  A second socket, a packet socket,
 * sees the same datagrams, if the process may open one.  On loopback it is not
 * opened.
 */
#ifndef GEN_PORT_PORT_WITNESS_H
#define GEN_PORT_PORT_WITNESS_H

#include <stdbool.h>

#include "wire/dgram.h"

enum { PORT_WITNESS_KEPT = 128 }; /* datagrams kept; a power of 2 */

struct port_witness {
	int fd; /* -1: none */
	unsigned next;
	struct port_witnessed {
		uint32_t key;
		uint16_t id;
		bool open; /* not read yet */
	} kept[PORT_WITNESS_KEPT];
};

/*
 * port_witness_open starts to capture the packets to a UDP port of an IPv4
 * address, if the process may do so.
 */
void port_witness_open(struct port_witness *w, const struct ip_addr *addr,
		       uint16_t udp_port);
void port_witness_close(struct port_witness *w);

/*
 * port_witness_ask sets d->ip_id and d->id_known of a datagram that the socket
 * received, if it was captured.
 */
void port_witness_ask(struct port_witness *w, struct dgram *d);

#endif
