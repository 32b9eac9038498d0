/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text/text_opts.h -- how the text report is written, as its caller
 * wishes.
 */
#ifndef REPORTS_TEXT_TEXT_OPTS_H
#define REPORTS_TEXT_TEXT_OPTS_H

#include <stdbool.h>

#include "reports/ladder/ladder_opts.h"

struct baseline;

#define TEXT_LADDERS 3 /* most failed cases whose ladders |quiet| shows */

/* Zero is the default of each member. */
struct text_opts {
	/* options of all ladders, such as width and colour */
	struct ladder_opts ladder;
	bool ladders; /* a ladder for every case, not only for failed ones */
	const struct baseline *baseline; /* lent, or NULL */
	bool quiet;       /* a short summary instead of the cases */
	unsigned causes;  /* causes in the summary; 0: all */
	unsigned slowest; /* cases to list at the end, by their time */
	const char *out;  /* folder of the reports for the hints; or NULL */
};

#endif
