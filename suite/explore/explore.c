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
#include "suite/explore/boundary/boundary.h"
#include "suite/explore/cover/tuples.h"
#include "suite/explore/live/refused.h"
#include "suite/explore/live/turns.h"
#include "suite/explore/trial/reduce.h"
#include "suite/explore/trial/trial.h"

#define EXPLORE_KEPT    512 /* logs that reached something new */
#define EXPLORE_TRIES   300 /* runs of a reduction */
#define EXPLORE_AGAIN   3   /* runs in which a live device may fail again */
#define EXPLORE_REPEATS 12  /* repeats, with those that are inconclusive */
#define EXPLORE_GONE    24  /* of one that starts the device anew each time */
#define EXPLORE_DRAFTS  8   /* in which a tuple may be */
#define EXPLORE_LOST    16  /* different ways in which a device was gone */
#define EXPLORE_FOUND   256 /* different rows and roles */
#define EXPLORE_FRESH   3   /* of 8 runs, so many begin with an empty log */
#define EXPLORE_QUICK   16  /* logs in which a live run seeks no timers */
#define EXPLORE_TIMED   4   /* part of the live time that timers have */
#define EXPLORE_SIMPLE  2   /* attempts at a boundary value, simplest opening */
#define EXPLORE_DRAWN   4 /* part that drawn moves have, while turns are left */
#define EXPLORE_HAS     16 /* logs in which a live run seeks known settings */

/* The state that all workers of an exploration use, under conf->lock. */
struct explore_shared {
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
	/* in live runs: all, those drawn, those of them that may wait */
	vspan spent, drawn, timed;
	struct turns turns;
	struct refused refused;
};

struct explore {
	const struct explore_conf *conf;
	struct explore_shared *shared;
	bool first; /* worker, whose shared state outlives the others */
	struct trial trial;
	bool claimed;           /* the next run was counted */
	bool is_turn, may_wait; /* the run in hand */
	struct turn turn;
	uint64_t run;  /* its number */
	unsigned gone; /* runs in a row after which the device was gone */
};

static void explore_lock(const struct explore *x)
{
	if (x->conf->lock)
		x->conf->lock(x->conf->ctx, true);
}

static void explore_unlock(const struct explore *x)
{
	if (x->conf->lock)
		x->conf->lock(x->conf->ctx, false);
}

static void explore_shared_free(struct explore_shared *s)
{
	if (!s)
		return;
	text_free(&s->totals.unsound_file);
	turns_free(&s->turns);
	free(s->kept);
	free(s);
}

static struct explore_shared *
explore_shared_new(const struct explore_conf *conf)
{
	struct explore_shared *s = memory_calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->rng = (struct rng){rng_mix(conf->seed, "explore")};
	s->kept = memory_calloc(EXPLORE_KEPT, sizeof(*s->kept));
	if (s->kept && (!conf->live || turns_new(&s->turns, conf->subjects,
						 conf->chairs) == 0)) {
		s->totals.all_turns = s->turns.n;
		return s;
	}
	explore_shared_free(s);
	return NULL;
}

int explore_new(struct explore **ret, const struct explore_conf *conf)
{
	struct explore *x = memory_calloc(1, sizeof(*x));

	if (!x)
		return ERR_NOMEM;
	x->shared = explore_shared_new(conf);
	if (!x->shared) {
		free(x);
		return ERR_NOMEM;
	}
	x->first = true;
	x->conf = x->trial.conf = conf;
	*ret = x;
	return 0;
}

int explore_join(struct explore **ret, const struct explore *first,
		 unsigned worker)
{
	struct explore *x = memory_calloc(1, sizeof(*x));

	if (!x)
		return ERR_NOMEM;
	x->shared = first->shared;
	x->conf = x->trial.conf = first->conf;
	x->trial.worker = worker;
	*ret = x;
	return 0;
}

void explore_free(struct explore *x)
{
	if (!x)
		return;
	trial_free(&x->trial);
	if (x->first)
		explore_shared_free(x->shared);
	free(x);
}

