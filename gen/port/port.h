/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port.h -- an end of a real link.
 *
 * A port owns descriptors and the clock; its callers get datagrams with times.
 * One kind uses UDP sockets (gen/port/port_udp.c) and needs no
 * privilege.  Three kinds use whole Ethernet frames: through libnet and libpcap
 * (gen/port/port_raw.c), a packet ring of the kernel (gen/port/port_ring.c) or
 * AF_XDP (gen/port/port_xdp.c).  They need CAP_NET_RAW, and carry packets that
 * a socket refuses: the native form, wrong lengths, packets of other hosts.
 */
#ifndef GEN_PORT_PORT_H
#define GEN_PORT_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "gen/stamp.h"
#include "wire/dgram.h"

struct port;

enum port_kind {
	PORT_UDP,
	PORT_RAW,
	PORT_RING,
	PORT_XDP,
};

struct port_conf {
	enum port_kind kind;
	/*
	 * Our address.  UDP: the address to bind, not the wildcard.  Raw and
	 * ring: the address need not belong to the operating system, since the
	 * port answers ARP and ND for it.  len 0: the port has no address, only
	 * takes and puts frames, and answers nothing.
	 */
	struct ip_addr addr;
	enum family family; /* family of all datagrams */
	uint16_t udp_port;  /* 0: the port of the family */
	/* Raw and ring only; MAC addresses are numbers. */
	char iface[16]; /* name of an Ethernet interface */
	uint64_t mac;   /* our MAC address; 0: the interface's */
	/* destination of all frames; 0: resolved by ARP or ND */
	uint64_t peer_mac;
	/* next hop of all datagrams; len 0: all destinations are neighbours */
	struct ip_addr via;
	uint16_t vlan;    /* 802.1Q tag of all frames; 0: none */
	uint8_t ip_proto; /* protocol of the native form; 0: UET_IP_PROTO */
	uint32_t queue;   /* XDP: queue of the interface */
	/* XDP: the program of several ports of an interface; NULL: its own */
	const struct port_xdp_program *program;
	/* XDP: received frames that may wait, a power of two; 0: the default */
	uint32_t waiting;
	/* the port only puts frames; it has no capture and no address */
	bool deaf;
};

/* A frame as on the link, with its tags but without FCS. */
struct port_frame {
	const uint8_t *p;
	size_t len;
	size_t orig; /* taken: its length on the link */
	vtime at;    /* taken: when it was captured */
};

struct port_ops {
	const char *name;
	/*
	 * send sends a datagram.  A missing listener at the other end is not an
	 * error.  Nor is it an error if the machine's own queue has no room for
	 * 100 ms, or if the datagram exceeds the path MTU: the datagram is lost
	 * and counted in |unsent| or |too_long|.
	 *
	 * Errors:
	 * - ERR_SYS
	 * - ERR_SUPPORT native form
	 */
	int (*send)(struct port *, const struct dgram *d);
	/*
	 * recv takes one datagram that has arrived; *ret_at is when the kernel
	 * received it.
	 *
	 * Return: 1, or 0 if there is none; ERR_SYS.
	 */
	int (*recv)(struct port *, struct dgram *ret, vtime *ret_at);
	/*
	 * meet resolves the neighbour's link address, so that a datagram to
	 * |dst| leaves at once.  NULL: no resolution is needed.
	 *
	 * Return: 1 if resolved; 0 if not yet: receive, then call again;
	 *         ERR_SYS.
	 */
	int (*meet)(struct port *, const struct ip_addr *dst);
	/*
	 * put sends |n| frames unchanged, in order.  take returns the next
	 * captured frame, lent until the next call; a port without an address
	 * takes all incoming frames and never outgoing ones.  For raw and ring
	 * only, else NULL.  A caller of take does not call recv.
	 *
	 * put returns how many frames were sent, from the first, at least 1;
	 * ERR_SYS with ENOBUFS or EAGAIN if there was no room for 100 ms.
	 *
	 * take returns 1, or 0 if there is none; ERR_SYS.
	 */
	int (*put)(struct port *, const struct port_frame *f, size_t n);
	int (*take)(struct port *, struct port_frame *ret);
	/*
	 * strays returns how many datagrams came, since the last call, to one
	 * of our source ports instead of the UET port.  New devices often make
	 * this mistake, and would otherwise seem not to answer.
	 */
	uint64_t (*strays)(struct port *);
	/*
	 * drops returns how many received packets the kernel dropped for lack
	 * of room since the port was opened.  It also updates |downs|.
	 */
	uint64_t (*drops)(struct port *);
	void (*free)(struct port *);
};

