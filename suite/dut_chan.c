/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Channels over pipes and sockets, and the programs behind them.
 *
 * A channel waits on an epoll descriptor of its own that gathers what may
 * happen: input, room for output while some is pending, the program's standard
 * error and its end.  Descriptors are asked with poll before each read and
 * write, so that they need not be made non-blocking, which they may share with
 * a terminal.
 */
#define _GNU_SOURCE
#include "suite/dut_chan.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
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
#include "base/text.h"
#include "gen/port.h"
#include "suite/ctl.h"

#define PENDING_MAX      (1 << 20) /* bytes that wait for a slow reader */
#define CHUNK            4096 /* a pipe that is ready takes so much at once */
#define END_PATIENCE     1000 /* ms from one way of ending to the harder */
#define CONNECT_PATIENCE 5000 /* ms */

struct chan {
	int in, out; /* the same for a socket; -1: closed */
	int err;     /* standard error of the program, or -1 */
	int pidfd;   /* of the program, or -1 */
	int always;  /* stands in for an input that epoll refuses, or -1 */
	int epoll;
	pid_t pid;
	bool lent; /* the descriptors are the caller's */
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

/* Whether |events| are there now. */
static bool ready(int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};

	return fd >= 0 && poll(&p, 1, 0) > 0;
}

/* Making */

static int watch(struct chan *c, int fd, uint32_t events)
{
	struct epoll_event ev = {.events = events, .data = {.fd = fd}};

	return epoll_ctl(c->epoll, EPOLL_CTL_ADD, fd, &ev);
}

/* A file is always readable, and epoll will not have it. */
static int watch_input(struct chan *c)
{
	if (!watch(c, c->in, EPOLLIN))
		return 0;
	if (errno != EPERM)
		return -1;
	c->always = eventfd(1, EFD_CLOEXEC);
	return c->always < 0 ? -1 : watch(c, c->always, EPOLLIN);
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
	struct chan *c = calloc(1, sizeof(*c));
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

static int made(struct chan **ret, struct chan *c, char why[CHAN_WHY],
		const char *what)
{
	if (!c) {
		chan_errno(why, what);
		return errno == ENOMEM ? ERR_NOMEM : ERR_SYS;
	}
	*ret = c;
	return 0;
}

int chan_of_fds(struct chan **ret, int in, int out, char why[CHAN_WHY])
{
	return made(ret, chan_make(in, out, true), why, "control channel");
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
	return show_stderr ? 0 : pipe2(p->err, O_CLOEXEC);
}

/* A process group of its own, so that what it starts can be ended with it. */
static int spawn(pid_t *ret, const struct pipes *p, const char *const *argv)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	char *const *args;
	sigset_t pipe_only;
	int err;

	memcpy(&args, &argv, sizeof(args)); /* posix_spawn changes nothing */
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, p->in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, p->out[1], STDOUT_FILENO);
	if (p->err[1] >= 0)
		posix_spawn_file_actions_adddup2(&files, p->err[1],
						 STDERR_FILENO);
	/* libpcap and libnet open raw sockets that an exec would keep. */
	posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr,
				 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigdefault(&attr, &pipe_only);
	err = posix_spawnp(ret, argv[0], &files, &attr, args, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	errno = err;
	return err ? -1 : 0;
}

/* Takes the tester's ends of the pipes. */
static struct chan *chan_of_pipes(struct pipes *p)
{
	struct chan *c = chan_make(p->out[0], p->in[1], false);

	p->out[0] = p->in[1] = -1;
	if (c && p->err[0] >= 0) {
		c->err = p->err[0];
		p->err[0] = -1;
		watch(c, c->err, EPOLLIN);
	}
	return c;
}

int chan_spawn(struct chan **ret, const char *const *argv, bool show_stderr,
	       char why[CHAN_WHY])
{
	struct chan *c = NULL;
	struct pipes p;
	pid_t pid = 0;
	int err;

	if (!pipes_open(&p, show_stderr) && !spawn(&pid, &p, argv))
		c = chan_of_pipes(&p);
	if (c) {
		c->pid = pid;
		c->pidfd = pidfd_open(pid, 0);
		if (c->pidfd >= 0)
			watch(c, c->pidfd, EPOLLIN);
	}
	err = made(ret, c, why, argv[0]);
	pipes_close(&p);
	if (!c && pid)
		waitpid(pid, NULL, 0); /* its pipes are closed: it ends */
	return err;
}

/* Waits for the end of the program.  Returns whether it has ended. */
static bool reap(struct chan *c, int patience_ms)
{
	struct pollfd p = {.fd = c->pidfd, .events = POLLIN};

	if (c->dead || c->pidfd < 0)
		return c->dead;
	while (poll(&p, 1, patience_ms) < 0)
		if (errno != EINTR)
			return false;
	if (!p.revents ||
	    waitid(P_PIDFD, (id_t)c->pidfd, &c->end, WEXITED | WNOHANG))
		return false;
	c->dead = c->end.si_pid != 0;
	return c->dead;
}

