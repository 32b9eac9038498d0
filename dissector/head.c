/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/head.c -- reads addresses, entropy, DSCP and ECN of a packet.
 */
#include "dissector/head.h"

#include <string.h>

#include "wire/family.h"
#include "wire/ib/ib.h"
#include "wire/ib/icrc.h"
#include "wire/uet/uet_pds.h"

static bool read_address(struct ip_addr *ret, const address *a)
{
	*ret = (struct ip_addr){0};
	if ((a->type != AT_IPv4 || a->len != 4) &&
	    (a->type != AT_IPv6 || a->len != 16))
		return false;
	ret->len = (uint8_t)a->len;
	memcpy(ret->b, a->data, ret->len);
	return true;
}

/* Returns true if |p| is behind an IPv4 header of |len| bytes from |src|. */
static bool is_ipv4(const uint8_t *p, unsigned len, const struct ip_addr *src)
{
	const uint8_t *h = p - len;

	return h[0] == (0x40 | len / 4) && !memcmp(h + 12, src->b, 4);
}

static bool is_ipv6(const uint8_t *p, unsigned len, const struct ip_addr *src)
{
	const uint8_t *h = p - len;

	return h[0] >> 4 == 6 && !memcmp(h + 8, src->b, 16);
}

/*
 * Finds the IP header before |p|, which options (IPv4) or extension headers
 * (IPv6) may lengthen.
 */
static const uint8_t *ip_behind(const struct dgram *d, const uint8_t *p,
				unsigned before)
{
	const bool v4 = d->src.len == 4;
	unsigned len = v4 ? 20 : 40;
	const unsigned limit = v4 ? 60 : 168;

	for (; len <= limit && len <= before; len += v4 ? 4 : 8) {
		if (v4 ? is_ipv4(p, len, &d->src) : is_ipv6(p, len, &d->src))
			return p - len;
	}
	return NULL;
}

/*
 * Finds the IP header, with |between| bytes of another header before |tvb|; or
 * NULL.
 */
static const uint8_t *find_ip(const struct dgram *d, tvbuff_t *tvb,
			      unsigned between)
{
	tvbuff_t *complete = tvb_get_ds_tvb(tvb);
	const int at = tvb_raw_offset(tvb);

	if (!complete || at < (int)between ||
	    at > (int)tvb_captured_length(complete))
		return NULL;
	return ip_behind(d, tvb_get_ptr(complete, 0, at) + at - between,
			 (unsigned)at - between);
}

static void dissect_head_read_ip(struct dgram *d, tvbuff_t *tvb,
				 unsigned between)
{
	const uint8_t *h = find_ip(d, tvb, between);
	uint8_t tos;

	if (!h)
		return;
	if (d->src.len == 4)
		tos = h[1];
	else
		tos = (uint8_t)(h[0] << 4 | h[1] >> 4);
	d->dscp = tos >> 2;
	d->ecn = tos & 3;
	if (d->src.len == 4)
		d->ip_id = (uint16_t)(h[4] << 8 | h[5]);
}

bool head_read(struct dgram *ret, const packet_info *pinfo, tvbuff_t *tvb,
	       bool native)
{
	memset(ret, 0, offsetof(struct dgram, data));
	ret->ecn = ECN_ECT0;
	ret->native = native;
	if (!read_address(&ret->src, &pinfo->src) ||
	    !read_address(&ret->dst, &pinfo->dst))
		return false;
	if (!native)
		ret->entropy = (uint16_t)pinfo->srcport;
	else if (tvb_captured_length(tvb) >= entropy_len)
		ret->entropy = tvb_get_ntohs(tvb, 0);
	dissect_head_read_ip(ret, tvb, native ? 0 : 8);
	return true;
}

void head_data(struct dgram *ret, tvbuff_t *tvb)
{
	const unsigned len = MIN(tvb_reported_length(tvb), DGRAM_MAX);
	const unsigned have = MIN(tvb_captured_length(tvb), len);

	if (have)
		tvb_memcpy(tvb, ret->data, 0, have);
	memset(ret->data + have, 0, len - have);
	ret->len = len;
}

/* ---- The ICRC ---- */

/* Fills the IP fields that the ICRC covers and |d| does not hold. */
static bool icrc_ip_of(struct icrc_ip *ret, const struct dgram *d,
		       tvbuff_t *tvb)
{
	const uint8_t *h = find_ip(d, tvb, 8);

	if (!h)
		return false;
	*ret = (struct icrc_ip){.id = (uint16_t)(h[4] << 8 | h[5]),
				.df = h[6] >> 6 & 1};
	return true;
}

/* Checks the ICRC at the end of |len| bytes of |d|, at least ICRC_LEN. */
static enum head_icrc dissect_head_check(const struct dgram *d, tvbuff_t *tvb,
					 size_t len, uint16_t dport)
{
	struct icrc_ip ip = icrc_socket;
	const bool known = icrc_ip_of(&ip, d, tvb);

	if (len < bth_len + ICRC_LEN)
		return HEAD_ICRC_WRONG;
	if (icrc_check(d, d->data, len, dport, &ip))
		return HEAD_ICRC_RIGHT;
	if (known)
		return HEAD_ICRC_WRONG;
	return HEAD_ICRC_UNKNOWN;
}

enum head_icrc head_parse(struct dgram *d, tvbuff_t *tvb, uint16_t dport,
			  struct packet *ret)
{
	const unsigned have = tvb_captured_length(tvb);
	const unsigned sent = tvb_reported_length(tvb);
	const size_t len = sent < ICRC_LEN ? sent : sent - ICRC_LEN;
	enum head_icrc icrc = HEAD_ICRC_NONE;

	head_data(d, tvb);
	if (have == sent && sent >= ICRC_LEN)
		icrc = d->dst.len ? dissect_head_check(d, tvb, sent, dport)
				  : HEAD_ICRC_UNKNOWN;
	packet_parse((enum family)d->family, ret,
		     have ? tvb_get_ptr(tvb, 0, (int)have) : NULL,
		     MIN(have, len));
	return icrc;
}

const char *head_icrc_text(enum head_icrc icrc)
{
	static const char *const texts[] = {
		[HEAD_ICRC_NONE] = "not in the capture",
		[HEAD_ICRC_RIGHT] = "good",
		[HEAD_ICRC_WRONG] = "bad",
		[HEAD_ICRC_UNKNOWN] =
			"not verified: the IP header is not known",
	};

	return texts[icrc];
}

void head_note(const struct noted *at, enum head_icrc icrc)
{
	if (icrc == HEAD_ICRC_WRONG)
		notes_odd(at, ODD_CRC,
			  "The last 4 bytes are not the invariant CRC of IP "
			  "header, UDP header and packet.");
}
