/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/world_link.h -- the link of a world.
 */
#ifndef SOAK_WORLD_LINK_H
#define SOAK_WORLD_LINK_H

#include "tests/soak/world_state.h"
#include "wire/uet/uet_pds.h"

/* world_is_rud and world_is_rod return true for a request of that mode. */
static inline bool world_is_rud(enum pds_type type)
{
	return type == PDS_RUD_REQ || type == PDS_RUD_CC_REQ;
}

static inline bool world_is_rod(enum pds_type type)
{
	return type == PDS_ROD_REQ || type == PDS_ROD_CC_REQ;
}

/* world_take removes and returns the packet that arrives first. */
struct flying world_take(struct world *w);

/*
 * world_forge sends a packet that the link makes from |of|; it arrives after
 * |span| at the end opposite to |from|.
 */
void world_forge(struct world *w, unsigned from, const struct dgram *d,
		 const struct dgram *of, vspan span);

/*
 * world_syn_is_gone returns true if the last SYN of a side is no longer in
 * flight: a late one would open an ended PDC again.
 */
bool world_syn_is_gone(const struct world *w, unsigned side);

/* world_transmit sends a packet of |from|, impaired as the plan says. */
void world_transmit(struct world *w, unsigned from, struct dgram *d);

#endif
