/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_set.c -- writes the requirement sets of cases in
 * report.html, each set once.
 */
#include "reports/html/html_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"

/* A hash table of sets; a set is lent from the first case that has it. */
struct html_sets {
	const struct summary_case **of; /* ordered by number */
	size_t n;
	size_t *slots; /* number + 1; 0: free */
	size_t size;   /* a power of two, more than twice the number of cases */
};

int html_sets_new(struct html *h)
{
	struct html_sets *x = memory_calloc(1, sizeof(*x));
	size_t size = 64;

	while (size < 2 * h->s->ncases)
		size *= 2;
	if (x) {
		x->size = size;
		x->of = memory_calloc(h->s->ncases + 1, sizeof(*x->of));
		x->slots = memory_calloc(size, sizeof(*x->slots));
	}
	h->sets = x;
	if (x && x->of && x->slots)
		return 0;
	html_sets_free(h);
	return ERR_NOMEM;
}

void html_sets_free(struct html *h)
{
	if (!h->sets)
		return;
	free(h->sets->of);
	free(h->sets->slots);
	free(h->sets);
	h->sets = NULL;
}

static unsigned html_set_row_of(const struct req_ref *q)
{
	return 2 * (unsigned)q->id + (q->role == REQ_DST);
}

/* Computes FNV-1a over the rows. */
static uint64_t html_set_hash(const struct summary_case *c)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < c->nreqs; i++)
		h = (h ^ html_set_row_of(&c->reqs[i])) * 0x100000001b3;
	return h;
}

static bool html_set_equal(const struct summary_case *a,
			   const struct summary_case *b)
{
	if (a->nreqs != b->nreqs)
		return false;
	for (size_t i = 0; i < a->nreqs; i++)
		if (html_set_row_of(&a->reqs[i]) !=
		    html_set_row_of(&b->reqs[i]))
			return false;
	return true;
}

size_t html_set(struct html *h, const struct summary_case *c)
{
	struct html_sets *x = h->sets;
	size_t at = (size_t)html_set_hash(c) & (x->size - 1);

	for (; x->slots[at]; at = (at + 1) & (x->size - 1))
		if (html_set_equal(x->of[x->slots[at] - 1], c))
			return x->slots[at] - 1;
	x->of[x->n++] = c;
	x->slots[at] = x->n;
	return x->n - 1;
}

void html_sets_put(struct html *h)
{
	text_puts(h->t, "<script type=\"application/json\" id=\"sets\">[");
	for (size_t i = 0; i < h->sets->n; i++) {
		const struct summary_case *c = h->sets->of[i];
		unsigned last = 0;

		text_puts(h->t, i ? ",\n[" : "\n[");
		for (size_t j = 0; j < c->nreqs; j++) {
			text_printf(h->t, "%s%u", j ? "," : "",
				    html_set_row_of(&c->reqs[j]) - last);
			last = html_set_row_of(&c->reqs[j]);
		}
		text_puts(h->t, "]");
	}
	text_puts(h->t, "]</script>\n<script type=\"application/json\" "
			"id=\"names\">[");
	for (int i = 0; i < REQ_COUNT; i++)
		text_printf(h->t, "%s\"%s\"", i ? "," : "",
			    req_get((enum req_id)i)->id);
	text_puts(h->t, "]</script>\n");
}
