/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/fold.h -- folds lines that are wider than the terminal.
 */
#ifndef REPORTS_FOLD_H
#define REPORTS_FOLD_H

#include <stddef.h>

#include "base/text.h"

#define FOLD_WIDTH 100 /* columns if the width of the terminal is not known */

/*
 * fold_text appends the lines of |s|.  A line of more than |width| columns is
 * cut after words; what follows is indented by four columns more.  A word that
 * is wider than that is cut.
 */
void fold_text(struct text *t, const char *s, size_t width);

/*
 * fold_command appends a command of the shell and a newline, indented by
 * |indent| columns.  A command that does not fit into |width| columns is cut
 * between words with a backslash, so that it works when it is pasted.
 */
void fold_command(struct text *t, const char *s, size_t indent, size_t width);

/*
 * fold_case appends the text of a case file.  A line of more than |width|
 * columns becomes a line and lines that continue it, so that the result is the
 * same case.
 */
void fold_case(struct text *t, const char *s, size_t width);

#endif
