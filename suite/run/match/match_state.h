/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match_state.h -- a packet that is compared with a line.
 */
#ifndef SUITE_RUN_MATCH_MATCH_STATE_H
#define SUITE_RUN_MATCH_MATCH_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "suite/decl/decl.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"
#include "wire/packet.h"

/* A packet ready to be looked at. */
struct match_seen {
	const struct scope *s; /* NULL: no case, numbers are plain values */
	uint32_t mtu;          /* path MTU for numbers in "mtu" */
	const char *pdc;       /* PDC that the line names, or NULL */
	uint8_t line_pdc;      /* the PDC whose numbers the line uses */
	const struct rec *rec;
	const struct decl_cause *cause; /* of what it answers, or NULL */
	const struct packet *pkt;
	struct packet own; /* of an entry of the record */
	bool to_dut;
};

#endif
