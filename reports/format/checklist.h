/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/checklist.h -- fills another party's checklist in from a run.
 *
 * The list is CSV with a head line.  Its column "requirements" names the
 * requirements of each row ("RUD-SEQ-76/dst RUD-SVC-3").  The output has all
 * columns, then "verdict", "observed" and "evidence".
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

/*
 * checklist_fill appends the filled list.  The verdict of a row is fail if a
 * requirement fails, pass if all pass, else partial, na, untested (no case of
 * the run covers one) or unmapped (the row names no requirement).
 *
 * Errors:
 * - ERR_SYNTAX with |diag| filled: no such requirement, a row with more or
 *   fewer fields than the head, a quote that is not closed
 * - ERR_NOMEM
 */
int checklist_fill(struct text *ret, const char *path, const char *text,
		   size_t len, const struct summary *s, const struct about *a,
		   struct diag *diag);

/*
 * checklist_check reads the list without filling it in.  Errors: as
 * checklist_fill.
 */
int checklist_check(const char *path, const char *text, size_t len,
		    struct diag *diag);

#endif
