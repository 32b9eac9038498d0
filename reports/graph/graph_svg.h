/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/graph/graph_svg.h -- draws a sequence graph: time to the right, PSNs
 * upward, one panel for each side that sent PSNs.  docs/reports.md says how to
 * read it.  The same marks always give the same bytes.
 */
#ifndef REPORTS_GRAPH_GRAPH_SVG_H
#define REPORTS_GRAPH_GRAPH_SVG_H

#include "base/text.h"
#include "reports/graph/graph_marks.h"

struct graph_names {
	const char *title;   /* such as the name of the capture */
	const char *side[2]; /* addresses of the ends */
	bool live;           /* PSNs as on the wire, not from the first one */
};

/* graph_svg appends a whole SVG document. */
void graph_svg(struct text *t, const struct graph *g,
	       const struct graph_names *names);

#endif
