/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_wqe.h -- the tester's state of a connection of RoCEv2
 * or the WQE extension.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_WQE_H
#define SUITE_RUN_SCOPE_SCOPE_WQE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "suite/run/scope/scope_state.h"

/* Note a packet that was sent, arrived or taken. */
/* scope_wqe_turn selects the only connection. */
void scope_wqe_turn(struct scope *s, size_t index);

void scope_wqe_sent(struct scope *s, size_t index);
void scope_wqe_arrived(struct scope *s, size_t index);
void scope_wqe_taken(struct scope *s, size_t index);

/*
 * scope_wqe_was_sent returns true if the tester sent the PSN, or a read whose
 * data has it.
 */
bool scope_wqe_was_sent(const struct scope *s, uint32_t psn);

#endif
