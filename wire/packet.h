/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet.h -- a packet as a sequence of sections, read through the tables.
 *
 * A format's parse() takes any bytes and finds the position of each header.  If
 * the bytes do not parse, it records the fault and its position, so that a bad
 * packet can still be shown.  It does not judge values.
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
#include <string.h>

#include "base/text.h"
#include "wire/family.h"
#include "wire/field.h"
#include "wire/packet_known.h"

enum packet_fault {
	PACKET_OK,
	PACKET_SHORT,     /* the packet ends inside a header */
	PACKET_TYPE,      /* reserved pds.type or 0, or unknown bth.opcode */
	PACKET_NEXT_HDR,  /* next_hdr is reserved or not allowed for the type */
	PACKET_ENCRYPTED, /* a TSS header: ciphertext follows */
};

struct packet_format;

#define PACKET_SECTIONS 8

struct section {
	const struct header *h;
	uint16_t at; /* offset of its first byte in the packet */
};

struct packet {
	const uint8_t *p; /* lent: the bytes must outlive the struct */
	size_t len;
	struct section sec[PACKET_SECTIONS]; /* |nsec| sections */
	unsigned nsec;
	unsigned nses;  /* index of the first SES section; nsec if none */
	size_t payload; /* offset of the byte after the last complete header */
	enum packet_fault fault;
	/* PACKET_SHORT: the truncated header */
	const struct header *fault_header;
	const struct packet_format *format; /* the format that parsed it */
	/* lent: values that were read before; NULL: none */
	const struct packet_known *known;
};

/* packet_parse finds the sections of a packet with the format of its family. */
void packet_parse(enum family family, struct packet *ret, const uint8_t *p,
		  size_t len);

/*
 * packet_take adds a section.  If the header is not complete, it returns false
 * and sets a fault.
 */
bool packet_take(struct packet *pkt, const struct header *h);

/*
 * packet_fault_name returns the name of a fault: "ok", "short", ...  Static
 * storage.
 */
const char *packet_fault_name(enum packet_fault fault);

/*
 * packet_word returns the word that starts the packet's rung: "rud_req", "ack",
 * "cp", ...; "unknown" for a type without a name or fewer than 2 bytes.
 */
const char *packet_word(const struct packet *pkt);

/* packet_pad returns how many bytes at the end of the payload are padding. */
size_t packet_pad(const struct packet *pkt);

/* The position of a name: a field or a derived value of a section. */
struct packet_ref {
	unsigned sec;                  /* index into pkt->sec */
	const struct field *field;     /* NULL: a derived value */
	const struct derived *derived; /* NULL: a field */
};

/*
 * packet_find looks a name up in the sections [from, to) of a packet, fields
 * first, then derived values (among them sack_psn of an ACK_CC or ACK_CCX,
 * whose base cack_psn is in the ACK section before it).
 */
bool packet_find(const struct packet *pkt, unsigned from, unsigned to,
		 const char *name, size_t len, struct packet_ref *ret);

/* packet_get reads what packet_find found. */
uint64_t packet_get(const struct packet *pkt, const struct packet_ref *ref);

/*
 * packet_value_hashed reads a field or derived value by name from the whole
 * packet; |hash| is the field_name_hash of the name, 0 if it is empty.
 *
 * Return: true and *ret, or false if the packet has no such name.
 */
bool packet_value_hashed(const struct packet *pkt, const char *name, size_t len,
			 unsigned hash, uint64_t *ret);

static inline bool packet_value_of(const struct packet *pkt, const char *name,
				   size_t len, uint64_t *ret)
{
	const unsigned hash = len ? field_name_hash(name, len) : 0;

	return packet_value_hashed(pkt, name, len, hash, ret);
}

static inline bool packet_value_known(const struct packet_known *k, int name,
				      uint64_t *ret)
{
	if (!(k->has >> name & 1))
		return false;
	*ret = k->v[name];
	return true;
}

/* The compiler computes the place of a literal, or its length and hash. */
static inline __attribute__((always_inline)) bool
packet_value(const struct packet *pkt, const char *name, uint64_t *ret)
{
	const int known = packet_known_name(name);

	if (__builtin_constant_p(known) && known >= 0 && pkt->known)
		return packet_value_known(pkt->known, known, ret);
	return packet_value_of(pkt, name, strlen(name), ret);
}

/* packet_number does the same; 0 if the packet has no such name. */
static inline __attribute__((always_inline)) uint64_t
packet_number(const struct packet *pkt, const char *name)
{
	uint64_t value = 0;

	packet_value(pkt, name, &value);
	return value;
}

/* packet_section_value reads a field by name; the section must have it. */
uint64_t packet_section_value(const struct packet *pkt, unsigned sec,
			      const char *name);

/* One field of a packet to be built, by name. */
struct field_value {
	const char *name; /* field or derived value */
	uint64_t value;   /* SINT fields: sign-extended */
	/* the field is in the SES sections, not in the PDS sections */
	bool ses;
};

