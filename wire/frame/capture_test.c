/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/capture_test.c -- tests capture files read as a whole, in pieces
 * and corrupted.
 */
#include "wire/frame/capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"

#define ROOM 4096

/* A file under construction; |big|: in big-endian byte order. */
struct file {
	uint8_t b[ROOM];
	size_t n, block;
	bool big;
};

static void capture_test_put16(struct file *f, uint16_t v)
{
	if (f->big)
		v = __builtin_bswap16(v);
	memcpy(f->b + f->n, &v, 2);
	f->n += 2;
}

static void capture_test_put32(struct file *f, uint32_t v)
{
	if (f->big)
		v = __builtin_bswap32(v);
	memcpy(f->b + f->n, &v, 4);
	f->n += 4;
}

static void open_block(struct file *f, uint32_t type)
{
	f->block = f->n;
	capture_test_put32(f, type);
	capture_test_put32(f, 0);
}

static void capture_test_close_block(struct file *f)
{
	const size_t end = f->n;
	const uint32_t len = (uint32_t)(end + 4 - f->block);

	capture_test_put32(f, len);
	f->n = f->block + 4;
	capture_test_put32(f, len);
	f->n = end + 4;
}

static void capture_test_option(struct file *f, uint16_t code, const void *p,
				uint16_t len)
{
	capture_test_put16(f, code);
	capture_test_put16(f, len);
	memset(f->b + f->n, 0, (len + 3u) & ~3u);
	memcpy(f->b + f->n, p, len);
	f->n += (len + 3u) & ~3u;
}

static void capture_test_section(struct file *f, const char *application)
{
	open_block(f, 0x0a0d0d0a);
	capture_test_put32(f, 0x1a2b3c4d);
	capture_test_put16(f, 1);
	capture_test_put16(f, 0);
	capture_test_put32(f, UINT32_MAX);
	capture_test_put32(f, UINT32_MAX);
	capture_test_option(f, 4, application, (uint16_t)strlen(application));
	capture_test_put32(f, 0);
	capture_test_close_block(f);
}

static void capture_test_interface(struct file *f, uint16_t link,
				   uint8_t resolution)
{
	open_block(f, 1);
	capture_test_put16(f, link);
	capture_test_put16(f, 0);
	capture_test_put32(f, 0);
	capture_test_option(f, 9, &resolution, 1);
	capture_test_put32(f, 0);
	capture_test_close_block(f);
}

static void capture_test_packet(struct file *f, uint32_t iface, uint64_t ticks,
				const char *bytes, const char *comment)
{
	const uint32_t len = (uint32_t)strlen(bytes);
	uint32_t flags = f->big ? 0x02000000 : 2;

	open_block(f, 6);
	capture_test_put32(f, iface);
	capture_test_put32(f, (uint32_t)(ticks >> 32));
	capture_test_put32(f, (uint32_t)ticks);
	capture_test_put32(f, len);
	capture_test_put32(f, len + 10);
	memset(f->b + f->n, 0, (len + 3u) & ~3u);
	memcpy(f->b + f->n, bytes, len);
	f->n += (len + 3u) & ~3u;
	if (comment) {
		capture_test_option(f, 1, comment, (uint16_t)strlen(comment));
		capture_test_option(f, 2, &flags, 4);
		capture_test_put32(f, 0);
	}
	capture_test_close_block(f);
}

static void drops(struct file *f, uint32_t iface, uint32_t n)
{
	uint32_t value[2] = {n, 0};

	if (f->big) {
		value[0] = 0;
		value[1] = __builtin_bswap32(n);
	}
	open_block(f, 5);
	capture_test_put32(f, iface);
	capture_test_put32(f, 0);
	capture_test_put32(f, 0);
	capture_test_option(f, 5, value, 8);
	capture_test_put32(f, 0);
	capture_test_close_block(f);
}

static struct file capture_test_sample(bool big)
{
	static struct file f;

