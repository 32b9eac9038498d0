/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/ib/icrc.h -- the invariant CRC at the end of every packet of RoCEv2, SRD
 * and the WQE extension.
 *
 * CRC-32 over 8 bytes of ones, the IP header, the UDP header and the packet.
 * Fields that routers change count as ones: type of service, TTL and header
 * checksum (IPv6: traffic class, flow label, hop limit), the UDP checksum, and
 * the byte of FECN and BECN.  Its least significant byte comes first.
 *
 * Spec: InfiniBand 1 annex A17 (srd_wqe.md B.3, A.4.7)
 */
#ifndef WIRE_IB_ICRC_H
#define WIRE_IB_ICRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/dgram.h"

#define ICRC_LEN 4

/* The covered IPv4 fields besides addresses and length. */
struct icrc_ip {
	uint16_t id;
	bool df;
};

/*
 * The IP header of a socket without fragmentation: id 0, DF set.  A receiver
 * that cannot see the IP header has to assume it.
 */
extern const struct icrc_ip icrc_socket;

/* The IP header that a receiver assumes for the ICRC (srd_wqe.md A.4.7). */
enum icrc_mode {
	ICRC_SOCK,   /* a socket's header, always */
	ICRC_STRICT, /* the header on the wire, if the receiver saw it */
	ICRC_OFF,    /* the ICRC is present but not checked */
};

/* icrc_seen returns the IP header that |mode| assumes for |d|. */
struct icrc_ip icrc_seen(const struct dgram *d, enum icrc_mode mode);

/*
 * icrc_over returns the ICRC of |len| bytes at |p|, from BTH to pad, for a
 * packet with the addresses and the entropy of |d| to UDP port |dport|.
 */
uint32_t icrc_over(const struct dgram *d, const uint8_t *p, size_t len,
		   uint16_t dport, const struct icrc_ip *ip);

/*
 * icrc_append appends the ICRC.
 *
 * Errors:
 * - ERR_SPACE DGRAM_MAX would be exceeded
 * - ERR_VALUE the BTH is truncated
 */
int icrc_append(struct dgram *d, uint16_t dport, const struct icrc_ip *ip);

/*
 * icrc_check returns true if the last 4 of |len| bytes are the ICRC of the
 * bytes before; false if there are fewer than a BTH and an ICRC.
 */
bool icrc_check(const struct dgram *d, const uint8_t *p, size_t len,
		uint16_t dport, const struct icrc_ip *ip);

#endif
