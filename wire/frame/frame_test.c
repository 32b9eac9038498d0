/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/frame_test.c -- tests that frames are parsed.
 *
 * golden_test covers frames as networks carry them.  This file covers the
 * others: truncated at every byte, tagged twice and three times, fragments,
 * extension headers, wrong lengths.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "wire/frame/frame.h"
#include "wire/frame/frame_lab_test.h"
#include "wire/frame/frame_tables.h"
#include "wire/uet/uet_pds.h"

static void check_back(const struct dgram *d, enum frame_link link, uint8_t *p,
		       size_t n)
{
	struct frame_info info;
	struct dgram got;

	assert_int_equal(frame_lab_parse(link, p, n, &got, &info), FRAME_OK);
	frame_lab_check_same(&got, d);
	assert_false(info.ip_cut);
	assert_int_equal(info.at + info.len, n);
	assert_int_equal(info.udp_length, d->native ? 0 : 8 + d->len);
	assert_int_equal(info.nsec, link == FRAME_ETHERNET ? 3 : 2);
}

static void what_is_built_is_parsed(void **state)
{
	(void)state;
	frame_lab_each_form(check_back);
}

/* A trimming switch may keep the UDP length: the IP length counts. */
static void udp_length_is_kept(void **state)
{
	struct dgram d = frame_lab_sample(0, 0), got;
	struct frame_info info;
	uint8_t bytes[FRAME_LAB_SIZE] = {0};
	size_t n;

	(void)state;
	d.udp_length = 1000;
	n = frame_lab_build(&d, FRAME_ETHERNET, bytes);
	assert_int_equal(frame_lab_parse(FRAME_ETHERNET, bytes, n, &got, &info),
			 FRAME_OK);
	frame_lab_check_same(&got, &d);
	assert_int_equal(got.udp_length, 1000);
	assert_int_equal(info.udp_length, 1000);
	d.udp_length = 0;
	n = frame_lab_build(&d, FRAME_ETHERNET, bytes);
	assert_int_equal(frame_lab_parse(FRAME_ETHERNET, bytes, n, &got, &info),
			 FRAME_OK);
	assert_int_equal(got.udp_length, 0);
}

static void check_cuts(const struct dgram *d, enum frame_link link, uint8_t *p,
		       size_t n)
{
	const size_t headers = n - d->len;
	struct frame_info info;
	struct dgram got;

	for (size_t cut = 0; cut < n; cut++) {
		enum frame_fault fault =
			frame_lab_parse(link, p, cut, &got, &info);

		assert_int_equal(fault, cut < headers ? FRAME_SHORT : FRAME_OK);
		assert_int_equal(got.len, cut < headers ? 0 : cut - headers);
		if (cut >= headers)
			assert_true(info.ip_cut);
	}
}

static void every_cut_is_told(void **state)
{
	(void)state;
	frame_lab_each_form(check_cuts);
}

static void check_padding(const struct dgram *d, enum frame_link link,
			  uint8_t *p, size_t n)
{
	struct frame_info info;
	struct dgram got;

	memset(p + n, 0xee, 60);
	assert_int_equal(frame_lab_parse(link, p, n + 60, &got, &info),
			 FRAME_OK);
	frame_lab_check_same(&got, d);
	assert_false(info.ip_cut);
}

static void padding_is_dropped(void **state)
{
	(void)state;
	frame_lab_each_form(check_padding);
}

/* Random bytes: no crash, and consistent lengths. */
static void check_noise(const struct dgram *d, enum frame_link link, uint8_t *p,
			size_t n)
{
	struct rng r = {n};
	struct frame_info info;
	struct dgram got;

	(void)d;
	for (int i = 0; i < 2000; i++) {
		uint8_t noisy[FRAME_LAB_SIZE];

		memcpy(noisy, p, n);
		for (unsigned k = rng_below(&r, 4) + 1; k > 0; k--)
			noisy[rng_below(&r, (uint32_t)n)] =
				(uint8_t)rng_next(&r);
		frame_lab_parse(link, noisy, n, &got, &info);
		assert_true(info.nsec <= 8);
		assert_true(got.len <= n);
		if (info.fault == FRAME_OK) {
			assert_true(info.at + info.len <= n);
			assert_memory_equal(got.data, noisy + info.at, got.len);
		} else
			assert_int_equal(got.len, 0);
	}
}

