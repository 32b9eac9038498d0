/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/frame_ring_test.c -- tests that the last frames stay whole in
 * bounded memory.
 */
#include "cli/capture/frame_ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"

static void frame_ring_test_add(struct frame_ring *r, uint64_t number,
				uint32_t len)
{
	uint8_t bytes[200];
	const struct rung_frame f = {
		.bytes = bytes, .len = len, .at_ns = number};

	memset(bytes, (int)number, len);
	frame_ring_add(r, &f, number);
}

/* Each frame in the ring has its own bytes, and the newest is there. */
static void frame_ring_test_check(struct frame_ring *r, uint64_t newest)
{
	const uint64_t oldest = frame_ring_oldest(r)->number;

	assert_int_equal(frame_ring_newest(r)->number, newest);
	for (uint64_t i = oldest; i <= newest; i++) {
		const struct ring_frame *f = frame_ring_find(r, i);
		const uint8_t *p;

		assert_non_null(f);
		assert_int_equal(f->number, i);
		p = f->frame.bytes;
		for (uint32_t k = 0; k < f->frame.len; k++)
			assert_int_equal(p[k], (uint8_t)i);
	}
	assert_null(frame_ring_find(r, oldest - 1));
	assert_null(frame_ring_find(r, newest + 1));
}

static void keeps_the_last_frames(void **state)
{
	struct frame_ring *r;

	(void)state;
	assert_int_equal(frame_ring_new(&r, 8, 1000), 0);
	assert_null(frame_ring_oldest(r));
	assert_null(frame_ring_find(r, 1));
	for (uint64_t i = 1; i <= 20; i++) {
		frame_ring_test_add(r, i, 100);
		frame_ring_test_check(r, i);
	}
	assert_int_equal(frame_ring_oldest(r)->number, 13); /* 8 frames */
	frame_ring_free(r);
}

static void keeps_frames_of_any_length(void **state)
{
	struct frame_ring *r;
	struct rng rng = {.state = 7};

	(void)state;
	assert_int_equal(frame_ring_new(&r, 16, 777), 0);
	for (uint64_t i = 1; i <= 20000; i++) {
		frame_ring_test_add(r, i, (uint32_t)rng_below(&rng, 201));
		frame_ring_test_check(r, i);
	}
	frame_ring_free(r);
}

static void cuts_a_frame_larger_than_the_ring(void **state)
{
	struct frame_ring *r;

	(void)state;
	assert_int_equal(frame_ring_new(&r, 4, 50), 0);
	frame_ring_test_add(r, 1, 200);
	assert_int_equal(frame_ring_newest(r)->frame.len, 50);
	frame_ring_test_add(r, 2, 10);
	frame_ring_test_check(r, 2);
	frame_ring_free(r);
}

/* ASan sees a remark that is not freed with its frame. */
static void frees_remarks(void **state)
{
	struct frame_ring *r;

	(void)state;
	assert_int_equal(frame_ring_new(&r, 2, 100), 0);
	for (uint64_t i = 1; i <= 5; i++) {
		frame_ring_test_add(r, i, 10);
		assert_int_equal(frame_ring_newest(r)->remark.len, 0);
		text_puts(&frame_ring_newest(r)->remark, "seen");
	}
	frame_ring_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_last_frames),
		cmocka_unit_test(keeps_frames_of_any_length),
		cmocka_unit_test(cuts_a_frame_larger_than_the_ring),
		cmocka_unit_test(frees_remarks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
