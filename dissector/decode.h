/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/decode.h -- one packet: what it is, and how it is shown.
 */
#ifndef DISSECTOR_DECODE_H
#define DISSECTOR_DECODE_H

#include <stdbool.h>

#include "dissector/compat.h"
#include "dissector/track.h"
#include "wire/packet.h"

/* Whether packets end in the CRC trailer. */
enum decode_crc {
	CRC_PREF_AUTO, /* if the last 4 bytes are the CRC of the others */
	CRC_PREF_YES,
	CRC_PREF_NO,
};

extern int decode_crc_pref;

/* What listeners of the tap get; it lives as long as the packet. */
struct tapped {
	struct packet pkt;
	const struct seen *seen; /* or NULL */
	const char *line;        /* the packet as a rung */
	uint32_t ends[2];        /* of source and destination, PDCIDs or QPs, in
				    the place of ports; 0: it has none */
	unsigned len;
	bool has_rtt;
	vspan rtt;
};

/* decode_register registers fields and the tap |name|; once, at the start. */
void decode_register(int proto, const char *name);

/* decode_packet dissects UET bytes, or the native form. */
int decode_packet(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
		  bool native);

/* decode_plausible: bytes that a sender of UET may well have sent. */
bool decode_plausible(tvbuff_t *tvb);

#endif
