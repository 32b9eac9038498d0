/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/copies_test.c -- what is a copy, and what only looks like one.
 */
#include "judge/copies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/crc.h"
#include "wire/uet_pds.h"

static struct dgram head(void)
{
	struct dgram d;

	memset(&d, 0, offsetof(struct dgram, data));
	d.src = ip_addr_v4(0x0a000001);
	d.dst = ip_addr_v4(0x0a000002);
	d.entropy = 51000;
	return d;
}

static bool has(struct copies *c, const uint8_t *p, size_t len, vtime at)
{
	const struct dgram d = head();

	return copies_has(c, p, len, crc_sum(&d, p, len - CRC_LEN), at);
}

static void request(uint8_t *p, size_t len, uint32_t psn)
{
	const struct pds_req h = {.type = PDS_RUD_REQ, .psn = psn};

	memset(p, 0x5a, len);
	pds_req_put(&h, p);
}

static void the_same_at_once(void **state)
{
	struct copies c = {0};
	uint8_t p[64];

	(void)state;
	request(p, sizeof(p), 333);
	assert_false(has(&c, p, sizeof(p), 1 * VSPAN_S));
	assert_true(has(&c, p, sizeof(p), 1 * VSPAN_S + 10));
	assert_false(has(&c, p, sizeof(p), 2 * VSPAN_S));
	assert_false(has(&c, p, sizeof(p) - 1, 2 * VSPAN_S));
	p[sizeof(p) - 1] ^= 1; /* the sum is not over it */
	assert_false(has(&c, p, sizeof(p), 2 * VSPAN_S));
}

static void answers_may_be_equal(void **state)
{
	const struct pds_ack h = {.type = PDS_ACK, .cack_psn = 333};
	struct copies c = {0};
	uint8_t p[pds_ack_len] = {0};

	(void)state;
	pds_ack_put(&h, p);
	for (int i = 0; i < 3; i++)
		assert_false(has(&c, p, sizeof(p), VSPAN_S));
}

/* A multiple of the polynomial changes the PSN, and not the CRC. */
static void the_same_hash_is_not_the_same_packet(void **state)
{
	const uint64_t poly = (uint64_t)0x82f63b78 << 1 | 1;
	struct copies c = {0};
	uint8_t p[64], q[64];

	(void)state;
	request(p, sizeof(p), 333);
	memcpy(q, p, sizeof(q));
	for (unsigned i = 0; i < 5; i++)
		q[4 + i] ^= (uint8_t)(poly >> 8 * i);
	assert_int_equal(crc32c(0, p, sizeof(p)), crc32c(0, q, sizeof(q)));
	assert_false(has(&c, p, sizeof(p), VSPAN_S));
	assert_false(has(&c, q, sizeof(q), VSPAN_S));
	assert_true(has(&c, q, sizeof(q), VSPAN_S));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_at_once),
		cmocka_unit_test(answers_may_be_equal),
		cmocka_unit_test(the_same_hash_is_not_the_same_packet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
