/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/trial/trial.c -- drafts, parses and runs one log of choices.
 */
#include "suite/explore/trial/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "suite/explore/draft_make.h"
#include "suite/lang/case_parse.h"
#include "suite/run/run_conf.h"
#include "suite/verdict/verdict.h"

#define TRIAL_ID    "explore"
#define TRIAL_RULES 8 /* runs that add a rule which the tester breaks */
/* MTUs of memory that most moves need at most */
#define TRIAL_MEMORY 32

static void trial_drop(struct trial *t, bool reference, enum family family)
{
	struct trial_seat *s = &t->seats[reference][family];

	runner_free(s->runner);
	if (s->dut)
		t->conf->device_free(s->dut);
	*s = (struct trial_seat){0};
}

static const struct decl *trial_decl(const struct trial *t, bool reference)
{
	return reference ? t->conf->reference : t->conf->decl;
}

/* Makes the device of a family on first use. */
static int trial_seat(struct trial *t, bool reference, enum family family,
		      struct trial_seat **ret)
{
	const struct explore_conf *conf = t->conf;
	struct trial_seat *s = &t->seats[reference][family];
	int code;

	*ret = s;
	if (s->runner)
		return 0;
	for (int f = 0; f < FAMILIES && conf->single && !reference; f++)
		trial_drop(t, false, (enum family)f);
	code = conf->device(conf->ctx, t->worker, reference, family, &s->dut);
	if (code)
		return code;
	s->decl = *trial_decl(t, reference);
	return runner_new(&s->runner, s->dut, &s->decl);
}

/*
 * Each run fills and checks the memory of our endpoint: it has as much as the
 * moves of the draft need.
 */
static void trial_memory(const struct trial *t, bool reference,
			 struct trial_seat *s)
{
	const uint32_t some = TRIAL_MEMORY * s->decl.mtu;
	const uint32_t all = trial_decl(t, reference)->memory_len;

	s->decl.memory_len = all;
	if (t->conf->exposes_asked && !t->draft.whole_memory && all > some)
		s->decl.memory_len = some;
}

static int trial_parse(struct trial *t, struct test_case **ret,
		       struct diag *diag)
{
	const struct case_source source = {.id = TRIAL_ID,
					   .path = TRIAL_ID ".lad",
					   .text = text_cstr(&t->file),
					   .len = t->file.len};

	if (!t->lines && line_cache_new(&t->lines))
		return ERR_NOMEM;
	return case_parse_cached(ret, &source, t->conf->fragment, NULL,
				 t->lines, diag);
}

static int trial_case(struct trial *t, bool reference, bool trusts_tester,
		      const struct test_case *k, struct record *ret)
{
	struct run_conf rc = {
		.seed = t->conf->seed,
		.strict = t->conf->strict,
		.untold = !t->conf->live,
		.trusts_tester = trusts_tester,
		/* the reference takes no real time, and decides what counts */
		.interrupted = reference ? NULL : t->conf->stop,
	};
	struct trial_seat *s;
	int err = trial_seat(t, reference, k->family, &s);

	if (err)
		return err;
	trial_memory(t, reference, s);
	rc.decl = &s->decl;
	return run_case(s->runner, k, t->draft.chair, &rc, ret);
}

/*
 * Runs the case on the device under test, or on the reference.  What a rule
 * that the tester breaks may cause is a failure, so that the tester is judged
 * only in a second run of what has failed.  A live device may do something else
 * in a second run.
 */
static int trial_plays(struct trial *t, bool reference,
		       const struct test_case *k)
{
	int err;

	if (t->conf->live || reference)
		return trial_case(t, reference, false, k, &t->record);
	err = trial_case(t, reference, true, k, &t->record);
	if (err || t->record.verdict == VERDICT_PASS)
		return err;
	return trial_case(t, reference, false, k, &t->record);
}

/*
 * Adds the rule that the tester broke to the draft: the reason names it.
 * Return: true: the case has to run again.
 *
 * Against a device that is not the reference such a case is inconclusive,
 * since the device may be the cause.
 */
static bool trial_learns(struct trial *t, const struct record *rec)
{
	const char *broke = strstr(rec->reason, "the tester itself breaks ");
	char rule[32];

	if (rec->reason_id != REASON_TESTER_BROKE &&
	    rec->reason_id != REASON_LED_ASTRAY)
		return false;
	if (!broke || sscanf(broke, "the tester itself breaks %31s", rule) != 1)
		return false;
	if (req_find(rule, strlen(rule), &(enum req_role){0}) == REQ_NONE)
		return false;
	draft_violates(&t->draft, rule);
	return true;
}

