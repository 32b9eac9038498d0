/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_causes.h -- the causes of failures.
 */
#ifndef REPORTS_HTML_HTML_CAUSES_H
#define REPORTS_HTML_HTML_CAUSES_H

#include "reports/html/html_state.h"

/* html_causes appends the section of the causes of failures. */
void html_causes(struct html *h);

#endif
