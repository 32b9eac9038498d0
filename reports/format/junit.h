/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/junit.h -- junit.xml, as CI servers read it.
 *
 * A test suite is a topic folder, a test case is a case in one chair.  A fail
 * is a failure of type "protocol" or "timing" with the ladder as its text; na
 * is skipped; error and inconclusive are errors of that type, because an
 * undecided case must never look like a pass.
 *
 * The ladders of all cases together have at most 2 MiB; longer ones lose their
 * middle, and say so.
 */
#ifndef REPORTS_FORMAT_JUNIT_H
#define REPORTS_FORMAT_JUNIT_H

#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"

/*
 * junit_report appends the whole file.
 * Errors: ERR_NOMEM.
 */
int junit_report(struct text *t, const struct summary *s,
		 const struct about *a);

#endif
