/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame.c -- captured frames to datagrams and back.
 *
 * How many UET bytes there are is what the IP length says: Ethernet padding
 * lies behind it, and a switch that trims rewrites it but perhaps not the UDP
 * length, which is therefore reported and otherwise ignored.  Checksums are not
 * verified here.
 *
 * Spec: UET 3.5.10.1 (uet.md 1.1 to 1.4); RFC 791, 8200, 768; IEEE 802.1Q
 */
#include "wire/frame.h"

#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "wire/frame_tables.h"
#include "wire/uet_pds.h"

#define TTL     64
#define PADDING 0x5a /* nobody takes it for a zero that does no harm */

/* A reader that walks the frame; |end| moves in when IP says less. */
struct reader {
	const struct frame_conf *conf;
	const uint8_t *p;
	size_t at, end;
	struct dgram *d;
	struct frame_info *info;
};

static uint8_t conf_proto(const struct frame_conf *conf)
{
	return conf && conf->ip_proto ? conf->ip_proto : UET_IP_PROTO;
}

/* Steps over a header; NULL if it is not whole. */
static const uint8_t *take(struct reader *r, const struct header *h)
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

/* Steps over bytes that no table describes. */
static bool skip(struct reader *r, size_t n)
{
	if (r->end - r->at < n)
		return false;
	r->at += n;
	return true;
}

/* Pulls the end in to where the IP length puts it. */
static bool limit(struct reader *r, size_t ip_at, size_t ip_len)
{
	if (ip_at + ip_len < r->at)
		return false;
	if (ip_at + ip_len > r->end)
		r->info->ip_cut = true;
	else
		r->end = ip_at + ip_len;
	return true;
}

static enum frame_fault read_udp(struct reader *r)
{
	const uint8_t *p = take(r, &frame_udp_header);
	struct frame_udp h;

	if (!p)
		return FRAME_SHORT;
	frame_udp_get(&h, p);
	r->d->entropy = h.sport;
	r->info->udp_length = h.length;
	r->info->udp_dport = h.dport;
	return h.dport == frame_port(r->conf) ? FRAME_OK : FRAME_NOT_UET;
}

static enum frame_fault read_entropy(struct reader *r)
{
	const uint8_t *p = take(r, &entropy_header);
	struct entropy h;

	if (!p)
		return FRAME_SHORT;
	entropy_get(&h, p);
	r->d->entropy = h.entropy;
	r->d->native = 1;
	return FRAME_OK;
}

static enum frame_fault read_transport(struct reader *r, uint8_t proto)
{
	if (proto == FRAME_PROTO_UDP)
		return read_udp(r);
	return proto == conf_proto(r->conf) ? read_entropy(r) : FRAME_NOT_UDP;
}

static enum frame_fault read_ipv4(struct reader *r)
{
	const size_t at = r->at;
	const uint8_t *p = take(r, &frame_ipv4_header);
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
	    !limit(r, at, h.total_length))
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

/* Steps over extension headers; the protocol behind them is in *proto. */
static enum frame_fault read_ipv6_ext(struct reader *r, uint8_t *proto)
{
	while (is_ipv6_ext(*proto)) {
		const uint8_t *p = take(r, &frame_ipv6_ext_header);
		struct frame_ipv6_ext h;

		if (!p)
			return FRAME_SHORT;
		frame_ipv6_ext_get(&h, p);
		if (!skip(r, h.ext_length * 8u + 8 - frame_ipv6_ext_len))
			return FRAME_SHORT;
		*proto = h.next_header;
	}
	return *proto == FRAME_PROTO_FRAGMENT ? FRAME_FRAGMENT : FRAME_OK;
}

static void ipv6_addr(struct ip_addr *ret, uint64_t hi, uint64_t lo)
{
	ret->len = 16;
	bits_put(ret->b, 0, 64, hi);
	bits_put(ret->b, 64, 64, lo);
}

static enum frame_fault read_ipv6(struct reader *r)
{
	const uint8_t *p = take(r, &frame_ipv6_header);
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
	limit(r, r->at, h.payload_length);
	fault = read_ipv6_ext(r, &h.next_header);
	return fault ? fault : read_transport(r, h.next_header);
}

static enum frame_fault read_ip(struct reader *r)
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

