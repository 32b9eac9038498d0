/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_kills.h -- the kill matrix.
 */
#ifndef REPORTS_HTML_HTML_KILLS_H
#define REPORTS_HTML_HTML_KILLS_H

#include "reports/html/html_state.h"

/* html_like appends the mutants that are nearest to the device. */
void html_like(struct html *h);

/* html_kills appends the kill matrix. */
void html_kills(struct html *h);

#endif
