/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/stock.h -- frames in memory, ready to be sent or written again and again.
 *
 * They come from a case's run or from a capture.  Each is kept as it was, with
 * what was found in it.
 */
#ifndef GEN_STOCK_H
#define GEN_STOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "wire/crc.h"
#include "wire/frame.h"

struct stock_frame {
	size_t at;    /* of its bytes in stock->bytes */
	uint32_t len; /* without FCS */
	vtime when;   /* as it was seen */
	enum frame_link link;
	struct frame_info info; /* fault FRAME_OK: a packet is in it */
	struct dgram_head {
		struct ip_addr src, dst;
		uint16_t entropy;
		uint8_t native;
	} head;
	bool crc; /* it ends in a CRC, which is right, in this order: */
	enum crc_order order;
};

/* Zero but for |conf| is empty; stock_free frees what it holds. */
struct stock {
	struct frame_conf conf; /* how packets are told from others */
	struct stock_frame *frames;
	size_t n, size;
	uint8_t *bytes;
	size_t nbytes, bytes_size;
};

/*
 * stock_add appends a copy of a frame.  A CRC behind the packet is taken for
 * one if it is right, in either order.
 * Errors: ERR_NOMEM.
 */
int stock_add(struct stock *s, enum frame_link link, const uint8_t *p,
	      size_t len, vtime when);

/*
 * stock_add_dgram appends a datagram as an Ethernet frame, with the CRC that
 * d->crc names.
 * Errors: ERR_NOMEM; ERR_SPACE, ERR_VALUE as crc_seal and frame_build.
 */
int stock_add_dgram(struct stock *s, const struct dgram *d,
		    enum crc_order order, vtime when);

void stock_free(struct stock *s);

/* stock_packet_len is how many bytes of packet a frame holds, without CRC. */
size_t stock_packet_len(const struct stock_frame *f);

#endif
