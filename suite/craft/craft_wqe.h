/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_wqe.h -- the default fields of a line of RoCEv2 or the WQE
 * extension.
 */
#ifndef SUITE_CRAFT_CRAFT_WQE_H
#define SUITE_CRAFT_CRAFT_WQE_H

#include "suite/craft/craft_state.h"
#include "suite/verdict/space.h"

/* craft_wqe sets the fields that the line omits.  Errors: ERR_VALUE. */
int craft_wqe(struct craft *c);

/*
 * craft_wqe_space returns the PSN space that the numbers of such a packet refer
 * to.
 */
enum psn_space craft_wqe_space(const struct craft *c);

#endif
