/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/ether.h -- an address of our own on an Ethernet.
 *
 * Datagrams go in and frames come out; frames go in and datagrams come out.
 * The address need not be the operating system's: an ether answers for it, asks
 * for its neighbours, and keeps what is sent to them until they have answered.
 * There is no clock and no socket in here.
 *
 * Spec: UET 3.5.10.1 (uet.md 1.1 to 1.4); RFC 826 (ARP), 4861 (ND);
 *       IEEE 802.1Q
 */
#ifndef GEN_ETHER_H
#define GEN_ETHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "wire/dgram.h"

#define ETHER_HEADERS   (14 + 4 + 40 + 8) /* bytes around a datagram, at most */
#define ETHER_FRAME_MAX (ETHER_HEADERS + DGRAM_MAX)

#define ETHER_ASKS      4 /* questions to a neighbour */
#define ETHER_ASK_EVERY (250 * VSPAN_MS)

/* MAC addresses are numbers: 0x020000000001. */
struct ether_conf {
	struct ip_addr addr; /* ours */
	uint64_t mac;        /* ours */
	uint64_t peer_mac;   /* where all frames go; 0: as they answer */
	struct ip_addr via;  /* next hop of all; len 0: all are neighbours */
	uint16_t vlan;       /* 0: no tag */
	uint16_t udp_port;   /* 0: UET_UDP_PORT */
	enum family family;  /* of all datagrams */
	uint8_t ip_proto;    /* of the native form; 0: UET_IP_PROTO */
};

struct ether_counts {
	uint64_t sent;        /* datagrams given to |out| */
	uint64_t left;        /* those that were captured on their way out */
	uint64_t strays;      /* came to another UDP port */
	uint64_t damaged;     /* for us, but no whole IP packet: dropped */
	uint64_t unreachable; /* their neighbour did not answer: dropped */
};

/* Sends a frame, lent for the call.  Return: 0 or an error, which is told. */
typedef int (*ether_out)(void *ctx, const uint8_t *frame, size_t len);

struct ether;

/*
 * ether_new makes one; |out| gets its frames.
 * Errors: ERR_NOMEM; ERR_VALUE no address, or a VLAN above 4094.
 */
int ether_new(struct ether **ret, const struct ether_conf *conf, ether_out out,
	      void *ctx);
void ether_free(struct ether *l);

/*
 * ether_send wraps a datagram and gives it to |out|, or keeps it until its
 * neighbour has answered; d->src is not looked at, ours is used.
 *
 * Errors: of |out|; ERR_VALUE another family; ERR_SPACE too long, or too many
 *         wait already.
 */
int ether_send(struct ether *l, const struct dgram *d, vtime now);

/*
 * ether_meet asks for a neighbour's address if it is not known yet.
 * Return: 1 what is sent to |dst| leaves at once, 0 not yet; errors of |out|.
 */
int ether_meet(struct ether *l, const struct ip_addr *dst, vtime now);

enum ether_got {
	ETHER_NOTHING, /* not for us, or a question, which is answered */
	ETHER_DGRAM,   /* a datagram for us */
	ETHER_OWN,     /* one of ours, on its way out */
};

/*
 * ether_take looks at a frame that was captured; *ret is the datagram of
 * ETHER_DGRAM and ETHER_OWN.
 *
 * Return: enum ether_got; errors of |out|.
 */
int ether_take(struct ether *l, const uint8_t *frame, size_t len,
	       struct dgram *ret);

/*
 * ether_tick asks again, or gives up; ether_deadline says when to call it next.
 * Errors: of |out|.
 */
int ether_tick(struct ether *l, vtime now);
vtime ether_deadline(const struct ether *l);

const struct ether_counts *ether_counts(const struct ether *l);

/*
 * ether_filter writes the capture filter that lets pass what ether_take wants
 * to see, as pcap-filter(7) has it.  Tags are not looked at.
 */
void ether_filter(const struct ether_conf *conf, char *buf, size_t size);

#endif