/* Begins with a part of a kept log and draws the rest, or changes numbers. */
static void explore_vary(struct explore_shared *s, struct choices *c)
{
	const struct choices *old =
		&s->kept[rng_below(&s->rng, (uint32_t)s->nkept)];
	const unsigned changes = 1 + rng_below(&s->rng, 3);

	choices_draw(c, rng_next(&s->rng));
	memcpy(c->v, old->v, old->n * sizeof(c->v[0]));
	c->n = old->n;
	if (rng_below(&s->rng, 2)) {
		c->n = 1 + rng_below(&s->rng, (uint32_t)old->n);
		return;
	}
	for (unsigned i = 0; i < changes; i++) {
		const uint32_t at = rng_below(&s->rng, (uint32_t)c->n);

		c->v[at] = rng_below(&s->rng, 64);
	}
}

static void explore_choose(struct explore *x, struct choices *c)
{
	struct explore_shared *s = x->shared;

	explore_lock(x);
	if (!s->nkept || rng_below(&s->rng, 8) < EXPLORE_FRESH)
		choices_draw(c, rng_next(&s->rng));
	else
		explore_vary(s, c);
	explore_unlock(x);
}

/* Returns whether the last draft needs a setting that the device refused. */
static bool explore_is_refused(struct explore *x)
{
	bool refused;

	explore_lock(x);
	refused = refused_has(&x->shared->refused, &x->trial.draft);
	explore_unlock(x);
	return refused;
}

/* Decides what the next live run is. */
static void explore_decide(struct explore *x)
{
	struct explore_shared *s = x->shared;

	explore_lock(x);
	x->is_turn = s->drawn >= s->spent / EXPLORE_DRAWN &&
		     turns_next(&s->turns, &s->rng, &x->turn);
	x->may_wait = s->timed <= s->drawn / EXPLORE_TIMED;
	s->totals.turns += x->is_turn;
	explore_unlock(x);
}

/*
 * Draws logs for a plan, or for none, until one needs no setting that the
 * device refused.
 */
static void explore_choose_had(struct explore *x, const struct draft_plan *plan,
			       struct choices *c)
{
	for (unsigned i = 0; i < EXPLORE_HAS; i++) {
		if (plan) {
			explore_lock(x);
			choices_draw(c, rng_next(&x->shared->rng));
			explore_unlock(x);
		} else {
			explore_choose(x, c);
		}
		trial_draws(&x->trial, plan, c);
		if (!explore_is_refused(x))
			return;
	}
}

/*
 * Chooses a log for a live device.  Each opening and move has a turn, and some
 * of the time is for moves that are drawn.  Those that wait for a timer take
 * most of that: they have a part of it, and other logs lose them.
 */
static void explore_choose_live(struct explore *x, struct choices *c)
{
	struct draft_plan plan;

	explore_decide(x);
	if (x->is_turn)
		turn_plan(&x->turn, &plan);
	for (unsigned i = 0; i < EXPLORE_QUICK && !x->is_turn && !x->may_wait;
	     i++) {
		explore_choose(x, c);
		if (trial_quicken(&x->trial, c) && !explore_is_refused(x))
			return;
	}
	x->may_wait = true;
	explore_choose_had(x, x->is_turn ? &plan : NULL, c);
}

static void explore_count(struct explore *x)
{
	const struct record *rec = &x->trial.record;
	struct explore_shared *s = x->shared;
	uint64_t packets = 0;

	for (size_t i = 0; i < rec->nrecs; i++)
		packets += rec->recs[i].frame != 0;
	explore_lock(x);
	x->run = ++s->totals.runs;
	s->totals.packets += packets;
	s->spent += rec->virtual_ns;
	if (!x->is_turn) {
		s->drawn += rec->virtual_ns;
		s->timed += x->may_wait ? rec->virtual_ns : 0;
	}
	explore_unlock(x);
}

static void explore_add(struct explore *x, uint64_t *total)
{
	explore_lock(x);
	++*total;
	explore_unlock(x);
}

/* A case that fails the reference, or that does not parse, is our mistake. */
static void explore_unsound(struct explore *x, const char *why)
{
	struct explore_totals *n = &x->shared->totals;

	explore_lock(x);
	if (!n->unsound++) {
		snprintf(n->unsound_why, sizeof(n->unsound_why), "%s: %s", why,
			 x->trial.text);
		text_add(&n->unsound_file, text_cstr(&x->trial.file),
			 x->trial.file.len);
	}
	explore_unlock(x);
}

