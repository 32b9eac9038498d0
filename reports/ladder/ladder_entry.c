/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_entry.c -- begins a ladder, and says which entries of
 * the record are drawn, and at which time.
 */
#include "reports/ladder/ladder_entry.h"

#include "reports/ladder/ladder_fault.h"
#include "reports/ladder/ladder_say.h"

static const struct glyphs ascii = {
	"|", ":", "-", "~", "=", ".", ">", "<", "X", "*",
};
static const struct glyphs boxes = {
	"│", "┊", "─", "~", "═", "·", "▶", "◀", "✗", "*",
};

/* Places the tester's packets at their send time, however late they arrived. */
vtime ladder_when(const struct rec *e)
{
	if (e->kind == REC_TX && e->fate == FATE_DELAYED)
		return e->left_at;
	return e->at;
}

/* Finds the stretch of set-up at |i|, each stretch once. */
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
	if (r->nrecs)
		return ladder_when(&r->recs[0]);
	return 0;
}

const char *ladder_host(const struct ladder *l, bool dut)
{
	const char *name = dut ? l->o.dut : l->o.tester;

	if (name)
		return name;
	if (dut == (l->r->chair == CHAIR_TARGET))
		return dut ? "DUT (FEP-B)" : "tester (FEP-B)";
	if (dut)
		return "DUT (FEP-A)";
	return "tester (FEP-A)";
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
	if (l->o.unicode)
		l->g = &boxes;
	else
		l->g = &ascii;
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
