/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/copies_test.c -- tests that frames captured twice are
 * distinguished from frames sent twice.
 */
#include "judge/core/copies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "judge/core/told_test.h"
#include "wire/addr.h"
#include "wire/frame/crc.h"
#include "wire/uet/uet_pds.h"

enum { LEN = 64 };

/* The frames of a side as a capture shows them. */
struct copies_test_side {
	bool v6;
	bool counts; /* its identification changes from frame to frame */
	uint16_t id;
	/* number of times that each frame is captured or sent */
	unsigned doubles;
	/* the device sends the duplicates, with a new identification */
	bool resends;
	vspan offset;
};

struct lab {
	struct copies c;
	struct copies_test_side side[2];
	vtime now;
	/* counts by enum copies_what, after the first ten frames */
	unsigned found[3];
	unsigned sent;
};

static void copies_test_one(struct lab *lab, unsigned from, const uint8_t *p)
{
	const struct ip_addr a = ip_addr_v4(0x0a000001);
	const struct ip_addr b = ip_addr_v4(0x0a000002);
	const struct copies_test_side *side = &lab->side[from];
	struct copies_item item;
	struct copies_frame f = {
		.p = p, .len = LEN, .has_id = !side->v6, .id = side->id};
	struct dgram d;

	memset(&d, 0, offsetof(struct dgram, data));
	d.src = from ? b : a;
	d.dst = from ? a : b;
	f.sum = crc_sum(&d, p, LEN - CRC_LEN);
	f.pair = copies_pair_of(d.src.b, d.dst.b, 4);
	f.way = copies_way_of(d.src.b, d.dst.b, 4);
	f.at = lab->now;
	copies_see(&lab->c, &f, &item);
	if (lab->sent > 10)
		lab->found[copies_decide(&lab->c, &f, &item)]++;
}

/* Sends a frame |doubles| times, then pauses for 2 ms. */
static void copies_test_sends(struct lab *lab, unsigned from, const uint8_t *p)
{
	struct copies_test_side *side = &lab->side[from];

	lab->sent++;
	side->id = (uint16_t)(side->id + side->counts);
	for (unsigned i = 0; i < side->doubles; i++) {
		if (i && side->resends)
			side->id = (uint16_t)(side->id + side->counts);
		copies_test_one(lab, from, p);
		lab->now += side->offset;
	}
	lab->now += 2 * VSPAN_MS;
}

static void copies_test_request(uint8_t p[LEN], uint32_t psn)
{
	const struct pds_req h = {.type = PDS_RUD_REQ, .psn = psn};

	memset(p, 0x5a, LEN);
	pds_req_put(&h, p);
}

static void copies_test_ack(uint8_t p[LEN], uint32_t psn)
{
	const struct pds_ack h = {.type = PDS_ACK, .cack_psn = psn};

	memset(p, 0x5a, LEN);
	pds_ack_put(&h, p);
}

/* One side sends requests, the other answers. */
static void copies_test_talk(struct lab *lab, unsigned n)
{
	uint8_t p[LEN];

	for (uint32_t psn = 333; n--; psn++) {
		copies_test_request(p, psn);
		copies_test_sends(lab, 0, p);
		copies_test_ack(p, psn);
		copies_test_sends(lab, 1, p);
	}
}

static void copies_test_expect(const struct lab *lab, unsigned copies,
			       unsigned repeats)
{
	assert_int_equal(lab->found[COPIES_COPY], copies);
	assert_int_equal(lab->found[COPIES_REPEAT], repeats);
}

static void a_mirror_shows_equal_identifications(void **state)
{
	const struct copies_test_side side = {
		.counts = true, .doubles = 2, .offset = 20 * VSPAN_US};
	struct lab lab = {.side = {side, side}};

	(void)state;
	copies_test_talk(&lab, 20);
	copies_test_expect(&lab, 30, 0);
}

