/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_state.h -- a line in the making, which the files of this
 * room share.
 */
#ifndef SUITE_CRAFT_CRAFT_STATE_H
#define SUITE_CRAFT_CRAFT_STATE_H

#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"
#include "wire/dgram.h"
#include "wire/packet.h"

#define CRAFT_SETS 64

/* One line in the making. */
struct craft {
	struct scope *s;
	const struct step *step;
	const struct rung *rung;
	struct rung own; /* a line that had to be changed */
	bool by_psn;     /* its read data is found by a PSN */
	struct field_value set[CRAFT_SETS];
	size_t nset;
	uint8_t payload[DGRAM_MAX];
	size_t payload_len;
	const struct rec
		*answered;       /* the request that an ACK or NACK answers */
	const struct rec *first; /* "same": the first transmission */
	char *why;
	size_t why_size;
};

#endif
