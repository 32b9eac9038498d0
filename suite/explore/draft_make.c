/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_make.c -- drafts a case from choices: the subject, the
 * opening and the moves.
 */
#include "suite/explore/draft_make.h"

#include "suite/explore/script/script.h"

/* Returns the n-th member of a mask that is not 0. */
static unsigned draft_pick(struct choices *c, unsigned mask)
{
	unsigned n = choose(c, (uint32_t)__builtin_popcount(mask));
	unsigned i = 0;

	for (; !(mask >> i & 1) || n; i++)
		n -= mask >> i & 1;
	return i;
}

static const struct draft_move *draft_choose(struct draft *d,
					     const struct draft_move *moves)
{
	unsigned all = 0, n;

	for (const struct draft_move *m = moves; m->weight; m++)
		all += m->weight;
	n = choose(d->c, all);
	while (n >= moves->weight)
		n -= moves++->weight;
	return moves;
}

/* The first choice of a move says whether there is one: 0 ends the case. */
static bool draft_goes_on(struct draft *d)
{
	if (d->over || d->nmoves == DRAFT_MOVES)
		return false;
	return choose(d->c, 8) != 0 || (d->nmoves == 0 && !d->began);
}

/* Opens the case, by default or with a script that begins cases. */
static void draft_open(struct draft *d, const struct draft_kind *k)
{
	const struct draft_script *s = NULL;

	if (k->firsts && choose(d->c, 4) == 3)
		s = script_choose(d, k->firsts);
	if (s)
		d->setting = s->setting;
	if (k->open && (!s || !(s->flags & SCRIPT_BARE)))
		k->open(d);
	if (s)
		script_write(d, s);
	d->began = s != NULL;
}

/* A move is a function, or a script. */
static void draft_moves(struct draft *d, const struct draft_kind *k)
{
	const struct draft_script *s = NULL;

	if (k->scripts && choose(d->c, 2))
		s = script_choose(d, k->scripts);
	if (s)
		script_write(d, s);
	else
		draft_choose(d, k->moves)->write(d);
}

void draft_make(struct draft *d, unsigned subjects, unsigned chairs)
{
	const struct draft_kind *k;

	d->subject = (enum draft_subject)draft_pick(d->c, subjects);
	d->chair = (enum chair)draft_pick(d->c, chairs);
	d->psn = DRAFT_FWD;
	d->ret = DRAFT_RET;
	d->mid = 1;
	k = draft_kind_of(d->subject, d->chair);
	draft_open(d, k);
	for (;;) {
		d->move_at[d->nmoves] = d->c->at;
		if (!draft_goes_on(d))
			break;
		d->nmoves++;
		draft_moves(d, k);
	}
	if (k->close && !d->no_close)
		k->close(d);
	d->used = d->c->at;
}
