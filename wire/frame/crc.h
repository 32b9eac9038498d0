/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/crc.h -- the UET CRC trailer.
 *
 * CRC-32C over the IP source address, the destination address, the UDP header
 * (or the entropy header) and the UET bytes, without the trailer itself.  The
 * trailer follows the payload.  The specification leaves the order of its bytes
 * on the wire open, so it is a parameter.
 *
 * Spec: UET 3.5.25 (uet.md 1.6)
 */
#ifndef WIRE_FRAME_CRC_H
#define WIRE_FRAME_CRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "wire/dgram.h"
#include "wire/field.h"
#include "wire/ib/icrc.h"

#define CRC_LEN 4

enum { CRC_SHIFTS = 32 };

enum crc_order {
	CRC_LE, /* least significant byte first (ref-prov on x86) */
	CRC_BE,
};

/* crc32c continues a CRC-32C; start with 0.  crc32c(0,"123456789")=e3069283 */
uint32_t crc32c(uint32_t crc, const uint8_t *p, size_t len);

/* crc_of returns the CRC that covers the first |len| bytes of d->data. */
uint32_t crc_of(const struct dgram *d, size_t len);

/*
 * crc_sum returns the UET CRC over the |len| bytes at |p|, which exclude the
 * trailer, for a packet with the addresses and the entropy of |d|.
 */
uint32_t crc_sum(const struct dgram *d, const uint8_t *p, size_t len);

/*
 * How a CRC changes by bytes behind its own, for lengths that were asked for
 * recently.  Zero at the start.
 */
struct crc_shifts {
	uint32_t len[CRC_SHIFTS];
	uint32_t factor[CRC_SHIFTS]; /* a polynomial */
};

/* CRC-32Cs of the end of a packet. */
struct crc_tail {
	uint32_t sum;  /* without the last CRC_LEN bytes */
	uint32_t more; /* with them */
};

/*
 * crc_sum_tail returns what crc_sum does, and in *ret the CRC-32Cs of the bytes
 * from |at| on.  It reads those bytes once if the CPU can multiply polynomials.
 *
 * Shape:  |p| holds |len| + CRC_LEN bytes; |at| is at most |len| and at most
 *         256.
 */
uint32_t crc_sum_tail(struct crc_shifts *shifts, const struct dgram *d,
		      const uint8_t *p, size_t len, size_t at,
		      struct crc_tail *ret);

/* crc_compare compares the 4 bytes at |trailer| with |sum|. */
static inline enum dgram_crc crc_compare(uint32_t sum, const uint8_t *trailer,
					 enum crc_order order)
{
	uint32_t other = (uint32_t)bits_get(trailer, 0, 32);

	if (order == CRC_LE)
		other = __builtin_bswap32(other);
	if (likely(sum == other))
		return DGRAM_CRC_RIGHT;
	return sum == __builtin_bswap32(other) ? DGRAM_CRC_SWAPPED
					       : DGRAM_CRC_WRONG;
}

/*
 * crc_look checks the trailer at the end of the |len| bytes at |p|, for a
 * packet with the addresses, the entropy and the family of |d|; |p| need not be
 * d->data.
 */
enum dgram_crc crc_look(const struct dgram *d, const uint8_t *p, size_t len,
			enum crc_order order);

/*
 * crc_write writes the trailer after the |len| bytes at |p|, for a packet with
 * the addresses, the entropy and the family of |d|.
 */
void crc_write(const struct dgram *d, uint8_t *p, size_t len,
	       enum crc_order order);

/*
 * crc_append adds the trailer.  The UDP length that the CRC covers includes the
 * trailer.
 * Return: 0, or ERR_SPACE if DGRAM_MAX would be exceeded.
 */
int crc_append(struct dgram *d, enum crc_order order);

/* crc_check returns true if the last 4 bytes of |d| are its CRC. */
bool crc_check(const struct dgram *d, enum crc_order order);

/*
 * crc_seal appends the trailer that d->crc names, in |order|.  crc_open removes
 * it and sets d->crc.  It does not remove a wrong trailer, because those bytes
 * may not be a trailer.  The trailer of a family other than UET is the ICRC
 * (wire/ib/icrc.h), as a socket sends it and as |icrc| requires it; |order| is
 * then ignored.
 *
 * Return: of crc_seal, 0 or ERR_SPACE.
 */
int crc_seal(struct dgram *d, enum crc_order order);
void crc_open(struct dgram *d, enum crc_order order, enum icrc_mode icrc);

#endif