struct port {
	const struct port_ops *ops;
	int fd; /* readable when recv would find a datagram */
	/* sent from another source port than requested */
	uint64_t entropy_lost;
	uint64_t oversize; /* dropped: received, longer than DGRAM_MAX */
	uint64_t unsent;   /* not sent: the machine's own queue was full */
	uint64_t held;     /* sent late: they waited in that queue */
	uint64_t doubled;  /* sent once, left the machine twice */
	uint64_t too_long; /* not sent or not forwarded: longer than an MTU */
	/* datagrams sent, and datagrams captured when they left */
	uint64_t sent, left;
	bool sees_left; /* the port can see departures */
	/* For raw and ring only. */
	bool frames; /* it is a raw or a ring port */
	/*
	 * when to call recv even if |fd| is not readable; VTIME_NEVER: not
	 * needed
	 */
	vtime wake;
	uint64_t truncated; /* captured, but truncated */
	uint64_t merged;    /* captured, longer than a frame may be */
	/* with an earlier time stamp than the frame before */
	uint64_t backward;
	uint64_t damaged;     /* truncated IP packets addressed to us */
	uint64_t downs;       /* how often the link went down; see drops */
	uint64_t unreachable; /* datagrams whose neighbour did not answer */
	uint64_t nic_stamps;  /* captured with the NIC's time: ring only */
};

/*
 * port_new opens a port of the kind that |conf| names.
 *
 * Errors:
 * - ERR_SYS with errno: EADDRINUSE the address is in use, EPERM no privilege,
 *   ENODEV no such interface, ENETDOWN the interface is down, EPFNOSUPPORT it
 *   is no Ethernet
 * - ERR_VALUE
 * - ERR_NOMEM
 */
int port_new(struct port **ret, const struct port_conf *conf);

/*
 * port_name writes the description of a port for messages: "UDP port 4793 of
 * 127.0.0.1", "raw port on eth0, 10.0.0.1".  PORT_NAME bytes suffice.
 */
#define PORT_NAME 96
void port_name(const struct port_conf *conf, char *buf, size_t size);

/*
 * port_error writes why port_new failed with the errno |error|, and a remedy.
 * PORT_NAME + 120 bytes suffice.
 */
void port_error(const struct port_conf *conf, int error, char *buf,
		size_t size);

/*
 * port_udp_new opens a UDP port: bound to addr and the UET port, IPv4 or IPv6.
 *
 * Replies go to the UET port, with the echoed entropy as source port.  So a
 * datagram with an entropy value needs a socket bound to that source port; a
 * small cache keeps these sockets.  If the kernel refuses the bind, the port
 * sends the datagram from the UET port and counts it in entropy_lost.
 *
 * Errors: ERR_SYS with errno (EADDRINUSE: the address is in use).
 */
int port_udp_new(struct port **ret, const struct port_conf *conf);

/*
 * port_raw_new and port_ring_new open the other kinds, for port_new.
 *
 * Both capture the packets of their address in both directions, with the
 * kernel's time stamps, and count departures.  The operating system does not
 * know about this use of the address: if it has the same address, it answers,
 * too.
 */
int port_raw_new(struct port **ret, const struct port_conf *conf);
int port_ring_new(struct port **ret, const struct port_conf *conf);

/*
 * port_xdp_new opens a port on AF_XDP, which puts frames faster than the
 * others. It takes everything that one queue receives away from the operating
 * system, and no capture on this machine shows what it sends.  No frame is
 * longer than PORT_XDP_MAX.
 *
 * Errors: as port_new; EOPNOTSUPP: not supported by this kernel or interface.
 */
#define PORT_XDP_MAX 4096
int port_xdp_new(struct port **ret, const struct port_conf *conf);

/*
 * port_xdp_copies returns true if the kernel copies the frames of an AF_XDP
 * port, because its driver does not support zero copy.
 */
bool port_xdp_copies(const struct port *p);

/*
 * port_stamps reports which clocks can stamp the frames that arrive at an
 * interface.
 *
 * Errors: ERR_SYS with errno: the driver does not report it.
 */
int port_stamps(const char *iface, struct stamp_able *ret);

#endif
