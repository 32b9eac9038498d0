/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/dgram.h -- one datagram, as it crosses a link.
 *
 * Shape:  |data| holds |len| bytes in network order.  UET: from the first byte
 *         after the UDP header (or the entropy header), that is TSS or PDS
 *         header, SES header, payload, and the CRC trailer if present.  Other
 *         families: from the BTH to the pad, and the ICRC.
 *
 * Owner:  the holder of the struct; passing it by const pointer lends it for
 * the duration of the call.
 */
#ifndef WIRE_DGRAM_H
#define WIRE_DGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "wire/addr.h"
#include "wire/family.h"

#define DGRAM_MAX 9216 /* bytes of a jumbo frame, with a reserve */

#define UET_UDP_PORT 4793
#define UET_IP_PROTO 253 /* experimental number; none is assigned */

enum ecn {
	ECN_NOT_ECT = 0,
	ECN_ECT1 = 1,
	ECN_ECT0 = 2,
	ECN_CE = 3,
};

/* State of a CRC trailer that is not in |data|. */
enum dgram_crc {
	DGRAM_CRC_NONE, /* there is none, or it was not checked */
	DGRAM_CRC_RIGHT,
	DGRAM_CRC_SWAPPED, /* correct in the other byte order */
	DGRAM_CRC_WRONG,   /* received, and still part of |data| */
};

/* Extension headers between the IPv6 header and UDP or the entropy header. */
enum dgram_ext {
	DGRAM_EXT_NONE,
	DGRAM_EXT_HOP_BY_HOP,
	DGRAM_EXT_DEST_OPTIONS,
	DGRAM_EXT_BOTH,     /* hop-by-hop options, then destination options */
	DGRAM_EXT_FRAGMENT, /* a Fragment header before a whole packet */
};

struct dgram {
	struct ip_addr src, dst;
	uint16_t entropy; /* UDP source port, or the entropy header's value */
	uint8_t dscp;     /* 0..63 */
	uint8_t ecn;      /* enum ecn */
	uint8_t native;   /* 1: IP with an entropy header, 0: UDP */
	uint8_t crc;      /* enum dgram_crc, between crc_open and crc_seal */
	uint8_t family;   /* enum family of the packet */
	/* Wrong values of the outer headers; 0: the right value. */
	uint16_t udp_length, udp_checksum, udp_dport;
	uint16_t ip_id;   /* IPv4 identification of a received datagram */
	uint8_t ip_proto; /* IP protocol of the native form */
	uint8_t no_df;    /* 1: IPv4 without DF */
	uint8_t padding;  /* bytes of the frame after the IP packet */
	uint8_t ext;      /* enum dgram_ext, over IPv6 */
	/* 1: the receiver saw the outer headers; a socket hides them */
	uint8_t headers;
	uint8_t id_known; /* 1: |ip_id| is known */
	size_t len;
	uint8_t data[DGRAM_MAX];
};

/* dgram_plain sets the outer headers to the right values. */
static inline void dgram_plain(struct dgram *d)
{
	d->udp_length = d->udp_checksum = d->udp_dport = d->ip_id = 0;
	d->ip_proto = d->no_df = d->padding = d->headers = 0;
	d->ext = d->id_known = 0;
}

/*
 * dgram_misaddressed returns true if the datagram came to another port than the
 * family's, or with another protocol.
 */
static inline bool dgram_misaddressed(const struct dgram *d)
{
	return d->udp_dport || d->ip_proto;
}

/* dgram_copy copies the head and the |len| bytes of data. */
static inline void dgram_copy(struct dgram *dst, const struct dgram *src)
{
	memcpy(dst, src, offsetof(struct dgram, data) + src->len);
}

#endif
