/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/export/ctrf.h -- the run as CTRF, the Common Test Report Format.
 *
 * pass is "passed", fail "failed", na and known failures "skipped", error and
 * inconclusive "other"; "rawStatus" has rung's verdict.  A result that passes
 * although the baseline expects another verdict is "failed".
 *
 * Spec: CTRF 0.0 (ctrf-schema-0.0.json)
 */
#ifndef REPORTS_EXPORT_CTRF_H
#define REPORTS_EXPORT_CTRF_H

#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"

/*
 * ctrf_report appends the whole file.
 * Errors: ERR_NOMEM.
 */
int ctrf_report(struct text *t, const struct summary *s, const struct about *a);

#endif
