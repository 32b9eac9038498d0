/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/checklist.h -- fills another party's checklist in from a run.
 *
 * The list is CSV with a head line.  Its column "requirements" names the
 * requirements of each row ("RUD-SEQ-76/dst RUD-SVC-3"), its column "cases"
 * names cases, with or without their chair, and globs ("uet/rud/nack*"); one
 * of the columns may be missing.  The output has all columns, then "verdict",
 * "observed" and "evidence".
 *
 * Spec: RFC 4180
 */
#ifndef REPORTS_FORMAT_CHECKLIST_H
#define REPORTS_FORMAT_CHECKLIST_H

#include <stddef.h>

#include "base/diag.h"
#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"

/* The verdict of a row. */
enum checklist_verdict {
	CHECKLIST_UNMAPPED, /* the row names no requirement and no case */
	CHECKLIST_FAIL,     /* one of them fails */
	CHECKLIST_PASS,     /* all pass */
	CHECKLIST_PARTIAL,  /* some pass, or were observed in part */
	CHECKLIST_NA,       /* none was observed */
	CHECKLIST_UNTESTED, /* no case of the run is about them */
	CHECKLIST_VERDICTS,
};

/* checklist_verdict_name returns "unmapped", "fail", ... */
const char *checklist_verdict_name(enum checklist_verdict v);

/*
 * checklist_fill appends the filled list.  The evidence of a row is the files
 * of up to three cases for each requirement, below the folder of |a|: those
 * that fail, or those that pass if none does.  |ret_rows| counts the rows of
 * each verdict; it may be NULL.
 *
 * Errors:
 * - ERR_SYNTAX with |diag| filled: no such requirement, a row with more or
 *   fewer fields than the head, a quote that is not closed
 * - ERR_NOMEM
 */
int checklist_fill(struct text *ret, const char *path, const char *text,
		   size_t len, const struct summary *s, const struct about *a,
		   size_t ret_rows[CHECKLIST_VERDICTS], struct diag *diag);

/*
 * checklist_check reads the list without filling it in.  Errors: as
 * checklist_fill.
 */
int checklist_check(const char *path, const char *text, size_t len,
		    struct diag *diag);

/*
 * checklist_html appends a filled list as a table of HTML, in which the words
 * of the last column are links.  Errors: as checklist_fill.
 */
int checklist_html(struct text *ret, const char *filled, size_t len);

#endif
