/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port_ether.h -- what ports of whole frames have in common, for
 * gen/port_*.c only: the interface, the filter, the ether (gen/ether.h) and the
 * counting.
 */
#ifndef GEN_PORT_ETHER_H
#define GEN_PORT_ETHER_H

#include "gen/ether.h"
#include "gen/port.h"
#include "gen/port_out.h"
#include "gen/port_room.h"

#define PORT_RING_BYTES (8u << 20) /* of captured frames, for short MTUs */

struct port_iface {
	int index;
	unsigned mtu;
	uint64_t mac;
	bool running; /* a link that has just come up is not at once */
};

struct port_ether {
	struct port port;    /* the first member */
	struct ether *ether; /* NULL: frames alone */
	struct port_iface iface;
	size_t snaplen;       /* the longest frame that is captured whole */
	int64_t wall;         /* the latest stamp, by the wall clock */
	vtime last;           /* and by ours */
	bool down;            /* as far as was told */
	struct stamp_map nic; /* of frames that the NIC stamped */
	int route;       /* socket that tells when the link goes down; or -1 */
	uint64_t strays; /* those that were told */
	bool unseen;     /* what leaves is not captured: it counts as left */
	struct port_room room;
	struct port_out out;
	/* inject sends one frame.  Errors: ERR_SYS. */
	int (*inject)(struct port_ether *, const uint8_t *frame, size_t len);
};

/*
 * port_ether_open looks at the interface and makes the ether; |pe| is all 0 but
 * for port.ops and the functions.  Errors: as port_new.
 */
int port_ether_open(struct port_ether *pe, const struct port_conf *conf);
void port_ether_close(struct port_ether *pe);

/*
 * port_ether_filter is the filter's text for |conf|, or "" if all is wanted;
 * PORT_FILTER bytes suffice.
 */
#define PORT_FILTER 160
void port_ether_filter(const struct port_conf *conf, char *buf, size_t size);

/*
 * port_ether_captured counts a frame in, whole or not, and sets its time;
 * |wall| is what the kernel stamped it with, ns since 1970.
 */
void port_ether_captured(struct port_ether *pe, struct port_frame *f,
			 int64_t wall);

/*
 * port_ether_nic makes a NIC's stamp of a frame that is looked at now a time of
 * the wall clock.
 */
int64_t port_ether_nic(struct port_ether *pe, int64_t stamp);

/* port_ether_downs counts into port.downs how often the link went down. */
void port_ether_downs(struct port_ether *pe);

/* Members of struct port_ops. */
int port_ether_send(struct port *p, const struct dgram *d);
int port_ether_recv(struct port *p, struct dgram *ret, vtime *ret_at);
int port_ether_meet(struct port *p, const struct ip_addr *dst);
uint64_t port_ether_strays(struct port *p);

#endif
