/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/frame_lab_test.h -- sample frames for the tests of this folder.
 */
#ifndef WIRE_FRAME_FRAME_LAB_TEST_H
#define WIRE_FRAME_FRAME_LAB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/frame/frame.h"
#include "wire/frame/frame_build.h"

#define FRAME_LAB_SIZE 512

static inline struct dgram frame_lab_sample(bool v6, uint8_t native)
{
	static const char *const text[2][2] = {
		{"192.0.2.17", "198.51.100.34"},
		{"2001:db8:a::a1", "2001:db8:b::b2"},
	};
	struct dgram d = {.entropy = 0xb41c,
			  .dscp = 46,
			  .ecn = ECN_CE,
			  .native = native,
			  .len = 20};

	assert_int_equal(
		ip_addr_parse(&d.src, text[v6][0], strlen(text[v6][0])), 0);
	assert_int_equal(
		ip_addr_parse(&d.dst, text[v6][1], strlen(text[v6][1])), 0);
	for (uint8_t i = 0; i < d.len; i++)
		d.data[i] = i;
	return d;
}

static inline size_t frame_lab_build(const struct dgram *d,
				     enum frame_link link, uint8_t *p)
{
	int n = frame_build(NULL, link, d, p, FRAME_LAB_SIZE);

	assert_true(n > 0);
	return (size_t)n;
}

static inline enum frame_fault frame_lab_parse(enum frame_link link,
					       const uint8_t *p, size_t n,
					       struct dgram *d,
					       struct frame_info *info)
{
	enum frame_fault fault;
	/* exact size, so that ASan sees an overrun */
	uint8_t *exact = malloc(n ? n : 1);

	assert_non_null(exact);
	memcpy(exact, p, n);
	memset(d, 0xa5, sizeof(*d));
	memset(info, 0xa5, sizeof(*info));
	fault = frame_parse(NULL, link, exact, n, d, info);
	free(exact);
	assert_int_equal(info->fault, fault);
	return fault;
}

static inline void frame_lab_check_same(const struct dgram *a,
					const struct dgram *b)
{
	assert_true(ip_addr_equal(&a->src, &b->src));
	assert_true(ip_addr_equal(&a->dst, &b->dst));
	assert_int_equal(a->entropy, b->entropy);
	assert_int_equal(a->dscp, b->dscp);
	assert_int_equal(a->ecn, b->ecn);
	assert_int_equal(a->native, b->native);
	assert_int_equal(a->len, b->len);
	assert_memory_equal(a->data, b->data, a->len);
}

/* Runs a check on the eight forms of a frame. */
static inline void frame_lab_each_form(void (*check)(const struct dgram *d,
						     enum frame_link link,
						     uint8_t *p, size_t n))
{
	static const enum frame_link links[] = {FRAME_ETHERNET, FRAME_RAW_IP};

	for (unsigned form = 0; form < 8; form++) {
		struct dgram d = frame_lab_sample(form & 1, form >> 1 & 1);
		uint8_t bytes[FRAME_LAB_SIZE] = {0};

		check(&d, links[form >> 2], bytes,
		      frame_lab_build(&d, links[form >> 2], bytes));
	}
}

#endif
