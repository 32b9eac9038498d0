/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/compare/compare.c -- compares two runs: new and fixed failures.
 */
#include "reports/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"

#define SHARE   5        /* changes under a fifth of a time are noise */
#define LEAST   VSPAN_MS /* changes under this are noise */
#define SPREADS 3        /* changes under so many median deviations are noise */

const char *compare_name(enum compare_what w)
{
	static const char *const names[COMPARE_COUNT] = {
		[COMPARE_BROKEN] = "broken", [COMPARE_FIXED] = "fixed",
		[COMPARE_OTHER] = "other",   [COMPARE_CHANGED] = "changed",
		[COMPARE_SLOWER] = "slower", [COMPARE_FASTER] = "faster",
		[COMPARE_ADDED] = "added",   [COMPARE_REMOVED] = "removed",
		[COMPARE_SAME] = "same",
	};

	return names[w];
}

/* ---- One side ---- */

static int by_span(const void *a, const void *b)
{
	const vspan *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static vspan median(vspan *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_span);
	if (n % 2)
		return v[n / 2];
	return v[n / 2 - 1] + (v[n / 2] - v[n / 2 - 1]) / 2;
}

/* Computes the median, and the median distance from it; sorts |v|. */
static void compare_measure(struct compare_side *s, vspan *v, size_t n)
{
	if (!n)
		return;
	s->median = median(v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = v[i] > s->median ? v[i] - s->median : s->median - v[i];
	s->spread = median(v, n);
}

/* Returns the severity of a verdict, by which cases are sorted. */
static int weight(enum verdict v)
{
	static const int of[VERDICT_COUNT] = {
		[VERDICT_NA] = 0,           [VERDICT_PASS] = 1,
		[VERDICT_INCONCLUSIVE] = 2, [VERDICT_FAIL] = 3,
		[VERDICT_ERROR] = 4,
	};

	return of[v];
}

/* Merges the results of one id from |at| on; |v| has room for all of them. */
static struct compare_side compare_side(const struct results *r, size_t at,
					vspan *v)
{
	struct compare_side s = {.worst = &r->at[at]};
	size_t passed = 0;

	for (; at < r->n && strcmp(r->at[at].id, s.worst->id) == 0; at++) {
		const struct result *one = &r->at[at];

		s.runs++;
		s.fails += one->verdict == VERDICT_FAIL;
		if (one->verdict == VERDICT_PASS)
			v[passed++] = one->virtual_ns;
		if (weight(one->verdict) > weight(s.worst->verdict))
			s.worst = one;
	}
	compare_measure(&s, v, passed);
	return s;
}

/* ---- Two sides ---- */

static vspan compare_noise(const struct compare_side *a,
			   const struct compare_side *b)
{
	vspan n = a->median / SHARE;

	if (n < LEAST)
		n = LEAST;
	if (n < SPREADS * a->spread)
		n = SPREADS * a->spread;
	if (n < SPREADS * b->spread)
		return SPREADS * b->spread;
	return n;
}

static enum compare_what timing(const struct compare_case *c)
{
	const vspan more = c->b.median - c->a.median;
	const vspan limit = compare_noise(&c->a, &c->b);

	if (!c->a.median || !c->b.median)
		return COMPARE_SAME;
	if (more > limit)
		return COMPARE_SLOWER;
	if (-more > limit)
		return COMPARE_FASTER;
	return COMPARE_SAME;
}

static bool is_bad(enum verdict v)
{
	return v == VERDICT_FAIL || v == VERDICT_ERROR;
}

static enum compare_what compare_judge(const struct compare_case *c)
{
	const struct result *a = c->a.worst, *b = c->b.worst;

	if (!a)
		return is_bad(b->verdict) ? COMPARE_BROKEN : COMPARE_ADDED;
	if (!b)
		return COMPARE_REMOVED;
	if (a->verdict != b->verdict) {
		if (is_bad(b->verdict) && !is_bad(a->verdict))
			return COMPARE_BROKEN;
		if (b->verdict == VERDICT_PASS)
			return COMPARE_FIXED;
		return COMPARE_CHANGED;
	}
	if (is_bad(b->verdict) && strcmp(a->found, b->found) != 0)
		return COMPARE_OTHER;
	return timing(c);
}

static void compare_add(struct compare *c, struct compare_case *one)
{
	if (one->a.worst)
		one->id = one->a.worst->id;
	else
		one->id = one->b.worst->id;
	one->what = compare_judge(one);
	c->count[one->what]++;
	c->cases[c->n++] = *one;
}

static void merge_cases(struct compare *c, vspan *v)
{
	size_t i = 0, j = 0;

	while (i < c->a->n || j < c->b->n) {
		struct compare_case one = {0};
		int order;

		if (i == c->a->n)
			order = 1;
		else if (j == c->b->n)
			order = -1;
		else
			order = strcmp(c->a->at[i].id, c->b->at[j].id);
		if (order <= 0) {
			one.a = compare_side(c->a, i, v);
			i += one.a.runs;
		}
		if (order >= 0) {
			one.b = compare_side(c->b, j, v);
			j += one.b.runs;
		}
		compare_add(c, &one);
	}
}

static void merge_reqs(struct compare *c)
{
	const struct results *a = c->a, *b = c->b;
	size_t i = 0, j = 0;

	while (i < a->nreqs || j < b->nreqs) {
		struct compare_req q = {.a = "", .b = ""};
		int order;

		if (i == a->nreqs)
			order = 1;
		else if (j == b->nreqs)
			order = -1;
		else
			order = strcmp(a->reqs[i].name, b->reqs[j].name);
		if (order <= 0) {
			q.name = a->reqs[i].name;
			q.a = a->reqs[i++].verdict;
		}
		if (order >= 0) {
			q.name = b->reqs[j].name;
			q.b = b->reqs[j++].verdict;
		}
		if (strcmp(q.a, q.b) != 0)
			c->reqs[c->nreqs++] = q;
	}
}

int compare_new(struct compare **ret, const struct results *a,
		const struct results *b)
{
	struct compare *c = memory_calloc(1, sizeof(*c));
	vspan *v = memory_calloc((a->n > b->n ? a->n : b->n) + 1, sizeof(*v));

	if (c) {
		c->a = a;
		c->b = b;
		c->cases = memory_calloc(a->n + b->n + 1, sizeof(*c->cases));
		c->reqs = memory_calloc(a->nreqs + b->nreqs + 1,
					sizeof(*c->reqs));
	}
	if (!c || !v || !c->cases || !c->reqs) {
		compare_free(c);
		free(v);
		return ERR_NOMEM;
	}
	merge_cases(c, v);
	merge_reqs(c);
	free(v);
	*ret = c;
	return 0;
}

void compare_free(struct compare *c)
{
	if (!c)
		return;
	free(c->cases);
	free(c->reqs);
	free(c);
}
