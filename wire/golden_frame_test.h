/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/golden_frame_test.h -- compares the frames of golden vectors with
 * frame_parse, frame_build and the CRC.
 */
#ifndef WIRE_GOLDEN_FRAME_TEST_H
#define WIRE_GOLDEN_FRAME_TEST_H

#include "wire/addr.h"
#include "wire/frame/crc.h"
#include "wire/frame/frame.h"
#include "wire/frame/frame_build.h"
#include "wire/golden_test.h"

static inline void check_addresses(struct vector *v, const struct dgram *d)
{
	char text[IP_ADDR_TEXT];
	struct ip_addr a;

	ip_addr_print(&d->src, text);
	check(v, !strcmp(text, vector_text(v, "ip.src")));
	check(v, !ip_addr_parse(&a, text, strlen(text)) &&
			 ip_addr_equal(&a, &d->src));
	ip_addr_print(&d->dst, text);
	check(v, !strcmp(text, vector_text(v, "ip.dst")));
}

static inline uint64_t want_of(struct vector *v, unsigned slot,
			       const char *name)
{
	struct part *p = vector_part(v, slot);
	int i = p ? part_index(p, name) : -1;

	check(v, i >= 0);
	return p->want[i];
}

static inline void check_dgram(struct vector *v, const struct dgram *d,
			       const struct frame_info *info)
{
	bool native = vector_has(v, "entropy");

	check_addresses(v, d);
	check(v, d->dscp == want_of(v, SLOT_IP, "dscp"));
	check(v, d->ecn == want_of(v, SLOT_IP, "ecn"));
	check(v, d->native == native);
	check(v, d->entropy ==
			 want_of(v, SLOT_SHIM, native ? "entropy" : "sport"));
	check(v, native ? !info->udp_length
			: info->udp_length == want_of(v, SLOT_SHIM, "length"));
	check(v, d->len == info->len);
	check(v, memcmp(d->data, v->hex + info->at, d->len) == 0);
}

/* Returns the number of bytes after the IP header, by the IP length. */
static inline size_t ip_payload(struct vector *v)
{
	if (vector_has(v, "ip.ttl"))
		return want_of(v, SLOT_IP, "total_length") - frame_ipv4_len;
	return want_of(v, SLOT_IP, "payload_length");
}

static inline void check_lengths(struct vector *v,
				 const struct frame_info *info)
{
	const struct part *shim = vector_part(v, SLOT_SHIM);
	const struct part *next = shim + 1; /* TSS or PDS header */
	const size_t said = shim->at + ip_payload(v);
	uint64_t n;

	check(v, info->at == next->at);
	check(v, info->ip_cut == (said > v->len));
	check(v, info->at + info->len == (info->ip_cut ? v->len : said));
	if (vector_number(v, "trim.kept_beyond_ip", &n))
		check(v, n == ip_payload(v));
}

static inline void check_frame_sections(struct vector *v,
					const struct frame_info *info)
{
	unsigned n = 0;

	for (unsigned i = 0; i < v->npart && v->part[i].slot <= SLOT_SHIM;
	     i++) {
		check(v, n < info->nsec && info->sec_h[n] == v->part[i].h);
		check(v, info->sec_at[n] == v->part[i].at);
		n++;
	}
	check(v, n == info->nsec);
}

/* |at| is the offset of the UET bytes; padding may follow the trailer. */
static inline void check_crc(struct vector *v, struct dgram *d, size_t at)
{
	const char *order_text = vector_text(v, "crc.order");
	enum crc_order order, other;
	unsigned first, last;
	uint64_t crc;

	if (!order_text)
		return;
	if (strcmp(order_text, "le"))
		order = CRC_BE;
	else
		order = CRC_LE;
	if (order == CRC_LE)
		other = CRC_BE;
	else
		other = CRC_LE;
	check(v, sscanf(vector_text(v, "crc.cover"), "%u..%u", &first, &last) ==
			 2);
	check(v, last + 1 + CRC_LEN == at + d->len);
	check(v, crc_of(d, d->len - CRC_LEN) ==
			 crc32c(0, v->hex + first, last + 1 - first));
	check(v, !crc_check(d, other));
	if (!vector_number(v, "crc32c", &crc)) {
		check(v, !crc_check(d, order));
		return;
	}
	check(v, crc_of(d, d->len - CRC_LEN) == crc);
	check(v, crc_check(d, order));
	d->len -= CRC_LEN;
	check(v, crc_append(d, order) == 0 && crc_check(d, order));
}

/* Builds the frame again from the datagram: the bytes from IP on are equal. */
static inline void check_frame_built(struct vector *v, const struct dgram *d)
{
	const struct part *ip = vector_part(v, SLOT_IP);
	const struct field *flow =
		header_field(&frame_ipv6_header, "flow_label", 10);
	uint8_t bytes[sizeof(v->hex)];
	int n = frame_build(NULL, FRAME_RAW_IP, d, bytes, sizeof(bytes));

	if (ip->h == &frame_ipv6_header) /* frame_build writes 0 */
		field_set(flow, bytes, field_get(flow, v->hex + ip->at));
	check(v, n > 0 && ip->at + (size_t)n <= v->len);
	check(v, memcmp(bytes, v->hex + ip->at, (size_t)n) == 0);
}

/*
 * Returns true for vectors that a trimming switch or fault injection has
 * changed.
 */
static inline bool is_rewritten(struct vector *v)
{
	return !strncmp(v->name, "malformed/", 10) ||
	       (vector_has(v, "udp.length") &&
		want_of(v, SLOT_SHIM, "length") != ip_payload(v));
}

/* Parses the frame of a vector, and builds it again. */
static inline void golden_frame_check(struct vector *v)
{
	const size_t ip_at = vector_part(v, SLOT_IP)->at;
	bool fragment = vector_has(v, "ip.mf");
	struct frame_info info;
	struct dgram d, raw;

	frame_parse(NULL, FRAME_ETHERNET, v->hex, v->len, &d, &info);
	check(v, info.fault == (fragment ? FRAME_FRAGMENT : FRAME_OK));
	if (!fragment) {
		check_frame_sections(v, &info);
		check_lengths(v, &info);
		check_dgram(v, &d, &info);
		check_crc(v, &d, info.at);
		if (!is_rewritten(v))
			check_frame_built(v, &d);
		frame_parse(NULL, FRAME_RAW_IP, v->hex + ip_at, v->len - ip_at,
			    &raw, &info);
		check(v, raw.len == d.len && raw.entropy == d.entropy);
		check(v, memcmp(raw.data, d.data, d.len) == 0);
	}
}

#endif
