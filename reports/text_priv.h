/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text_priv.h -- the parts of the text report, among themselves.
 */
#ifndef REPORTS_TEXT_PRIV_H
#define REPORTS_TEXT_PRIV_H

#include "reports/text.h"
#include "reports/triage.h"

unsigned text_width(const struct text_opts *o);
const char *text_color(const struct text_opts *o, enum verdict v);
const char *text_plain(const struct text_opts *o);

/*
 * text_wrap appends |s| and a newline, broken to the width; the first line
 * starts at column |used|, the others at |indent|.
 */
void text_wrap(struct text *t, const struct text_opts *o, const char *s,
	       size_t used, size_t indent);

/* text_causes appends the causes, and which rows fail besides. */
void text_causes(struct text *t, const struct triage *tr,
		 const struct summary *s, const struct about *a,
		 const struct text_opts *o);

/* text_open appends what did not come to a verdict, by reason. */
void text_open(struct text *t, const struct summary *s,
	       const struct text_opts *o);

#endif