static void the_first_frame_is_told_by_those_behind_it(void **state)
{
	const struct copies_test_side side = {.counts = true, .doubles = 1};
	struct lab lab = {.side = {side, side}};
	struct copies_item item;
	struct copies_frame f = {
		.len = LEN, .sum = 7, .pair = 1, .has_id = true, .id = 77};
	uint8_t p[LEN], q[LEN];

	(void)state;
	copies_test_request(p, 333);
	copies_test_request(q, 334);
	f.p = p;
	copies_see(&lab.c, &f, &item);
	copies_see(&lab.c, &f, &item);
	assert_int_equal(copies_decide(&lab.c, &f, &item), COPIES_REPEAT);
	f.p = q;
	f.sum = 8;
	f.id = 78;
	copies_see(&lab.c, &f, &(struct copies_item){0});
	assert_int_equal(copies_decide(&lab.c, &f, &item), COPIES_COPY);
}

static void a_device_that_repeats_itself_is_no_mirror(void **state)
{
	static const struct copies_test_side sides[] = {
		/* each frame has its own identification */
		{.counts = true, .resends = true},
		{.id = 0}, /* the identification is constant */
		{.v6 = true},
	};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct lab lab = {.side = {{.doubles = 1}, sides[i]}};

		lab.side[1].doubles = 2;
		lab.side[1].offset = 20 * VSPAN_US;
		copies_test_talk(&lab, 20);
		copies_test_expect(&lab, 0, 15);
	}
}

static void all_is_doubled_at_one_offset(void **state)
{
	static const struct copies_test_side sides[] = {
		{.doubles = 2, .offset = 20 * VSPAN_US},
		{.v6 = true, .doubles = 2, .offset = 300 * VSPAN_US},
	};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct lab lab = {.side = {sides[i], sides[i]}};

		copies_test_talk(&lab, 20);
		copies_test_expect(&lab, 30, 0);
	}
}

static void an_offset_that_changes_is_no_mirrors(void **state)
{
	const struct copies_test_side side = {.v6 = true, .doubles = 2};
	struct lab lab = {.side = {side, side}};
	uint8_t p[LEN];

	(void)state;
	for (uint32_t psn = 333; psn < 353; psn++) {
		lab.side[0].offset = lab.side[1].offset =
			psn % 4 * 200 * VSPAN_US + VSPAN_US;
		copies_test_request(p, psn);
		copies_test_sends(&lab, 0, p);
		copies_test_ack(p, psn);
		copies_test_sends(&lab, 1, p);
	}
	copies_test_expect(&lab, 0, 30);
}

/*
 * Two offsets are equal within a factor of 2, and 5 us of a clock: the first
 * one is so here, or not.
 */
static void an_offset_may_double(void **state)
{
	static const struct {
		vspan first, other;
		unsigned copies, repeats;
	} offsets[] = {
		{204 * VSPAN_US, 100 * VSPAN_US, 26, 0},
		{206 * VSPAN_US, 100 * VSPAN_US, 0, 26},
		{100 * VSPAN_US, 204 * VSPAN_US, 26, 0},
		{100 * VSPAN_US, 206 * VSPAN_US, 0, 26},
	};
	uint8_t p[LEN];

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		const struct copies_test_side side = {.v6 = true, .doubles = 2};
		struct lab lab = {.side = {side, side}};

		for (uint32_t psn = 333; psn < 351; psn++) {
			lab.side[0].offset = lab.side[1].offset =
				psn == 333 ? offsets[i].first
					   : offsets[i].other;
			copies_test_request(p, psn);
			copies_test_sends(&lab, 0, p);
			copies_test_ack(p, psn);
			copies_test_sends(&lab, 1, p);
		}
		copies_test_expect(&lab, offsets[i].copies, offsets[i].repeats);
	}
}

/* All counts of a sender are halved together, so that their ratios stay. */
static void counts_are_halved_together(void **state)
{
	struct copies_way w = {.offset = 5,
			       .id = 7,
			       .changed = 40,
			       .stood = 32,
			       .frames = COPIES_COUNTED - 1,
			       .doubled = 24,
			       .elsewhen = 16};
	struct copies_frame f = {.id = 9, .has_id = true};

	(void)state;
	copies_way_new(&w, &f);
	assert_int_equal(w.frames, COPIES_COUNTED);
	assert_int_equal(w.changed, 41);
	copies_way_new(&w, &f);
	assert_int_equal(w.frames, COPIES_COUNTED / 2 + 1);
	assert_int_equal(w.changed, 20);
	assert_int_equal(w.stood, 16 + 1);
	assert_int_equal(w.doubled, 12);
	assert_int_equal(w.elsewhen, 8);
	assert_int_equal(w.offset, 5);
}

