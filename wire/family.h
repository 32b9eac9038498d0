/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/family.h -- the transports that rung knows, and their properties on the
 * wire.
 *
 * A datagram names its family with an enum family, an index into the registry
 * of each top folder: wire_families here, orc_families,
 * judge_families, suite_families and dissect_families.  Code reads a property
 * from the row of a family; it does not compare families.
 *
 * SRD and the WQE extension have no public format; rung uses its own reference
 * format for them (wire/ib/ib.h).
 */
#ifndef WIRE_FAMILY_H
#define WIRE_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All transports: a name for C, and the word that names its rows. */
#define FAMILY_LIST(X, arg)                                 \
	X(arg, UET, uet)   /* Ultra Ethernet Transport */   \
	X(arg, SRD, srd)   /* Scalable Reliable Datagram */ \
	X(arg, WQE, wqe)   /* RoCEv2 with the WQE header */ \
	X(arg, ROCE, roce) /* plain RoCEv2 */

/*
 * The family's pointer in a registry whose rows are named |prefix|uet and so
 * on.
 */
#define FAMILY_ROW(prefix, id, name) &prefix##name,

#define FAMILY_ENUM(arg, id, name) FAMILY_##id,
enum family {
	FAMILY_LIST(FAMILY_ENUM, ) FAMILIES,
	FAMILIES_MOST = 8, /* most rows of a registry */
};
#undef FAMILY_ENUM

/*
 * The family of a datagram that names none (0).  Frames go to its UDP port
 * unless they name another.  It is the only one with a form without UDP, and
 * the judge's fast path takes its packets.
 */
#define MAIN_FAMILY FAMILY_UET

/* The trailers of a packet. */
enum family_seal {
	SEAL_NONE,
	SEAL_CRC32C,  /* the CRC of UET 3.5.25, if the link uses it */
	SEAL_ICRC,    /* the invariant CRC; IP fields as a socket sets them */
	SEAL_ICRC_IP, /* the invariant CRC; IP fields as sent */
};

struct packet_format;

/* A transport on the wire. */
struct wire_family {
	const char *name; /* a word of case files, and of Wireshark filters */
	uint16_t port;    /* the UDP port to which its packets go */
	const struct packet_format *format; /* wire/packet.h */
	enum family_seal seal;
	uint32_t psn_mask; /* mask of the PSN's bits on the wire */
};

/* The rows, by enum family; wire/families.c. */
extern const struct wire_family *const wire_families[];
extern const unsigned wire_nfamilies;

/*
 * family_name returns "uet", "srd", "wqe" or "roce", the words of case files.
 */
const char *family_name(enum family family);

/* family_port returns the UDP destination port of its packets. */
uint16_t family_port(enum family family);

/* family_has_icrc returns true if its packets always end in an ICRC. */
bool family_has_icrc(enum family family);

/*
 * family_find finds a family by name.
 *
 * Return: 0, or ERR_VALUE if no family has that name.
 */
int family_find(const char *name, size_t len, enum family *ret);

/*
 * family_of_port finds a family by its UDP port.
 * Return: false if none has it.
 */
bool family_of_port(uint16_t port, enum family *ret);

#endif
