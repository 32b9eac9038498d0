/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/shared_reader_test.c -- tests that each thread gets every frame
 * of a capture, whole and in order, and that no thread waits for ever.
 */
#include "cli/capture/shared_reader.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"

enum { FRAMES_ALL = 20000, THREADS = 5, LONGEST = 1500 };

/* A thread of the test, and what it counted. */
struct shared_reader_test_thread {
	struct shared_reader *r;
	pthread_t thread;
	uint64_t stops_at; /* stops the capture after so many batches; 0: no */
	uint64_t frames;
	unsigned wrong; /* frames that are not those of the file */
	unsigned seed;  /* of its pace */
};

/* The length of a frame follows from its number. */
static uint32_t shared_reader_test_len(uint64_t number)
{
	return (uint32_t)(64 + number * 7919 % (LONGEST - 64));
}

static void shared_reader_test_write(FILE *f, uint64_t frames)
{
	static const uint32_t head[] = {0xa1b23c4d, 4u << 16 | 2, 0,
					0,          65535,        1};
	uint8_t bytes[LONGEST];

	fwrite(head, sizeof(head), 1, f);
	for (uint64_t i = 1; i <= frames; i++) {
		const uint32_t len = shared_reader_test_len(i);
		const uint32_t rec[] = {0, (uint32_t)i, len, len};

		memset(bytes, (int)(i % 251), len);
		fwrite(rec, sizeof(rec), 1, f);
		fwrite(bytes, len, 1, f);
	}
}

/* Opens a capture of so many frames; |cut| bytes are missing at its end. */
static struct source *shared_reader_test_open(uint64_t frames, long cut)
{
	char path[] = "/tmp/shared_reader_test_XXXXXX";
	const int fd = mkstemp(path);
	FILE *f = fdopen(fd, "wb");
	struct source *s;

	assert_non_null(f);
	shared_reader_test_write(f, frames);
	assert_int_equal(fflush(f), 0);
	assert_int_equal(ftruncate(fd, ftell(f) - cut), 0);
	assert_int_equal(source_open("shared_reader_test", path, &s), 0);
	fclose(f);
	unlink(path);
	return s;
}

static bool shared_reader_test_is(const struct rung_frame *f, uint64_t number)
{
	const uint8_t *p = f->bytes;

	if (f->len != shared_reader_test_len(number) || f->at_ns != number)
		return false;
	for (uint32_t i = 0; i < f->len; i++)
		if (p[i] != number % 251)
			return false;
	return true;
}

static void shared_reader_test_check(struct shared_reader_test_thread *t,
				     const struct frame_batch *b)
{
	t->wrong += b->first != t->frames + 1;
	for (unsigned i = 0; i < b->n; i++)
		t->wrong += !shared_reader_test_is(&b->f[i], b->first + i);
	t->frames += b->n;
}

static void *shared_reader_test_work(void *arg)
{
	struct shared_reader_test_thread *t = arg;
	struct rng rng = {.state = t->seed};
	struct frame_batch *b;

	for (uint64_t i = 0; (b = shared_reader_take(t->r, i)); i++) {
		if (rng_below(&rng, 4) == 0)
			sched_yield();
		shared_reader_test_check(t, b);
		shared_reader_return(t->r, b);
		if (i + 1 == t->stops_at)
			shared_reader_stop(t->r);
	}
	return NULL;
}

/* Runs |n| threads over the capture until each has ended. */
static void shared_reader_test_run(struct shared_reader *r,
				   struct shared_reader_test_thread *t,
				   unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		t[i].r = r;
		t[i].seed = i + 1;
		assert_int_equal(pthread_create(&t[i].thread, NULL,
						shared_reader_test_work, &t[i]),
				 0);
	}
	for (unsigned i = 0; i < n; i++)
		pthread_join(t[i].thread, NULL);
}

static bool always(void *arg)
{
	(void)arg;
	return true;
}

/* Says so many times that the capture goes on. */
static bool counts_down(void *arg)
{
	unsigned *left = arg;

	return *left && (*left)--;
}

static const struct frame_conf shared_reader_test_conf;

static void each_thread_gets_every_frame(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= THREADS; n++) {
		struct shared_reader_test_thread t[THREADS] = {0};
		struct source *s = shared_reader_test_open(FRAMES_ALL, 0);
		struct shared_reader *r = shared_reader_new(
			s, n, &shared_reader_test_conf, always, NULL);

		assert_non_null(r);
		shared_reader_test_run(r, t, n);
		for (unsigned i = 0; i < n; i++) {
			assert_int_equal(t[i].frames, FRAMES_ALL);
			assert_int_equal(t[i].wrong, 0);
		}
		assert_int_equal(shared_reader_error(r), 0);
		shared_reader_free(r);
		source_close(s);
	}
}

static void an_empty_capture_ends(void **state)
{
	struct shared_reader_test_thread t[2] = {0};
	struct source *s = shared_reader_test_open(0, 0);
	struct shared_reader *r =
		shared_reader_new(s, 2, &shared_reader_test_conf, always, NULL);

	(void)state;
	shared_reader_test_run(r, t, 2);
	assert_int_equal(t[0].frames + t[1].frames, 0);
	assert_int_equal(shared_reader_error(r), 0);
	shared_reader_free(r);
	source_close(s);
}

/* The threads get all frames before the error; the reader returns it. */
static void an_error_ends_the_capture(void **state)
{
	struct shared_reader_test_thread t[2] = {0};
	struct source *s = shared_reader_test_open(1000, 10);
	struct shared_reader *r =
		shared_reader_new(s, 2, &shared_reader_test_conf, always, NULL);

	(void)state;
	shared_reader_test_run(r, t, 2);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(t[i].frames, 999);
		assert_int_equal(t[i].wrong, 0);
	}
	assert_true(shared_reader_error(r) < 0);
	shared_reader_free(r);
	source_close(s);
}

/* All threads see the same frames, up to the batch where the caller ends it. */
static void the_caller_ends_the_capture(void **state)
{
	struct shared_reader_test_thread t[3] = {0};
	struct source *s = shared_reader_test_open(FRAMES_ALL, 0);
	unsigned batches = 20;
	struct shared_reader *r = shared_reader_new(
		s, 3, &shared_reader_test_conf, counts_down, &batches);

	(void)state;
	shared_reader_test_run(r, t, 3);
	assert_int_equal(batches, 0);
	assert_in_range(t[0].frames, 20, FRAMES_ALL - 1);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(t[i].frames, t[0].frames);
		assert_int_equal(t[i].wrong, 0);
	}
	shared_reader_free(r);
	source_close(s);
}

/*
 * One thread is counted and never starts, as after a failed pthread_create:
 * one of the others stops the capture when the ring is full, and both end.
 */
static void a_stop_frees_waiting_threads(void **state)
{
	struct shared_reader_test_thread t[2] = {
		{.stops_at = SOURCE_WINDOWS - 1}};
	struct source *s = shared_reader_test_open(FRAMES_ALL, 0);
	struct shared_reader *r =
		shared_reader_new(s, 3, &shared_reader_test_conf, always, NULL);

	(void)state;
	shared_reader_test_run(r, t, 2);
	for (unsigned i = 0; i < 2; i++) {
		assert_true(t[i].frames < FRAMES_ALL);
		assert_int_equal(t[i].wrong, 0);
	}
	shared_reader_free(r);
	source_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_thread_gets_every_frame),
		cmocka_unit_test(an_empty_capture_ends),
		cmocka_unit_test(an_error_ends_the_capture),
		cmocka_unit_test(the_caller_ends_the_capture),
		cmocka_unit_test(a_stop_frees_waiting_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
