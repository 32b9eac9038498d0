/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_set.h -- sets of requirements that cases share.
 */
#ifndef REPORTS_HTML_HTML_SET_H
#define REPORTS_HTML_HTML_SET_H

#include "reports/html/html_state.h"

/*
 * The sets of requirements of the cases; equal sets are written once. html_set
 * returns the number of a case's set.  html_sets_put appends all sets for the
 * script: rows of the table, 2 * id + 1 for dst, each minus the one before.
 */
int html_sets_new(struct html *h);
void html_sets_free(struct html *h);
size_t html_set(struct html *h, const struct summary_case *c);
void html_sets_put(struct html *h);

#endif
