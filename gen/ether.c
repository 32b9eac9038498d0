/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/ether.c -- wraps datagrams in frames and unwraps them, and resolves the
 * link addresses of neighbours.
 *
 * The ether learns a neighbour from its answers and its requests, never from
 * its data, which may have come through a router.  A frame whose IP source is
 * our own address is a frame that we sent.
 */
#include "gen/ether.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "wire/frame/frame.h"
#include "wire/frame/frame_build.h"

#define NEIGHBOURS 32
#define WAITING    16 /* datagrams queued for unresolved neighbours */

#define MAC_ALL     0xffffffffffffu
#define VLAN_MAX    4094
#define HOPS        255 /* hop limit of neighbour discovery, RFC 4861 7.1 */
#define ARP_HW_TYPE 1   /* hardware type Ethernet */
#define SMALL_FRAME 128 /* bytes of the longest request or answer */

struct neighbour {
	struct ip_addr ip;
	uint64_t mac; /* 0: not resolved yet */
	unsigned asked;
	/* when to send the next request; VTIME_NEVER: not needed */
	vtime again;
};

struct ether {
	struct ether_conf conf;
	struct frame_conf frame_conf;
	ether_out out;
	void *ctx;
	struct ether_counts counts;
	struct neighbour at[NEIGHBOURS];
	unsigned n, oldest;
	struct dgram waiting[WAITING];
	unsigned nwaiting;
	uint8_t frame[ETHER_FRAME_MAX];
	uint16_t id; /* identification of the last IPv4 packet */
};

/* ---- Frames ---- */

static size_t ether_put_eth(const struct ether *l, uint64_t dst, uint16_t type,
			    uint8_t *p)
{
	struct frame_eth eth = {dst, l->conf.mac, type};
	const struct frame_vlan tag = {.vid = l->conf.vlan, .eth_type = type};

	if (l->conf.vlan)
		eth.eth_type = FRAME_TYPE_VLAN;
	frame_eth_put(&eth, p);
	if (!l->conf.vlan)
		return frame_eth_len;
	frame_vlan_put(&tag, p + frame_eth_len);
	return frame_eth_len + frame_vlan_len;
}

/*
 * Advances over the headers that ether_put_eth writes.
 * Return: their length; 0 if the frame is not in our VLAN, or truncated.
 */
static size_t get_eth(const struct ether *l, const uint8_t *p, size_t len,
		      struct frame_eth *ret)
{
	struct frame_vlan tag = {0};
	size_t at = frame_eth_len;

	if (len < at)
		return 0;
	frame_eth_get(ret, p);
	if (ret->eth_type == FRAME_TYPE_VLAN) {
		if (len < at + frame_vlan_len)
			return 0;
		frame_vlan_get(&tag, p + at);
		at += frame_vlan_len;
		ret->eth_type = tag.eth_type;
	}
	if (tag.vid == l->conf.vlan)
		return at;
	return 0;
}

static uint16_t ether_type_of(const struct ether *l)
{
	if (l->conf.addr.len == 4)
		return FRAME_TYPE_IPV4;
	return FRAME_TYPE_IPV6;
}

/*
 * Gives each packet another IP identification, so that a receiver can
 * distinguish a network duplicate from a retransmission.  The ICRC of other
 * families covers the identification.
 */
static void ether_number(struct ether *l, uint8_t *p)
{
	struct frame_ipv4 ip;

	if (l->conf.addr.len != 4 || family_has_icrc(l->conf.family))
		return;
	frame_ipv4_get(&ip, p);
	ip.id = ++l->id;
	ip.checksum = 0;
	frame_ipv4_put(&ip, p);
	ip.checksum = frame_checksum(0, p, frame_ipv4_len);
	frame_ipv4_put(&ip, p);
}

static int ether_emit(struct ether *l, const struct dgram *d, uint64_t mac)
{
	size_t at = ether_put_eth(l, mac, ether_type_of(l), l->frame);
	int n = frame_build(&l->frame_conf, FRAME_RAW_IP, d, l->frame + at,
			    sizeof(l->frame) - at);

	if (n < 0)
		return n;
	ether_number(l, l->frame + at);
	l->counts.sent++;
	return l->out(l->ctx, l->frame, at + (size_t)n);
}

