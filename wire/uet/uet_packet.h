/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/uet/uet_packet.h -- the packet format of UET: the parser, the words, and
 * the tables that parser and builder share.
 *
 * A packet is a sequence of slots.  A slot holds one of a few headers.  Bytes
 * that are already known select it: the slot's own first bytes (syn, p, nt,
 * som, opcode, hd) or the header before it (cc_type, ctl_type).
 *
 * Spec: UET 3.5.10, 3.4.2 (uet.md 2, 3, 5)
 */
#ifndef WIRE_UET_UET_PACKET_H
#define WIRE_UET_UET_PACKET_H

#include "wire/packet.h"

/* The format of UET; uet_build.c defines it. */
extern const struct packet_format uet_format;

/*
 * uet_packet_parse finds the sections of a UET packet.
 *
 * Shape:  |p| holds |len| bytes from the PDS (or TSS) header, without the CRC
 *         trailer.  NULL is allowed when |len| is 0.
 *
 * It always fills *ret with every complete header before a fault.  A short
 * header of a trimmed packet is a fault as well, since only the caller knows
 * the DSCP. next_hdr 0 is allowed for every type, and is the only one for a
 * NACK; 9 is allowed for an ACK.  A Negotiation CP has the 8-byte payload of
 * 1.0.3 if 8 bytes are left and the first two are not both zero, else the 4
 * bytes without meaning.
 */
void uet_packet_parse(struct packet *ret, const uint8_t *p, size_t len);

/* The members of uet_format, as struct packet_format describes them. */
const char *uet_packet_word(const struct packet *pkt);
bool uet_packet_is_word(const char *word);
bool uet_packet_has(const char *type, const char *ses_word, bool ses,
		    const char *name, size_t len, const struct field **ret);
uint64_t uet_packet_across_get(const struct packet *pkt, unsigned sec);
bool uet_packet_is_idle(const struct packet *pkt, const struct packet_ref *ref,
			uint64_t v);

/* ---- For uet_build.c ---- */

struct slot {
	const struct header *const
		*variants; /* [0] is the shortest; NULL ends the list */
	/* NULL: [0] is used always */
	unsigned (*pick)(const struct packet *pkt);
	bool before; /* pick reads the header before the slot, not the slot */
};

#define SHAPE_SLOTS 3

/* The slots after a pds.type. */
struct shape {
	const struct slot *slots[SHAPE_SLOTS]; /* NULL ends the list */
	uint16_t next; /* allowed next_hdr values as a bit mask; 0: none */
};

/* layout_shape returns the shape for the word of a type; NULL: no such word. */
const struct shape *layout_shape(const char *word, uint64_t *ret_type);

/*
 * layout_ses_code returns the next_hdr of a word of the SES side; 0: no such
 * word.
 */
unsigned layout_ses_code(const char *word);

/* layout_parse does the same as uet_packet_parse, using only these tables. */
void layout_parse(struct packet *ret, const uint8_t *p, size_t len);

/*
 * layout_pds adds the slots of a shape.  Return: false, with a fault, if one is
 * truncated.
 */
bool layout_pds(struct packet *pkt, const struct shape *shape);

/* layout_ses adds the SES header and the extensions that it requires. */
void layout_ses(struct packet *pkt, unsigned next_hdr);

/* The extension headers; NULL ends the list. */
extern const struct header *const layout_exts[];

/*
 * sack_psn of ACK_CC and ACK_CCX: cack_psn of the ACK header plus
 * sack_psn_offset of the header that follows it.
 */
extern const struct derived layout_sack;
bool layout_has_sack(const struct header *h);

#endif
