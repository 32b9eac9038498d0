/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope.h -- start the scope of a case, and note what was
 * sent, arrived and was taken.
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

/* scope_sent takes note of a packet that the tester sent (record entry). */
void scope_sent(struct scope *s, size_t index);

/*
 * scope_arrived takes note that a packet of the DUT came in, after
 * scope_turn_packet: ids and pending bases; scope_taken that it was not lost
 * and counts as received.
 */
void scope_arrived(struct scope *s, size_t index);
void scope_taken(struct scope *s, size_t index);

#endif