/* ---- IPv4: ARP requests and answers ---- */

static uint32_t v4_of(const struct ip_addr *a)
{
	return (uint32_t)bits_get(a->b, 0, 32);
}

static int send_arp(struct ether *l, enum frame_arp_op op, uint64_t mac,
		    const struct ip_addr *ip)
{
	const struct frame_arp arp = {
		.hw_type = ARP_HW_TYPE,
		.proto_type = FRAME_TYPE_IPV4,
		.hw_len = 6,
		.proto_len = 4,
		.op = (uint16_t)op,
		.sender_mac = l->conf.mac,
		.sender_ip = v4_of(&l->conf.addr),
		.target_mac = op == FRAME_ARP_REPLY ? mac : 0,
		.target_ip = v4_of(ip),
	};
	uint8_t p[SMALL_FRAME] = {0};
	size_t at = ether_put_eth(l, mac, FRAME_TYPE_ARP, p);

	frame_arp_put(&arp, p + at);
	return l->out(l->ctx, p, at + frame_arp_len);
}

/* ---- IPv6: neighbour discovery ---- */

static struct ip_addr v6_of(uint64_t hi, uint64_t lo)
{
	struct ip_addr a = {.len = 16};

	bits_put(a.b, 0, 64, hi);
	bits_put(a.b, 64, 64, lo);
	return a;
}

static uint64_t hi_of(const struct ip_addr *a)
{
	return bits_get(a->b, 0, 64);
}

static uint64_t lo_of(const struct ip_addr *a)
{
	return bits_get(a->b, 64, 64);
}

/*
 * Returns the solicited-node group of an address (RFC 4291 2.7.1), or the group
 * of all nodes.
 */
static struct ip_addr group_of(const struct ip_addr *a)
{
	return v6_of(0xff02000000000000u, 0x1ff000000 | (lo_of(a) & 0xffffff));
}

static struct ip_addr group_all(void)
{
	return v6_of(0xff02000000000000u, 1);
}

static uint64_t group_mac(const struct ip_addr *group) /* RFC 2464 7 */
{
	return 0x333300000000u | bits_get(group->b, 96, 32);
}

static uint16_t icmpv6_checksum(const uint8_t *ip, size_t len)
{
	/* sum of both addresses */
	const uint32_t sum = frame_sum(0, ip + 8, 32);

	return frame_checksum(sum + (uint32_t)len + FRAME_PROTO_ICMPV6,
			      ip + frame_ipv6_len, len);
}

static int send_nd(struct ether *l, const struct frame_nd *nd, uint64_t mac,
		   const struct ip_addr *dst)
{
	const bool asks = nd->icmp_type == FRAME_ND_SOLICIT;
	const struct frame_nd_link option = {
		asks ? FRAME_ND_SOURCE : FRAME_ND_TARGET, 1, l->conf.mac};
	const struct frame_ipv6 ip = {
		.version = 6,
		.payload_length = frame_nd_len + frame_nd_link_len,
		.next_header = FRAME_PROTO_ICMPV6,
		.hop_limit = HOPS,
		.src_hi = hi_of(&l->conf.addr),
		.src_lo = lo_of(&l->conf.addr),
		.dst_hi = hi_of(dst),
		.dst_lo = lo_of(dst),
	};
	uint8_t p[SMALL_FRAME] = {0};
	uint8_t *at = p + ether_put_eth(l, mac, FRAME_TYPE_IPV6, p);
	struct frame_nd summed = *nd;

	frame_ipv6_put(&ip, at);
	frame_nd_put(nd, at + frame_ipv6_len);
	frame_nd_link_put(&option, at + frame_ipv6_len + frame_nd_len);
	summed.checksum = icmpv6_checksum(at, ip.payload_length);
	frame_nd_put(&summed, at + frame_ipv6_len);
	return l->out(l->ctx, p,
		      (size_t)(at - p) + frame_ipv6_len + ip.payload_length);
}

