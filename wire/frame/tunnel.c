/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/tunnel.c -- finds the frame inside a tunnel.
 *
 *	VXLAN      0               1               2               3
 *	           R R R R I R R R reserved (24)
 *	           VNI (24)                                        reserved
 *
 *	GRE        C - K S - - - - - - - - -  ver  protocol type (16)
 *	           checksum and reserved (32), if C
 *	           key (32), if K
 *	           sequence number (32), if S
 *
 *	ERSPAN II  ver=1 VLAN (12)                 COS T session (10)
 *	           reserved (12)   index (20)
 *
 *	ERSPAN III ver=2 VLAN (12)                 COS BSO T session (10)
 *	           timestamp (32)
 *	           SGT (16)                        P FT (5) Hw ID (6) D Gra O
 *	           platform specific (64), if O
 *
 * ERSPAN type I has no header of its own, and its GRE header has no sequence
 * number.
 */
#include "wire/frame/tunnel.h"

#include "wire/field.h"

enum {
	PORT_VXLAN = 4789,
	PORT_VXLAN_LINUX = 8472, /* of Linux before IANA assigned one */
	VXLAN_LEN = 8,
	VXLAN_I = 0x08, /* the VNI is valid */

	PROTO_IPV4 = 4,
	PROTO_IPV6 = 41,
	PROTO_GRE = 47,
	PROTO_ETHERNET = 143,

	GRE_LEN = 4,
	GRE_C = 0x80,
	GRE_R = 0x40, /* a routing list follows, RFC 1701; not read */
	GRE_K = 0x20,
	GRE_S = 0x10,
	GRE_VERSION = 0x07, /* 1 is PPTP */

	TYPE_IPV4 = 0x0800,
	TYPE_IPV6 = 0x86dd,
	TYPE_ETHERNET = 0x6558,
	TYPE_ERSPAN = 0x88be, /* types I and II */
	TYPE_ERSPAN3 = 0x22eb,

	ERSPAN2_LEN = 8,
	ERSPAN3_LEN = 12,
	ERSPAN3_O = 0x01,
	ERSPAN3_MORE = 8,
	ERSPAN3_FT_IP = 2, /* frame type; 0 is Ethernet */
};

static const struct tunnel no_tunnel = {TUNNEL_NONE, 0};
static const struct tunnel short_tunnel = {TUNNEL_SHORT, 0};

bool tunnel_port(uint16_t dport)
{
	return dport == PORT_VXLAN || dport == PORT_VXLAN_LINUX;
}

struct tunnel tunnel_of_port(uint16_t dport, const uint8_t *p, size_t len)
{
	if (!tunnel_port(dport))
		return no_tunnel;
	if (len < VXLAN_LEN)
		return short_tunnel;
	if (!(p[0] & VXLAN_I))
		return no_tunnel;
	return (struct tunnel){TUNNEL_ETHERNET, VXLAN_LEN};
}

/* Reads the header of ERSPAN type II at |at|, behind the GRE header. */
static struct tunnel erspan2(const uint8_t *p, size_t len, size_t at)
{
	if (len < at + ERSPAN2_LEN)
		return short_tunnel;
	if (bits_get(p + at, 0, 4) != 1)
		return no_tunnel;
	return (struct tunnel){TUNNEL_ETHERNET, at + ERSPAN2_LEN};
}

static struct tunnel erspan3(const uint8_t *p, size_t len, size_t at)
{
	size_t end = at + ERSPAN3_LEN;
	uint64_t type;

	if (len < end)
		return short_tunnel;
	if (bits_get(p + at, 0, 4) != 2)
		return no_tunnel;
	type = bits_get(p + at, 81, 5);
	if (p[end - 1] & ERSPAN3_O)
		end += ERSPAN3_MORE;
	if (len < end)
		return short_tunnel;
	if (type == ERSPAN3_FT_IP)
		return (struct tunnel){TUNNEL_IP, end};
	return type ? no_tunnel : (struct tunnel){TUNNEL_ETHERNET, end};
}

static struct tunnel gre(const uint8_t *p, size_t len)
{
	size_t at = GRE_LEN;

	if (len < at)
		return short_tunnel;
	if ((p[0] & GRE_R) || (p[1] & GRE_VERSION))
		return no_tunnel;
	at += (p[0] & GRE_C) ? 4 : 0;
	at += (p[0] & GRE_K) ? 4 : 0;
	at += (p[0] & GRE_S) ? 4 : 0;
	if (len < at)
		return short_tunnel;
	switch (bits_get(p, 16, 16)) {
	case TYPE_IPV4:
	case TYPE_IPV6:
		return (struct tunnel){TUNNEL_IP, at};
	case TYPE_ETHERNET:
		return (struct tunnel){TUNNEL_ETHERNET, at};
	case TYPE_ERSPAN:
		if (p[0] & GRE_S)
			return erspan2(p, len, at);
		return (struct tunnel){TUNNEL_ETHERNET, at};
	case TYPE_ERSPAN3:
		return erspan3(p, len, at);
	}
	return no_tunnel;
}

struct tunnel tunnel_of_proto(uint8_t proto, const uint8_t *p, size_t len)
{
	switch (proto) {
	case PROTO_GRE:
		return gre(p, len);
	case PROTO_IPV4:
	case PROTO_IPV6:
		return (struct tunnel){TUNNEL_IP, 0};
	case PROTO_ETHERNET:
		return (struct tunnel){TUNNEL_ETHERNET, 0};
	}
	return no_tunnel;
}
