/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/trial/reduce.c -- the shortest log of choices with a finding.
 */
#include "suite/explore/trial/reduce.h"

#include <stdio.h>
#include <string.h>

/* A reduction under way. */
struct reduction {
	struct trial *t;
	struct explore_finding *f;
	struct choices best;
	/* of |best|: where its moves begin */
	size_t move_at[DRAFT_MOVES + 1];
	size_t nmoves;
	unsigned most;
	enum trial_outcome outcome;
	int err;
};

/*
 * The first two choices depend on the transports and chairs of this run; in a
 * finding they are those of a run of all.
 */
static void reduce_canonical(const struct draft *d, const struct choices *c,
			     struct choices *ret)
{
	*ret = *c;
	for (; ret->n < 2; ret->n++)
		ret->v[ret->n] = 0;
	ret->v[0] = (uint32_t)d->subject;
	ret->v[1] = (uint32_t)d->chair;
}

static void reduce_note(struct reduction *r, const struct choices *c)
{
	const struct draft *d = &r->t->draft;

	r->best = *c;
	if (d->used < c->n) /* the choices behind it are never read */
		r->best.n = d->used;
	memcpy(r->move_at, d->move_at, sizeof(r->move_at));
	r->nmoves = d->nmoves;
	snprintf(r->f->text, sizeof(r->f->text), "%s", r->t->text);
	draft_members(d, r->f->members, sizeof(r->f->members));
	reduce_canonical(d, &r->best, &r->f->choices);
	r->f->rungs = r->t->record.rungs_expected;
	text_clear(&r->f->file);
	trial_write(r->t, r->f, false, &r->f->file);
}

/* Returns whether no further run is made. */
static bool reduce_ends(const struct reduction *r)
{
	const struct explore_conf *conf = r->t->conf;

	if (r->err || r->f->tries >= r->most || (conf->stop && *conf->stop))
		return true;
	r->f->cut |= conf->late && conf->late(conf->ctx);
	return r->f->cut;
}

/* Tries a log; keeps it if it has the same finding. */
static bool reduce_try(struct reduction *r, struct choices *c)
{
	enum trial_outcome other = TRIAL_PASS;

	if (reduce_ends(r))
		return false;
	r->f->tries++;
	choices_replay(c);
	r->err = trial_run(r->t, c, false);
	if (r->err || r->t->outcome != r->outcome || r->t->req != r->f->req ||
	    r->t->role != r->f->role)
		return false;
	if (r->t->conf->reference)
		r->err = trial_again(r->t, &other);
	if (r->err || other != TRIAL_PASS)
		return false;
	reduce_note(r, c);
	return true;
}

/* Removes moves, the last one first. Return: one was removed. */
static bool reduce_moves(struct reduction *r)
{
	bool any = false;

	for (size_t i = r->nmoves; i-- > 0;) {
		struct choices c = r->best;

		if (i >= r->nmoves)
			continue;
		choices_cut(&c, r->move_at[i],
			    r->move_at[i + 1] - r->move_at[i]);
		if (c.n < r->best.n) /* the log reaches as far as that move */
			any |= reduce_try(r, &c);
	}
	return any;
}

/* Tries a log in which choice |i| is |v|. */
static bool reduce_to(struct reduction *r, size_t i, uint32_t v)
{
	struct choices c = r->best;

	c.v[i] = v;
	return reduce_try(r, &c);
}

/*
 * Lowers a choice to 0, or else to where halving the interval leads. Return: it
 * was lowered.
 */
static bool reduce_number(struct reduction *r, size_t i)
{
	const uint32_t was = r->best.v[i];
	uint32_t fails = 0;

	if (!was || reduce_to(r, i, 0))
		return was != 0;
	while (i < r->best.n && r->best.v[i] - fails > 1) {
		const uint32_t v = fails + (r->best.v[i] - fails) / 2;

		if (!reduce_to(r, i, v))
			fails = v;
	}
	return i >= r->best.n || r->best.v[i] < was;
}

/* Lowers single choices. Return: one was lowered. */
static bool reduce_numbers(struct reduction *r)
{
	bool any = false;

	for (size_t i = 0; i < r->best.n; i++)
		any |= reduce_number(r, i);
	return any;
}

/*
 * Runs the shortest log again, and its file for a reader.  The run on the
 * reference adds the rules that the tester breaks to the head of that file.
 */
static int reduce_confirm(struct reduction *r)
{
	enum trial_outcome other = TRIAL_PASS;
	struct choices c = r->best;
	int err;

	choices_replay(&c);
	err = trial_run(r->t, &c, false);
	if (err || !trial_finds(r->t, r->f))
		return err;
	if (r->t->conf->reference)
		err = trial_again(r->t, &other);
	if (err || other != TRIAL_PASS)
		return err;
	return trial_confirm(r->t, r->f);
}

int reduce_choices(struct trial *t, const struct choices *c, unsigned most,
		   struct explore_finding *f)
{
	struct reduction r = {
		.t = t, .f = f, .most = most, .outcome = t->outcome};
	bool more = true;

	reduce_note(&r, c);
	while (more && !reduce_ends(&r)) {
		more = reduce_moves(&r);
		more |= reduce_numbers(&r);
	}
	/* |most| is 0 for a device that may not run again */
	if (!most || r.err || r.outcome != TRIAL_FAIL ||
	    (t->conf->stop && *t->conf->stop))
		return r.err;
	return reduce_confirm(&r);
}