static int solicit(struct ether *l, const struct ip_addr *whom)
{
	const struct frame_nd nd = {.icmp_type = FRAME_ND_SOLICIT,
				    .target_hi = hi_of(whom),
				    .target_lo = lo_of(whom)};
	const struct ip_addr group = group_of(whom);

	return send_nd(l, &nd, group_mac(&group), &group);
}

/* ---- Neighbours ---- */

static struct neighbour *ether_find(struct ether *l, const struct ip_addr *ip)
{
	for (unsigned i = 0; i < l->n; i++)
		if (ip_addr_equal(&l->at[i].ip, ip))
			return &l->at[i];
	return NULL;
}

static struct neighbour *find_or_add(struct ether *l, const struct ip_addr *ip)
{
	struct neighbour *n = ether_find(l, ip);

	if (n)
		return n;
	if (l->n < NEIGHBOURS)
		n = &l->at[l->n++];
	else
		n = &l->at[l->oldest++ % NEIGHBOURS];
	*n = (struct neighbour){.ip = *ip, .again = VTIME_NEVER};
	return n;
}

static int ether_ask(struct ether *l, struct neighbour *n, vtime now)
{
	n->asked++;
	n->again = now + ETHER_ASK_EVERY;
	if (n->ip.len == 4)
		return send_arp(l, FRAME_ARP_REQUEST, MAC_ALL, &n->ip);
	return solicit(l, &n->ip);
}

static const struct ip_addr *hop(const struct ether *l,
				 const struct ip_addr *dst)
{
	if (l->conf.via.len)
		return &l->conf.via;
	return dst;
}

/* Sends, or drops, the datagrams that waited for a neighbour. */
static int ether_settle(struct ether *l, const struct neighbour *n)
{
	unsigned kept = 0;
	int err = 0;

	for (unsigned i = 0; i < l->nwaiting; i++) {
		struct dgram *d = &l->waiting[i];

		if (!ip_addr_equal(hop(l, &d->dst), &n->ip)) {
			if (kept != i)
				dgram_copy(&l->waiting[kept], d);
			kept++;
		} else if (!n->mac) {
			l->counts.unreachable++;
		} else if (!err) {
			err = ether_emit(l, d, n->mac);
		}
	}
	l->nwaiting = kept;
	return err;
}

static int ether_learn(struct ether *l, const struct ip_addr *ip, uint64_t mac)
{
	struct neighbour *n = find_or_add(l, ip);

	n->mac = mac;
	n->asked = 0;
	n->again = VTIME_NEVER;
	return ether_settle(l, n);
}

/* Returns the MAC address for packets to |dst|, or 0 if it must be resolved. */
static uint64_t mac_to(struct ether *l, const struct ip_addr *dst)
{
	const struct neighbour *n;

	if (l->conf.peer_mac)
		return l->conf.peer_mac;
	n = ether_find(l, hop(l, dst));
	if (n)
		return n->mac;
	return 0;
}

int ether_meet(struct ether *l, const struct ip_addr *dst, vtime now)
{
	struct neighbour *n;
	int err;

	if (mac_to(l, dst))
		return 1;
	n = find_or_add(l, hop(l, dst));
	if (n->again == VTIME_NEVER)
		err = ether_ask(l, n, now);
	else
		err = 0;
	return err;
}

int ether_send(struct ether *l, const struct dgram *d, vtime now)
{
	const uint64_t mac = mac_to(l, &d->dst);
	struct dgram *own;

	if (d->dst.len != l->conf.addr.len)
		return ERR_VALUE;
	if (d->len > DGRAM_MAX || l->nwaiting == WAITING)
		return ERR_SPACE;
	/*
	 * Sets our address in a copy, in the free slot after the waiting
	 * datagrams.
	 */
	own = &l->waiting[l->nwaiting];
	dgram_copy(own, d);
	own->src = l->conf.addr;
	if (mac)
		return ether_emit(l, own, mac);
	l->nwaiting++;
	return ether_meet(l, &d->dst, now);
}

vtime ether_deadline(const struct ether *l)
{
	vtime at = VTIME_NEVER;

	for (unsigned i = 0; i < l->n; i++)
		at = vtime_min(at, l->at[i].again);
	return at;
}

