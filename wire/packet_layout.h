/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_layout.h -- what packet.c, packet_build.c and packet_print.c
 * share: the tables of slots, and the walk over them.  Nobody else includes it.
 *
 * A packet is a row of slots.  In a slot lies one of a few headers, and bytes
 * that are already known choose which: the slot's own first bytes (syn, p, nt,
 * som, opcode, hd) or the header before it (cc_type, ctl_type).
 */
#ifndef WIRE_PACKET_LAYOUT_H
#define WIRE_PACKET_LAYOUT_H

#include "wire/packet.h"

struct slot {
	const struct header *const
		*variants; /* [0] is the shortest; NULL ends */
	unsigned (*pick)(const struct packet *pkt); /* NULL: always [0] */
	bool before; /* pick looks at the header before, not at the slot */
};

#define SHAPE_SLOTS 3

/* What follows a pds.type. */
struct shape {
	const struct slot *slots[SHAPE_SLOTS]; /* NULL ends */
	uint16_t next; /* next_hdr values that suit, a bit each; 0: no such */
};

/* layout_shape is the shape of a type's word; NULL: no such word. */
const struct shape *layout_shape(const char *word, uint64_t *ret_type);

/* layout_ses_code is the next_hdr of a word of the SES side; 0: no such. */
unsigned layout_ses_code(const char *word);

/* layout_parse is packet_parse by these tables alone. */
void layout_parse(struct packet *ret, const uint8_t *p, size_t len);

/* layout_take adds a section; false and a fault if it is not whole. */
bool layout_take(struct packet *pkt, const struct header *h);

/* layout_pds adds the slots of a shape; false and a fault if one is short. */
bool layout_pds(struct packet *pkt, const struct shape *shape);

/* layout_ses adds the SES header and the extensions that it demands. */
void layout_ses(struct packet *pkt, unsigned next_hdr);

/* The extension headers; NULL ends. */
extern const struct header *const layout_exts[];

/*
 * sack_psn of ACK_CC and ACK_CCX: its base, cack_psn, lies in the ACK section
 * before the offset's.
 */
extern const struct derived layout_sack;
bool layout_has_sack(const struct header *h);

/* layout_get reads a field that the section is known to have. */
uint64_t layout_get(const struct packet *pkt, unsigned sec, const char *name);

#endif
