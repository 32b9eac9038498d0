/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/worker_pool.c -- worker threads, and a ring in which results wait for
 * their turn.
 *
 * A worker takes the next case unless the ring is full or an exclusive case
 * needs the others to be idle.  The calling thread hands the results over in
 * order.  Each worker has its own device and replaces it when the family of the
 * case changes, or after a failure if the configuration asks for that.
 */
#include "cli/run/worker_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/run/dut_setup.h"
#include "suite/dut/transcript.h"

#define AHEAD 16 /* results per worker that may wait for an earlier result */

struct worker_pool {
	const struct worker_pool_conf *conf;
	size_t total;

	pthread_mutex_t lock; /* protects everything below */
	pthread_cond_t moved;
	struct record *
		/* a ring; NULL: no result yet, or already handed over */
		*results;
	size_t next;      /* the first case that no worker has taken */
	size_t arrived;   /* the first result that was not handed over */
	unsigned working; /* threads that have not ended */
	unsigned busy;    /* workers that run a case */
	bool alone;       /* the current case runs alone */
	bool stop;
	int code;
};

struct worker {
	struct worker_pool *worker_pool;
	unsigned index;
	pthread_t thread;
	enum family family; /* family of the device */
	struct dut *dut;
	struct runner *runner;
};

static vspan worker_pool_clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * VSPAN_S + ts.tv_nsec;
}

static bool interrupted(const struct worker_pool *c)
{
	return c->conf->run.interrupted && *c->conf->run.interrupted;
}

const struct pick *worker_pool_pick(const struct worker_pool_conf *conf,
				    size_t at)
{
	const struct selection *selection = conf->selection;

	return &selection->at[conf->rounds ? at % selection->n
					   : at / conf->repeat];
}

static const struct pick *pick_of(const struct worker_pool *c, size_t at)
{
	return worker_pool_pick(c->conf, at);
}

static uint32_t repeat_of(const struct worker_pool *c, size_t at)
{
	return c->conf->from + (uint32_t)(c->conf->rounds
						  ? at / c->conf->selection->n
						  : at % c->conf->repeat);
}

/* Results wait in a ring; must_wait bounds how far a worker can be ahead. */
static struct record **worker_pool_slot(struct worker_pool *c, size_t at)
{
	return &c->results[at % ((size_t)c->conf->workers * AHEAD)];
}

static bool exclusive(const struct worker_pool *c, size_t at)
{
	return pick_of(c, at)->test_case->exclusive;
}

/*
 * Returns true if the next case must wait for other cases or for its results.
 */
static bool must_wait(const struct worker_pool *c)
{
	const struct worker_pool_conf *conf = c->conf;

	if (c->stop || c->next == c->total)
		return false;
	if (c->next - c->arrived >= (size_t)conf->workers * AHEAD)
		return true;
	return c->busy && (c->alone || exclusive(c, c->next));
}

/* Takes the next case; false: there is no more. */
static bool worker_pool_take(struct worker_pool *c, size_t *ret)
{
	bool got;

	pthread_mutex_lock(&c->lock);
	while (must_wait(c))
		pthread_cond_wait(&c->moved, &c->lock);
	got = !c->stop && c->next < c->total && !interrupted(c);
	if (got) {
		c->alone = exclusive(c, c->next);
		c->busy++;
		*ret = c->next++;
	}
	pthread_mutex_unlock(&c->lock);
	return got;
}

static void worker_pool_done(struct worker_pool *c)
{
	pthread_mutex_lock(&c->lock);
	c->busy--;
	if (c->conf->workers > 1) /* another may wait to run alone */
		pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}

/*
 * Puts a result into the ring.  The calling thread of the pool looks there
 * after 50 ms at the latest: it is woken for many results, or for a bad one.
 */
static void worker_pool_give(struct worker_pool *c, size_t at, struct record *r)
{
	pthread_mutex_lock(&c->lock);
	*worker_pool_slot(c, at) = r;
	if (r->verdict != VERDICT_PASS ||
	    c->next - c->arrived > (size_t)c->conf->workers * AHEAD / 4)
		pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}

static void worker_pool_tear_down(struct worker *w)
{
	runner_free(w->runner);
	dut_setup_free(w->dut);
	w->runner = NULL;
	w->dut = NULL;
}

static int worker_pool_set_up(struct worker *w,
			      const struct test_case *test_case)
{
	const struct worker_pool_conf *conf = w->worker_pool->conf;
	const enum family family = dut_setup_family(conf->run.decl, test_case);
	int code;

	if (w->dut && w->family == family)
		return 0;
	worker_pool_tear_down(w);
	w->family = family;
	code = conf->dut_setup(conf->ctx, w->index, family, &w->dut);
	if (code)
		return code;
	if (runner_new(&w->runner, w->dut, conf->run.decl))
		return cli_nomem("rung run");
	return 0;
}

static void record_drop(struct record *r)
{
	if (!r)
		return;
	record_free(r);
	free(r);
}

/* Returns true if the device may have disappeared during this run. */
static bool worker_pool_lost(const struct worker *w, const struct record *r)
{
	return w->worker_pool->conf->reseat &&
	       (r->verdict == VERDICT_FAIL || r->verdict == VERDICT_ERROR ||
		r->verdict == VERDICT_INCONCLUSIVE);
}