/* What a link header announces, behind up to two tags. */
static enum frame_fault read_type(struct reader *r, uint16_t type)
{
	struct frame_vlan tag;
	const uint8_t *p;

	for (int i = 0; i < 2 && is_tag(type); i++) {
		p = take(r, &frame_vlan_header);
		if (!p)
			return FRAME_SHORT;
		frame_vlan_get(&tag, p);
		type = tag.eth_type;
	}
	if (type == FRAME_TYPE_IPV4)
		return read_ipv4(r);
	return type == FRAME_TYPE_IPV6 ? read_ipv6(r) : FRAME_NOT_IP;
}

static enum frame_fault read_eth(struct reader *r)
{
	const uint8_t *p = take(r, &frame_eth_header);
	struct frame_eth h;

	if (!p)
		return FRAME_SHORT;
	frame_eth_get(&h, p);
	return read_type(r, h.eth_type);
}

/*
 * Link headers of which only one thing matters, the type of what they carry:
 * Linux cooked capture has it in its last 2 bytes, version 2 in its first.
 */
static enum frame_fault read_cooked(struct reader *r, size_t len, unsigned type)
{
	const uint8_t *p = r->p + r->at;

	if (!skip(r, len))
		return FRAME_SHORT;
	return read_type(r, (uint16_t)bits_get(p, type * 8, 16));
}

/* The family is the host's number for IPv4 or IPv6; IP tells that as well. */
static enum frame_fault read_loop(struct reader *r)
{
	return skip(r, 4) ? read_ip(r) : FRAME_SHORT;
}

static enum frame_fault read_link(struct reader *r, enum frame_link link)
{
	switch (link) {
	case FRAME_ETHERNET:
		return read_eth(r);
	case FRAME_RAW_IP:
	case FRAME_IPV4_ONLY:
	case FRAME_IPV6_ONLY:
		return read_ip(r);
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

/* Where the bytes are; more than a datagram holds are cut. */
static void find_data(struct reader *r)
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

/* ---- The usual frame in one go ---- */

/* The family that has a port which is not UET's. */
static bool other_family(uint16_t port, enum family *ret)
{
	for (int f = FAMILY_UET + 1; f < FAMILIES; f++)
		if (port == family_port((enum family)f)) {
			*ret = (enum family)f;
			return true;
		}
	return false;
}

static bool glance_ipv6(struct frame_glance *ret, const uint8_t *p, size_t at,
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
	       frame_glance_udp(ret, udp, h.payload_length, len - udp);
}

/* Behind the tags, if there are any. */
static bool glance_ip(struct frame_glance *ret, uint16_t type, const uint8_t *p,
		      size_t at, size_t len)
{
	if (type == FRAME_TYPE_IPV4)
		return frame_glance_ipv4(ret, p, at, len);
	return type == FRAME_TYPE_IPV6 && glance_ipv6(ret, p, at, len);
}

bool frame_glance_more(const struct frame_conf *conf, enum frame_link link,
		       const uint8_t *p, size_t len, struct frame_glance *ret)
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
	if (!glance_ip(ret, type, p, at, len))
		return false;
	frame_udp_get(&udp, p + ret->udp);
	if (udp.dport != frame_port(conf))
		ret->known = other_family(udp.dport, &ret->family);
	return true;
}

/* Part of its callers: each knows the length. */
static inline __attribute__((always_inline)) void
fill_addrs(const uint8_t *addrs, uint8_t len, struct dgram *ret)
{
	ip_addr_set(&ret->src, addrs, len);
	ip_addr_set(&ret->dst, addrs + len, len);
}

static void fill_ip(const struct frame_glance *g, const uint8_t *p,
		    struct dgram *ret)
{
	const uint8_t *addrs = frame_glance_addrs(g, p);
	struct frame_ipv4 v4;
	struct frame_ipv6 v6;

	if (likely(g->addr_len == 4)) {
		frame_ipv4_get(&v4, p + g->ip);
		fill_addrs(addrs, 4, ret);
		ret->dscp = v4.dscp;
		ret->ecn = v4.ecn;
	} else {
		frame_ipv6_get(&v6, p + g->ip);
		fill_addrs(addrs, 16, ret);
		ret->dscp = v6.dscp;
		ret->ecn = v6.ecn;
	}
}

HOT void frame_glance_fill(const struct frame_glance *g, const uint8_t *p,
			   struct dgram *ret)
{
	struct frame_udp udp;

