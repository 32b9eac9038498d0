/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/stamp_test.c -- simulates a NIC whose clock began 40 years ago and runs
 * 50 parts in a million too fast.  Frames are seen 5 to 300 us after they
 * arrived.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "gen/stamp.h"

#define AHEAD ((int64_t)40 * 365 * 86400 * VSPAN_S)

static int64_t nic_of(int64_t arrived)
{
	return arrived - AHEAD + arrived / 20000;
}

static void frames_are_placed(void **state)
{
	struct stamp_map m = {0};
	struct rng rng = {7};
	int64_t now = VSPAN_S, latest = 0;

	(void)state;
	for (unsigned n = 0; n < 20000; n++) {
		const int64_t seen = now + 5 * VSPAN_US +
				     (int64_t)rng_below(&rng, 295) * VSPAN_US;
		const int64_t ours = stamp_ours(&m, nic_of(now), seen);

		assert_true(ours <= seen);
		/*
		 * After some frames the estimate is much better than the
		 * kernel's stamp.
		 */
		if (n > 100)
			assert_in_range(ours - now + VSPAN_MS,
					VSPAN_MS - 6 * VSPAN_US,
					VSPAN_MS + 40 * VSPAN_US);
		assert_true(ours > latest - 20 * VSPAN_US);
		latest = ours;
		now += (int64_t)rng_below(&rng, 400) * VSPAN_US;
	}
}

static void a_lone_frame_is_as_it_was_seen(void **state)
{
	struct stamp_map m = {0};

	(void)state;
	assert_int_equal(stamp_ours(&m, 5, 1000), 1000);
	/* a frame with a lower latency, and one with a higher one */
	assert_int_equal(stamp_ours(&m, 105, 1050), 1050);
	assert_int_equal(stamp_ours(&m, 205, 9000), 1150);
}

/* If a NIC's clock was set, or no frame came for long, a new window starts. */
static void clocks_are_set(void **state)
{
	struct stamp_map m = {0};

	(void)state;
	assert_int_equal(stamp_ours(&m, 1000, 5000), 5000);
	assert_int_equal(stamp_ours(&m, 10, 6000), 6000);
	assert_int_equal(stamp_ours(&m, 10 + 3 * STAMP_WINDOW, 9000), 9000);
	/* the last window still counts, the one before it does not */
	assert_int_equal(
		stamp_ours(&m, 10 + 4 * STAMP_WINDOW, 9500 + STAMP_WINDOW),
		9000 + STAMP_WINDOW);
	assert_int_equal(
		stamp_ours(&m, 10 + 5 * STAMP_WINDOW, 9800 + 2 * STAMP_WINDOW),
		9500 + 2 * STAMP_WINDOW);
}

static void the_best_clock_is_chosen(void **state)
{
	static const struct {
		struct stamp_able able;
		enum stamp_clock want;
	} rows[] = {
		{{.software = true}, STAMP_KERNEL},
		{{.software = true, .hardware = true}, STAMP_KERNEL},
		{{.software = true, .hardware = true, .all = true}, STAMP_NIC},
		{{.software = true, .all = true}, STAMP_KERNEL},
		{{.software = false}, STAMP_KERNEL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(stamp_choose(&rows[i].able), rows[i].want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_placed),
		cmocka_unit_test(a_lone_frame_is_as_it_was_seen),
		cmocka_unit_test(clocks_are_set),
		cmocka_unit_test(the_best_clock_is_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
