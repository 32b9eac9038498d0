/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/pace.h -- the time at which each packet is due, and statistics of
 * lateness.
 *
 * A wait is a sleep until shortly before the due time, and then a spin: a sleep
 * alone would be late by the latency of the scheduler.
 */
#ifndef CLI_RUN_PACE_H
#define CLI_RUN_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"

#define PACE_BUCKETS 64 /* two buckets for each power of two, from 1 ns */

struct pace {
	vtime begun;
	uint64_t n;
	vspan worst;
	uint64_t late[PACE_BUCKETS];
};

void pace_begin(struct pace *p, vtime now);

/*
 * pace_wait waits until |due|, relative to pace_begin; |*stop| ends it early.
 * Return: the current time.
 */
vtime pace_wait(const struct pace *p, double due, const volatile bool *stop);

/* pace_sent records that a packet that was due at |due| left now. */
void pace_sent(struct pace *p, double due, vtime now);

/*
 * pace_late returns the lateness that |permille| of a thousand packets did not
 * exceed, rounded up by at most a half; 0 if there was none.
 */
vspan pace_late(const struct pace *p, unsigned permille);

#endif
