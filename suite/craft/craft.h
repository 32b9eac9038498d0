/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft.h -- builds the datagram of a sending line.
 *
 * A field that the line states is written as stated, valid or not.  A field
 * that the line omits comes from the live state (ids, next PSN, acknowledged
 * PSNs) or from the declaration (ids and keys that the device accepts), and is
 * 0 otherwise.
 */
#ifndef SUITE_CRAFT_CRAFT_H
#define SUITE_CRAFT_CRAFT_H

#include <stddef.h>

#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"
#include "wire/dgram.h"

/*
 * craft_rung builds the datagram of a step, without addresses.  An unbound
 * symbol is bound to the next PSN.
 *
 * Errors: with |why| (|size| bytes) saying why not,
 *         ERR_VALUE a term has no value, or one that does not fit;
 *         ERR_SUPPORT the device cannot be made to answer as the case asks.
 */
int craft_rung(struct scope *s, const struct step *step, struct dgram *ret,
	       char *why, size_t size);

#endif
