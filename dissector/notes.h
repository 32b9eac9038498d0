/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/notes.h -- what is remarkable in a packet, as expert infos.
 *
 * uet.analysis.* says what happened (sent again, refused), uet.decode.* what
 * does not decode, and each requirement of the catalogue has an expert info of
 * its own, uet.req.rud_seq_76.  Other families have theirs, wqe.analysis.* and
 * wqe.req.wqe_14.  Each text ends in requirement and clause.
 */
#ifndef DISSECTOR_NOTES_H
#define DISSECTOR_NOTES_H

#include "dissector/track.h"
#include "wire/family.h"
#include "wire/packet.h"

/* notes_register registers a family's expert infos; once, at the start. */
void notes_register(int proto, enum family family);

/* Where the expert infos of a packet hang. */
struct noted {
	enum family family;
	packet_info *pinfo;
	proto_tree *tree; /* NULL: none is built, they are told all the same */
	proto_item *item;
	tvbuff_t *tvb;
};

/* notes_seen tells what happened, and what the judge found. */
void notes_seen(const struct noted *at, const struct seen *s,
		const struct packet *pkt);

/* What does not decode, and what nobody expects. */
enum oddity {
	ODD_SHORT,     /* a header ends after the packet does */
	ODD_CUT,       /* ... because the capture was cut there */
	ODD_TRIMMED,   /* a switch has trimmed it, as its DSCP says */
	ODD_TYPE,      /* reserved pds.type, unknown opcode */
	ODD_NEXT_HDR,  /* next_hdr does not suit the type */
	ODD_RESERVED,  /* reserved bits are not 0 */
	ODD_UNKNOWN,   /* a value without a name */
	ODD_TRAILER,   /* bytes behind what the SES header announces */
	ODD_PAYLOAD,   /* fewer bytes than it announces: trimmed? */
	ODD_CRC,       /* the CRC is wrong */
	ODD_ENCRYPTED, /* what follows is ciphertext */
	ODDITIES,
};

/* notes_odd tells one of those. */
void notes_odd(const struct noted *at, enum oddity what, const char *fmt, ...)
	G_GNUC_PRINTF(3, 4);

/* notes_label is "retransmission", "lost", ... for the info column, or "". */
const char *notes_label(const struct seen *s);

#endif
