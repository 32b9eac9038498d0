/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/crc_test.c -- tests the CRC against a slow reference, and the
 * bytes that it covers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "wire/frame/crc.h"

/* Computes bit by bit with the reflected Castagnoli polynomial. */
static uint32_t slow_crc32c(uint32_t crc, const uint8_t *p, size_t len)
{
	crc = ~crc;
	for (size_t i = 0; i < len; i++) {
		crc ^= p[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

static void the_check_value_is_right(void **state)
{
	(void)state;
	assert_int_equal(crc32c(0, (const uint8_t *)"123456789", 9),
			 0xe3069283);
	assert_int_equal(crc32c(0, NULL, 0), 0);
	assert_int_equal(crc32c(0x1234, NULL, 0), 0x1234);
}

static void any_cut_gives_the_same(void **state)
{
	struct rng r = {1};
	uint8_t bytes[300]; /* long buffers use ISA-L */

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)rng_next(&r);
	for (size_t n = 0; n <= sizeof(bytes); n++)
		for (size_t cut = 0; cut <= n; cut += 7) {
			const uint32_t want = slow_crc32c(0, bytes, n);

			assert_int_equal(crc32c(crc32c(0, bytes, cut),
						bytes + cut, n - cut),
					 want);
		}
}

static size_t crc_test_put16(uint8_t *p, size_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
	return 2;
}

/* Concatenates the bytes that a sum covers. */
static size_t spelled(const struct dgram *d, const uint8_t *p, size_t len,
		      uint8_t *ret)
{
	size_t n = 0;

	memcpy(ret, d->src.b, d->src.len);
	n += d->src.len;
	memcpy(ret + n, d->dst.b, d->dst.len);
	n += d->dst.len;
	n += crc_test_put16(ret + n, d->entropy);
	if (!d->native) {
		n += crc_test_put16(ret + n, UET_UDP_PORT);
		n += crc_test_put16(ret + n, 8 + len + CRC_LEN);
	}
	n += crc_test_put16(ret + n, 0); /* a UDP checksum, or reserved bytes */
	memcpy(ret + n, p, len);
	return n + len;
}

static void a_sum_is_over_the_bytes_in_their_order(void **state)
{
	static const uint8_t lens[] = {0, 4, 16};
	uint8_t bytes[300], all[400];
	struct rng r = {2};
	struct dgram d;

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)rng_next(&r);
	for (unsigned kind = 0; kind < 6; kind++) {
		memset(&d, 0, offsetof(struct dgram, data));
		ip_addr_set(&d.src, bytes + 7, lens[kind / 2]);
		ip_addr_set(&d.dst, bytes + 70, lens[kind / 2]);
		d.entropy = 0xb41c;
		d.native = kind % 2;
		for (size_t n = 0; n <= sizeof(bytes); n++)
			assert_int_equal(
				crc_sum(&d, bytes, n),
				slow_crc32c(0, all,
					    spelled(&d, bytes, n, all)));
	}
}

static void a_sum_and_its_tail_are_read_at_once(void **state)
{
	/* some of them share an entry of crc_shifts */
	static const size_t lens[] = {0,   1,    7,    8,    9,    64,   255,
				      256, 1023, 1024, 4173, 9984, 10000};
	static uint8_t bytes[DGRAM_MAX];
	struct rng r = {3};
	struct dgram d = {.src = ip_addr_v4(0xc0000211),
			  .dst = ip_addr_v4(0xc6336422),
			  .entropy = 0xb41c};
	struct crc_shifts shifts = {{0}, {0}};
	struct crc_tail tail;

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)rng_next(&r);
	for (size_t at = 0; at <= 256; at += 4)
		for (size_t i = 0; i < sizeof(lens) / sizeof(*lens); i++) {
			const size_t len = at + lens[i];

			if (len + CRC_LEN > sizeof(bytes))
				continue;
			assert_int_equal(crc_sum_tail(&shifts, &d, bytes, len,
						      at, &tail),
					 crc_sum(&d, bytes, len));
			assert_int_equal(tail.sum,
					 crc32c(0, bytes + at, lens[i]));
			assert_int_equal(tail.more, crc32c(0, bytes + at,
							   lens[i] + CRC_LEN));
		}
}

