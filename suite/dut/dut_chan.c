/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_chan.c -- channels over pipes and sockets, and the programs
 * behind them.
 *
 * A channel has an epoll descriptor that gathers its events: input, room for
 * output while some is pending, the standard error of the program and its end.
 * The channel polls a descriptor before each read and write instead of making
 * it non-blocking, because it may share that mode with a terminal.
 */
#define _GNU_SOURCE
#include "suite/dut/dut_chan.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "gen/port/port.h"
#include "gen/port/port_clock.h"
#include "gen/port/resolve.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/dut_proc.h"
#include "suite/dut/dut_spawn.h"

#define PENDING_MAX      (1 << 20) /* bytes that wait for a slow reader */
#define CHUNK            4096 /* a pipe that is ready takes so much at once */
#define END_PATIENCE     500  /* ms from one way of ending to the harder */
#define EXIT_PATIENCE    1000 /* ms from the end of the channel to the exit */
#define CONNECT_PATIENCE 5000 /* ms, for all addresses of a name */

struct chan {
	int in, out; /* the same for a socket; -1: closed */
	int err;     /* standard error of the program, or -1 */
	int pidfd;   /* of the program, or -1 */
	int always;  /* stands in for an input that epoll refuses, or -1 */
	int epoll;
	pid_t pid;
	pid_t listener; /* at a UNIX socket that we connected to; 0: unknown */
	bool lent;      /* the descriptors are the caller's */
	bool lets_go;   /* of what the program started */
	bool socket;
	bool eof, dead, asked_out;
	siginfo_t end; /* how the program ended, if dead */
	struct text pending;
	size_t sent;             /* of pending */
	size_t have, used, seen; /* of buf: filled, given away, searched */
	bool skipping;           /* the rest of an over-long line */
	char tail[CHAN_WHY / 2]; /* end of the standard error */
	char buf[CTL_LINE_MAX + 1];
};

void chan_errno(char why[CHAN_WHY], const char *what)
{
	const char *text = strerrordesc_np(errno);

	snprintf(why, CHAN_WHY, "%.180s: %s", what,
		 text ? text : "unknown error");
}

void chan_port(char why[CHAN_WHY], const struct port_conf *conf, int err)
{
	char text[PORT_NAME + 120];

	if (err == ERR_SYS) {
		port_error(conf, errno, text, sizeof(text));
		snprintf(why, CHAN_WHY, "%.230s", text);
	} else {
		port_name(conf, text, sizeof(text));
		snprintf(why, CHAN_WHY, "%.180s: %s", text, err_name(err));
	}
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Returns true if |events| are pending. */
static bool dut_chan_ready(int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};

	return fd >= 0 && poll(&p, 1, 0) > 0;
}

/* Making */

static int dut_chan_watch(struct chan *c, int fd, uint32_t events)
{
	struct epoll_event ev = {.events = events, .data = {.fd = fd}};

	return epoll_ctl(c->epoll, EPOLL_CTL_ADD, fd, &ev);
}

/* A file is always readable, and epoll will not have it. */
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

static void chan_release(struct chan *c)
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

/* Takes the descriptors, also if it fails. */
static struct chan *chan_make(int in, int out, bool lent)
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

static int dut_chan_made(struct chan **ret, struct chan *c, char why[CHAN_WHY],
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

/* Programs */

struct pipes {
	int in[2], out[2], err[2];
};

static void pipes_close(struct pipes *p)
{
	for (int i = 0; i < 2; i++) {
		close_fd(&p->in[i]);
		close_fd(&p->out[i]);
		close_fd(&p->err[i]);
	}
}

static int pipes_open(struct pipes *p, bool show_stderr)
{
	*p = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}};
	if (pipe2(p->in, O_CLOEXEC) || pipe2(p->out, O_CLOEXEC))
		return -1;
	if (show_stderr)
		return 0;
	return pipe2(p->err, O_CLOEXEC);
}

/* Takes the tester's ends of the pipes. */
static struct chan *chan_of_pipes(struct pipes *p)
{
	struct chan *c = chan_make(p->out[0], p->in[1], false);

