/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/cc/paths.c -- the choice of a path for each packet of a source.
 */
#include "oracle/uet/cc/paths.h"

#include <stdbool.h>
#include <string.h>

#define WORDS (PATHS_MAX / 64)

void paths_start(struct paths *p)
{
	*p = (struct paths){0};
}

/* Begins a new period if this one is over: what rested in it rests on. */
static void turn_over(struct paths *p, enum paths_why why, vspan period,
		      vtime now)
{
	const bool kept = now < p->until[why] + period;

	if (now < p->until[why])
		return;
	for (uint32_t i = 0; i < p->words; i++) {
		struct paths_resting *r = &p->rests[i][why];

		r->last = kept ? r->now : 0;
		r->now = 0;
	}
	p->until[why] = now + period;
}

static void rest(struct paths *p, enum paths_why why, vspan period,
		 uint8_t path, vtime now)
{
	const uint32_t word = path / 64;

	turn_over(p, why, period, now);
	if (p->words <= word)
		p->words = word + 1;
	p->rests[word][why].now |= (uint64_t)1 << path % 64;
}

void paths_marked(struct paths *p, const struct orc_conf *conf, uint8_t path,
		  vtime now)
{
	rest(p, PATHS_MARKED, conf->base_rtt, path, now);
}

void paths_lost(struct paths *p, const struct orc_conf *conf, uint8_t path,
		vtime now)
{
	rest(p, PATHS_LOST, conf->path_rest, path, now);
}

/* Writes a bit for each path that rests.  Return: their number. */
static uint32_t resting(const struct paths *p, uint64_t ret[WORDS])
{
	uint32_t n = 0;

	for (unsigned i = 0; i < p->words; i++) {
		const struct paths_resting *r = p->rests[i];

		ret[i] = r[PATHS_MARKED].last | r[PATHS_MARKED].now |
			 r[PATHS_LOST].last | r[PATHS_LOST].now;
		n += (uint32_t)__builtin_popcountll(ret[i]);
	}
	return n;
}

static uint8_t by_feedback(struct paths *p, const struct orc_conf *conf,
			   uint32_t n, vtime now)
{
	uint64_t rests[WORDS] = {0};
	uint32_t path;

	turn_over(p, PATHS_MARKED, conf->base_rtt, now);
	turn_over(p, PATHS_LOST, conf->path_rest, now);
	if (2 * resting(p, rests) > n)
		memset(rests, 0, sizeof(rests));
	do
		path = p->next++ % n;
	while (rests[path / 64] >> path % 64 & 1);
	return (uint8_t)path;
}

uint8_t paths_choose(struct paths *p, const struct orc_conf *conf, uint32_t n,
		     struct rng *rng, vtime now)
{
	switch (conf->path_choice) {
	case ORC_PATHS_AT_RANDOM:
		return (uint8_t)rng_below(rng, n);
	case ORC_PATHS_BY_FEEDBACK:
		return by_feedback(p, conf, n, now);
	case ORC_PATHS_IN_TURN:
		break;
	}
	return (uint8_t)(p->next++ % n);
}
