/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/icrc.h -- the invariant CRC behind every RoCEv2 packet, and behind those
 * of SRD and the WQE extension.
 *
 * CRC-32 over 8 bytes of ones, the IP header, the UDP header and the packet,
 * with what changes on the way set to ones: type of service, TTL and header
 * checksum (IPv6: traffic class, flow label, hop limit), the UDP checksum, and
 * the byte of FECN and BECN.  Its least significant byte comes first.
 *
 * Spec: InfiniBand 1 annex A17 (srd_wqe.md B.3, A.4.7)
 */
#ifndef WIRE_ICRC_H
#define WIRE_ICRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/dgram.h"

#define ICRC_LEN 4

/* What the IPv4 header has besides addresses and length. */
struct icrc_ip {
	uint16_t id;
	bool df;
};

/*
 * What a socket sends that does not fragment: id 0, DF set.  A receiver that
 * cannot see the IP header has to take it so.
 */
extern const struct icrc_ip icrc_socket;

/* What a receiver takes for the IP header of a packet (srd_wqe.md A.4.7). */
enum icrc_mode {
	ICRC_SOCK,   /* a socket's, whatever it was */
	ICRC_STRICT, /* the one that it had, if that was seen */
	ICRC_OFF,    /* the ICRC is there, and nobody looks at it */
};

/* icrc_seen is the IP header to check |d| with, which |mode| asks for. */
struct icrc_ip icrc_seen(const struct dgram *d, enum icrc_mode mode);

/*
 * icrc_over is the ICRC of |len| bytes at |p|, from BTH to pad, which a packet
 * with the addresses and the entropy of |d| carries to UDP port |dport|.
 */
uint32_t icrc_over(const struct dgram *d, const uint8_t *p, size_t len,
		   uint16_t dport, const struct icrc_ip *ip);

/*
 * icrc_append adds it.  Errors: ERR_SPACE DGRAM_MAX would be passed; ERR_VALUE
 * there is no whole BTH.
 */
int icrc_append(struct dgram *d, uint16_t dport, const struct icrc_ip *ip);

/*
 * icrc_check says whether the last 4 of such |len| bytes are the ICRC of what
 * is before; not of fewer than have room for a BTH.
 */
bool icrc_check(const struct dgram *d, const uint8_t *p, size_t len,
		uint16_t dport, const struct icrc_ip *ip);

#endif
