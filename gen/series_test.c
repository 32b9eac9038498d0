/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/series_test.c -- tests the values and positions that a sweep writes, the
 * times of frames, parallel PDCs, checksums and the CRC.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "gen/series.h"
#include "wire/packet.h"
#include "wire/uet/uet_packet.h"

/*
 * Fills a set with a request of a PDC, an ACK, and a frame that is no packet.
 */
static void series_test_fill(struct packet_set *s, uint8_t crc)
{
	static const struct field_value req[] = {
		{"psn", 100, false},     {"clear_psn", 98, false},
		{"spdcid", 7, false},    {"dpdcid", 0xffff, false},
		{"message_id", 3, true},
	};
	static const struct field_value ack[] = {
		{"cack_psn", 100, false},
		{"spdcid", 9, false},
		{"dpdcid", 7, false},
	};
	const struct packet_spec specs[] = {
		{.type = "rud_req", .ses = "std", .set = req, .nset = 5},
		{.type = "ack", .ses = "response", .set = ack, .nset = 3},
	};
	struct dgram d = {.src = ip_addr_v4(0x0a000001),
			  .dst = ip_addr_v4(0x0a000002),
			  .entropy = 0xc000,
			  .crc = crc};

	for (size_t i = 0; i < 2; i++) {
		int n = packet_build(d.data, DGRAM_MAX, &specs[i], NULL);

		assert_true(n > 0);
		d.len = (size_t)n;
		assert_int_equal(packet_set_add_dgram(s, &d, CRC_BE,
						      (vtime)(1000 + 10 * i)),
				 0);
	}
	assert_int_equal(packet_set_add(s, FRAME_ETHERNET,
					(const uint8_t *)"none", 4, 1030),
			 0);
}

static struct series *series_test_begin(const struct series_conf *conf)
{
	struct series *s = NULL;
	size_t bad = 99;

	assert_int_equal(series_new(&s, conf, &bad), 0);
	return s;
}

/* Parses the next frame that is a packet and returns one of its fields. */
static uint64_t series_test_next(struct series *s, const char *field)
{
	struct series_frame f;
	struct frame_info info;
	static struct dgram d;
	struct packet pkt;
	uint64_t v = 0;

	do {
		assert_true(series_next(s, &f));
	} while (f.from == 2);
	assert_int_equal(frame_parse(NULL, f.link, f.p, f.len, &d, &info),
			 FRAME_OK);
	if (strcmp(field, "entropy") == 0)
		return d.entropy;
	crc_open(&d, CRC_BE, ICRC_SOCK);
	uet_packet_parse(&pkt, d.data, d.len);
	assert_int_equal(pkt.fault, PACKET_OK);
	assert_true(packet_value(&pkt, field, &v));
	return v;
}

static void a_packet_set_comes_as_it_is(void **state)
{
	struct packet_set set = {0};
	struct series_conf conf = {.packet_set = &set, .passes = 2};
	struct series *s;
	struct series_frame f;
	const vtime want[] = {0, 10, 30, 1030, 1040, 1060};

	(void)state;
	series_test_fill(&set, DGRAM_CRC_NONE);
	s = series_test_begin(&conf);
	assert_int_equal(series_total(s), 6);
	for (size_t i = 0; i < 6; i++) {
		assert_true(series_next(s, &f));
		assert_int_equal(f.from, i % 3);
		assert_int_equal(f.len, set.frames[i % 3].len);
		assert_memory_equal(f.p, set.bytes + set.frames[i % 3].at,
				    f.len);
		assert_int_equal(f.at, want[i]);
	}
	assert_false(series_next(s, &f));
	series_free(s);
	packet_set_free(&set);
	conf = (struct series_conf){.packet_set = &set};
	s = series_test_begin(&conf);
	assert_int_equal(series_total(s), 0);
	assert_false(series_next(s, &f));
	series_free(s);
}

