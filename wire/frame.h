/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame.h -- Ethernet, VLAN, IP and UDP around a datagram.
 *
 * frame_parse takes a captured frame apart; frame_build makes one, for the
 * capture files and for raw ports: DF set, IP id 0, UDP checksum 0 unless the
 * datagram says otherwise.
 *
 * Spec: UET 3.5.10.1 (uet.md 1.1 to 1.4); RFC 791, 8200, 768; IEEE 802.1Q;
 *       LINKTYPE_* of the tcpdump group
 */
#ifndef WIRE_FRAME_H
#define WIRE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "wire/dgram.h"
#include "wire/family.h"
#include "wire/field.h"
#include "wire/frame_tables.h"

/* Link types, as capture files number them. */
enum frame_link {
	FRAME_NULL = 0, /* BSD loopback: 4 bytes, in the order of its host */
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
	FRAME_SHORT, /* cut inside a header, or IP says less than that */
	FRAME_NOT_IP,
	FRAME_FRAGMENT,
	FRAME_NOT_UDP, /* neither UDP nor the native protocol */
	FRAME_NOT_UET, /* UDP to another port */
	FRAME_LINK,    /* link type that we do not know */
};

struct frame_conf {
	uint16_t udp_port; /* 0: UET_UDP_PORT */
	uint8_t ip_proto;  /* of the native form; 0: UET_IP_PROTO */
};

struct frame_info {
	enum frame_fault fault;
	bool ip_cut;         /* the frame or DGRAM_MAX holds less than IP says;
				no fault: what there is was read */
	uint16_t udp_length; /* as written; 0 for the native form */
	uint16_t udp_dport;  /* of FRAME_OK and FRAME_NOT_UET; 0 likewise */
	size_t at;           /* offset of the UET bytes, or of the others' */
	size_t len;          /* how many there are, by the IP length */
	unsigned nsec;
	const struct header *sec_h[8]; /* |nsec| headers, for printing */
	uint16_t sec_at[8];
};

/*
 * What a usual frame shows at first sight: Ethernet, up to two tags, IPv4
 * without options or IPv6 without extensions, UDP.
 */
struct frame_glance {
	uint16_t ip, udp; /* offsets of the headers; the data is behind them */
	uint16_t len;     /* bytes of data, by the IP length */
	uint8_t addr_len; /* 4 or 16 */
	bool cut;         /* as frame_info.ip_cut */
	bool known;       /* it goes to the port of a family: */
	enum family family;
};

/* frame_port is the UDP port of UET. */
static inline uint16_t frame_port(const struct frame_conf *conf)
{
	return conf && conf->udp_port ? conf->udp_port : UET_UDP_PORT;
}

enum { FRAME_PLAIN_IPV4 = 0x45 }; /* first byte: version 4, 5 words long */

/* frame_glance_more is frame_glance of all usual frames. */
bool frame_glance_more(const struct frame_conf *conf, enum frame_link link,
		       const uint8_t *p, size_t len, struct frame_glance *ret);

/* frame_glance_udp: of the UDP at |at|, with UET in it, IP says |said| bytes
 * and |left| are there.  Return: false if that cannot be. */
static inline __attribute__((always_inline)) bool
frame_glance_udp(struct frame_glance *ret, size_t at, size_t said, size_t left)
{
	if (said < frame_udp_len || said > frame_udp_len + DGRAM_MAX)
		return false;
	ret->udp = (uint16_t)at;
	ret->len = (uint16_t)((said < left ? said : left) - frame_udp_len);
	ret->cut = said > left;
	ret->known = true;
	ret->family = FAMILY_UET;
	return true;
}

/* frame_glance_ipv4 is the same of the IPv4 header at |at|, which UDP follows:
 * it has no options, and is that of no fragment. */
static inline __attribute__((always_inline)) bool
frame_glance_ipv4(struct frame_glance *ret, const uint8_t *p, size_t at,
		  size_t len)
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
	       frame_glance_udp(ret, udp,
				h.total_length - (size_t)frame_ipv4_len,
				len - udp);
}

/*
 * frame_glance looks at a frame for those who may want no more of it than its
 * addresses.  Most are looked at where that is asked.
 * Return: false if it is not a usual one, which says nothing of it.
 */
