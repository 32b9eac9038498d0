/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/tunnel_test.c -- tests that the frame inside a tunnel is found.
 *
 * Each tunnel is put around frames of every form, in IPv4 and in IPv6, and cut
 * at every byte.  The bytes of the tunnels are written by hand after their
 * specifications.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/frame/frame.h"
#include "wire/frame/frame_lab_test.h"
#include "wire/frame/tunnel.h"

#define ROOM (FRAME_LAB_SIZE + 512)

static const struct frame_conf tunnels = {.tunnels = true};

/* The bytes between the outer IP header and the inner frame. */
struct tunnel_form {
	const char *name;
	uint8_t proto;
	bool udp;   /* a UDP header to |port| comes first */
	bool no_v4; /* only an IPv6 header announces it */
	bool ip;    /* the inner frame begins with IP */
	uint16_t port;
	uint8_t len, bytes[32];
};

static const struct tunnel_form forms[] = {
	{"VXLAN", 17, .udp = true, .port = 4789, .len = 8,
	 .bytes = {0x08, 0, 0, 0, 0x12, 0x34, 0x56, 0}},
	{"VXLAN of Linux", 17, .udp = true, .port = 8472, .len = 8,
	 .bytes = {0x08, 0, 0, 0, 0, 0, 1, 0}},
	{"GRE, Ethernet", 47, .len = 4, .bytes = {0, 0, 0x65, 0x58}},
	{"GRE, key (NVGRE)", 47, .len = 8,
	 .bytes = {0x20, 0, 0x65, 0x58, 0, 0x12, 0x34, 1}},
	{"GRE, all of them", 47, .len = 16,
	 .bytes = {0xb0, 0, 0x65, 0x58, 1, 2, 0, 0, 0, 0, 0, 7, 0, 0, 0, 9}},
	{"ERSPAN I", 47, .len = 4, .bytes = {0, 0, 0x88, 0xbe}},
	{"ERSPAN II", 47, .len = 16,
	 .bytes = {0x10, 0, 0x88, 0xbe, 0, 0, 0, 1, 0x10, 0x64, 0x18, 0x2a, 0,
		   0, 0, 3}},
	{"ERSPAN III", 47, .len = 20,
	 .bytes = {0x10, 0,    0x22, 0xeb, 0, 0, 0, 1, 0x20, 0x64,
		   0x00, 0x2a, 1,    2,    3, 4, 0, 0, 0,    0x02}},
	{"ERSPAN III, more", 47, .len = 28,
	 .bytes = {0x10, 0,    0x22, 0xeb, 0, 0, 0, 1, 0x20, 0x64,
		   0x00, 0x2a, 1,    2,    3, 4, 0, 0, 0,    0x03,
		   0x14, 0,    0,    0,    0, 0, 0, 1}},
	{"SRv6, Ethernet", 43, .no_v4 = true, .len = 24,
	 .bytes = {143, 2, 4, 0, 0, 0, 0, 0, 0xfc, 0, 0, 1}},
	{"SRv6 without SRH, Ethernet", 143, .no_v4 = true},
	{"GRE, IPv4", 47, .ip = true, .len = 4, .bytes = {0, 0, 8, 0}},
	{"ERSPAN III, IP", 47, .ip = true, .len = 20,
	 .bytes = {0x10, 0,    0x22, 0xeb, 0, 0, 0, 1, 0x20, 0x64,
		   0x00, 0x2a, 1,    2,    3, 4, 0, 0, 0x08, 0x02}},
	{"IP in IP", 4, .ip = true},
	{"SRv6, IPv4", 43, .ip = true, .no_v4 = true, .len = 24,
	 .bytes = {4, 2, 4, 0, 0, 0, 0, 0, 0xfc, 0, 0, 1}},
	{"SRv6, IPv6", 43, .ip = true, .no_v4 = true, .len = 24,
	 .bytes = {41, 2, 4, 0, 0, 0, 0, 0, 0xfc, 0, 0, 1}},
};

#define FORMS (sizeof(forms) / sizeof(forms[0]))

static void put16(uint8_t *p, size_t n)
{
	p[0] = (uint8_t)(n >> 8);
	p[1] = (uint8_t)n;
}

/* Writes the outer Ethernet and IP header before |n| bytes. */
static size_t put_outer(uint8_t *to, bool v6, uint8_t proto, size_t n)
{
	uint8_t *ip = to + 14;

	memset(to, 0, 14 + 40);
	put16(to + 12, v6 ? 0x86dd : 0x0800);
	if (v6) {
		ip[0] = 0x60;
		put16(ip + 4, n);
		ip[6] = proto;
		ip[7] = 64;
		ip[23] = 9;
		ip[39] = 8;
		return 14 + 40;
	}
	ip[0] = 0x45;
	put16(ip + 2, 20 + n);
	ip[8] = 64;
	ip[9] = proto;
	ip[12] = ip[16] = 10;
	ip[15] = 9;
	ip[19] = 8;
	return 14 + 20;
}