static void noise_is_survived(void **state)
{
	(void)state;
	frame_lab_each_form(check_noise);
}

/* Inserts |len| bytes into a frame of |n| at |at|. */
static size_t frame_test_insert(uint8_t *p, size_t n, size_t at,
				const void *bytes, size_t len)
{
	memmove(p + at + len, p + at, n - at);
	memcpy(p + at, bytes, len);
	return n + len;
}

static void up_to_two_tags(void **state)
{
	static const uint8_t tags[] = {0x88, 0xa8, 0x60, 0x64,
				       0x81, 0x00, 0xa0, 0xc9};
	static const uint8_t third[] = {0x81, 0x00, 0x00, 0x01};
	const struct dgram d = frame_lab_sample(false, 0);
	struct frame_info info;
	uint8_t bytes[FRAME_LAB_SIZE];
	struct dgram got;
	size_t n = frame_lab_build(&d, FRAME_ETHERNET, bytes);

	(void)state;
	n = frame_test_insert(bytes, n, 12, tags + 4, 4);
	assert_int_equal(frame_lab_parse(FRAME_ETHERNET, bytes, n, &got, &info),
			 FRAME_OK);
	assert_int_equal(info.nsec, 4);
	n = frame_test_insert(bytes, n, 12, tags, 4);
	assert_int_equal(frame_lab_parse(FRAME_ETHERNET, bytes, n, &got, &info),
			 FRAME_OK);
	frame_lab_check_same(&got, &d);
	assert_int_equal(info.nsec, 5);
	assert_ptr_equal(info.sec_h[1], &frame_vlan_header);
	assert_int_equal(info.sec_at[2], 18);
	for (size_t cut = 14; cut < 22; cut++)
		assert_int_equal(frame_lab_parse(FRAME_ETHERNET, bytes, cut,
						 &got, &info),
				 FRAME_SHORT);
	n = frame_test_insert(bytes, n, 12, third, 4);
	assert_int_equal(frame_lab_parse(FRAME_ETHERNET, bytes, n, &got, &info),
			 FRAME_NOT_IP);
}

/* Changes one byte of the frame and expects the fault that follows. */
static void other_frames_are_named(void **state)
{
	static const struct {
		bool v6;
		size_t at; /* offset from the Ethernet header */
		uint8_t value;
		enum frame_fault fault;
	} rows[] = {
		{false, 13, 0x06, FRAME_NOT_IP},   /* ARP */
		{false, 14, 0x65, FRAME_NOT_IP},   /* version 6 in IPv4 */
		{false, 14, 0x44, FRAME_SHORT},    /* IHL 4 */
		{false, 14, 0x4f, FRAME_SHORT},    /* IHL 15 > length */
		{false, 17, 19, FRAME_SHORT},      /* length < header */
		{false, 17, 27, FRAME_SHORT},      /* length < UDP */
		{false, 20, 0x20, FRAME_FRAGMENT}, /* more fragments */
		{false, 21, 0x01, FRAME_FRAGMENT}, /* offset 1 */
		{false, 20, 0x10, FRAME_FRAGMENT}, /* offset 4096 */
		{false, 20, 0x80, FRAME_OK},       /* reserved bit */
		{false, 20, 0x00, FRAME_OK},       /* DF clear */
		{false, 23, 6, FRAME_NOT_UDP},     /* TCP */
		{false, 23, 254, FRAME_NOT_UDP},   /* not configured */
		{false, 36, 0x13, FRAME_NOT_UET},  /* another port */
		{false, 38, 0xff, FRAME_OK}, /* the UDP length is not used */
		{false, 40, 0x5c, FRAME_OK}, /* UDP checksum ignored */
		{true, 13, 0x00, FRAME_NOT_IP},
		{true, 14, 0x40, FRAME_NOT_IP},
		{true, 19, 7, FRAME_SHORT},
		{true, 20, 6, FRAME_NOT_UDP},
		{true, 20, 44, FRAME_FRAGMENT},
		{true, 20, 253, FRAME_OK}, /* read as the native form */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct dgram d = frame_lab_sample(rows[i].v6, 0);
		struct frame_info info;
		uint8_t bytes[FRAME_LAB_SIZE];
		struct dgram got;
		size_t n = frame_lab_build(&d, FRAME_ETHERNET, bytes);

		bytes[rows[i].at] = rows[i].value;
		assert_int_equal(
			frame_lab_parse(FRAME_ETHERNET, bytes, n, &got, &info),
			rows[i].fault);
		if (rows[i].fault)
			assert_int_equal(got.len, 0);
	}
}

