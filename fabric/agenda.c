/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/agenda.c -- when each endpoint has something to do.
 */
#include "fabric/agenda.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/memory.h"

int agenda_init(struct agenda *a, uint32_t n, uint32_t block)
{
	*a = (struct agenda){
		.n = n, .block = block, .nblocks = (n + block - 1) / block};
	a->at = memory_calloc(n, sizeof(*a->at));
	a->least = memory_calloc(a->nblocks, sizeof(*a->least));
	if (!a->at || !a->least)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < n; i++)
		a->at[i] = VTIME_NEVER;
	for (uint32_t b = 0; b < a->nblocks; b++)
		a->least[b] = VTIME_NEVER;
	return 0;
}

void agenda_free(struct agenda *a)
{
	free(a->at);
	free(a->least);
}

void agenda_set(struct agenda *a, uint32_t endpoint, vtime at)
{
	vtime *least = &a->least[endpoint / a->block];

	a->at[endpoint] = at;
	*least = vtime_min(*least, at);
}

void agenda_lower(struct agenda *a, uint32_t endpoint, vtime at)
{
	if (at < a->at[endpoint])
		agenda_set(a, endpoint, at);
}

vtime agenda_next(const struct agenda *a)
{
	vtime next = VTIME_NEVER;

	for (uint32_t b = 0; b < a->nblocks; b++)
		next = vtime_min(next, a->least[b]);
	return next;
}

uint32_t agenda_due_in(struct agenda *a, uint32_t b, vtime until, uint32_t *ret)
{
	const uint32_t first = b * a->block;
	uint32_t n = 0;

	if (a->least[b] >= until)
		return 0;
	a->least[b] = VTIME_NEVER;
	for (uint32_t i = first; i < first + a->block && i < a->n; i++)
		if (a->at[i] < until)
			ret[n++] = i;
		else
			a->least[b] = vtime_min(a->least[b], a->at[i]);
	return n;
}

uint32_t agenda_due(struct agenda *a, vtime until, uint32_t *ret)
{
	uint32_t n = 0;

	for (uint32_t b = 0; b < a->nblocks; b++)
		n += agenda_due_in(a, b, until, ret + n);
	return n;
}
