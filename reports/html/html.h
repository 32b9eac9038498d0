/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html.h -- report.html: the whole run in one file for people.
 *
 * The file is self-contained: style and script are inside, nothing is fetched.
 * Every verdict, finding and requirement is plain HTML and can be read without
 * the script, which adds the filter, the drawings of cases that passed and the
 * grid of the kill matrix.  docs/reports.md describes it.
 */
#ifndef REPORTS_HTML_HTML_H
#define REPORTS_HTML_HTML_H

#include "base/text.h"
#include "reports/about.h"
#include "reports/format/kills.h"
#include "reports/format/passes.h"
#include "reports/result/summary.h"

/*
 * html_report appends the page.  |k| and |p| may be NULL: there is no kill
 * matrix, or no pass matrix.
 * Drawings need summary_draw before the cases are added; the cases must be
 * sorted (summary_sort).
 *
 * Errors: ERR_NOMEM.
 */
int html_report(struct text *t, struct summary *s, const struct about *a,
		const struct kills *k, const struct passes *p);

#endif
