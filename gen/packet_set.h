/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/packet_set.h -- frames in memory that can be sent or written repeatedly.
 *
 * They come from a case's run or from a capture.  Each is kept unchanged, with
 * the headers that were found in it.
 */
#ifndef GEN_PACKET_SET_H
#define GEN_PACKET_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "wire/frame/crc.h"
#include "wire/frame/frame.h"

struct packet_set_frame {
	size_t at;    /* offset of its bytes in |bytes| */
	uint32_t len; /* length without FCS */
	vtime when;   /* time of capture */
	enum frame_link link;
	struct frame_info info; /* FRAME_OK: the frame contains a packet */
	struct dgram_head {
		struct ip_addr src, dst;
		uint16_t entropy;
		uint8_t native;
	} head;
	bool crc; /* the packet ends in a correct CRC */
	enum crc_order order;
};

/*
 * A set that is zero except for |conf| is empty; packet_set_free frees its
 * memory.
 */
struct packet_set {
	struct frame_conf conf; /* how packets are recognised */
	struct packet_set_frame *frames;
	size_t n, size;
	uint8_t *bytes;
	size_t nbytes, bytes_size;
};

/*
 * packet_set_add appends a copy of a frame.  The last 4 bytes of the packet
 * count as a CRC if they are correct in either byte order.
 *
 * Errors: ERR_NOMEM.
 */
int packet_set_add(struct packet_set *s, enum frame_link link, const uint8_t *p,
		   size_t len, vtime when);

/*
 * packet_set_add_dgram appends a datagram as an Ethernet frame, with the CRC
 * that d->crc names.
 *
 * Errors:
 * - ERR_NOMEM
 * - ERR_SPACE, ERR_VALUE: as crc_seal and frame_build
 */
int packet_set_add_dgram(struct packet_set *s, const struct dgram *d,
			 enum crc_order order, vtime when);

void packet_set_free(struct packet_set *s);

/*
 * packet_set_packet_len returns how many bytes of packet a frame holds, without
 * CRC.
 */
size_t packet_set_packet_len(const struct packet_set_frame *f);

#endif
