/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/seat.h"

#define AHEAD 16 /* results per worker that may wait for an earlier one */
#define LOOK  50 /* ms between two looks at the interrupt flag */

struct crew {
	const struct crew_conf *conf;
	size_t total;

	pthread_mutex_t lock; /* of everything below */
	pthread_cond_t moved;
	struct record *
		*results; /* a ring; NULL: not there (yet, or any more) */
	size_t next;      /* first that nobody has taken */
	size_t arrived;   /* first that was not handed over */
	unsigned working; /* threads */
	unsigned busy;    /* with a case */
	bool alone;       /* the case in hand shares with nobody */
	bool stop;
	int code;
};

struct worker {
	struct crew *crew;
	unsigned index;
	pthread_t thread;
	enum family family; /* of the device */
	struct dut *dut;
	struct runner *runner;
};

static vspan clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * VSPAN_S + ts.tv_nsec;
}

static bool interrupted(const struct crew *c)
{
	return c->conf->run.interrupted && *c->conf->run.interrupted;
}

static const struct pick *pick_of(const struct crew *c, size_t at)
{
	const struct picks *picks = c->conf->picks;

	return &picks->at[c->conf->rounds ? at % picks->n
					  : at / c->conf->repeat];
}

static uint32_t repeat_of(const struct crew *c, size_t at)
{
	return c->conf->from + (uint32_t)(c->conf->rounds
						  ? at / c->conf->picks->n
						  : at % c->conf->repeat);
}

/* Results wait in a ring: nobody is further ahead than must_wait lets him. */
static struct record **slot(struct crew *c, size_t at)
{
	return &c->results[at % ((size_t)c->conf->workers * AHEAD)];
}

static bool exclusive(const struct crew *c, size_t at)
{
	return pick_of(c, at)->kase->exclusive;
}

/* Whether the next case must wait for the others, or for its results. */
static bool must_wait(const struct crew *c)
{
	const struct crew_conf *conf = c->conf;

	if (c->stop || c->next == c->total)
		return false;
	if (c->next - c->arrived >= (size_t)conf->workers * AHEAD)
		return true;
	return c->busy && (c->alone || exclusive(c, c->next));
}

/* Takes the next case; false: there is no more. */
static bool take(struct crew *c, size_t *ret)
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

static void done(struct crew *c)
{
	pthread_mutex_lock(&c->lock);
	c->busy--;
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}

static void give(struct crew *c, size_t at, struct record *r)
{
	pthread_mutex_lock(&c->lock);
	*slot(c, at) = r;
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}

static void unseat(struct worker *w)
{
	runner_free(w->runner);
	if (w->dut)
		w->dut->ops->free(w->dut);
	w->runner = NULL;
	w->dut = NULL;
}

static int seat(struct worker *w, const struct kase *kase)
{
	const struct crew_conf *conf = w->crew->conf;
	const enum family family = seat_family(conf->run.decl, kase);
	int code;

	if (w->dut && w->family == family)
		return 0;
	unseat(w);
	w->family = family;
	code = conf->seat(conf->ctx, w->index, family, &w->dut);
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

/* Whether the device may have gone away during this run. */
static bool lost(const struct worker *w, const struct record *r)
{
	return w->crew->conf->reseat &&
	       (r->verdict == VERDICT_FAIL || r->verdict == VERDICT_ERROR ||
		r->verdict == VERDICT_INCONCLUSIVE);
}

static int run_one(struct worker *w, size_t at)
{
	const struct crew_conf *conf = w->crew->conf;
	const struct pick *p = pick_of(w->crew, at);
	struct run_conf run = conf->run;
	struct record *r = calloc(1, sizeof(*r));
	vspan began = clock_ns();
	int code;

	if (!r)
		return cli_nomem("rung run");
	code = seat(w, p->kase);
	run.repeat = repeat_of(w->crew, at);
	if (!code && run_case(w->runner, p->kase, p->chair, &run, r))
		code = cli_nomem("rung run");
	if (code) {
		record_drop(r);
		return code;
	}
	r->wall_ns = clock_ns() - began;
	if (lost(w, r))
		unseat(w);
	give(w->crew, at, r);
	return 0;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct crew *c = w->crew;
	int code = 0;
	size_t at;

	while (!code && take(c, &at)) {
		code = run_one(w, at);
		done(c);
	}
	unseat(w);
	pthread_mutex_lock(&c->lock);
	c->working--;
	if (code && !c->code)
		c->code = code;
	c->stop = c->stop || code;
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* Waits for a change; after an interruption wakes whoever waits for packets. */
static void look(struct crew *c, const struct worker *workers, unsigned n)
{
	struct timespec until;

	if (interrupted(c))
		for (unsigned i = 0; i < n; i++)
			pthread_kill(workers[i].thread, CLI_WAKE);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += LOOK * VSPAN_MS;
	until.tv_sec += until.tv_nsec / VSPAN_S;
	until.tv_nsec %= VSPAN_S;
	pthread_cond_timedwait(&c->moved, &c->lock, &until);
}

/* The next result in order, or NULL once no worker can bring it any more. */
static struct record *await(struct crew *c, const struct worker *workers,
			    unsigned n)
{
	struct record *r;

	pthread_mutex_lock(&c->lock);
	while (c->arrived < c->total && !*slot(c, c->arrived) && c->working) {
		look(c, workers, n);
		if (c->conf->waits)
			c->conf->waits(c->conf->ctx, pick_of(c, c->arrived));
	}
	r = c->arrived < c->total ? *slot(c, c->arrived) : NULL;
	if (r)
		*slot(c, c->arrived++) = NULL;
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
	return r;
}

static void stop(struct crew *c)
{
	pthread_mutex_lock(&c->lock);
	c->stop = true;
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}

static void hand_over(struct crew *c, const struct worker *workers, unsigned n)
{
	struct record *r;
	bool more = true;

	while (more && (r = await(c, workers, n))) {
		more = c->conf->arrived(c->conf->ctx, r, c->arrived);
		record_drop(r);
	}
	stop(c);
}

static unsigned start(struct crew *c, struct worker *workers)
{
	unsigned n = 0;

	c->working = c->conf->workers;
	for (; n < c->conf->workers; n++) {
		workers[n] = (struct worker){.crew = c, .index = n};
		if (pthread_create(&workers[n].thread, NULL, work, &workers[n]))
			break;
	}
	pthread_mutex_lock(&c->lock);
	c->working -= c->conf->workers - n;
	pthread_mutex_unlock(&c->lock);
	return n;
}

int crew_run(const struct crew_conf *conf)
{
	struct worker workers[CREW_MAX];
	struct crew c = {.conf = conf,
			 .total = conf->picks->n * conf->repeat,
			 .lock = PTHREAD_MUTEX_INITIALIZER,
			 .moved = PTHREAD_COND_INITIALIZER};
	unsigned n;

	c.results =
		calloc((size_t)conf->workers * AHEAD, sizeof(struct record *));
	if (!c.results)
		return cli_nomem("rung run");
	n = start(&c, workers);
	if (!n)
		c.code = cli_sys("rung run", "a thread");
	if (conf->started)
		conf->started(conf->ctx);
	hand_over(&c, workers, n);
	for (unsigned i = 0; i < n; i++)
		pthread_join(workers[i].thread, NULL);
	for (size_t i = 0; i < (size_t)conf->workers * AHEAD; i++)
		record_drop(c.results[i]);
	free(c.results);
	return c.code;
}
