/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/unread.c -- finds the reason by link type, EtherType, IP protocol
 * and UDP port.
 *
 * Spec: LINKTYPE_* of the tcpdump group; IANA EtherTypes, protocol numbers and
 * ports
 */
#include "wire/frame/unread.h"

#include <stddef.h>

struct known {
	uint16_t number;
	enum unread why;
};

static const struct known links[] = {
	{9, UNREAD_PPP},   /* LINKTYPE_PPP */
	{50, UNREAD_PPP},  /* LINKTYPE_PPP_HDLC */
	{51, UNREAD_PPP},  /* LINKTYPE_PPP_ETHER */
	{166, UNREAD_PPP}, /* LINKTYPE_PPP_PPPD */
};

static const struct known types[] = {
	{0x8100, UNREAD_TAGS}, {0x88a8, UNREAD_TAGS}, {0x9100, UNREAD_TAGS},
	{0x9200, UNREAD_TAGS}, {0x8847, UNREAD_MPLS}, {0x8848, UNREAD_MPLS},
	{0x8863, UNREAD_PPP},  {0x8864, UNREAD_PPP},  {0x880b, UNREAD_PPP},
};

static const struct known protocols[] = {
	{4, UNREAD_IP_IN_IP}, {41, UNREAD_IP_IN_IP}, {47, UNREAD_GRE},
	{50, UNREAD_IPSEC},   {51, UNREAD_IPSEC},
};

static const struct known ports[] = {
	{4789, UNREAD_VXLAN},
	/* the port that Linux used before IANA assigned one */
	{8472, UNREAD_VXLAN},
	{6081, UNREAD_GENEVE},
};

static enum unread unread_look_up(const struct known *k, size_t n,
				  uint32_t number, enum unread otherwise)
{
	for (size_t i = 0; i < n; i++)
		if (k[i].number == number)
			return k[i].why;
	return otherwise;
}

#define LOOK_UP(table, number, otherwise)                                   \
	unread_look_up(table, sizeof(table) / sizeof((table)[0]), (number), \
		       otherwise)

enum unread unread_port(uint16_t dport)
{
	return LOOK_UP(ports, dport, UNREAD_PORT);
}

enum unread unread_why(enum frame_link link, const struct frame_info *info)
{
	switch (info->fault) {
	case FRAME_LINK:
		return LOOK_UP(links, (uint32_t)link, UNREAD_LINK);
	case FRAME_NOT_IP:
		return LOOK_UP(types, info->type, UNREAD_ETHERTYPE);
	case FRAME_NOT_UDP:
		return LOOK_UP(protocols, info->type, UNREAD_PROTOCOL);
	case FRAME_FRAGMENT:
		return UNREAD_FRAGMENT;
	case FRAME_SHORT:
		return UNREAD_SHORT;
	case FRAME_OK:
	case FRAME_NOT_UET:
		break;
	}
	return unread_port(info->udp_dport);
}

static const struct {
	const char *name, *text;
} words[UNREADS] = {
	[UNREAD_LINK] = {"link-type", "of a link type that is not read"},
	[UNREAD_PPP] = {"ppp", "PPP or PPPoE"},
	[UNREAD_MPLS] = {"mpls", "labels of MPLS"},
	[UNREAD_TAGS] = {"tags", "more than two VLAN tags, or one of an older "
				 "EtherType"},
	[UNREAD_ETHERTYPE] = {"ethertype", "no IP: ARP, LLDP and the like"},
	[UNREAD_GRE] = {"gre", "GRE, of another type or too deep"},
	[UNREAD_IP_IN_IP] = {"ip-in-ip", "IP inside IP, too deep"},
	[UNREAD_IPSEC] = {"ipsec", "IPsec: AH or ESP"},
	[UNREAD_PROTOCOL] = {"protocol", "another IP protocol: TCP, ICMP and "
					 "the like"},
	[UNREAD_VXLAN] = {"vxlan", "VXLAN, without a VNI or too deep"},
	[UNREAD_GENEVE] = {"geneve", "a tunnel: GENEVE"},
	[UNREAD_PORT] = {"port", "UDP to a port of no transport that is read "
				 "(--udp-port)"},
	[UNREAD_FRAGMENT] = {"fragment", "an IP fragment"},
	[UNREAD_SHORT] = {"short", "it ends inside a header"},
};

const char *unread_name(enum unread why)
{
	return words[why].name;
}

const char *unread_text(enum unread why)
{
	return words[why].text;
}
