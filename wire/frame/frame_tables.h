/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/frame_tables.h -- the headers around a datagram, as lists of
 * fields.
 *
 * A type field announces an 802.1Q tag: eth.eth_type, or the tag before, holds
 * the TPID; the tag holds its TCI and the next type.  IPv6 addresses are two
 * halves, because a field has 64 bits at most.
 *
 * Neighbours resolve each other by ARP and by ICMPv6, whose neighbour messages
 * are the fixed part and one option with a link address.
 *
 * Spec: IEEE 802.3 3.2, 802.1Q 9.6; RFC 791 3.1, 8200 3 and 4, 768, 826, 4861
 * 4.3, 4.4 and 4.6.1
 */
#ifndef WIRE_FRAME_FRAME_TABLES_H
#define WIRE_FRAME_FRAME_TABLES_H

#include "wire/field.h"

enum frame_type {
	FRAME_TYPE_IPV4 = 0x0800,
	FRAME_TYPE_ARP = 0x0806,
	FRAME_TYPE_VLAN = 0x8100,
	FRAME_TYPE_IPV6 = 0x86dd,
	FRAME_TYPE_SVLAN = 0x88a8,
};

enum frame_proto {
	FRAME_PROTO_HOP_BY_HOP = 0,
	FRAME_PROTO_ICMP = 1,
	FRAME_PROTO_IGMP = 2,
	FRAME_PROTO_TCP = 6,
	FRAME_PROTO_UDP = 17,
	FRAME_PROTO_ROUTING = 43,
	FRAME_PROTO_FRAGMENT = 44,
	FRAME_PROTO_ICMPV6 = 58,
	FRAME_PROTO_NONE = 59,
	FRAME_PROTO_DEST_OPTIONS = 60,
	FRAME_PROTO_MOBILITY = 135,
};

enum frame_arp_op {
	FRAME_ARP_REQUEST = 1,
	FRAME_ARP_REPLY = 2,
};

enum frame_nd_type {
	FRAME_ND_SOLICIT = 135,
	FRAME_ND_ADVERTISE = 136,
};

enum frame_nd_option {
	FRAME_ND_SOURCE = 1, /* the sender's link address */
	FRAME_ND_TARGET = 2, /* the link address of the target */
};

extern const struct value_name frame_types[];
extern const struct value_name frame_protos[];
extern const struct value_name frame_arp_ops[];
extern const struct value_name frame_nd_types[];
extern const struct value_name frame_nd_options[];

/* clang-format off */

/* Ethernet, 14 bytes, without preamble and FCS. */
#define FRAME_ETH(F)							\
	/*          type member        kind   at width names */		\
	F(frame_eth, u64, dst,         ID,     0, 48, NULL)		\
	F(frame_eth, u64, src,         ID,    48, 48, NULL)		\
	F(frame_eth, u16, eth_type,    ENUM,  96, 16, frame_types)

/* 802.1Q tag control and the type after it, 4 bytes. */
#define FRAME_VLAN(F)							\
	F(frame_vlan, u8,  pcp,        UINT,   0,  3, NULL)		\
	F(frame_vlan, u8,  dei,        FLAG,   3,  1, NULL)		\
	F(frame_vlan, u16, vid,        UINT,   4, 12, NULL)		\
	F(frame_vlan, u16, eth_type,   ENUM,  16, 16, frame_types)

/* IPv4, 20 bytes without options. */
#define FRAME_IPV4(F)							\
	F(frame_ipv4, u8,  version,         UINT,   0,  4, NULL)	\
	F(frame_ipv4, u8,  ihl,             UINT,   4,  4, NULL)	\
	F(frame_ipv4, u8,  dscp,            UINT,   8,  6, NULL)	\
	F(frame_ipv4, u8,  ecn,             UINT,  14,  2, NULL)	\
	F(frame_ipv4, u16, total_length,    UINT,  16, 16, NULL)	\
	F(frame_ipv4, u16, id,              ID,    32, 16, NULL)	\
	F(frame_ipv4, u8,  rsvd_48,         RSVD,  48,  1, NULL)	\
	F(frame_ipv4, u8,  df,              FLAG,  49,  1, NULL)	\
	F(frame_ipv4, u8,  mf,              FLAG,  50,  1, NULL)	\
	F(frame_ipv4, u16, fragment_offset, UINT,  51, 13, NULL)	\
	F(frame_ipv4, u8,  ttl,             UINT,  64,  8, NULL)	\
	F(frame_ipv4, u8,  protocol,       ENUM,  72,  8, frame_protos)	\
	F(frame_ipv4, u16, checksum,        ID,    80, 16, NULL)	\
	F(frame_ipv4, u32, src,             ID,    96, 32, NULL)	\
	F(frame_ipv4, u32, dst,             ID,   128, 32, NULL)