/* Counts a failure of a live device that did not come again. */
static void explore_once(struct explore *x, const char *row, const char *text)
{
	struct explore_totals *n = &x->shared->totals;

	explore_lock(x);
	if (!n->once++)
		snprintf(n->once_text, sizeof(n->once_text), "%s%.239s", row,
			 text);
	explore_unlock(x);
}

/* Returns the place of a row and role among the findings, or nfound. */
static size_t explore_place(const struct explore_shared *s, enum req_id req,
			    enum req_role role)
{
	size_t i = 0;

	while (i < s->nfound &&
	       (s->found[i].req != req || s->found[i].role != role))
		i++;
	return i;
}

/* Returns whether the row was found before; it is from now on. */
static bool explore_knows(struct explore *x)
{
	struct explore_shared *s = x->shared;
	size_t at;
	bool knows;

	explore_lock(x);
	at = explore_place(s, x->trial.req, x->trial.role);
	knows = at < s->nfound || at == EXPLORE_FOUND;
	if (knows) {
		s->totals.again++;
	} else {
		s->found[s->nfound].req = x->trial.req;
		s->found[s->nfound++].role = x->trial.role;
	}
	explore_unlock(x);
	return knows;
}

static void explore_forget(struct explore *x, enum req_id req,
			   enum req_role role)
{
	struct explore_shared *s = x->shared;
	size_t at;

	explore_lock(x);
	at = explore_place(s, req, role);
	if (at < s->nfound)
		s->found[at] = s->found[--s->nfound];
	explore_unlock(x);
}

static bool explore_stopped(const struct explore *x)
{
	return x->conf->stop && *x->conf->stop;
}

/*
 * Does a live device fail again by the same row?  What it did once may have
 * been the network's or the machine's doing.  If there is no device any more,
 * or after an interruption, nothing is repeated, and the trial keeps the
 * failure.
 */
static int explore_repeats(struct explore *x, const struct choices *c,
			   bool *ret_again)
{
	const enum req_id req = x->trial.req;
	const enum req_role role = x->trial.role;
	char text[sizeof(x->trial.text)], row[40];
	struct choices again = *c;
	int err = 0;

	memcpy(text, x->trial.text, sizeof(text));
	*ret_again = !x->conf->live;
	for (unsigned i = 0, all = 0;
	     i < EXPLORE_AGAIN && all < EXPLORE_REPEATS && !*ret_again &&
	     !err && !explore_stopped(x);
	     all++) {
		choices_replay(&again);
		err = trial_run(&x->trial, &again, false);
		/* a busy machine decides nothing */
		i += x->trial.outcome != TRIAL_INCONCLUSIVE;
		*ret_again = !err && x->trial.outcome == TRIAL_FAIL &&
			     x->trial.req == req && x->trial.role == role;
	}
	if (!*ret_again && (err || explore_stopped(x))) {
		x->trial.outcome = TRIAL_FAIL;
		x->trial.req = req;
		x->trial.role = role;
		memcpy(x->trial.text, text, sizeof(text));
	} else if (!*ret_again) {
		snprintf(row, sizeof(row), "%s/%s: ", req_get(req)->id,
			 req_role_name(role));
		explore_once(x, row, text);
		explore_forget(x, req, role);
	}
	return err;
}

static void explore_tell(struct explore *x, const struct explore_finding *f)
{
	explore_lock(x);
	if (x->conf->found)
		x->conf->found(x->conf->ctx, f);
	explore_unlock(x);
}

/*
 * Reduces a finding and tells it, also if no device is left in the middle.
 * Return: as explore_run; |err| is that of the runs before.
 */
static int explore_reduces(struct explore *x, const struct choices *c,
			   unsigned most, struct explore_finding *f, int err)
{
	const int reduced = reduce_choices(&x->trial, c, most, f);

	explore_tell(x, f);
	text_free(&f->file);
	return err ? err : reduced;
}

static int explore_failed(struct explore *x, const struct choices *c)
{
	struct explore_finding f = {
		.req = x->trial.req, .role = x->trial.role, .run = x->run};
	enum trial_outcome other = TRIAL_PASS;
	bool again;
	int err;

	/* an interruption may have ended the device's program as well */
	if (x->conf->live && explore_stopped(x))
		return 0;
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
	if (explore_knows(x))
		return 0;
	err = explore_repeats(x, c, &again);
	f.once = !again && (err || explore_stopped(x));
	if (!again && !f.once)
		return 0;
	return explore_reduces(x, c, f.once ? 0 : EXPLORE_TRIES, &f, err);
}