static void raw_ip_is_told_by_its_version(void **state)
{
	const struct dgram d = frame_lab_sample(false, 0);
	struct frame_info info;
	uint8_t bytes[FRAME_LAB_SIZE];
	struct dgram got;
	size_t n = frame_lab_build(&d, FRAME_RAW_IP, bytes);

	(void)state;
	bytes[0] = 0x55;
	assert_int_equal(frame_lab_parse(FRAME_RAW_IP, bytes, n, &got, &info),
			 FRAME_NOT_IP);
	assert_int_equal(frame_lab_parse(FRAME_RAW_IP, bytes, 0, &got, &info),
			 FRAME_SHORT);
	assert_int_equal(
		frame_lab_parse((enum frame_link)114, bytes, n, &got, &info),
		FRAME_LINK);
}

/* Parses an IP packet after |len| other bytes, with 0x0800 at |type|. */
static void frame_test_behind(enum frame_link link, size_t len, size_t type)
{
	const struct dgram d = frame_lab_sample(false, 0);
	struct frame_info info;
	uint8_t bytes[FRAME_LAB_SIZE] = {0};
	struct dgram got;
	size_t n = frame_lab_build(&d, FRAME_RAW_IP, bytes + len) + len;

	bytes[type] = 8;
	assert_int_equal(frame_lab_parse(link, bytes, n, &got, &info),
			 FRAME_OK);
	assert_int_equal(got.len, d.len);
	assert_memory_equal(got.data, d.data, d.len);
	assert_int_equal(info.udp_dport, UET_UDP_PORT);
	assert_int_equal(frame_lab_parse(link, bytes, len - 1, &got, &info),
			 FRAME_SHORT);
}

static void other_links_are_known(void **state)
{
	const struct dgram d = frame_lab_sample(false, 0);
	struct frame_info info;
	uint8_t bytes[FRAME_LAB_SIZE];
	struct dgram got;
	size_t n = frame_lab_build(&d, FRAME_RAW_IP, bytes);

	(void)state;
	frame_test_behind(FRAME_LINUX_SLL, 16, 14);
	frame_test_behind(FRAME_LINUX_SLL2, 20, 0);
	frame_test_behind(FRAME_NULL, 4, 0);
	frame_test_behind(FRAME_LOOP, 4, 0);
	assert_int_equal(
		frame_lab_parse(FRAME_IPV4_ONLY, bytes, n, &got, &info),
		FRAME_OK);
	memset(&got, 0x5a, sizeof(got));
	assert_int_equal(frame_find(NULL, FRAME_RAW_IP, bytes, n, &got, &info),
			 FRAME_OK);
	assert_int_equal(info.at, n - d.len);
	assert_int_equal(got.data[0], 0x5a);
	bytes[22] = 0x13; /* another port */
	assert_int_equal(frame_find(NULL, FRAME_RAW_IP, bytes, n, &got, &info),
			 FRAME_NOT_UET);
	assert_int_equal(info.len, d.len);
}

static void ipv4_options_are_passed_over(void **state)
{
	static const uint8_t options[8] = {1, 1, 1, 1, 1, 1, 1, 0};
	const struct dgram d = frame_lab_sample(false, 1);
	struct frame_info info;
	uint8_t bytes[FRAME_LAB_SIZE];
	struct dgram got;
	size_t n = frame_lab_build(&d, FRAME_RAW_IP, bytes);

	(void)state;
	n = frame_test_insert(bytes, n, frame_ipv4_len, options,
			      sizeof(options));
	bytes[0] = 0x47;
	bytes[3] = (uint8_t)(bytes[3] + sizeof(options));
	assert_int_equal(frame_lab_parse(FRAME_RAW_IP, bytes, n, &got, &info),
			 FRAME_OK);
	frame_lab_check_same(&got, &d);
}

