/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder.c -- draws one run of one case like the figures of the
 * specification.
 *
 * The first pass measures the rows, the second one draws them (ladder_row.c),
 * with the words of ladder_say.c and the findings of ladder_finding.c below.
 */
#include "reports/ladder/ladder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/ladder/ladder_entry.h"
#include "reports/ladder/ladder_finding.h"
#include "reports/ladder/ladder_row.h"
#include "reports/ladder/ladder_say.h"
#include "reports/ladder/ladder_writer.h"
#include "reports/safe.h"

#define INNER_MIN   34 /* preferred columns between the lifelines */
#define INNER_GOOD  48
#define INNER_LEAST 16 /* least columns between the lifelines */
#define RIGHT_MIN   22 /* columns reserved to the right of the DUT */

/* ---- Measuring ---- */

static size_t digits(unsigned n)
{
	return (size_t)snprintf(NULL, 0, "%u", n);
}

static void measure_gutter(struct ladder *l)
{
	char ms[32];

	l->time_w = 6;
	l->frame_w = 2;
	if (l->r->test_case)
		l->line_w = 4;
	else
		l->line_w = 0;
	for (size_t i = 0; i < l->r->nrecs; i++) {
		const struct rec *e = &l->r->recs[i];

		if (e->setup && ladder_folds(l, i))
			continue;
		l->time_w =
			max(l->time_w,
			    strlen(writer_ms(ms, ladder_when(e) - l->origin)));
		l->frame_w = max(l->frame_w, digits(e->frame) + 1);
		l->line_w = max(l->line_w, e->line ? digits(e->line) : 0);
	}
}

/*
 * Returns the length of the longest part of the SES side, which may be wrapped
 * into a row of its own.
 */
static size_t longest_part(const char *ses)
{
	size_t longest = 0;

	while (*ses) {
		const char *bar = strstr(ses + 1, " | ");
		size_t n = bar ? (size_t)(bar - ses) : strlen(ses);

		longest = max(longest, n);
		ses += n + (bar != NULL);
	}
	return longest;
}

static void measure_rows(struct ladder *l)
{
	size_t room =
		/* minus lifelines and blanks */
		l->o.width - row_gutter_width(l) - 4;
	size_t inner = INNER_MIN, right = RIGHT_MIN, part = RIGHT_MIN;

	for (size_t i = 0; i < l->r->nrecs; i++) {
		const struct rec *e = &l->r->recs[i];

		if (!say_is_packet(e) || (e->setup && ladder_folds(l, i)))
			continue;
		say_packet(l, e);
		inner = max(inner, l->pds.len + row_arrow_frame(e));
		right = max(right, l->ses.len);
		part = max(part, 2 + longest_part(text_cstr(&l->ses)));
	}
	if (inner + right > room)
		right = part;
	if (inner + RIGHT_MIN > room)
		inner = max(room, RIGHT_MIN + INNER_LEAST) - RIGHT_MIN;
	else if (inner + right < room) /* wide arrows are easier to read */
		inner = max(inner, room - right < INNER_GOOD ? room - right
							     : INNER_GOOD);
	l->inner = inner;
	l->right = max(room, inner + RIGHT_MIN / 2) - inner;
}

/* ---- Head, body, foot ---- */

static void two_ends(struct ladder *l, const char *left, const char *right)
{
	size_t used = strlen(left) + strlen(right);

	writer_on(l, INK_HEAD);
	text_puts(l->t, left);
	writer_off(l, INK_HEAD);
	if (used + 2 > l->o.width) {
		writer_newline(l);
		text_puts(l->t, right);
	} else if (*right) {
		text_fill(l->t, ' ', l->o.width - used);
		text_puts(l->t, right);
	}
	writer_newline(l);
}

static void ladder_head(struct ladder *l)
{
	const struct test_case *k = l->r->test_case;

	text_clear(&l->pds);
	text_clear(&l->ses);
	safe_puts(&l->pds, l->r->id);
	safe_puts(&l->ses, k && k->ref ? k->ref : "");
	two_ends(l, text_cstr(&l->pds), text_cstr(&l->ses));
	text_clear(&l->pds);
	safe_puts(&l->pds, k && k->title ? k->title : "");
	writer_wrap(l, text_cstr(&l->pds), 0, INK_PLAIN);
	writer_newline(l);
}

/* Centres the names over their lifelines. */
static void hosts(struct ladder *l)
{
	const char *a = ladder_host(l, false), *b = ladder_host(l, true);
	size_t at = row_gutter_width(l), to = at + l->inner + 1;
	size_t before = strlen(a) / 2 < at ? at - strlen(a) / 2 : 0;

	text_fill(l->t, ' ', before);
	writer_puts(l, INK_HEAD, a);
	before += strlen(a);
	to -= strlen(b) / 2;
	text_fill(l->t, ' ', to > before ? to - before : 1);
	writer_puts(l, INK_HEAD, b);
	writer_newline(l);
	writer_on(l, INK_DIM);
	text_printf(l->t, " %*s  %-*s  %*s  ", (int)l->time_w, "ms",
		    (int)l->frame_w, "#", (int)l->line_w,
		    l->line_w ? "line" : "");
	writer_off(l, INK_DIM);
	text_puts(l->t, l->g->life);
	text_fill(l->t, ' ', l->inner);
	text_puts(l->t, l->g->life);
	writer_newline(l);
}

