/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_room.c -- decides when to retry a send and when to give up.
 */
#define _GNU_SOURCE
#include "gen/port/port_room.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

#include "gen/port/port.h"
#include "gen/port/port_clock.h"

#define PAUSE                                                          \
	(200 * VSPAN_US) /* between retries, when no poll reports room \
			  */

bool port_room_none(int error)
{
	return error == EAGAIN || error == ENOBUFS;
}

static void pause_for(vspan time)
{
	const struct timespec ts = {.tv_sec = time / VSPAN_S,
				    .tv_nsec = time % VSPAN_S};

	nanosleep(&ts, NULL);
}

static void wait_a_while(int fd, int error, vspan left)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	const struct timespec ts = {.tv_sec = left / VSPAN_S,
				    .tv_nsec = left % VSPAN_S};

	if (error == EAGAIN)
		ppoll(&p, 1, &ts, NULL);
	/* The socket has room, but the queue below it has none. */
	if (error == ENOBUFS || p.revents)
		pause_for(left < PAUSE ? left : PAUSE);
}

bool port_room_wait(struct port_room *r, int fd)
{
	const int error = errno;
	const vtime now = port_now();

	if (error != EINTR && !port_room_none(error))
		return false;
	if (!r->waits) {
		r->waits = true;
		r->until =
			now + (r->refused ? PORT_ROOM_AGAIN : PORT_ROOM_TIME);
	}
	if (now >= r->until) {
		r->waits = false;
		r->refused = true;
		if (error == EINTR)
			errno = EAGAIN;
		else
			errno = error;
		return false;
	}
	if (error != EINTR)
		wait_a_while(fd, error, r->until - now);
	errno = error;
	return true;
}
