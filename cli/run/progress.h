/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/progress.h -- the progress of a run in the last line of the terminal.
 *
 *	[#######-------------]  37% 110/298  3 fail  0:12  left 0:20 uet/rud/...
 *
 * The line is on standard error, and is removed when the run ends.  Without a
 * terminal nothing is printed.
 */
#ifndef CLI_RUN_PROGRESS_H
#define CLI_RUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/result/summary.h"

struct progress {
	bool on;
	bool unicode, colour;
	size_t total;
	vtime began;
	vtime drawn;     /* time of the last drawing; 0: the line is hidden */
	const char *now; /* the case that runs; lent; or NULL */
};

/* progress_begin checks the terminal; |quiet| disables the line. */
void progress_begin(struct progress *p, size_t total, bool quiet, bool colour,
		    vtime now);

/* progress_hide removes the line, so that other output may follow. */
void progress_hide(struct progress *p);

/*
 * progress_end removes the line at the end of a run.  It waits up to a second
 * for a terminal that is behind; the line would stay on it otherwise.
 */
void progress_end(struct progress *p);

/*
 * progress_show draws the line, if it is hidden or was not drawn within the
 * last 100 ms.
 */
void progress_show(struct progress *p, const struct summary *s, vtime now);

#endif
