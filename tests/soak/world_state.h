/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/world_state.h -- the state of a world (world.h).
 */
#ifndef SOAK_WORLD_STATE_H
#define SOAK_WORLD_STATE_H

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

/* A packet in flight, in a slot of the world. */
struct flying {
	vtime at;
	uint64_t order;
	uint32_t slot;
	unsigned to;
	char mark[WORLD_MARK]; /* comment in captures, or "" */
};

/* The totals of the runs so far. */
struct tally {
	uint64_t runs, failed, findings;
	uint64_t packets, lost, doubled, late, marked, trimmed, tricks;
	uint64_t operations, refused, given_up, pdcs, nacks, repeated;
};

struct world {
	const struct orc_api *api[SIDES];
	unsigned modes;        /* delivery modes that runs may have, bits */
	bool honest;           /* the link forges no packets */
	FILE *trace;           /* NULL: none */
	const char *captures;  /* a folder; NULL: no captures */
	struct tap *tap;       /* NULL: no captures */
	char mark[WORLD_MARK]; /* mark of the current packet */
	struct tally tally;

	struct plan plan;
	struct ledger ledger;
	struct orc *end[SIDES];
	/* made once, since that takes longer than a run */
	struct judge *judge[SIDES];
	vtime now;
	vtime post_at;       /* time of the next operation */
	vtime syn_at[SIDES]; /* when a side last sent a SYN */
	bool heard_noise;    /* the current packet needs no answer */
	unsigned steps;      /* steps since time advanced */
	uint32_t frame;

	struct flying *heap; /* heap, the earliest first */
	size_t nheap, heap_cap;
	struct dgram *slots;
	uint32_t *free_slots;
	size_t nslots, nfree;
	uint64_t order;

	struct forge_kept kept[SIDES]; /* kept retransmissions, by sender */
	struct forge_kept last[SIDES]; /* forward requests */
	bool asked;                    /* clears were requested, at the end */
	const struct plan_op *late;    /* its receive is not posted yet */
	struct dgram out, forged, sent;
	struct text line;
};

#endif
