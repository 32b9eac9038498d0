/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder.c -- one run of one case as the picture in the specification.
 *
 * The first pass measures what the rows want, the second one draws them
 * (ladder_row.c), with the words of ladder_say.c and the findings of
 * ladder_finding.c below.
 */
#include "reports/ladder.h"

#include <stdio.h>
#include <string.h>

#include "reports/ladder_pen.h"
#include "reports/safe.h"

#define INNER_MIN   34 /* columns between the lifelines, to look well */
#define INNER_GOOD  48
#define INNER_LEAST 16 /* and when there is no room at all */
#define RIGHT_MIN   22 /* columns kept for what is right of the DUT */

static const struct glyphs ascii = {
	"|", ":", "-", "~", "=", ".", ">", "<", "X", "*",
};
static const struct glyphs boxes = {
	"│", "┊", "─", "~", "═", "·", "▶", "◀", "✗", "*",
};

/* The tester's packets stand where it sent them, however late they arrived. */
vtime ladder_when(const struct rec *e)
{
	return e->kind == REC_TX && e->fate == FATE_DELAYED ? e->left_at
							    : e->at;
}

/* ---- Measuring ---- */

/* Each stretch is walked once. */
static void find_fold(struct ladder *l, size_t i)
{
	const struct record *r = l->r;

	if (i >= l->fold.from && i < l->fold.end)
		return;
	l->fold.from = l->fold.end = i;
	while (l->fold.from > 0 && r->recs[l->fold.from - 1].setup)
		l->fold.from--;
	while (l->fold.end < r->nrecs && r->recs[l->fold.end].setup)
		l->fold.end++;
	l->fold.folds = !l->o.verbose;
	for (i = l->fold.from; i < l->fold.end && l->fold.folds; i++)
		l->fold.folds = !finding_on(r, r->recs[i].frame);
}

size_t ladder_fold_end(struct ladder *l, size_t i)
{
	if (i >= l->r->nrecs || !l->r->recs[i].setup)
		return i;
	find_fold(l, i);
	return l->fold.end;
}

bool ladder_folds(struct ladder *l, size_t i)
{
	if (ladder_fold_end(l, i) == i)
		return false;
	return l->fold.folds;
}

vtime ladder_origin(const struct record *r)
{
	for (size_t i = 0; i < r->nrecs; i++)
		if (say_is_packet(&r->recs[i]) && !r->recs[i].setup)
			return ladder_when(&r->recs[i]);
	for (size_t i = 0; i < r->nrecs; i++)
		if (say_is_packet(&r->recs[i]))
			return ladder_when(&r->recs[i]);
	return r->nrecs ? ladder_when(&r->recs[0]) : 0;
}

static size_t digits(unsigned n)
{
	return (size_t)snprintf(NULL, 0, "%u", n);
}

static void measure_gutter(struct ladder *l)
{
	char ms[32];

	l->time_w = 6;
	l->frame_w = 2;
	l->line_w = l->r->kase ? 4 : 0;
	for (size_t i = 0; i < l->r->nrecs; i++) {
		const struct rec *e = &l->r->recs[i];

		if (e->setup && ladder_folds(l, i))
			continue;
		l->time_w = max(l->time_w,
				strlen(pen_ms(ms, ladder_when(e) - l->origin)));
		l->frame_w = max(l->frame_w, digits(e->frame) + 1);
		l->line_w = max(l->line_w, e->line ? digits(e->line) : 0);
	}
}

/* The longest part of the SES side, which may stand in a row of its own. */
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
		l->o.width - row_gutter_width(l) - 4; /* lifelines, blanks */
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
	else if (inner + right < room) /* wide arrows are good to look at */
		inner = max(inner, room - right < INNER_GOOD ? room - right
							     : INNER_GOOD);
	l->inner = inner;
	l->right = max(room, inner + RIGHT_MIN / 2) - inner;
}

/* ---- Head, body, foot ---- */

static void two_ends(struct ladder *l, const char *left, const char *right)
{
	size_t used = strlen(left) + strlen(right);

	pen_on(l, INK_HEAD);
	text_puts(l->t, left);
	pen_off(l, INK_HEAD);
	if (used + 2 > l->o.width) {
		pen_newline(l);
		text_puts(l->t, right);
	} else if (*right) {
		text_fill(l->t, ' ', l->o.width - used);
		text_puts(l->t, right);
	}
	pen_newline(l);
}

