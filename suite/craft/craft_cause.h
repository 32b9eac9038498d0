/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_cause.h -- makes a request carry the declared cause of an
 * answer.
 */
#ifndef SUITE_CRAFT_CRAFT_CAUSE_H
#define SUITE_CRAFT_CRAFT_CAUSE_H

#include "suite/craft/craft_state.h"

/*
 * craft_cause makes a request carry the declared cause of the answer that
 * "respond" asks for, for a device without ses_policy.  Errors: ERR_SUPPORT the
 * device cannot be made to answer so.
 */
int craft_cause(struct craft *c);

#endif