	/* Behind the addresses, which are written whole. */
	memset(&ret->entropy, 0,
	       offsetof(struct dgram, data) - offsetof(struct dgram, entropy));
	frame_udp_get(&udp, p + g->udp);
	fill_ip(g, p, ret);
	ret->entropy = udp.sport;
	if (unlikely(udp.length != frame_udp_len + g->len))
		ret->udp_length = udp.length;
	if (likely(g->known && g->family == FAMILY_UET))
		ret->len = g->len;
}

static void add_section(struct frame_info *info, const struct header *h,
			size_t at)
{
	info->sec_h[info->nsec] = h;
	info->sec_at[info->nsec++] = (uint16_t)at;
}

static void glance_info(const struct frame_glance *g, const uint8_t *p,
			struct frame_info *ret)
{
	struct frame_udp udp;

	frame_udp_get(&udp, p + g->udp);
	ret->fault =
		g->known && g->family == FAMILY_UET ? FRAME_OK : FRAME_NOT_UET;
	ret->ip_cut = g->cut;
	ret->udp_length = udp.length;
	ret->udp_dport = udp.dport;
	ret->at = g->udp + (size_t)frame_udp_len;
	ret->len = g->len;
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
	struct reader r = {conf, p, 0, len, ret, info};
	struct frame_glance g;

