/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text.h -- the run as text, case by case, and what it comes to.
 *
 *	text_begin(&t, &about, &opts);	the caller writes t and clears it
 *	text_case(&t, &record, &opts);	for each record
 *
 *	text_end(&t, summary, &about, &opts);
 */
#ifndef REPORTS_TEXT_H
#define REPORTS_TEXT_H

#include <stdbool.h>

#include "base/text.h"
#include "reports/about.h"
#include "reports/ladder.h"
#include "reports/summary.h"

/* Zero is the default of each. */
struct text_opts {
	struct ladder_opts ladder; /* width, colour and the like of all */
	bool ladders; /* a ladder for every case, not for failed ones only */
	const struct baseline *baseline; /* lent, or NULL */
	bool quiet;      /* the summary, short, in place of the cases */
	unsigned causes; /* that the summary names; 0: all */
	const char
		*out; /* folder of the reports, named in the hints; or NULL */
};

/* text_begin appends a line on who tests whom. */
void text_begin(struct text *t, const struct about *a,
		const struct text_opts *o);

/*
 * text_case appends a line: verdict, id, time, reason; below a failed case its
 * ladder, findings included.  Nothing if |quiet|.
 */
void text_case(struct text *t, const struct record *r,
	       const struct text_opts *o);

/*
 * text_end appends totals, causes and what to try next; if |quiet|, the ladders
 * of failed cases as well, unless there are more than three.
 */
void text_end(struct text *t, const struct summary *s, const struct about *a,
	      const struct text_opts *o);

#endif
