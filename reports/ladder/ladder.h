/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder.h -- one run of one case as the picture in the
 * specification.
 *
 *	        tester (FEP-A)               DUT (FEP-B)
 *	   ms  #  line |                          |
 *	0.000  #3   12 |--- rud_req psn=333 ar -->|  std send | data 64
 *	0.021  #4   13 |<------ ack ack_psn=333 --|  response
 *
 * The tester is on the left in either chair, so that an arrow to the
 * right is a '>' of the case file.  The SES part of a packet, notes and the
 * control channel are to the right of the DUT.  docs/reports.md says how to
 * read it.  The same record always gives the same bytes.
 */
#ifndef REPORTS_LADDER_LADDER_H
#define REPORTS_LADDER_LADDER_H

#include "base/text.h"
#include "reports/ladder/ladder_opts.h"
#include "suite/verdict/record.h"

/*
 * ladder_print appends the ladder, each line ended by a newline; no line
 * exceeds the requested width.  |opts| may be NULL.
 */
void ladder_print(struct text *t, const struct record *r,
		  const struct ladder_opts *opts);

/*
 * ladder_finding appends a finding as a block of lines, indented by |indent|:
 * the obliged role, the fault, and the rungs one above the other.
 */
void ladder_finding(struct text *t, const struct record *r,
		    const struct rec_finding *f, unsigned indent,
		    const struct ladder_opts *opts);

#endif
