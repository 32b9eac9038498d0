/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_connect.c -- connects a channel to a UNIX or TCP socket.
 */
#define _GNU_SOURCE
#include "suite/dut/chan/chan_connect.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/err.h"
#include "gen/port/port_clock.h"
#include "gen/port/resolve.h"
#include "suite/dut/chan/chan_make.h"
#include "suite/dut/chan/chan_state.h"
#include "suite/dut/chan/chan_why.h"

#define CONNECT_PATIENCE 5000 /* ms, for all addresses of a name */

int unix_name(struct sockaddr_un *ret, const char *path)
{
	*ret = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof(ret->sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(ret->sun_path, path, strlen(path));
	return 0;
}

int unix_connect(const char *path)
{
	struct sockaddr_un un;
	int fd, saved;

	if (unix_name(&un, path))
		return -1;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || !connect(fd, (struct sockaddr *)&un, sizeof(un)))
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

int chan_unix(struct chan **ret, const char *path, char why[CHAN_WHY])
{
	int fd = unix_connect(path);
	struct chan *c = fd < 0 ? NULL : chan_make(fd, fd, false);
	struct ucred peer = {0};
	socklen_t len = sizeof(peer);

	if (c && !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		c->listener = peer.pid;
	return dut_chan_made(ret, c, why, path);
}

/* A signal ends the attempt too, because it asks the run to stop. */
static int tcp_connect(const struct addrinfo *a, vtime until)
{
	const vspan left = until - port_now();
	int fd = socket(a->ai_family,
			SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	int error = 0, one = 1;
	socklen_t len = sizeof(error);

	if (fd < 0)
		return -1;
	if (!connect(fd, a->ai_addr, a->ai_addrlen))
		goto out;
	error = errno;
	if (error == EINPROGRESS) {
		error = ETIMEDOUT;
		if (left > 0 && poll(&p, 1, (int)(left / VSPAN_MS)) > 0)
			getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len);
	}
out:
	if (!error) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		return fd;
	}
	close(fd);
	errno = error;
	return -1;
}

struct addrinfo *dut_chan_resolve(const char *host, uint16_t port, bool listen,
				  char why[CHAN_WHY])
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
				 .ai_flags = AI_NUMERICSERV |
					     (listen ? AI_PASSIVE : 0)};
	struct addrinfo *all = NULL;
	char digits[8];
	int err;

	snprintf(digits, sizeof(digits), "%u", port);
	err = resolve_host(&all, host, digits, &hints);
	if (!err)
		return all;
	snprintf(why, CHAN_WHY, "%.180s: %s", host, gai_strerror(err));
	return NULL;
}

int chan_tcp(struct chan **ret, const char *host, uint16_t port,
	     char why[CHAN_WHY])
{
	struct addrinfo *all = dut_chan_resolve(host, port, false, why);
	const vtime until = port_now() + CONNECT_PATIENCE * VSPAN_MS;
	char what[160];
	int fd = -1, err;

	if (!all)
		return ERR_SYS;
	for (struct addrinfo *a = all; a && fd < 0; a = a->ai_next)
		fd = tcp_connect(a, until);
	snprintf(what, sizeof(what), "%.140s:%u", host, port);
	err = dut_chan_made(ret, fd < 0 ? NULL : chan_make(fd, fd, false), why,
			    what);
	freeaddrinfo(all);
	return err;
}
