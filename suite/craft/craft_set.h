/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_set.h -- sets fields of the line that is being built.
 */
#ifndef SUITE_CRAFT_CRAFT_SET_H
#define SUITE_CRAFT_CRAFT_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/craft/craft_state.h"

bool craft_is_set(struct craft *c, const char *name, bool ses);
uint64_t craft_value(struct craft *c, const char *name, bool ses);

/* craft_put sets a field and overrides the line's value. */
void craft_put(struct craft *c, const char *name, bool ses, uint64_t value);

/* craft_drop removes a field, which then is 0 or not in the packet. */
void craft_drop(struct craft *c, const char *name, bool ses);

/*
 * craft_default sets a field, unless the line sets it or the packet has no such
 * field.
 */
void craft_default(struct craft *c, const char *name, bool ses, uint64_t value);

/*
 * craft_refuse formats the reason why a line cannot be sent.  Return:
 * ERR_VALUE.
 */
__attribute__((format(printf, 2, 3))) int craft_refuse(struct craft *c,
						       const char *fmt, ...);

#endif
