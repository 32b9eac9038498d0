/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/casefiles.h -- the files of a case's folder beside its capture.
 */
#ifndef REPORTS_CASEFILES_H
#define REPORTS_CASEFILES_H

#include "base/text.h"
#include "reports/about.h"
#include "suite/verdict/record.h"

/* casefile_ladder appends ladder.txt: the ladder in full, in ASCII. */
void casefile_ladder(struct text *t, const struct record *r);

/*
 * casefile_control appends control.jsonl: requests, answers and events in
 * order, a line each: {"at_ns":..,"dir":"request","line":{..}}.  A line that is
 * no JSON object is a string.
 *
 * Errors: ERR_NOMEM.
 */
int casefile_control(struct text *t, const struct record *r);

/*
 * casefile_integrity appends integrity.json: reasons to doubt the tester's
 * observations in this run, and the impairments that it applied on purpose.
 * Errors: ERR_NOMEM.
 */
int casefile_integrity(struct text *t, const struct record *r);

/*
 * casefile_decl appends dut.json: every member of a declaration; NULL is null.
 * Errors: ERR_NOMEM.
 */
int casefile_decl(struct text *t, const struct decl *d);

#endif
