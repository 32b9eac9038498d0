/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/table/tapped.h -- what a tap of a family gives to its tables.
 */
#ifndef DISSECTOR_TABLE_TAPPED_H
#define DISSECTOR_TABLE_TAPPED_H

#include "dissector/track.h"
#include "wire/packet.h"

/* The data of a tap's listeners; it lives as long as the packet. */
struct tapped {
	struct packet pkt;
	const struct seen *seen; /* result of the first pass, or NULL */
	const char *line;        /* the packet as a rung */
	/*
	 * PDCIDs or QPs of source and destination, in place of ports; 0: none
	 */
	uint32_t ends[2];
	bool has_rtt;
	vspan rtt;
};

#endif
