/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/stats.h -- tables and graphs made of many packets.
 */
#ifndef DISSECTOR_STATS_H
#define DISSECTOR_STATS_H

#include "dissector/track.h"
#include "wire/family.h"

/*
 * stats_register: conversations and endpoints (a PDC's addresses with PDCIDs
 * in the place of ports; of other families the addresses alone), the flow
 * graph, and the filter of a flow.  |name| is that of the protocol's filter and
 * of the tap.
 */
void stats_register(int proto, enum family family, const char *name);

/* stats_handoff: the tree of counts, once all taps are there. */
void stats_handoff(enum family family, const char *name);

/*
 * stats_tell gives the listeners of |tap| a packet: what is known of it, or
 * NULL, and its |line|, the packet as a rung.
 */
void stats_tell(int tap, packet_info *pinfo, const struct packet *pkt,
		const struct seen *seen, const char *line);

#endif
