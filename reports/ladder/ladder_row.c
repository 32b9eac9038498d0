/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_row.c -- draws one entry of a record as one or more
 * rows.
 *
 * A row is a gutter (time, frame, line of the case), the tester's lifeline, the
 * arrow, the DUT's lifeline and the text to its right.  Long texts are wrapped
 * into further rows of the same packet.
 */
#include "reports/ladder/ladder_row.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reports/ladder/ladder_entry.h"
#include "reports/ladder/ladder_fault.h"
#include "reports/ladder/ladder_say.h"
#include "reports/ladder/ladder_writer.h"
#include "reports/safe.h"
#include "reports/words.h"

#define LOST_GAP                                                    \
	4 /* columns between a lost packet's end and the other side \
	   */

size_t row_gutter_width(const struct ladder *l)
{
	return 1 + l->time_w + 2 + l->frame_w + 2 + l->line_w + 2;
}

/*
 * Returns the columns of dashes, blanks and heads around the words of an arrow.
 */
size_t row_arrow_frame(const struct rec *e)
{
	size_t n = 9;

	if (e->fate == FATE_DROPPED)
		n += LOST_GAP;
	return n + (e->fate == FATE_CHANGED);
}

static void gutter(struct ladder *l, const struct rec *e)
{
	char ms[32], frame[16] = "", line[16] = "";

	if (!e) {
		text_fill(l->t, ' ', row_gutter_width(l));
		return;
	}
	if (e->frame)
		snprintf(frame, sizeof(frame), "#%" PRIu32, e->frame);
	if (e->line && !e->setup)
		snprintf(line, sizeof(line), "%u", e->line);
	text_printf(l->t, " %*s  %-*s  ", (int)l->time_w,
		    writer_ms(ms, ladder_when(e) - l->origin), (int)l->frame_w,
		    frame);
	writer_on(l, INK_DIM);
	text_printf(l->t, "%*s", (int)l->line_w, line);
	writer_off(l, INK_DIM);
	text_puts(l->t, "  ");
}

/* Draws a row with a text in its middle, centred or from the left. */
static void middle_row(struct ladder *l, const struct rec *e, const char *life,
		       const char *text, bool centred, enum ink i)
{
	size_t w = safe_columns(text, strlen(text));
	size_t before = centred && w < l->inner ? (l->inner - w) / 2 : 2;

	gutter(l, e);
	text_puts(l->t, life);
	text_fill(l->t, ' ', before);
	writer_puts(l, i, text);
	if (before + w < l->inner)
		text_fill(l->t, ' ', l->inner - before - w);
	text_puts(l->t, life);
}

void row_blank(struct ladder *l)
{
	middle_row(l, NULL, l->g->life, "", false, INK_PLAIN);
	writer_newline(l);
}

/*
 * Wraps like safe_wrap, but a rung preferably before a bar, and never between a
 * payload's word and its number.
 */
static size_t wrap_rung(const char *s, size_t columns, const char **ret_next)
{
	size_t n = safe_wrap(s, columns, ret_next), bar = 0;

	if (!**ret_next)
		return n;
	for (size_t i = 1; i <= n && s[i]; i++)
		if (s[i] == '|' && s[i - 1] == ' ')
			bar = i;
	if (bar < 2)
		return n;
	*ret_next = s + bar;
	return bar - 1;
}

/* Draws the text right of the DUT; |*s| moves behind the part that fits. */
static void right_part(struct ladder *l, const char **s, size_t indent,
		       enum ink i)
{
	const char *next;
	size_t n;

	if (!**s)
		return;
	n = wrap_rung(*s, l->right - indent, &next);
	text_fill(l->t, ' ', 2 + indent);
	writer_on(l, i);
	text_add(l->t, *s, n);
	writer_off(l, i);
	*s = next;
}

/* ---- Arrows ---- */

static const char *dash_of(struct ladder *l, const struct rec *e)
{
	switch (e->fate) {
	case FATE_DELAYED:
		l->used |= USED_LATE;
		return l->g->late;
	case FATE_DUPLICATE:
		l->used |= USED_COPY;
		return l->g->copy;
	case FATE_DROPPED:
		l->used |= USED_LOST;
		break;
	case FATE_CHANGED:
		l->used |= USED_CHANGED;
		break;
	case FATE_INJECTED:
	case FATE_CROSSED:
		break;
	}
	return l->g->dash;
}

