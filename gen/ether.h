/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/ether.h -- an address of our own on an Ethernet.
 *
 * ether_send turns datagrams into frames, and ether_take turns frames into
 * datagrams.  The address need not belong to the operating system: an ether
 * answers ARP and ND for it, resolves its neighbours, and queues datagrams
 * until a neighbour has answered.  It uses no clock and no socket.
 *
 * Spec: UET 3.5.10.1 (uet.md 1.1 to 1.4); RFC 826 (ARP), 4861 (ND); IEEE 802.1Q
 */
#ifndef GEN_ETHER_H
#define GEN_ETHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "wire/dgram.h"

/* most bytes of headers around a datagram */
#define ETHER_HEADERS   (14 + 4 + 40 + 8)
#define ETHER_FRAME_MAX (ETHER_HEADERS + DGRAM_MAX)

#define ETHER_ASKS      4 /* most requests to a neighbour */
#define ETHER_ASK_EVERY (250 * VSPAN_MS)

/* MAC addresses are numbers: 0x020000000001. */
struct ether_conf {
	struct ip_addr addr; /* our address */
	uint64_t mac;        /* our MAC address */
	uint64_t peer_mac;   /* destination of all frames; 0: resolve it */
	/* next hop of all datagrams; len 0: all destinations are neighbours */
	struct ip_addr via;
	uint16_t vlan;      /* 0: no tag */
	uint16_t udp_port;  /* 0: UET_UDP_PORT */
	enum family family; /* family of all datagrams */
	uint8_t ip_proto;   /* protocol of the native form; 0: UET_IP_PROTO */
};

struct ether_counts {
	uint64_t sent;    /* datagrams given to |out| */
	uint64_t left;    /* own datagrams that a capture showed as they left */
	uint64_t strays;  /* datagrams to another UDP port */
	uint64_t damaged; /* dropped: truncated IP packet to us */
	uint64_t unreachable; /* dropped: the neighbour did not answer */
};

/*
 * Sends a frame, which is lent for the call.
 * Return: 0, or an error, which the caller of the ether gets.
 */
typedef int (*ether_out)(void *ctx, const uint8_t *frame, size_t len);

struct ether;

/*
 * ether_new makes an ether; it passes its frames to |out|.
 *
 * Errors:
 * - ERR_NOMEM
 * - ERR_VALUE no address, or a VLAN above 4094
 */
int ether_new(struct ether **ret, const struct ether_conf *conf, ether_out out,
	      void *ctx);
void ether_free(struct ether *l);

/*
 * ether_send wraps a datagram and passes it to |out|, or queues it until its
 * neighbour has answered.  It ignores d->src and uses our own address.
 *
 * Errors:
 * - those of |out|
 * - ERR_VALUE another family
 * - ERR_SPACE too long, or the queue is full
 */
int ether_send(struct ether *l, const struct dgram *d, vtime now);

/*
 * ether_meet resolves a neighbour's address if it is unknown.
 *
 * Return: 1 if datagrams to |dst| leave at once, 0 if not yet; errors of |out|.
 */
int ether_meet(struct ether *l, const struct ip_addr *dst, vtime now);

enum ether_got {
	ETHER_NOTHING, /* not for us, or a request that was answered */
	ETHER_DGRAM,   /* a datagram for us */
	ETHER_OWN,     /* a datagram that we sent */
};

/*
 * ether_take reads a captured frame; *ret is the datagram of ETHER_DGRAM and
 * ETHER_OWN.
 *
 * Return: enum ether_got; errors of |out|.
 */
int ether_take(struct ether *l, const uint8_t *frame, size_t len,
	       struct dgram *ret);

/*
 * ether_tick repeats requests, or gives up; ether_deadline returns when to call
 * it next.
 *
 * Errors: those of |out|.
 */
int ether_tick(struct ether *l, vtime now);
vtime ether_deadline(const struct ether *l);

const struct ether_counts *ether_counts(const struct ether *l);

/*
 * ether_filter writes the capture filter for the frames that ether_take reads,
 * in the syntax of pcap-filter(7).  It does not filter by tag.
 */
void ether_filter(const struct ether_conf *conf, char *buf, size_t size);

#endif
