/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_known.c -- reads the values of a packet that many readers ask
 * for.
 */
#include "wire/packet_known.h"

#include "wire/packet_layout.h"

_Static_assert(KNOWN_COUNT <= PACKET_NAMES, "packet_values reads them all");

static const char *const known_names[KNOWN_COUNT] = {
#define KNOWN(name) #name,
	PACKET_KNOWN(KNOWN)
#undef KNOWN
};

const char *packet_known_word(enum packet_name name)
{
	return known_names[name];
}

void packet_know(const struct packet *pkt, struct packet_known *ret)
{
	/* where the names are, in packets that the thread met before */
	static _Thread_local struct packet_layouts layouts;

	ret->has =
		packet_values(&layouts, known_names, KNOWN_COUNT, pkt, ret->v);
}
