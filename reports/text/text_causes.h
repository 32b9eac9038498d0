/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text/text_causes.h -- causes of failures and undecided cases as text.
 */
#ifndef REPORTS_TEXT_TEXT_CAUSES_H
#define REPORTS_TEXT_TEXT_CAUSES_H

#include "reports/about.h"
#include "reports/result/summary.h"
#include "reports/text/text_opts.h"
#include "reports/triage/triage.h"

/* text_causes appends the causes, and the other rows that fail. */
void text_causes(struct text *t, const struct triage *tr,
		 const struct summary *s, const struct about *a,
		 const struct text_opts *o);

/*
 * text_open appends the undecided cases by reason, each with the command that
 * runs one of them again.
 */
void text_open(struct text *t, const struct summary *s, const struct about *a,
	       const struct text_opts *o);

#endif
