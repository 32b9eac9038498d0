/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/markdown.h -- the run as a page of Markdown, for the summary
 * of a CI step and for a comment.
 */
#ifndef REPORTS_FORMAT_MARKDOWN_H
#define REPORTS_FORMAT_MARKDOWN_H

#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"

/*
 * markdown_report appends totals, violated requirements, failed cases (the
 * first hundred) with expected and actual, and the state of the baseline.
 *
 * Errors: ERR_NOMEM.
 */
int markdown_report(struct text *t, const struct summary *s,
		    const struct about *a);

#endif