/* Inserts 8 bytes of an extension header before the payload. */
static size_t extend(uint8_t *p, size_t n, uint8_t type, uint8_t extra)
{
	uint8_t ext[24] = {p[6], extra};
	const size_t len = 8u + 8u * extra;

	p[6] = type;
	p[5] = (uint8_t)(p[5] + len);
	return frame_test_insert(p, n, frame_ipv6_len, ext, len);
}

static void ipv6_extensions_are_passed_over(void **state)
{
	static const uint8_t types[] = {135, 60, 43, 0};
	const struct dgram d = frame_lab_sample(true, 0);
	struct frame_info info;
	uint8_t bytes[FRAME_LAB_SIZE];
	struct dgram got;
	size_t n = frame_lab_build(&d, FRAME_RAW_IP, bytes);

	(void)state;
	for (size_t i = 0; i < sizeof(types); i++) {
		n = extend(bytes, n, types[i], i % 2);
		assert_int_equal(
			frame_lab_parse(FRAME_RAW_IP, bytes, n, &got, &info),
			FRAME_OK);
		frame_lab_check_same(&got, &d);
		assert_int_equal(info.nsec, 3 + i);
		assert_ptr_equal(info.sec_h[1], &frame_ipv6_ext_header);
	}
	for (size_t cut = frame_ipv6_len; cut < n - d.len; cut++)
		assert_int_equal(
			frame_lab_parse(FRAME_RAW_IP, bytes, cut, &got, &info),
			FRAME_SHORT);
}

/* RFC 6946: a Fragment header of offset 0 without M precedes a whole packet. */
static void atomic_fragments_are_whole(void **state)
{
	static const struct {
		uint8_t at, bits;
		enum frame_fault fault;
	} forms[] = {
		{7, 0xff, FRAME_OK},       /* identification */
		{1, 0xff, FRAME_OK},       /* reserved */
		{3, 0x06, FRAME_OK},       /* reserved */
		{3, 0x01, FRAME_FRAGMENT}, /* more fragments */
		{3, 0x08, FRAME_FRAGMENT}, /* offset 1 */
		{2, 0x80, FRAME_FRAGMENT}, /* offset 4096 */
	};
	const struct dgram d = frame_lab_sample(true, 0);
	struct frame_info info;
	uint8_t bytes[FRAME_LAB_SIZE];
	struct dgram got;

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t n = frame_lab_build(&d, FRAME_RAW_IP, bytes);

		n = extend(bytes, n, 44, 0);
		bytes[frame_ipv6_len + forms[i].at] |= forms[i].bits;
		n = extend(bytes, n, 0, 0);
		assert_int_equal(
			frame_lab_parse(FRAME_RAW_IP, bytes, n, &got, &info),
			forms[i].fault);
		if (forms[i].fault == FRAME_OK)
			frame_lab_check_same(&got, &d);
		for (size_t cut = frame_ipv6_len; cut < frame_ipv6_len + 16;
		     cut++)
			assert_int_equal(frame_lab_parse(FRAME_RAW_IP, bytes,
							 cut, &got, &info),
					 FRAME_SHORT);
	}
}

/* A chain longer than the list of headers is still read. */
static void long_chains_fill_the_list(void **state)
{
	const struct dgram d = frame_lab_sample(true, 0);
	struct frame_info info;
	uint8_t bytes[FRAME_LAB_SIZE];
	struct dgram got;
	size_t n = frame_lab_build(&d, FRAME_RAW_IP, bytes);

	(void)state;
	for (int i = 0; i < 12; i++)
		n = extend(bytes, n, 60, 0);
	assert_int_equal(frame_lab_parse(FRAME_RAW_IP, bytes, n, &got, &info),
			 FRAME_OK);
	frame_lab_check_same(&got, &d);
	assert_int_equal(info.nsec, 8);
}

