/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/live/turns.h -- the openings and moves that an exploration has
 * not run yet.
 *
 * A live device runs some hundred sequences in a minute.  Moves that are drawn
 * by chance leave many out by then, so that each one has a turn first.
 */
#ifndef SUITE_EXPLORE_LIVE_TURNS_H
#define SUITE_EXPLORE_LIVE_TURNS_H

#include "base/rng.h"
#include "suite/explore/draft.h"

/* An opening or a move, by its number. */
struct turn {
	enum draft_subject subject;
	enum chair chair;
	bool open;
	unsigned option;
	unsigned tries;
};

/* tries of an opening or move whose sequence is inconclusive */
#define TURNS_TRIES 6

struct turns {
	struct turn *left; /* in no order */
	size_t n;
};

/*
 * turns_new lists all openings and moves of the subjects and chairs, which are
 * masks.
 * Errors: ERR_NOMEM.
 */
int turns_new(struct turns *ret, unsigned subjects, unsigned chairs);
void turns_free(struct turns *t);

/*
 * turns_next draws one that is left, and removes it.
 * Return: false: none is left.
 */
bool turns_next(struct turns *t, struct rng *rng, struct turn *ret);

/*
 * turns_back puts one back whose sequence was inconclusive, for example if no
 * processor was free.  Return: false: it had all of its tries.
 */
bool turns_back(struct turns *t, const struct turn *turn);

/*
 * turn_plan plans the sequence that begins with an opening or a move.  A move
 * follows the default opening with its first, simplest setting, since a device
 * need not have the others.
 */
void turn_plan(const struct turn *turn, struct draft_plan *ret);

#endif
