/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/world.h -- two endpoints, the lossy link between them, and a judge
 * at each end of it, in virtual time.
 *
 * A judge sees the packets of its side before the link impairs them, and the
 * packets that arrive.
 */
#ifndef SOAK_WORLD_H
#define SOAK_WORLD_H

#include "tests/soak/world_state.h"

/*
 * world_run makes one run from its seed.
 *
 * Return: the number of findings; the first is in |w->ledger.text|.
 */
unsigned world_run(struct world *w, uint64_t seed);

/* world_free frees the memory of the runs, but not |w| itself. */
void world_free(struct world *w);

#endif