/* Derived values follow the field on which they are based. */
static void sweeps_step_once_a_pass(void **state)
{
	struct packet_set set = {0};
	const struct sweep sweeps[] = {
		{.name = "clear_psn",
		 .kind = SWEEP_VALUES_OF,
		 .values = {90},
		 .n = 1},
		{.name = "psn", .kind = SWEEP_STEP, .step = 5},
	};
	struct series_conf conf = {
		.packet_set = &set, .sweeps = sweeps, .nsweeps = 2};
	struct series *s;

	(void)state;
	series_test_fill(&set, DGRAM_CRC_NONE);
	s = series_test_begin(&conf);
	assert_int_equal(series_total(s), UINT64_MAX);
	for (uint64_t i = 0; i < 4; i++) {
		assert_int_equal(
			series_test_next(s, i % 2 ? "clear_psn" : "psn"),
			i % 2 ? 90 : 100 + 5 * i);
		assert_int_equal(series_test_next(s, "cack_psn"), 100);
	}
	series_free(s);
	conf.nsweeps = 1;
	conf.sweeps = sweeps + 1;
	s = series_test_begin(&conf);
	assert_int_equal(series_test_next(s, "clear_psn"), 98);
	series_test_next(s, "cack_psn");
	assert_int_equal(series_test_next(s, "clear_psn"), 103);
	series_free(s);
	packet_set_free(&set);
}

static void check_values(const struct sweep *w, const char *field,
			 const uint64_t *want, size_t n)
{
	struct packet_set set = {0};
	struct series_conf conf = {
		.packet_set = &set, .sweeps = w, .nsweeps = 1, .seed = 4};
	struct series *s;

	series_test_fill(&set, DGRAM_CRC_NONE);
	s = series_test_begin(&conf);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(series_test_next(s, field), want[i]);
		series_test_next(s, "cack_psn");
	}
	series_free(s);
	packet_set_free(&set);
}

static void ranges_begin_again(void **state)
{
	const uint64_t minus = (uint64_t)-2;
	const uint64_t up[] = {minus, minus + 1, 0, minus},
		       down[] = {10, 7, 4, 10}, list[] = {1, 9, 1};

	(void)state;
	check_values(&(struct sweep){.name = "clear_psn_offset",
				     .kind = SWEEP_RANGE,
				     .values = {minus, 0},
				     .n = 2,
				     .step = 1},
		     "clear_psn_offset", up, 4);
	check_values(&(struct sweep){.name = "message_id",
				     .kind = SWEEP_RANGE,
				     .values = {10, 3},
				     .n = 2,
				     .step = 3},
		     "message_id", down, 4);
	check_values(&(struct sweep){.name = "message_id",
				     .kind = SWEEP_VALUES_OF,
				     .values = {1, 9},
				     .n = 2},
		     "message_id", list, 3);
}

/* The headers around the packet are varied as well. */
static void chance_comes_from_the_seed(void **state)
{
	struct packet_set set = {0};
	const struct sweep w = {.name = "entropy", .kind = SWEEP_RANDOM};
	struct series_conf conf = {
		.packet_set = &set, .sweeps = &w, .nsweeps = 1, .seed = 1};
	struct series *a, *b, *c;
	unsigned differ = 0;

	(void)state;
	series_test_fill(&set, DGRAM_CRC_NONE);
	a = series_test_begin(&conf);
	b = series_test_begin(&conf);
	conf.seed = 2;
	c = series_test_begin(&conf);
	for (unsigned i = 0; i < 20; i++) {
		const uint64_t v = series_test_next(a, "entropy");

		assert_int_equal(v, series_test_next(b, "entropy"));
		differ += v != series_test_next(c, "entropy");
	}
	assert_true(differ > 15);
	series_free(a);
	series_free(b);
	series_free(c);
	packet_set_free(&set);
}