/* Writes the way in which the device is gone, on any line. */
static void explore_way(const struct explore *x, char way[240])
{
	snprintf(way, 240, "%s", x->trial.text);
	for (char *s = way; *s; s++)
		if (*s >= '0' && *s <= '9')
			*s = '0';
}

/* Returns the place of a way among those before, or nlost. */
static size_t explore_way_place(const struct explore_shared *s, const char *way)
{
	size_t i = 0;

	while (i < s->nlost && strcmp(s->lost[i], way) != 0)
		i++;
	return i;
}

/*
 * Returns whether a device was gone in that way before; calls conf->gone if
 * not.
 */
static bool explore_lost(struct explore *x, const char *way,
			 unsigned *ret_number)
{
	struct explore_shared *s = x->shared;
	size_t at;
	bool lost;

	explore_lock(x);
	at = explore_way_place(s, way);
	lost = at < s->nlost || at == EXPLORE_LOST;
	if (lost) {
		s->totals.again++;
	} else {
		snprintf(s->lost[s->nlost++], sizeof(s->lost[0]), "%s", way);
		if (x->conf->gone)
			*ret_number =
				x->conf->gone(x->conf->ctx, &x->trial.record);
	}
	explore_unlock(x);
	return lost;
}

/*
 * The control channel was silent, and not when the sequence was repeated: the
 * machine may have been busy.  The folder of the run remains.
 */
static void explore_silent_once(struct explore *x, const char *way,
				const char *text)
{
	struct explore_shared *s = x->shared;
	size_t at;

	explore_lock(x);
	at = explore_way_place(s, way);
	if (at < s->nlost)
		memmove(s->lost[at], s->lost[--s->nlost], sizeof(s->lost[0]));
	explore_unlock(x);
	explore_once(x, "", text);
}

/* The device is gone: is it again, after the same sequence? */
static int explore_gone(struct explore *x, const struct choices *c)
{
	struct explore_finding f = {.req = REQ_NONE, .run = x->run};
	const bool silent = x->trial.record.reason_id == REASON_CONTROL_SILENT;
	struct choices again = *c;
	char way[sizeof(x->trial.text)];
	int err;

	if (explore_stopped(x))
		return 0;
	explore_way(x, way);
	if (explore_lost(x, way, &f.gone))
		return 0;
	snprintf(f.text, sizeof(f.text), "%s", x->trial.text);
	choices_replay(&again);
	err = trial_run(&x->trial, &again, false);
	f.once = err || x->trial.outcome != TRIAL_GONE;
	if (!err && f.once && silent && !explore_stopped(x)) {
		explore_silent_once(x, way, f.text);
		return 0;
	}
	if (f.once)
		memcpy(x->trial.text, f.text, sizeof(f.text));
	return explore_reduces(x, c, f.once ? 0 : EXPLORE_GONE, &f, err);
}

/* Keeps a log that reaches something new.  Return: it does. */
static bool explore_keeps(struct explore *x, const struct choices *c)
{
	struct explore_shared *s = x->shared;
	bool keeps;

	explore_lock(x);
	keeps = reach_take(&s->reach, x->trial.draft.subject,
			   &x->trial.record) &&
		c->n;
	if (keeps) {
		const size_t at = s->nkept < EXPLORE_KEPT
					  ? s->nkept++
					  : rng_below(&s->rng, EXPLORE_KEPT);

		s->totals.kept++;
		s->kept[at] = *c;
	}
	explore_unlock(x);
	return keeps;
}

/* The device passed: did it do the same as the reference? */
static int explore_compare(struct explore *x)
{
	enum trial_outcome other;
	int err;

	if (!x->conf->reference)
		return 0;
	err = trial_again(&x->trial, &other);
	if (err || other != TRIAL_PASS)
		return err;
	explore_lock(x);
	differ_take(&x->shared->differ, &x->trial.record, &x->trial.other,
		    x->run);
	explore_unlock(x);
	return 0;
}

