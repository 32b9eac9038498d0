/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/field.h -- a header layout is written once, as a list.
 *
 * Each header is an X-macro list of rows that tile it bit by bit, reserved bits
 * included:
 *
 *	#define PDS_ACK(F)                                      \
 *              F(pds_ack, u8,  type, ENUM, 0, 5, pds_types)    \
 *              ...
 *
 * HEADER_DECLARE(pds_ack, PDS_ACK, 12) in a header file makes
 *	struct pds_ack                          a host struct
 *	pds_ack_get(&ack, bytes)                straight-line code, no table
 *	pds_ack_put(&ack, bytes)
 *
 * and HEADER_DEFINE(pds_ack, PDS_ACK, 12, "ack", spec) in a source file
 *	const struct header pds_ack_header      the table
 *
 * The hot path (oracle, monitors) uses get and put.  Everything that works with
 * fields by name (printing, matching, corrupting one field, the words of case
 * files, JSON, Wireshark) reads the table.  Both come from the same rows.
 *
 * Bits are numbered from the header's most significant bit: bit 0 is the first
 * on the wire.
 */
#ifndef WIRE_FIELD_H
#define WIRE_FIELD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum field_kind {
	FIELD_UINT, /* a quantity; printed in decimal */
	FIELD_SINT, /* a signed quantity, two's complement */
	FIELD_ID,   /* an identifier; printed in hex */
	FIELD_FLAG, /* one bit; printed by name when set */
	FIELD_ENUM, /* a value with named codes */
	FIELD_SEQ,  /* a serial number of 24 or 32 bits, with a base */
	FIELD_RSVD, /* reserved: sent as zero unless a case sets it */
};

/* A named value of a FIELD_ENUM.  A NULL name ends an array of them. */
struct value_name {
	uint64_t value;
	const char *name; /* a word of the case language: [a-z0-9_]+ */
};

/* How packet_print shows a field; this depends only on its name. */
enum field_show {
	SHOW_REST,   /* after the leading fields, if it is not zero */
	SHOW_FULL,   /* like SHOW_REST, but only in PACKET_FULL */
	SHOW_NEXT,   /* next_hdr: implied by the words */
	SHOW_RETURN, /* return_code: omitted if it is RC_OK */
	/* pad: omitted if it rounds the payload up to a multiple of 4 bytes */
	SHOW_PAD,
	SHOW_NEVER, /* implied by another word or a sum */
	SHOW_BARE,  /* its value is a bare word after the header's word */
	SHOW_LEAD,  /* SHOW_LEAD to SHOW_LEADS: printed first, in this order */
	SHOW_SACK = SHOW_LEAD + 8,
	SHOW_LEADS = SHOW_LEAD + 10,
};

#define SHOW_IS(name, word) (!__builtin_strcmp(name, word))

/* clang-format off */
#define SHOW_OF(n)							\
	(SHOW_IS(n, "psn") ? SHOW_LEAD :				\
	 SHOW_IS(n, "clear_psn") ? SHOW_LEAD + 1 :			\
	 SHOW_IS(n, "start_psn") ? SHOW_LEAD + 2 :			\
	 SHOW_IS(n, "ack_psn") ? SHOW_LEAD + 3 :			\
	 SHOW_IS(n, "cack_psn") ? SHOW_LEAD + 4 :			\
	 SHOW_IS(n, "nack_psn") ? SHOW_LEAD + 5 :			\
	 SHOW_IS(n, "nack_pkt_id") ? SHOW_LEAD + 6 :			\
	 SHOW_IS(n, "pkt_id") ? SHOW_LEAD + 7 :				\
	 SHOW_IS(n, "sack_psn") ? SHOW_SACK :				\
	 SHOW_IS(n, "cack") ? SHOW_LEAD + 9 :				\
	 SHOW_IS(n, "lup") ? SHOW_LEAD + 10 :				\
	 SHOW_IS(n, "ctl_type") || SHOW_IS(n, "nack_code") ||		\
	 SHOW_IS(n, "opcode") ? SHOW_BARE :				\
	 SHOW_IS(n, "type") || SHOW_IS(n, "clear_psn_offset") ||	\
	 SHOW_IS(n, "psn_offset") || SHOW_IS(n, "ack_psn_offset") ||	\
	 SHOW_IS(n, "sack_psn_offset") ? SHOW_NEVER :			\
	 SHOW_IS(n, "next_hdr") ? SHOW_NEXT :				\
	 SHOW_IS(n, "return_code") ? SHOW_RETURN :			\
	 SHOW_IS(n, "pad") ? SHOW_PAD :					\
	 SHOW_IS(n, "spdcid") || SHOW_IS(n, "dpdcid") ||		\
	 SHOW_IS(n, "pdc_info") || SHOW_IS(n, "job_id") ||		\
	 SHOW_IS(n, "pid_on_fep") || SHOW_IS(n, "resource_index") ||	\
	 SHOW_IS(n, "ri_generation") || SHOW_IS(n, "initiator") ||	\
	 SHOW_IS(n, "match_bits") || SHOW_IS(n, "buffer_offset") ||	\
	 SHOW_IS(n, "header_data") || SHOW_IS(n, "version") ||		\
	 SHOW_IS(n, "request_length") || SHOW_IS(n, "payload_length") || \
	 SHOW_IS(n, "message_offset") || SHOW_IS(n, "modified_length") || \
	 SHOW_IS(n, "ack_ccx_state_hi") || SHOW_IS(n, "pkey") ||	\
	 SHOW_IS(n, "ver") || SHOW_IS(n, "rkey") || SHOW_IS(n, "va") ||	\
	 SHOW_IS(n, "qkey") || SHOW_IS(n, "src_qp") ||			\
	 SHOW_IS(n, "dest_qp") ||					\
	 SHOW_IS(n, "ack_ccx_state_lo") ? SHOW_FULL : SHOW_REST)
