/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/world.h -- two endpoints, the lossy link between them, and a judge
 * at each end of it, in virtual time.
 *
 * A judge sees what its side sends before the link has touched it, and what the
 * link lets through when it arrives.
 */
#ifndef SOAK_WORLD_H
#define SOAK_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "judge/judge.h"
#include "oracle/oracle.h"
#include "tests/soak/forge.h"
#include "tests/soak/ledger.h"
#include "tests/soak/plan.h"
#include "tests/soak/tap.h"

#define WORLD_MARK 24

/* A packet between the ends, in a slot of the world. */
struct flying {
	vtime at;
	uint64_t order;
	uint32_t slot;
	unsigned to;
	char mark[WORLD_MARK]; /* comment in captures, or "" */
};

/* What the runs so far came to. */
struct tally {
	uint64_t runs, failed, findings;
	uint64_t packets, lost, doubled, late, marked, trimmed, tricks;
	uint64_t operations, refused, given_up, pdcs, nacks, repeated;
};

struct world {
	const struct orc_api *api[SIDES];
	unsigned modes;        /* delivery modes that runs may have, bits */
	bool honest;           /* the link forges nothing */
	FILE *trace;           /* NULL: none */
	const char *captures;  /* a folder, or NULL */
	struct tap *tap;       /* NULL: no captures */
	char mark[WORLD_MARK]; /* of the packet that is under way */
	struct tally tally;

	struct plan plan;
	struct ledger ledger;
	struct orc *end[SIDES];
	struct judge *judge[SIDES]; /* made once: that is slower than a run */
	vtime now;
	vtime post_at;       /* of the next operation */
	vtime syn_at[SIDES]; /* when a side last sent a SYN */
	bool heard_noise;    /* what is fed now asks for no answer */
	unsigned steps;      /* since time passed */
	uint32_t frame;

	struct flying *heap; /* the earliest first */
	size_t nheap, heap_cap;
	struct dgram *slots;
	uint32_t *free_slots;
	size_t nslots, nfree;
	uint64_t order;

	struct forge_kept kept[SIDES]; /* by who sent them */
	struct forge_kept last[SIDES]; /* forward requests */
	bool asked;                    /* for clears, at the end */
	struct dgram out, forged, sent;
	struct text line;
};

/*
 * world_run makes one run from its seed.
 * Return: how many findings; the first is in |w->ledger.text|.
 */
unsigned world_run(struct world *w, uint64_t seed);

/* world_free gives back what the runs needed; |w| itself is the caller's. */
void world_free(struct world *w);

#endif
