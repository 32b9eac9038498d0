/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_page.h -- head and end of a page in the style of
 * report.html, for documents other than the report of a run.
 */
#ifndef REPORTS_HTML_HTML_PAGE_H
#define REPORTS_HTML_HTML_PAGE_H

#include "base/text.h"

/* html_page_begin appends all up to the first section; texts are trusted. */
void html_page_begin(struct text *t, const char *title, const char *heading);
void html_page_end(struct text *t);

#endif
