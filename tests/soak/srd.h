/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/srd.h -- random runs of two SRD endpoints.
 */
#ifndef TESTS_SOAK_SRD_H
#define TESTS_SOAK_SRD_H

#include <stdint.h>
#include <stdio.h>

#include "oracle/oracle.h"

struct srd_tally {
	uint64_t runs, failed, findings;
	uint64_t messages, packets, lost, doubled;
	uint64_t dropped, restarts, destroyed, outages;
};

struct srd_world;

/* srd_world_new; |trace| NULL: none.  NULL: no memory. */
struct srd_world *srd_world_new(const struct orc_api *const api[2],
				FILE *trace);
void srd_world_free(struct srd_world *w);

/*
 * srd_world_run makes one run from its seed: at least 300 messages.
 * Return: how many findings.
 */
unsigned srd_world_run(struct srd_world *w, uint64_t seed);

/* srd_world_text is the first of the last run; lent until the next. */
const char *srd_world_text(const struct srd_world *w);

const struct srd_tally *srd_world_tally(const struct srd_world *w);

#endif