/* Remembers the setting that the device does not have. */
static void explore_refused(struct explore *x)
{
	if (x->trial.record.reason_id != REASON_UNCONFIGURABLE)
		return;
	explore_lock(x);
	refused_take(&x->shared->refused, &x->trial.draft, x->trial.text);
	explore_unlock(x);
}

/* An opening or move whose run was inconclusive has another turn. */
static void explore_puts_back(struct explore *x)
{
	struct explore_shared *s = x->shared;

	if (!x->is_turn)
		return;
	explore_lock(x);
	s->totals.turns -= turns_back(&s->turns, &x->turn);
	explore_unlock(x);
}

/* Returns whether the device was gone or stopped after the last run. */
static bool explore_is_lost(const struct explore *x)
{
	return x->trial.outcome == TRIAL_GONE ||
	       x->trial.record.reason_id == REASON_STOPPED;
}

/* Counts a run that was not claimed. */
static void explore_begun(struct explore *x)
{
	if (!x->claimed)
		explore_add(x, &x->shared->totals.begun);
	x->claimed = false;
}

/* Judges the run that was just made of a log. */
static int explore_take(struct explore *x, const struct choices *c)
{
	struct explore_totals *n = &x->shared->totals;
	bool kept;

	explore_begun(x);
	if (x->trial.outcome == TRIAL_BROKEN) {
		explore_unsound(x, "the draft is wrong");
		return 0;
	}
	explore_count(x);
	kept = explore_keeps(x, c);
	x->gone = explore_is_lost(x) ? x->gone + 1 : 0;
	switch (x->trial.outcome) {
	case TRIAL_GONE:
		return explore_gone(x, c);
	case TRIAL_FAIL:
		return explore_failed(x, c);
	case TRIAL_PASS:
		explore_add(x, &n->passed);
		return kept ? explore_compare(x) : 0;
	case TRIAL_NA:
		explore_add(x, &n->not_applicable);
		explore_refused(x);
		return 0;
	default:
		explore_add(x, &n->inconclusive);
		explore_puts_back(x);
		return 0;
	}
}

void explore_claim(struct explore *x)
{
	x->claimed = true;
	x->shared->totals.begun++;
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
		      enum chair chair, unsigned strength, bool across)
{
	int err;

	*ret = (struct explore_cover){.tuples = NULL};
	learn_parts(&ret->parts, subject, chair);
	err = tuples_new(&ret->tuples, strength, ret->parts.nopens,
			 ret->parts.nmoves);
	if (!err)
		err = values_new(&ret->values, strength);
	if (!err)
		err = learn_values(ret->values, &ret->parts);
	if (!err && across)
		err = across_new(&ret->across, ret->values);
	return err;
}

void explore_cover_free(struct explore_cover *c)
{
	tuples_free(c->tuples);
	across_free(c->across);
	values_free(c->values);
}

/* Runs the sequence that |plan| makes of an empty log of choices. */
static int explore_runs_plan(struct explore *x, const struct draft_plan *plan,
			     struct choices *c)
{
	int err;

	x->trial.plan = plan;
	err = trial_run(&x->trial, c, false);
	x->trial.plan = NULL;
	return err;
}

/* Runs the sequence that |plan| makes of the choices of a seed. */
static int explore_planned(struct explore *x, const struct draft_plan *plan,
			   uint64_t seed, struct choices *ret)
{
	choices_draw(ret, seed);
	return explore_runs_plan(x, plan, ret);
}

/* Returns whether the last run shows what the device does in its sequence. */
static bool explore_covers(const struct explore *x)
{
	return x->trial.outcome == TRIAL_PASS || x->trial.outcome == TRIAL_FAIL;
}

/* Returns the place of an option among |n|. */
static unsigned explore_part(const unsigned *options, unsigned n,
			     unsigned option)
{
	unsigned i = 0;

	while (i + 1 < n && options[i] != option)
		i++;
	return i;
}

/* Writes the opening and the moves that the last draft has. */
static void explore_ran(const struct draft *d, const struct learn_parts *parts,
			struct tuples_plan *ret)
{
	ret->open = explore_part(parts->opens, parts->nopens, d->open_option);
	for (ret->n = 0; ret->n < d->nmoves && ret->n < TUPLES_MOVES; ret->n++)
		ret->moves[ret->n] = explore_part(parts->moves, parts->nmoves,
						  d->move_option[ret->n]);
}

