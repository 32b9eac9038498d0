/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/isolated/dut_isolated.c -- carries the calls of a device in virtual time
 * to another process.
 *
 * Both processes map the same struct isolated_shared.  A call is written there,
 * and a byte on a socket says that it is there; another byte says that the
 * result is.  The child is forked, so the pointers that an event has to static
 * text are the same in both.  It has no descriptor but that socket and the
 * standard streams.
 *
 * Handing over takes longer than most calls.  So a datagram that is sent goes
 * with the call after it, and a call returns several events.
 */
#include "cli/isolated/dut_isolated.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/isolated/run_isolated.h"
#include "suite/dut/dut_virtual.h"

#define CHILD_FD  3   /* the child's end of the socket */
#define EVENTS    16  /* most events that a call returns */
#define LOOK      200 /* ms between two looks at a process that is at work */
#define CALL_TIME (1 * VSPAN_S) /* processor time of a call that loops */

enum isolated_call {
	CALL_BEGIN,
	CALL_SEND, /* nothing but the datagram that goes with it */
	CALL_CONTROL,
	CALL_NEXT,
	CALL_AWAITS,
	CALL_USE_IP6,
};

/* The memory that both processes map. */
struct isolated_shared {
	enum isolated_call call;
	/* arguments */
	uint64_t seed;
	vtime until;
	bool ip6;
	bool sends;           /* |d| was sent before the call, ... */
	struct dut_link link; /* ... by this link */
	struct dgram d;
	struct ctl_req req;
	/* results */
	int err;
	vtime now, due;
	struct dut_event ev;
	struct orc_event more[EVENTS]; /* events after |ev| */
	unsigned nmore;
	struct dut dut; /* of the child; its link is an argument as well */
};

struct isolated {
	struct dut dut;
	const struct orc_api *api;
	struct orc_conf conf;
	struct ip_addr tester;
	vspan delay;
	struct isolated_shared *shared;
	pid_t pid; /* 0: the process has ended */
	int fd;
	vtime now;
	bool sends;                 /* a datagram waits for the next call */
	bool asked;                 /* a control request has no answer yet */
	unsigned taken;             /* of shared->more */
	char why[DUT_ISOLATED_WHY]; /* how the process ended */
};

static struct isolated *isolated_self(struct dut *d)
{
	return (struct isolated *)d;
}

/* Returns the next event, and those after it that need no time. */
static int isolated_events(struct isolated_shared *s, struct dut *d)
{
	static struct dut_event ev;
	int err = d->ops->next(d, s->until, &s->ev);

	if (err || s->ev.kind != DUT_EVENT)
		return err;
	while (s->nmore < EVENTS && dut_virtual_has_event(d)) {
		err = d->ops->next(d, s->until, &ev);
		if (err)
			return err;
		s->more[s->nmore++] = ev.ev;
	}
	return 0;
}

/* Carries out a call in the child. */
static int isolated_carry_out(struct isolated_shared *s, struct dut *d)
{
	int fds[DUT_FDS];

	switch (s->call) {
	case CALL_SEND:
		return 0;
	case CALL_BEGIN:
		return d->ops->begin(d, s->seed);
	case CALL_CONTROL:
		return d->ops->control(d, &s->req);
	case CALL_NEXT:
		return isolated_events(s, d);
	case CALL_AWAITS:
		d->ops->awaits(d, fds, &s->due);
		return 0;
	case CALL_USE_IP6:
		return d->ops->use_ip6(d, s->ip6);
	}
	return ERR_SUPPORT;
}

