/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/frame.c -- parses captured frames into datagrams.
 *
 * The IP length gives the number of UET bytes, since Ethernet padding may
 * follow. A trimming switch updates the IP length but may keep the UDP length,
 * which is therefore only reported.  Checksums are not verified here.
 *
 * Spec: UET 3.5.10.1 (uet.md 1.1 to 1.4); RFC 791, 8200, 768; IEEE 802.1Q
 */
#include "wire/frame/frame.h"

#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "wire/frame/frame_tables.h"
#include "wire/frame/tunnel.h"
#include "wire/uet/uet_pds.h"

/* The segment routing header, RFC 8754: type, segments left, list. */
enum { FRAME_SRH_TYPE = 4, FRAME_SRH_LIST = 8 };

/* The position in a frame that is parsed; the IP length lowers |end|. */
struct frame_reader {
	const struct frame_conf *conf;
	const uint8_t *p;
	size_t at, end;
	struct dgram *d;
	struct frame_info *info;
	enum tunnel_inner inner; /* the frame inside a tunnel is next */
};

/* Advances over a header; NULL if it is truncated. */
static const uint8_t *frame_take(struct frame_reader *r, const struct header *h)
{
	struct frame_info *info = r->info;
	const uint8_t *p;

	if (r->end - r->at < h->len)
		return NULL;
	p = r->p + r->at;
	if (info->nsec < sizeof(info->sec_h) / sizeof(info->sec_h[0])) {
		info->sec_h[info->nsec] = h;
		info->sec_at[info->nsec] = (uint16_t)r->at;
		info->nsec++;
	}
	r->at += h->len;
	return p;
}

/* Advances over bytes that no table describes. */
static bool skip(struct frame_reader *r, size_t n)
{
	if (r->end - r->at < n)
		return false;
	r->at += n;
	return true;
}

/* Lowers the end of the frame to that of the IP packet. */
static bool frame_limit(struct frame_reader *r, size_t ip_at, size_t ip_len)
{
	if (ip_at + ip_len < r->at)
		return false;
	if (ip_at + ip_len > r->end)
		r->info->ip_cut = true;
	else
		r->end = ip_at + ip_len;
	return true;
}

/* Returns true if the frame inside a tunnel may be read next. */
static bool frame_may_enter(const struct frame_reader *r)
{
	return r->conf && r->conf->tunnels &&
	       r->info->tunnels < FRAME_TUNNELS_MAX;
}

/* Advances over the headers of a tunnel. */
static enum frame_fault frame_enter(struct frame_reader *r, struct tunnel t)
{
	if (t.inner == TUNNEL_SHORT)
		return FRAME_SHORT;
	r->at += t.len;
	r->inner = t.inner;
	return FRAME_OK;
}

static enum frame_fault read_udp(struct frame_reader *r)
{
	const uint8_t *p = frame_take(r, &frame_udp_header);
	struct tunnel t = {TUNNEL_NONE, 0};
	struct frame_udp h;

	if (!p)
		return FRAME_SHORT;
	frame_udp_get(&h, p);
	if (frame_may_enter(r) && h.dport != frame_port(r->conf))
		t = tunnel_of_port(h.dport, r->p + r->at, r->end - r->at);
	if (t.inner)
		return frame_enter(r, t);
	r->d->entropy = h.sport;
	r->info->udp_length = h.length;
	r->info->udp_dport = h.dport;
	return h.dport == frame_port(r->conf) ? FRAME_OK : FRAME_NOT_UET;
}

static enum frame_fault read_entropy(struct frame_reader *r)
{
	const uint8_t *p = frame_take(r, &entropy_header);
	struct entropy h;

	if (!p)
		return FRAME_SHORT;
	entropy_get(&h, p);
	r->d->entropy = h.entropy;
	r->d->native = 1;
	return FRAME_OK;
}

static enum frame_fault read_transport(struct frame_reader *r, uint8_t proto)
{
	struct tunnel t = {TUNNEL_NONE, 0};

	if (frame_may_enter(r))
		t = tunnel_of_proto(proto, r->p + r->at, r->end - r->at);
	if (t.inner)
		return frame_enter(r, t);
	if (proto == FRAME_PROTO_UDP)
		return read_udp(r);
	if (proto == frame_proto(r->conf))
		return read_entropy(r);
	r->info->type = proto;
	return FRAME_NOT_UDP;
}

static enum frame_fault read_ipv4(struct frame_reader *r)
{
	const size_t at = r->at;
	const uint8_t *p = frame_take(r, &frame_ipv4_header);
	struct frame_ipv4 h;

