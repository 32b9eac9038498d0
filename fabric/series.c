/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/series.c -- samples of a run.
 */
#include "fabric/series.h"

#include <stddef.h>

void series_start(struct fabric_series *s, vspan step)
{
	*s = (struct fabric_series){.step = step, .next = step};
}

/* Keeps the later of each two samples, with the larger queue of both. */
static void series_halve(struct fabric_series *s)
{
	s->n /= 2;
	for (uint32_t i = 0; i < s->n; i++) {
		const uint32_t queue = s->v[2 * i].queue;

		s->v[i] = s->v[2 * i + 1];
		if (queue > s->v[i].queue)
			s->v[i].queue = queue;
	}
	s->step *= 2;
}

void series_add(struct fabric_series *s, const struct series_sample *sample)
{
	struct series_sample *last = s->n ? &s->v[s->n - 1] : NULL;

	if (last && last->at == sample->at) {
		const uint32_t queue = last->queue;

		*last = *sample;
		if (queue > last->queue)
			last->queue = queue;
		return;
	}
	if (s->n == SERIES_MAX)
		series_halve(s);
	s->v[s->n++] = *sample;
	s->next = sample->at + s->step;
}