/* Puts a tunnel around |n| bytes.  Return: the length of the frame. */
static size_t wrap(const struct tunnel_form *f, bool v6, const uint8_t *inner,
		   size_t n, uint8_t to[ROOM])
{
	const size_t head = (f->udp ? 8u : 0u) + f->len;
	size_t at = put_outer(to, v6, f->proto, head + n);

	if (f->udp) {
		put16(to + at, 50000);
		put16(to + at + 2, f->port);
		put16(to + at + 4, 8 + f->len + n);
		put16(to + at + 6, 0);
		at += 8;
	}
	memcpy(to + at, f->bytes, f->len);
	memcpy(to + at + f->len, inner, n);
	return at + f->len + n;
}

/* A frame of UET, as Ethernet or from its IP header on. */
static size_t tunnel_test_sample(const struct dgram *d, bool ip, uint8_t *to)
{
	return frame_lab_build(d, ip ? FRAME_RAW_IP : FRAME_ETHERNET, to);
}

static void tunnel_test_check(const struct tunnel_form *f, bool v6)
{
	const struct dgram d = frame_lab_sample(0, 0);
	uint8_t inner[FRAME_LAB_SIZE], outer[ROOM];
	const size_t n = tunnel_test_sample(&d, f->ip, inner);
	const size_t len = wrap(f, v6, inner, n, outer);
	struct frame_info info;
	struct dgram got;

	assert_int_equal(
		frame_parse(&tunnels, FRAME_ETHERNET, outer, len, &got, &info),
		FRAME_OK);
	frame_lab_check_same(&got, &d);
	assert_int_equal(info.tunnels, 1);
	assert_int_equal(info.at + info.len, len);
	assert_false(info.ip_cut);
	assert_ptr_equal(frame_section(&info, &frame_ipv4_header, outer),
			 outer + (len - n) + (f->ip ? 0 : 14));
	/* only who asks for it looks inside */
	assert_int_not_equal(
		frame_parse(NULL, FRAME_ETHERNET, outer, len, &got, &info),
		FRAME_OK);
	assert_int_equal(info.tunnels, 0);
}

static void each_tunnel_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < FORMS; i++) {
		if (!forms[i].no_v4)
			tunnel_test_check(&forms[i], false);
		tunnel_test_check(&forms[i], true);
	}
}

/* Each byte that is missing makes the frame short, or the datagram cut. */
static void cut_anywhere(void **state)
{
	const struct dgram d = frame_lab_sample(0, 0);

	(void)state;
	for (size_t i = 0; i < FORMS; i++) {
		const struct tunnel_form *f = &forms[i];
		uint8_t inner[FRAME_LAB_SIZE], outer[ROOM];
		const size_t n = tunnel_test_sample(&d, f->ip, inner);
		const size_t len = wrap(f, true, inner, n, outer);

		for (size_t cut = 0; cut < len; cut++) {
			uint8_t *copy = malloc(cut + 1);
			struct frame_info info;
			struct dgram got;
			enum frame_fault fault;

			assert_non_null(copy);
			memcpy(copy, outer, cut);
			fault = frame_parse(&tunnels, FRAME_ETHERNET, copy, cut,
					    &got, &info);
			free(copy);
			assert_true(fault == FRAME_SHORT ||
				    (fault == FRAME_OK && info.ip_cut &&
				     got.len < d.len));
		}
	}
}

/* A packet whose own header carries the segments has its last one as target. */
static void segments_without_a_tunnel(void **state)
{
	const struct dgram d = frame_lab_sample(1, 0);
	uint8_t plain[FRAME_LAB_SIZE], routed[ROOM];
	const size_t n = frame_lab_build(&d, FRAME_RAW_IP, plain);
	struct frame_info info;
	struct dgram got;

	(void)state;
	memcpy(routed, plain, 40);
	memset(routed + 40, 0, 24);
	memcpy(routed + 64, plain + 40, n - 40);
	put16(routed + 4, n - 40 + 24);
	routed[6] = 43;
	routed[40] = plain[6];
	routed[41] = 2;
	routed[42] = 4;
	routed[43] = 1;
	memcpy(routed + 48, plain + 24, 16); /* the list has the target */
	memset(routed + 24, 0xfc, 16);       /* the next segment */
	assert_int_equal(frame_parse(&tunnels, FRAME_RAW_IP, routed, n + 24,
				     &got, &info),
			 FRAME_OK);
	frame_lab_check_same(&got, &d);
	assert_int_equal(info.tunnels, 0);
	routed[43] = 0; /* at the last hop the IPv6 header has the target */
	memcpy(routed + 24, plain + 24, 16);
	memset(routed + 48, 0xfc, 16);
	assert_int_equal(frame_parse(&tunnels, FRAME_RAW_IP, routed, n + 24,
				     &got, &info),
			 FRAME_OK);
	frame_lab_check_same(&got, &d);
}

