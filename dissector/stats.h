/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/stats.h -- tables and graphs made of many packets.
 */
#ifndef DISSECTOR_STATS_H
#define DISSECTOR_STATS_H

/*
 * stats_register: conversations and endpoints (a PDC's addresses with PDCIDs
 * in the place of ports), the flow graph, and the filter of a PDC.  |name| is
 * that of the protocol's filter and of the tap.
 */
void stats_register(int proto, const char *name);

/* stats_handoff: the tree of counts, once all taps are there. */
void stats_handoff(const char *name);

#endif
