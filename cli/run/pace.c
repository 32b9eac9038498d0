/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/pace.c -- paces packets by clock_nanosleep() and a spin of 100 us,
 * and keeps a histogram of their lateness.
 *
 * The histogram has two buckets for each power of two of nanoseconds.  A sleep
 * is 100 ms at most, so that an interrupt is noticed.
 */
#include "cli/run/pace.h"

#include <time.h>

#include "gen/port/port.h"
#include "gen/port/port_clock.h"

#define SPIN     (100 * VSPAN_US) /* time before the due time */
#define PATIENCE (100 * VSPAN_MS) /* longest delay of an interrupt */

void pace_begin(struct pace *p, vtime now)
{
	*p = (struct pace){.begun = now};
}

static void sleep_for(vspan span)
{
	struct timespec ts;
	int64_t until;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	until = ts.tv_sec * VSPAN_S + ts.tv_nsec + span;
	ts.tv_sec = until / VSPAN_S;
	ts.tv_nsec = until % VSPAN_S;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

vtime pace_wait(const struct pace *p, double due, const volatile bool *stop)
{
	const vtime at = p->begun + (vtime)due;
	vtime now = port_now();

	while (now < at && !*stop) {
		if (at - now > SPIN)
			sleep_for(vtime_min(at - now - SPIN, PATIENCE));
		now = port_now();
	}
	return now;
}

/* Bucket 2k holds the lower half from 2^k, bucket 2k + 1 the upper half. */
static unsigned pace_bucket_of(uint64_t ns)
{
	unsigned power;

	if (ns < 2)
		return 0;
	power = 63u - (unsigned)__builtin_clzll(ns);
	power = 2 * power + (ns >> (power - 1) & 1);
	if (power < PACE_BUCKETS)
		return power;
	return PACE_BUCKETS - 1;
}

static vspan bucket_end(unsigned bucket)
{
	const vspan low = (vspan)1 << bucket / 2;

	if (bucket % 2)
		return 2 * low;
	return low + low / 2;
}

void pace_sent(struct pace *p, double due, vtime now)
{
	const vspan late = now - p->begun - (vtime)due;

	p->n++;
	p->late[pace_bucket_of(late > 0 ? (uint64_t)late : 0)]++;
	if (late > p->worst)
		p->worst = late;
}

vspan pace_late(const struct pace *p, unsigned permille)
{
	uint64_t left = (p->n * permille + 999) / 1000;

	for (unsigned i = 0; i < PACE_BUCKETS; i++) {
		if (p->late[i] >= left)
			return p->n ? vtime_min(bucket_end(i), p->worst) : 0;
		left -= p->late[i];
	}
	return p->worst;
}
