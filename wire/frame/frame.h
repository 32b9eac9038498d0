/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/frame.h -- Ethernet, VLAN, IP and UDP around a datagram.
 *
 * frame_parse parses any captured frame, frame_peek only common ones.
 *
 * Spec: UET 3.5.10.1 (uet.md 1.1 to 1.4); RFC 791, 8200, 768; IEEE 802.1Q;
 *       LINKTYPE_* of the tcpdump group
 */
#ifndef WIRE_FRAME_FRAME_H
#define WIRE_FRAME_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hot.h"
#include "wire/dgram.h"
#include "wire/family.h"
#include "wire/field.h"
#include "wire/frame/frame_tables.h"

/* Link types, as capture files number them. */
enum frame_link {
	FRAME_NULL = 0, /* BSD loopback: 4 bytes in host order */
	FRAME_ETHERNET = 1,
	FRAME_RAW_IP = 101,
	FRAME_LOOP = 108, /* OpenBSD loopback: 4 bytes in network order */
	FRAME_LINUX_SLL = 113,
	FRAME_IPV4_ONLY = 228,
	FRAME_IPV6_ONLY = 229,
	FRAME_LINUX_SLL2 = 276,
};

enum frame_fault {
	FRAME_OK,
	FRAME_SHORT, /* truncated header, or IP length below it */
	FRAME_NOT_IP,
	FRAME_FRAGMENT,
	FRAME_NOT_UDP, /* neither UDP nor the protocol of the native form */
	FRAME_NOT_UET, /* UDP to a port that is not UET's */
	FRAME_LINK,    /* unknown link type */
};

struct frame_conf {
	uint16_t udp_port; /* 0: UET_UDP_PORT */
	uint8_t ip_proto;  /* protocol of the native form; 0: UET_IP_PROTO */
	bool tunnels;      /* find the frame inside VXLAN, GRE and the like */
};

enum { FRAME_TUNNELS_MAX = 4 }; /* most tunnels inside each other */

struct frame_info {
	enum frame_fault fault;
	/*
	 * The IP length exceeds the frame or DGRAM_MAX.  This is no fault: the
	 * bytes present were parsed.
	 */
	bool ip_cut;
	uint16_t udp_length; /* the value on the wire; 0 for the native form */
	/* FRAME_OK and FRAME_NOT_UET; 0 for the native form */
	uint16_t udp_dport;
	/*
	 * FRAME_NOT_IP: the EtherType, or 0 if there is none; FRAME_NOT_UDP:
	 * the IP protocol
	 */
	uint16_t type;
	/* offset of the bytes of UET or another family */
	size_t at;
	size_t len;       /* number of these bytes, from the IP length */
	unsigned tunnels; /* tunnels around the frame */
	/* headers of the innermost frame */
	unsigned nsec;
	const struct header *sec_h[8]; /* |nsec| headers, for printing */
	uint16_t sec_at[8];
};

/*
 * The fields of a common frame that are read first: Ethernet, up to two tags,
 * IPv4 without options or IPv6 without extensions, UDP.
 */
struct frame_peek {
	uint16_t ip, udp; /* offsets of the headers; data follows UDP */
	uint16_t len;     /* bytes of data, by the IP length */
	uint8_t addr_len; /* 4 or 16 */
	bool cut;         /* like frame_info.ip_cut */
	bool known;       /* the UDP port is that of a family */
	enum family family;
};

/* frame_port returns the UDP port of UET. */
static inline uint16_t frame_port(const struct frame_conf *conf)
{
	return conf && conf->udp_port ? conf->udp_port : UET_UDP_PORT;
}

/* frame_proto returns the IP protocol of UET's native form. */
static inline uint8_t frame_proto(const struct frame_conf *conf)
{
	return conf && conf->ip_proto ? conf->ip_proto : UET_IP_PROTO;
}

enum { FRAME_PLAIN_IPV4 = 0x45 }; /* first byte: version 4, 5 words long */

/* frame_peek_more does the same as frame_peek for all common frames. */
bool frame_peek_more(const struct frame_conf *conf, enum frame_link link,
		     const uint8_t *p, size_t len, struct frame_peek *ret);

/*
 * frame_peek_udp parses the UDP header at |at|, followed by UET.  The IP length
 * gives |said| bytes; |left| bytes are present.
 * Return: false if the lengths contradict each other.
 */
static inline __attribute__((always_inline)) bool
frame_peek_udp(struct frame_peek *ret, size_t at, size_t said, size_t left)
{
	if (said < frame_udp_len || said > frame_udp_len + DGRAM_MAX)
		return false;
	ret->udp = (uint16_t)at;
	ret->len = (uint16_t)((said < left ? said : left) - frame_udp_len);
	ret->cut = said > left;
	ret->known = true;
	ret->family = MAIN_FAMILY;
	return true;
}

/*
 * frame_peek_ipv4 parses an IPv4 header at |at| without options or
 * fragmentation, followed by UDP.
 */
