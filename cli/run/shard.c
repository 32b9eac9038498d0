/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/shard.c -- decides which cases of a run belong to a shard.
 *
 * "Longest processing time first": no shard takes longer than 4/3 of the best
 * possible division, plus what one case takes.  Equal durations are dealt out
 * in turn, so that neighbouring cases come to different shards.
 */
#include "cli/run/shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/vtime.h"
#include "cli/cli.h"
#include "cli/file/results_file.h"
#include "reports/result/results.h"

/* A case of the whole selection. */
struct shard_case {
	uint32_t at;    /* its place there */
	uint32_t shard; /* from 0 */
	vspan lasts;    /* its recorded duration; 0: unknown */
};

int shard_take(const char *who, void *target, const char *arg)
{
	struct shard *s = target;
	char more;

	if (sscanf(arg, "%6u/%6u%c", &s->number, &s->of, &more) != 2 ||
	    s->of < 1 || s->of > SHARD_MAX || s->number < 1 ||
	    s->number > s->of)
		return cli_usage(who,
				 "--shard %s: expected I/N, with I from 1 "
				 "to N, such as 3/16",
				 arg);
	return 0;
}

/* Fills in the recorded durations, and the mean where there is none. */
static void shard_weigh(struct shard_case *c, const struct selection *cases,
			const struct results *r)
{
	vspan sum = 0, mean = 1;
	size_t n = 0;

	for (size_t i = 0; i < cases->n; i++) {
		char id[320];

		pick_id(&cases->at[i], id, sizeof(id));
		c[i].lasts = results_duration(r, id);
		sum += c[i].lasts;
		n += c[i].lasts > 0;
	}
	if (n && sum / (vspan)n > 0)
		mean = sum / (vspan)n;
	for (size_t i = 0; i < cases->n; i++)
		if (c[i].lasts <= 0)
			c[i].lasts = mean;
}

static int shard_read(const char *who, const struct shard *s,
		      struct shard_case *c, const struct selection *cases)
{
	struct results *r = NULL;
	int code;

	if (!s->balance)
		return 0;
	code = results_load(who, s->balance, &r);
	if (!code)
		shard_weigh(c, cases, r);
	results_free(r);
	return code;
}

static int shard_by_duration(const void *a, const void *b)
{
	const struct shard_case *x = a, *y = b;

	if (x->lasts != y->lasts)
		return x->lasts < y->lasts ? 1 : -1;
	return (x->at > y->at) - (x->at < y->at);
}

static int shard_by_place(const void *a, const void *b)
{
	const struct shard_case *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Deals out the cases; |work| is the sum of the durations of each shard. */
static void shard_deal(const struct shard *s, struct shard_case *c, size_t n,
		       vspan *work)
{
	qsort(c, n, sizeof(*c), shard_by_duration);
	for (size_t i = 0; i < n; i++) {
		uint32_t least = 0;

		for (uint32_t k = 1; k < s->of; k++)
			if (work[k] < work[least])
				least = k;
		c[i].shard = least;
		work[least] += c[i].lasts;
	}
	qsort(c, n, sizeof(*c), shard_by_place);
}

/* Removes the cases of other shards from the selection. */
static void shard_keep(struct shard *s, const struct shard_case *c,
		       struct selection *cases)
{
	size_t n = 0;

	for (size_t i = 0; i < cases->n; i++) {
		if (c[i].shard != s->number - 1)
			continue;
		cases->at[n] = cases->at[i];
		s->at[n++] = (uint32_t)i;
	}
	cases->n = n;
}

int shard_select(const char *who, struct shard *s, struct selection *cases)
{
	struct shard_case *c = memory_calloc(cases->n + 1, sizeof(*c));
	vspan *work = memory_calloc(s->of + 1, sizeof(*work));
	int code;

	s->total = cases->n;
	s->at = memory_calloc(cases->n + 1, sizeof(*s->at));
	if (!c || !work || !s->at) {
		code = cli_nomem(who);
		goto out;
	}
	for (size_t i = 0; i < cases->n; i++)
		c[i] = (struct shard_case){.at = (uint32_t)i, .lasts = 1};
	code = shard_read(who, s, c, cases);
	if (code)
		goto out;
	shard_deal(s, c, cases->n, work);
	shard_keep(s, c, cases);
	fprintf(stderr, "%s: shard %u of %u: %zu of %zu cases\n", who,
		s->number, s->of, cases->n, s->total);
out:
	free(c);
	free(work);
	return code;
}

void shard_free(struct shard *s)
{
	free(s->at);
	s->at = NULL;
}
