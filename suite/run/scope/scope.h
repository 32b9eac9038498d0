/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope.h -- starts the scope of a case, and tracks the packets
 * sent, received and taken.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_H
#define SUITE_RUN_SCOPE_SCOPE_H

#include <stddef.h>
#include <stdint.h>

#include "suite/decl/decl.h"
#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"

/* scope_start begins a case: fresh ids and Start_PSN from the case's seed. */
void scope_start(struct scope *s, const struct decl *decl, struct record *r,
		 enum chair chair, uint64_t seed);

/*
 * scope_sent updates the scope with a packet that the tester sent (record
 * entry).
 */
void scope_sent(struct scope *s, size_t index);

/*
 * scope_arrived updates the ids and pending bases with a packet of the DUT,
 * after scope_turn_packet; scope_taken records that the packet was not lost and
 * counts as received.
 */
void scope_arrived(struct scope *s, size_t index);
void scope_taken(struct scope *s, size_t index);

/*
 * scope_psn_used returns the PSN that a packet of UET consumes, and false if it
 * consumes none: requests do, and NOOP, Close Command, Close Request and
 * Negotiation.  Other CPs have a PSN field that means nothing.
 */
bool scope_psn_used(const struct packet *pkt, uint32_t *ret);

/* scope_acknowledges returns true for an ACK that covers |psn|. */
bool scope_acknowledges(const struct packet *pkt, uint32_t psn);

#endif
