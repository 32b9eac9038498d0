/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_make.c -- makes a channel of descriptors.
 *
 * A channel has an epoll descriptor that gathers its events: input, room for
 * output while some is pending, the standard error of the program and its end.
 */
#define _GNU_SOURCE
#include "suite/dut/chan/chan_make.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "suite/dut/chan/chan_state.h"
#include "suite/dut/chan/chan_why.h"

void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

bool dut_chan_ready(int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};

	return fd >= 0 && poll(&p, 1, 0) > 0;
}

int dut_chan_watch(struct chan *c, int fd, uint32_t events)
{
	struct epoll_event ev = {.events = events, .data = {.fd = fd}};

	return epoll_ctl(c->epoll, EPOLL_CTL_ADD, fd, &ev);
}

/* Watches the input. epoll refuses regular files, which are always readable. */
static int watch_input(struct chan *c)
{
	if (!dut_chan_watch(c, c->in, EPOLLIN))
		return 0;
	if (errno != EPERM)
		return -1;
	c->always = eventfd(1, EFD_CLOEXEC);
	if (c->always < 0)
		return -1;
	return dut_chan_watch(c, c->always, EPOLLIN);
}

void chan_release(struct chan *c)
{
	if (!c->lent) {
		if (c->out != c->in)
			close_fd(&c->out);
		close_fd(&c->in);
	}
	close_fd(&c->err);
	close_fd(&c->pidfd);
	close_fd(&c->always);
	close_fd(&c->epoll);
	text_free(&c->pending);
	free(c);
}

struct chan *chan_make(int in, int out, bool lent)
{
	struct chan *c = memory_calloc(1, sizeof(*c));
	int type;
	socklen_t len = sizeof(type);

	if (!c) {
		if (!lent) {
			close_fd(&in);
			if (out != in)
				close_fd(&out);
		}
		errno = ENOMEM;
		return NULL;
	}
	c->in = in;
	c->out = out;
	c->lent = lent;
	c->err = c->pidfd = c->always = -1;
	c->socket = !getsockopt(out, SOL_SOCKET, SO_TYPE, &type, &len);
	c->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (c->epoll < 0 || watch_input(c)) {
		int saved = errno;

		chan_release(c);
		errno = saved;
		return NULL;
	}
	return c;
}

int dut_chan_made(struct chan **ret, struct chan *c, char why[CHAN_WHY],
		  const char *what)
{
	if (!c) {
		chan_errno(why, what);
		if (errno == ENOMEM)
			return ERR_NOMEM;
		return ERR_SYS;
	}
	*ret = c;
	return 0;
}

int chan_of_fds(struct chan **ret, int in, int out, char why[CHAN_WHY])
{
	return dut_chan_made(ret, chan_make(in, out, true), why,
			     "control channel");
}
