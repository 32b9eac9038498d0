/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/frame_build.c -- builds frames from datagrams, wraps datagrams in
 * the headers of another frame, and computes the checksums of both.
 *
 * Spec: UET 3.5.10.1 (uet.md 1.1 to 1.4); RFC 791, 8200, 768, 1071; IEEE 802.1Q
 */
#include "wire/frame/frame_build.h"

#include <string.h>

#include "base/err.h"
#include "wire/frame/frame_tables.h"
#include "wire/uet/uet_pds.h"

#define TTL 64
/* not zero, so that padding mistaken for data is noticed */
#define PADDING 0x5a
/* Bytes of an extension header that holds padding options alone. */
#define EXT_LEN  8
#define EXT_PADN 1 /* option type PadN, whose length follows */
/* Identification of a Fragment header: any, but not zero. */
#define FRAGMENT_ID 0x5a17c3e9

/* ---- Checksums ---- */

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

static void mend_ipv4(uint8_t *p, size_t len)
{
	struct frame_ipv4 h;

	frame_ipv4_get(&h, p);
	h.checksum = 0;
	frame_ipv4_put(&h, p);
	h.checksum = frame_checksum(0, p, len);
	frame_ipv4_put(&h, p);
}

/*
 * Updates the UDP checksum, which covers the addresses at the end of |ip| and
 * the UDP packet.
 */
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

/* ---- New frames ---- */

/*
 * Returns a locally administered address that differs for each host of a lab.
 */
static uint64_t mac_of(const struct ip_addr *a)
{
	return (uint64_t)0x0200 << 32 | bits_get(a->b, (a->len - 4u) * 8u, 32);
}

static size_t frame_put_eth(const struct dgram *d, uint8_t *p)
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

/*
 * Returns the extension headers of a datagram in their order, and in *ret_n
 * their number.
 */
static const uint8_t *frame_exts(const struct dgram *d, size_t *ret_n)
{
	static const uint8_t both[] = {FRAME_PROTO_HOP_BY_HOP,
				       FRAME_PROTO_DEST_OPTIONS};
	static const uint8_t fragment[] = {FRAME_PROTO_FRAGMENT};

	*ret_n = 0;
	if (d->src.len == 4 || d->ext == DGRAM_EXT_NONE)
		return both;
	*ret_n = d->ext == DGRAM_EXT_BOTH ? 2 : 1;
	if (d->ext == DGRAM_EXT_FRAGMENT)
		return fragment;
	return both + (d->ext == DGRAM_EXT_DEST_OPTIONS);
}

/* Writes options that are padding, before |next|. */
static void frame_put_padn(uint8_t next, uint8_t *p)
{
	const struct frame_ipv6_ext h = {.next_header = next};

	memset(p, 0, EXT_LEN);
	frame_ipv6_ext_put(&h, p);
	p[frame_ipv6_ext_len] = EXT_PADN;
	p[frame_ipv6_ext_len + 1] = EXT_LEN - frame_ipv6_ext_len - 2;
}

/* Writes the Fragment header of a whole packet, before |next|. */
static void frame_put_fragment(uint8_t next, uint8_t *p)
{
	const struct frame_ipv6_fragment h = {.next_header = next,
					      .fragment_id = FRAGMENT_ID};

	frame_ipv6_fragment_put(&h, p);
}

/* Writes |n| extension headers, before |proto|. */
static size_t frame_put_exts(const uint8_t *exts, size_t n, uint8_t proto,
			     uint8_t *p)
{
	for (size_t i = 0; i < n; i++) {
		const uint8_t next = i + 1 < n ? exts[i + 1] : proto;

		if (exts[i] == FRAME_PROTO_FRAGMENT)
			frame_put_fragment(next, p + i * EXT_LEN);
		else
			frame_put_padn(next, p + i * EXT_LEN);
	}
	return n * EXT_LEN;
}

static size_t put_shim(const struct frame_conf *conf, const struct dgram *d,
		       uint8_t *p)
{
	const struct entropy native = {.entropy = d->entropy};
	const struct frame_udp udp = {
		.sport = d->entropy,
		.dport = d->udp_dport               ? d->udp_dport
			 : d->family == MAIN_FAMILY ? frame_port(conf)
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

int frame_build(const struct frame_conf *conf, enum frame_link link,
		const struct dgram *d, uint8_t *p, size_t size)
{
	const uint8_t native = d->ip_proto ? d->ip_proto : frame_proto(conf);
	const uint8_t proto = d->native ? native : FRAME_PROTO_UDP;
	const size_t shim = d->native ? entropy_len : frame_udp_len;
	const size_t ip = d->src.len == 4 ? frame_ipv4_len : frame_ipv6_len;
	const size_t eth = link == FRAME_ETHERNET ? frame_eth_len : 0;
	size_t at = 0, nexts;
	const uint8_t *exts = frame_exts(d, &nexts);
	const size_t inside = nexts * EXT_LEN + shim + d->len;

	if (d->src.len != d->dst.len || (d->src.len != 4 && d->src.len != 16))
		return ERR_VALUE;
	if (d->len > DGRAM_MAX || eth + ip + inside + d->padding > size)
		return ERR_SPACE;
	if (eth)
		at += frame_put_eth(d, p);
	at += (d->src.len == 4 ? put_ipv4 : put_ipv6)(
		d, nexts ? exts[0] : proto, inside, p + at);
	at += frame_put_exts(exts, nexts, proto, p + at);
	at += put_shim(conf, d, p + at);
	memcpy(p + at, d->data, d->len);
	memset(p + at + d->len, PADDING, d->padding);
	return (int)(at + d->len + d->padding);
}

/* ---- Wrapping in the headers of another frame ---- */

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

/* |len|: bytes from the IP header to the end. */
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
	if (d->udp_length)
		h.length = d->udp_length;
	else
		h.length = (uint16_t)(frame_udp_len + d->len);
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
	struct dgram was;

	if (len + d->padding > size)
		return ERR_SPACE;
	if (frame_find(conf, link, head, head_len, &was, &info) != FRAME_OK ||
	    info.at != head_len || was.src.len != d->src.len ||
	    was.native != d->native)
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