int ether_tick(struct ether *l, vtime now)
{
	int err = 0;

	for (unsigned i = 0; i < l->n && !err; i++) {
		struct neighbour *n = &l->at[i];

		if (n->again > now)
			continue;
		if (n->asked < ETHER_ASKS) {
			err = ether_ask(l, n, now);
			continue;
		}
		n->asked = 0;
		n->again = VTIME_NEVER;
		err = ether_settle(l, n);
	}
	return err;
}

/* ---- Receiving ---- */

static int take_arp(struct ether *l, const uint8_t *p, size_t len)
{
	struct frame_arp arp;
	struct ip_addr sender;
	int err;

	if (len < frame_arp_len || l->conf.addr.len != 4)
		return 0;
	frame_arp_get(&arp, p);
	sender = ip_addr_v4(arp.sender_ip);
	if (arp.hw_type != ARP_HW_TYPE || arp.proto_type != FRAME_TYPE_IPV4 ||
	    arp.hw_len != 6 || arp.proto_len != 4 ||
	    ip_addr_equal(&sender, &l->conf.addr))
		return 0;
	/* "If the pair is already in the table, update": RFC 826 */
	if (arp.target_ip != v4_of(&l->conf.addr) && !ether_find(l, &sender))
		return 0;
	if (arp.sender_ip)
		err = ether_learn(l, &sender, arp.sender_mac);
	else
		err = 0;
	if (err || arp.op != FRAME_ARP_REQUEST ||
	    arp.target_ip != v4_of(&l->conf.addr))
		return err;
	return send_arp(l, FRAME_ARP_REPLY, arp.sender_mac, &sender);
}

/* Returns the link address in the first option, or |otherwise|. */
static uint64_t nd_mac(const uint8_t *p, size_t len, uint64_t otherwise)
{
	struct frame_nd_link option;

	if (len < frame_nd_len + frame_nd_link_len)
		return otherwise;
	frame_nd_link_get(&option, p + frame_nd_len);
	if (option.units == 1)
		return option.mac;
	return otherwise;
}

static int answer_nd(struct ether *l, const struct ip_addr *who, uint64_t mac)
{
	/*
	 * A solicitation without a source address is a duplicate address
	 * detection.
	 */
	const bool anonymous = !hi_of(who) && !lo_of(who);
	const struct ip_addr to = anonymous ? group_all() : *who;
	const struct frame_nd nd = {.icmp_type = FRAME_ND_ADVERTISE,
				    .solicited = !anonymous,
				    .override = 1,
				    .target_hi = hi_of(&l->conf.addr),
				    .target_lo = lo_of(&l->conf.addr)};
	int err = anonymous ? 0 : ether_learn(l, who, mac);

	return err ? err
		   : send_nd(l, &nd, anonymous ? group_mac(&to) : mac, &to);
}

/* |p|: the IPv6 packet. */
static int take_nd(struct ether *l, const uint8_t *p, size_t len,
		   uint64_t from_mac)
{
	const size_t at = frame_ipv6_len;
	struct frame_ipv6 ip;
	struct ip_addr src, target;
	struct frame_nd nd;

	if (len < at + frame_nd_len || l->conf.addr.len != 16)
		return 0;
	frame_ipv6_get(&ip, p);
	if (ip.hop_limit != HOPS || ip.payload_length > len - at ||
	    ip.payload_length < frame_nd_len || ip.payload_length % 2 ||
	    icmpv6_checksum(p, ip.payload_length))
		return 0;
	frame_nd_get(&nd, p + at);
	src = v6_of(ip.src_hi, ip.src_lo);
	target = v6_of(nd.target_hi, nd.target_lo);
	if (nd.icmp_type == FRAME_ND_SOLICIT &&
	    ip_addr_equal(&target, &l->conf.addr))
		return answer_nd(l, &src,
				 nd_mac(p + at, ip.payload_length, from_mac));
	if (nd.icmp_type == FRAME_ND_ADVERTISE && ether_find(l, &target))
		return ether_learn(l, &target,
				   nd_mac(p + at, ip.payload_length, from_mac));
	return 0;
}

/*
 * Returns false if an IPv4 header's checksum is wrong; other headers have none.
 */
