/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html.h -- report.html: the whole run in one file for people.
 *
 * The file needs nothing beside it: style and script are inside, nothing is
 * fetched.  Every verdict, finding and requirement is plain HTML and reads
 * without the script, which adds the filter, the drawings of cases that passed
 * and the grid of the kill matrix.  docs/reports.md says what it shows.
 */
#ifndef REPORTS_HTML_H
#define REPORTS_HTML_H

#include "base/text.h"
#include "reports/about.h"
#include "reports/kills.h"
#include "reports/summary.h"

/*
 * html_report appends the page.  |k| may be NULL: there is no kill matrix.
 * Drawings are there if summary_draw was called before the cases were added;
 * the cases are sorted (summary_sort).
 * Errors: ERR_NOMEM.
 */
int html_report(struct text *t, struct summary *s, const struct about *a,
		const struct kills *k);

#endif
