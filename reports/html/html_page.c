/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_page.c -- what surrounds the sections of a page.
 */
#include "reports/html/html_page.h"

extern const char html_report_css[];

void html_page_begin(struct text *t, const char *title, const char *heading)
{
	text_printf(t,
		    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		    "<meta charset=\"utf-8\">\n"
		    "<link rel=\"icon\" href=\"data:,\">\n"
		    "<title>%s</title>\n<style>\n",
		    title);
	text_puts(t, html_report_css);
	text_printf(t,
		    "</style>\n</head>\n<body>\n<header><h1>%s</h1>"
		    "</header>\n<main>\n",
		    heading);
}

void html_page_end(struct text *t)
{
	text_puts(t, "</main>\n</body>\n</html>\n");
}