	if (frame_glance(conf, link, p, len, &g)) {
		frame_glance_fill(&g, p, ret);
		glance_info(&g, p, info);
		return info->fault;
	}
	memset(info, 0, offsetof(struct frame_info, sec_h));
	memset(ret, 0, offsetof(struct dgram, data));
	info->fault = read_link(&r, link);
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
	*ret = FAMILY_UET;
	return info->fault == FRAME_OK || (info->fault == FRAME_NOT_UET &&
					   other_family(info->udp_dport, ret));
}

/* Locally administered, and different for different hosts of a lab. */
static uint64_t mac_of(const struct ip_addr *a)
{
	return (uint64_t)0x0200 << 32 | bits_get(a->b, (a->len - 4u) * 8u, 32);
}

uint32_t frame_sum(uint32_t sum, const uint8_t *p, size_t len)
{
	for (size_t i = 0; i + 1 < len; i += 2)
		sum += (uint32_t)p[i] << 8 | p[i + 1];
	return len % 2 ? sum + ((uint32_t)p[len - 1] << 8) : sum;
}

uint16_t frame_checksum(uint32_t sum, const uint8_t *p, size_t len)
{
	sum = frame_sum(sum, p, len);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static size_t put_eth(const struct dgram *d, uint8_t *p)
{
	const struct frame_eth h = {
		.dst = mac_of(&d->dst),
		.src = mac_of(&d->src),
		.eth_type = d->src.len == 4 ? FRAME_TYPE_IPV4 : FRAME_TYPE_IPV6,
	};

	frame_eth_put(&h, p);
	return frame_eth_len;
}

static size_t put_ipv4(const struct dgram *d, uint8_t proto, size_t len,
		       uint8_t *p)
{
	struct frame_ipv4 h = {
		.version = 4,
		.ihl = 5,
		.dscp = d->dscp,
		.ecn = d->ecn,
		.total_length = (uint16_t)(frame_ipv4_len + len),
		.df = !d->no_df,
		.ttl = TTL,
		.protocol = proto,
		.src = (uint32_t)bits_get(d->src.b, 0, 32),
		.dst = (uint32_t)bits_get(d->dst.b, 0, 32),
	};

	frame_ipv4_put(&h, p);
	h.checksum = frame_checksum(0, p, frame_ipv4_len);
	frame_ipv4_put(&h, p);
	return frame_ipv4_len;
}

static size_t put_ipv6(const struct dgram *d, uint8_t proto, size_t len,
		       uint8_t *p)
{
	const struct frame_ipv6 h = {
		.version = 6,
		.dscp = d->dscp,
		.ecn = d->ecn,
		.payload_length = (uint16_t)len,
		.next_header = proto,
		.hop_limit = TTL,
		.src_hi = bits_get(d->src.b, 0, 64),
		.src_lo = bits_get(d->src.b, 64, 64),
		.dst_hi = bits_get(d->dst.b, 0, 64),
		.dst_lo = bits_get(d->dst.b, 64, 64),
	};

	frame_ipv6_put(&h, p);
	return frame_ipv6_len;
}

static size_t put_shim(const struct frame_conf *conf, const struct dgram *d,
		       uint8_t *p)
{
	const struct entropy native = {.entropy = d->entropy};
	const struct frame_udp udp = {
		.sport = d->entropy,
		.dport = d->udp_dport              ? d->udp_dport
			 : d->family == FAMILY_UET ? frame_port(conf)
						   : family_port(d->family),
		.length = d->udp_length ? d->udp_length
					: (uint16_t)(frame_udp_len + d->len),
		.checksum = d->udp_checksum,
	};

	if (d->native) {
		entropy_put(&native, p);
		return entropy_len;
	}
	frame_udp_put(&udp, p);
	return frame_udp_len;
}

static void mend_ipv4(uint8_t *p, size_t len)
{
	struct frame_ipv4 h;

	frame_ipv4_get(&h, p);
	h.checksum = 0;
	frame_ipv4_put(&h, p);
	h.checksum = frame_checksum(0, p, len);
	frame_ipv4_put(&h, p);
}

/* Over the addresses, which end |ip| of IPv4 and of IPv6, and the rest. */
static void mend_udp(const struct header *ip, const uint8_t *addrs, uint8_t *p,
		     size_t len)
{
	const size_t n = ip == &frame_ipv4_header ? 8 : 32;
	uint32_t sum = FRAME_PROTO_UDP + (uint32_t)len;
	struct frame_udp h;

	frame_udp_get(&h, p);
	if (!h.checksum || h.length != len)
		return;
	h.checksum = 0;
	frame_udp_put(&h, p);
	sum = frame_sum(sum, addrs + ip->len - n, n);
	h.checksum = frame_checksum(sum, p, len);
	if (!h.checksum)
		h.checksum = 0xffff;
	frame_udp_put(&h, p);
}

const uint8_t *frame_section(const struct frame_info *info,
			     const struct header *h, const uint8_t *p)
{
	for (unsigned i = 0; i < info->nsec; i++)
		if (info->sec_h[i] == h)
			return p + info->sec_at[i];
	return NULL;
}

void frame_mend(const struct frame_info *info, uint8_t *p)
{
	const struct header *ip = NULL;
	const uint8_t *addrs = NULL;

	for (unsigned i = 0; i < info->nsec; i++) {
		const struct header *h = info->sec_h[i];
		uint8_t *at = p + info->sec_at[i];

		if (h == &frame_ipv4_header && i + 1 < info->nsec)
			mend_ipv4(at, (size_t)info->sec_at[i + 1] -
					      info->sec_at[i]);
		if (h == &frame_ipv4_header || h == &frame_ipv6_header) {
			ip = h;
			addrs = at;
		}
		if (h == &frame_udp_header && ip && !info->ip_cut)
			mend_udp(ip, addrs, at, frame_udp_len + info->len);
	}
}

int frame_build(const struct frame_conf *conf, enum frame_link link,
		const struct dgram *d, uint8_t *p, size_t size)
{
	const uint8_t native = d->ip_proto ? d->ip_proto : conf_proto(conf);
	const uint8_t proto = d->native ? native : FRAME_PROTO_UDP;
	const size_t shim = d->native ? entropy_len : frame_udp_len;
	const size_t ip = d->src.len == 4 ? frame_ipv4_len : frame_ipv6_len;
	const size_t eth = link == FRAME_ETHERNET ? frame_eth_len : 0;
	size_t at = 0;

	if (d->src.len != d->dst.len || (d->src.len != 4 && d->src.len != 16))
		return ERR_VALUE;
	if (d->len > DGRAM_MAX || eth + ip + shim + d->len + d->padding > size)
		return ERR_SPACE;
	if (eth)
		at += put_eth(d, p);
	at += (d->src.len == 4 ? put_ipv4 : put_ipv6)(d, proto, shim + d->len,
						      p + at);
	at += put_shim(conf, d, p + at);
	memcpy(p + at, d->data, d->len);
	memset(p + at + d->len, PADDING, d->padding);
	return (int)(at + d->len + d->padding);
}

/* ---- In the headers of another frame ---- */

static bool is_turned(const struct dgram *was, const struct dgram *d)
{
	return !ip_addr_equal(&d->src, &d->dst) &&
	       ip_addr_equal(&was->src, &d->dst) &&
	       ip_addr_equal(&was->dst, &d->src);
}

static void turn_eth(uint8_t *p)
{
	struct frame_eth h;
	uint64_t mac;

	frame_eth_get(&h, p);
	mac = h.src;
	h.src = h.dst;
	h.dst = mac;
	frame_eth_put(&h, p);
}

/* |len|: from the IP header to the end. */
static void wrap_ipv4(const struct dgram *d, size_t len, uint8_t *p)
{
	struct frame_ipv4 h;

	frame_ipv4_get(&h, p);
	h.total_length = (uint16_t)len;
	h.dscp = d->dscp;
	h.ecn = d->ecn;
	h.src = (uint32_t)bits_get(d->src.b, 0, 32);
	h.dst = (uint32_t)bits_get(d->dst.b, 0, 32);
	frame_ipv4_put(&h, p);
}

static void wrap_ipv6(const struct dgram *d, size_t len, uint8_t *p)
{
	struct frame_ipv6 h;

	frame_ipv6_get(&h, p);
	h.payload_length = (uint16_t)(len - frame_ipv6_len);
	h.dscp = d->dscp;
	h.ecn = d->ecn;
	h.src_hi = bits_get(d->src.b, 0, 64);
	h.src_lo = bits_get(d->src.b, 64, 64);
	h.dst_hi = bits_get(d->dst.b, 0, 64);
	h.dst_lo = bits_get(d->dst.b, 64, 64);
	frame_ipv6_put(&h, p);
}

static void wrap_udp(const struct dgram *d, uint8_t *p)
{
	struct frame_udp h;

	frame_udp_get(&h, p);
	h.sport = d->entropy;
	h.length = d->udp_length ? d->udp_length
				 : (uint16_t)(frame_udp_len + d->len);
	frame_udp_put(&h, p);
}

static void wrap_section(const struct header *h, const struct dgram *d,
			 bool turned, size_t len, uint8_t *p)
{
	if (h == &frame_eth_header && turned)
		turn_eth(p);
	else if (h == &frame_ipv4_header)
		wrap_ipv4(d, len, p);
	else if (h == &frame_ipv6_header)
		wrap_ipv6(d, len, p);
	else if (h == &frame_udp_header)
		wrap_udp(d, p);
	else if (h == &entropy_header)
		entropy_put(&(struct entropy){.entropy = d->entropy}, p);
}

static void wrap_checksum(const struct frame_info *info, uint16_t checksum,
			  uint8_t *p)
{
	const uint8_t *at = frame_section(info, &frame_udp_header, p);
	struct frame_udp udp;

	if (!at)
		return;
	frame_udp_get(&udp, at);
	udp.checksum = checksum;
	frame_udp_put(&udp, p + (at - p));
}

int frame_wrap(const struct frame_conf *conf, enum frame_link link,
	       const uint8_t *head, size_t head_len, const struct dgram *d,
	       uint8_t *p, size_t size)
{
	const size_t len = head_len + d->len;
	struct frame_info info;
	struct reader r = {
		.conf = conf, .p = head, .end = head_len, .info = &info};
	struct dgram was;

	if (len + d->padding > size)
		return ERR_SPACE;
	r.d = &was;
	info = (struct frame_info){0};
	memset(&was, 0, offsetof(struct dgram, data));
	info.fault = read_link(&r, link);
	if (info.fault != FRAME_OK || r.at != head_len ||
	    was.src.len != d->src.len || was.native != d->native)
		return ERR_VALUE;
	memcpy(p, head, head_len);
	memcpy(p + head_len, d->data, d->len);
	for (unsigned i = 0; i < info.nsec; i++)
		wrap_section(info.sec_h[i], d, is_turned(&was, d),
			     len - info.sec_at[i], p + info.sec_at[i]);
	info.ip_cut = false;
	info.at = head_len;
	info.len = d->len;
	frame_mend(&info, p);
	if (d->udp_checksum)
		wrap_checksum(&info, d->udp_checksum, p);
	memset(p + len, PADDING, d->padding);
	return (int)(len + d->padding);
}
