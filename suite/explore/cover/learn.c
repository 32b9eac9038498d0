/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/learn.c -- drafts each opening and move until its values
 * are known.
 */
#include "suite/explore/cover/learn.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "suite/explore/draft_make.h"

#define LEARN_RANDOM 16 /* drafts of a part that want nothing */
#define LEARN_TRIES  4  /* drafts that want a class */

struct learning {
	struct values *values;
	const struct learn_parts *parts;
	uint64_t seed;
	/* of the part in hand: the classes of its places, and what follows */
	unsigned classes[DRAFT_PLACES];
	bool over, goes_on;
};

void learn_parts(struct learn_parts *ret, enum draft_subject s,
		 enum chair chair)
{
	unsigned opens, moves;

	*ret = (struct learn_parts){.subject = s, .chair = chair};
	draft_options(s, chair, &opens, &moves);
	assert(opens <= LEARN_OPENS && moves <= LEARN_MOVES);
	for (unsigned i = 0; i < opens; i++)
		if (draft_option_fits(s, chair, true, i))
			ret->opens[ret->nopens++] = i;
	for (unsigned i = 0; i < moves; i++)
		if (draft_option_fits(s, chair, false, i))
			ret->moves[ret->nmoves++] = i;
}

size_t learn_drawn(const struct draft *d, struct cover_value ret[LEARN_DRAWN])
{
	bool draws[DRAFT_MOVES + 1] = {false};
	size_t n = 0;

	if (d->boundary)
		return 0;
	for (size_t i = 0; i < d->nvalues; i++) {
		const struct draft_value *v = &d->values[i];
		const bool network = v->place >= DRAFT_PLACE_SPRAY;

		ret[n].drawn = *v;
		ret[n].move = v->slot > 0;
		ret[n++].part = network   ? VALUES_NETWORK
				: v->slot ? d->move_option[v->slot - 1]
					  : d->open_option;
		draws[v->slot] |= !network;
	}
	for (unsigned slot = 0; slot <= d->nmoves; slot++) {
		if (draws[slot])
			continue;
		ret[n] = (struct cover_value){
			.move = slot > 0,
			.part = slot ? d->move_option[slot - 1]
				     : d->open_option,
			.drawn = {.slot = (uint8_t)slot,
				  .place = VALUES_NO_PLACE}};
		n++;
	}
	return n;
}

/* Drafts a plan, and writes what it drew; draft_free(d) follows. */
static size_t learn_make(struct draft *d, struct choices *c,
			 const struct draft_plan *plan, uint64_t seed,
			 struct cover_value ret[LEARN_DRAWN])
{
	*d = (struct draft){.c = c, .plan = plan};
	choices_draw(c, seed);
	draft_make(d, 1u << plan->subject, 1u << plan->chair);
	return learn_drawn(d, ret);
}

size_t learn_drafts(const struct draft_plan *plan, uint64_t seed,
		    struct cover_value ret[LEARN_DRAWN])
{
	struct choices c;
	struct draft d;
	const size_t n = learn_make(&d, &c, plan, seed, ret);

	draft_free(&d);
	return n;
}

/* Drafts a plan |times|, and adds its values. */
static int learn_draft(struct learning *l, const struct draft_plan *plan,
		       unsigned slot, unsigned times)
{
	struct cover_value drawn[LEARN_DRAWN];
	struct choices c;
	struct draft d;
	int err = 0;

	for (; times && !err; times--) {
		const size_t n = learn_make(&d, &c, plan, l->seed++, drawn);

		l->over |= d.over && d.nmoves == slot;
		l->goes_on |= d.nmoves > slot;
		draft_free(&d);
		for (size_t i = 0; i < n && !err; i++) {
			const struct draft_value *v = &drawn[i].drawn;

			err = values_add(l->values, &drawn[i]);
			if (v->slot == slot && v->place < DRAFT_PLACES &&
			    v->classes > l->classes[v->place])
				l->classes[v->place] = v->classes;
		}
	}
	return err;
}

/* Drafts a plan |times| that wants a class, and adds its values. */
static int learn_want(struct learning *l, struct draft_plan *plan,
		      struct draft_want want, unsigned times)
{
	plan->wants[0] = want;
	plan->nwants = 1;
	return learn_draft(l, plan, want.slot, times);
}

/* Learns the values of the part at |slot| of a plan. */
static int learn_part(struct learning *l, struct draft_plan *plan, uint8_t slot)
{
	int err;

	memset(l->classes, 0, sizeof(l->classes));
	l->over = l->goes_on = false;
	plan->nwants = 0;
	err = learn_draft(l, plan, slot, LEARN_RANDOM);
	for (uint8_t place = 0; place < DRAFT_PLACES; place++)
		for (uint8_t k = 0; k < l->classes[place] && !err; k++)
			err = learn_want(l, plan,
					 (struct draft_want){slot, place, k},
					 LEARN_TRIES);
	return err;
}

/* Learns the rules of the network, whose numbers a plan draws as 0. */
static int learn_network(struct learning *l, struct draft_plan *plan)
{
	int err = 0;

	for (uint8_t place = DRAFT_PLACE_SPRAY; place < DRAFT_PLACES; place++)
		for (uint8_t k = 1; k < DRAFT_CLASSES && !err; k++)
			err = learn_want(l, plan,
					 (struct draft_want){0, place, k}, 1);
	return err;
}

int learn_values(struct values *ret, const struct learn_parts *parts)
{
	struct learning l = {.values = ret, .parts = parts};
	/* a move follows a simple one, and an opening is followed by it */
	struct draft_plan plan = {.subject = parts->subject,
				  .chair = parts->chair,
				  .moves = {parts->moves[0]},
				  .n = 1};
	bool open_ends[LEARN_OPENS] = {false}, move_ends[LEARN_MOVES] = {false};
	int err = learn_network(&l, &plan);

	for (unsigned i = 0; i < parts->nopens && !err; i++) {
		plan.open = parts->opens[i];
		err = learn_part(&l, &plan, 0);
		open_ends[i] = l.over && !l.goes_on;
	}
	plan.open = parts->opens[0];
	plan.n = 2;
	for (unsigned i = 0; i < parts->nmoves && !err; i++) {
		plan.moves[1] = parts->moves[i];
		err = learn_part(&l, &plan, 2);
		move_ends[i] = l.over;
	}
	if (!err)
		err = values_begin(ret);
	for (unsigned i = 0; i < parts->nopens && !err; i++)
		if (open_ends[i])
			values_ends(ret, false, parts->opens[i]);
	for (unsigned i = 0; i < parts->nmoves && !err; i++)
		if (move_ends[i])
			values_ends(ret, true, parts->moves[i]);
	return err;
}
