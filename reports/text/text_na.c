/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text/text_na.c -- counts the results that are na by their reason.
 */
#include "reports/text/text_na.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/safe.h"
#include "reports/text/text_line.h"

#define NA_COLUMNS 8 /* of the number */

struct na_reason {
	const char *text;
	size_t n;     /* results */
	size_t first; /* index of the first */
};

static int na_by_text(const void *a, const void *b)
{
	const struct na_reason *x = a, *y = b;
	const int order = strcmp(x->text, y->text);

	if (order)
		return order;
	return (x->first > y->first) - (x->first < y->first);
}

static int na_by_count(const void *a, const void *b)
{
	const struct na_reason *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return (x->first > y->first) - (x->first < y->first);
}

/*
 * Fills |at| with one entry for each reason; returns their number.  The report
 * lists declarations that are not kept elsewhere.
 */
static size_t na_collect(const struct summary *s, struct na_reason *at)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < s->ncases; i++)
		if (s->cases[i].verdict == VERDICT_NA &&
		    s->cases[i].reason_id != REASON_UNDECLARED)
			at[n++] = (struct na_reason){
				summary_na_reason(&s->cases[i]),
				1 + s->cases[i].folded, i};
	qsort(at, n, sizeof(*at), na_by_text);
	for (size_t i = 0; i < n; i++) {
		if (kept && !strcmp(at[kept - 1].text, at[i].text))
			at[kept - 1].n += at[i].n;
		else
			at[kept++] = at[i];
	}
	qsort(at, kept, sizeof(*at), na_by_count);
	return kept;
}

void text_na(struct text *t, const struct summary *s, const struct text_opts *o)
{
	struct na_reason *at;
	size_t n;

	if (!s->totals[VERDICT_NA])
		return;
	at = memory_calloc(s->ncases + 1, sizeof(*at));
	if (!at) {
		t->failed = true;
		return;
	}
	n = na_collect(s, at);
	if (n)
		text_puts(t, "\nnot applicable, by reason:\n");
	for (size_t i = 0; i < n; i++) {
		struct text say = {0};

		text_printf(t, "%6zu  ", at[i].n);
		safe_puts(&say, text_some(at[i].text, "no reason is known"));
		text_wrap(t, o, text_cstr(&say), NA_COLUMNS, NA_COLUMNS);
		t->failed |= text_err(&say) != 0;
		text_free(&say);
	}
	free(at);
}