static void port_and_protocol_are_configured(void **state)
{
	const struct frame_conf conf = {.udp_port = 4789, .ip_proto = 254};
	struct frame_info info;
	uint8_t bytes[FRAME_LAB_SIZE];
	struct dgram got;

	(void)state;
	for (uint8_t native = 0; native < 2; native++) {
		const struct dgram d = frame_lab_sample(false, native);
		int n = frame_build(&conf, FRAME_RAW_IP, &d, bytes,
				    FRAME_LAB_SIZE);

		assert_true(n > 0);
		assert_int_equal(frame_parse(&conf, FRAME_RAW_IP, bytes,
					     (size_t)n, &got, &info),
				 FRAME_OK);
		frame_lab_check_same(&got, &d);
		assert_int_equal(frame_lab_parse(FRAME_RAW_IP, bytes, (size_t)n,
						 &got, &info),
				 native ? FRAME_NOT_UDP : FRAME_NOT_UET);
	}
}

/*
 * Returns true if frame_family() finds a family in a frame to the port of |f|,
 * with |port| configured as UET's.
 */
static bool family_seen(enum family f, uint16_t port, enum family *ret)
{
	const struct frame_conf to = {.udp_port = family_port(f)};
	const struct frame_conf own = {.udp_port = port};
	const struct dgram d = frame_lab_sample(true, 0);
	struct frame_info info;
	uint8_t bytes[FRAME_LAB_SIZE];
	struct dgram got;
	const int n = frame_build(&to, FRAME_RAW_IP, &d, bytes, FRAME_LAB_SIZE);

	assert_true(n > 0);
	frame_find(&own, FRAME_RAW_IP, bytes, (size_t)n, &got, &info);
	return frame_family(&info, ret);
}

static void families_have_ports(void **state)
{
	struct frame_info cut = {.fault = FRAME_FRAGMENT};
	enum family got;

	(void)state;
	for (enum family f = FAMILY_UET; f < FAMILIES; f++) {
		assert_true(family_seen(f, 0, &got));
		assert_int_equal(got, f);
		assert_true(family_seen(f, family_port(f), &got));
		/* the configuration prevails */
		assert_int_equal(got, FAMILY_UET);
		assert_int_equal(family_seen(f, 4789, &got), f != FAMILY_UET);
	}
	assert_false(frame_family(&cut, &got));
}

/* An IP packet can exceed a datagram: the rest is cut off and reported. */
static void too_much_is_cut_and_told(void **state)
{
	const size_t n = frame_ipv4_len + entropy_len + DGRAM_MAX + 1;
	struct dgram d = frame_lab_sample(false, 1);
	uint8_t *p = calloc(1, n);
	struct frame_info info;

	(void)state;
	assert_non_null(p);
	frame_lab_build(&d, FRAME_RAW_IP, p);
	p[2] = (uint8_t)(n >> 8);
	p[3] = (uint8_t)n;
	assert_int_equal(frame_parse(NULL, FRAME_RAW_IP, p, n, &d, &info),
			 FRAME_OK);
	assert_int_equal(d.len, DGRAM_MAX);
	assert_true(info.ip_cut);
	free(p);
}

/* Parsed from Ethernet or from IP at |at|, a frame gives the same datagram. */
static void check_both_ways(const uint8_t *p, size_t n, size_t at)
{
	const size_t links = 1 + (at - frame_eth_len) / frame_vlan_len;
	struct frame_info whole, ip;
	struct dgram a, b;

	memset(&a, 0xa5, sizeof(a));
	memset(&b, 0xa5, sizeof(b));
	frame_find(NULL, FRAME_ETHERNET, p, n, &a, &whole);
	frame_find(NULL, FRAME_IPV4_ONLY, p + at, n - at, &b, &ip);
	assert_int_equal(whole.fault, ip.fault);
	assert_int_equal(whole.ip_cut, ip.ip_cut);
	assert_int_equal(whole.udp_length, ip.udp_length);
	assert_int_equal(whole.udp_dport, ip.udp_dport);
	assert_int_equal(whole.at, ip.at ? ip.at + at : 0);
	assert_int_equal(whole.len, ip.len);
	assert_int_equal(whole.nsec, ip.nsec + links);
	for (unsigned i = 0; i < ip.nsec; i++) {
		assert_ptr_equal(whole.sec_h[i + links], ip.sec_h[i]);
		assert_int_equal(whole.sec_at[i + links], ip.sec_at[i] + at);
	}
	assert_memory_equal(&a, &b, offsetof(struct dgram, data));
}

