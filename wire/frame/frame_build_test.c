/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/frame_build_test.c -- tests frames built, wrapped in the headers
 * of others, and their checksums.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "wire/frame/frame_build.h"
#include "wire/frame/frame_lab_test.h"

static uint16_t be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

/*
 * Built frames have the values of frame_build.h: DF set, id 0, correct
 * checksums or 0.
 */
static void built_frames_are_plain(void **state)
{
	const struct dgram d = frame_lab_sample(false, 0);
	uint32_t sum = 0;
	uint8_t bytes[FRAME_LAB_SIZE];

	(void)state;
	assert_int_equal(frame_lab_build(&d, FRAME_ETHERNET, bytes),
			 14 + 20 + 8 + 20);
	assert_memory_equal(bytes, "\x02\x00\xc6\x33\x64\x22", 6);
	assert_memory_equal(bytes + 6, "\x02\x00\xc0\x00\x02\x11", 6);
	assert_int_equal(be16(bytes + 12), 0x0800);
	assert_int_equal(bytes[14], 0x45);
	assert_int_equal(bytes[15], 46 << 2 | 3);
	assert_int_equal(be16(bytes + 16), 20 + 8 + 20);
	assert_int_equal(be16(bytes + 18), 0);
	assert_int_equal(be16(bytes + 20), 0x4000);
	assert_int_equal(bytes[23], 17);
	for (size_t i = 14; i < 34; i += 2)
		sum += be16(bytes + i);
	assert_int_equal((sum & 0xffff) + (sum >> 16), 0xffff);
	assert_int_equal(be16(bytes + 34), 0xb41c);
	assert_int_equal(be16(bytes + 36), UET_UDP_PORT);
	assert_int_equal(be16(bytes + 38), 8 + 20);
	assert_int_equal(be16(bytes + 40), 0);
}

/* RFC 8200 4: each extension header names the next one; PadN fills it. */
static void extension_headers_are_built(void **state)
{
	static const uint8_t options[] = {1, 4, 0, 0, 0, 0};
	static const struct {
		uint8_t ext, first, last;
		size_t n;
	} forms[] = {
		{DGRAM_EXT_NONE, 17, 17, 0},
		{DGRAM_EXT_HOP_BY_HOP, 0, 17, 1},
		{DGRAM_EXT_DEST_OPTIONS, 60, 17, 1},
		{DGRAM_EXT_BOTH, 0, 17, 2},
	};
	struct dgram d = frame_lab_sample(true, 0), got;
	uint8_t bytes[FRAME_LAB_SIZE];
	struct frame_info info;

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const size_t head = 40 + 8 * forms[i].n;
		size_t len;

		d.ext = forms[i].ext;
		len = frame_lab_build(&d, FRAME_RAW_IP, bytes);
		assert_int_equal(len, head + 8 + d.len);
		assert_int_equal(be16(bytes + 4), len - 40);
		assert_int_equal(bytes[6], forms[i].first);
		if (forms[i].n)
			assert_int_equal(bytes[head - 8], forms[i].last);
		if (forms[i].n == 2)
			assert_int_equal(bytes[40], 60);
		for (size_t at = 40; at < head; at += 8) {
			assert_int_equal(bytes[at + 1], 0);
			assert_memory_equal(bytes + at + 2, options, 6);
		}
		assert_int_equal(
			frame_lab_parse(FRAME_RAW_IP, bytes, len, &got, &info),
			FRAME_OK);
		frame_lab_check_same(&got, &d);
	}
	d = frame_lab_sample(false, 0); /* IPv4 has none */
	d.ext = DGRAM_EXT_BOTH;
	assert_int_equal(frame_lab_build(&d, FRAME_RAW_IP, bytes),
			 20 + 8 + d.len);
}

/* RFC 8200 4.5, RFC 6946: offset 0, no M, and an identification. */
static void fragment_header_is_built(void **state)
{
	struct dgram d = frame_lab_sample(true, 0), got;
	uint8_t bytes[FRAME_LAB_SIZE];
	struct frame_info info;
	size_t len;

	(void)state;
	d.ext = DGRAM_EXT_FRAGMENT;
	len = frame_lab_build(&d, FRAME_RAW_IP, bytes);
	assert_int_equal(len, 40 + 8 + 8 + d.len);
	assert_int_equal(be16(bytes + 4), len - 40);
	assert_int_equal(bytes[6], 44);
	assert_int_equal(bytes[40], 17);
	assert_int_equal(bytes[41], 0);
	assert_int_equal(be16(bytes + 42), 0);
	assert_int_not_equal(be16(bytes + 44) | be16(bytes + 46), 0);
	assert_int_equal(frame_lab_parse(FRAME_RAW_IP, bytes, len, &got, &info),
			 FRAME_OK);
	frame_lab_check_same(&got, &d);
}