static void end_program(struct chan *c)
{
	if (c->pidfd < 0 || reap(c, END_PATIENCE))
		return;
	kill(-c->pid, SIGTERM);
	if (reap(c, END_PATIENCE))
		return;
	kill(-c->pid, SIGKILL);
	reap(c, END_PATIENCE);
}

void chan_free(struct chan *c)
{
	if (!c)
		return;
	if (!c->lent) {
		if (c->out != c->in)
			close_fd(&c->out);
		close_fd(&c->in);
		c->out = c->in;
	}
	end_program(c);
	chan_release(c);
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

	return made(ret, fd < 0 ? NULL : chan_make(fd, fd, false), why, path);
}

static int tcp_connect(const struct addrinfo *a)
{
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
		if (poll(&p, 1, CONNECT_PATIENCE) > 0)
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
static struct addrinfo *resolve(const char *host, uint16_t port, bool listen,
				char why[CHAN_WHY])
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
				 .ai_flags = AI_NUMERICSERV |
					     (listen ? AI_PASSIVE : 0)};
	struct addrinfo *all = NULL;
	char digits[8];
	int err;

	snprintf(digits, sizeof(digits), "%u", port);
	err = getaddrinfo(host, digits, &hints, &all);
	if (!err)
		return all;
	snprintf(why, CHAN_WHY, "%.180s: %s", host, gai_strerror(err));
	return NULL;
}

int chan_tcp(struct chan **ret, const char *host, uint16_t port,
	     char why[CHAN_WHY])
{
	struct addrinfo *all = resolve(host, port, false, why);
	char what[160];
	int fd = -1, err;

	if (!all)
		return ERR_SYS;
	for (struct addrinfo *a = all; a && fd < 0; a = a->ai_next)
		fd = tcp_connect(a);
	snprintf(what, sizeof(what), "%.140s:%u", host, port);
	err = made(ret, fd < 0 ? NULL : chan_make(fd, fd, false), why, what);
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
	struct chan_listener *l = calloc(1, sizeof(*l));

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

/* Removes a socket that nobody listens on any more. */
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
	struct addrinfo *a = resolve(host, port, true, why);
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
	return fd < 0 ? ERR_SYS : listener_make(ret, fd, "", bound_port(fd));
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
	return *ret ? 1 : ERR_NOMEM;
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

static int flush(struct chan *c)
{
	int err = 0;

	while (c->sent < c->pending.len && ready(c->out, POLLOUT)) {
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
	return flush(c);
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

#define FAMILY_MAX 16 /* programs that are looked at */

/* One of the files of a process. */
static FILE *proc_open(pid_t pid, const char *what)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, what);
	return fopen(path, "re");
}

static vspan starved(pid_t pid)
{
	FILE *f = proc_open(pid, "schedstat");
	long long ran = 0, waited = 0;

	if (f && fscanf(f, "%lld %lld", &ran, &waited) != 2)
		waited = 0;
	if (f)
		fclose(f);
	return waited;
}

/* Adds those that |pid| started to the |n| that are known. */
static size_t add_children(pid_t pid, pid_t *family, size_t n)
{
	char what[48];
	FILE *f;
	int child;

	snprintf(what, sizeof(what), "task/%d/children", (int)pid);
	f = proc_open(pid, what);
	while (f && n < FAMILY_MAX && fscanf(f, "%d", &child) == 1)
		family[n++] = child;
	if (f)
		fclose(f);
	return n;
}

vspan chan_starved(const struct chan *c)
{
	pid_t family[FAMILY_MAX] = {c->pid};
	size_t n = c->pid > 0 && !c->dead;
	vspan sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += starved(family[i]);
		n = add_children(family[i], family, n);
	}
	return sum;
}

void chan_ended(struct chan *c, char why[CHAN_WHY])
{
	const char *words, *name;
	char how[64];

	if (!reap(c, c->eof ? END_PATIENCE : 0)) {
		snprintf(how, sizeof(how), "closed the channel");
	} else if (c->end.si_code == CLD_EXITED) {
		snprintf(how, sizeof(how), "exited with status %d",
			 c->end.si_status);
	} else {
		name = sigabbrev_np(c->end.si_status);
		snprintf(how, sizeof(how), "was killed by signal %d (SIG%s)",
			 c->end.si_status, name ? name : "?");
	}
	while (c->err >= 0 && ready(c->err, POLLIN))
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
static int make_room(struct chan *c, const char **ret, size_t *ret_len)
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
	return skipping ? 0 : ERR_SPACE;
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
	flush(c); /* if the other end is gone, reading tells */
	if (c->err >= 0 && ready(c->err, POLLIN))
		read_stderr(c);
	for (;;) {
		int err;

		if (take_line(c, ret, ret_len))
			return 1;
		if (c->eof)
			return ERR_CLOSED;
		err = make_room(c, ret, ret_len);
		if (err)
			return err;
		if (ready(c->in, POLLIN))
			read_input(c);
		else if (!reap(c, 0))
			return 0;
		else /* its last words, unless something else has the pipe */
			c->eof = !ready(c->in, POLLIN);
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
