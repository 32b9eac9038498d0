/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/ib/icrc.c -- computes, appends and checks the ICRC.
 *
 * The pseudo-headers are built with the masked fields already set to ones; the
 * 8 bytes of ones stand for the LRH.  ISA-L computes the CRC-32.
 */
#include "wire/ib/icrc.h"

#include <isa-l/crc.h>
#include <string.h>

#include "base/err.h"
#include "wire/frame/frame_tables.h"
#include "wire/ib/ib.h"

#define LRH_LEN 8 /* bytes; masked, since RoCEv2 has no LRH */
#define HEAD    (LRH_LEN + frame_ipv6_len + frame_udp_len + bth_len)

const struct icrc_ip icrc_socket = {.id = 0, .df = true};

struct icrc_ip icrc_seen(const struct dgram *d, enum icrc_mode mode)
{
	if (mode != ICRC_STRICT || !d->headers)
		return icrc_socket;
	return (struct icrc_ip){.id = d->ip_id, .df = !d->no_df};
}

static size_t ipv4_put(const struct dgram *d, size_t udp_len,
		       const struct icrc_ip *ip, uint8_t *p)
{
	struct frame_ipv4 h = {
		.version = 4,
		.ihl = 5,
		.dscp = 0x3f,
		.ecn = 3,
		.total_length = (uint16_t)(frame_ipv4_len + udp_len),
		.id = ip->id,
		.df = ip->df,
		.ttl = 0xff,
		.protocol = 17,
		.checksum = 0xffff,
	};

	frame_ipv4_put(&h, p);
	memcpy(p + 12, d->src.b, 4);
	memcpy(p + 16, d->dst.b, 4);
	return frame_ipv4_len;
}

static size_t ipv6_put(const struct dgram *d, size_t udp_len, uint8_t *p)
{
	struct frame_ipv6 h = {
		.version = 6,
		.dscp = 0x3f,
		.ecn = 3,
		.flow_label = 0xfffff,
		.payload_length = (uint16_t)udp_len,
		.next_header = 17,
		.hop_limit = 0xff,
	};

	frame_ipv6_put(&h, p);
	memcpy(p + 8, d->src.b, 16);
	memcpy(p + 24, d->dst.b, 16);
	return frame_ipv6_len;
}

/* Writes the headers that the ICRC covers, including the BTH. */
static size_t head_put(const struct dgram *d, const uint8_t *bth, size_t len,
		       uint16_t dport, const struct icrc_ip *ip, uint8_t *p)
{
	const size_t udp_len = frame_udp_len + len + ICRC_LEN;
	const struct frame_udp udp = {
		.sport = d->entropy,
		.dport = dport,
		.length = (uint16_t)udp_len,
		.checksum = 0xffff,
	};
	size_t n = LRH_LEN;

	memset(p, 0xff, LRH_LEN);
	if (d->src.len == 4)
		n += ipv4_put(d, udp_len, ip, p + n);
	else
		n += ipv6_put(d, udp_len, p + n);
	frame_udp_put(&udp, p + n);
	n += frame_udp_len;
	memcpy(p + n, bth, bth_len);
	p[n + 4] = 0xff;
	return n + bth_len;
}

/* The parameter of ISA-L is not const, and its length has 64 bits. */
static uint32_t crc32(uint32_t crc, const uint8_t *p, size_t len)
{
	return crc32_gzip_refl(crc, (unsigned char *)(uintptr_t)p, len);
}

uint32_t icrc_over(const struct dgram *d, const uint8_t *p, size_t len,
		   uint16_t dport, const struct icrc_ip *ip)
{
	uint8_t head[HEAD] = {0};
	const size_t n = head_put(d, p, len, dport, ip, head);

	return crc32(crc32(0, head, n), p + bth_len, len - bth_len);
}

int icrc_append(struct dgram *d, uint16_t dport, const struct icrc_ip *ip)
{
	uint32_t crc;

	if (d->len < bth_len)
		return ERR_VALUE;
	if (d->len > DGRAM_MAX - ICRC_LEN)
		return ERR_SPACE;
	crc = icrc_over(d, d->data, d->len, dport, ip);
	for (unsigned i = 0; i < ICRC_LEN; i++)
		d->data[d->len++] = (uint8_t)(crc >> 8 * i);
	return 0;
}

bool icrc_check(const struct dgram *d, const uint8_t *p, size_t len,
		uint16_t dport, const struct icrc_ip *ip)
{
	uint32_t crc, got = 0;

	if (len < bth_len + ICRC_LEN)
		return false;
	len -= ICRC_LEN;
	crc = icrc_over(d, p, len, dport, ip);
	for (unsigned i = 0; i < ICRC_LEN; i++)
		got |= (uint32_t)p[len + i] << 8 * i;
	return got == crc;
}