	if (!p)
		return FRAME_SHORT;
	frame_ipv4_get(&h, p);
	if (h.version != 4)
		return FRAME_NOT_IP;
	r->d->src = ip_addr_v4(h.src);
	r->d->dst = ip_addr_v4(h.dst);
	r->d->dscp = h.dscp;
	r->d->ecn = h.ecn;
	if (h.ihl < 5 || !skip(r, h.ihl * 4u - frame_ipv4_len) ||
	    !frame_limit(r, at, h.total_length))
		return FRAME_SHORT;
	if (h.mf || h.fragment_offset)
		return FRAME_FRAGMENT;
	return read_transport(r, h.protocol);
}

static bool is_ipv6_ext(uint8_t proto)
{
	return proto == FRAME_PROTO_HOP_BY_HOP ||
	       proto == FRAME_PROTO_ROUTING ||
	       proto == FRAME_PROTO_DEST_OPTIONS ||
	       proto == FRAME_PROTO_MOBILITY;
}

/*
 * Takes the last segment of a segment routing header that is still in use as
 * the destination: the address in the IPv6 header is that of the next segment.
 * |p| is the whole extension header of |len| bytes.
 */
static void frame_read_segments(struct frame_reader *r, const uint8_t *p,
				size_t len)
{
	if (!r->conf || !r->conf->tunnels || len < FRAME_SRH_LIST + 16)
		return;
	if (p[2] == FRAME_SRH_TYPE && p[3] > 0)
		ip_addr_set(&r->d->dst, p + FRAME_SRH_LIST, 16);
}

/*
 * Advances over a Fragment header.  One with offset 0 and without M precedes a
 * whole packet (RFC 6946); any other makes the packet a fragment.
 */
static enum frame_fault frame_read_fragment(struct frame_reader *r,
					    uint8_t *proto)
{
	const uint8_t *p = frame_take(r, &frame_ipv6_fragment_header);
	struct frame_ipv6_fragment h;

	if (!p)
		return FRAME_SHORT;
	frame_ipv6_fragment_get(&h, p);
	if (h.fragment_offset || h.mf)
		return FRAME_FRAGMENT;
	*proto = h.next_header;
	return FRAME_OK;
}

/* Advances over an extension header that says its own length. */
static enum frame_fault frame_read_ext(struct frame_reader *r, uint8_t *proto)
{
	const uint8_t *p = frame_take(r, &frame_ipv6_ext_header);
	struct frame_ipv6_ext h;

	if (!p)
		return FRAME_SHORT;
	frame_ipv6_ext_get(&h, p);
	if (!skip(r, h.ext_length * 8u + 8 - frame_ipv6_ext_len))
		return FRAME_SHORT;
	if (*proto == FRAME_PROTO_ROUTING)
		frame_read_segments(r, p, h.ext_length * 8u + 8);
	*proto = h.next_header;
	return FRAME_OK;
}

/* Advances over extension headers; *proto becomes the protocol after them. */
static enum frame_fault read_ipv6_ext(struct frame_reader *r, uint8_t *proto)
{
	enum frame_fault fault = FRAME_OK;

	while (!fault) {
		if (*proto == FRAME_PROTO_FRAGMENT)
			fault = frame_read_fragment(r, proto);
		else if (is_ipv6_ext(*proto))
			fault = frame_read_ext(r, proto);
		else
			break;
	}
	return fault;
}

static void ipv6_addr(struct ip_addr *ret, uint64_t hi, uint64_t lo)
{
	ret->len = 16;
	bits_put(ret->b, 0, 64, hi);
	bits_put(ret->b, 64, 64, lo);
}

static enum frame_fault read_ipv6(struct frame_reader *r)
{
	const uint8_t *p = frame_take(r, &frame_ipv6_header);
	enum frame_fault fault;
	struct frame_ipv6 h;

	if (!p)
		return FRAME_SHORT;
	frame_ipv6_get(&h, p);
	if (h.version != 6)
		return FRAME_NOT_IP;
	ipv6_addr(&r->d->src, h.src_hi, h.src_lo);
	ipv6_addr(&r->d->dst, h.dst_hi, h.dst_lo);
	r->d->dscp = h.dscp;
	r->d->ecn = h.ecn;
	frame_limit(r, r->at, h.payload_length);
	fault = read_ipv6_ext(r, &h.next_header);
	return fault ? fault : read_transport(r, h.next_header);
}

static enum frame_fault frame_read_ip(struct frame_reader *r)
{
	if (r->at == r->end)
		return FRAME_SHORT;
	switch (r->p[r->at] >> 4) {
	case 4:
		return read_ipv4(r);
	case 6:
		return read_ipv6(r);
	}
	return FRAME_NOT_IP;
}

