/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/unread.h -- the reasons why a frame is not read.
 *
 * Each reason has a name, for JSON, and a text.
 */
#ifndef WIRE_FRAME_UNREAD_H
#define WIRE_FRAME_UNREAD_H

#include <stdint.h>

#include "wire/frame/frame.h"

enum unread {
	UNREAD_LINK, /* a link type that frame_parse does not know */
	UNREAD_PPP,  /* PPP, or PPPoE on Ethernet */
	UNREAD_MPLS, /* labels of MPLS */
	UNREAD_TAGS, /* more than two VLAN tags, or an older EtherType */
	/* another EtherType, or no IP header after IP's EtherType */
	UNREAD_ETHERTYPE,
	UNREAD_GRE,
	UNREAD_IP_IN_IP, /* IPv4 or IPv6 inside IP */
	UNREAD_IPSEC,    /* AH or ESP */
	UNREAD_PROTOCOL, /* another IP protocol */
	UNREAD_VXLAN,
	UNREAD_GENEVE,
	UNREAD_PORT,     /* UDP to a port of no known family */
	UNREAD_FRAGMENT, /* an IP fragment */
	UNREAD_SHORT,    /* truncated inside a header */
	UNREADS,
};

/*
 * unread_why returns why frame_find() found no packet of a family.
 *
 * Shape:  |info| is of a frame for which frame_family() is false.
 */
enum unread unread_why(enum frame_link link, const struct frame_info *info);

/* unread_port returns the reason for a UDP destination port. */
enum unread unread_port(uint16_t dport);

/*
 * unread_name returns the name of a reason, such as "gre"; unread_text returns
 * its text.  Static storage.
 */
const char *unread_name(enum unread why);
const char *unread_text(enum unread why);

#endif
