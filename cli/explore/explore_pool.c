/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_pool.c -- worker threads that explore.
 *
 * The main thread waits for their end.  After an interruption it wakes the
 * workers that wait for packets.
 */
#include "cli/explore/explore_pool.h"

#include <pthread.h>
#include <signal.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/privilege.h"

/* Protects what the workers share; there is one pool in a process. */
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pool_ended = PTHREAD_COND_INITIALIZER;

struct explore_pool {
	const struct explore_pool_conf *conf;
	unsigned working; /* threads that have not ended */
	int err;          /* of the first worker that failed */
};

struct explore_worker {
	struct explore_pool *pool;
	unsigned index;
	pthread_t thread;
};

void explore_pool_lock(void *ctx, bool take)
{
	(void)ctx;
	if (take)
		pthread_mutex_lock(&pool_lock);
	else
		pthread_mutex_unlock(&pool_lock);
}

/* Claims the next run; false: the worker ends. */
static bool explore_pool_claims(struct explore_pool *p, struct explore *x)
{
	bool claims;

	explore_pool_lock(NULL, true);
	claims = !p->err && p->conf->goes_on(p->conf->ctx, x);
	if (claims)
		explore_claim(x);
	explore_pool_lock(NULL, false);
	return claims;
}

static void *explore_pool_work(void *arg)
{
	const struct explore_worker *w = arg;
	struct explore_pool *p = w->pool;
	struct explore *x = NULL;
	int err = explore_join(&x, p->conf->explore, w->index);

	while (!err && explore_pool_claims(p, x))
		err = explore_run(x);
	explore_free(x);
	explore_pool_lock(NULL, true);
	if (err && !p->err)
		p->err = err;
	p->working--;
	pthread_cond_signal(&pool_ended);
	explore_pool_lock(NULL, false);
	return NULL;
}

/* Waits a while for the end of a worker. */
static void explore_pool_look(struct explore_pool *p,
			      const struct explore_worker *workers, unsigned n)
{
	if (*p->conf->stop)
		for (unsigned i = 0; i < n; i++)
			pthread_kill(workers[i].thread, CLI_WAKE);
	cli_await_change(&pool_ended, &pool_lock);
}

int explore_pool_run(const struct explore_pool_conf *conf)
{
	struct explore_worker workers[EXPLORE_POOL_MAX];
	struct explore_pool p = {.conf = conf, .working = conf->workers};
	unsigned n = 0;

	for (; n < conf->workers; n++) {
		workers[n] = (struct explore_worker){.pool = &p, .index = n};
		if (pthread_create(&workers[n].thread, NULL, explore_pool_work,
				   &workers[n]))
			break;
	}
	privilege_settle(0, PRIVILEGE_FILES);
	explore_pool_lock(NULL, true);
	p.working -= conf->workers - n;
	if (!n)
		p.err = ERR_NOMEM;
	while (p.working)
		explore_pool_look(&p, workers, n);
	explore_pool_lock(NULL, false);
	for (unsigned i = 0; i < n; i++)
		pthread_join(workers[i].thread, NULL);
	return p.err;
}
