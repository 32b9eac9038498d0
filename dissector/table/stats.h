/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/table/stats.h -- tables and graphs over many packets.
 */
#ifndef DISSECTOR_TABLE_STATS_H
#define DISSECTOR_TABLE_STATS_H

#include "dissector/track.h"
#include "wire/family.h"
#include "wire/packet.h"

/*
 * stats_register registers conversations and endpoints (UET: a PDC's addresses
 * with PDCIDs in place of ports; other families: the addresses alone), the flow
 * graph, and the filter of a flow.  |name| names the protocol's filter and the
 * tap.
 */
void stats_register(int proto, enum family family, const char *name);

/* stats_handoff registers the tree of counts, once all taps exist. */
void stats_handoff(enum family family, const char *name);

/*
 * stats_tell passes a packet to the listeners of |tap|: |seen|, which may be
 * NULL, and |line|, the packet as a rung.
 */
void stats_tell(int tap, packet_info *pinfo, const struct packet *pkt,
		const struct seen *seen, const char *line);

#endif
