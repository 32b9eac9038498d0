/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_srd.h -- the tester's state of an SRD context.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_SRD_H
#define SUITE_RUN_SCOPE_SCOPE_SRD_H

#include <stddef.h>

#include "suite/run/scope/scope_state.h"

/*
 * scope_srd_turn selects the flow of a packet; the others update it with a
 * packet that was sent, arrived or was taken.
 */
void scope_srd_turn(struct scope *s, size_t index);
void scope_srd_sent(struct scope *s, size_t index);
void scope_srd_arrived(struct scope *s, size_t index);
void scope_srd_taken(struct scope *s, size_t index);

#endif
