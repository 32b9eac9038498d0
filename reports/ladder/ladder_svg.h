/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_svg.h -- the ladder of a record as a drawing.
 *
 * It draws the rows of reports/ladder/ladder.h from the same record: the same
 * arrows, pauses, folds and findings, and every field of a packet as a tooltip
 * (a <title>, no script).  The file is self-contained, and colours follow the
 * reader's light or dark scheme.
 *
 * A page with several ladders asks for SVG_INLINE and writes the style once:
 *
 *    text_puts(t, "<style>");
 *    ladder_svg_style(t);
 *    text_puts(t, "</style>");
 *    ladder_svg(t, record, NULL, SVG_INLINE);
 *
 * All class names begin with "lad-"; the root element is <svg class="lad">, its
 * width follows the page.  A packet of frame N is <g id="PREFIXfN">, so that a
 * finding can link to it.  The same record always gives the same bytes.
 */
#ifndef REPORTS_LADDER_LADDER_SVG_H
#define REPORTS_LADDER_LADDER_SVG_H

#include "base/text.h"
#include "reports/ladder/ladder.h"
#include "suite/verdict/record.h"

enum svg_form {
	SVG_FILE,   /* a file of its own, with the style */
	SVG_INLINE, /* an element for a page that contains the style */
};

struct svg_opts {
	enum svg_form form;
	const char *prefix;        /* prefix of the frames' ids; NULL: no ids */
	struct ladder_opts ladder; /* only verbose, bare, tester, dut */
};

/* ladder_svg appends the drawing; |opts| may be NULL. */
void ladder_svg(struct text *t, const struct record *r,
		const struct svg_opts *opts);

/* ladder_svg_style appends the style sheet of all ladders. */
void ladder_svg_style(struct text *t);

#endif