	f = (struct file){.big = big};
	capture_test_section(&f, "rung 0.1.0");
	capture_test_interface(&f, FRAME_ETHERNET, 9);
	capture_test_interface(&f, FRAME_RAW_IP, 0x80 | 10);
	capture_test_packet(&f, 0, 5000000123, "first", "a comment");
	open_block(&f, 77); /* an unknown block type */
	capture_test_put32(&f, 1);
	capture_test_close_block(&f);
	capture_test_packet(&f, 1, 6 * 1024 + 512, "second one", NULL);
	drops(&f, 0, 3);
	drops(&f, 0, 4);
	return f;
}

static struct capture *reader(const struct file *f)
{
	struct capture *c;

	assert_int_equal(capture_new(&c), 0);
	capture_feed(c, f->b, f->n, true);
	return c;
}

static void a_file_in_either_order(void **state)
{
	struct capture_packet p;

	(void)state;
	for (int big = 0; big < 2; big++) {
		const struct file f = capture_test_sample(big);
		struct capture *c = reader(&f);

		assert_int_equal(capture_next(c, &p), 1);
		assert_int_equal(p.at, 5000000123);
		assert_int_equal(p.len, 5);
		assert_int_equal(p.orig, 15);
		assert_memory_equal(p.p, "first", 5);
		assert_int_equal(p.link, FRAME_ETHERNET);
		assert_int_equal(p.direction, CAPTURE_OUTBOUND);
		assert_int_equal(p.comment_len, 9);
		assert_memory_equal(p.comment, "a comment", 9);
		assert_int_equal(capture_next(c, &p), 1);
		assert_int_equal(p.at, 6500 * VSPAN_MS);
		assert_int_equal(p.link, FRAME_RAW_IP);
		assert_int_equal(p.iface, 1);
		assert_null(p.comment);
		assert_int_equal(p.direction, 0);
		assert_int_equal(capture_next(c, &p), 0);
		assert_int_equal(capture_rest(c), 0);
		assert_true(capture_info(c)->ng && capture_info(c)->ours);
		assert_int_equal(capture_info(c)->packets, 2);
		assert_int_equal(capture_info(c)->dropped, 4);
		assert_int_equal(capture_info(c)->backward, 0);
		assert_string_equal(capture_error(c), "");
		capture_free(c);
	}
}

static void pcap(struct file *f, uint32_t magic)
{
	capture_test_put32(f, magic);
	capture_test_put16(f, 2);
	capture_test_put16(f, 4);
	capture_test_put32(f, 0);
	capture_test_put32(f, 0);
	capture_test_put32(f, 65535);
	capture_test_put32(f, FRAME_LINUX_SLL);
	for (uint32_t i = 0; i < 2; i++) {
		capture_test_put32(f, 9 - i);
		capture_test_put32(f, 7);
		capture_test_put32(f, 3);
		capture_test_put32(f, 99);
		memcpy(f->b + f->n, "abc", 3);
		f->n += 3;
	}
}

static void old_files_too(void **state)
{
	static const uint32_t magics[] = {0xa1b2c3d4, 0xa1b23c4d};
	struct capture_packet p;

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct file f = {.big = i & 1};
		struct capture *c;

		pcap(&f, magics[i / 2]);
		c = reader(&f);
		assert_int_equal(capture_next(c, &p), 1);
		assert_int_equal(p.at, 9 * VSPAN_S + (i / 2 ? 7 : 7000));
		assert_int_equal(p.link, FRAME_LINUX_SLL);
		assert_int_equal(p.len, 3);
		assert_int_equal(p.orig, 99);
		assert_int_equal(capture_next(c, &p), 1);
		assert_int_equal(p.offset, 24 + 19);
		assert_int_equal(capture_next(c, &p), 0);
		assert_int_equal(capture_info(c)->backward, 1);
		assert_false(capture_info(c)->ng);
		capture_free(c);
	}
}

