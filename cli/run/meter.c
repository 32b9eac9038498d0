/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/meter.c -- the packet counter on standard error, redrawn every 200 ms
 * at most.
 */
#include "cli/run/meter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BETWEEN (200 * VSPAN_MS)

void meter_begin(struct meter *m, const char *who, bool quiet, uint64_t total,
		 vtime now)
{
	const char *term = getenv("TERM");

	*m = (struct meter){
		.on = !quiet && isatty(STDERR_FILENO) &&
		      !(term && strcmp(term, "dumb") == 0),
		.who = who,
		.total = total,
		.began = now,
		.drawn = now,
	};
}

void meter_show(struct meter *m, uint64_t done, vtime now)
{
	const double took = (double)(now - m->began) / 1e9;

	if (!m->on || now - m->drawn < BETWEEN)
		return;
	m->drawn = now;
	m->there = true;
	fprintf(stderr, "\r\033[K%s: %" PRIu64, m->who, done);
	if (m->total != UINT64_MAX)
		fprintf(stderr, " of %" PRIu64, m->total);
	fputs(" packets", stderr);
	if (m->total != UINT64_MAX && m->total)
		fprintf(stderr, ", %.0f %%",
			100 * (double)done / (double)m->total);
	fprintf(stderr, ", %.0f/s", (double)done / took);
	fflush(stderr);
}

void meter_hide(struct meter *m)
{
	if (!m->there)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	m->there = false;
}
