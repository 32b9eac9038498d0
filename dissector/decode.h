/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/decode.h -- dissects one packet.
 */
#ifndef DISSECTOR_DECODE_H
#define DISSECTOR_DECODE_H

#include <stdbool.h>

#include "dissector/compat.h"

/* The preference for the CRC trailer. */
enum decode_crc {
	/* a trailer if the last 4 bytes are the CRC of the others */
	CRC_PREF_AUTO,
	CRC_PREF_YES,
	CRC_PREF_NO,
};

extern int decode_crc_pref;

/* Headers that the user declares to have other sizes (wire/frame/foreign.h). */
struct decode_sizes {
	ws_bool ack_ccx, nack_ccx, payload_length;
};

extern struct decode_sizes decode_sizes;

/*
 * decode_register registers fields and the tap |name|; called once, at
 * start-up.
 */
void decode_register(int proto, const char *name);

/* decode_packet dissects UET bytes, or the native form. */
int decode_packet(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
		  bool native);

/* decode_plausible returns true if a UET sender may have sent these bytes. */
bool decode_plausible(tvbuff_t *tvb);

#endif
