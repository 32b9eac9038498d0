/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_req.h -- the requirements by role.
 */
#ifndef REPORTS_HTML_HTML_REQ_H
#define REPORTS_HTML_HTML_REQ_H

#include "reports/html/html_state.h"

/* html_failed appends each requirement that fails. */
void html_failed(struct html *h);

/* html_requirements appends all requirements and the cases that cover them. */
void html_requirements(struct html *h);

/* html_skipped appends requirements that do not apply, with reasons. */
void html_skipped(struct html *h);

/* html_coverage appends how much of each group of requirements was tested. */
void html_coverage(struct html *h);

#endif