/* Covers tuples of parts. */
static int explore_cover_parts(struct explore *x, struct explore_cover *cover,
			       const struct tuples_plan *p)
{
	const struct learn_parts *parts = &cover->parts;
	struct draft_plan plan = {.subject = parts->subject,
				  .chair = parts->chair,
				  .open = parts->opens[p->open]};
	struct cover_value drawn[LEARN_DRAWN];
	struct tuples_plan ran;
	struct choices c;
	int err;

	for (; plan.n < p->n; plan.n++)
		plan.moves[plan.n] = parts->moves[p->moves[plan.n]];
	err = explore_planned(x, &plan, rng_next(&x->shared->rng), &c);
	if (err)
		return err;
	explore_ran(&x->trial.draft, parts, &ran);
	tuples_done(cover->tuples, &ran, x->trial.draft.over,
		    explore_covers(x));
	if (explore_covers(x)) {
		const size_t len = learn_drawn(&x->trial.draft, drawn);

		values_also(cover->values, drawn, len);
		if (cover->across)
			across_also(cover->across, drawn, len);
	}
	return explore_take(x, &c);
}

/*
 * Seeks a seed whose draft of |plan| has the next tuple of values, or the next
 * pair of values of two moves if |across| is set.
 * Return: false: none of EXPLORE_DRAFTS drafts has it.
 */
static bool explore_cover_seed(struct explore *x,
			       const struct explore_cover *cover, bool across,
			       const struct draft_plan *plan, uint64_t *ret)
{
	struct cover_value drawn[LEARN_DRAWN];

	for (unsigned i = 0; i < EXPLORE_DRAFTS; i++) {
		size_t n;

		*ret = rng_next(&x->shared->rng);
		n = learn_drafts(plan, *ret, drawn);
		if (across ? across_has(cover->across, drawn, n)
			   : values_has(cover->values, drawn, n))
			return true;
	}
	return false;
}

/*
 * Covers tuples of values.  A tuple that no draft of the plan covers is not
 * run: a place may depend on what another one drew.
 */
static int explore_cover_values(struct explore *x, struct explore_cover *cover,
				const struct draft_plan *plan)
{
	struct cover_value drawn[LEARN_DRAWN];
	struct choices c;
	uint64_t seed;
	size_t n;
	int err;

	if (!explore_cover_seed(x, cover, false, plan, &seed)) {
		values_lacks(cover->values);
		return 0;
	}
	err = explore_planned(x, plan, seed, &c);
	if (err)
		return err;
	n = learn_drawn(&x->trial.draft, drawn);
	values_done(cover->values, drawn, n, explore_covers(x));
	if (cover->across && explore_covers(x))
		across_also(cover->across, drawn, n);
	return explore_take(x, &c);
}

/* Covers pairs of values of two moves, as explore_cover_values. */
static int explore_cover_across(struct explore *x, struct explore_cover *cover,
				const struct draft_plan *plan)
{
	struct cover_value drawn[LEARN_DRAWN];
	struct choices c;
	uint64_t seed;
	int err;

	if (!explore_cover_seed(x, cover, true, plan, &seed)) {
		across_lacks(cover->across);
		return 0;
	}
	err = explore_planned(x, plan, seed, &c);
	if (err)
		return err;
	across_done(cover->across, drawn, learn_drawn(&x->trial.draft, drawn),
		    explore_covers(x));
	return explore_take(x, &c);
}

int explore_cover_run(struct explore *x, struct explore_cover *cover,
		      bool *ret_more)
{
	struct draft_plan plan = {.subject = cover->parts.subject,
				  .chair = cover->parts.chair};
	struct tuples_plan p;

	*ret_more = tuples_next(cover->tuples, &x->shared->rng, &p);
	if (*ret_more)
		return explore_cover_parts(x, cover, &p);
	*ret_more = values_next(cover->values, &x->shared->rng, &plan);
	if (*ret_more)
		return explore_cover_values(x, cover, &plan);
	if (cover->across)
		*ret_more = across_next(cover->across, &x->shared->rng, &plan);
	return *ret_more ? explore_cover_across(x, cover, &plan) : 0;
}

/* ---- Boundary values ---- */