static enum trial_outcome trial_outcome_of(const struct record *rec)
{
	switch (rec->reason_id) {
	case REASON_CONTROL_CLOSED:
	case REASON_GONE:
	case REASON_NO_RESET:
	case REASON_CONTROL_SILENT:
		return TRIAL_GONE;
	default:
		break;
	}
	switch (rec->verdict) {
	case VERDICT_PASS:
		return TRIAL_PASS;
	case VERDICT_FAIL:
		return TRIAL_FAIL;
	case VERDICT_NA:
		return TRIAL_NA;
	case VERDICT_INCONCLUSIVE:
		return TRIAL_INCONCLUSIVE;
	default:
		return TRIAL_BROKEN;
	}
}

/* The finding that decides, or the reason. */
static void trial_settles(struct trial *t, const struct record *rec)
{
	const struct rec_finding *f = NULL;

	t->outcome = trial_outcome_of(rec);
	t->req = REQ_NONE;
	snprintf(t->text, sizeof(t->text), "%.239s", rec->reason);
	if (t->outcome != TRIAL_FAIL)
		return;
	for (size_t i = 0; i < rec->nfindings; i++) {
		const struct rec_finding *g = &rec->findings[i];

		if (g->consequence || g->known || g->doubtful ||
		    (g->remark && !t->conf->strict))
			continue;
		if (!f || (g->kind == KIND_PROTOCOL && f->kind == KIND_TIMING))
			f = g;
	}
	if (!f)
		return;
	t->req = f->req;
	t->role = f->role;
	snprintf(t->text, sizeof(t->text), "%.239s", f->text);
}

static void trial_writes_draft(struct trial *t)
{
	const struct draft_head head = {.title = "An explored sequence",
					.covers = REQ_NONE};

	text_clear(&t->file);
	draft_text(&t->draft, &head, &t->file);
}

static void trial_draft(struct trial *t, struct choices *c)
{
	char rules[DRAFT_VIOLATES][32];
	const size_t n = t->draft.nviolates;
	struct text body = t->draft.body;

	memcpy(rules, t->draft.violates, sizeof(rules));
	text_clear(&body);
	memset(&t->draft, 0, sizeof(t->draft));
	t->draft.body = body;
	memcpy(t->draft.violates, rules, sizeof(rules));
	t->draft.nviolates = n;
	t->draft.c = c;
	t->draft.plan = t->plan;
	draft_make(&t->draft, t->conf->subjects, t->conf->chairs);
	trial_writes_draft(t);
}

/* Removes what waits; false: nothing does. */
static bool trial_cuts_waits(const struct draft *d, struct choices *c)
{
	bool cuts = draft_waits(d, d->nmoves + 1);

	if (cuts)
		choices_cut(c, d->close_at, c->n - d->close_at);
	for (size_t i = d->nmoves; i-- > 0;) {
		if (!draft_waits(d, i))
			continue;
		choices_cut(c, d->move_at[i],
			    d->move_at[i + 1] - d->move_at[i]);
		cuts = true;
	}
	return cuts;
}

void trial_draws(struct trial *t, const struct draft_plan *plan,
		 struct choices *c)
{
	t->draft.nviolates = 0;
	c->at = 0;
	t->plan = plan;
	trial_draft(t, c);
	t->plan = NULL;
	choices_replay(c);
}

bool trial_quicken(struct trial *t, struct choices *c)
{
	for (unsigned i = 0; i < DRAFT_MOVES; i++) {
		t->draft.nviolates = 0;
		c->at = 0;
		trial_draft(t, c);
		choices_replay(c);
		if (t->draft.nmoves < 2 ||
		    draft_waits(&t->draft, t->draft.nmoves))
			return false;
		if (!trial_cuts_waits(&t->draft, c))
			return true;
	}
	return false;
}

/*
 * The device never answered, which may be right: a sequence of packets that it
 * has to ignore.  Does it answer the simplest sequence?
 */
static int trial_probe(struct trial *t, bool *ret_lives)
{
	const struct draft_plan plan = {
		.subject = t->draft.subject, .chair = t->draft.chair, .n = 1};
	const struct draft_plan *const planned = t->plan;
	const struct draft draft = t->draft;
	const struct text file = t->file;
	struct test_case *k = NULL;
	struct diag diag = {0};
	struct choices c;
	int err;

	choices_draw(&c, 1);
	t->draft = (struct draft){0};
	t->file = (struct text){0};
	t->plan = &plan;
	trial_draft(t, &c);
	err = trial_parse(t, &k, &diag);
	if (!err)
		err = trial_case(t, false, false, k, &t->probe);
	t->probe.test_case = NULL;
	case_free(k);
	*ret_lives = !err && trial_outcome_of(&t->probe) != TRIAL_GONE &&
		     t->probe.reason_id != REASON_NO_ANSWER;
	draft_free(&t->draft);
	text_free(&t->file);
	t->draft = draft;
	t->file = file;
	t->plan = planned;
	return err;
}

