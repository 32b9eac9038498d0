/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_case.h -- the cases and their findings.
 */
#ifndef REPORTS_HTML_HTML_CASE_H
#define REPORTS_HTML_HTML_CASE_H

#include "reports/html/html_state.h"

/* html_cases appends the section of the cases. */
void html_cases(struct html *h);

/*
 * html_finding appends a finding as a block: the fault, the packet, the
 * statements of the requirements, expected and actual.  The |n| findings of
 * case |at| from |first| on have the same reason.
 */
void html_finding(struct html *h, size_t at, size_t first, size_t n);

/* html_group returns how many findings from |i| on have the same reason. */
size_t html_group(const struct summary_case *c, size_t i);

#endif
