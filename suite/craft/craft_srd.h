/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_srd.h -- what an SRD line leaves out.
 */
#ifndef SUITE_CRAFT_CRAFT_SRD_H
#define SUITE_CRAFT_CRAFT_SRD_H

#include "suite/craft/craft_state.h"
#include "suite/verdict/space.h"
#include "wire/dgram.h"

/* craft_srd fills in what the line leaves out.  Errors: ERR_VALUE. */
int craft_srd(struct craft *c);

/* craft_srd_head sets path and entropy of the datagram. */
void craft_srd_head(struct craft *c, struct dgram *d);

/* craft_srd_space is the space that a packet of that word speaks of. */
enum psn_space craft_srd_space(const struct craft *c);

#endif
