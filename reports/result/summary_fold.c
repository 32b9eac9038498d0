/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/summary_fold.c -- folds results when a case has too many.
 *
 * A table by id counts the rows of each case and verdict.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/result/summary_fold.h"

/* The rows of one case. */
struct summary_fold {
	const char *id; /* id of the first row; NULL: free slot */
	size_t kept[VERDICT_COUNT];
	size_t row[VERDICT_COUNT]; /* the last row kept */
};

static size_t summary_fold_hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3u;
	return (size_t)h;
}

/* Finds the slot of |id|, or a free one; open addressing. */
static struct summary_fold *summary_fold_find_place(struct summary_fold *table,
						    size_t size, const char *id)
{
	size_t at = summary_fold_hash(id) & (size - 1);

	while (table[at].id && strcmp(table[at].id, id) != 0)
		at = (at + 1) & (size - 1);
	return &table[at];
}

static bool summary_fold_make_room(struct summary *s)
{
	const size_t size = s->folds_size ? 2 * s->folds_size : 64;
	struct summary_fold *table;

	if (s->folds_size && 2 * s->nfolds < s->folds_size)
		return true;
	table = memory_calloc(size, sizeof(*table));
	if (!table)
		return false;
	for (size_t i = 0; i < s->folds_size; i++)
		if (s->folds[i].id)
			*summary_fold_find_place(table, size, s->folds[i].id) =
				s->folds[i];
	free(s->folds);
	s->folds = table;
	s->folds_size = size;
	return true;
}

static size_t most_rows(const struct summary *s)
{
	if (s->ncases <= SUMMARY_ROWS)
		return SUMMARY_SAME;
	return SUMMARY_SAME_LATE;
}

/* The dropped row may be a claim's first case. */
static void move_claims(struct summary *s, const char *from, const char *to)
{
	for (size_t i = 0; i < s->nclaims; i++)
		if (s->claims[i].first == from)
			s->claims[i].first = to;
}

bool summary_fold(struct summary *s)
{
	const struct summary_case *c = &s->cases[s->ncases - 1];
	struct summary_fold *f;

	if (!summary_fold_make_room(s))
		return false;
	f = summary_fold_find_place(s->folds, s->folds_size, c->id);
	if (!f->id) {
		f->id = c->id;
		s->nfolds++;
	}
	if (f->kept[c->verdict] < most_rows(s)) {
		f->kept[c->verdict]++;
		f->row[c->verdict] = s->ncases - 1;
		return false;
	}
	s->cases[f->row[c->verdict]].folded++;
	move_claims(s, c->id, f->id);
	s->nfolded++;
	s->ncases--;
	arena_back(&s->arena, s->before);
	return true;
}
