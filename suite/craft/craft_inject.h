/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_inject.h -- changes a packet in flight, and builds the
 * packet that an impairment injects.
 */
#ifndef SUITE_CRAFT_CRAFT_INJECT_H
#define SUITE_CRAFT_CRAFT_INJECT_H

#include <stdint.h>

#include "suite/decl/decl.h"
#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"
#include "wire/dgram.h"

/*
 * craft_change applies a CORRUPT or REWRITE step to a datagram.  It ignores
 * fields that the packet lacks.  |s| is NULL outside a case; numbers are then
 * taken literally.
 */
void craft_change(const struct scope *s, const struct decl *decl,
		  const struct step *step, struct dgram *d);

/*
 * craft_trailer returns the value of d->crc (enum dgram_crc) for the trailer
 * word of a line.
 */
uint8_t craft_trailer(enum trailer t);

/*
 * craft_inject builds the packet of an INJECT step.  |cause| is the packet that
 * triggered it; ids, PSN, entropy and addresses that the line omits are taken
 * from |cause|, with source and destination swapped if the injected packet
 * travels in the opposite direction.
 *
 * Errors: ERR_VALUE, ERR_SUPPORT, ERR_SPACE as packet_build.
 */
int craft_inject(const struct scope *s, const struct decl *decl,
		 const struct step *step, const struct dgram *cause,
		 struct dgram *ret);

#endif
