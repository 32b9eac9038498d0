/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/pace.h -- when each packet is to leave, and how well that was kept.
 *
 * Waiting is a sleep until shortly before the time, and a spin for the rest: a
 * sleep alone is late by what the scheduler takes to come back.
 */
#ifndef CLI_RUN_PACE_H
#define CLI_RUN_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"

#define PACE_BUCKETS 64 /* two to each power of two, from 1 ns */

struct pace {
	vtime begun;
	uint64_t n;
	vspan worst;
	uint64_t late[PACE_BUCKETS];
};

void pace_begin(struct pace *p, vtime now);

/*
 * pace_wait waits until |due|, from pace_begin; |*stop| ends it early.
 * Return: the time by then.
 */
vtime pace_wait(const struct pace *p, double due, const volatile bool *stop);

/* pace_sent notes that a packet that was due left now. */
void pace_sent(struct pace *p, double due, vtime now);

/* pace_late is the time by which so many of a thousand were late at most,
 * rounded up by a half at most; 0: there was none. */
vspan pace_late(const struct pace *p, unsigned permille);

#endif
