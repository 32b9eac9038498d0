/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_state.h -- the state of report.html while it is written.
 */
#ifndef REPORTS_HTML_HTML_STATE_H
#define REPORTS_HTML_HTML_STATE_H

#include "base/text.h"
#include "reports/about.h"
#include "reports/format/kills.h"
#include "reports/format/passes.h"
#include "reports/result/summary.h"

/* Cases of this run that cover a requirement in a role, by verdict. */
struct html_count {
	size_t of[VERDICT_COUNT];
	size_t found; /* cases with a finding of it */
	size_t first; /* index of the first such case */
	size_t last;  /* index of the last such case + 1 */
};

struct html {
	struct text *t;
	struct summary *s;
	const struct about *a;
	const struct kills *k;
	const struct passes *p;
	struct html_sets *sets;
	struct html_count (*counts)[2]; /* [REQ_COUNT][role is DST] */
};

/* html_role returns the index of a role in tables: 1 for DST. */
static inline int html_role(enum req_role role)
{
	return role == REQ_DST;
}

#endif