static bool is_tag(uint16_t type)
{
	return type == FRAME_TYPE_VLAN || type == FRAME_TYPE_SVLAN;
}

/* Reads the headers that an EtherType announces, after up to two tags. */
static enum frame_fault read_type(struct frame_reader *r, uint16_t type)
{
	struct frame_vlan tag;
	const uint8_t *p;

	for (int i = 0; i < 2 && is_tag(type); i++) {
		p = frame_take(r, &frame_vlan_header);
		if (!p)
			return FRAME_SHORT;
		frame_vlan_get(&tag, p);
		type = tag.eth_type;
	}
	if (type == FRAME_TYPE_IPV4)
		return read_ipv4(r);
	if (type == FRAME_TYPE_IPV6)
		return read_ipv6(r);
	r->info->type = type;
	return FRAME_NOT_IP;
}

static enum frame_fault read_eth(struct frame_reader *r)
{
	const uint8_t *p = frame_take(r, &frame_eth_header);
	struct frame_eth h;

	if (!p)
		return FRAME_SHORT;
	frame_eth_get(&h, p);
	return read_type(r, h.eth_type);
}

/*
 * Parses a link header and uses only its type field: Linux cooked
 * capture has it in its last 2 bytes, version 2 in its first.
 */
static enum frame_fault read_cooked(struct frame_reader *r, size_t len,
				    unsigned type)
{
	const uint8_t *p = r->p + r->at;

	if (!skip(r, len))
		return FRAME_SHORT;
	return read_type(r, (uint16_t)bits_get(p, type * 8, 16));
}

/*
 * The family is the host's number for IPv4 or IPv6; it is ignored, since IP has
 * its own version field.
 */
static enum frame_fault read_loop(struct frame_reader *r)
{
	return skip(r, 4) ? frame_read_ip(r) : FRAME_SHORT;
}

static enum frame_fault read_link(struct frame_reader *r, enum frame_link link)
{
	switch (link) {
	case FRAME_ETHERNET:
		return read_eth(r);
	case FRAME_RAW_IP:
	case FRAME_IPV4_ONLY:
	case FRAME_IPV6_ONLY:
		return frame_read_ip(r);
	case FRAME_LINUX_SLL:
		return read_cooked(r, 16, 14);
	case FRAME_LINUX_SLL2:
		return read_cooked(r, 20, 0);
	case FRAME_NULL:
	case FRAME_LOOP:
		return read_loop(r);
	}
	return FRAME_LINK;
}

/* Reads the frame inside a tunnel; what the outer headers said is dropped. */
static enum frame_fault frame_read_inner(struct frame_reader *r)
{
	const enum tunnel_inner inner = r->inner;

	r->inner = TUNNEL_NONE;
	r->info->tunnels++;
	r->info->nsec = 0;
	memset(r->d, 0, offsetof(struct dgram, data));
	return inner == TUNNEL_ETHERNET ? read_eth(r) : frame_read_ip(r);
}

/* Finds the data; data beyond the size of a datagram is cut off. */
static void find_data(struct frame_reader *r)
{
	size_t n = r->end - r->at;

	if (n > DGRAM_MAX) {
		n = DGRAM_MAX;
		r->info->ip_cut = true;
	}
	r->info->at = r->at;
	r->info->len = n;
	if (!r->d->native && r->info->udp_length != frame_udp_len + n)
		r->d->udp_length = r->info->udp_length;
}

/* ---- Common frames, parsed without the tables ---- */

/* Finds the family that has a port other than UET's. */
static bool other_family(uint16_t port, enum family *ret)
{
	return family_of_port(port, ret) && *ret != MAIN_FAMILY;
}

static bool peek_ipv6(struct frame_peek *ret, const uint8_t *p, size_t at,
		      size_t len)
{
	const size_t udp = at + frame_ipv6_len;
	struct frame_ipv6 h;

	if (len < udp + frame_udp_len)
		return false;
	frame_ipv6_get(&h, p + at);
	ret->ip = (uint16_t)at;
	ret->addr_len = 16;
	return h.version == 6 && h.next_header == FRAME_PROTO_UDP &&
	       frame_peek_udp(ret, udp, h.payload_length, len - udp);
}

/* Parses the IP header, after tags if present. */
static bool peek_ip(struct frame_peek *ret, uint16_t type, const uint8_t *p,
		    size_t at, size_t len)
{
	if (type == FRAME_TYPE_IPV4)
		return frame_peek_ipv4(ret, p, at, len);
	return type == FRAME_TYPE_IPV6 && peek_ipv6(ret, p, at, len);
}

