/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/rcvd_test.c -- compares the received set with a naive model: a
 * large array of all PSNs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "oracle/core/rcvd.h"

#define MANY 2000

struct twin {
	uint32_t first;
	bool got[MANY], done[MANY];
};

static uint32_t naive_cack(const struct twin *t)
{
	uint32_t n = 0;

	while (t->done[n])
		n++;
	return t->first + n - 1;
}

/* Both bitmaps from each base near CACK_PSN tell what each PSN does. */
static void rcvd_test_bitmaps(const struct rcvd *r, uint32_t cack)
{
	for (uint32_t base = cack - 66; serial_before(base, cack + 67);
	     base += 19) {
		uint64_t got = 0, done = 0;

		for (uint32_t i = 0; i < 64 && !rcvd_ahead(r, base + i); i++) {
			got |= (uint64_t)rcvd_has(r, base + i) << i;
			done |= (uint64_t)rcvd_is_settled(r, base + i) << i;
		}
		assert_true(rcvd_bitmap(r, base) == got);
		assert_true(rcvd_settled(r, base) == done);
	}
}

static void rcvd_test_compare(const struct rcvd *r, const struct twin *t)
{
	const uint32_t cack = naive_cack(t);
	uint32_t max = cack;
	uint64_t map = 0;

	assert_int_equal(r->cack_psn, cack);
	for (uint32_t i = 0; i < MANY; i++)
		if (t->got[i] && serial_after(t->first + i, max))
			max = t->first + i;
	assert_int_equal(r->max_psn, max);
	for (uint32_t i = 0; i < 64; i++) {
		const uint32_t psn = cack + 1 + i;

		if (rcvd_ahead(r, psn))
			break;
		assert_int_equal(rcvd_has(r, psn), t->got[psn - t->first]);
		map |= (uint64_t)t->got[psn - t->first] << i;
	}
	assert_true(rcvd_bitmap(r, cack + 1) == map);
	rcvd_test_bitmaps(r, cack);
	assert_true(rcvd_has(r, cack));
	assert_false(rcvd_ahead(r, cack + r->range));
	assert_true(rcvd_ahead(r, cack + r->range + 1));
	assert_false(rcvd_behind(r, cack - r->range + 1));
	assert_true(rcvd_behind(r, cack - r->range));
}

static void rcvd_test_random_steps(uint32_t first, uint32_t range,
				   uint64_t seed)
{
	struct rng rng = {seed};
	struct mem mem = {0};
	struct rcvd r = {0};
	static struct twin t;

	memset(&t, 0, sizeof(t));
	t.first = first;
	rcvd_init(&r, &mem, first - 1, range);
	while (r.cack_psn - first + 1 < MANY - 2 * range) {
		const uint32_t psn =
			r.cack_psn + 1 + rng_below(&rng, range / 4 + 1);
		const uint32_t i = psn - first;

		if (!t.got[i]) {
			assert_true(rcvd_room(&r, &mem));
			rcvd_mark(&r, psn);
			t.got[i] = true;
		} else if (!t.done[i] && rng_below(&rng, 8) == 0) {
			rcvd_unmark(&r, psn);
			t.got[i] = false;
		} else if (!t.done[i]) {
			rcvd_settle(&r, psn);
			t.done[i] = true;
		}
		rcvd_test_compare(&r, &t);
	}
	rcvd_free(&r);
	rcvd_drain(&mem);
}

static void rcvd_test_like_its_twin(void **state)
{
	(void)state;
	rcvd_test_random_steps(1, 128, 1);
	rcvd_test_random_steps(0u - 500, 128, 2); /* crosses 2^32 */
	rcvd_test_random_steps(0u - 700, 512, 3);
	rcvd_test_random_steps(0x80000000u - 300, 256, 4); /* crosses 2^31 */
	/* a ring of one word */
	rcvd_test_random_steps(0u - 500, 64, 5);
	rcvd_test_random_steps(0u - 500, 32, 6);
}

static void bitmap_below_cack(void **state)
{
	struct mem mem = {0};
	struct rcvd r = {0};

	(void)state;
	rcvd_init(&r, &mem, 9, 128);
	assert_true(rcvd_room(&r, &mem));
	rcvd_mark(&r, 12);
	assert_true(rcvd_bitmap(&r, 8) == 0x13); /* bits of 8, 9 and 12 */
	rcvd_free(&r);
	rcvd_drain(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rcvd_test_like_its_twin),
		cmocka_unit_test(bitmap_below_cack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
