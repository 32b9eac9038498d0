/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/explore.c -- the loop of an exploration: choose a log, run it,
 * keep what reaches something new, reduce what fails.
 */
#include "suite/explore/explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "suite/explore/cover/tuples.h"
#include "suite/explore/reduce.h"
#include "suite/explore/trial.h"

#define EXPLORE_KEPT  512 /* logs that reached something new */
#define EXPLORE_TRIES 300 /* runs of a reduction */
#define EXPLORE_AGAIN 3   /* runs in which a live device may fail again */
#define EXPLORE_GONE  24  /* of one that starts the device anew each time */
#define EXPLORE_LOST  16  /* different ways in which a device was gone */
#define EXPLORE_FOUND 256 /* different rows and roles */
#define EXPLORE_FRESH 3   /* of 8 runs, so many begin with an empty log */
#define EXPLORE_QUICK 16  /* logs in which a live run seeks no timers */
#define EXPLORE_TIMED 4   /* part of the live time that timers have */

struct explore {
	const struct explore_conf *conf;
	struct trial trial;
	struct explore_reach reach;
	struct explore_totals totals;
	struct differ differ;
	struct rng rng;
	struct choices *kept;
	size_t nkept;
	struct {
		enum req_id req;
		enum req_role role;
	} found[EXPLORE_FOUND];
	size_t nfound;
	char lost[EXPLORE_LOST][240];
	size_t nlost;
	vspan spent, timed; /* in live runs; in those that may wait */
	bool may_wait;      /* the run in hand */
};

int explore_new(struct explore **ret, const struct explore_conf *conf)
{
	struct explore *x = memory_calloc(1, sizeof(*x));

	if (!x)
		return ERR_NOMEM;
	x->kept = memory_calloc(EXPLORE_KEPT, sizeof(*x->kept));
	if (!x->kept) {
		free(x);
		return ERR_NOMEM;
	}
	x->conf = x->trial.conf = conf;
	x->rng = (struct rng){rng_mix(conf->seed, "explore")};
	*ret = x;
	return 0;
}

void explore_free(struct explore *x)
{
	if (!x)
		return;
	trial_free(&x->trial);
	text_free(&x->totals.unsound_file);
	free(x->kept);
	free(x);
}

/* Begins with a part of a kept log and draws the rest, or changes numbers. */
static void explore_vary(struct explore *x, struct choices *c)
{
	const struct choices *old =
		&x->kept[rng_below(&x->rng, (uint32_t)x->nkept)];
	const unsigned changes = 1 + rng_below(&x->rng, 3);

	choices_draw(c, rng_next(&x->rng));
	memcpy(c->v, old->v, old->n * sizeof(c->v[0]));
	c->n = old->n;
	if (rng_below(&x->rng, 2)) {
		c->n = 1 + rng_below(&x->rng, (uint32_t)old->n);
		return;
	}
	for (unsigned i = 0; i < changes; i++)
		c->v[rng_below(&x->rng, (uint32_t)c->n)] =
			rng_below(&x->rng, 64);
}

static void explore_choose(struct explore *x, struct choices *c)
{
	if (!x->nkept || rng_below(&x->rng, 8) < EXPLORE_FRESH)
		choices_draw(c, rng_next(&x->rng));
	else
		explore_vary(x, c);
}

/*
 * Chooses a log for a live device.  Moves that wait for a timer take most of
 * the time of a live run: they have a part of it, and other logs lose them.
 */
static void explore_choose_live(struct explore *x, struct choices *c)
{
	x->may_wait = x->timed <= x->spent / EXPLORE_TIMED;
	for (unsigned i = 0; i < EXPLORE_QUICK && !x->may_wait; i++) {
		explore_choose(x, c);
		if (trial_quicken(&x->trial, c))
			return;
	}
	x->may_wait = true;
	explore_choose(x, c);
}

static void explore_count(struct explore *x)
{
	const struct record *rec = &x->trial.record;

	x->totals.runs++;
	x->spent += rec->virtual_ns;
	x->timed += x->may_wait ? rec->virtual_ns : 0;
	for (size_t i = 0; i < rec->nrecs; i++)
		x->totals.packets += rec->recs[i].frame != 0;
}

/* A case that fails the reference, or that does not parse, is our mistake. */
static void explore_unsound(struct explore *x, const char *why)
{
	struct explore_totals *n = &x->totals;

	if (n->unsound++)
		return;
	snprintf(n->unsound_why, sizeof(n->unsound_why), "%s: %s", why,
		 x->trial.text);
	text_add(&n->unsound_file, text_cstr(&x->trial.file),
		 x->trial.file.len);
}

static bool explore_knows(struct explore *x)
{
	for (size_t i = 0; i < x->nfound; i++)
		if (x->found[i].req == x->trial.req &&
		    x->found[i].role == x->trial.role)
			return true;
	if (x->nfound == EXPLORE_FOUND)
		return true;
	x->found[x->nfound].req = x->trial.req;
	x->found[x->nfound++].role = x->trial.role;
	return false;
}