/* Two endpoints answer each other with the same packets, every 300 us. */
static void a_storm_is_no_mirror(void **state)
{
	struct lab lab = {.side = {{.doubles = 1}, {.doubles = 1}}};
	uint8_t p[LEN], q[LEN];

	(void)state;
	copies_test_request(p, 333);
	copies_test_ack(q, 333);
	for (unsigned i = 0; i < 20; i++) {
		copies_test_sends(&lab, 0, p);
		lab.now -= 1850 * VSPAN_US;
		copies_test_sends(&lab, 1, q);
		lab.now -= 1850 * VSPAN_US;
	}
	copies_test_expect(&lab, 0, 30);
}

static void much_later_it_is_another(void **state)
{
	const struct copies_test_side side = {
		.counts = true, .doubles = 2, .offset = VSPAN_S};
	struct lab lab = {.side = {side, side}};

	(void)state;
	copies_test_talk(&lab, 20);
	copies_test_expect(&lab, 0, 0);
}

/* A multiple of the polynomial changes the PSN, but not the CRC. */
static void the_same_hash_is_not_the_same_packet(void **state)
{
	const uint64_t poly = (uint64_t)0x82f63b78 << 1 | 1;
	struct lab lab = {.sent = 11};
	uint8_t p[LEN], q[LEN];

	(void)state;
	copies_test_request(p, 333);
	memcpy(q, p, sizeof(q));
	for (unsigned i = 0; i < 5; i++)
		q[4 + i] ^= (uint8_t)(poly >> 8 * i);
	assert_int_equal(crc32c(0, p, sizeof(p)), crc32c(0, q, sizeof(q)));
	copies_test_one(&lab, 0, p);
	copies_test_one(&lab, 0, q);
	copies_test_expect(&lab, 0, 0);
	copies_test_one(&lab, 0, q);
	copies_test_expect(&lab, 0, 1);
}

static void copies_test_draw_side(struct copies_test_side *s, struct rng *rng)
{
	static const vspan offsets[] = {1,
					4 * VSPAN_US,
					6 * VSPAN_US,
					40 * VSPAN_US,
					VSPAN_MS - 1,
					VSPAN_MS,
					100 * VSPAN_MS - 1,
					100 * VSPAN_MS};

	s->v6 = rng_below(rng, 3) == 0;
	s->counts = rng_below(rng, 2);
	s->doubles = 1 + rng_below(rng, 3);
	s->resends = rng_below(rng, 3) == 0;
	s->offset = offsets[rng_below(rng, 8)];
}

/* Senders whose habits change; the record has what each frame counts as. */
static void copies_test_noise(void **state)
{
	(void)state;
	told_begin("noise");
	for (uint64_t seed = 1; seed <= 80; seed++) {
		static struct lab lab;
		struct rng rng = {seed};

		memset(&lab, 0, sizeof(lab));
		lab.now = VSPAN_S;
		for (unsigned i = 0; i < 200; i++) {
			uint8_t p[LEN] = {(uint8_t)rng_below(&rng, 40)};

			if (!rng_below(&rng, 25) || !i)
				for (unsigned k = 0; k < 2; k++)
					copies_test_draw_side(&lab.side[k],
							      &rng);
			copies_test_sends(&lab, rng_below(&rng, 2), p);
			if (told_wanted())
				fprintf(told_to, "  %u %u %u\n", lab.found[0],
					lab.found[1], lab.found[2]);
		}
		assert_true(lab.found[0] + lab.found[1] + lab.found[2] > 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mirror_shows_equal_identifications),
		cmocka_unit_test(the_first_frame_is_told_by_those_behind_it),
		cmocka_unit_test(a_device_that_repeats_itself_is_no_mirror),
		cmocka_unit_test(all_is_doubled_at_one_offset),
		cmocka_unit_test(an_offset_that_changes_is_no_mirrors),
		cmocka_unit_test(an_offset_may_double),
		cmocka_unit_test(counts_are_halved_together),
		cmocka_unit_test(a_storm_is_no_mirror),
		cmocka_unit_test(much_later_it_is_another),
		cmocka_unit_test(the_same_hash_is_not_the_same_packet),
		cmocka_unit_test(copies_test_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