static void ladder_rows_of(struct ladder *l, const struct rec *e)
{
	switch (e->kind) {
	case REC_TX:
	case REC_RX:
		row_wait(l, ladder_when(e));
		row_packet(l, e);
		finding_of_frame(l, e->frame);
		break;
	case REC_CONTROL:
	case REC_ANSWER:
	case REC_EVENT:
		row_control(l, e);
		break;
	case REC_NOTE:
		row_note(l, e);
		break;
	}
}

/* The findings whose neighbours a cut ladder keeps. */
#define CUT_FINDINGS 4

/* Returns whether a record is close to one of the first findings. */
static bool is_near_finding(const struct record *r, const size_t *rows,
			    size_t i, size_t near)
{
	for (size_t f = 0; rows && f < r->nfindings && f < CUT_FINDINGS; f++)
		if (rows[f] && i + near >= rows[f] && i < rows[f] + near)
			return true;
	return false;
}

/*
 * Returns the first record from |i| on that is drawn.  A ladder that is too
 * long keeps its head, its end and what surrounds the first findings.
 */
static size_t next_drawn(const struct ladder *l, const size_t *rows, size_t i)
{
	const size_t n = l->r->nrecs, part = l->o.most / 4;

	if (!l->o.most || n <= l->o.most)
		return i;
	while (i >= part && i + part < n &&
	       !is_near_finding(l->r, rows, i, part / CUT_FINDINGS + 1))
		i++;
	return i;
}

static void body(struct ladder *l)
{
	size_t *rows = record_rows(l->r);

	for (size_t i = 0; i < l->r->nrecs;) {
		const size_t next = next_drawn(l, rows, i);

		if (next != i) {
			row_cut(l, next - i);
			i = next;
		}
		if (!l->r->recs[i].setup || !ladder_folds(l, i)) {
			ladder_rows_of(l, &l->r->recs[i++]);
			continue;
		}
		row_fold(l, i, ladder_fold_end(l, i));
		i = ladder_fold_end(l, i);
	}
	free(rows);
	finding_left(l);
}

static enum ink verdict_ink(enum verdict v)
{
	switch (v) {
	case VERDICT_PASS:
		return INK_GOOD;
	case VERDICT_FAIL:
	case VERDICT_ERROR:
		return INK_BAD;
	default:
		return INK_WARN;
	}
}

static void legend_part(struct text *t, const char *mark, const char *says)
{
	text_printf(t, "%s%s %s", t->len ? "   " : "", mark, says);
}

static void legend(struct ladder *l)
{
	struct text t = {0};
	char late[16], copy[16], ghost[16];

	snprintf(late, sizeof(late), "%s%s", l->g->late, l->g->late);
	snprintf(copy, sizeof(copy), "%s%s", l->g->copy, l->g->copy);
	snprintf(ghost, sizeof(ghost), "%s%s", l->g->ghost, l->g->ghost);
	if (l->used & USED_LOST)
		legend_part(&t, l->g->lost, "lost on the way");
	if (l->used & USED_LATE)
		legend_part(&t, late, "late");
	if (l->used & USED_COPY)
		legend_part(&t, copy, "a copy");
	if (l->used & USED_CHANGED)
		legend_part(&t, l->g->changed, "changed on the way");
	if (l->used & USED_GHOST)
		legend_part(&t, ghost, "never came");
	if (l->used & USED_CONTROL)
		legend_part(&t, "<= =>", "asked of and told by the DUT's SES");
	if (t.len)
		writer_wrap(l, text_cstr(&t), 0, INK_DIM);
	text_free(&t);
}

static void foot(struct ladder *l)
{
	const struct record *r = l->r;
	struct text t = {0};

	writer_newline(l);
	text_puts(&t, verdict_name(r->verdict));
	if (*fail_kind_name(r->kind))
		text_printf(&t, " (%s)", fail_kind_name(r->kind));
	if (*r->reason) {
		text_puts(&t, ": ");
		safe_puts(&t, r->reason);
	}
	if (r->rungs_expected)
		text_printf(&t, "%s %u of %u expected rungs matched",
			    *r->reason ? ";" : ":", r->rungs_matched,
			    r->rungs_expected);
	writer_wrap(l, text_cstr(&t), 6, verdict_ink(r->verdict));
	text_free(&t);
	legend(l);
}

void ladder_print(struct text *t, const struct record *r,
		  const struct ladder_opts *opts)
{
	struct ladder l;

	ladder_init(&l, t, r, opts);
	measure_gutter(&l);
	measure_rows(&l);
	if (!l.o.bare)
		ladder_head(&l);
	hosts(&l);
	body(&l);
	row_blank(&l);
	if (!l.o.bare)
		foot(&l);
	ladder_done(&l);
}

void ladder_finding(struct text *t, const struct record *r,
		    const struct rec_finding *f, unsigned indent,
		    const struct ladder_opts *opts)
{
	struct ladder l;

	ladder_init(&l, t, r, opts);
	finding_block(&l, f, indent);
	ladder_done(&l);
}
