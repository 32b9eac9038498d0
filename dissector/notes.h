/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/notes.h -- shows remarkable facts of a packet as expert infos.
 *
 * uet.analysis.* reports events (retransmission, NACK), uet.decode.* decoding
 * faults, and each requirement of the catalogue has an expert info of its own,
 * uet.req.rud_seq_76.  Other families have wqe.analysis.* and wqe.req.wqe_14.
 * Each text ends in requirement and clause.
 */
#ifndef DISSECTOR_NOTES_H
#define DISSECTOR_NOTES_H

#include "dissector/track.h"
#include "wire/family.h"
#include "wire/packet.h"

/*
 * notes_register registers a family's expert infos; called once, at start-up.
 */
void notes_register(int proto, enum family family);

/* The place to which a packet's expert infos are added. */
struct noted {
	enum family family;
	packet_info *pinfo;
	/* NULL: no tree is built; expert infos are still added */
	proto_tree *tree;
	proto_item *item;
	tvbuff_t *tvb;
};

/* notes_seen adds the events of a packet and the judge's findings. */
void notes_seen(const struct noted *at, const struct seen *s,
		const struct packet *pkt);

/* Decoding faults and unexpected values. */
enum oddity {
	ODD_SHORT,    /* the packet ends inside a header */
	ODD_CUT,      /* it ends there because the capture truncated it */
	ODD_TRIMMED,  /* trimmed by a switch, as its DSCP shows */
	ODD_TYPE,     /* reserved pds.type, unknown opcode */
	ODD_NEXT_HDR, /* next_hdr is not allowed for the type */
	ODD_RESERVED, /* reserved bits are not 0 */
	ODD_UNKNOWN,  /* a value without a name */
	/* bytes behind the payload that the SES header announces */
	ODD_TRAILER,
	ODD_PAYLOAD,   /* fewer bytes than the SES header announces */
	ODD_CRC,       /* the CRC is wrong */
	ODD_ENCRYPTED, /* ciphertext follows */
	ODDITIES,
};

/* notes_odd adds one such expert info. */
void notes_odd(const struct noted *at, enum oddity what, const char *fmt, ...)
	G_GNUC_PRINTF(3, 4);

/*
 * notes_label returns "retransmission", "lost", ... for the info column, or "".
 */
const char *notes_label(const struct seen *s);

/*
 * notes_column fills the info column: the number of the flow, |line|, and the
 * label.  |s| NULL: the packet has no state.
 */
void notes_column(packet_info *pinfo, const struct seen *s, const char *line);

#define NOTES_SYNDROME 32

/*
 * notes_syndrome writes the name of a NAK's syndrome, of an RNR NAK with the
 * time that it asks for.  Returns |buf|.
 */
const char *notes_syndrome(uint8_t syndrome, char buf[NOTES_SYNDROME]);

#endif
