/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/explore.h -- explores a device with sequences that no one
 * wrote.
 *
 * Each run drafts a case from a log of choices (draft.h) and runs it as "rung
 * run" does: the monitors judge each packet, the lines and the content checks
 * judge the rest.  A run that reaches a new transition is kept, and later runs
 * begin with a part of it.  A finding counts only if the same case passes on
 * the reference; it is reduced to the fewest choices with the same finding.
 */
#ifndef SUITE_EXPLORE_EXPLORE_H
#define SUITE_EXPLORE_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "suite/explore/choices.h"
#include "suite/explore/cover/across.h"
#include "suite/explore/cover/learn.h"
#include "suite/explore/draft.h"
#include "suite/explore/explore_conf.h"
#include "suite/explore/reach/differ.h"
#include "suite/explore/reach/reach.h"
#include "suite/verdict/verdict.h"

struct explore;

/* The tuples of a transport in a chair. */
struct explore_cover {
	struct learn_parts parts;
	struct tuples *tuples; /* of parts */
	struct values *values; /* of what they draw */
	struct across *across; /* of what two moves draw; NULL: not wanted */
};

struct explore_totals {
	uint64_t runs;    /* sequences that were judged */
	uint64_t packets; /* packets that the monitors judged in them */
	uint64_t passed;
	uint64_t not_applicable;
	uint64_t inconclusive;
	uint64_t again; /* findings of a row that was found before */
	uint64_t kept;  /* runs that reached something new */
	/* of a live device: openings and moves that had a turn, and all */
	uint64_t turns, all_turns;
	/* sequences that fail on the reference as well, and draft errors */
	uint64_t unsound;
	/* failures of a live device that did not come again, and the first */
	uint64_t once;
	char once_text[300];
	uint64_t begun; /* sequences that were claimed, or run without that */
	char unsound_why[400]; /* the first of them */
	struct text unsound_file;
};

/*
 * explore_new prepares an exploration.  |conf| is lent until explore_free.
 * Errors: ERR_NOMEM.
 */
int explore_new(struct explore **ret, const struct explore_conf *conf);
void explore_free(struct explore *x);

/*
 * explore_join adds a worker with a device of its own to the exploration of
 * |first|, which is freed last: both share what was reached and found.  Each
 * worker may run on a thread of its own, if conf->lock is set; a worker is
 * freed on its thread.
 * Errors: ERR_NOMEM.
 */
int explore_join(struct explore **ret, const struct explore *first,
		 unsigned worker);

/*
 * explore_claim counts a run that is about to begin, with its repeats and its
 * reduction; under the lock.
 */
void explore_claim(struct explore *x);

/* explore_gone_runs returns the runs in a row after which the worker's device
 * was gone. */
unsigned explore_gone_runs(const struct explore *x);

/*
 * explore_run makes one run that was claimed, and reduces what it finds.
 * Return: 0; -ERR_NOMEM; or the exit code of conf->device.
 */
int explore_run(struct explore *x);

/*
 * explore_cover_new prepares the tuples of |strength| of a transport in a
 * chair.
 * Errors: ERR_NOMEM.
 */
int explore_cover_new(struct explore_cover *ret, enum draft_subject subject,
		      enum chair chair, unsigned strength, bool across);
void explore_cover_free(struct explore_cover *c);

/*
 * explore_cover_run makes one run that covers tuples which are left, first
 * those of parts; *ret_more is false if there were none. Return: as
 * explore_run.
 */
int explore_cover_run(struct explore *x, struct explore_cover *c,
		      bool *ret_more);

#define EXPLORE_WHY 96 /* bytes of a reason */

/* The boundary values of a transport in a chair. */
struct explore_boundary {
	enum draft_subject subject;
	enum chair chair;
	unsigned n;     /* values */
	unsigned at;    /* the next one */
	uint8_t *tried; /* enum explore_tried */
	/* the reason of each value that is not applicable */
	char (*why)[EXPLORE_WHY];
};

enum explore_tried {
	EXPLORE_NEVER,
	EXPLORE_TRIED,
	EXPLORE_NOT_APPLICABLE, /* or inconclusive */
};

/* explore_boundary_new prepares the values.  Errors: ERR_NOMEM. */
int explore_boundary_new(struct explore_boundary *ret,
			 enum draft_subject subject, enum chair chair);
void explore_boundary_free(struct explore_boundary *b);

/*
 * explore_boundary_run tries the next value; *ret_more is false if there was
 * none.
 * Return: as explore_run.
 */
int explore_boundary_run(struct explore *x, struct explore_boundary *b,
			 bool *ret_more);

/*
 * explore_replay runs one log of choices and appends the case to |ret_file|.
 * *ret is the verdict, fail also if the device is gone; its reason, or the
 * requirement and the text of the finding, goes to |ret_text|, 300 bytes.
 * Return: as explore_run.
 */
int explore_replay(struct explore *x, const struct choices *c,
		   struct text *ret_file, enum verdict *ret, char *ret_text);

/* With several workers these are read under the lock. */
const struct explore_totals *explore_totals(const struct explore *x);
const struct explore_reach *explore_reach(const struct explore *x);

/* explore_differ returns the differences from the reference. */
const struct differ *explore_differ(const struct explore *x);

#endif
