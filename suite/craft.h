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
 * Errors: with |why| (|size| bytes) saying why not,
 *         ERR_VALUE a term has no value, or one that does not fit;
 *         ERR_SUPPORT the device cannot be made to answer as the case asks.
 */
int craft_rung(struct scope *s, const struct step *step, struct dgram *ret,
	       char *why, size_t size);

/*
 * craft_change does to a datagram what a CORRUPT or REWRITE step says; a field
 * that the packet lacks is left alone.  Without a case, |s| NULL, a number is
 * what it says.
 */
void craft_change(const struct scope *s, const struct decl *decl,
		  const struct step *step, struct dgram *d);

/* craft_trailer is what d->crc is for a trailer of a line; enum dgram_crc. */
uint8_t craft_trailer(enum trailer t);

/*
 * craft_inject makes the packet of an INJECT step, set off by |cause|: what the
 * line leaves out (ids, the PSN that it speaks of, entropy, addresses) is that
 * of the cause, turned round if it goes the other way.
 *
 * Errors: ERR_VALUE, ERR_SUPPORT, ERR_SPACE as packet_build.
 */
int craft_inject(const struct scope *s, const struct decl *decl,
		 const struct step *step, const struct dgram *cause,
		 struct dgram *ret);

#endif
