/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/dut_chan.c -- channels over pipes and sockets, and the
 * programs behind them.
 *
 * A channel has an epoll descriptor that gathers its events: input, room for
 * output while some is pending, the standard error of the program and its end.
 * The channel polls a descriptor before each read and write instead of making
 * it non-blocking, because it may share that mode with a terminal.
 */
#define _GNU_SOURCE
#include "suite/dut/chan/dut_chan.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/err.h"
#include "base/text.h"
#include "gen/port/port_clock.h"
#include "suite/dut/chan/chan_make.h"
#include "suite/dut/chan/chan_program.h"
#include "suite/dut/chan/chan_state.h"

#define PENDING_MAX (1 << 20) /* bytes queued for a slow reader */
#define CHUNK       4096      /* bytes that a writable pipe accepts */

/* Blocks SIGPIPE, which would end rung if the reader is gone. */
static ssize_t write_pipe(int fd, const char *s, size_t len)
{
	static const struct timespec none;
	sigset_t pipe_only, before, pending;
	bool was_pending;
	ssize_t n;
	int saved;

	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	sigpending(&pending);
	was_pending = sigismember(&pending, SIGPIPE) == 1;
	pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
	n = write(fd, s, len);
	saved = errno;
	if (n < 0 && saved == EPIPE && !was_pending)
		sigtimedwait(&pipe_only, NULL, &none);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return n;
}

static ssize_t write_some(const struct chan *c, const char *s, size_t len)
{
	size_t n = len < CHUNK ? len : CHUNK;

	if (c->socket)
		return send(c->out, s, n, MSG_NOSIGNAL | MSG_DONTWAIT);
	return write_pipe(c->out, s, n);
}

/* Watches for room in the output while some output is pending. */
static void ask_for_room(struct chan *c, bool want)
{
	struct epoll_event ev = {.events = EPOLLOUT, .data = {.fd = c->out}};
	int op = want ? EPOLL_CTL_ADD : EPOLL_CTL_DEL;

	if (want == c->asked_out)
		return;
	if (c->in == c->out) {
		op = EPOLL_CTL_MOD;
		ev.events = want ? EPOLLIN | EPOLLOUT : EPOLLIN;
	}
	epoll_ctl(c->epoll, op, c->out, &ev);
	c->asked_out = want;
}

static int dut_chan_flush(struct chan *c)
{
	int err = 0;

	while (c->sent < c->pending.len && dut_chan_ready(c->out, POLLOUT)) {
		ssize_t n = write_some(c, c->pending.s + c->sent,
				       c->pending.len - c->sent);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (n < 0) {
			err = ERR_CLOSED;
			break;
		}
		c->sent += (size_t)n;
	}
	if (err || c->sent == c->pending.len) {
		text_clear(&c->pending);
		c->sent = 0;
	}
	ask_for_room(c, c->pending.len != 0);
	return err;
}

int chan_write(struct chan *c, const char *s, size_t len)
{
	if (c->pending.len - c->sent + len > PENDING_MAX)
		return ERR_CLOSED;
	text_add(&c->pending, s, len);
	if (text_err(&c->pending))
		return ERR_NOMEM;
	return dut_chan_flush(c);
}

int chan_await_room(struct chan *c, vtime until)
{
	struct pollfd p = {.fd = c->out, .events = POLLOUT};

	while (c->pending.len - c->sent > PENDING_MAX / 2) {
		const vspan left = until - port_now();
		const int wait = left > 0 ? (int)(left / VSPAN_MS) + 1 : 0;

		if (poll(&p, 1, wait) <= 0)
			return 0;
		if (dut_chan_flush(c))
			return ERR_CLOSED;
	}
	return 1;
}

/* Takes the next line from the buffer.  Returns whether there is one. */
static bool take_line(struct chan *c, const char **ret, size_t *ret_len)
{
	while (c->seen < c->have || (c->eof && c->used < c->have)) {
		char *start = c->buf + c->used;
		char *end = memchr(c->buf + c->seen, '\n', c->have - c->seen);
		size_t len;
		bool skip = c->skipping;

		if (!end && !c->eof) {
			c->seen = c->have;
			return false;
		}
		if (!end) /* the last line has no newline */
			end = c->buf + c->have;
		len = (size_t)(end - start);
		c->used += len + (end < c->buf + c->have);
		c->seen = c->used;
		c->skipping = false;
		if (len && start[len - 1] == '\r')
			len--;
		if (skip || !len)
			continue;
		*ret = start;
		*ret_len = len;
		return true;
	}
	return false;
}

/* Makes room behind what is in the buffer.  ERR_SPACE: a line fills it. */
static int dut_chan_make_room(struct chan *c, const char **ret, size_t *ret_len)
{
	bool skipping = c->skipping;

	if (c->used) {
		memmove(c->buf, c->buf + c->used, c->have - c->used);
		c->have -= c->used;
		c->seen -= c->used;
		c->used = 0;
	}
	if (c->have < sizeof(c->buf))
		return 0;
	*ret = c->buf;
	*ret_len = c->have;
	c->have = c->seen = 0;
	c->skipping = true;
	if (skipping)
		return 0;
	return ERR_SPACE;
}

static void read_input(struct chan *c)
{
	ssize_t n = read(c->in, c->buf + c->have, sizeof(c->buf) - c->have);

	if (n > 0)
		c->have += (size_t)n;
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		c->eof = true;
}

int chan_read(struct chan *c, const char **ret, size_t *ret_len)
{
	dut_chan_flush(c); /* the read below reports a closed channel */
	if (c->err >= 0 && dut_chan_ready(c->err, POLLIN))
		read_stderr(c);
	for (;;) {
		int err;

		if (take_line(c, ret, ret_len))
			return 1;
		if (c->eof)
			return ERR_CLOSED;
		err = dut_chan_make_room(c, ret, ret_len);
		if (err)
			return err;
		if (dut_chan_ready(c->in, POLLIN))
			read_input(c);
		else if (!dut_chan_reap(c, 0))
			return 0;
		else /* the program's last line, unless another process has the
			pipe open */
			c->eof = !dut_chan_ready(c->in, POLLIN);
	}
}

size_t chan_unread(const struct chan *c)
{
	return c->have - c->used;
}

int chan_fd(const struct chan *c)
{
	return c->epoll;
}
