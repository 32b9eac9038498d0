/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/lab/lease.c -- acquires a bench, renews the lease in a thread, and
 * releases the bench.
 */
#include "cli/lab/lease.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "cli/lab/bench_hook.h"

struct lease {
	const char *who;
	const struct bench *bench;
	pthread_t thread;
	pthread_mutex_t lock; /* of all below; held during a renewal */
	pthread_cond_t changed;
	vtime until; /* end of the lease */
	bool threaded, ended, lost;
};

static vtime lease_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (vtime)ts.tv_sec * VSPAN_S + ts.tv_nsec;
}

/* Marks the bench as lost and interrupts the run.  The lock is held. */
static void lease_lose(struct lease *l, const char *why, int code)
{
	l->lost = true;
	fprintf(stderr, "%s: the lease of bench %s is lost: %s %d\n", l->who,
		l->bench->name, why, code);
	kill(getpid(), SIGTERM);
}

/* Renews the lease.  The lock is held. */
static void lease_renew(struct lease *l)
{
	const vtime begun = lease_now();
	int code;

	if (l->lost)
		return;
	code = bench_hook_run(l->bench, "renew", l->bench->acquire);
	if (code)
		lease_lose(l, "acquire ended with", code);
	else if (lease_now() > l->until)
		lease_lose(l, "the renewal came late; acquire ended with", 0);
	else
		l->until = begun + l->bench->lease;
}

static void *lease_keep(void *arg)
{
	struct lease *l = arg;

	pthread_mutex_lock(&l->lock);
	while (!l->ended && !l->lost) {
		const vtime next = l->until - l->bench->lease / 2;
		const struct timespec ts = {.tv_sec = (time_t)(next / VSPAN_S),
					    .tv_nsec = (long)(next % VSPAN_S)};

		if (lease_now() >= next)
			lease_renew(l);
		else
			pthread_cond_timedwait(&l->changed, &l->lock, &ts);
	}
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

/* Starts the thread; signals go to the other threads. */
static int lease_start(struct lease *l)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&l->thread, NULL, lease_keep, l);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	l->threaded = !err;
	return err ? cli_nomem(l->who) : 0;
}

int lease_begin(struct lease **ret, const char *who, const struct bench *b)
{
	struct lease *l = memory_calloc(1, sizeof(*l));
	pthread_condattr_t attr;
	int code = 0;

	if (!l)
		return cli_nomem(who);
	l->who = who;
	l->bench = b;
	pthread_mutex_init(&l->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&l->changed, &attr);
	pthread_condattr_destroy(&attr);
	l->until = lease_now() + b->lease;
	if (b->acquire)
		code = bench_hook_run(b, "acquire", b->acquire);
	if (code) {
		fprintf(stderr,
			"%s: bench %s was not acquired: the command ended "
			"with %d\n",
			who, b->name, code);
		l->lost = true; /* there is nothing to release */
		code = EXIT_HARNESS;
	} else if (b->lease) {
		/* Waiting for the bench does not count. */
		l->until = lease_now() + b->lease;
		code = lease_start(l);
	}
	if (code)
		lease_end(l);
	else
		*ret = l;
	return code;
}

bool lease_confirm(struct lease *l)
{
	bool kept;

	pthread_mutex_lock(&l->lock);
	if (l->bench->lease)
		lease_renew(l);
	kept = !l->lost;
	pthread_mutex_unlock(&l->lock);
	return kept;
}

bool lease_lost(struct lease *l)
{
	bool lost;

	pthread_mutex_lock(&l->lock);
	lost = l->lost;
	pthread_mutex_unlock(&l->lock);
	return lost;
}

void lease_end(struct lease *l)
{
	if (!l)
		return;
	pthread_mutex_lock(&l->lock);
	l->ended = true;
	pthread_cond_signal(&l->changed);
	pthread_mutex_unlock(&l->lock);
	if (l->threaded)
		pthread_join(l->thread, NULL);
	if (!l->lost && l->bench->release) {
		const int code =
			bench_hook_run(l->bench, "release", l->bench->release);

		if (code)
			fprintf(stderr,
				"%s: release of bench %s ended with %d\n",
				l->who, l->bench->name, code);
	}
	pthread_cond_destroy(&l->changed);
	pthread_mutex_destroy(&l->lock);
	free(l);
}