/* IPv6, 40 bytes. */
#define FRAME_IPV6(F)							\
	F(frame_ipv6, u8,  version,         UINT,   0,  4, NULL)	\
	F(frame_ipv6, u8,  dscp,            UINT,   4,  6, NULL)	\
	F(frame_ipv6, u8,  ecn,             UINT,  10,  2, NULL)	\
	F(frame_ipv6, u32, flow_label,      ID,    12, 20, NULL)	\
	F(frame_ipv6, u16, payload_length,  UINT,  32, 16, NULL)	\
	F(frame_ipv6, u8,  next_header,    ENUM,  48,  8, frame_protos)	\
	F(frame_ipv6, u8,  hop_limit,       UINT,  56,  8, NULL)	\
	F(frame_ipv6, u64, src_hi,          ID,    64, 64, NULL)	\
	F(frame_ipv6, u64, src_lo,          ID,   128, 64, NULL)	\
	F(frame_ipv6, u64, dst_hi,          ID,   192, 64, NULL)	\
	F(frame_ipv6, u64, dst_lo,          ID,   256, 64, NULL)

/* The common head of the IPv6 extension headers that are skipped. */
#define FRAME_IPV6_EXT(F)						\
	F(frame_ipv6_ext, u8, next_header, ENUM,   0,  8, frame_protos)	\
	F(frame_ipv6_ext, u8, ext_length,  UINT,   8,  8, NULL)

/* IPv6 Fragment header, 8 bytes. */
#define FRAME_IPV6_FRAGMENT(F)						\
	F(frame_ipv6_fragment, u8,  next_header,     ENUM,  0,  8,	\
	  frame_protos)							\
	F(frame_ipv6_fragment, u8,  rsvd_8,          RSVD,  8,  8, NULL)	\
	F(frame_ipv6_fragment, u16, fragment_offset, UINT, 16, 13, NULL)	\
	F(frame_ipv6_fragment, u8,  rsvd_29,         RSVD, 29,  2, NULL)	\
	F(frame_ipv6_fragment, u8,  mf,              FLAG, 31,  1, NULL)	\
	F(frame_ipv6_fragment, u32, fragment_id,     ID,   32, 32, NULL)

/* UDP, 8 bytes. */
#define FRAME_UDP(F)							\
	F(frame_udp, u16, sport,       UINT,   0, 16, NULL)		\
	F(frame_udp, u16, dport,       UINT,  16, 16, NULL)		\
	F(frame_udp, u16, length,      UINT,  32, 16, NULL)		\
	F(frame_udp, u16, checksum,    ID,    48, 16, NULL)

/* ARP for IPv4 over Ethernet, 28 bytes. */
#define FRAME_ARP(F)							\
	F(frame_arp, u16, hw_type,     UINT,   0, 16, NULL)		\
	F(frame_arp, u16, proto_type,  ENUM,  16, 16, frame_types)	\
	F(frame_arp, u8,  hw_len,      UINT,  32,  8, NULL)		\
	F(frame_arp, u8,  proto_len,   UINT,  40,  8, NULL)		\
	F(frame_arp, u16, op,          ENUM,  48, 16, frame_arp_ops)	\
	F(frame_arp, u64, sender_mac,  ID,    64, 48, NULL)		\
	F(frame_arp, u32, sender_ip,   ID,   112, 32, NULL)		\
	F(frame_arp, u64, target_mac,  ID,   144, 48, NULL)		\
	F(frame_arp, u32, target_ip,   ID,   192, 32, NULL)

/* ICMPv6 neighbour solicitation and advertisement, 24 bytes. */
#define FRAME_ND(F)							\
	F(frame_nd, u8,  icmp_type,    ENUM,   0,  8, frame_nd_types)	\
	F(frame_nd, u8,  code,         UINT,   8,  8, NULL)		\
	F(frame_nd, u16, checksum,     ID,    16, 16, NULL)		\
	F(frame_nd, u8,  router,       FLAG,  32,  1, NULL)		\
	F(frame_nd, u8,  solicited,    FLAG,  33,  1, NULL)		\
	F(frame_nd, u8,  override,     FLAG,  34,  1, NULL)		\
	F(frame_nd, u32, rsvd_35,      RSVD,  35, 29, NULL)		\
	F(frame_nd, u64, target_hi,    ID,    64, 64, NULL)		\
	F(frame_nd, u64, target_lo,    ID,   128, 64, NULL)

/* Neighbour discovery option with a link address, 8 bytes. */
#define FRAME_ND_LINK(F)						\
	F(frame_nd_link, u8,  opt_type, ENUM,  0,  8, frame_nd_options)	\
	F(frame_nd_link, u8,  units,    UINT,  8,  8, NULL)		\
	F(frame_nd_link, u64, mac,      ID,   16, 48, NULL)
/* clang-format on */

HEADER_DECLARE(frame_eth, FRAME_ETH, 14)
HEADER_DECLARE(frame_vlan, FRAME_VLAN, 4)
HEADER_DECLARE(frame_ipv4, FRAME_IPV4, 20)
HEADER_DECLARE(frame_ipv6, FRAME_IPV6, 40)
HEADER_DECLARE(frame_ipv6_ext, FRAME_IPV6_EXT, 2)
HEADER_DECLARE(frame_ipv6_fragment, FRAME_IPV6_FRAGMENT, 8)
HEADER_DECLARE(frame_udp, FRAME_UDP, 8)
HEADER_DECLARE(frame_arp, FRAME_ARP, 28)
HEADER_DECLARE(frame_nd, FRAME_ND, 24)
HEADER_DECLARE(frame_nd_link, FRAME_ND_LINK, 8)

#endif