static bool sum_right(const uint8_t *frame, const struct frame_info *info)
{
	const uint8_t *p = frame_section(info, &frame_ipv4_header, frame);
	struct frame_ipv4 ip;

	if (!p)
		return true;
	frame_ipv4_get(&ip, p);
	return !frame_checksum(0, p, ip.ihl * 4u);
}

/*
 * Returns the protocol of an IP packet that is neither UDP nor the native form;
 * 0 if it has none.
 */
static uint8_t protocol_of(const uint8_t *frame, const struct frame_info *info)
{
	const uint8_t *p4 = frame_section(info, &frame_ipv4_header, frame);
	const uint8_t *p6 = frame_section(info, &frame_ipv6_header, frame);
	struct frame_ipv4 v4 = {0};
	struct frame_ipv6 v6 = {0};

	if (p4)
		frame_ipv4_get(&v4, p4);
	if (p6)
		frame_ipv6_get(&v6, p6);
	if (p4)
		return v4.protocol;
	return v6.next_header;
}

/* Protocols that any host sends. */
static bool is_usual(uint8_t proto)
{
	return proto == FRAME_PROTO_ICMP || proto == FRAME_PROTO_IGMP ||
	       proto == FRAME_PROTO_TCP || proto == FRAME_PROTO_ICMPV6 ||
	       proto == FRAME_PROTO_NONE;
}

/*
 * Parses a packet to another UDP port, or of another protocol, as if it were
 * addressed correctly, and marks the datagram.
 */
static enum frame_fault read_misaddressed(const struct ether *l,
					  const uint8_t *frame, size_t len,
					  struct dgram *ret,
					  struct frame_info *info)
{
	struct frame_conf conf = l->frame_conf;
	const enum frame_fault fault = info->fault;
	const uint16_t dport = info->udp_dport;
	const uint8_t proto = protocol_of(frame, info);

	if (fault == FRAME_NOT_UET)
		conf.udp_port = dport;
	else if (fault == FRAME_NOT_UDP && proto && !is_usual(proto))
		conf.ip_proto = proto;
	else
		return fault;
	if (frame_parse(&conf, FRAME_ETHERNET, frame, len, ret, info))
		return fault;
	if (fault == FRAME_NOT_UET)
		ret->udp_dport = dport;
	else
		ret->udp_dport = 0;
	if (fault == FRAME_NOT_UDP)
		ret->ip_proto = proto;
	else
		ret->ip_proto = 0;
	return FRAME_OK;
}

/* Returns the extension headers before UDP: enum dgram_ext, as far as known. */
static uint8_t note_ext(const struct frame_info *info, const uint8_t *frame)
{
	const uint8_t *p6 = frame_section(info, &frame_ipv6_header, frame);
	const uint8_t *ext = frame_section(info, &frame_ipv6_ext_header, frame);
	struct frame_ipv6_ext first;
	struct frame_ipv6 ip;

	if (!p6)
		return DGRAM_EXT_NONE;
	frame_ipv6_get(&ip, p6);
	if (ip.next_header == FRAME_PROTO_FRAGMENT)
		return DGRAM_EXT_FRAGMENT;
	if (!ext)
		return DGRAM_EXT_NONE;
	frame_ipv6_ext_get(&first, ext);
	if (ip.next_header == FRAME_PROTO_DEST_OPTIONS)
		return DGRAM_EXT_DEST_OPTIONS;
	if (ip.next_header != FRAME_PROTO_HOP_BY_HOP)
		return DGRAM_EXT_NONE;
	return first.next_header == FRAME_PROTO_DEST_OPTIONS
		       ? DGRAM_EXT_BOTH
		       : DGRAM_EXT_HOP_BY_HOP;
}

