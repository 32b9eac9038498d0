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

/* A packet that is prepared for the comparison. */
struct match_seen {
	const struct scope
		*s;   /* NULL: outside a case, where numbers are plain values */
	uint32_t mtu; /* path MTU for numbers in "mtu" */
	const char *pdc;  /* the PDC that the line names, or NULL */
	uint8_t line_pdc; /* the PDC to which the line's numbers refer */
	const struct rec *rec;
	const struct decl_cause
		*cause; /* declared cause of the answered request, or NULL */
	bool divided;   /* the answered request is part of a divided message */
	uint64_t message_id; /* of that part */
	bool trimmed;        /* a NACK of a request that the tester trimmed */
	const struct packet *pkt;
	struct packet own; /* parsed from an entry of the record */
	bool to_dut;
};

#endif
