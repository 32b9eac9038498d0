/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_state.h -- the state of a ladder while it is drawn.
 */
#ifndef REPORTS_LADDER_LADDER_STATE_H
#define REPORTS_LADDER_LADDER_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "reports/ladder/ladder_opts.h"
#include "suite/verdict/record.h"

struct glyphs {
	const char *life, *wait, *dash, *late, *copy, *ghost;
	const char *right, *left, *lost, *changed;
};

enum ink { INK_PLAIN, INK_HEAD, INK_DIM, INK_GOOD, INK_BAD, INK_WARN };

/* Marks that the legend explains. */
enum used {
	USED_LOST = 1,
	USED_LATE = 2,
	USED_COPY = 4,
	USED_CHANGED = 8,
	USED_GHOST = 16,
	USED_CONTROL = 32,
};

struct ladder {
	struct text *t;
	const struct record *r;
	struct ladder_opts o;
	const struct glyphs *g;
	size_t time_w, frame_w, line_w, inner, right;
	vtime origin; /* time of the first rung */
	vtime last;   /* time of the row before; VTIME_NEVER: none */
	unsigned used;
	struct text pds, ses, note; /* buffers of one row */
	/*
	 * The stretch of set-up that ladder_folds found last: entries from
	 * |from| to before |end|; 0, 0: none.
	 */
	struct {
		size_t from, end;
		bool folds;
	} fold;
};

static inline size_t max(size_t a, size_t b)
{
	if (a > b)
		return a;
	return b;
}

#endif
