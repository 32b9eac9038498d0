/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_ib.h -- the fields of requests of SRD and the WQE
 * extension that a line leaves out.
 */
#ifndef SUITE_CRAFT_CRAFT_IB_H
#define SUITE_CRAFT_CRAFT_IB_H

#include "suite/craft/craft_state.h"

/*
 * craft_ib_request fills in the PSN of a request, and what "same" repeats: the
 * payload, and the fields |kept|, up to a NULL.
 * Errors: ERR_VALUE this PSN was not sent before.
 */
int craft_ib_request(struct craft *c, const char *const *kept);

#endif
