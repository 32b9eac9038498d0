/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft.h -- a sending line to the datagram it stands for.
 *
 * What the line says is written as it is, right or wrong.  What it leaves out
 * comes from the live state: ids, next PSN, what has been acknowledged; from
 * the declaration: what the device accepts; or is 0.
 */
#ifndef SUITE_CRAFT_H
#define SUITE_CRAFT_H

#include <stddef.h>

#include "suite/case.h"
#include "suite/scope.h"
#include "wire/dgram.h"

/*
 * craft_rung makes the datagram of a step; addresses are left to the sender.
 * A symbol that is not bound yet binds: to the next PSN.
 *
 * Errors: ERR_VALUE with |why| (|size| bytes) saying which term and why not.
 */
int craft_rung(struct scope *s, const struct step *step, struct dgram *ret,
	       char *why, size_t size);

/*
 * craft_corrupt changes the field of an IMPAIR_CORRUPT step in a datagram; a
 * packet that lacks the field is left alone.
 */
void craft_corrupt(struct scope *s, const struct step *step, struct dgram *d);

#endif