/* Writes the byte that hands over.  Return: false if the other one ended. */
static bool isolated_say(int fd)
{
	ssize_t n;

	do
		n = send(fd, "", 1, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

/* Waits for that byte.  Return: false if the other one ended. */
static bool isolated_hear(int fd)
{
	char byte;
	ssize_t n;

	do
		n = recv(fd, &byte, 1, 0);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

/* Sends the datagram that goes with a call. */
static int isolated_send_first(struct isolated_shared *s, struct dut *d)
{
	if (!s->sends)
		return 0;
	d->link = s->link;
	return d->ops->send(d, &s->d);
}

/* The child: makes the endpoint and carries out calls until there are none. */
static void __attribute__((noreturn)) isolated_child(const struct isolated *v)
{
	struct isolated_shared *s = v->shared;
	struct dut *d;

	s->err = dut_virtual_new(&d, v->api, &v->conf, v->tester, v->delay);
	if (s->err) {
		isolated_say(CHILD_FD);
		_exit(0);
	}
	s->dut = *d;
	s->now = d->ops->now(d);
	while (isolated_say(CHILD_FD) && isolated_hear(CHILD_FD)) {
		s->err = isolated_send_first(s, d);
		d->link = s->dut.link;
		if (s->err == 0)
			s->err = isolated_carry_out(s, d);
		s->dut.link = d->link;
		s->dut.counts = d->counts;
		s->dut.tester = d->tester;
		s->dut.peer = d->peer;
		s->now = d->ops->now(d);
	}
	_exit(0);
}

/* Prepares the child: it holds no file but its end of the socket. */
static void isolated_enter(int fd, pid_t parent)
{
	run_isolated_bind(parent);
	if (dup2(fd, CHILD_FD) < 0)
		_exit(0);
	close_range(CHILD_FD + 1, ~0u, 0);
}

static void isolated_ended(struct isolated *v, int status)
{
	v->pid = 0;
	close(v->fd);
	run_isolated_why(status, v->why);
}

/* Ends the process, and returns its status. */
static int isolated_reap(struct isolated *v, bool now)
{
	int status = 0;

	if (now)
		kill(v->pid, SIGKILL);
	while (waitpid(v->pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Returns the processor time of the child, or 0 if it has ended. */
static vspan isolated_cpu(const struct isolated *v)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(v->pid, &clock) || clock_gettime(clock, &ts))
		return 0;
	return ts.tv_sec * VSPAN_S + ts.tv_nsec;
}

/* Waits for the result of a call.  Return: false if there will be none. */
static bool isolated_await(struct isolated *v)
{
	vspan first = -1;
	char byte;

	for (;;) {
		const ssize_t n = recv(v->fd, &byte, 1, 0);

		if (n == 1)
			return true;
		if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
			isolated_ended(v, isolated_reap(v, false));
			return false;
		}
		if (errno == EINTR)
			continue;
		if (first < 0)
			first = isolated_cpu(v);
		if (isolated_cpu(v) - first < CALL_TIME)
			continue;
		isolated_ended(v, isolated_reap(v, true));
		snprintf(v->why, sizeof(v->why),
			 "the endpoint loops: no end within %d s of processor "
			 "time",
			 (int)(CALL_TIME / VSPAN_S));
		return false;
	}
}

/* Takes over what the last call has changed. */
static void isolated_take(struct isolated *v)
{
	const struct isolated_shared *s = v->shared;

	v->now = s->now;
	v->dut.link = s->dut.link;
	v->dut.counts = s->dut.counts;
	v->dut.tester = s->dut.tester;
	v->dut.peer = s->dut.peer;
}

/* Makes a call.  Return: its result, or ERR_CLOSED: the process has ended. */
static int isolated_call(struct isolated *v, enum isolated_call call)
{
	if (!v->pid)
		return ERR_CLOSED;
	v->shared->call = call;
	v->shared->sends = v->sends;
	v->shared->dut.link = v->dut.link;
	v->sends = false;
	isolated_say(v->fd);
	if (!isolated_await(v))
		return ERR_CLOSED;
	isolated_take(v);
	return v->shared->err;
}

/* Starts the process, which makes the endpoint. */
static int isolated_start(struct isolated *v)
{
	const struct timeval look = {.tv_usec = LOOK * 1000};
	const pid_t parent = getpid();
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return ERR_SYS;
	v->pid = fork();
	if (v->pid == 0) {
		isolated_enter(fds[1], parent);
		isolated_child(v);
	}
	close(fds[1]);
	v->fd = fds[0];
	if (v->pid < 0) {
		v->pid = 0;
		close(v->fd);
		return ERR_SYS;
	}
	setsockopt(v->fd, SOL_SOCKET, SO_RCVTIMEO, &look, sizeof(look));
	if (!isolated_await(v))
		return ERR_CLOSED;
	return v->shared->err;
}

static vtime isolated_now(struct dut *d)
{
	return isolated_self(d)->now;
}

static int isolated_send(struct dut *d, struct dgram *dg)
{
	struct isolated *v = isolated_self(d);
	int err = 0;

	if (v->sends)
		err = isolated_call(v, CALL_SEND);
	dgram_copy(&v->shared->d, dg);
	v->shared->link = v->dut.link;
	v->sends = true;
	if (err == 0 && dg->len > DGRAM_MAX - CRC_LEN)
		err = isolated_call(v, CALL_SEND); /* may lack room */
	return err == ERR_CLOSED ? 0 : err;        /* next says so */
}

static int isolated_control(struct dut *d, const struct ctl_req *req)
{
	struct isolated *v = isolated_self(d);
	int err;

	v->shared->req = *req;
	v->shared->req.op.pds.pkt = v->shared->req.pkt;
	v->asked = true;
	err = isolated_call(v, CALL_CONTROL);
	return err == ERR_CLOSED ? 0 : err;
}

/* Copies what the child returned; the rest of an event is large. */
static void isolated_take_event(struct isolated *v, struct dut_event *ret)
{
	const struct dut_event *ev = &v->shared->ev;

	ret->kind = ev->kind;
	ret->at = ev->at;
	if (ev->kind == DUT_DGRAM)
		dgram_copy(&ret->d, &ev->d);
	else if (ev->kind == DUT_ANSWER)
		ret->ans = ev->ans;
	else if (ev->kind == DUT_EVENT)
		ret->ev = ev->ev;
	else if (ev->kind == DUT_GONE)
		memcpy(ret->text, ev->text, sizeof(ret->text));
	if (ev->kind == DUT_ANSWER)
		v->asked = false;
}

/* An answer comes before the events that are left, as in this process. */
static int isolated_next(struct dut *d, vtime until, struct dut_event *ret)
{
	struct isolated *v = isolated_self(d);
	struct isolated_shared *s = v->shared;
	int err;

	if (!v->asked && v->taken < s->nmore) {
		ret->kind = DUT_EVENT;
		ret->at = v->now;
		ret->ev = s->more[v->taken++];
		return 0;
	}
	if (v->taken == s->nmore)
		v->taken = s->nmore = 0;
	s->until = until;
	err = isolated_call(v, CALL_NEXT);
	if (err == ERR_CLOSED) {
		ret->kind = DUT_GONE;
		ret->at = v->now;
		snprintf(ret->text, sizeof(ret->text), "%s", v->why);
		return 0;
	}
	if (err == 0)
		isolated_take_event(v, ret);
	return err;
}

static void isolated_awaits(struct dut *d, int *ret_fds, vtime *ret_until)
{
	struct isolated *v = isolated_self(d);

	for (unsigned i = 0; i < DUT_FDS; i++)
		ret_fds[i] = -1;
	if (isolated_call(v, CALL_AWAITS))
		*ret_until = v->now;
	else
		*ret_until = v->shared->due;
}

/* A device that has ended begins again in a new process. */
static int isolated_revive(struct isolated *v)
{
	int err;

	if (v->pid)
		return 0;
	err = isolated_start(v);
	if (err)
		return err;
	isolated_take(v);
	return 0;
}

static int isolated_use_ip6(struct dut *d, bool on)
{
	struct isolated *v = isolated_self(d);
	int err = isolated_revive(v);

	if (err)
		return err;
	v->shared->ip6 = on;
	return isolated_call(v, CALL_USE_IP6);
}

static int isolated_begin(struct dut *d, uint64_t seed)
{
	struct isolated *v = isolated_self(d);
	int err = isolated_revive(v);

	if (err)
		return err;
	v->sends = v->asked = false;
	v->taken = v->shared->nmore = 0;
	v->shared->seed = seed;
	return isolated_call(v, CALL_BEGIN);
}

static void isolated_tally(struct dut *d)
{
	(void)d;
}

static void isolated_free(struct dut *d)
{
	struct isolated *v = isolated_self(d);

	if (v->pid)
		isolated_ended(v, isolated_reap(v, true));
	munmap(v->shared, sizeof(*v->shared));
	free(v);
}

static const struct dut_ops isolated_ops = {
	.now = isolated_now,
	.send = isolated_send,
	.control = isolated_control,
	.next = isolated_next,
	.awaits = isolated_awaits,
	.tally = isolated_tally,
	.use_ip6 = isolated_use_ip6,
	.begin = isolated_begin,
	.free = isolated_free,
};

static struct isolated *isolated_alloc(void)
{
	struct isolated *v = memory_calloc(1, sizeof(*v));
	void *p;

	if (!v)
		return NULL;
	p = mmap(NULL, sizeof(*v->shared), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		free(v);
		return NULL;
	}
	v->shared = p;
	return v;
}

int dut_isolated_new(struct dut **ret, const struct orc_api *api,
		     const struct orc_conf *conf, struct ip_addr tester,
		     vspan delay, char why[DUT_ISOLATED_WHY])
{
	struct isolated *v = isolated_alloc();
	int err;

	if (!v)
		return ERR_NOMEM;
	v->api = api;
	v->conf = *conf;
	v->tester = tester;
	v->delay = delay;
	err = isolated_start(v);
	if (err) {
		memcpy(why, v->why, sizeof(v->why));
		isolated_free(&v->dut);
		return err;
	}
	v->dut = v->shared->dut;
	v->dut.ops = &isolated_ops;
	*ret = &v->dut;
	return 0;
}
