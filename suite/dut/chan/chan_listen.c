/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_listen.c -- accepts channels on a UNIX or TCP socket.
 */
#define _GNU_SOURCE
#include "suite/dut/chan/chan_listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memory.h"
#include "suite/dut/chan/chan_connect.h"
#include "suite/dut/chan/chan_make.h"
#include "suite/dut/chan/chan_state.h"
#include "suite/dut/chan/chan_why.h"

struct chan_listener {
	int fd;
	uint16_t port;
	char path[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
};

static int listener_make(struct chan_listener **ret, int fd, const char *path,
			 uint16_t port)
{
	struct chan_listener *l = memory_calloc(1, sizeof(*l));

	if (!l) {
		close(fd);
		return ERR_NOMEM;
	}
	l->fd = fd;
	l->port = port;
	snprintf(l->path, sizeof(l->path), "%s", path);
	*ret = l;
	return 0;
}

/* Removes a socket that no process listens on. */
static void remove_dead_socket(const char *path)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) || !S_ISSOCK(st.st_mode))
		return;
	fd = unix_connect(path);
	if (fd >= 0)
		close(fd);
	else if (errno == ECONNREFUSED)
		unlink(path);
}

int chan_listen_unix(struct chan_listener **ret, const char *path,
		     char why[CHAN_WHY])
{
	struct sockaddr_un un;
	int fd = -1;

	if (!unix_name(&un, path)) {
		remove_dead_socket(path);
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			    0);
	}
	/*
	 * Sets the mode before the socket has a path that another user
	 * could open.
	 */
	if (fd >= 0 && !fchmod(fd, S_IRUSR | S_IWUSR) &&
	    !bind(fd, (struct sockaddr *)&un, sizeof(un)) && !listen(fd, 8))
		return listener_make(ret, fd, path, 0);
	chan_errno(why, path);
	close_fd(&fd);
	return ERR_SYS;
}

static bool is_loopback(const struct sockaddr *sa)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (sa->sa_family == AF_INET) {
		memcpy(&in, sa, sizeof(in));
		return ntohl(in.sin_addr.s_addr) >> 24 == 127;
	}
	memcpy(&in6, sa, sizeof(in6));
	return IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
}

static uint16_t bound_port(int fd)
{
	struct sockaddr_storage ss = {0};
	socklen_t len = sizeof(ss);
	struct sockaddr_in in;

	/* The port lies at the same place in both families. */
	getsockname(fd, (struct sockaddr *)&ss, &len);
	memcpy(&in, &ss, sizeof(in));
	return ntohs(in.sin_port);
}

static int tcp_listen(const struct addrinfo *a)
{
	int fd = socket(a->ai_family,
			SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int one = 1, saved;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, 8))
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

int chan_listen_tcp(struct chan_listener **ret, const char *host, uint16_t port,
		    bool anywhere, char why[CHAN_WHY])
{
	struct addrinfo *a = dut_chan_resolve(host, port, true, why);
	int fd = -1;

	if (!a)
		return ERR_SYS;
	if (!anywhere && !is_loopback(a->ai_addr)) {
		snprintf(why, CHAN_WHY,
			 "%.100s is no loopback address; anybody who can "
			 "reach it and has the token controls the endpoint",
			 host);
	} else {
		fd = tcp_listen(a);
		if (fd < 0)
			chan_errno(why, host);
	}
	freeaddrinfo(a);
	if (fd < 0)
		return ERR_SYS;
	return listener_make(ret, fd, "", bound_port(fd));
}

int chan_listener_fd(const struct chan_listener *l)
{
	return l->fd;
}

uint16_t chan_listener_port(const struct chan_listener *l)
{
	return l->port;
}

int chan_accept(struct chan_listener *l, struct chan **ret)
{
	int one = 1;
	int fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return 0; /* the client has disconnected again */
	if (l->port)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	*ret = chan_make(fd, fd, false);
	if (*ret)
		return 1;
	return ERR_NOMEM;
}

void chan_listener_free(struct chan_listener *l)
{
	if (!l)
		return;
	close(l->fd);
	if (l->path[0])
		unlink(l->path);
	free(l);
}
