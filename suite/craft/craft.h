/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft.h -- a sending line to the datagram it stands for.
 *
 * What the line says is written as it is, right or wrong.  What it leaves out
 * comes from the live state: ids, next PSN, what has been acknowledged; from
 * the declaration: what the device accepts; or is 0.
 */
#ifndef SUITE_CRAFT_CRAFT_H
#define SUITE_CRAFT_CRAFT_H

#include <stddef.h>

#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"
#include "wire/dgram.h"

/*
 * craft_rung makes the datagram of a step; addresses are left to the sender.
 * A symbol that is not bound yet binds: to the next PSN.
 *
 * Errors: with |why| (|size| bytes) saying why not,
 *         ERR_VALUE a term has no value, or one that does not fit;
 *         ERR_SUPPORT the device cannot be made to answer as the case asks.
 */
int craft_rung(struct scope *s, const struct step *step, struct dgram *ret,
	       char *why, size_t size);

#endif