/*
 * Windows of any size give the same packets if they grow when the reader asks.
 */
static void capture_test_in_pieces(void **state)
{
	const struct file f = capture_test_sample(false);
	struct capture_packet p;

	(void)state;
	for (size_t step = 1; step < f.n; step += 3) {
		size_t at = 0, end = 0, packets = 0;
		struct capture *c;
		int n = 0;

		assert_int_equal(capture_new(&c), 0);
		while (end < f.n) {
			if (end + step < f.n)
				end = end + step;
			else
				end = f.n;
			capture_feed(c, f.b + at, end - at, end == f.n);
			while ((n = capture_next(c, &p)) > 0)
				packets++;
			assert_int_equal(n, 0);
			at = end - capture_rest(c);
		}
		assert_int_equal(packets, 2);
		assert_int_equal(at, f.n);
		assert_int_equal(p.offset < f.n, 1);
		capture_free(c);
	}
}

static void bad(struct file *f, int err, const char *why)
{
	struct capture *c = reader(f);
	struct capture_packet p;
	int n;

	while ((n = capture_next(c, &p)) > 0)
		;
	assert_int_equal(n, err);
	assert_string_equal(capture_error(c), why);
	assert_int_equal(capture_next(c, &p), err);
	capture_free(c);
}

static void lies_are_told_with_their_place(void **state)
{
	struct file f = {.n = 0}, good = capture_test_sample(false);
	uint32_t v;

	(void)state;
	bad(&f, ERR_SYNTAX, "byte 0: an empty file");
	memcpy(f.b, "GET / HTTP/1.0\r\n\r\n and so on", 28);
	f.n = 28;
	bad(&f, ERR_SYNTAX,
	    "byte 0: neither pcap nor pcapng: the file begins with 0x20544547");
	f = good;
	f.n -= 5;
	bad(&f, ERR_SHORT,
	    "byte 280: the file ends inside a block: 35 of 40 bytes are there");
	f = good;
	v = 43;
	memcpy(f.b + 48 + 4, &v, 4);
	bad(&f, ERR_SYNTAX, "byte 48: block length 43 cannot be");
	v = 0x40000000;
	memcpy(f.b + 48 + 4, &v, 4);
	bad(&f, ERR_SYNTAX, "byte 48: a block of 1073741824 bytes");
	v = 36;
	memcpy(f.b + 48 + 4, &v, 4);
	bad(&f, ERR_SYNTAX,
	    "byte 48: block length 36 at the start, 1 at the end");
	f = good;
	v = 9;
	memcpy(f.b + 112 + 8, &v, 4);
	bad(&f, ERR_SYNTAX, "byte 112: interface 9 is not described");
	f = good;
	v = 4000;
	memcpy(f.b + 112 + 20, &v, 4);
	bad(&f, ERR_SYNTAX,
	    "byte 112: 4000 bytes of a packet in a block of 68");
	f = (struct file){0};
	pcap(&f, 0xa1b2c3d4);
	v = 0x7fffffff;
	memcpy(f.b + 24 + 8, &v, 4);
	bad(&f, ERR_SYNTAX, "byte 24: a packet of 2147483647 bytes");
}

static void times_beyond_all_time(void **state)
{
	struct capture_packet p;

	(void)state;
	for (unsigned res = 0; res < 256; res++) {
		struct file f = {0};
		struct capture *c;

		capture_test_section(&f, "x");
		capture_test_interface(&f, 1, (uint8_t)res);
		capture_test_packet(&f, 0, UINT64_MAX, "a", NULL);
		capture_test_packet(&f, 0, 0, "b", NULL);
		c = reader(&f);
		assert_int_equal(capture_next(c, &p), 1);
		assert_true(p.at >= 0 && p.at < VTIME_NEVER);
		assert_int_equal(capture_next(c, &p), 1);
		assert_int_equal(p.at, 0);
		capture_free(c);
	}
}

/*
 * With corrupted bytes the reader returns packets or an error, within bounds.
 */
