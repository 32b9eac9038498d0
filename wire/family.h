/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/family.h -- the transports that we know, as datagrams name them.
 *
 * A family has a UDP port of its own and tables of its own.  SRD and the WQE
 * extension have no public format: theirs is this project's reference
 * (wire/ib.h).
 */
#ifndef WIRE_FAMILY_H
#define WIRE_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum family {
	FAMILY_UET,  /* Ultra Ethernet Transport */
	FAMILY_SRD,  /* Scalable Reliable Datagram */
	FAMILY_WQE,  /* RoCEv2 with the WQE extension header */
	FAMILY_ROCE, /* plain RoCEv2 */
	FAMILIES,
};

/* family_is_rc says that it has connections, as the WQE extension has. */
static inline bool family_is_rc(enum family family)
{
	return family == FAMILY_WQE || family == FAMILY_ROCE;
}

/* family_name is "uet", "srd", "wqe" or "roce": a word of case files. */
const char *family_name(enum family family);

/* family_port is the UDP port to which its packets go. */
uint16_t family_port(enum family family);

/*
 * family_find finds a family by name.
 * Return: 0, or ERR_VALUE if there is none of that name.
 */
int family_find(const char *name, size_t len, enum family *ret);

struct packet;

/*
 * family_parse finds the sections of a packet with its family's tables, as
 * packet_parse and ib_packet_parse do.
 */
void family_parse(enum family family, struct packet *ret, const uint8_t *p,
		  size_t len);

#endif