static void head(struct ladder *l)
{
	const struct kase *k = l->r->kase;

	text_clear(&l->pds);
	text_clear(&l->ses);
	safe_puts(&l->pds, l->r->id);
	safe_puts(&l->ses, k && k->ref ? k->ref : "");
	two_ends(l, text_cstr(&l->pds), text_cstr(&l->ses));
	text_clear(&l->pds);
	safe_puts(&l->pds, k && k->title ? k->title : "");
	pen_wrap(l, text_cstr(&l->pds), 0, INK_PLAIN);
	pen_newline(l);
}

const char *ladder_host(const struct ladder *l, bool dut)
{
	const char *name = dut ? l->o.dut : l->o.tester;

	if (name)
		return name;
	if (dut == (l->r->chair == CHAIR_TARGET))
		return dut ? "DUT (FEP-B)" : "tester (FEP-B)";
	return dut ? "DUT (FEP-A)" : "tester (FEP-A)";
}

/* Names are centred over their lifelines. */
static void hosts(struct ladder *l)
{
	const char *a = ladder_host(l, false), *b = ladder_host(l, true);
	size_t at = row_gutter_width(l), to = at + l->inner + 1;
	size_t before = strlen(a) / 2 < at ? at - strlen(a) / 2 : 0;

	text_fill(l->t, ' ', before);
	pen_puts(l, INK_HEAD, a);
	before += strlen(a);
	to -= strlen(b) / 2;
	text_fill(l->t, ' ', to > before ? to - before : 1);
	pen_puts(l, INK_HEAD, b);
	pen_newline(l);
	pen_on(l, INK_DIM);
	text_printf(l->t, " %*s  %-*s  %*s  ", (int)l->time_w, "ms",
		    (int)l->frame_w, "#", (int)l->line_w,
		    l->line_w ? "line" : "");
	pen_off(l, INK_DIM);
	text_puts(l->t, l->g->life);
	text_fill(l->t, ' ', l->inner);
	text_puts(l->t, l->g->life);
	pen_newline(l);
}

static void rows_of(struct ladder *l, const struct rec *e)
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

static void body(struct ladder *l)
{
	for (size_t i = 0; i < l->r->nrecs;) {
		if (!l->r->recs[i].setup || !ladder_folds(l, i)) {
			rows_of(l, &l->r->recs[i++]);
			continue;
		}
		row_fold(l, i, ladder_fold_end(l, i));
		i = ladder_fold_end(l, i);
	}
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
		pen_wrap(l, text_cstr(&t), 0, INK_DIM);
	text_free(&t);
}

static void foot(struct ladder *l)
{
	const struct record *r = l->r;
	struct text t = {0};

	pen_newline(l);
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
	pen_wrap(l, text_cstr(&t), 6, verdict_ink(r->verdict));
	text_free(&t);
	legend(l);
}

void ladder_init(struct ladder *l, struct text *t, const struct record *r,
		 const struct ladder_opts *opts)
{
	*l = (struct ladder){.t = t, .r = r, .last = VTIME_NEVER};
	if (opts)
		l->o = *opts;
	if (!l->o.width)
		l->o.width = LADDER_WIDTH;
	if (l->o.width < LADDER_WIDTH_MIN)
		l->o.width = LADDER_WIDTH_MIN;
	l->g = l->o.unicode ? &boxes : &ascii;
	l->origin = ladder_origin(r);
}

void ladder_done(struct ladder *l)
{
	if (text_err(&l->pds) || text_err(&l->ses) || text_err(&l->note))
		l->t->failed = true;
	text_free(&l->pds);
	text_free(&l->ses);
	text_free(&l->note);
}

void ladder_print(struct text *t, const struct record *r,
		  const struct ladder_opts *opts)
{
	struct ladder l;

	ladder_init(&l, t, r, opts);
	measure_gutter(&l);
	measure_rows(&l);
	if (!l.o.bare)
		head(&l);
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
