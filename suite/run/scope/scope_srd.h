/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_srd.h -- the tester's state of an SRD context.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_SRD_H
#define SUITE_RUN_SCOPE_SCOPE_SRD_H

#include <stddef.h>

#include "suite/run/scope/scope_state.h"

/* Select the flow of a packet, and note one that was sent, arrived or taken. */
void scope_srd_turn(struct scope *s, size_t index);
void scope_srd_sent(struct scope *s, size_t index);
void scope_srd_arrived(struct scope *s, size_t index);
void scope_srd_taken(struct scope *s, size_t index);

#endif