/* If frame_peek() finds a packet, frame_find() finds the same. */
static void check_peek(const uint8_t *p, size_t n)
{
	struct frame_peek g;
	struct frame_info info;
	enum family family;
	struct dgram a, b;

	memset(&a, 0xa5, sizeof(a));
	frame_find(NULL, FRAME_ETHERNET, p, n, &a, &info);
	if (!frame_peek(NULL, FRAME_ETHERNET, p, n, &g))
		return;
	assert_int_equal(g.known, frame_family(&info, &family));
	if (g.known)
		assert_int_equal(g.family, family);
	assert_int_equal(g.udp + frame_udp_len, info.at);
	assert_int_equal(g.len, info.len);
	assert_int_equal(g.cut, info.ip_cut);
	assert_int_equal(g.addr_len, a.src.len);
	assert_memory_equal(frame_peek_addrs(&g, p), a.src.b, g.addr_len);
	assert_memory_equal(frame_peek_addrs(&g, p) + g.addr_len, a.dst.b,
			    g.addr_len);
	frame_peek_fill(&g, p, &b);
	assert_memory_equal(&a, &b, offsetof(struct dgram, data));
}

/* Common frames give the same result on both paths, with any byte changed. */
static void the_usual_frame_is_as_any(void **state)
{
	static const uint8_t tag[2][4] = {{0x88, 0xa8, 0x00, 0x07},
					  {0x81, 0x00, 0x00, 0x05}};
	struct rng rng = {42};
	uint8_t p[FRAME_LAB_SIZE];

	(void)state;
	for (int round = 0; round < 40000; round++) {
		const bool v6 = round & 2;
		struct dgram d = frame_lab_sample(v6, round & 1);
		size_t n = frame_lab_build(&d, FRAME_ETHERNET, p),
		       at = frame_eth_len;
		uint32_t k;

		for (k = rng_below(&rng, 4); k; k--)
			p[at + rng_below(&rng, v6 ? 48 : 28)] ^=
				(uint8_t)(1u << rng_below(&rng, 8));
		p[at] = (uint8_t)((v6 ? 0x60 : 0x40) | (p[at] & 15));
		n -= rng_below(&rng, 4) ? 0 : rng_below(&rng, v6 ? 60 : 40);
		for (k = rng_below(&rng, 3); k; k--) {
			n = frame_test_insert(p, n, 12, tag[k - 1],
					      sizeof(*tag));
			at += sizeof(*tag);
		}
		check_both_ways(p, n, at);
		check_peek(p, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_usual_frame_is_as_any),
		cmocka_unit_test(what_is_built_is_parsed),
		cmocka_unit_test(udp_length_is_kept),
		cmocka_unit_test(every_cut_is_told),
		cmocka_unit_test(padding_is_dropped),
		cmocka_unit_test(noise_is_survived),
		cmocka_unit_test(up_to_two_tags),
		cmocka_unit_test(other_frames_are_named),
		cmocka_unit_test(raw_ip_is_told_by_its_version),
		cmocka_unit_test(other_links_are_known),
		cmocka_unit_test(ipv4_options_are_passed_over),
		cmocka_unit_test(ipv6_extensions_are_passed_over),
		cmocka_unit_test(atomic_fragments_are_whole),
		cmocka_unit_test(long_chains_fill_the_list),
		cmocka_unit_test(port_and_protocol_are_configured),
		cmocka_unit_test(families_have_ports),
		cmocka_unit_test(too_much_is_cut_and_told),
	};

	return cmocka_run_group_tests_name("wire.frame", tests, NULL, NULL);
}
