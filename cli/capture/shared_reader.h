/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/shared_reader.h -- reads a capture once for several threads.
 *
 * Each thread gets every batch of frames, in order.  A thread that takes a
 * batch first reads a few more, while the others judge earlier ones, and parses
 * the first fields of their frames for all threads.
 */
#ifndef CLI_CAPTURE_SHARED_READER_H
#define CLI_CAPTURE_SHARED_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/file/source.h"
#include "lib/lib_inside.h"
#include "lib/rung.h"

enum { SHARED_FRAMES = 512 }; /* most frames of a batch */

/* Consecutive frames; their bytes stay until every thread has returned it. */
struct frame_batch {
	struct rung_frame f[SHARED_FRAMES];
	struct watch_peek peek[SHARED_FRAMES]; /* the first fields of f[] */
	unsigned n;
	uint64_t first;   /* the number of f[0], from 1 */
	unsigned readers; /* threads that have not returned it */
};

struct shared_reader;

/*
 * shared_reader_new lends |s| to |threads| threads, whose watches have the
 * configuration |frame|, lent.  |goes_on| is asked before each batch, by one
 * thread at a time; false ends the capture.
 *
 * Return: NULL if there is no memory.
 */
struct shared_reader *shared_reader_new(struct source *s, unsigned threads,
					const struct frame_conf *frame,
					bool (*goes_on)(void *arg), void *arg);
void shared_reader_free(struct shared_reader *r);

/*
 * shared_reader_take returns batch number |index|, from 0, or NULL at the end
 * of the capture.  Each thread takes all batches in order, and returns one by
 * shared_reader_return before it takes the next.
 */
struct frame_batch *shared_reader_take(struct shared_reader *r, uint64_t index);
void shared_reader_return(struct shared_reader *r, struct frame_batch *b);

/* shared_reader_stop ends the capture, because a thread is missing. */
void shared_reader_stop(struct shared_reader *r);

/*
 * shared_reader_error returns what source_some returned last, when all threads
 * have ended.
 */
int shared_reader_error(const struct shared_reader *r);

#endif
