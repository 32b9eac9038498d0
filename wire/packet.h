/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet.h -- a packet as a row of sections, read through the tables.
 *
 * packet_parse takes any bytes and says which header lies where; what does not
 * parse is kept as a fault with its place, so that a bad packet can still be
 * shown.  Judging a value is not this file's business.
 *
 * The words here are the words of case files: a packet prints as the rung that
 * would send it.
 *
 *	rud_req psn=333 clear_psn=332 ar | std send eom som | data 64
 *
 * Spec: UET 3.5.10, 3.4.2 (uet.md 2, 3, 5)
 */
#ifndef WIRE_PACKET_H
#define WIRE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "wire/field.h"

enum packet_fault {
	PACKET_OK,
	PACKET_SHORT,     /* a header ends after the packet does */
	PACKET_TYPE,      /* pds.type is 0 or reserved, bth.opcode unknown */
	PACKET_NEXT_HDR,  /* next_hdr is reserved or does not suit the type */
	PACKET_ENCRYPTED, /* a TSS header: what follows is ciphertext */
};

/* Whose tables a packet was read with. */
enum packet_family {
	PACKET_UET,
	PACKET_IB, /* begins with a BTH: wire/ib_packet.h */
};

#define PACKET_SECTIONS 8

struct section {
	const struct header *h;
	uint16_t at; /* offset of its first byte in the packet */
};

struct packet {
	const uint8_t *p; /* lent: the bytes outlive the struct */
	size_t len;
	struct section sec[PACKET_SECTIONS]; /* |nsec| of them */
	unsigned nsec;
	unsigned nses; /* index of the first SES section; nsec: there is none */
	size_t payload; /* offset of what follows the last whole header */
	enum packet_fault fault;
	const struct header *fault_header; /* PACKET_SHORT: which one */
	enum packet_family family;
};

/*
 * packet_parse finds the sections of a UET packet.
 *
 * Shape:  |p| holds |len| bytes from the PDS (or TSS) header, without the CRC
 *         trailer.  NULL is allowed when |len| is 0.
 *
 * It always fills *ret: every whole header before a fault is there.  A short
 * header of a trimmed packet is a fault as well; the caller knows about DSCP.
 * next_hdr 0 suits every type, and a NACK no other; 9 suits an ACK.  A
 * Negotiation CP has the 8-byte payload of 1.0.3 if 8 bytes are left and the
 * first two are not both zero, else the 4 bytes without a meaning.
 */
void packet_parse(struct packet *ret, const uint8_t *p, size_t len);

/* packet_fault_name names a fault: "ok", "short", ...  Static storage. */
const char *packet_fault_name(enum packet_fault fault);

/*
 * packet_word is the word that starts the packet's rung: "rud_req", "ack",
 * "cp", ...; "unknown" for a type without a name or fewer than 2 bytes.
 */
const char *packet_word(const struct packet *pkt);

/* Where a name was found: a field or a derived value of a section. */
struct packet_ref {
	unsigned sec;                  /* index into pkt->sec */
	const struct field *field;     /* or NULL */
	const struct derived *derived; /* or NULL */
};

/*
 * packet_find looks a name up in the sections [from, to) of a packet, fields
 * first, then derived values (among them sack_psn of an ACK_CC or ACK_CCX,
 * whose base cack_psn lies in the ACK section before it).
 */
bool packet_find(const struct packet *pkt, unsigned from, unsigned to,
		 const char *name, size_t len, struct packet_ref *ret);

/* packet_get reads what packet_find found. */
uint64_t packet_get(const struct packet *pkt, const struct packet_ref *ref);

/*
 * packet_value reads a field or derived value by name from the whole packet.
 * Return: true and *ret, or false if the packet has no such name.
 */
bool packet_value(const struct packet *pkt, const char *name, uint64_t *ret);

/* One field of a packet to be built, by name. */
struct packet_set {
	const char *name; /* field or derived value */
	uint64_t value;   /* SINT fields: sign-extended */
	bool ses;         /* look it up in the SES sections, not the PDS ones */
};

/* What packet_build makes. */
struct packet_spec {
	const char *type;   /* "rud_req", "cp", ... as packet_word says */
	const char *ses;    /* "std", "small", "medium", "response",
			       "response_data", "response_data_small" or NULL */
	const char *ext[2]; /* "atomic", "cswap", "rendezvous" or NULL: beyond
			       those that the opcode demands by itself */
	const struct packet_set *set;
	size_t nset;
	const uint8_t *payload; /* lent; NULL: zeroes */
	size_t payload_len;
};

/*
 * packet_build writes a packet.  pds.type and next_hdr follow from the words
 * unless a set names them; overlays (SYN, probe reply, nt, ctl_type, som,
 * opcode, hd, cc_type) follow from the values set.  Everything else that is
 * not set is 0.  Derived values are set after the plain fields.
 *
 * Shape:  |p| has room for |size| bytes.
 * Return: the length; ERR_SPACE; ERR_SUPPORT no such type or SES word;
 *         ERR_VALUE a value does not fit its field, or a name is not in the
 *         layout; then *ret_bad (if not NULL) is the index of the set to
 *         blame, or -1.
 */
int packet_build(uint8_t *p, size_t size, const struct packet_spec *spec,
		 int *ret_bad);

/*
 * packet_layout_has says whether some variant of the packets that begin with
 * |type| (and |ses|, or NULL) has a field or derived value |name| on the PDS
 * (ses = false) or SES side; the case parser asks it.  *ret (if not NULL) is
 * the field, or NULL for a derived value.
 */
bool packet_layout_has(const char *type, const char *ses_word, bool ses,
		       const char *name, size_t len, const struct field **ret);

enum packet_style {
	PACKET_BRIEF, /* what a ladder shows: no ids, addresses, lengths */
	PACKET_FULL,  /* all that is not zero, derived values for offsets */
};

/*
 * How the printer shows serial numbers: live PSNs become the numbers of the
 * figure.  NULL: as they are.  |field| is the field's or derived value's name.
 */
struct packet_psn_names {
	uint32_t (*show)(const void *ctx, const struct packet *pkt,
			 const char *field, uint32_t psn);
	const void *ctx;
};

/*
 * packet_print appends the packet as a rung, without a newline: the words and
 * sets of a FULL print build the same headers again.
 *
 * ctl_type, nack_code and opcode are the bare word behind the header's
 * ("opcode=0x2a" if it has no name; BRIEF drops a response's usual opcode);
 * PSNs come next, zero or not; then fields in the order of the table.  Data is
 * counted; what has no whole header is shown as "| bytes 01 80"; a fault ends
 * the line: "! short std".
 */
void packet_print(struct text *t, const struct packet *pkt,
		  enum packet_style style,
		  const struct packet_psn_names *names);

#endif