	p->out[0] = p->in[1] = -1;
	if (c && p->err[0] >= 0) {
		c->err = p->err[0];
		p->err[0] = -1;
		dut_chan_watch(c, c->err, EPOLLIN);
	}
	return c;
}

/* A process group of its own lets what it starts be ended with it. */
static int dut_chan_spawn(pid_t *ret, const struct pipes *p,
			  const char *const *argv, unsigned flags)
{
	const struct spawn_conf conf = {
		.argv = argv,
		.in = p->in[0],
		.out = p->out[1],
		.err = p->err[1],
		.privileged = flags & CHAN_PRIVILEGED,
	};

	return spawn_program(ret, &conf);
}

int chan_spawn(struct chan **ret, const char *const *argv, unsigned flags,
	       char why[CHAN_WHY])
{
	struct chan *c = NULL;
	struct pipes p;
	pid_t pid = 0;
	int err;

	if (!pipes_open(&p, flags & CHAN_SHOW_STDERR) &&
	    !dut_chan_spawn(&pid, &p, argv, flags))
		c = chan_of_pipes(&p);
	if (c) {
		c->pid = pid;
		c->lets_go = flags & CHAN_LETS_GO;
		c->pidfd = pidfd_open(pid, 0);
		if (c->pidfd >= 0)
			dut_chan_watch(c, c->pidfd, EPOLLIN);
	}
	err = dut_chan_made(ret, c, why, argv[0]);
	pipes_close(&p);
	if (!c && pid) {
		kill(-pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	return err;
}

/* While the program is not reaped no other group has its number. */
static bool reap_dead(struct chan *c)
{
	if (waitid(P_PIDFD, (id_t)c->pidfd, &c->end,
		   WEXITED | WNOHANG | WNOWAIT) ||
	    !c->end.si_pid)
		return false;
	if (!c->lets_go)
		kill(-c->pid, SIGTERM);
	waitpid(c->pid, NULL, 0);
	return true;
}

/*
 * Waits for the end of the program.  Returns whether it has ended.  Signals
 * come again and again to a run that is to stop: they do not prolong the wait.
 */
static bool dut_chan_reap(struct chan *c, vtime until)
{
	struct pollfd p = {.fd = c->pidfd, .events = POLLIN};
	vspan left;
	int got;

	if (c->dead || c->pidfd < 0)
		return c->dead;
	do {
		left = until - port_now();
		got = poll(&p, 1, left > 0 ? (int)(left / VSPAN_MS) + 1 : 0);
	} while (got < 0 && errno == EINTR);
	c->dead = got > 0 && reap_dead(c);
	return c->dead;
}

/* Waits for all of them at once.  Returns whether all have ended. */
static bool reap_all(struct chan *const *all, size_t n)
{
	const vtime until = port_now() + END_PATIENCE * VSPAN_MS;
	bool ended = true;

	for (size_t i = 0; i < n; i++)
		if (all[i] && all[i]->pidfd >= 0)
			ended &= dut_chan_reap(all[i], until);
	return ended;
}

static void kill_all(struct chan *const *all, size_t n, int number)
{
	for (size_t i = 0; i < n; i++)
		if (all[i] && all[i]->pidfd >= 0 && !all[i]->dead)
			kill(-all[i]->pid, number);
}

static void end_programs(struct chan *const *all, size_t n)
{
	if (reap_all(all, n))
		return;
	kill_all(all, n, SIGTERM);
	if (reap_all(all, n))
		return;
	kill_all(all, n, SIGKILL);
	reap_all(all, n);
}

static void dut_chan_hang_up(struct chan *c)
{
	if (c->lent)
		return;
	if (c->out != c->in)
		close_fd(&c->out);
	close_fd(&c->in);
	c->out = c->in;
}

void chan_free_all(struct chan *const *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (all[i])
			dut_chan_hang_up(all[i]);
	end_programs(all, n);
	for (size_t i = 0; i < n; i++)
		if (all[i])
			chan_release(all[i]);
}

void chan_free(struct chan *c)
{
	chan_free_all(&c, 1);
}

/* Sockets */

static int unix_name(struct sockaddr_un *ret, const char *path)
{
	*ret = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof(ret->sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(ret->sun_path, path, strlen(path));
	return 0;
}

/* A connected socket, or -1. */
static int unix_connect(const char *path)
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

/* Addresses of a host, or NULL with |why| filled. */
static struct addrinfo *dut_chan_resolve(const char *host, uint16_t port,
					 bool listen, char why[CHAN_WHY])
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

/* Listening */

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

/* Removes a socket without a listener. */
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
	/* Its mode is set before there is a name to open. */
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
		return 0; /* who connected has gone again */
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

/* Writing */

/* A pipe whose reader is gone must not end us: SIGPIPE stays away. */
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

/* Wakes up when there is room for output, while some is pending. */
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

/* Reading */

/* Keeps the end of what the program says on its standard error. */
static void read_stderr(struct chan *c)
{
	char s[512];
	size_t keep = strlen(c->tail), room = sizeof(c->tail) - 1;
	ssize_t n = read(c->err, s, sizeof(s));
	size_t len, drop;

	if (n <= 0) {
		if (n == 0 || errno != EINTR)
			close_fd(&c->err); /* which leaves the epoll set */
		return;
	}
	len = (size_t)n < room ? (size_t)n : room;
	drop = keep + len > room ? keep + len - room : 0;
	memmove(c->tail, c->tail + drop, keep - drop);
	memcpy(c->tail + keep - drop, s + (size_t)n - len, len);
	c->tail[keep - drop + len] = 0;
}

/* The last line of it that is not empty, printable. */
static const char *last_words(struct chan *c)
{
	size_t n = strlen(c->tail);
	char *line;

	while (n && (uint8_t)c->tail[n - 1] <= ' ')
		c->tail[--n] = 0;
	line = strrchr(c->tail, '\n');
	line = line ? line + 1 : c->tail;
	for (char *p = line; *p; p++)
		if ((uint8_t)*p < ' ' || *p == 0x7f)
			*p = '?';
	return line;
}

/* ---- How it fares ---- */

vspan chan_starved(const struct chan *c)
{
	if (c->pid > 0 && !c->dead)
		return proc_starved(c->pid);
	return 0;
}

/* A child that was stopped and goes on again has left word of it. */
static bool was_stopped(const struct chan *c)
{
	siginfo_t info = {0};

	return c->pidfd >= 0 && !c->dead &&
	       !waitid(P_PIDFD, (id_t)c->pidfd, &info,
		       WSTOPPED | WCONTINUED | WNOHANG) &&
	       info.si_pid;
}

bool chan_stopped(const struct chan *c)
{
	const pid_t pid = c->pid > 0 ? c->pid : c->listener;

	return was_stopped(c) || (pid > 0 && !c->dead && proc_stopped(pid));
}

void chan_ended(struct chan *c, char why[CHAN_WHY])
{
	const char *words, *name;
	char how[64];

	if (!dut_chan_reap(c, c->eof ? port_now() + EXIT_PATIENCE * VSPAN_MS
				     : 0)) {
		snprintf(how, sizeof(how), "closed the channel");
	} else if (c->end.si_code == CLD_EXITED) {
		snprintf(how, sizeof(how), "exited with status %d",
			 c->end.si_status);
	} else {
		name = sigabbrev_np(c->end.si_status);
		snprintf(how, sizeof(how), "was killed by signal %d (SIG%s)",
			 c->end.si_status, text_or(name, "?"));
	}
	while (c->err >= 0 && dut_chan_ready(c->err, POLLIN))
		read_stderr(c);
	words = last_words(c);
	snprintf(why, CHAN_WHY, "%s%s%s", how, *words ? ": " : "", words);
}

/* Gives the next line of the buffer away.  Returns whether there is one. */
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
	dut_chan_flush(c); /* if the other end is gone, reading tells */
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
		else /* its last words, unless something else has the pipe */
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
