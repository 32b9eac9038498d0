/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/arrivals.c -- sorts the packets on the links to one port.
 */
#include "fabric/arrivals.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"

#define FIRST 16 /* entries */

/* So many are sorted by insertion. */
#define FEW 32

/* So many are dealt to buckets first, unless they are very few. */
#define BUCKETS 32
#define DEALT   256
#define HANDFUL 6

static int arrivals_grow(struct arrivals *a, uint32_t cap)
{
	struct net_arrival *v = memory_realloc(a->v, cap * sizeof(*v));

	if (!v)
		return ERR_NOMEM;
	a->v = v;
	a->cap = cap;
	return 0;
}

int arrivals_add(struct arrivals *a, struct net_arrival in)
{
	if (a->n == a->cap && arrivals_grow(a, a->cap ? 2 * a->cap : FIRST))
		return ERR_NOMEM;
	if (a->n && in.at < a->v[a->n - 1].at)
		a->mixed = true;
	a->v[a->n++] = in;
	return 0;
}

static void sort_few(struct net_arrival *v, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		const struct net_arrival x = v[i];
		uint32_t k = i;

		for (; k && x.at < v[k - 1].at; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

/* Merges |from|[0, middle) and [middle, n) into |to|. */
static void merge(struct net_arrival *to, const struct net_arrival *from,
		  uint32_t middle, uint32_t n)
{
	uint32_t a = 0, b = middle;

	for (uint32_t i = 0; i < n; i++)
		to[i] = b == n || (a < middle && from[a].at <= from[b].at)
				? from[a++]
				: from[b++];
}

/* Merges parts of |len| in pairs. */
static void merge_pairs(struct net_arrival *to, const struct net_arrival *from,
			uint32_t len, uint32_t n)
{
	for (uint32_t i = 0; i < n; i += 2 * len) {
		const uint32_t left = n - i;

		merge(to + i, from + i, len < left ? len : left,
		      2 * len < left ? 2 * len : left);
	}
}

/* Returns the shift that maps the times of all to fewer than BUCKETS. */
static unsigned arrivals_shift(const struct arrivals *a, vtime *ret_least)
{
	vtime least = a->v[0].at, most = least;
	unsigned shift = 0;

	for (uint32_t i = 1; i < a->n; i++) {
		least = vtime_min(least, a->v[i].at);
		most = vtime_max(most, a->v[i].at);
	}
	while ((most - least) >> shift >= BUCKETS)
		shift++;
	*ret_least = least;
	return shift;
}

/*
 * Puts the entries into the order of short spans of time.  They come as many
 * short runs, one of each port before, so that insertion alone would move each
 * of them a long way.
 */
static void arrivals_deal(struct arrivals *a, struct net_arrival *room)
{
	uint32_t at[BUCKETS + 1] = {0};
	vtime least;
	const unsigned shift = arrivals_shift(a, &least);

	for (uint32_t i = 0; i < a->n; i++)
		at[((a->v[i].at - least) >> shift) + 1]++;
	for (unsigned b = 1; b < BUCKETS; b++)
		at[b] += at[b - 1];
	for (uint32_t i = 0; i < a->n; i++)
		room[at[(a->v[i].at - least) >> shift]++] = a->v[i];
	memcpy(a->v, room, a->n * sizeof(*room));
}

int arrivals_sort(struct arrivals *a, struct arrivals *room)
{
	if (!a->mixed)
		return 0;
	if (room->cap < a->cap && arrivals_grow(room, a->cap))
		return ERR_NOMEM;
	if (a->n <= DEALT) {
		if (a->n > HANDFUL)
			arrivals_deal(a, room->v);
		sort_few(a->v, a->n);
		a->mixed = false;
		return 0;
	}
	for (uint32_t i = 0; i < a->n; i += FEW)
		sort_few(a->v + i, a->n - i < FEW ? a->n - i : FEW);
	for (uint32_t len = FEW; len < a->n; len *= 2) {
		merge_pairs(room->v, a->v, len, a->n);
		memcpy(a->v, room->v, a->n * sizeof(*a->v));
	}
	a->mixed = false;
	return 0;
}

void arrivals_drop(struct arrivals *a, uint32_t n)
{
	a->n -= n;
	memmove(a->v, a->v + n, a->n * sizeof(*a->v));
}

void arrivals_free(struct arrivals *a)
{
	free(a->v);
}