static struct dgram crc_test_sample(uint8_t native)
{
	struct dgram d = {
		.src = ip_addr_v4(0xc0000211),
		.dst = ip_addr_v4(0xc6336422),
		.entropy = 0xb41c,
		.dscp = 46,
		.ecn = ECN_ECT0,
		.native = native,
		.len = 9,
	};

	memcpy(d.data, "123456789", 9);
	return d;
}

/* Writes the covered bytes by hand. */
static void it_covers_addresses_ports_and_data(void **state)
{
	static const uint8_t udp[] = {
		192,  0,    2,    17,  198,       51,  100, 34,  0xb4,
		0x1c, 0x12, 0xb9, 0,   8 + 9 + 4, 0,   0,   '1', '2',
		'3',  '4',  '5',  '6', '7',       '8', '9'};
	static const uint8_t native[] = {192, 0,    2,    17,  198, 51,  100,
					 34,  0xb4, 0x1c, 0,   0,   '1', '2',
					 '3', '4',  '5',  '6', '7', '8', '9'};
	struct dgram d = crc_test_sample(0);

	(void)state;
	assert_int_equal(crc_of(&d, d.len), slow_crc32c(0, udp, sizeof(udp)));
	d = crc_test_sample(1);
	assert_int_equal(crc_of(&d, d.len),
			 slow_crc32c(0, native, sizeof(native)));
}

static void either_order_is_checked(void **state)
{
	(void)state;
	for (int order = CRC_LE; order <= CRC_BE; order++) {
		struct dgram d = crc_test_sample(0);

		assert_int_equal(crc_append(&d, (enum crc_order)order), 0);
		assert_int_equal(d.len, 9 + CRC_LEN);
		assert_true(crc_check(&d, (enum crc_order)order));
		assert_false(crc_check(&d, order == CRC_LE ? CRC_BE : CRC_LE));
	}
}

