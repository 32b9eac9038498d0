/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_writer.h -- lines of a ladder, wrapped and coloured.
 */
#ifndef REPORTS_LADDER_LADDER_WRITER_H
#define REPORTS_LADDER_LADDER_WRITER_H

#include "reports/ladder/ladder_state.h"

/*
 * writer_on and writer_off bracket coloured text; writer_puts does both around
 * one text.
 */
void writer_on(struct ladder *l, enum ink i);
void writer_off(struct ladder *l, enum ink i);
void writer_puts(struct ladder *l, enum ink i, const char *s);

/* writer_repeat writes a glyph |n| times. */
void writer_repeat(struct ladder *l, const char *glyph, size_t n);

/* writer_newline ends the line and removes trailing blanks. */
void writer_newline(struct ladder *l);

/* writer_wrap writes a text as lines; all but the first one are indented. */
void writer_wrap(struct ladder *l, const char *s, size_t indent, enum ink i);

/* writer_ms returns a span as "0.021" in |buf|. */
const char *writer_ms(char buf[32], vspan ns);

#endif
