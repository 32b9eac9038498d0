/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_ether.h -- the functions that ports of whole frames share, for
 * gen/port/port_*.c only: the interface, the filter, the ether (gen/ether.h)
 * and the counters.
 */
#ifndef GEN_PORT_PORT_ETHER_H
#define GEN_PORT_PORT_ETHER_H

#include "gen/ether.h"
#include "gen/port/port.h"
#include "gen/port/port_out.h"
#include "gen/port/port_room.h"

/*
 * The kernel keeps so many bytes until the port reads them, and at least so
 * many frames.  A message of 1 MiB is up to 1,024 packets in the cases, each of
 * them has an answer, and the tester may not be scheduled meanwhile.
 */
#define PORT_RING_BYTES  (8u << 20)
#define PORT_RING_FRAMES 3000u

struct port_iface {
	int index;
	unsigned mtu;
	uint64_t mac;
	bool running; /* the link is up; this takes a while after IFF_UP */
};

struct port_ether {
	struct port port;    /* the first member */
	struct ether *ether; /* NULL: whole frames only */
	struct port_iface iface;
	size_t snaplen; /* longest frame that is captured untruncated */
	int64_t wall;   /* the latest stamp, by the wall clock */
	vtime last;     /* the latest stamp, by our clock */
	bool down;      /* the last message reported that the link is down */
	struct stamp_map nic; /* clock of the NIC's stamps */
	int route;       /* socket that reports link-down events; -1: none */
	uint64_t strays; /* strays already reported */
	/* departures are not captured: a sent frame counts as left */
	bool unseen;
	struct port_room room;
	struct port_out out;
	/* inject sends one frame.  Errors: ERR_SYS. */
	int (*inject)(struct port_ether *, const uint8_t *frame, size_t len);
};

/*
 * port_ether_open opens the interface and makes the ether; |pe| is zero except
 * for port.ops and the functions.  Errors: as port_new.
 */
int port_ether_open(struct port_ether *pe, const struct port_conf *conf);
void port_ether_close(struct port_ether *pe);

/*
 * port_ether_filter writes the filter for |conf|, or "" if all frames are
 * wanted.  PORT_FILTER bytes suffice.
 */
#define PORT_FILTER 160
void port_ether_filter(const struct port_conf *conf, char *buf, size_t size);

/*
 * port_ether_captured counts a captured frame and sets its time; |wall| is the
 * kernel's stamp, in ns since 1970.
 */
void port_ether_captured(struct port_ether *pe, struct port_frame *f,
			 int64_t wall);

/* port_ether_stamped sets f->at to |at|, but never before the last frame. */
void port_ether_stamped(struct port_ether *pe, struct port_frame *f, vtime at);

/*
 * port_ether_nic converts the NIC's stamp of a frame that is being read to a
 * wall-clock time.
 */
int64_t port_ether_nic(struct port_ether *pe, int64_t stamp);

/* port_ether_downs adds the link-down events to port.downs. */
void port_ether_downs(struct port_ether *pe);

/* Members of struct port_ops. */
int port_ether_send(struct port *p, const struct dgram *d);
int port_ether_recv(struct port *p, struct dgram *ret, vtime *ret_at);
int port_ether_meet(struct port *p, const struct ip_addr *dst);
uint64_t port_ether_strays(struct port *p);

#endif