/* Records which fields of the outer headers are wrong. */
static void note_headers(const uint8_t *frame, size_t len,
			 const struct frame_info *info, struct dgram *ret)
{
	const size_t padding = len - info->at - info->len;
	const uint8_t *p4 = frame_section(info, &frame_ipv4_header, frame);
	const uint8_t *pu = frame_section(info, &frame_udp_header, frame);
	struct frame_ipv4 ip;
	struct frame_udp udp;

	if (p4) {
		frame_ipv4_get(&ip, p4);
		ret->no_df = !ip.df;
		ret->ip_id = ip.id;
		ret->id_known = 1;
	}
	if (pu) {
		frame_udp_get(&udp, pu);
		ret->udp_checksum = udp.checksum;
	}
	ret->padding = (uint8_t)(padding < UINT8_MAX ? padding : UINT8_MAX);
	ret->ext = note_ext(info, frame);
	ret->headers = 1;
}

static enum ether_got take_ip(struct ether *l, const struct frame_eth *eth,
			      const uint8_t *frame, size_t len,
			      struct dgram *ret)
{
	struct frame_info info;
	enum frame_fault fault = frame_parse(&l->frame_conf, FRAME_ETHERNET,
					     frame, len, ret, &info);

	ret->family = (uint8_t)l->conf.family;
	if (ip_addr_equal(&ret->src, &l->conf.addr)) {
		l->counts.left += fault == FRAME_OK;
		if (fault == FRAME_OK)
			return ETHER_OWN;
		return ETHER_NOTHING;
	}
	if (!ip_addr_equal(&ret->dst, &l->conf.addr) || eth->dst != l->conf.mac)
		return ETHER_NOTHING;
	if (fault == FRAME_NOT_UET || fault == FRAME_NOT_UDP) {
		fault = read_misaddressed(l, frame, len, ret, &info);
		ret->family = (uint8_t)l->conf.family;
		l->counts.strays += ret->udp_dport != 0;
	}
	if (fault == FRAME_SHORT || fault == FRAME_FRAGMENT ||
	    (fault == FRAME_OK && (info.ip_cut || !sum_right(frame, &info))))
		l->counts.damaged++;
	else if (fault == FRAME_OK) {
		note_headers(frame, len, &info, ret);
		return ETHER_DGRAM;
	}
	return ETHER_NOTHING;
}

int ether_take(struct ether *l, const uint8_t *frame, size_t len,
	       struct dgram *ret)
{
	struct frame_eth eth;
	const size_t at = get_eth(l, frame, len, &eth);

	if (!at)
		return ETHER_NOTHING;
	if (eth.eth_type == FRAME_TYPE_ARP)
		return take_arp(l, frame + at, len - at);
	if (eth.eth_type != ether_type_of(l))
		return ETHER_NOTHING;
	if (eth.eth_type == FRAME_TYPE_IPV6 && len - at > frame_ipv6_len &&
	    frame[at + 6] == FRAME_PROTO_ICMPV6)
		return eth.src == l->conf.mac
			       ? ETHER_NOTHING
			       : take_nd(l, frame + at, len - at, eth.src);
	return (int)take_ip(l, &eth, frame, len, ret);
}

/* ---- Opening and closing ---- */

const struct ether_counts *ether_counts(const struct ether *l)
{
	return &l->counts;
}

void ether_filter(const struct ether_conf *conf, char *buf, size_t size)
{
	const bool v4 = conf->addr.len == 4;
	char addr[IP_ADDR_TEXT];

	ip_addr_print(&conf->addr, addr);
	snprintf(buf, size, "%s or (%s host %s and not tcp)%s",
		 v4 ? "arp" : "icmp6", v4 ? "ip" : "ip6", addr,
		 conf->vlan ? " or ether proto 0x8100" : "");
}

int ether_new(struct ether **ret, const struct ether_conf *conf, ether_out out,
	      void *ctx)
{
	struct ether *l;

	if ((conf->addr.len != 4 && conf->addr.len != 16) ||
	    conf->vlan > VLAN_MAX ||
	    (conf->via.len && conf->via.len != conf->addr.len))
		return ERR_VALUE;
	l = memory_calloc(1, sizeof(*l));
	if (!l)
		return ERR_NOMEM;
	l->conf = *conf;
	l->frame_conf = (struct frame_conf){.udp_port = conf->udp_port,
					    .ip_proto = conf->ip_proto};
	l->out = out;
	l->ctx = ctx;
	*ret = l;
	return 0;
}

void ether_free(struct ether *l)
{
	free(l);
}
