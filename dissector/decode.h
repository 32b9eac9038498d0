/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/decode.h -- one packet: what it is, and how it is shown.
 */
#ifndef DISSECTOR_DECODE_H
#define DISSECTOR_DECODE_H

#include <stdbool.h>

#include "dissector/compat.h"

/* Whether packets end in the CRC trailer. */
enum decode_crc {
	CRC_PREF_AUTO, /* if the last 4 bytes are the CRC of the others */
	CRC_PREF_YES,
	CRC_PREF_NO,
};

extern int decode_crc_pref;

/* Headers that are known to have other sizes (wire/foreign.h). */
struct decode_sizes {
	ws_bool ack_ccx, nack_ccx, payload_length;
};

extern struct decode_sizes decode_sizes;

/* decode_register registers fields and the tap |name|; once, at the start. */
void decode_register(int proto, const char *name);

/* decode_packet dissects UET bytes, or the native form. */
int decode_packet(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
		  bool native);

/* decode_plausible: bytes that a sender of UET may well have sent. */
bool decode_plausible(tvbuff_t *tvb);

#endif
