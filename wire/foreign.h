/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/foreign.h -- headers of other sizes than the tables have.
 *
 * Some implementations end ACK_CCX and NACK_CCX 8 bytes earlier, and read 12
 * bits of payload_length.  Nothing in a packet tells which it is: the caller
 * has to know it, and has such packets rewritten as the tables have them.
 */
#ifndef WIRE_FOREIGN_H
#define WIRE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FOREIGN_MORE 8 /* bytes that a packet may become longer */

struct foreign {
	bool ack_ccx;        /* ACK_CCX has 32 bytes, not 40 */
	bool nack_ccx;       /* NACK_CCX has 24 bytes, not 32 */
	bool payload_length; /* of return data has 12 bits, not 14 */
};

/*
 * foreign_read reads "ack_ccx=32,nack_ccx=24,payload_length=12", each word at
 * most once; a word with the size of the tables changes nothing.
 * Return: false if it is none of these.
 */
bool foreign_read(struct foreign *ret, const char *text);

static inline bool foreign_any(const struct foreign *f)
{
	return f->ack_ccx || f->nack_ccx || f->payload_length;
}

/*
 * foreign_open rewrites a UET packet of such sizes as the tables have it: what
 * is missing of a header is 0.
 *
 * Shape:  |p| holds |len| bytes from the PDS header, without the CRC trailer;
 *         |out| has room for len + FOREIGN_MORE.
 * Return: the length of what is in |out|, or 0: the packet is as it should be.
 */
size_t foreign_open(const struct foreign *f, const uint8_t *p, size_t len,
		    uint8_t *out);

#endif
