/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_finding.h -- findings below their arrow.
 */
#ifndef REPORTS_LADDER_LADDER_FINDING_H
#define REPORTS_LADDER_LADDER_FINDING_H

#include "reports/ladder/ladder_state.h"

/*
 * say_finding appends a finding as a sentence.  say_rungs makes its expected
 * rung, its actual one and the marks below; false: it has neither.
 */
void say_finding(struct text *t, const struct record *r,
		 const struct rec_finding *f);
bool say_rungs(const struct rec_finding *f, struct text line[3]);

/*
 * These draw the findings about a frame, those about no frame, and a single
 * one.
 */
void finding_of_frame(struct ladder *l, uint32_t frame);
void finding_left(struct ladder *l);
void finding_block(struct ladder *l, const struct rec_finding *f,
		   unsigned indent);

#endif
