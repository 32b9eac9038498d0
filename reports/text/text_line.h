/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text/text_line.h -- widths, colours and wrapping of the text report.
 */
#ifndef REPORTS_TEXT_TEXT_LINE_H
#define REPORTS_TEXT_TEXT_LINE_H

#include <stddef.h>

#include "base/text.h"
#include "reports/text/text_opts.h"
#include "suite/verdict/verdict.h"

/* text_width returns the columns of a line. */
unsigned text_width(const struct text_opts *o);

/*
 * text_color returns the escape sequence of a verdict, text_plain the one that
 * ends it; both are "" without colour.
 */
const char *text_color(const struct text_opts *o, enum verdict v);
const char *text_plain(const struct text_opts *o);

/*
 * text_wrap appends |s| and a newline, wrapped to the width; the first line
 * starts at column |used|, the others at |indent|.
 */
void text_wrap(struct text *t, const struct text_opts *o, const char *s,
	       size_t used, size_t indent);

#endif
