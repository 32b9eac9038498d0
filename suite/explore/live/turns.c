/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/live/turns.c -- lists openings and moves, and draws from the
 * list.
 */
#include "suite/explore/live/turns.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/memory.h"
#include "suite/explore/cover/learn.h"

#define TURNS_OF_KIND (LEARN_OPENS + LEARN_MOVES)

/* Appends the openings and moves of a subject in a chair. */
static void turns_add(struct turns *t, enum draft_subject s, enum chair chair)
{
	struct learn_parts parts;

	learn_parts(&parts, s, chair);
	for (unsigned i = 0; i < parts.nopens; i++)
		t->left[t->n++] = (struct turn){.subject = s,
						.chair = chair,
						.open = true,
						.option = parts.opens[i]};
	for (unsigned i = 0; i < parts.nmoves; i++)
		t->left[t->n++] = (struct turn){
			.subject = s, .chair = chair, .option = parts.moves[i]};
}

int turns_new(struct turns *ret, unsigned subjects, unsigned chairs)
{
	*ret = (struct turns){.n = 0};
	ret->left = memory_calloc(DRAFT_SUBJECTS * CHAIR_COUNT * TURNS_OF_KIND,
				  sizeof(*ret->left));
	if (!ret->left)
		return ERR_NOMEM;
	for (int s = 0; s < DRAFT_SUBJECTS; s++)
		for (int c = 0; c < CHAIR_COUNT; c++)
			if (subjects >> s & 1 && chairs >> c & 1)
				turns_add(ret, (enum draft_subject)s,
					  (enum chair)c);
	return 0;
}

void turns_free(struct turns *t)
{
	free(t->left);
}

bool turns_next(struct turns *t, struct rng *rng, struct turn *ret)
{
	size_t at;

	if (!t->n)
		return false;
	at = rng_below(rng, (uint32_t)t->n);
	*ret = t->left[at];
	t->left[at] = t->left[--t->n];
	return true;
}

bool turns_back(struct turns *t, const struct turn *turn)
{
	if (turn->tries + 1 == TURNS_TRIES)
		return false;
	t->left[t->n] = *turn;
	t->left[t->n++].tries++;
	return true;
}

void turn_plan(const struct turn *turn, struct draft_plan *ret)
{
	*ret = (struct draft_plan){.subject = turn->subject,
				   .chair = turn->chair};
	if (turn->open) {
		ret->open = turn->option;
		return;
	}
	ret->moves[ret->n++] = turn->option;
	ret->wants[ret->nwants++] = (struct draft_want){.slot = 0};
}
