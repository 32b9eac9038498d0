/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder.h -- one run of one case as the picture in the specification.
 *
 *	        tester (FEP-A)               DUT (FEP-B)
 *	   ms  #  line |                          |
 *	0.000  #3   12 |--- rud_req psn=333 ar -->|  std send | data 64
 *	0.021  #4   13 |<------ ack ack_psn=333 --|  response
 *
 * The tester stands on the left whatever its chair, so that an arrow to the
 * right is a '>' of the case file.  The SES part of a packet, notes and the
 * control channel are to the right of the DUT.  docs/reports.md says how to
 * read it.  The same record always gives the same bytes.
 */
#ifndef REPORTS_LADDER_H
#define REPORTS_LADDER_H

#include <stdbool.h>

#include "base/text.h"
#include "suite/record.h"

#define LADDER_WIDTH     100
#define LADDER_WIDTH_MIN 72

/* Zero is the default of each. */
struct ladder_opts {
	unsigned
		width; /* columns; 0: LADDER_WIDTH; at least LADDER_WIDTH_MIN */
	bool color;    /* ANSI escape sequences */
	bool unicode;  /* lines and arrow heads of Unicode, else ASCII */
	bool verbose;  /* opening and closing in full, every answer, all fields
			*/
	bool bare;     /* no head and no verdict: the lifelines alone */
	const char *tester, *dut; /* names of the hosts; NULL: by the chair */
};

/*
 * ladder_print appends the ladder, each line ended by a newline; no line is
 * wider than asked for.  |opts| may be NULL.
 */
void ladder_print(struct text *t, const struct record *r,
		  const struct ladder_opts *opts);

/*
 * ladder_finding appends a finding as a block of lines, indented by |indent|:
 * who is obliged, what is wrong, and the rungs one above the other.
 */
void ladder_finding(struct text *t, const struct record *r,
		    const struct rec_finding *f, unsigned indent,
		    const struct ladder_opts *opts);

#endif
