/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_wqe.h -- the tester's state of a connection of RoCEv2
 * or the WQE extension.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_WQE_H
#define SUITE_RUN_SCOPE_SCOPE_WQE_H

#include <stddef.h>

#include "suite/run/scope/scope_state.h"

/* Note a packet that was sent, arrived or taken. */
/* scope_wqe_turn selects the only connection. */
void scope_wqe_turn(struct scope *s, size_t index);

void scope_wqe_sent(struct scope *s, size_t index);
void scope_wqe_arrived(struct scope *s, size_t index);
void scope_wqe_taken(struct scope *s, size_t index);

#endif
