/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder_pen.h -- a ladder while it is drawn; for ladder*.c alone.
 */
#ifndef REPORTS_LADDER_PEN_H
#define REPORTS_LADDER_PEN_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/ladder.h"

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
	vtime origin; /* of the first rung */
	vtime last;   /* of the row before; VTIME_NEVER: there is none */
	unsigned used;
	struct text pds, ses, note; /* scratch of one row */
	/* The stretch of set-up that ladder_folds looked at last: entries from
	 * |from| to before |end|; 0, 0: none. */
	struct {
		size_t from, end;
		bool folds;
	} fold;
};

static inline size_t max(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* pen_on and pen_off bracket coloured text; pen_puts is all three. */
void pen_on(struct ladder *l, enum ink i);
void pen_off(struct ladder *l, enum ink i);
void pen_puts(struct ladder *l, enum ink i, const char *s);

/* pen_repeat writes a glyph |n| times. */
void pen_repeat(struct ladder *l, const char *glyph, size_t n);

/* pen_newline ends the line, without blanks before the end. */
void pen_newline(struct ladder *l);

/* pen_wrap writes a text as lines; all but the first one are indented. */
void pen_wrap(struct ladder *l, const char *s, size_t indent, enum ink i);

/* pen_ms is a span as "0.021"; |buf| holds it. */
const char *pen_ms(char buf[32], vspan ns);

/* ladder_init and ladder_done bracket the work on a ladder. */
void ladder_init(struct ladder *l, struct text *t, const struct record *r,
		 const struct ladder_opts *opts);
void ladder_done(struct ladder *l);

/*
 * ladder_folds says whether the entry |i| is left out: set-up is, unless asked
 * for or something is wrong in it.  ladder_fold_end is one past the last entry
 * of the opening or closing that starts at |i|.
 */
bool ladder_folds(struct ladder *l, size_t i);
size_t ladder_fold_end(struct ladder *l, size_t i);

/* ladder_host is the name over a lifeline. */
const char *ladder_host(const struct ladder *l, bool dut);

/* ladder_origin is when the first rung was: the 0 of the picture. */
vtime ladder_origin(const struct record *r);

/* ladder_when is the time at which an entry stands in the picture. */
vtime ladder_when(const struct rec *e);

/* say_is_packet says whether an entry is an arrow. */
bool say_is_packet(const struct rec *e);

/* say_packet makes l->pds and l->ses, say_note l->note of an entry. */
void say_packet(struct ladder *l, const struct rec *e);
void say_note(struct ladder *l, const struct rec *e);

/* say_split cuts the rung in l->pds after its first part, into l->ses. */
void say_split(struct ladder *l);

/*
 * say_fold makes the words of what is left out; false: no packets are.
 * say_wait makes those of a pause before |at|; false: it is too short.
 */
bool say_fold(const struct ladder *l, size_t from, size_t end, char buf[96]);
bool say_wait(struct ladder *l, vtime at, char buf[40]);

/*
 * say_finding appends a finding as a sentence.  say_rungs makes its expected
 * rung, its actual one and the marks below; false: it has neither.
 */
void say_finding(struct text *t, const struct record *r,
		 const struct rec_finding *f);
bool say_rungs(const struct rec_finding *f, struct text line[3]);

/* Columns of the gutter, and those around the words of an arrow. */
size_t row_gutter_width(const struct ladder *l);
size_t row_arrow_frame(const struct rec *e);

/* The rows of an entry. */
void row_packet(struct ladder *l, const struct rec *e);
void row_control(struct ladder *l, const struct rec *e);
void row_note(struct ladder *l, const struct rec *e);

/* An expectation that nothing met; entries |from| to |end| folded into one;
   the pause before |at|; lifelines alone. */
void row_ghost(struct ladder *l, const struct rec_finding *f);
void row_fold(struct ladder *l, size_t from, size_t end);
void row_wait(struct ladder *l, vtime at);
void row_blank(struct ladder *l);

/* finding_on says whether there is a finding about a frame. */
bool finding_on(const struct record *r, uint32_t frame);

/* finding_same: both have one reason, and differ in the requirement alone. */
bool finding_same(const struct rec_finding *a, const struct rec_finding *b);

/* finding_again: the sentence of the finding before says this one as well. */
bool finding_again(const struct record *r, const struct rec_finding *f);

/* finding_has_row says whether a frame is in the record. */
bool finding_has_row(const struct record *r, uint32_t frame);

/* The findings about a frame, those about none, and one by itself. */
void finding_of_frame(struct ladder *l, uint32_t frame);
void finding_left(struct ladder *l);
void finding_block(struct ladder *l, const struct rec_finding *f,
		   unsigned indent);

#endif
