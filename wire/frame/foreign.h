/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/foreign.h -- headers with other sizes than those of the tables.
 *
 * Some implementations end ACK_CCX and NACK_CCX 8 bytes earlier, and use 12
 * bits of payload_length.  A packet does not show which size it has, so the
 * caller states it, and the packets are converted to the sizes of the tables.
 */
#ifndef WIRE_FRAME_FOREIGN_H
#define WIRE_FRAME_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FOREIGN_MORE 8 /* bytes by which a packet may grow */

struct foreign {
	bool ack_ccx;  /* ACK_CCX has 32 bytes, not 40 */
	bool nack_ccx; /* NACK_CCX has 24 bytes, not 32 */
	/* payload_length of return data has 12 bits, not 14 */
	bool payload_length;
};

/*
 * foreign_read parses "ack_ccx=32,nack_ccx=24,payload_length=12", each word at
 * most once; a word with the size of the tables changes nothing.
 *
 * Return: false if the text is malformed.
 */
bool foreign_read(struct foreign *ret, const char *text);

static inline bool foreign_any(const struct foreign *f)
{
	return f->ack_ccx || f->nack_ccx || f->payload_length;
}

/*
 * foreign_open converts a UET packet to the sizes of the tables; fields that
 * its header lacks become 0.
 *
 * Shape:  |p| holds |len| bytes from the PDS header, without the CRC trailer;
 * |out| has room for len + FOREIGN_MORE.
 *
 * Return: the length in |out|, or 0 if no conversion is needed.
 */
size_t foreign_open(const struct foreign *f, const uint8_t *p, size_t len,
		    uint8_t *out);

/*
 * foreign_close converts a packet in place to the peer's sizes: the bytes that
 * the peer's header lacks are removed.
 *
 * Return: the new length.
 */
size_t foreign_close(const struct foreign *f, uint8_t *p, size_t len);

#endif