static void pdcs_stand_side_by_side(void **state)
{
	struct packet_set set = {0};
	struct series_conf conf = {.packet_set = &set, .pdcs = 3, .passes = 1};
	struct series *s;
	struct series_frame f;

	(void)state;
	series_test_fill(&set, DGRAM_CRC_NONE);
	s = series_test_begin(&conf);
	assert_int_equal(series_total(s), 7);
	for (uint64_t i = 0; i < 3; i++)
		assert_int_equal(
			series_test_next(s, i == 2 ? "dpdcid" : "spdcid"),
			i == 2 ? 1 : 7 + i);
	assert_int_equal(series_test_next(s, "spdcid"), 9);
	assert_int_equal(series_test_next(s, "dpdcid"), 8);
	assert_int_equal(series_test_next(s, "dpdcid"), 9);
	/* frames without a PDC are sent once */
	assert_true(series_next(s, &f));
	assert_int_equal(f.from, 2);
	assert_false(series_next(s, &f));
	series_free(s);
	packet_set_free(&set);
}

static void count_and_interval(void **state)
{
	struct packet_set set = {0};
	struct series_conf conf = {
		.packet_set = &set, .count = 4, .interval = 250};
	struct series *s;
	struct series_frame f;

	(void)state;
	series_test_fill(&set, DGRAM_CRC_NONE);
	s = series_test_begin(&conf);
	assert_int_equal(series_total(s), 4);
	for (vtime i = 0; i < 4; i++) {
		assert_true(series_next(s, &f));
		assert_int_equal(f.at, 250 * i);
	}
	assert_false(series_next(s, &f));
	series_free(s);
	packet_set_free(&set);
}

/* After any change the CRC and the IP checksum are correct. */
static void what_depends_on_bytes_follows(void **state)
{
	struct packet_set set = {0};
	const struct sweep sweeps[] = {
		{.name = "psn", .kind = SWEEP_RANDOM},
		{.name = "ttl", .kind = SWEEP_RANDOM},
		{.name = "src", .kind = SWEEP_RANDOM},
		{.name = "entropy", .kind = SWEEP_RANDOM},
	};
	struct series_conf conf = {.packet_set = &set,
				   .sweeps = sweeps,
				   .nsweeps = 4,
				   .passes = 20};
	struct series_frame f;
	struct frame_info info;
	static struct dgram d;
	struct series *s;

	(void)state;
	series_test_fill(&set, DGRAM_CRC_RIGHT);
	assert_true(set.frames[0].crc);
	assert_int_equal(set.frames[0].order, CRC_BE);
	s = series_test_begin(&conf);
	while (series_next(s, &f)) {
		uint32_t sum = 0;

		if (f.from == 2)
			continue;
		for (unsigned i = 14; i < 34; i += 2)
			sum += (uint32_t)f.p[i] << 8 | f.p[i + 1];
		assert_int_equal((sum & 0xffff) + (sum >> 16), 0xffff);
		assert_int_equal(
			frame_parse(NULL, f.link, f.p, f.len, &d, &info),
			FRAME_OK);
		assert_true(crc_check(&d, CRC_BE));
	}
	series_free(s);
	packet_set_free(&set);
}

static void sweeps_without_a_place_are_refused(void **state)
{
	struct packet_set set = {0};
	struct sweep w = {.name = "nack_code", .kind = SWEEP_STEP};
	const struct series_conf conf = {
		.packet_set = &set, .sweeps = &w, .nsweeps = 1};
	struct series *s = NULL;
	size_t bad = 99;

	(void)state;
	series_test_fill(&set, DGRAM_CRC_NONE);
	assert_int_equal(series_new(&s, &conf, &bad), ERR_SUPPORT);
	assert_int_equal(bad, 0);
	w = (struct sweep){.name = "message_id",
			   .kind = SWEEP_VALUES_OF,
			   .values = {1, 65536},
			   .n = 2};
	bad = 99;
	assert_int_equal(series_new(&s, &conf, &bad), ERR_VALUE);
	assert_int_equal(bad, 0);
	assert_null(s);
	series_free(NULL);
	packet_set_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_packet_set_comes_as_it_is),
		cmocka_unit_test(sweeps_step_once_a_pass),
		cmocka_unit_test(ranges_begin_again),
		cmocka_unit_test(chance_comes_from_the_seed),
		cmocka_unit_test(pdcs_stand_side_by_side),
		cmocka_unit_test(count_and_interval),
		cmocka_unit_test(what_depends_on_bytes_follows),
		cmocka_unit_test(sweeps_without_a_place_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