static enum ink arrow_ink(const struct ladder *l, const struct rec *e)
{
	if (finding_on(l->r, e->frame))
		return INK_BAD;
	if (e->fate != FATE_CROSSED)
		return INK_WARN;
	if (e->setup)
		return INK_DIM;
	if (e->kind == REC_RX && e->line)
		return INK_GOOD;
	return INK_PLAIN;
}

/* Draws the words next to the lifeline of their sender. */
static void draw_right(struct ladder *l, const struct rec *e, const char *s,
		       size_t n, const char *dash)
{
	bool lost = e->fate == FATE_DROPPED;
	size_t room = l->inner - (lost ? LOST_GAP : 0);
	bool changed = e->fate == FATE_CHANGED;

	writer_repeat(l, dash, 3);
	text_puts(l->t, " ");
	text_add(l->t, s, n);
	text_puts(l->t, " ");
	writer_repeat(l, dash, room - n - 6 - changed);
	text_puts(l->t, changed ? l->g->changed : "");
	text_puts(l->t, l->g->right);
	if (lost) {
		text_puts(l->t, l->g->lost);
		text_fill(l->t, ' ', LOST_GAP - 1);
	}
}

static void draw_left(struct ladder *l, const struct rec *e, const char *s,
		      size_t n, const char *dash)
{
	bool lost = e->fate == FATE_DROPPED;
	size_t room = l->inner - (lost ? LOST_GAP : 0);
	bool changed = e->fate == FATE_CHANGED;

	if (lost) {
		text_fill(l->t, ' ', LOST_GAP - 1);
		text_puts(l->t, l->g->lost);
	}
	text_puts(l->t, l->g->left);
	text_puts(l->t, changed ? l->g->changed : "");
	writer_repeat(l, dash, room - n - 6 - changed);
	text_puts(l->t, " ");
	text_add(l->t, s, n);
	text_puts(l->t, " ");
	writer_repeat(l, dash, 3);
}

/* Draws the words that did not fit below the first |above| characters. */
static void draw_rest(struct ladder *l, bool to_dut, const char *s, size_t n,
		      size_t above)
{
	size_t before = to_dut ? 4 : l->inner - max(n, above) - 4;

	text_fill(l->t, ' ', before);
	text_add(l->t, s, n);
	text_fill(l->t, ' ', l->inner - before - n);
}

/* Draws one row of an arrow; |*above| is the length of its first row. */
static void draw_arrow(struct ladder *l, const struct rec *e, const char **s,
		       size_t *above, const char *dash)
{
	bool first = !*above;
	size_t room = l->inner - row_arrow_frame(e);
	const char *next;
	size_t n = safe_wrap(*s, room, &next);

	text_puts(l->t, l->g->life);
	writer_on(l, arrow_ink(l, e));
	if (!first)
		draw_rest(l, e->kind == REC_TX, *s, n, *above);
	else if (e->kind == REC_TX)
		draw_right(l, e, *s, n, dash);
	else
		draw_left(l, e, *s, n, dash);
	writer_off(l, arrow_ink(l, e));
	text_puts(l->t, l->g->life);
	if (first)
		*above = n;
	*s = next;
}

/* Appends the note in parentheses, behind the SES part or below it. */
static void bracket_note(struct ladder *l)
{
	struct text whole = {0};

	if (!l->note.len)
		return;
	text_printf(&whole, "(%s)", l->note.s);
	text_clear(&l->note);
	text_add(&l->note, text_cstr(&whole), whole.len);
	text_free(&whole);
	if (!l->ses.len ||
	    l->ses.len + 2 + safe_columns(l->note.s, l->note.len) > l->right)
		return;
	text_printf(&l->ses, "  %s", l->note.s);
	text_clear(&l->note);
}

