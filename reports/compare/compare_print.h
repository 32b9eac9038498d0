/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/compare/compare_print.h -- a comparison of two runs as text, JSON and
 * HTML.
 */
#ifndef REPORTS_COMPARE_COMPARE_PRINT_H
#define REPORTS_COMPARE_COMPARE_PRINT_H

#include "reports/compare/compare.h"

/*
 * compare_text, compare_json ("rung.compare/1") and compare_html append the
 * comparison.  Errors: ERR_NOMEM.
 */
int compare_text(struct text *t, const struct compare *c);
int compare_json(struct text *t, const struct compare *c);
int compare_html(struct text *t, const struct compare *c);

#endif