/* clang-format on */

struct field {
	const char *name; /* a word, unique in its header: [a-z0-9_]+ */
	enum field_kind kind;
	uint16_t at;                    /* first bit, from the header's MSB */
	uint8_t width;                  /* bits, 1..64 */
	const struct value_name *names; /* FIELD_ENUM only, else NULL */
	uint8_t show;                   /* enum field_show */
	uint8_t name_len;               /* characters of |name| */
};

/*
 * A value that is not on the wire but in the specifications: clear_psn = psn +
 * clear_psn_offset.  sign is +1, or -1 for start_psn = psn - psn_offset.
 * Arithmetic is modulo 2^32.
 */
struct derived {
	const char *name; /* for example "clear_psn" */
	const char *base; /* for example "psn" */
	const char *offset;
	int sign;
	/* characters of names, and their field_name_hash */
	uint8_t base_len, offset_len, name_hash, base_hash, offset_hash;
};

/* The row of a derived value, whose names are literals. */
#define DERIVED_ROW(name, base, offset, sign)                    \
	{                                                        \
		name, base, offset, sign, sizeof(base) - 1,      \
			sizeof(offset) - 1, LITERAL_HASH(name),  \
			LITERAL_HASH(base), LITERAL_HASH(offset) \
	}

struct header {
	/* for example "ack": the word in case files and filters */
	const char *name;
	const char *spec; /* table and clause that define it */
	size_t len;       /* bytes on the wire */
	const struct field *fields;
	size_t nfields;
	const struct derived *derived;
	size_t nderived;
	/* the FIELD_NAME_HASH of each field; NULL in a table without them */
	const uint8_t *name_hashes;
	uint64_t name_set; /* bit n: some field has the hash n */
	/*
	 * Slot n: 1 + the index of the field with the hash n that was sought
	 * last, 0 if none was; any thread may set it.  NULL with name_hashes.
	 */
	_Atomic uint8_t *name_slots;
};

/* Returns 0 to 63, by the ends and the length of a name. */
#define FIELD_NAME_HASH(first, last, len) \
	(((unsigned)(first)*5 + (unsigned)(last)*11 + (unsigned)(len)*3) % 64)

/* Returns the hash of a name that is a literal. */
#define LITERAL_HASH(name) \
	FIELD_NAME_HASH((name)[0], (name)[sizeof(name) - 2], sizeof(name) - 1)

/* Returns the hash of a name of |len| characters, at least one. */
static inline unsigned field_name_hash(const char *name, size_t len)
{
	return FIELD_NAME_HASH(name[0], name[len - 1], len);
}

/* Returns true if no field of the header has a name with this hash. */
static inline bool header_lacks(const struct header *h, unsigned hash)
{
	return h->name_hashes && !(h->name_set >> hash & 1);
}

/* Words of the program that are equal often are one string: compares it first.
 */
static inline bool field_has_name(const struct field *f, const char *name,
				  size_t len)
{
	return f->name_len == len &&
	       (f->name == name || memcmp(f->name, name, len) == 0);
}

static inline __attribute__((always_inline)) uint64_t get_be16(const uint8_t *p)
{
	return (uint64_t)p[0] << 8 | p[1];
}

