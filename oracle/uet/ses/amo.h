/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/amo.h -- computes atomic memory operations.
 *
 * The specification names opcodes and datatypes, not their meaning; this code
 * uses that of libfabric, from which they come.  Memory and operands are
 * little-endian. A compare or swap value is in the low bytes of its 16.
 * Undocumented operations are not supported: MSWAP, INVAL, and datatypes other
 * than integers of up to 64 bits, float and double.
 *
 * Spec: UET 3.4.2.3, tables 3-21 and 3-22 (uet.md 5.5, 5.9)
 */
#ifndef ORACLE_UET_SES_AMO_H
#define ORACLE_UET_SES_AMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/uet/uet_ses.h"

/* Table 3-21; the wire floor defines AMO_CSWAP to AMO_CSWAP_GT. */
enum {
	AMO_OP_MIN = 0x00,
	AMO_OP_MAX = 0x01,
	AMO_OP_SUM = 0x02,
	AMO_OP_DIFF = 0x03,
	AMO_OP_PROD = 0x04,
	AMO_OP_LOR = 0x05,
	AMO_OP_LAND = 0x06,
	AMO_OP_BOR = 0x07,
	AMO_OP_BAND = 0x08,
	AMO_OP_LXOR = 0x09,
	AMO_OP_BXOR = 0x0a,
	AMO_OP_READ = 0x0b,
	AMO_OP_WRITE = 0x0c,
};

/* The supported datatypes of table 3-22. */
enum {
	AMO_INT8 = 0x00,
	AMO_UINT8 = 0x01,
	AMO_INT16 = 0x02,
	AMO_UINT16 = 0x03,
	AMO_INT32 = 0x04,
	AMO_UINT32 = 0x05,
	AMO_INT64 = 0x06,
	AMO_UINT64 = 0x07,
	AMO_FLOAT = 0x0a,
	AMO_DOUBLE = 0x0b,
};

/* Return codes of table 3-19 for atomics only. */
enum {
	RC_AMO_UNSUPPORTED_OP = 0x0f,
	RC_AMO_UNSUPPORTED_DT = 0x10,
	RC_AMO_UNSUPPORTED_SIZE = 0x11,
	RC_AMO_UNALIGNED = 0x12,
};

/* Most bytes that one fetching atomic returns. */
#define AMO_FETCH_MAX 64

/* The atomic extension, and the compare and swap extension if there is one. */
struct amo {
	uint8_t opcode, datatype;
	uint64_t compare, swap; /* compare and swap: low 64 bits */
};

#define AMO_EXT_MAX (ses_atomic_len + ses_cswap_len)

/*
 * amo_get reads the extensions of an atomic request.
 * Return: their length; ERR_SHORT.
 */
int amo_get(struct amo *ret, const uint8_t *p, size_t len);

/* amo_put writes the extensions and returns their length. */
size_t amo_put(const struct amo *amo, uint8_t *p);

/*
 * amo_is_cswap returns true for compare-and-swap: the values are in the
 * extension, there is no payload.
 */
bool amo_is_cswap(uint8_t opcode);

/*
 * amo_has_operand returns true if the payload holds an operand for each
 * element.
 */
bool amo_has_operand(uint8_t opcode);

/*
 * amo_size returns the size of one element in bytes; 0 for an unknown datatype.
 */
size_t amo_size(uint8_t datatype);

/*
 * amo_check returns RC_OK if the operation may be applied to |len| bytes at
 * |at|, else the return code of the error.
 */
uint8_t amo_check(const struct amo *amo, bool fetch, uint64_t at, size_t len);

/*
 * amo_apply updates |len| bytes at |mem|, element by element.
 *
 * Shape:  |operand| holds |len| bytes; it is not read unless amo_has_operand.
 * The caller must have called amo_check.
 */
void amo_apply(const struct amo *amo, uint8_t *mem, const uint8_t *operand,
	       size_t len);

/* amo_store writes the low |size| bytes of a value, as memory holds it. */
void amo_store(uint8_t *p, uint64_t value, size_t size);

#endif
