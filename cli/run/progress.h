/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/progress.h -- a line at the foot of the terminal while a run goes on.
 *
 *	[#######-------------]  37% 110/298  3 fail  0:12  left 0:20 uet/rud/...
 *
 * It is written over on standard error, and is gone when the run ends.  Where
 * there is no terminal nothing of it is written.
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
	vtime drawn;     /* when it was drawn last; 0: it is not there */
	const char *now; /* the case that runs; lent; or NULL */
};

/* progress_begin looks at the terminal; |quiet| keeps it off. */
void progress_begin(struct progress *p, size_t total, bool quiet, bool colour,
		    vtime now);

/* progress_hide takes the line away, so that others may write. */
void progress_hide(struct progress *p);

/*
 * progress_show draws the line; more often than ten times a second it does
 * nothing unless it is not there.
 */
void progress_show(struct progress *p, const struct summary *s, vtime now);

#endif
