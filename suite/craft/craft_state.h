/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_state.h -- the state of a line that is being built, shared
 * by the files of this room.
 */
#ifndef SUITE_CRAFT_CRAFT_STATE_H
#define SUITE_CRAFT_CRAFT_STATE_H

#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"
#include "wire/dgram.h"
#include "wire/packet.h"

#define CRAFT_SETS   64
#define CRAFT_HASHES 64

/* A line that is being built. */
struct craft {
	struct scope *s;
	const struct step *step;
	const struct rung *rung;
	struct rung own; /* the modified copy of the line, if it was modified */
	bool placed;     /* the type follows from the place in "each" */
	bool by_psn;     /* read data is identified by PSN */
	/* its first bytes, which tell the PSN spaces of its terms */
	uint8_t stub[16];
	struct packet stub_pkt;
	bool has_stub;
	struct field_value set[CRAFT_SETS];
	size_t nset;
	/* by the hash of name and side: the newest of |set|, plus 1; 0: none */
	uint8_t set_newest[CRAFT_HASHES];
	/* the next older one with the same hash, plus 1; 0: none */
	uint8_t set_older[CRAFT_SETS];
	uint8_t payload[DGRAM_MAX];
	size_t payload_len;
	const struct rec
		*answered;       /* the request that an ACK or NACK answers */
	const struct rec *first; /* the first transmission, for "same" */
	char *why;
	size_t why_size;
};

#endif
