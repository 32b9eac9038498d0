/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port.h -- an end of a real link.
 *
 * A port owns descriptors and the clock; everything above gets datagrams with
 * times.  There are three kinds: UDP sockets (gen/port_udp.c), which need no
 * privilege; and whole Ethernet frames, through libnet and libpcap
 * (gen/port_raw.c) or a packet ring of the kernel (gen/port_ring.c) or AF_XDP
 * (gen/port_xdp.c), which need CAP_NET_RAW and carry what a socket refuses: the
 * native form, lengths that lie, somebody else's packets.
 */
#ifndef GEN_PORT_H
#define GEN_PORT_H

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
	 * Ours.  UDP: to bind, not the wildcard.  Raw and ring: it need not be
	 * the operating system's, the port answers for it; len 0: the port has
	 * none, takes and puts frames alone and answers nothing.
	 */
	struct ip_addr addr;
	enum family family; /* of all datagrams */
	uint16_t udp_port;  /* 0: its family's; where everybody listens */
	/* Raw and ring alone; MAC addresses are numbers. */
	char iface[16];     /* name of an Ethernet interface */
	uint64_t mac;       /* ours; 0: the interface's */
	uint64_t peer_mac;  /* where all frames go; 0: ARP or ND tells */
	struct ip_addr via; /* next hop of all; len 0: all are neighbours */
	uint16_t vlan;      /* 802.1Q tag of all frames; 0: none */
	uint8_t ip_proto;   /* of the native form; 0: UET_IP_PROTO */
	uint32_t queue;     /* XDP: of the interface */
	bool deaf; /* it only puts frames: nothing is captured, no address */
};

/* A frame as it is on the link, without FCS; tags are part of it. */
struct port_frame {
	const uint8_t *p;
	size_t len;
	size_t orig; /* taken: how long it was on the link */
	vtime at;    /* taken: when it was captured */
};

struct port_ops {
	const char *name;
	/*
	 * send puts one datagram on the link.  Nobody listening at the other
	 * end is not an error.  One that finds no room in the machine's own
	 * queue within 100 ms, or that is longer than the path takes, is lost
	 * and counted in |unsent| or |too_long|; that is no error either.
	 * Errors: ERR_SYS; ERR_SUPPORT native form.
	 */
	int (*send)(struct port *, const struct dgram *d);
	/*
	 * recv takes one that is there; *ret_at is when the kernel got it.
	 * Return: 1, 0 none; ERR_SYS.
	 */
	int (*recv)(struct port *, struct dgram *ret, vtime *ret_at);
	/*
	 * meet makes sure that what is sent to an address leaves at once: it
	 * asks for the neighbour's link address if it is not known.
	 * Return: 1 known, 0 not yet: receive, and ask again; ERR_SYS.
	 * NULL: nobody needs to be met.
	 */
	int (*meet)(struct port *, const struct ip_addr *dst);
	/*
	 * put sends |n| frames as they are, in order.  take gives the next that
	 * was captured, lent until the next call: of a port without an address
	 * all that come in, never those that go out.  Raw and ring alone, else
	 * NULL.  Who takes does not recv.
	 *
	 * Return: put: how many are on their way, from the first, at least 1;
	 *         ERR_SYS with ENOBUFS or EAGAIN: there was no room for 100 ms;
	 *         take: 1, 0 none; ERR_SYS.
	 */
	int (*put)(struct port *, const struct port_frame *f, size_t n);
	int (*take)(struct port *, struct port_frame *ret);
	/*
	 * strays counts datagrams that came back to a source port that we sent
	 * from instead of the UET port, since the last call: a usual mistake
	 * of a new peer, which would otherwise look like silence.
	 */
	uint64_t (*strays)(struct port *);
	/*
	 * drops counts what the kernel received and had no room to keep, since
	 * the port was opened.  It brings |downs| up to date as well.
	 */
	uint64_t (*drops)(struct port *);
	void (*free)(struct port *);
};

