/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_inject.h -- change a packet that is on its way, and make
 * the packet that an impairment injects.
 */
#ifndef SUITE_CRAFT_CRAFT_INJECT_H
#define SUITE_CRAFT_CRAFT_INJECT_H

#include <stdint.h>

#include "suite/decl/decl.h"
#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"
#include "wire/dgram.h"

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
