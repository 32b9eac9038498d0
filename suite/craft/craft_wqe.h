/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_wqe.h -- what a line of RoCEv2 or the WQE extension leaves
 * out.
 */
#ifndef SUITE_CRAFT_CRAFT_WQE_H
#define SUITE_CRAFT_CRAFT_WQE_H

#include "suite/craft/craft_state.h"
#include "suite/verdict/space.h"

/* craft_wqe fills in what the line leaves out.  Errors: ERR_VALUE. */
int craft_wqe(struct craft *c);

/* craft_wqe_space is the space that a packet of that word speaks of. */
enum psn_space craft_wqe_space(const struct craft *c);

#endif