static inline __attribute__((always_inline)) bool
frame_glance(const struct frame_conf *conf, enum frame_link link,
	     const uint8_t *p, size_t len, struct frame_glance *ret)
{
	struct frame_glance more; /* so that *ret may stay in registers */
	struct frame_udp udp;
	struct frame_eth eth;

	if (likely(link == FRAME_ETHERNET && len >= frame_eth_len)) {
		frame_eth_get(&eth, p);
		if (likely(eth.eth_type == FRAME_TYPE_IPV4 &&
			   frame_glance_ipv4(ret, p, frame_eth_len, len))) {
			frame_udp_get(&udp, p + ret->udp);
			if (likely(udp.dport == frame_port(conf)))
				return true;
		}
	}
	if (!frame_glance_more(conf, link, p, len, &more))
		return false;
	*ret = more;
	return true;
}

/* frame_glance_addrs is the source's address, and behind it the other one. */
static inline const uint8_t *frame_glance_addrs(const struct frame_glance *g,
						const uint8_t *p)
{
	return p + g->udp - 2u * g->addr_len;
}

/*
 * frame_glance_fill fills the head of the datagram of the frame |p|, all but
 * ret->data, as frame_find does.
 */
void frame_glance_fill(const struct frame_glance *g, const uint8_t *p,
		       struct dgram *ret);

/*
 * frame_parse finds the UET bytes of a frame and fills the datagram's
 * addresses, entropy, DSCP and ECN; the bytes are copied to ret->data.
 *
 * Shape:  |p| holds |len| bytes without FCS; Ethernet padding is dropped by the
 *         IP length.
 * Return: FRAME_OK or why not (also in info->fault); *ret is filled as far as
 *         it went.
 */
enum frame_fault frame_parse(const struct frame_conf *conf,
			     enum frame_link link, const uint8_t *p, size_t len,
			     struct dgram *ret, struct frame_info *info);

/*
 * frame_find is frame_parse without the copy: ret->data is left as it is, the
 * bytes are the info->len ones at |p| + info->at (fewer than the IP length says
 * if info->ip_cut).  ret->len counts them.
 */
enum frame_fault frame_find(const struct frame_conf *conf, enum frame_link link,
			    const uint8_t *p, size_t len, struct dgram *ret,
			    struct frame_info *info);

/*
 * frame_section is the first |h| among the headers of the frame |p|, or NULL.
 */
const uint8_t *frame_section(const struct frame_info *info,
			     const struct header *h, const uint8_t *p);

/*
 * frame_family says of what family the bytes are that were found: UET if that
 * is what they are by frame_conf, else the one that has the port.
 * Return: false if they are of none.
 */
bool frame_family(const struct frame_info *info, enum family *ret);

/*
 * frame_mend puts the checksums right of a frame whose bytes were changed since
 * frame_find looked at it and found FRAME_OK: that of IPv4, and that of UDP
 * unless it is 0, which means that there is none, or the frame was cut.
 */
void frame_mend(const struct frame_info *info, uint8_t *p);

/*
 * frame_build writes the IP packet (FRAME_RAW_IP) or the Ethernet frame with
 * locally administered addresses made from the IP ones (FRAME_ETHERNET).
 * Return: the length, or ERR_SPACE, or ERR_VALUE (address lengths differ).
 */
int frame_build(const struct frame_conf *conf, enum frame_link link,
		const struct dgram *d, uint8_t *p, size_t size);

/*
 * frame_checksum is the Internet checksum of |len| bytes with |sum| added:
 * 0, or what frame_sum made of bytes elsewhere, an even number of them.  It is
 * 0 over bytes that hold their right checksum.
 *
 * Spec: RFC 1071
 */
uint16_t frame_checksum(uint32_t sum, const uint8_t *p, size_t len);
uint32_t frame_sum(uint32_t sum, const uint8_t *p, size_t len);

/*
 * frame_wrap puts a datagram into the headers of another frame, the |head_len|
 * bytes that stood there before the UET bytes (frame_info.at): what the
 * datagram knows (addresses, DSCP, ECN, entropy, lengths) is written, all else
 * is kept.  A datagram that goes the other way has the MAC addresses turned.
 *
 * Return: the length; ERR_SPACE; ERR_VALUE the headers are not such.
 */
int frame_wrap(const struct frame_conf *conf, enum frame_link link,
	       const uint8_t *head, size_t head_len, const struct dgram *d,
	       uint8_t *p, size_t size);

#endif
