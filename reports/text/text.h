/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text/text.h -- the run as text, case by case, and its summary.
 *
 *    text_begin(&t, &about, &opts);
 *    text_case(&t, &record, &opts);          for each record
 *    text_end(&t, summary, &about, &opts);
 *
 * The caller writes |t| and clears it after each call.
 */
#ifndef REPORTS_TEXT_TEXT_H
#define REPORTS_TEXT_TEXT_H

#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"
#include "reports/text/text_opts.h"

/* text_begin appends a line that names the tester and the device. */
void text_begin(struct text *t, const struct about *a,
		const struct text_opts *o);

/*
 * text_case appends a line: verdict, id, time, reason; below a failed case its
 * ladder, findings included.  It appends nothing if |quiet|.
 */
void text_case(struct text *t, const struct record *r,
	       const struct text_opts *o);

/*
 * text_end appends totals, causes and hints; if |quiet|, the ladders of failed
 * cases as well, unless there are more than three.
 */
void text_end(struct text *t, const struct summary *s, const struct about *a,
	      const struct text_opts *o);

#endif