bool frame_peek_more(const struct frame_conf *conf, enum frame_link link,
		     const uint8_t *p, size_t len, struct frame_peek *ret)
{
	size_t at = frame_eth_len;
	struct frame_vlan tag;
	struct frame_eth h;
	struct frame_udp udp;
	uint16_t type;

	if (link != FRAME_ETHERNET || len < frame_eth_len + 2 * frame_vlan_len)
		return false;
	frame_eth_get(&h, p);
	type = h.eth_type;
	for (unsigned i = 0; i < 2 && is_tag(type); i++) {
		frame_vlan_get(&tag, p + at);
		type = tag.eth_type;
		at += frame_vlan_len;
	}
	if (!peek_ip(ret, type, p, at, len))
		return false;
	frame_udp_get(&udp, p + ret->udp);
	if (udp.dport == frame_port(conf))
		return true;
	ret->known = other_family(udp.dport, &ret->family);
	return ret->known || !conf || !conf->tunnels || !tunnel_port(udp.dport);
}

void frame_peek_fill_ipv6(const struct frame_peek *g, const uint8_t *p,
			  struct dgram *ret)
{
	const uint8_t *addrs = frame_peek_addrs(g, p);
	struct frame_ipv6 h;

	frame_ipv6_get(&h, p + g->ip);
	ip_addr_set(&ret->src, addrs, 16);
	ip_addr_set(&ret->dst, addrs + 16, 16);
	ret->dscp = h.dscp;
	ret->ecn = h.ecn;
}

static void add_section(struct frame_info *info, const struct header *h,
			size_t at)
{
	info->sec_h[info->nsec] = h;
	info->sec_at[info->nsec++] = (uint16_t)at;
}

static void peek_info(const struct frame_peek *g, const uint8_t *p,
		      struct frame_info *ret)
{
	struct frame_udp udp;

	frame_udp_get(&udp, p + g->udp);
	if (g->known && g->family == MAIN_FAMILY)
		ret->fault = FRAME_OK;
	else
		ret->fault = FRAME_NOT_UET;
	ret->ip_cut = g->cut;
	ret->udp_length = udp.length;
	ret->udp_dport = udp.dport;
	ret->at = g->udp + (size_t)frame_udp_len;
	ret->len = g->len;
	ret->tunnels = 0;
	ret->nsec = 0;
	add_section(ret, &frame_eth_header, 0);
	for (size_t at = frame_eth_len; at < g->ip; at += frame_vlan_len)
		add_section(ret, &frame_vlan_header, at);
	add_section(ret,
		    g->addr_len == 4 ? &frame_ipv4_header : &frame_ipv6_header,
		    g->ip);
	add_section(ret, &frame_udp_header, g->udp);
}

enum frame_fault frame_find(const struct frame_conf *conf, enum frame_link link,
			    const uint8_t *p, size_t len, struct dgram *ret,
			    struct frame_info *info)
{
	struct frame_reader r = {
		.conf = conf, .p = p, .end = len, .d = ret, .info = info};
	struct frame_peek g;

	if (frame_peek(conf, link, p, len, &g)) {
		frame_peek_fill(&g, p, ret);
		peek_info(&g, p, info);
		return info->fault;
	}
	memset(info, 0, offsetof(struct frame_info, sec_h));
	memset(ret, 0, offsetof(struct dgram, data));
	info->fault = read_link(&r, link);
	while (r.inner && !info->fault)
		info->fault = frame_read_inner(&r);
	if (info->fault == FRAME_OK || info->fault == FRAME_NOT_UET)
		find_data(&r);
	if (info->fault == FRAME_OK)
		ret->len = info->len;
	return info->fault;
}

enum frame_fault frame_parse(const struct frame_conf *conf,
			     enum frame_link link, const uint8_t *p, size_t len,
			     struct dgram *ret, struct frame_info *info)
{
	if (frame_find(conf, link, p, len, ret, info) == FRAME_OK)
		memcpy(ret->data, p + info->at, info->len);
	return info->fault;
}

bool frame_family(const struct frame_info *info, enum family *ret)
{
	*ret = MAIN_FAMILY;
	return info->fault == FRAME_OK || (info->fault == FRAME_NOT_UET &&
					   other_family(info->udp_dport, ret));
}

const uint8_t *frame_section(const struct frame_info *info,
			     const struct header *h, const uint8_t *p)
{
	for (unsigned i = 0; i < info->nsec; i++)
		if (info->sec_h[i] == h)
			return p + info->sec_at[i];
	return NULL;
}