static int run_one(struct worker *w, size_t at)
{
	const struct worker_pool_conf *conf = w->worker_pool->conf;
	const struct pick *p = pick_of(w->worker_pool, at);
	struct run_conf run = conf->run;
	struct record *r = memory_calloc(1, sizeof(*r));
	const unsigned long before = memory_shortages();
	vspan began = worker_pool_clock_ns();
	int code;

	if (!r)
		return cli_nomem("rung run");
	run.repeat = repeat_of(w->worker_pool, at);
	if (conf->recall && conf->recall(conf->ctx, p, run.repeat, r)) {
		worker_pool_give(w->worker_pool, at, r);
		return 0;
	}
	code = worker_pool_set_up(w, p->test_case);
	if (!code && run_case(w->runner, p->test_case, p->chair, &run, r))
		code = cli_nomem("rung run");
	if (!code && transcript_take(w->dut, &r->transcript))
		code = cli_nomem("rung run");
	/* The record may lack a packet or a line. */
	if (!code && memory_shortages() != before)
		code = cli_nomem("rung run");
	if (code) {
		record_drop(r);
		return code;
	}
	r->wall_ns = worker_pool_clock_ns() - began;
	if (worker_pool_lost(w, r))
		worker_pool_tear_down(w);
	worker_pool_give(w->worker_pool, at, r);
	return 0;
}

static void *worker_pool_work(void *arg)
{
	struct worker *w = arg;
	struct worker_pool *c = w->worker_pool;
	int code = 0;
	size_t at;

	while (!code && worker_pool_take(c, &at)) {
		code = run_one(w, at);
		worker_pool_done(c);
	}
	worker_pool_tear_down(w);
	pthread_mutex_lock(&c->lock);
	c->working--;
	if (code && !c->code)
		c->code = code;
	c->stop = c->stop || code;
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/*
 * Waits for a change; after an interruption wakes the workers that wait for
 * packets.
 */
static void worker_pool_look(struct worker_pool *c,
			     const struct worker *workers, unsigned n)
{
	if (interrupted(c))
		for (unsigned i = 0; i < n; i++)
			pthread_kill(workers[i].thread, CLI_WAKE);
	cli_await_change(&c->moved, &c->lock);
}

/* Returns the next result in order, or NULL once no worker can produce it. */
static struct record *worker_pool_await(struct worker_pool *c,
					const struct worker *workers,
					unsigned n)
{
	struct record *r;

	pthread_mutex_lock(&c->lock);
	while (c->arrived < c->total && !*worker_pool_slot(c, c->arrived) &&
	       c->working) {
		worker_pool_look(c, workers, n);
		if (c->conf->waits)
			c->conf->waits(c->conf->ctx, pick_of(c, c->arrived));
	}
	if (c->arrived < c->total)
		r = *worker_pool_slot(c, c->arrived);
	else
		r = NULL;
	if (r)
		*worker_pool_slot(c, c->arrived++) = NULL;
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
	return r;
}

static void worker_pool_stop(struct worker_pool *c)
{
	pthread_mutex_lock(&c->lock);
	c->stop = true;
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}

static void worker_pool_hand_over(struct worker_pool *c,
				  const struct worker *workers, unsigned n)
{
	struct record *r;
	bool more = true;

	while (more && (r = worker_pool_await(c, workers, n))) {
		more = c->conf->arrived(c->conf->ctx, r, c->arrived);
		record_drop(r);
	}
	worker_pool_stop(c);
}

static unsigned worker_pool_start(struct worker_pool *c, struct worker *workers)
{
	unsigned n = 0;

	c->working = c->conf->workers;
	for (; n < c->conf->workers; n++) {
		workers[n] = (struct worker){.worker_pool = c, .index = n};
		if (pthread_create(&workers[n].thread, NULL, worker_pool_work,
				   &workers[n]))
			break;
	}
	pthread_mutex_lock(&c->lock);
	c->working -= c->conf->workers - n;
	pthread_mutex_unlock(&c->lock);
	return n;
}

int worker_pool_run(const struct worker_pool_conf *conf)
{
	struct worker workers[WORKER_POOL_MAX];
	struct worker_pool c = {.conf = conf,
				.total = conf->selection->n * conf->repeat,
				.lock = PTHREAD_MUTEX_INITIALIZER,
				.moved = PTHREAD_COND_INITIALIZER};
	unsigned n;

	c.results = memory_calloc((size_t)conf->workers * AHEAD,
				  sizeof(struct record *));
	if (!c.results)
		return cli_nomem("rung run");
	n = worker_pool_start(&c, workers);
	if (!n)
		c.code = cli_sys("rung run", "a thread");
	if (conf->started)
		conf->started(conf->ctx);
	worker_pool_hand_over(&c, workers, n);
	for (unsigned i = 0; i < n; i++)
		pthread_join(workers[i].thread, NULL);
	for (size_t i = 0; i < (size_t)conf->workers * AHEAD; i++)
		record_drop(c.results[i]);
	free(c.results);
	return c.code;
}