/*
 * Does a live device fail again by the same row?  What it did once may have
 * been the network's or the machine's doing.
 */
static int explore_repeats(struct explore *x, const struct choices *c,
			   bool *ret_again)
{
	const enum req_id req = x->trial.req;
	const enum req_role role = x->trial.role;
	char text[sizeof(x->trial.text)];
	struct choices again = *c;
	int err = 0;

	memcpy(text, x->trial.text, sizeof(text));
	*ret_again = !x->conf->live;
	for (unsigned i = 0; i < EXPLORE_AGAIN && !*ret_again && !err; i++) {
		choices_replay(&again);
		err = trial_run(&x->trial, &again, false);
		*ret_again = x->trial.outcome == TRIAL_FAIL &&
			     x->trial.req == req && x->trial.role == role;
	}
	if (!*ret_again && !err && !x->totals.once++)
		snprintf(x->totals.once_text, sizeof(x->totals.once_text),
			 "%s/%s: %.239s", req_get(req)->id, req_role_name(role),
			 text);
	return err;
}

static int explore_failed(struct explore *x, const struct choices *c)
{
	struct explore_finding f = {.req = x->trial.req,
				    .role = x->trial.role,
				    .run = x->totals.runs};
	enum trial_outcome other = TRIAL_PASS;
	bool again;
	int err;

	if (x->trial.req == REQ_NONE) {
		explore_unsound(x, "a failure without a row");
		return 0;
	}
	if (x->conf->reference) {
		err = trial_again(&x->trial, &other);
		if (err)
			return err;
	}
	if (other != TRIAL_PASS) {
		explore_unsound(x, "the reference fails as well");
		return 0;
	}
	if (explore_knows(x)) {
		x->totals.again++;
		return 0;
	}
	err = explore_repeats(x, c, &again);
	if (!err && !again) {
		x->nfound--;
		return 0;
	}
	if (!err)
		err = reduce_choices(&x->trial, c, EXPLORE_TRIES, &f);
	if (!err && x->conf->found)
		x->conf->found(x->conf->ctx, &f);
	text_free(&f.file);
	return err;
}

/* Returns whether a device was gone in that way before, on any line. */
static bool explore_lost(struct explore *x)
{
	char way[sizeof(x->lost[0])];

	memcpy(way, x->trial.text, sizeof(way));
	for (char *s = way; *s; s++)
		if (*s >= '0' && *s <= '9')
			*s = '0';
	for (size_t i = 0; i < x->nlost; i++)
		if (strcmp(x->lost[i], way) == 0)
			return true;
	if (x->nlost == EXPLORE_LOST)
		return true;
	memcpy(x->lost[x->nlost++], way, sizeof(way));
	return false;
}

/*
 * The control channel was silent, and not when the sequence was repeated: the
 * machine may have been busy.  The folder of the run remains.
 */
static void explore_silent_once(struct explore *x, const char *text)
{
	x->nlost--;
	if (!x->totals.once++)
		snprintf(x->totals.once_text, sizeof(x->totals.once_text),
			 "%.239s", text);
}

/* The device is gone: is it again, after the same sequence? */
static int explore_gone(struct explore *x, const struct choices *c)
{
	struct explore_finding f = {.req = REQ_NONE, .run = x->totals.runs};
	const bool silent = x->trial.record.reason_id == REASON_CONTROL_SILENT;
	struct choices again = *c;
	int err;

	if (x->conf->stop && *x->conf->stop)
		return 0;
	if (explore_lost(x)) {
		x->totals.again++;
		return 0;
	}
	if (x->conf->gone)
		x->conf->gone(x->conf->ctx, &x->trial.record);
	snprintf(f.text, sizeof(f.text), "%s", x->trial.text);
	choices_replay(&again);
	err = trial_run(&x->trial, &again, false);
	f.once = x->trial.outcome != TRIAL_GONE;
	if (!err && f.once && silent) {
		explore_silent_once(x, f.text);
		return 0;
	}
	if (f.once)
		memcpy(x->trial.text, f.text, sizeof(f.text));
	if (!err)
		err = reduce_choices(&x->trial, c, f.once ? 0 : EXPLORE_GONE,
				     &f);
	if (!err && x->conf->found)
		x->conf->found(x->conf->ctx, &f);
	text_free(&f.file);
	return err;
}

static void explore_keep(struct explore *x, const struct choices *c)
{
	size_t at = x->nkept;

	if (!reach_take(&x->reach, &x->trial.record) || !c->n)
		return;
	x->totals.kept++;
	if (at == EXPLORE_KEPT)
		at = rng_below(&x->rng, EXPLORE_KEPT);
	else
		x->nkept++;
	x->kept[at] = *c;
}