/* Bits that a router may change are not covered; all others are. */
static void any_covered_bit_is_noticed(void **state)
{
	struct dgram d = crc_test_sample(0);

	(void)state;
	crc_append(&d, CRC_LE);
	for (size_t bit = 0; bit < d.len * 8; bit++) {
		d.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
		assert_false(crc_check(&d, CRC_LE));
		d.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	d.entropy ^= 1;
	assert_false(crc_check(&d, CRC_LE));
	d.entropy ^= 1;
	d.dst.b[3] ^= 1;
	assert_false(crc_check(&d, CRC_LE));
	d.dst.b[3] ^= 1;
	d.native = 1;
	assert_false(crc_check(&d, CRC_LE));
	d.native = 0;
	d.ecn = ECN_CE;
	d.dscp = 0;
	assert_true(crc_check(&d, CRC_LE));
}

static void too_short_and_too_long(void **state)
{
	struct dgram d = crc_test_sample(0);

	(void)state;
	d.len = 3;
	assert_false(crc_check(&d, CRC_LE));
	d.len = 0;
	assert_int_equal(crc_append(&d, CRC_LE), 0);
	assert_true(crc_check(&d, CRC_LE));
	d.len = DGRAM_MAX - 3;
	assert_int_equal(crc_append(&d, CRC_LE), ERR_SPACE);
	assert_int_equal(d.len, DGRAM_MAX - 3);
	d.len = DGRAM_MAX - 4;
	assert_int_equal(crc_append(&d, CRC_LE), 0);
}

static void sealed_as_it_says(void **state)
{
	static const enum dgram_crc kinds[] = {
		DGRAM_CRC_RIGHT,
		DGRAM_CRC_SWAPPED,
		DGRAM_CRC_WRONG,
	};

	(void)state;
	for (uint8_t native = 0; native < 2; native++) {
		for (unsigned i = 0; i < 3; i++) {
			const struct dgram plain = crc_test_sample(native);
			struct dgram d = plain;
			const bool wrong = kinds[i] == DGRAM_CRC_WRONG;

			d.crc = (uint8_t)kinds[i];
			assert_int_equal(crc_seal(&d, CRC_BE), 0);
			assert_int_equal(d.len, plain.len + CRC_LEN);
			crc_open(&d, CRC_BE, ICRC_SOCK);
			assert_int_equal(d.crc, kinds[i]);
			assert_int_equal(d.len,
					 plain.len + (wrong ? CRC_LEN : 0));
		}
	}
}

/* A trailer in the other byte order is never a right one. */
static void swapped_is_never_right(void **state)
{
	struct dgram plain = crc_test_sample(0);
	struct dgram d;
	uint32_t i = 0;

	(void)state;
	do {
		plain.data[0] = (uint8_t)i;
		plain.data[1] = (uint8_t)(i >> 8);
		plain.data[2] = (uint8_t)(i >> 16);
		d = plain;
		assert_int_equal(crc_append(&d, CRC_LE), 0);
		assert_true(++i < 1 << 24);
	} while (d.data[plain.len] != d.data[plain.len + 3] ||
		 d.data[plain.len + 1] != d.data[plain.len + 2]);
	d = plain;
	d.crc = DGRAM_CRC_SWAPPED;
	assert_int_equal(crc_seal(&d, CRC_LE), 0);
	assert_false(crc_check(&d, CRC_LE));
	crc_open(&d, CRC_LE, ICRC_SOCK);
	assert_int_equal(d.crc, DGRAM_CRC_WRONG);
}

static void nothing_to_seal(void **state)
{
	struct dgram d = crc_test_sample(0);
	const size_t len = d.len;

	(void)state;
	d.crc = DGRAM_CRC_NONE;
	assert_int_equal(crc_seal(&d, CRC_LE), 0);
	assert_int_equal(d.len, len);
	crc_open(&d, CRC_LE, ICRC_SOCK);
	assert_int_equal(d.crc, DGRAM_CRC_WRONG);
	assert_int_equal(d.len, len);
	d.len = 2;
	crc_open(&d, CRC_LE, ICRC_SOCK);
	assert_int_equal(d.crc, DGRAM_CRC_WRONG);
	assert_int_equal(d.len, 2);
}

/*
 * The IP header of a NIC has an id, that of a socket has none (srd_wqe.md
 * A.4.7).
 */
static void icrc_as_it_is_asked_for(void **state)
{
	static const struct icrc_ip card = {.id = 0x1234, .df = false};
	static const struct {
		enum icrc_mode mode;
		bool headers; /* the receiver saw the outer headers */
		enum dgram_crc want;
	} looks[] = {
		{ICRC_SOCK, true, DGRAM_CRC_WRONG},
		{ICRC_STRICT, true, DGRAM_CRC_RIGHT},
		{ICRC_STRICT, false, DGRAM_CRC_WRONG},
		{ICRC_OFF, false, DGRAM_CRC_RIGHT},
	};
	struct dgram d = {
		.src = ip_addr_v4(0x0a000001),
		.dst = ip_addr_v4(0x0a000002),
		.family = FAMILY_SRD,
		.ip_id = 0x1234,
		.no_df = 1,
		.len = 44,
	};

	(void)state;
	assert_int_equal(icrc_append(&d, family_port(FAMILY_SRD), &card), 0);
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		d.len = 44 + ICRC_LEN;
		d.headers = looks[i].headers;
		crc_open(&d, CRC_LE, looks[i].mode);
		assert_int_equal(d.crc, looks[i].want);
		assert_int_equal(d.len, looks[i].want == DGRAM_CRC_RIGHT
						? 44
						: 44 + ICRC_LEN);
	}
	d.len = 3;
	crc_open(&d, CRC_LE, ICRC_OFF);
	assert_int_equal(d.crc, DGRAM_CRC_WRONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_check_value_is_right),
		cmocka_unit_test(any_cut_gives_the_same),
		cmocka_unit_test(a_sum_is_over_the_bytes_in_their_order),
		cmocka_unit_test(a_sum_and_its_tail_are_read_at_once),
		cmocka_unit_test(it_covers_addresses_ports_and_data),
		cmocka_unit_test(either_order_is_checked),
		cmocka_unit_test(any_covered_bit_is_noticed),
		cmocka_unit_test(too_short_and_too_long),
		cmocka_unit_test(sealed_as_it_says),
		cmocka_unit_test(swapped_is_never_right),
		cmocka_unit_test(nothing_to_seal),
		cmocka_unit_test(icrc_as_it_is_asked_for),
	};

	return cmocka_run_group_tests_name("wire.crc", tests, NULL, NULL);
}
