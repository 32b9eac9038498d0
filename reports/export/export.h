/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/export/export.h -- the properties of a result that several formats of
 * other test systems need.
 */
#ifndef REPORTS_EXPORT_EXPORT_H
#define REPORTS_EXPORT_EXPORT_H

#include <jansson.h>
#include <stdint.h>

#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"

/*
 * export_begin returns the begin of the run in nanoseconds since 1970-01-01
 * UTC, from the date of |a|; 0 if there is no such date.
 */
int64_t export_begin(const struct about *a);

/*
 * export_end returns the end of a result, and export_start its begin, in the
 * same unit.  The end is the time at which the result was written, so results
 * of several workers may appear later than they were.  Without a date of the
 * run, times count from 0.
 */
int64_t export_end(const struct about *a, const struct summary_case *c);
int64_t export_start(const struct about *a, const struct summary_case *c);

/* export_date appends |ns| as "2026-12-01T08:00:00.125Z". */
void export_date(struct text *t, int64_t ns);

/*
 * export_ladder appends the ladder of a result, at most about |most| bytes of
 * it, and says where the whole one is.
 */
void export_ladder(struct text *t, const struct about *a,
		   const struct summary_case *c, size_t most);

/* export_beside appends the path of |file| in the folder of the case. */
void export_beside(struct text *t, const struct about *a,
		   const struct summary_case *c, const char *file);

/* export_rows returns an array of rows, "RUD-SEQ-76/dst". */
json_t *export_rows(const struct req_ref *refs, size_t n);

/* export_finding returns the row of a finding as a string, or null. */
json_t *export_finding(const struct rec_finding *f);

/* export_baseline returns what the baseline says of a result, or null. */
json_t *export_baseline(const struct summary_case *c);

/* export_text returns |t| as a string, and frees |t|. */
json_t *export_text(struct text *t);

#endif
