/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/shared_reader.c -- hands the batches of one source to several
 * threads.
 *
 * The batches are a ring.  The source keeps one window of bytes more than the
 * ring has batches, so that the bytes of a batch stay until it is read anew.
 */
#include "cli/capture/shared_reader.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"

enum {
	BATCHES = SOURCE_WINDOWS - 1,
	AHEAD = 8, /* batches that are read before a thread needs them */
};

struct shared_reader {
	struct source *source;
	unsigned threads;
	const struct frame_conf *frame;
	bool (*goes_on)(void *arg);
	void *arg;

	pthread_mutex_t lock; /* for the members below */
	pthread_cond_t changed;
	struct frame_batch ring[BATCHES];
	uint64_t nread;  /* batches read so far */
	uint64_t frames; /* frames in them */
	bool reading;    /* a thread reads the next batch */
	bool ended;
	int err;
};

struct shared_reader *shared_reader_new(struct source *s, unsigned threads,
					const struct frame_conf *frame,
					bool (*goes_on)(void *arg), void *arg)
{
	struct shared_reader *r = memory_calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	if (!source_keep_windows(s)) {
		free(r);
		return NULL;
	}
	r->source = s;
	r->threads = threads;
	r->frame = frame;
	r->goes_on = goes_on;
	r->arg = arg;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	return r;
}

void shared_reader_free(struct shared_reader *r)
{
	if (!r)
		return;
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

/* Return: the number of frames, or as source_some. */
static int shared_reader_fill(struct shared_reader *r, struct frame_batch *b)
{
	struct capture_packet p[SHARED_FRAMES];
	int n;

	if (!r->goes_on(r->arg))
		return 0;
	n = source_some(r->source, p, SHARED_FRAMES);
	for (int i = 0; i < n; i++)
		b->f[i] = (struct rung_frame){.bytes = p[i].p,
					      .len = p[i].len,
					      .link = p[i].link,
					      .at_ns = (uint64_t)p[i].at};
	if (n > 0)
		lib_watch_peek(r->frame, b->f, (size_t)n, b->peek);
	return n;
}

/* Reads the next batch into |b|.  The lock is held, but not while it reads. */
static void shared_reader_read(struct shared_reader *r, struct frame_batch *b)
{
	int n;

	r->reading = true;
	pthread_mutex_unlock(&r->lock);
	n = shared_reader_fill(r, b);
	pthread_mutex_lock(&r->lock);
	r->reading = false;
	r->err = n;
	if (n > 0) {
		b->n = (unsigned)n;
		b->first = r->frames + 1;
		b->readers = r->threads;
		r->frames += b->n;
		r->nread++;
	} else {
		r->ended = true;
	}
	pthread_cond_broadcast(&r->changed);
}

/*
 * Reads batches until the ring holds AHEAD of them behind batch |index|, so
 * that the other threads need not wait for one.  Waits only if |index| itself
 * is missing.  The lock is held.
 */
static void shared_reader_read_ahead(struct shared_reader *r, uint64_t index)
{
	while (r->nread <= index + AHEAD && !r->ended) {
		struct frame_batch *b = &r->ring[r->nread % BATCHES];

		if (!r->reading && !b->readers)
			shared_reader_read(r, b);
		else if (index < r->nread)
			return;
		else
			pthread_cond_wait(&r->changed, &r->lock);
	}
}

struct frame_batch *shared_reader_take(struct shared_reader *r, uint64_t index)
{
	struct frame_batch *b = NULL;

	pthread_mutex_lock(&r->lock);
	shared_reader_read_ahead(r, index);
	if (index < r->nread)
		b = &r->ring[index % BATCHES];
	pthread_mutex_unlock(&r->lock);
	return b;
}

void shared_reader_return(struct shared_reader *r, struct frame_batch *b)
{
	pthread_mutex_lock(&r->lock);
	if (!--b->readers)
		pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

void shared_reader_stop(struct shared_reader *r)
{
	pthread_mutex_lock(&r->lock);
	r->ended = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

int shared_reader_error(const struct shared_reader *r)
{
	return r->err;
}