void row_packet(struct ladder *l, const struct rec *e)
{
	const char *dash = dash_of(l, e), *pds, *ses, *note;
	size_t above = 0;
	bool more = true;

	say_packet(l, e);
	say_note(l, e);
	bracket_note(l);
	pds = text_cstr(&l->pds);
	ses = text_cstr(&l->ses);
	note = text_cstr(&l->note);
	for (bool first = true; more; first = false) {
		bool wrapped = !first && *ses;

		gutter(l, first ? e : NULL);
		draw_arrow(l, e, &pds, &above, dash);
		if (*ses)
			right_part(l, &ses, wrapped ? 2 : 0, INK_PLAIN);
		else
			right_part(l, &note, 0, INK_DIM);
		writer_newline(l);
		more = *pds || *ses || *note;
	}
}

/* ---- The other rows ---- */

void row_control(struct ladder *l, const struct rec *e)
{
	const char *mark = e->kind == REC_CONTROL ? "<= " : "=> ", *s;
	bool first = true;

	text_clear(&l->ses);
	text_puts(&l->ses, mark);
	if (!words_control(&l->ses, record_text_of(l->r, e), !l->o.verbose) &&
	    !l->o.verbose)
		return; /* a plain "ok" */
	l->used |= USED_CONTROL;
	for (s = text_cstr(&l->ses); *s; first = false) {
		middle_row(l, first ? e : NULL, l->g->life, "", false,
			   INK_PLAIN);
		right_part(l, &s, first ? 0 : 3, INK_DIM);
		writer_newline(l);
	}
}

void row_note(struct ladder *l, const struct rec *e)
{
	const char *s, *next;
	bool first = true;

	text_clear(&l->ses);
	text_puts(&l->ses, "* ");
	safe_puts(&l->ses, record_text_of(l->r, e));
	if (e->note) {
		text_puts(&l->ses, e->text ? "; " : "");
		safe_puts(&l->ses, record_note_of(l->r, e));
	}
	for (s = text_cstr(&l->ses); *s; s = next, first = false) {
		size_t n = safe_wrap(s, l->inner - 6, &next);

		text_clear(&l->pds);
		text_puts(&l->pds, first ? "" : "  ");
		text_add(&l->pds, s, n);
		middle_row(l, first ? e : NULL, l->g->life, text_cstr(&l->pds),
			   false, INK_DIM);
		writer_newline(l);
	}
}

/* Draws the unmatched rungs of an expectation as a dotted arrow. */
void row_ghost(struct ladder *l, const struct rec_finding *f)
{
	struct rec e = {.kind = REC_RX, .line = f->line};
	const char *s, *ses, *why = "never came";
	bool first = true;
	size_t above = 0;

	text_clear(&l->pds);
	safe_puts(&l->pds, f->expected);
	say_split(l);
	text_clear(&l->note);
	text_puts(&l->note, why);
	bracket_note(l);
	l->used |= USED_GHOST;
	s = text_cstr(&l->pds);
	ses = text_cstr(&l->ses);
	why = text_cstr(&l->note);
	for (; *s || *ses || *why; first = false) {
		gutter(l, NULL);
		draw_arrow(l, &e, &s, &above, l->g->ghost);
		if (*ses)
			right_part(l, &ses, first ? 0 : 2, INK_BAD);
		else
			right_part(l, &why, 0, INK_BAD);
		writer_newline(l);
	}
}

void row_fold(struct ladder *l, size_t from, size_t end)
{
	struct rec e = {.at = l->r->recs[from].at};
	char what[96], s[112];

	if (!say_fold(l, from, end, what))
		return; /* an expectation of control requests only */
	snprintf(s, sizeof(s), ". . . %s . . .", what);
	middle_row(l, &e, l->g->life, s, true, INK_DIM);
	writer_newline(l);
}

void row_cut(struct ladder *l, size_t n)
{
	char s[64];

	snprintf(s, sizeof(s), ". . . %zu more, -v shows all . . .", n);
	middle_row(l, NULL, l->g->wait, s, true, INK_DIM);
	writer_newline(l);
}

void row_wait(struct ladder *l, vtime at)
{
	char s[40];

	if (!say_wait(l, at, s))
		return;
	middle_row(l, NULL, l->g->wait, s, true, INK_DIM);
	writer_newline(l);
}
