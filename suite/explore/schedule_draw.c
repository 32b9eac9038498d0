/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/schedule_draw.c -- draws schedules, and reduces a wrong one.
 */
#include "suite/explore/schedule_draw.h"

#include <string.h>

void schedule_draw(struct schedule *p, struct rng *rng,
		   struct schedule_totals *totals)
{
	p->odometer.n = p->odometer.at = p->odometer.fixed = 0;
	p->odometer.rng = rng;
	p->unpruned = true;
	schedule_run(p, totals);
	p->unpruned = false;
	p->odometer.rng = NULL;
	p->odometer.n = p->odometer.at;
}

void schedule_again(struct schedule *p, struct schedule_totals *totals)
{
	p->odometer.at = 0;
	p->unpruned = true;
	schedule_run(p, totals);
	p->unpruned = false;
}

/* A copy of the decisions and of the number of requests. */
struct schedule_log {
	struct odometer odometer;
	unsigned requests;
};

static struct schedule_log schedule_save(const struct schedule *p)
{
	return (struct schedule_log){p->odometer, p->requests};
}

/* Tries the decisions in |p|; takes |old| back if the same is not wrong. */
static bool schedule_try(struct schedule *p, const struct schedule_log *old,
			 unsigned what, struct schedule_totals *totals)
{
	schedule_again(p, totals);
	if (p->wrong && p->what == what) {
		p->odometer.n = p->odometer.at;
		return true;
	}
	p->odometer = old->odometer;
	p->requests = old->requests;
	return false;
}

/* Removes request |i|, whose kind is decision |i|. */
static void schedule_cut(struct schedule *p, unsigned i)
{
	struct odometer *o = &p->odometer;

	o->n--;
	memmove(o->v + i, o->v + i + 1, (o->n - i) * sizeof(o->v[0]));
	memmove(o->bound + i, o->bound + i + 1,
		(o->n - i) * sizeof(o->bound[0]));
	p->requests--;
}

unsigned schedule_reduce(struct schedule *p, struct schedule_totals *totals)
{
	const unsigned what = p->what;
	unsigned runs = 0;

	for (unsigned i = p->requests; i-- > 0 && p->requests > 1; runs++) {
		const struct schedule_log old = schedule_save(p);

		schedule_cut(p, i);
		schedule_try(p, &old, what, totals);
	}
	for (size_t i = 0; i < p->odometer.n; i++) {
		const struct schedule_log old = schedule_save(p);

		if (!p->odometer.v[i])
			continue;
		p->odometer.v[i] = 0;
		schedule_try(p, &old, what, totals);
		runs++;
	}
	schedule_again(p, totals);
	return runs + 1;
}
