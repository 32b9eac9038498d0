/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_blame.h -- records the findings of a line or a monitor
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
 * run_only_remarks returns whether a packet of the expected kind differs only
 * in items that remarks govern.  The case then continues as if the packet were
 * right.
 */
bool run_only_remarks(const struct runner *r, const struct step *step,
		      const struct blame *what);

/*
 * run_hides_all returns whether a packet with these differences shows nothing
 * that the line tests: it is another packet.
 */
bool run_hides_all(const struct blame *what);

/* run_event records the single item CLASS.WORD, as run_finding() does. */
bool run_event(struct runner *r, const struct flaw *flaw, const char *class,
	       const char *word, const char *text);

/*
 * run_judged records the monitors' findings for one packet, or those at the
 * end.  Of two findings for the same field the one of the narrower row is kept.
 */
void run_judged(struct runner *r, const struct finding *f, size_t n);

/* run_observed records that a line's requirements were tested and held. */
void run_observed(struct runner *r, const struct step *step, bool wire,
		  bool control);

/*
 * run_observed_refusal records the same of a line that a NACK with another code
 * met, without the rows of codes.
 */
void run_observed_refusal(struct runner *r, const struct step *step);
void run_req(struct runner *r, enum req_id id, enum req_role role, bool wire,
	     bool control, bool failed);

/*
 * run_hidden marks the requirements that were not reached, because the case
 * ended at a deviation.
 */
void run_hidden(struct runner *r);

/* run_account computes the result of each requirement in the case. */
void run_account(struct record *rec);

/*
 * run_finding assigns each differing item to the requirement that governs it,
 * and settles the other ids of the line by their own fields.
 * Return: true if a must is violated, which ends the case.
 */
bool run_finding(struct runner *r, const struct flaw *flaw, const char *fmt,
		 ...) __attribute__((format(printf, 3, 4)));

#endif