static inline __attribute__((always_inline)) uint64_t get_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static inline __attribute__((always_inline)) uint64_t get_be64(const uint8_t *p)
{
	return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 |
	       (uint64_t)p[2] << 40 | (uint64_t)p[3] << 32 |
	       (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
	       (uint64_t)p[6] << 8 | p[7];
}

/* Loads 1 to 8 whole bytes in as few loads as possible. */
static inline __attribute__((always_inline)) uint64_t
bytes_get(const uint8_t *p, unsigned n)
{
	switch (n) {
	case 1:
		return p[0];
	case 2:
		return get_be16(p);
	case 3:
		return get_be16(p) << 8 | p[2];
	case 4:
		return get_be32(p);
	case 5:
		return get_be32(p) << 8 | p[4];
	case 6:
		return get_be32(p) << 16 | get_be16(p + 4);
	case 7:
		return get_be32(p) << 24 | get_be16(p + 4) << 8 | p[6];
	default:
		return get_be64(p);
	}
}

/*
 * bits_get reads |width| bits at bit |at| of |p|, most significant first.  With
 * constant arguments, as the generated accessors call it, it folds to a load,
 * a byte swap, a shift and a mask.
 */
static inline __attribute__((always_inline)) uint64_t
bits_get(const uint8_t *p, unsigned at, unsigned width)
{
	const unsigned first = at / 8, last = (at + width - 1) / 8;
	uint64_t v = bytes_get(p + first, last - first + 1);

	/* nine bytes: 64 bits that start inside a byte */
	if (last - first == 8)
		v = v << ((at + width - 1) % 8 + 1) |
		    p[last] >> (7 - (at + width - 1) % 8);
	else
		v >>= 7 - (at + width - 1) % 8;
	return width == 64 ? v : v & (((uint64_t)1 << width) - 1);
}

static inline __attribute__((always_inline)) void put_be16(uint8_t *p,
							   uint64_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline __attribute__((always_inline)) void put_be32(uint8_t *p,
							   uint64_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

/* Stores bits at any position, byte by byte from the last. */
static inline __attribute__((always_inline)) void
bits_put_any(uint8_t *p, unsigned at, unsigned width, uint64_t v)
{
	unsigned left = width;

	while (left) {
		const unsigned end = at + left; /* one past the last bit */
		const unsigned byte = (end - 1) / 8, low = (8 - end % 8) % 8;
		const unsigned here = left < 8 - low ? left : 8 - low;
		const unsigned mask = ((1u << here) - 1) << low;

		p[byte] = (uint8_t)((p[byte] & ~mask) |
				    ((unsigned)(v << low) & mask));
		v >>= here;
		left -= here;
	}
}

/*
 * bits_put writes |width| bits.  It ignores higher bits of |v| and keeps the
 * neighbouring bits.  Whole bytes, the usual case, become one byte-swapped
 * store.
 */
static inline __attribute__((always_inline)) void
bits_put(uint8_t *p, unsigned at, unsigned width, uint64_t v)
{
	uint8_t *q = p + at / 8;

	switch (at % 8 ? 0 : width) {
	case 8:
		q[0] = (uint8_t)v;
		break;
	case 16:
		put_be16(q, v);
		break;
	case 24:
		q[0] = (uint8_t)(v >> 16);
		put_be16(q + 1, v);
		break;
	case 32:
		put_be32(q, v);
		break;
	case 48:
		put_be16(q, v >> 32);
		put_be32(q + 2, v);
		break;
	case 64:
		put_be32(q, v >> 32);
		put_be32(q + 4, v);
		break;
	default:
		bits_put_any(p, at, width, v);
	}
}

/* Host types of a row. */
typedef uint8_t field_u8;
typedef uint16_t field_u16;
typedef uint32_t field_u32;
typedef uint64_t field_u64;
typedef int16_t field_s16;

/* The three expansions of a row. */
#define FIELD_MEMBER(h, type, member, kind, at, width, names) \
	field_##type member;
#define FIELD_GET(h, type, member, kind, at, width, names) \
	ret->member = (field_##type)bits_get(p, at, width);
#define FIELD_PUT(h, type, member, kind, at, width, names) \
	bits_put(p, at, width, (uint64_t)src->member);
#define FIELD_ROW(h, type, member, kind, at, width, names)       \
	{#member,          FIELD_##kind,       at, width, names, \
	 SHOW_OF(#member), sizeof(#member) - 1},
#define FIELD_ROW_HASH(h, type, member, kind, at, width, names) \
	LITERAL_HASH(#member),

#define FIELD_ROW_BIT(h, type, member, kind, at, width, names) \
	| (uint64_t)1 << LITERAL_HASH(#member)

/* An inlined getter loads only the members that its caller uses. */
#define FIELD_FOLD __attribute__((always_inline))

#define HEADER_DECLARE(h, LIST, bytes)                                         \
	struct h {                                                             \
		LIST(FIELD_MEMBER)                                             \
	};                                                                     \
	enum { h##_len = (bytes) };                                            \
	extern const struct header h##_header;                                 \
	static inline FIELD_FOLD void h##_get(struct h *ret, const uint8_t *p) \
	{                                                                      \
		LIST(FIELD_GET)                                                \
	}                                                                      \
	static inline void h##_put(const struct h *src, uint8_t *p)            \
	{                                                                      \
		LIST(FIELD_PUT)                                                \
	}

/* The fields of a header, and the tables by which they are found by name. */
#define HEADER_FIELDS(h, LIST)                                      \
	static _Atomic uint8_t h##_slots[64];                       \
	static const uint8_t h##_hashes[] = {LIST(FIELD_ROW_HASH)}; \
	static const struct field h##_fields[] = {LIST(FIELD_ROW)}

#define HEADER_DEFINE_DERIVED(h, LIST, word, clause, list)             \
	HEADER_FIELDS(h, LIST);                                        \
	const struct header h##_header = {                             \
		.name = word,                                          \
		.spec = clause,                                        \
		.len = h##_len,                                        \
		.fields = h##_fields,                                  \
		.nfields = sizeof(h##_fields) / sizeof(h##_fields[0]), \
		.derived = list,                                       \
		.nderived = sizeof(list) / sizeof((list)[0]),          \
		.name_hashes = h##_hashes,                             \
		.name_set = 0 LIST(FIELD_ROW_BIT),                     \
		.name_slots = h##_slots,                               \
	}

#define HEADER_DEFINE(h, LIST, word, clause)                           \
	HEADER_FIELDS(h, LIST);                                        \
	const struct header h##_header = {                             \
		.name = word,                                          \
		.spec = clause,                                        \
		.len = h##_len,                                        \
		.fields = h##_fields,                                  \
		.nfields = sizeof(h##_fields) / sizeof(h##_fields[0]), \
		.name_hashes = h##_hashes,                             \
		.name_set = 0 LIST(FIELD_ROW_BIT),                     \
		.name_slots = h##_slots,                               \
	}

/* field_get reads a field from the header bytes; a SINT is sign-extended. */
uint64_t field_get(const struct field *f, const uint8_t *p);

/* field_set writes a field into the header bytes; it ignores higher bits. */
void field_set(const struct field *f, uint8_t *p, uint64_t value);

/*
 * field_fits returns true if |value| can be written without loss; a SINT takes
 * its sign-extended range.
 */
int field_fits(const struct field *f, uint64_t value);

/* header_field finds a field by name; NULL if there is none. */
const struct field *header_field(const struct header *h, const char *name,
				 size_t len);

/* header_field_search is header_field_hashed without the slots. */
const struct field *header_field_search(const struct header *h,
					const char *name, size_t len,
					unsigned hash);

/*
 * header_field_hashed does the same for a name that is not empty; |hash| is its
 * field_name_hash.
 */
static inline const struct field *header_field_hashed(const struct header *h,
						      const char *name,
						      size_t len, unsigned hash)
{
	if (header_lacks(h, hash))
		return NULL;
	if (h->name_slots) {
		const uint8_t slot = atomic_load_explicit(&h->name_slots[hash],
							  memory_order_relaxed);

		if (slot && field_has_name(&h->fields[slot - 1], name, len))
			return &h->fields[slot - 1];
	}
	return header_field_search(h, name, len, hash);
}

/* header_derived finds a derived value by name; NULL if there is none. */
const struct derived *header_derived(const struct header *h, const char *name,
				     size_t len);

/* derived_get computes a derived value of a header's bytes. */
uint32_t derived_get(const struct header *h, const struct derived *d,
		     const uint8_t *p);

/*
 * derived_set writes the offset field so that the derived value is |value|; the
 * base field must already be set.
 *
 * Return: 0, or ERR_VALUE if the offset field cannot hold the distance.
 */
int derived_set(const struct header *h, const struct derived *d, uint8_t *p,
		uint32_t value);

/* value_find returns the name of a value, or NULL if it has none. */
const char *value_find(const struct value_name *names, uint64_t value);

/*
 * value_parse finds a value by name.
 *
 * Return: 0, or ERR_VALUE if there is no such name.
 */
int value_parse(const struct value_name *names, const char *name, size_t len,
		uint64_t *ret);

/*
 * header_check verifies that a table describes its header: fields are in order
 * and tile it without gap or overlap, names are unique and words, kinds and
 * widths agree, and derived values name fields that exist.
 *
 * Return: NULL, or a static text that names the fault.
 */
const char *header_check(const struct header *h);

#endif