static void what_cannot_be_built_is_refused(void **state)
{
	struct dgram d = frame_lab_sample(false, 0);
	uint8_t bytes[FRAME_LAB_SIZE];

	(void)state;
	assert_int_equal(frame_build(NULL, FRAME_ETHERNET, &d, bytes, 61),
			 ERR_SPACE);
	assert_int_equal(frame_build(NULL, FRAME_ETHERNET, &d, bytes, 62), 62);
	d.len = DGRAM_MAX + 1;
	assert_int_equal(
		frame_build(NULL, FRAME_ETHERNET, &d, bytes, FRAME_LAB_SIZE),
		ERR_SPACE);
	d = frame_lab_sample(false, 0);
	d.dst = frame_lab_sample(true, 0).dst;
	assert_int_equal(
		frame_build(NULL, FRAME_RAW_IP, &d, bytes, FRAME_LAB_SIZE),
		ERR_VALUE);
	d.src.len = d.dst.len = 0;
	assert_int_equal(
		frame_build(NULL, FRAME_RAW_IP, &d, bytes, FRAME_LAB_SIZE),
		ERR_VALUE);
}

/* The sum of all words with the checksum among them is 0xffff (RFC 1071). */
static uint32_t folded(uint32_t sum, const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		sum += (uint32_t)p[i] << (i % 2 ? 0 : 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static void check_mended(const struct dgram *d, enum frame_link link,
			 uint8_t *p, size_t n)
{
	const size_t ip = link == FRAME_ETHERNET ? frame_eth_len : 0;
	const bool v4 = d->src.len == 4;
	const size_t shim = ip + (v4 ? frame_ipv4_len : frame_ipv6_len);
	struct frame_info info;
	struct dgram back;

	if (!d->native)
		p[shim + 6] = 0x12; /* a wrong checksum */
	assert_int_equal(frame_lab_parse(link, p, n, &back, &info), FRAME_OK);
	p[ip + (v4 ? 8 : 7)] = 3; /* TTL */
	p[info.at] ^= 0xff;
	frame_mend(&info, p);
	if (v4)
		assert_int_equal(folded(0, p + ip, frame_ipv4_len), 0xffff);
	if (!d->native)
		assert_int_equal(
			folded(folded(17 + (uint32_t)(n - shim),
				      p + ip + (v4 ? 12 : 8), v4 ? 8 : 32),
			       p + shim, n - shim),
			0xffff);
}

/* A UDP checksum of 0 stays 0: it means that there is none. */
static void checksums_are_mended(void **state)
{
	struct dgram d = frame_lab_sample(false, 0), back;
	struct frame_info info;
	uint8_t p[FRAME_LAB_SIZE];
	size_t n = frame_lab_build(&d, FRAME_ETHERNET, p);

	(void)state;
	frame_lab_each_form(check_mended);
	assert_int_equal(frame_lab_parse(FRAME_ETHERNET, p, n, &back, &info),
			 FRAME_OK);
	p[info.at] ^= 1;
	frame_mend(&info, p);
	assert_int_equal(bits_get(p + info.at - 2, 0, 16), 0);
}

/* A datagram wrapped in its own headers gives its original frame. */
static void check_wrapped(const struct dgram *d, enum frame_link link,
			  uint8_t *p, size_t n)
{
	uint8_t again[FRAME_LAB_SIZE];
	struct dgram other = *d, back;
	struct frame_info info;
	int len;

	assert_int_equal(frame_lab_parse(link, p, n, &back, &info), FRAME_OK);
	len = frame_wrap(NULL, link, p, info.at, d, again, sizeof(again));
	assert_int_equal(len, n);
	assert_memory_equal(again, p, n);
	other.src = d->dst; /* a datagram that differs in every field */
	other.dst = d->src;
	other.entropy = 7;
	other.dscp = 3;
	other.ecn = ECN_ECT1;
	other.len = 5;
	len = frame_wrap(NULL, link, p, info.at, &other, again, sizeof(again));
	assert_int_equal(len, n - d->len + 5);
	assert_int_equal(
		frame_lab_parse(link, again, (size_t)len, &back, &info),
		FRAME_OK);
	frame_lab_check_same(&back, &other);
	if (link == FRAME_ETHERNET)
		assert_memory_equal(again, p + 6, 6);
	if (link == FRAME_ETHERNET)
		assert_memory_equal(again + 6, p, 6);
	other.padding = 6; /* values that frame_build writes only on request */
	other.udp_checksum = 0x1234;
	len = frame_wrap(NULL, link, p, info.at, &other, again, sizeof(again));
	assert_int_equal(len, n - d->len + 5 + 6);
	if (!d->native)
		assert_int_equal(bits_get(again + info.at - 2, 0, 16), 0x1234);
	assert_int_not_equal(again[len - 1], 0);
	assert_int_equal(
		frame_lab_parse(link, again, (size_t)len, &back, &info),
		FRAME_OK);
	assert_int_equal(back.len, 5);
	assert_int_equal(frame_wrap(NULL, link, p, info.at, &other, again, 20),
			 ERR_SPACE);
	assert_int_equal(frame_wrap(NULL, link, p, info.at - 1, &other, again,
				    sizeof(again)),
			 ERR_VALUE);
}

static void datagrams_go_into_other_headers(void **state)
{
	(void)state;
	frame_lab_each_form(check_wrapped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(built_frames_are_plain),
		cmocka_unit_test(what_cannot_be_built_is_refused),
		cmocka_unit_test(checksums_are_mended),
		cmocka_unit_test(extension_headers_are_built),
		cmocka_unit_test(fragment_header_is_built),
		cmocka_unit_test(datagrams_go_into_other_headers),
	};

	return cmocka_run_group_tests_name("wire.frame_build", tests, NULL,
					   NULL);
}