/* The packet that packet_build makes. */
struct packet_spec {
	const char *type; /* "rud_req", "cp", ... as returned by packet_word */
	const char *ses;  /* "std", "small", "medium", "response",
			     "response_data", "response_data_small" or NULL */
	/*
	 * "atomic", "cswap", "rendezvous" or NULL: extensions that the opcode
	 * does not require
	 */
	const char *ext[2];
	const struct field_value *set;
	size_t nset;
	const uint8_t *payload; /* lent; NULL: zero bytes */
	size_t payload_len;
	/* lent; NULL: none.  See packet_plans. */
	struct packet_plans *plans;
};

#define PACKET_PLANS     128 /* a power of 2 */
#define PACKET_PLAN_SETS 32

/* The places of the values that packet_build wrote into a packet. */
struct packet_plan {
	struct packet pkt; /* its sections; format NULL: there is no plan */
	uint64_t type;
	unsigned next;
	size_t nset;
	struct packet_ref ref[PACKET_PLAN_SETS];
	uint32_t ses; /* bit i: |ses| of set i */
};

/*
 * Plans of packets that were built, by the names of their sets.  A packet with
 * the same words and names, in the same order, is built without a search.  It
 * begins as zeros; only the builder reads and writes it.
 */
struct packet_plans {
	struct packet_plan v[PACKET_PLANS];
};

/*
 * A packet format: the properties that the functions of this header use.  Only
 * members whose comment says so may be NULL.
 */
struct packet_format {
	/*
	 * Finds the sections of |len| bytes without their trailer.  It always
	 * fills *ret, with a fault if the bytes do not parse.
	 */
	void (*parse)(struct packet *ret, const uint8_t *p, size_t len);

	/*
	 * packet_word for this format; and whether a rung may begin with
	 * |word|.
	 */
	const char *(*word)(const struct packet *pkt);
	bool (*is_word)(const char *word);

	/* The words of its packets in case files; NULL ends them. */
	const struct value_name *types;

	/* packet_layout_has and packet_build for this format. */
	bool (*has)(const char *type, const char *ses_word, bool ses,
		    const char *name, size_t len, const struct field **ret);
	int (*build)(uint8_t *p, size_t size, const struct packet_spec *spec,
		     int *ret_bad);

	/* packet_pad for this format.  NULL: it has no padding. */
	size_t (*pad)(const struct packet *pkt);

	/*
	 * The derived value whose base is in the section before it, the headers
	 * that have it, and that value in section |sec|.  NULL: there is none.
	 */
	const struct derived *across;
	bool (*has_across)(const struct header *h);
	uint64_t (*across_get)(const struct packet *pkt, unsigned sec);

	/*
	 * Returns true if a leading number with value |v| carries no
	 * information, so that it is not printed.  NULL: all are printed.
	 */
	bool (*is_idle)(const struct packet *pkt, const struct packet_ref *ref,
			uint64_t v);
};

/*
 * packet_build writes a packet.  pds.type and next_hdr follow from the words
 * unless a set names them; overlays (SYN, probe reply, nt, ctl_type, som,
 * opcode, hd, cc_type) follow from the values set.  Everything else that is not
 * set is 0.  Derived values are set after the plain fields.
 *
 * Shape:  |p| has room for |size| bytes.
 *
 * Return:
 * - the length
 * - ERR_SPACE
 * - ERR_SUPPORT no such type or SES word
 * - ERR_VALUE a value does not fit its field, or a name is not in the layout;
 *   *ret_bad (if not NULL) is then the index of the set that failed, or -1
 */
int packet_build(uint8_t *p, size_t size, const struct packet_spec *spec,
		 int *ret_bad);

/*
 * packet_layout_has returns true if some variant of the packets that begin with
 * |type| (and |ses|, or NULL) has a field or derived value |name| on the PDS
 * (ses = false) or SES side; the case parser uses it.  *ret (if not NULL) is
 * the field, or NULL for a derived value.
 */
bool packet_layout_has(const char *type, const char *ses_word, bool ses,
		       const char *name, size_t len, const struct field **ret);

/*
 * packet_format_of returns the format that has a word; the first format if none
 * has it.  Static storage.
 */
const struct packet_format *packet_format_of(const char *word);

enum packet_style {
	PACKET_BRIEF, /* for ladders: no ids, addresses, lengths */
	PACKET_FULL,  /* all non-zero fields, derived values for offsets */
};

/*
 * Maps the PSNs on the wire to the numbers of the figure for printing.  NULL:
 * no mapping.  |field| is the name of the field or derived value.
 */
struct packet_psn_names {
	uint32_t (*show)(const void *ctx, const struct packet *pkt,
			 const char *field, uint32_t psn);
	const void *ctx;
};

/*
 * packet_print appends the packet as a rung, without a newline: packet_build
 * makes the same headers from the words and values of a FULL print.
 *
 * ctl_type, nack_code and opcode print as the bare word after the header's
 * ("opcode=0x2a" if it has no name; BRIEF omits a response's usual opcode).
 * PSNs come next, even if zero; then fields in the order of the table.  Of data
 * only the length is printed; bytes after the last complete header print as "|
 * bytes 01 80"; a fault ends the line: "! short std".
 */
void packet_print(struct text *t, const struct packet *pkt,
		  enum packet_style style,
		  const struct packet_psn_names *names);

#endif