static void bent(void **state)
{
	struct rng rng = {6};

	(void)state;
	for (int round = 0; round < 20000; round++) {
		const struct file f = capture_test_sample(round & 1);
		const size_t n = rng_below(&rng, (uint32_t)f.n + 1);
		uint8_t *exact = malloc(n ? n : 1);
		struct capture_packet p;
		struct capture *c;

		memcpy(exact, f.b, n);
		for (unsigned k = rng_below(&rng, 4); n && k; k--)
			exact[rng_below(&rng, (uint32_t)n)] =
				(uint8_t)rng_below(&rng, 256);
		assert_int_equal(capture_new(&c), 0);
		capture_feed(c, exact, n, true);
		while (capture_next(c, &p) > 0)
			assert_true(p.p >= exact && p.p + p.len <= exact + n &&
				    p.at >= 0);
		capture_free(c);
		free(exact);
	}
}

/* Skipping a file gives the same capture_info as reading it. */
static void check_skimmed(const uint8_t *p, size_t n)
{
	struct capture *read, *skimmed;
	struct capture_packet packet;
	int last;

	assert_int_equal(capture_new(&read), 0);
	assert_int_equal(capture_new(&skimmed), 0);
	capture_feed(read, p, n, true);
	capture_feed(skimmed, p, n, true);
	while ((last = capture_next(read, &packet)) > 0)
		;
	assert_int_equal(capture_skim(skimmed), last);
	assert_memory_equal(capture_info(skimmed), capture_info(read),
			    sizeof(struct capture_info));
	assert_string_equal(capture_error(skimmed), capture_error(read));
	assert_int_equal(capture_rest(skimmed), capture_rest(read));
	capture_free(read);
	capture_free(skimmed);
}

/* Packets read in batches are the same as one by one. */
static void check_some(const uint8_t *p, size_t n)
{
	struct capture_packet one, some[3];
	struct capture *a, *b;
	int got, left;

	assert_int_equal(capture_new(&a), 0);
	assert_int_equal(capture_new(&b), 0);
	capture_feed(a, p, n, true);
	capture_feed(b, p, n, true);
	while ((got = capture_some(b, some, 3)) > 0)
		for (left = 0; left < got; left++) {
			assert_int_equal(capture_next(a, &one), 1);
			assert_ptr_equal(one.p, some[left].p);
			assert_int_equal(one.len, some[left].len);
			assert_int_equal(one.orig, some[left].orig);
			assert_int_equal(one.at, some[left].at);
			assert_int_equal(one.link, some[left].link);
			assert_int_equal(one.offset, some[left].offset);
			assert_ptr_equal(one.comment, some[left].comment);
		}
	assert_int_equal(capture_next(a, &one), got);
	assert_memory_equal(capture_info(a), capture_info(b),
			    sizeof(struct capture_info));
	assert_string_equal(capture_error(a), capture_error(b));
	assert_int_equal(capture_rest(a), capture_rest(b));
	capture_free(a);
	capture_free(b);
}

static void passed_over_as_read(void **state)
{
	struct rng rng = {7};

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct file f = {.big = round & 1};

		if (round & 2)
			f = capture_test_sample(round & 1);
		else
			pcap(&f, 0xa1b23c4d);
		for (unsigned k = rng_below(&rng, 4); k; k--)
			f.b[rng_below(&rng, (uint32_t)f.n)] =
				(uint8_t)rng_below(&rng, 256);
		f.n -= rng_below(&rng, 3) % f.n;
		check_skimmed(f.b, f.n);
		check_some(f.b, f.n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passed_over_as_read),
		cmocka_unit_test(a_file_in_either_order),
		cmocka_unit_test(old_files_too),
		cmocka_unit_test(capture_test_in_pieces),
		cmocka_unit_test(lies_are_told_with_their_place),
		cmocka_unit_test(times_beyond_all_time),
		cmocka_unit_test(bent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