int explore_boundary_new(struct explore_boundary *ret,
			 enum draft_subject subject, enum chair chair)
{
	*ret = (struct explore_boundary){.subject = subject, .chair = chair};
	ret->n = boundary_count(subject, chair);
	ret->tried = memory_calloc(ret->n + 1, 1);
	ret->why = memory_calloc(ret->n + 1, sizeof(*ret->why));
	return ret->tried && ret->why ? 0 : ERR_NOMEM;
}

void explore_boundary_free(struct explore_boundary *b)
{
	free(b->tried);
	free(b->why);
}

/* Returns whether the last run tried its boundary value. */
static bool explore_tries(const struct explore *x)
{
	return explore_covers(x) || x->trial.outcome == TRIAL_GONE;
}

/*
 * Tries a value in a drawn opening.  The opening may need a setting that the
 * device does not have, and a live run may be late, so that the simplest
 * opening is the next attempt.
 */
static int explore_boundary_tries(struct explore *x,
				  const struct draft_plan *plan,
				  struct choices *c)
{
	int err = explore_planned(x, plan, rng_next(&x->shared->rng), c);

	for (unsigned i = 0; i < EXPLORE_SIMPLE && !err && !explore_tries(x) &&
			     x->trial.outcome != TRIAL_BROKEN;
	     i++) {
		choices_simplest(c);
		err = explore_runs_plan(x, plan, c);
	}
	return err;
}

int explore_boundary_run(struct explore *x, struct explore_boundary *b,
			 bool *ret_more)
{
	const struct draft_plan plan = {.subject = b->subject,
					.chair = b->chair,
					.boundary = true,
					.value = b->at};
	struct choices c;
	int err;

	*ret_more = b->at < b->n;
	if (!*ret_more)
		return 0;
	err = explore_boundary_tries(x, &plan, &c);
	if (err)
		return err;
	if (!explore_tries(x))
		snprintf(b->why[b->at], sizeof(b->why[0]), "%.*s",
			 EXPLORE_WHY - 1, x->trial.text);
	b->tried[b->at++] =
		explore_tries(x) ? EXPLORE_TRIED : EXPLORE_NOT_APPLICABLE;
	return explore_take(x, &c);
}

/* Returns the verdict of a run; a device that is gone has failed. */
static enum verdict explore_verdict_of(enum trial_outcome o)
{
	switch (o) {
	case TRIAL_PASS:
		return VERDICT_PASS;
	case TRIAL_FAIL:
	case TRIAL_GONE:
		return VERDICT_FAIL;
	case TRIAL_NA:
		return VERDICT_NA;
	case TRIAL_INCONCLUSIVE:
		return VERDICT_INCONCLUSIVE;
	default:
		return VERDICT_ERROR;
	}
}

int explore_replay(struct explore *x, const struct choices *c,
		   struct text *ret_file, enum verdict *ret, char *ret_text)
{
	struct choices copy = *c;
	int err;

	choices_replay(&copy);
	err = trial_run(&x->trial, &copy, false);
	if (err)
		return err;
	explore_count(x);
	*ret = explore_verdict_of(x->trial.outcome);
	snprintf(ret_text, 300, "%s", x->trial.text);
	if (x->trial.outcome == TRIAL_FAIL && x->trial.req != REQ_NONE) {
		struct explore_finding f = {.req = x->trial.req,
					    .role = x->trial.role};

		snprintf(f.text, sizeof(f.text), "%s", x->trial.text);
		trial_write(&x->trial, &f, false, &f.file);
		err = trial_confirm(&x->trial, &f);
		snprintf(ret_text, 300, "%s/%s: %s", req_get(f.req)->id,
			 req_role_name(f.role), f.text);
		text_add(ret_file, text_cstr(&f.file), f.file.len);
		text_free(&f.file);
	} else {
		text_add(ret_file, text_cstr(&x->trial.file),
			 x->trial.file.len);
	}
	return err;
}

const struct explore_totals *explore_totals(const struct explore *x)
{
	return &x->shared->totals;
}

const struct explore_reach *explore_reach(const struct explore *x)
{
	return &x->shared->reach;
}

const struct differ *explore_differ(const struct explore *x)
{
	return &x->shared->differ;
}

unsigned explore_gone_runs(const struct explore *x)
{
	return x->gone;
}
