/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_set.h -- the fields that are set for a line in the making.
 */
#ifndef SUITE_CRAFT_CRAFT_SET_H
#define SUITE_CRAFT_CRAFT_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/craft/craft_state.h"

bool craft_is_set(struct craft *c, const char *name, bool ses);
uint64_t craft_value(struct craft *c, const char *name, bool ses);

/* craft_put sets a field, even if the line sets it. */
void craft_put(struct craft *c, const char *name, bool ses, uint64_t value);

/*
 * craft_default sets a field, unless the line sets it or the packet has no such
 * field.
 */
void craft_default(struct craft *c, const char *name, bool ses, uint64_t value);

/* craft_refuse says why a line cannot be sent.  Return: ERR_VALUE. */
__attribute__((format(printf, 2, 3))) int craft_refuse(struct craft *c,
						       const char *fmt, ...);

#endif
