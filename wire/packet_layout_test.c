/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_layout_test.c -- tests that fields read by a remembered layout
 * are those that packet_value finds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "wire/packet_layout.h"

#define PACKETS 20000
#define LEN     96

/* Fields of all formats, a derived value, and a name that no packet has. */
static const char *const names[] = {
	"psn",      "ack_psn", "sack_psn",   "clear_psn", "syn",
	"opcode",   "som",     "message_id", "nack_code", "return_code",
	"ctl_type", "wqe_sn",  "rkey",       "nothing",
};

#define NAMES (sizeof(names) / sizeof(names[0]))

static void packet_values_are_right(struct packet_layouts *known,
				    const struct packet *pkt)
{
	uint64_t got[NAMES], want;
	const uint64_t has = packet_values(known, names, NAMES, pkt, got);

	for (unsigned i = 0; i < NAMES; i++) {
		want = 0;
		assert_int_equal(has >> i & 1,
				 packet_value(pkt, names[i], &want));
		assert_int_equal(got[i], want);
	}
}

/* packet_value gives the same with the known values and without them. */
#define KNOWN(name)                                          \
	assert_int_equal(packet_value(pkt, #name, &want),    \
			 packet_value(&again, #name, &got)); \
	if (packet_knows(&known, KNOWN_##name))              \
		assert_int_equal(want, got);                 \
	else                                                 \
		assert_int_equal(known.v[KNOWN_##name], 0);

static void known_values_are_right(const struct packet *pkt)
{
	struct packet_known known;
	struct packet again = *pkt;
	uint64_t want = 0, got = 0;

	packet_know(pkt, &known);
	again.known = &known;
	PACKET_KNOWN(KNOWN)
}

#undef KNOWN

/* Random packets have more combinations of headers than are remembered. */
static void values_of_layouts(void **state)
{
	struct rng rng = {7};
	struct packet_layouts known = {0};
	uint8_t p[LEN];
	struct packet pkt;

	(void)state;
	for (unsigned i = 0; i < PACKETS; i++) {
		for (unsigned k = 0; k < LEN; k++)
			p[k] = (uint8_t)rng_next(&rng);
		packet_parse((enum family)rng_below(&rng, FAMILIES), &pkt, p,
			     rng_below(&rng, LEN));
		packet_values_are_right(&known, &pkt);
		known_values_are_right(&pkt);
	}
}

static void values_of_no_packet(void **state)
{
	struct packet_layouts known = {0};
	const struct packet pkt = {0};
	uint64_t got[NAMES];

	(void)state;
	memset(got, 0xff, sizeof(got));
	assert_int_equal(packet_values(&known, names, NAMES, &pkt, got), 0);
	for (unsigned i = 0; i < NAMES; i++)
		assert_int_equal(got[i], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_layouts),
		cmocka_unit_test(values_of_no_packet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
