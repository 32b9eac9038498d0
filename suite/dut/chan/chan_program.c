/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_program.c -- starts a program with a channel on its
 * standard input and output, watches it, and ends it.
 */
#define _GNU_SOURCE
#include "suite/dut/chan/chan_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "gen/port/port_clock.h"
#include "suite/dut/chan/chan_make.h"
#include "suite/dut/chan/chan_state.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/chan/dut_proc.h"
#include "suite/dut/chan/dut_spawn.h"

#define END_PATIENCE  500  /* ms between end of input, SIGTERM and SIGKILL */
#define EXIT_PATIENCE 1000 /* ms from the end of the channel to the exit */

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

/*
 * The program gets its own process group, so that its children are ended with
 * it.
 */
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
		c->looked_at = port_now();
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

/*
 * Ends the process group before the program is reaped: until then no other
 * group can have its number.
 */
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

bool dut_chan_reap(struct chan *c, vtime until)
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

/* Waits for all programs at once.  Returns whether all have ended. */
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

void read_stderr(struct chan *c)
{
	char s[512];
	size_t keep = strlen(c->tail), room = sizeof(c->tail) - 1;
	ssize_t n = read(c->err, s, sizeof(s));
	size_t len, drop;

	if (n <= 0) {
		if (n == 0 || errno != EINTR)
			close_fd(&c->err); /* closing it also removes it from
					      the epoll set */
		return;
	}
	len = (size_t)n < room ? (size_t)n : room;
	drop = keep + len > room ? keep + len - room : 0;
	memmove(c->tail, c->tail + drop, keep - drop);
	memcpy(c->tail + keep - drop, s + (size_t)n - len, len);
	c->tail[keep - drop + len] = 0;
}

/* Returns the last non-empty line of its standard error, made printable. */
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

vspan chan_starved(struct chan *c)
{
	const vtime now = port_now();
	struct proc_threads threads;
	vspan starved;

	if (c->pid <= 0 || c->dead)
		return 0;
	proc_look(c->pid, &threads);
	starved = proc_starved(&c->threads, &threads, now - c->looked_at);
	c->threads = threads;
	c->looked_at = now;
	return starved;
}

/*
 * Returns true if a child was stopped, even if it continues now: waitid()
 * reports both.
 */
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
