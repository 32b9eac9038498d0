/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_cause.h -- put the cause in force into a request.
 */
#ifndef SUITE_CRAFT_CRAFT_CAUSE_H
#define SUITE_CRAFT_CRAFT_CAUSE_H

#include "suite/craft/craft_state.h"

/*
 * craft_cause puts the cause in force into a request, for a device without
 * ses_policy.  Errors: ERR_SUPPORT the device cannot be made to answer so.
 */
int craft_cause(struct craft *c);

#endif
