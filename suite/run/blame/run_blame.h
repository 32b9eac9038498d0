/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_blame.h -- record the findings of a line or a monitor
 * under the requirements that they concern.
 */
#ifndef SUITE_RUN_BLAME_RUN_BLAME_H
#define SUITE_RUN_BLAME_RUN_BLAME_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/judge.h"
#include "judge/req.h"
#include "suite/lang/case.h"
#include "suite/run/run_state.h"
#include "suite/verdict/blame.h"
#include "suite/verdict/record.h"

/*
 * run_split returns whether the DUT has its messages on several PDCs, which the
 * line was not written for; the case is not applicable then.
 */
bool run_split(struct runner *r, unsigned line, const char *text);

/*
 * run_only_remarks says whether a packet of the kind that the line asks for
 * differs in what only remarks govern: the case goes on as if it were right.
 */
bool run_only_remarks(const struct runner *r, const struct step *step,
		      const struct blame *what);

/* run_hides_all says whether nothing that the line asks for can be seen in a
 * packet that differs so: it is another one. */
bool run_hides_all(const struct blame *what);

/* run_event does so for the one item CLASS.WORD. */
bool run_event(struct runner *r, const struct flaw *flaw, const char *class,
	       const char *word, const char *text);

/*
 * run_judged takes what the monitors said of one packet, or at the end.  Of two
 * that say the same of one field the narrower one counts.
 */
void run_judged(struct runner *r, const struct finding *f, size_t n);

/* run_observed notes that a line's requirements were looked at and held. */
void run_observed(struct runner *r, const struct step *step, bool wire,
		  bool control);
void run_req(struct runner *r, enum req_id id, enum req_role role, bool wire,
	     bool control, bool failed);

/* run_hidden: the case ended at a deviation, all else was not reached. */
void run_hidden(struct runner *r);

/* run_account settles what each requirement owes to the case. */
void run_account(struct record *rec);

/*
 * run_finding gives each item that differs to the requirement that governs it,
 * and counts the other ids of the line by their own fields.
 * Return: a must is broken, so that the case is over.
 */
bool run_finding(struct runner *r, const struct flaw *flaw, const char *fmt,
		 ...) __attribute__((format(printf, 3, 4)));

#endif
