/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text/text_slowest.c -- sorts the results of a run by their time.
 */
#include "reports/text/text_slowest.h"

#include <stdlib.h>

#include "base/memory.h"

static int slowest_first(const void *a, const void *b)
{
	const struct summary_case *const *x = a, *const *y = b;

	if ((*x)->wall_ns != (*y)->wall_ns)
		return (*x)->wall_ns < (*y)->wall_ns ? 1 : -1;
	return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

void text_slowest(struct text *t, const struct summary *s, size_t n)
{
	const struct summary_case **at;

	if (!n || !s->ncases)
		return;
	at = memory_calloc(s->ncases, sizeof(const struct summary_case *));
	if (!at) {
		t->failed = true;
		return;
	}
	for (size_t i = 0; i < s->ncases; i++)
		at[i] = &s->cases[i];
	qsort(at, s->ncases, sizeof(const struct summary_case *),
	      slowest_first);
	if (n > s->ncases)
		n = s->ncases;
	text_printf(t, "\nthe slowest %zu of %zu results:\n", n, s->ncases);
	for (size_t i = 0; i < n; i++)
		text_printf(t, "  %9.1f ms  %s\n",
			    (double)at[i]->wall_ns / VSPAN_MS, at[i]->id);
	free(at);
}
