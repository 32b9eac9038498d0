/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_passes.h -- the pass matrix.
 */
#ifndef REPORTS_HTML_HTML_PASSES_H
#define REPORTS_HTML_HTML_PASSES_H

#include "reports/html/html_state.h"

/* html_passes appends the pass matrix. */
void html_passes(struct html *h);

#endif