/*
 * Revives a device that is gone, that answers nothing any more, or that ended
 * after its failure was seen.
 */
static int trial_revive(struct trial *t)
{
	bool lives;
	int err;

	if (t->record.reason_id == REASON_NO_ANSWER) {
		err = trial_probe(t, &lives);
		if (err || lives)
			return err;
		t->outcome = TRIAL_GONE;
		snprintf(t->text, sizeof(t->text),
			 "the device answers nothing any more");
	}
	if (t->outcome != TRIAL_GONE && !record_lost(&t->record))
		return 0;
	for (int f = 0; f < FAMILIES; f++)
		trial_drop(t, false, (enum family)f);
	return t->conf->revive ? t->conf->revive(t->conf->ctx) : 0;
}

/* Drops the last case, and all kept lines once they are too many. */
static void trial_forget(struct trial *t)
{
	t->record.test_case = NULL;
	case_free(t->test_case);
	t->test_case = NULL;
	if (t->lines && line_cache_full(t->lines))
		line_cache_clear(t->lines);
}

int trial_run(struct trial *t, struct choices *c, bool reference)
{
	t->draft.nviolates = 0;
	c->at = 0;
	for (unsigned i = 0; i < TRIAL_RULES; i++) {
		struct test_case *k;
		struct diag diag = {0};
		int err;

		trial_draft(t, c);
		choices_replay(c);
		trial_forget(t);
		err = trial_parse(t, &k, &diag);
		if (err == ERR_NOMEM)
			return err;
		if (err) {
			t->outcome = TRIAL_BROKEN;
			snprintf(t->text, sizeof(t->text), "line %u: %.200s",
				 diag.line, diag.text);
			return 0;
		}
		t->test_case = k;
		err = trial_plays(t, reference, k);
		if (err)
			return err;
		if (!trial_learns(t, &t->record))
			break;
	}
	trial_settles(t, &t->record);
	return reference ? 0 : trial_revive(t);
}

int trial_again(struct trial *t, enum trial_outcome *ret)
{
	for (unsigned i = 0; i < TRIAL_RULES; i++) {
		struct test_case *k;
		struct diag diag = {0};
		int err = trial_parse(t, &k, &diag);

		if (err)
			return err;
		err = trial_case(t, true, false, k, &t->other);
		t->other.test_case = NULL;
		case_free(k);
		if (err)
			return err;
		/* the device failed before the tester broke the rule */
		if (!trial_learns(t, &t->other))
			break;
		trial_writes_draft(t);
	}
	*ret = trial_outcome_of(&t->other);
	return 0;
}

void trial_write(struct trial *t, const struct explore_finding *f,
		 bool for_reader, struct text *ret)
{
	char title[DRAFT_TITLE];
	struct draft_head head = {.covers = f->req, .title = title};

	draft_title(&t->draft, title);
	if (!for_reader) {
		draft_text(&t->draft, &head, ret);
		return;
	}
	if (f->req != REQ_NONE)
		head.ref = req_get(f->req)->source;
	draft_text_read(&t->draft, &head, ret);
}

bool trial_finds(const struct trial *t, const struct explore_finding *f)
{
	return t->outcome == TRIAL_FAIL && t->req == f->req &&
	       t->role == f->role;
}

int trial_confirm(struct trial *t, struct explore_finding *f)
{
	struct diag diag = {0};
	struct test_case *k;
	int err;

	text_clear(&t->file);
	trial_write(t, f, true, &t->file);
	trial_forget(t);
	err = trial_parse(t, &k, &diag);
	if (err)
		return err == ERR_NOMEM ? err : 0;
	t->test_case = k;
	err = trial_case(t, false, false, k, &t->record);
	if (err)
		return err;
	trial_settles(t, &t->record);
	if (trial_finds(t, f)) {
		snprintf(f->text, sizeof(f->text), "%s", t->text);
		text_clear(&f->file);
		text_add(&f->file, text_cstr(&t->file), t->file.len);
	}
	return trial_revive(t);
}

void trial_free(struct trial *t)
{
	for (int r = 0; r < 2; r++)
		for (int f = 0; f < FAMILIES; f++)
			trial_drop(t, r, (enum family)f);
	record_free(&t->record);
	record_free(&t->other);
	record_free(&t->probe);
	case_free(t->test_case);
	draft_free(&t->draft);
	text_free(&t->file);
	line_cache_free(t->lines);
}