struct port {
	const struct port_ops *ops;
	int fd;                /* readable when recv would find something */
	uint64_t entropy_lost; /* sent from another source port than wanted */
	uint64_t oversize;     /* received, longer than DGRAM_MAX and dropped */
	uint64_t unsent;       /* not sent: the machine's own queue was full */
	uint64_t held;         /* left late: they waited in that queue */
	uint64_t doubled;      /* sent once, and left twice */
	uint64_t too_long;   /* not sent, or not sent on: longer than an MTU */
	uint64_t sent, left; /* datagrams sent; seen on their way out */
	bool sees_left;      /* what leaves is seen */
	/* Raw and ring alone */
	bool frames;          /* it is one of these two */
	vtime wake;           /* when recv wants to be called though nothing is
				 there; VTIME_NEVER */
	uint64_t truncated;   /* captured, but not whole */
	uint64_t merged;      /* captured, and longer than a frame may be */
	uint64_t backward;    /* stamped earlier than the one before */
	uint64_t damaged;     /* came for us, but was no whole IP packet */
	uint64_t downs;       /* how often the link went down; see drops */
	uint64_t unreachable; /* datagrams whose neighbour did not answer */
	uint64_t nic_stamps;  /* captured, with the NIC's time: ring alone */
};

/*
 * port_new opens a port of the kind that |conf| names.
 *
 * Errors: ERR_SYS with errno (EADDRINUSE somebody else has the address, EPERM
 *         no privilege, ENODEV no such interface, ENETDOWN it is down,
 *         EPFNOSUPPORT it is no Ethernet); ERR_VALUE; ERR_NOMEM.
 */
int port_new(struct port **ret, const struct port_conf *conf);

/*
 * port_name writes what a port is, for messages: "UDP port 4793 of 127.0.0.1",
 * "raw port on eth0, 10.0.0.1"; PORT_NAME bytes suffice.
 */
#define PORT_NAME 96
void port_name(const struct port_conf *conf, char *buf, size_t size);

/*
 * port_error writes why port_new failed, |error| being its errno, and what to
 * do about it; PORT_NAME + 120 bytes suffice.
 */
void port_error(const struct port_conf *conf, int error, char *buf,
		size_t size);

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

/*
 * The other kinds, for port_new.
 *
 * Both capture in both directions, with their own timestamps, what concerns
 * their address, and count what left.  The operating system does not see what
 * they send as its own: if it has the address as well, it answers too.
 */
int port_raw_new(struct port **ret, const struct port_conf *conf);
int port_ring_new(struct port **ret, const struct port_conf *conf);

/*
 * port_xdp_new likewise, on AF_XDP: it puts frames faster than the others; it
 * takes all that one queue receives away from the operating system, and what it
 * sends is seen by nobody on this side, itself included.  No frame is longer
 * than PORT_XDP_MAX.
 *
 * Errors: as port_new; EOPNOTSUPP: this kernel or interface cannot.
 */
#define PORT_XDP_MAX 4096
int port_xdp_new(struct port **ret, const struct port_conf *conf);

/*
 * port_xdp_copies says whether the kernel copies the frames of an AF_XDP port,
 * because its driver cannot take them from where they lie.
 */
bool port_xdp_copies(const struct port *p);

/*
 * port_stamps says who stamps what arrives at an interface.
 * Errors: ERR_SYS with errno: nobody tells.
 */
int port_stamps(const char *iface, struct stamp_able *ret);

/* port_now is the monotonic clock, ns since the first call in the process. */
vtime port_now(void);

/*
 * port_hurry asks for punctual timers, and to be served before others where
 * that is allowed: others on the machine would be taken for a slow device.  It
 * is for the calling thread; programs that it starts are as everybody.  Ports
 * do it when they are made.
 */
void port_hurry(void);

/*
 * port_stamp turns a wall-clock time, ns since 1970, of something that the
 * kernel stamped just now into an instant.
 */
vtime port_stamp(int64_t wall);

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
