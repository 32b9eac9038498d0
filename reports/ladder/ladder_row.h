/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_row.h -- the rows of one entry of a record.
 */
#ifndef REPORTS_LADDER_LADDER_ROW_H
#define REPORTS_LADDER_LADDER_ROW_H

#include "reports/ladder/ladder_state.h"

/* The columns of the gutter, and those around the words of an arrow. */
size_t row_gutter_width(const struct ladder *l);
size_t row_arrow_frame(const struct rec *e);

/* Functions that draw the rows of an entry. */
void row_packet(struct ladder *l, const struct rec *e);
void row_control(struct ladder *l, const struct rec *e);
void row_note(struct ladder *l, const struct rec *e);

/*
 * row_ghost draws an unmatched expectation, row_fold the entries |from| to
 * |end| as one, row_wait the pause before |at|, and row_blank the lifelines
 * alone.
 */
void row_ghost(struct ladder *l, const struct rec_finding *f);
void row_fold(struct ladder *l, size_t from, size_t end);
void row_wait(struct ladder *l, vtime at);
void row_blank(struct ladder *l);

/* row_cut says that |n| records are left out here, and how to see them. */
void row_cut(struct ladder *l, size_t n);

#endif
