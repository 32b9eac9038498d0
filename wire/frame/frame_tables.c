/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/frame_tables.c -- the tables of the headers around a datagram:
 * Ethernet, VLAN, IPv4, IPv6, UDP, ARP and neighbour discovery.
 */
#include "wire/frame/frame_tables.h"

/* clang-format off */
const struct value_name frame_types[] = {
	{FRAME_TYPE_IPV4,  "ipv4"},
	{FRAME_TYPE_ARP,   "arp"},
	{FRAME_TYPE_VLAN,  "vlan"},
	{FRAME_TYPE_IPV6,  "ipv6"},
	{FRAME_TYPE_SVLAN, "svlan"},
	{0, NULL},
};

const struct value_name frame_protos[] = {
	{FRAME_PROTO_HOP_BY_HOP,   "hop_by_hop"},
	{FRAME_PROTO_UDP,          "udp"},
	{FRAME_PROTO_ROUTING,      "routing"},
	{FRAME_PROTO_FRAGMENT,     "fragment"},
	{FRAME_PROTO_ICMPV6,       "icmpv6"},
	{FRAME_PROTO_DEST_OPTIONS, "dest_options"},
	{FRAME_PROTO_MOBILITY,     "mobility"},
	{0, NULL},
};

const struct value_name frame_arp_ops[] = {
	{FRAME_ARP_REQUEST, "request"},
	{FRAME_ARP_REPLY,   "reply"},
	{0, NULL},
};

const struct value_name frame_nd_types[] = {
	{FRAME_ND_SOLICIT,   "solicit"},
	{FRAME_ND_ADVERTISE, "advertise"},
	{0, NULL},
};

const struct value_name frame_nd_options[] = {
	{FRAME_ND_SOURCE, "source"},
	{FRAME_ND_TARGET, "target"},
	{0, NULL},
};
/* clang-format on */

HEADER_DEFINE(frame_eth, FRAME_ETH, "eth", "IEEE 802.3 3.2");
HEADER_DEFINE(frame_vlan, FRAME_VLAN, "vlan", "IEEE 802.1Q 9.6");
HEADER_DEFINE(frame_ipv4, FRAME_IPV4, "ipv4", "RFC 791 3.1");
HEADER_DEFINE(frame_ipv6, FRAME_IPV6, "ipv6", "RFC 8200 3");
HEADER_DEFINE(frame_ipv6_ext, FRAME_IPV6_EXT, "ipv6_ext", "RFC 8200 4");
HEADER_DEFINE(frame_ipv6_fragment, FRAME_IPV6_FRAGMENT, "ipv6_fragment",
	      "RFC 8200 4.5");
HEADER_DEFINE(frame_udp, FRAME_UDP, "udp", "RFC 768");
HEADER_DEFINE(frame_arp, FRAME_ARP, "arp", "RFC 826");
HEADER_DEFINE(frame_nd, FRAME_ND, "nd", "RFC 4861 4.3, 4.4");
HEADER_DEFINE(frame_nd_link, FRAME_ND_LINK, "nd_link", "RFC 4861 4.6.1");
