/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text/text_na.h -- cases that do not apply, by reason.
 */
#ifndef REPORTS_TEXT_TEXT_NA_H
#define REPORTS_TEXT_TEXT_NA_H

#include "reports/result/summary.h"
#include "reports/text/text_opts.h"

/*
 * text_na appends a line for each reason for which results are na, with their
 * number, the most frequent reason first; nothing if no result is na.
 */
void text_na(struct text *t, const struct summary *s,
	     const struct text_opts *o);

#endif
