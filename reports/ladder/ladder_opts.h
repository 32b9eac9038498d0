/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_opts.h -- how a ladder is drawn, as its caller wishes.
 */
#ifndef REPORTS_LADDER_LADDER_OPTS_H
#define REPORTS_LADDER_LADDER_OPTS_H

#include <stdbool.h>

#define LADDER_WIDTH     100
#define LADDER_WIDTH_MIN 72

/* Zero is the default of each member. */
struct ladder_opts {
	unsigned
		width; /* columns, at least LADDER_WIDTH_MIN; 0: LADDER_WIDTH */
	/*
	 * a ladder with more rows of packets, control and notes is cut to about
	 * as many, at least 4; 0: all are drawn
	 */
	unsigned most;
	bool color;   /* ANSI escape sequences */
	bool unicode; /* lines and arrow heads of Unicode, else ASCII */
	/* opening and closing unfolded, all answers and fields */
	bool verbose;
	bool bare; /* the lifelines alone, without head and verdict */
	const char *tester, *dut; /* names of the hosts; NULL: by the chair */
};

#endif
