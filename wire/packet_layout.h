/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_layout.h -- reads many fields of a packet by name.
 *
 * Packets have few combinations of headers.  The places of all names of a list
 * are found once for each combination, and not for each packet.
 */
#ifndef WIRE_PACKET_LAYOUT_H
#define WIRE_PACKET_LAYOUT_H

#include <stdint.h>

#include "wire/packet.h"

#define PACKET_NAMES   64 /* names of a list, at most */
#define PACKET_LAYOUTS 64 /* combinations of headers that are remembered */

/* The place of a name that packets of a combination of headers have. */
struct packet_place {
	uint8_t name;  /* its index in the list */
	bool plain;    /* a field without a sign: the next two are set */
	uint8_t width; /* its bits */
	uint16_t at;   /* its first bit, from that of its section */
	struct packet_ref ref;
};

/* The places of the names in packets of one combination of headers. */
struct packet_layout {
	const struct packet_format *format; /* NULL: the entry is free */
	const struct header *h[PACKET_SECTIONS];
	unsigned nsec;
	unsigned n;   /* names that such a packet has */
	uint64_t has; /* bit i: it has names[i] */
	struct packet_place at[PACKET_NAMES];
};

/* The combinations that were met, for one list of names; begins as zeros. */
struct packet_layouts {
	struct packet_layout v[PACKET_LAYOUTS];
};

/*
 * packet_values reads |n| fields or derived values of a packet.  ret[i] is the
 * value of names[i], or 0 if the packet has no such name.  |known| always gets
 * the same list.
 *
 * Return: bit i is set if the packet has names[i].
 */
uint64_t packet_values(struct packet_layouts *known, const char *const *names,
		       unsigned n, const struct packet *pkt, uint64_t *ret);

#endif
