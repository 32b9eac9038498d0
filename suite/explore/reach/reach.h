/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/reach/reach.h -- which transitions an exploration has reached.
 *
 * A transition is a packet in the state that the packets before it left: its
 * type, its flags, where its sequence number lies relative to those of its
 * direction, and the packet before it.  A sequence that reaches a new one is
 * worth keeping.
 */
#ifndef SUITE_EXPLORE_REACH_H
#define SUITE_EXPLORE_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/req.h"
#include "suite/verdict/record.h"
#include "wire/packet.h"

#define REACH_BITS    18
#define REACH_LAYOUTS 64 /* combinations of headers that are remembered */
#define REACH_FLAGS   17
#define REACH_NUMBERS 3

/* The places of the fields in packets of one combination of headers. */
struct reach_layout {
	const struct packet_format *format; /* NULL: the entry is free */
	const struct header *h[PACKET_SECTIONS];
	unsigned nsec;
	unsigned nflags;
	uint8_t flag[REACH_FLAGS]; /* index of each flag that is there */
	struct packet_ref flag_at[REACH_FLAGS];
	bool numbered;
	uint8_t number; /* index of the sequence number */
	struct packet_ref number_at;
};

struct explore_reach {
	struct reach_layout layouts[REACH_LAYOUTS];
	uint64_t set[(1u << REACH_BITS) / 64]; /* hashes of transitions */
	size_t transitions;
	/* requirements that a run observed: bit 0 src, bit 1 dst */
	uint8_t seen[REQ_COUNT];
};

/*
 * reach_take adds the transitions and observations of a record.
 * Return: the number of transitions that are new.
 */
size_t reach_take(struct explore_reach *r, const struct record *rec);

/* reach_requirements counts the rows observed, of each role. */
size_t reach_requirements(const struct explore_reach *r);

#endif
