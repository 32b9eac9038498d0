/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/sink.c -- writes to a pipe or a terminal with poll(), and buffers up
 * to 64 MiB for a slow reader.
 *
 * A write is PIPE_BUF bytes at most, which a ready pipe takes without blocking.
 * After an error the sink discards its buffer and all later data.
 */
#include "cli/file/sink.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "gen/port/port_clock.h"

/* most bytes by which a reader may be behind */
#define BEHIND_MAX ((size_t)64 << 20)
#define LOOK       100 /* ms between two reads of |stop| */
#define GRACE      VSPAN_S

/* Closes the descriptor of a file as well, so that no second write is torn. */
static int broken(struct sink *s, int err)
{
	const int kept = errno;

	text_free(&s->pending);
	s->sent = 0;
	s->fd = -1;
	errno = kept;
	return err;
}

/* A pipe that is ready takes PIPE_BUF bytes without a wait. */
static int sink_flush(struct sink *s, int patience_ms)
{
	struct pollfd p = {.fd = s->fd, .events = POLLOUT};

	while (s->sent < s->pending.len && poll(&p, 1, patience_ms) > 0) {
		const size_t left = s->pending.len - s->sent;
		const ssize_t n = write(s->fd, s->pending.s + s->sent,
					left < PIPE_BUF ? left : PIPE_BUF);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return broken(s, ERR_SYS);
		if (n < 0)
			break;
		s->sent += (size_t)n;
	}
	if (s->sent == s->pending.len) {
		text_clear(&s->pending);
		s->sent = 0;
	}
	return 0;
}

/* Waits until no more than |most| bytes are pending. */
static int sink_await(struct sink *s, size_t most)
{
	vtime until = VTIME_NEVER;

	while (s->pending.len - s->sent > most) {
		if (sink_flush(s, LOOK))
			return ERR_SYS;
		if (until == VTIME_NEVER && s->stop && *s->stop)
			until = port_now() + GRACE;
		if (port_now() >= until && s->pending.len - s->sent > most) {
			errno = EINTR;
			return broken(s, ERR_SYS);
		}
	}
	return 0;
}

int sink_put(struct sink *s, const char *p, size_t len)
{
	if (s->fd < 0)
		return 0;
	if (s->sent > BEHIND_MAX / 2) {
		s->pending.len -= s->sent;
		memmove(s->pending.s, s->pending.s + s->sent, s->pending.len);
		s->sent = 0;
	}
	text_add(&s->pending, p, len);
	if (text_err(&s->pending))
		return broken(s, ERR_NOMEM);
	if (sink_flush(s, 0))
		return ERR_SYS;
	return sink_await(s, BEHIND_MAX);
}

int sink_end(struct sink *s)
{
	const int err = s->fd < 0 ? 0 : sink_await(s, 0);

	text_free(&s->pending);
	return err;
}