/* The device passed: did it do the same as the reference? */
static int explore_compare(struct explore *x)
{
	enum trial_outcome other;
	int err;

	if (!x->conf->reference)
		return 0;
	err = trial_again(&x->trial, &other);
	if (!err && other == TRIAL_PASS)
		differ_take(&x->differ, &x->trial.record, &x->trial.other,
			    x->totals.runs);
	return err;
}

/* Judges the run that was just made of a log. */
static int explore_take(struct explore *x, const struct choices *c)
{
	const uint64_t kept = x->totals.kept;

	if (x->trial.outcome == TRIAL_BROKEN) {
		explore_unsound(x, "the draft is wrong");
		return 0;
	}
	explore_count(x);
	explore_keep(x, c);
	x->totals.gone =
		x->trial.outcome == TRIAL_GONE ? x->totals.gone + 1 : 0;
	switch (x->trial.outcome) {
	case TRIAL_GONE:
		return explore_gone(x, c);
	case TRIAL_FAIL:
		return explore_failed(x, c);
	case TRIAL_PASS:
		x->totals.passed++;
		if (x->totals.kept > kept)
			return explore_compare(x);
		return 0;
	case TRIAL_NA:
		x->totals.not_applicable++;
		return 0;
	default:
		x->totals.inconclusive++;
		return 0;
	}
}

int explore_run(struct explore *x)
{
	struct choices c;
	int err;

	if (x->conf->live)
		explore_choose_live(x, &c);
	else
		explore_choose(x, &c);
	err = trial_run(&x->trial, &c, false);
	return err ? err : explore_take(x, &c);
}

/* ---- Pairs and triples ---- */

int explore_cover_new(struct explore_cover *ret, enum draft_subject subject,
		      enum chair chair, unsigned strength)
{
	unsigned opens, moves;

	*ret = (struct explore_cover){.subject = subject, .chair = chair};
	draft_options(subject, chair, &opens, &moves);
	for (unsigned i = 0; i < opens && ret->nopens < EXPLORE_OPENS; i++)
		if (draft_option_fits(subject, chair, true, i))
			ret->opens[ret->nopens++] = i;
	for (unsigned i = 0; i < moves && ret->nmoves < EXPLORE_MOVES; i++)
		if (draft_option_fits(subject, chair, false, i))
			ret->moves[ret->nmoves++] = i;
	return tuples_new(&ret->tuples, strength, ret->nopens, ret->nmoves);
}

void explore_cover_free(struct explore_cover *c)
{
	tuples_free(c->tuples);
}

int explore_cover_run(struct explore *x, struct explore_cover *cover,
		      bool *ret_more)
{
	struct draft_plan plan = {.subject = cover->subject,
				  .chair = cover->chair};
	struct tuples_plan p;
	struct choices c;
	bool ended, covers;
	unsigned n;
	int err;

	*ret_more = tuples_next(cover->tuples, &x->rng, &p);
	if (!*ret_more)
		return 0;
	plan.open = cover->opens[p.open];
	for (; plan.n < p.n; plan.n++)
		plan.moves[plan.n] = cover->moves[p.moves[plan.n]];
	choices_draw(&c, rng_next(&x->rng));
	x->trial.plan = &plan;
	err = trial_run(&x->trial, &c, false);
	x->trial.plan = NULL;
	if (err)
		return err;
	n = (unsigned)x->trial.draft.nmoves;
	ended = x->trial.draft.over;
	covers = x->trial.outcome == TRIAL_PASS ||
		 x->trial.outcome == TRIAL_FAIL;
	tuples_done(cover->tuples, &p, n < p.n ? n : p.n, ended, covers);
	return explore_take(x, &c);
}

int explore_replay(struct explore *x, const struct choices *c,
		   struct text *ret_file, bool *ret_failed, char *ret_text)
{
	struct choices copy = *c;
	int err;

	choices_replay(&copy);
	err = trial_run(&x->trial, &copy, false);
	if (err)
		return err;
	explore_count(x);
	*ret_failed = x->trial.outcome == TRIAL_FAIL;
	snprintf(ret_text, 240, "%s", x->trial.text);
	if (*ret_failed && x->trial.req != REQ_NONE) {
		struct explore_finding f = {.req = x->trial.req,
					    .role = x->trial.role};

		snprintf(f.text, sizeof(f.text), "%s", x->trial.text);
		trial_write(&x->trial, &f, ret_file);
	} else {
		text_add(ret_file, text_cstr(&x->trial.file),
			 x->trial.file.len);
	}
	return 0;
}

const struct explore_totals *explore_totals(const struct explore *x)
{
	return &x->totals;
}

const struct explore_reach *explore_reach(const struct explore *x)
{
	return &x->reach;
}

const struct differ *explore_differ(const struct explore *x)
{
	return &x->differ;
}
