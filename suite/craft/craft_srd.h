/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_srd.h -- the default fields of an SRD line.
 */
#ifndef SUITE_CRAFT_CRAFT_SRD_H
#define SUITE_CRAFT_CRAFT_SRD_H

#include "suite/craft/craft_state.h"
#include "suite/verdict/space.h"
#include "wire/dgram.h"

/* craft_srd sets the fields that the line omits.  Errors: ERR_VALUE. */
int craft_srd(struct craft *c);

/* craft_srd_head sets the path and the entropy value of the datagram. */
void craft_srd_head(struct craft *c, struct dgram *d);

/*
 * craft_srd_space returns the PSN space that the numbers of such a packet refer
 * to.
 */
enum psn_space craft_srd_space(const struct craft *c);

#endif
