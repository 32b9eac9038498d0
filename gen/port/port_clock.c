/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_clock.c -- the clock of all ports, and a wait for their
 * descriptors.
 */
#define _GNU_SOURCE
#include "gen/port/port_clock.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include <sys/prctl.h>

#include "base/err.h"

/*
 * Time between the readings of two clocks that is short enough.  A service_time
 * may exceed the times of the judge by 1 us.
 */
#define STAMP_SLIP  (1 * VSPAN_US)
#define STAMP_TRIES 8

static int64_t port_clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * VSPAN_S + ts.tv_nsec;
}

/* The first call of port_now in the process; it is written once. */
static _Atomic int64_t port_origin;

vtime port_now(void)
{
	int64_t now = port_clock_ns(CLOCK_MONOTONIC), first = 0;

	if (atomic_compare_exchange_strong(&port_origin, &first, now))
		return 0;
	return now - first;
}

vtime port_instant(int64_t monotonic)
{
	return vtime_max(monotonic - atomic_load(&port_origin), 0);
}

/*
 * The kernel stamps with the wall clock.  The age of the stamp is the same on
 * our clock.  If the thread was preempted between the two, both clocks are read
 * again; the readings that are closest to each other count.
 */
vtime port_stamp(int64_t wall)
{
	vtime now = port_now(), before = now, start;
	vspan least = VTIME_NEVER;
	int64_t age = 0, read;

	for (int i = 0; i < STAMP_TRIES && least > STAMP_SLIP; i++) {
		start = now;
		read = port_clock_ns(CLOCK_REALTIME) - wall;
		now = port_now();
		if (now - start >= least)
			continue;
		least = now - start;
		before = start;
		age = read;
	}
	if (age < 0 || age > 10 * VSPAN_S) /* the wall clock was set */
		age = 0;
	return vtime_max(before - age, 0);
}

void port_hurry(void)
{
	const struct sched_param first = {.sched_priority = 1};

	/* The default timer slack of 50 us would delay each timer. */
	prctl(PR_SET_TIMERSLACK, 1);
	sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &first);
}

int port_wait(const int *fds, size_t n, vtime until, size_t *ret_ready)
{
	struct pollfd p[PORT_WAIT_MAX];
	struct timespec ts = {0};
	vspan left = 0;
	int got;

	if (n > PORT_WAIT_MAX)
		return ERR_VALUE;
	for (size_t i = 0; i < n; i++)
		p[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
	if (until != VTIME_NEVER)
		left = vtime_max(until - port_now(), 0);
	ts.tv_sec = left / VSPAN_S;
	ts.tv_nsec = left % VSPAN_S;
	got = ppoll(p, n, until == VTIME_NEVER ? NULL : &ts, NULL);
	if (got < 0)
		return errno == EINTR ? 0 : ERR_SYS;
	for (size_t i = 0; got && i < n; i++)
		if (p[i].revents) {
			*ret_ready = i;
			return 1;
		}
	return 0;
}
