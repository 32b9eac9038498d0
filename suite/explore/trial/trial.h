/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/trial/trial.h -- one log of choices on one device: drafted,
 * parsed, run and judged.
 */
#ifndef SUITE_EXPLORE_TRIAL_TRIAL_H
#define SUITE_EXPLORE_TRIAL_TRIAL_H

#include "suite/explore/draft.h"
#include "suite/explore/explore_conf.h"
#include "suite/run/run.h"

/* A device with its runner; made on first use, one for each family. */
struct trial_seat {
	struct dut *dut;
	struct runner *runner;
	struct decl decl; /* with as much memory as the draft needs */
};

enum trial_outcome {
	TRIAL_PASS,
	TRIAL_FAIL,
	TRIAL_NA,
	TRIAL_INCONCLUSIVE,
	TRIAL_GONE,   /* the device ended, or answers nothing any more */
	TRIAL_BROKEN, /* the draft is wrong: it does not parse, or the tester
			 erred */
};

struct trial {
	const struct explore_conf *conf;
	unsigned worker;
	struct trial_seat seats[2][FAMILIES]; /* device, reference */
	struct record record;                 /* of the last run */
	struct record other;                  /* of the reference */
	struct record probe;                  /* whether the device lives */
	struct test_case *test_case;          /* of |record| */
	struct draft draft;                   /* of the last run */
	const struct draft_plan *plan;        /* of the next one, or NULL */
	struct text file;                     /* its text */
	struct line_cache *lines; /* of all drafts; made on first use */

	/* the outcome of the last run */
	enum trial_outcome outcome;
	enum req_id req;
	enum req_role role;
	char text[240];
};

/*
 * trial_run drafts the choices anew, runs the case on the device or on the
 * reference, and sets the outcome.  Rules that the tester turns out to break
 * are added to the head of the case, and it runs again.  A device that never
 * answered is probed with the simplest sequence.  One that is gone, or that a
 * signal stopped, is revived, and made anew for the next run.
 * Return: as explore_run.
 */
int trial_run(struct trial *t, struct choices *c, bool reference);

/* trial_draws draws a log for a plan, and drafts it. */
void trial_draws(struct trial *t, const struct draft_plan *plan,
		 struct choices *c);

/*
 * trial_quicken removes what waits for timers from a log: moves, closing lines.
 * Return: false: the opening waits, or fewer than two moves are left.
 */
bool trial_quicken(struct trial *t, struct choices *c);

/*
 * trial_again runs the last draft on the reference, and adds rules as trial_run
 * does. Return: as explore_run.
 */
int trial_again(struct trial *t, enum trial_outcome *ret);

/*
 * trial_write writes the last draft with a head about a finding to |ret|.  For
 * a reader it has titles and short lines; else its lines are those of the run.
 */
void trial_write(struct trial *t, const struct explore_finding *f,
		 bool for_reader, struct text *ret);

/* trial_finds returns whether the last run has a finding. */
bool trial_finds(const struct trial *t, const struct explore_finding *f);

/*
 * trial_confirm writes the last draft, whose run had a finding, for a reader,
 * and runs that file on the device.  If it has the finding again, file and text
 * of the finding become those of this run; else they stay as they are.
 * Return: as explore_run.
 */
int trial_confirm(struct trial *t, struct explore_finding *f);

void trial_free(struct trial *t);

#endif