/* A user who gives UET the port of VXLAN means UET. */
static void the_port_of_uet_is_no_tunnel(void **state)
{
	static const struct frame_conf moved = {.udp_port = 4789,
						.tunnels = true};
	const struct dgram d = frame_lab_sample(0, 0);
	uint8_t inner[FRAME_LAB_SIZE], outer[ROOM];
	const size_t n = tunnel_test_sample(&d, false, inner);
	const size_t len = wrap(&forms[0], false, inner, n, outer);
	struct frame_info info;
	struct dgram got;

	(void)state;
	assert_int_equal(
		frame_parse(&moved, FRAME_ETHERNET, outer, len, &got, &info),
		FRAME_OK);
	assert_int_equal(info.tunnels, 0);
	/* with IP options it is no common frame */
	memmove(outer + 14 + 24, outer + 14 + 20, len - 14 - 20);
	memset(outer + 14 + 20, 1, 4);
	outer[14] = 0x46;
	put16(outer + 16, len - 14 + 4);
	assert_int_equal(frame_parse(&moved, FRAME_ETHERNET, outer, len + 4,
				     &got, &info),
			 FRAME_OK);
	assert_int_equal(info.tunnels, 0);
}

/* Tunnels inside tunnels are followed up to a bound. */
static void nesting_is_bounded(void **state)
{
	const struct dgram d = frame_lab_sample(0, 0);
	uint8_t frame[2][ROOM];
	size_t n = tunnel_test_sample(&d, false, frame[0]);

	(void)state;
	for (unsigned i = 1; i <= FRAME_TUNNELS_MAX + 1; i++) {
		struct frame_info info;
		struct dgram got;
		enum frame_fault fault;

		n = wrap(&forms[i % 2 ? 0 : 6], i % 3 == 0, frame[(i - 1) % 2],
			 n, frame[i % 2]);
		fault = frame_parse(&tunnels, FRAME_ETHERNET, frame[i % 2], n,
				    &got, &info);
		if (i <= FRAME_TUNNELS_MAX) {
			assert_int_equal(fault, FRAME_OK);
			assert_int_equal(info.tunnels, i);
			frame_lab_check_same(&got, &d);
		} else {
			assert_int_not_equal(fault, FRAME_OK);
			assert_int_equal(info.tunnels, FRAME_TUNNELS_MAX);
		}
	}
}

static void tunnel_test_none(uint8_t proto, const char *bytes, size_t len)
{
	assert_int_equal(
		tunnel_of_proto(proto, (const uint8_t *)bytes, len).inner,
		TUNNEL_NONE);
}

/* Headers that look like a tunnel and are none that is read. */
static void others_are_left_alone(void **state)
{
	static const uint8_t no_vni[8] = {0};

	(void)state;
	tunnel_test_none(47, "\x00\x01\x65\x58", 4); /* version 1, PPTP */
	tunnel_test_none(47, "\x40\x00\x65\x58", 4); /* a routing list */
	tunnel_test_none(47, "\x00\x00\x88\x47", 4); /* MPLS */
	/* ERSPAN of another version, and of a frame type that is not read */
	tunnel_test_none(47, "\x10\x00\x88\xbe\0\0\0\1\x20\0\0\0\0\0\0\0", 16);
	tunnel_test_none(
		47, "\x10\x00\x22\xeb\0\0\0\1\x20\0\0\0\0\0\0\0\0\0\x04\0", 20);
	tunnel_test_none(6, "\x00\x00\x65\x58", 4);
	assert_int_equal(tunnel_of_port(4789, no_vni, 8).inner, TUNNEL_NONE);
	assert_int_equal(tunnel_of_port(4790, no_vni, 8).inner, TUNNEL_NONE);
	assert_int_equal(tunnel_of_port(4789, no_vni, 7).inner, TUNNEL_SHORT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_tunnel_is_read),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(segments_without_a_tunnel),
		cmocka_unit_test(the_port_of_uet_is_no_tunnel),
		cmocka_unit_test(nesting_is_bounded),
		cmocka_unit_test(others_are_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