static inline __attribute__((always_inline)) bool
frame_peek_ipv4(struct frame_peek *ret, const uint8_t *p, size_t at, size_t len)
{
	const size_t udp = at + frame_ipv4_len;
	struct frame_ipv4 h;

	if (len < udp + frame_udp_len)
		return false;
	frame_ipv4_get(&h, p + at);
	ret->ip = (uint16_t)at;
	ret->addr_len = 4;
	return p[at] == FRAME_PLAIN_IPV4 && h.protocol == FRAME_PROTO_UDP &&
	       !h.mf && !h.fragment_offset &&
	       frame_peek_udp(ret, udp, h.total_length - (size_t)frame_ipv4_len,
			      len - udp);
}

/*
 * frame_peek reads the addresses and ports of a frame without parsing the rest.
 * It is inlined for the most common form.
 *
 * Return: false if the frame is not a common one; frame_parse may still accept
 *         it.
 */
static inline __attribute__((always_inline)) bool
frame_peek(const struct frame_conf *conf, enum frame_link link,
	   const uint8_t *p, size_t len, struct frame_peek *ret)
{
	/* a separate variable, so that *ret may stay in registers */
	struct frame_peek more;
	struct frame_udp udp;
	struct frame_eth eth;

	if (likely(link == FRAME_ETHERNET && len >= frame_eth_len)) {
		frame_eth_get(&eth, p);
		if (likely(eth.eth_type == FRAME_TYPE_IPV4 &&
			   frame_peek_ipv4(ret, p, frame_eth_len, len))) {
			frame_udp_get(&udp, p + ret->udp);
			if (likely(udp.dport == frame_port(conf)))
				return true;
		}
	}
	if (!frame_peek_more(conf, link, p, len, &more))
		return false;
	*ret = more;
	return true;
}

/*
 * frame_peek_addrs returns a pointer to the source address, followed by the
 * destination address.
 */
static inline const uint8_t *frame_peek_addrs(const struct frame_peek *g,
					      const uint8_t *p)
{
	return p + g->udp - 2u * g->addr_len;
}

/* frame_peek_fill_ipv6 is the part of frame_peek_fill that reads IPv6. */
void frame_peek_fill_ipv6(const struct frame_peek *g, const uint8_t *p,
			  struct dgram *ret);

/* frame_peek_fill_ipv4 is the part of frame_peek_fill that reads IPv4. */
static inline void frame_peek_fill_ipv4(const struct frame_peek *g,
					const uint8_t *p, struct dgram *ret)
{
	const uint8_t *addrs = p + g->udp - (size_t)(2 * 4);
	struct frame_ipv4 h;

	frame_ipv4_get(&h, p + g->ip);
	ip_addr_set(&ret->src, addrs, 4);
	ip_addr_set(&ret->dst, addrs + 4, 4);
	ret->dscp = h.dscp;
	ret->ecn = h.ecn;
}

/*
 * frame_peek_fill fills all members before ret->data for the frame |p|, like
 * frame_find.  It is inlined, so that |*g| may stay in registers.
 */
static inline __attribute__((always_inline)) void
frame_peek_fill(const struct frame_peek *g, const uint8_t *p, struct dgram *ret)
{
	struct frame_udp udp;

	/*
	 * Clears the members after the addresses, which are written completely.
	 */
	memset(&ret->entropy, 0,
	       offsetof(struct dgram, data) - offsetof(struct dgram, entropy));
	frame_udp_get(&udp, p + g->udp);
	if (likely(g->addr_len == 4))
		frame_peek_fill_ipv4(g, p, ret);
	else
		frame_peek_fill_ipv6(g, p, ret);
	ret->entropy = udp.sport;
	if (unlikely(udp.length != frame_udp_len + g->len))
		ret->udp_length = udp.length;
	if (likely(g->known && g->family == MAIN_FAMILY))
		ret->len = g->len;
}

/*
 * frame_parse finds the UET bytes of a frame and fills the datagram's
 * addresses, entropy, DSCP and ECN; the bytes are copied to ret->data.
 *
 * Shape:  |p| holds |len| bytes without FCS; the IP length excludes Ethernet
 * padding.
 *
 * Return: FRAME_OK or the fault (also in info->fault); *ret is filled up to the
 * fault.
 */
enum frame_fault frame_parse(const struct frame_conf *conf,
			     enum frame_link link, const uint8_t *p, size_t len,
			     struct dgram *ret, struct frame_info *info);

/*
 * frame_find does the same as frame_parse, but does not write ret->data.  The
 * bytes are the info->len bytes at |p| + info->at (fewer than the IP length if
 * info->ip_cut). ret->len counts them.
 */
enum frame_fault frame_find(const struct frame_conf *conf, enum frame_link link,
			    const uint8_t *p, size_t len, struct dgram *ret,
			    struct frame_info *info);

/*
 * frame_section returns the first |h| among the headers of the frame |p|, or
 * NULL.
 */
const uint8_t *frame_section(const struct frame_info *info,
			     const struct header *h, const uint8_t *p);

/*
 * frame_family returns the family of the bytes that were found: UET if
 * frame_conf names their port, else the family that has the UDP port.
 *
 * Return: false if no family has it.
 */
bool frame_family(const struct frame_info *info, enum family *ret);

#endif
